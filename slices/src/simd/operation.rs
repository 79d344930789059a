//! The operations of the processor's f32, one at a time and eight at a time.
#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m256, _mm256_add_ps, _mm256_div_ps, _mm256_mul_ps, _mm256_sub_ps};

/// An operation on f32.
pub(super) trait Operation: Copy {
    /// `#[inline(always)]`.
    fn of(x: f32, y: f32) -> f32;
    /// Eight at a time.
    ///
    /// # Safety
    ///
    /// The processor has AVX.
    #[cfg(target_arch = "x86_64")]
    unsafe fn of_8(x: __m256, y: __m256) -> __m256;
}

macro_rules! operations {
    ($($name:ident $operator:tt $eight:ident;)*) => {$(
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn of(x: f32, y: f32) -> f32 {
                x $operator y
            }
            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx")]
            unsafe fn of_8(x: __m256, y: __m256) -> __m256 {
                $eight(x, y)
            }
        }
    )*};
}
operations! {
    Sum + _mm256_add_ps;
    Difference - _mm256_sub_ps;
    Product * _mm256_mul_ps;
    Quotient / _mm256_div_ps;
}
