//! The operations of the processor's f32, one at a time, and eight (x86-64) or four (64-bit ARM) at
//! a time.
#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    allow(unsafe_code)
)]

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::{float32x4_t, vaddq_f32, vdivq_f32, vmulq_f32, vsqrtq_f32, vsubq_f32};

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{
    __m256, _CMP_EQ_OQ, _CMP_NEQ_OQ, _mm256_add_epi32, _mm256_add_ps, _mm256_and_ps,
    _mm256_and_si256, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_div_ps,
    _mm256_mul_ps, _mm256_or_ps, _mm256_or_si256, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_sqrt_ps, _mm256_srai_epi32, _mm256_srli_epi32, _mm256_sub_ps, _mm256_xor_ps,
};

/// An operation on f32.
pub trait Operation: Copy {
    /// `#[inline(always)]`.
    fn of(x: f32, y: f32) -> f32;
    /// Four at a time.
    ///
    /// # Safety
    ///
    /// The processor has NEON.
    #[cfg(target_arch = "aarch64")]
    unsafe fn of_4(x: float32x4_t, y: float32x4_t) -> float32x4_t;
    /// Eight at a time.
    ///
    /// # Safety
    ///
    /// The processor has AVX.
    #[cfg(target_arch = "x86_64")]
    unsafe fn of_8(x: __m256, y: __m256) -> __m256;
    /// Eight results of f16 as [`directed`](super::directed) rounds them: odd if not exact, where
    /// that matters; zeros signed as when rounding down, if `down`.
    ///
    /// # Safety
    ///
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    unsafe fn odd_8(x: __m256, y: __m256, result: __m256, down: bool) -> __m256;
}

/// [`Operation::odd_8`] of sums.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn odd_sum(x: __m256, y: __m256, sum: __m256, down: bool) -> __m256 {
    let virtually_y = _mm256_sub_ps(sum, x);
    let error = _mm256_add_ps(
        _mm256_sub_ps(x, _mm256_sub_ps(sum, virtually_y)),
        _mm256_sub_ps(y, virtually_y),
    );
    let zero = _mm256_setzero_ps();
    let inexact = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_NEQ_OQ>(error, zero));
    let code = _mm256_castps_si256(sum);
    // The neighbour toward zero, whose last bit is set: that is it or the other one.
    let signs = _mm256_castps_si256(_mm256_xor_ps(error, sum));
    let below = _mm256_and_si256(_mm256_srai_epi32::<31>(signs), inexact);
    let last = _mm256_srli_epi32::<31>(inexact);
    let odd = _mm256_castsi256_ps(_mm256_or_si256(_mm256_add_epi32(code, below), last));
    if !down {
        return odd;
    }
    let minus = _mm256_and_ps(_mm256_or_ps(x, y), _mm256_set1_ps(-0.0));
    let is_zero = _mm256_cmp_ps::<_CMP_EQ_OQ>(sum, zero);
    _mm256_or_ps(odd, _mm256_and_ps(is_zero, minus))
}

macro_rules! operations {
    ($($name:ident $operator:tt $four:ident $eight:ident |$x:ident, $y:ident, $result:ident, $down:ident| $odd:expr;)*) => {$(
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn of(x: f32, y: f32) -> f32 {
                x $operator y
            }
            #[cfg(target_arch = "aarch64")]
            #[inline]
            #[target_feature(enable = "neon")]
            unsafe fn of_4(x: float32x4_t, y: float32x4_t) -> float32x4_t {
                $four(x, y)
            }
            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx")]
            unsafe fn of_8(x: __m256, y: __m256) -> __m256 {
                $eight(x, y)
            }
            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx2")]
            #[allow(unused_variables)]
            unsafe fn odd_8($x: __m256, $y: __m256, $result: __m256, $down: bool) -> __m256 {
                $odd
            }
        }
    )*};
}
operations! {
    Sum + vaddq_f32 _mm256_add_ps |x, y, sum, down| odd_sum(x, y, sum, down);
    Difference - vsubq_f32 _mm256_sub_ps |x, y, sum, down| {
        odd_sum(x, _mm256_xor_ps(y, _mm256_set1_ps(-0.0)), sum, down)
    };
    Product * vmulq_f32 _mm256_mul_ps |x, y, result, down| result;
    Quotient / vdivq_f32 _mm256_div_ps |x, y, result, down| result;
}

/// The square root of the first operand.
#[derive(Clone, Copy)]
pub(super) struct Root;

impl Operation for Root {
    #[inline(always)]
    fn of(x: f32, _: f32) -> f32 {
        x.sqrt()
    }
    #[cfg(target_arch = "aarch64")]
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn of_4(x: float32x4_t, _: float32x4_t) -> float32x4_t {
        vsqrtq_f32(x)
    }
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn of_8(x: __m256, _: __m256) -> __m256 {
        _mm256_sqrt_ps(x)
    }
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn odd_8(_: __m256, _: __m256, result: __m256, _: bool) -> __m256 {
        result
    }
}
