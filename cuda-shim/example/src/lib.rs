//! The elementwise part of SwiGLU, `silu(gate) * up`, in bf16: two roundings, both in the caller's
//! direction; and in ties to even with a faster silu and product.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx))]

#[cfg(target_arch = "nvptx64")]
mod device {
    use bitexact::{Mode, Rounding, activation, arith, bf16};
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};
    use enclosures::arithmetic::{self, Product};
    use enclosures::enclosure::{Bfloat, Nearest, Silu};

    /// The index of this thread, and their number.
    fn place() -> (usize, usize) {
        // SAFETY: reading the special registers has no precondition.
        unsafe {
            let block = _block_dim_x() as usize;
            let thread = _block_idx_x() as usize * block + _thread_idx_x() as usize;
            (thread, _grid_dim_x() as usize * block)
        }
    }

    /// `out[i] = silu(gate[i]) * up[i]`, each step rounded in the direction with this number in
    /// `Rounding::ALL` (ties to even for any other number).
    ///
    /// # Safety
    ///
    /// The slices have `n` bf16 codes; nothing else uses `out` meanwhile.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn swiglu(
        gate: *const u16,
        up: *const u16,
        out: *mut u16,
        n: usize,
        rounding: u32,
    ) {
        let rounding = Rounding::ALL.get(rounding as usize).copied();
        let mode = Mode::ieee(rounding.unwrap_or(Rounding::TiesToEven));
        let (mut i, stride) = place();
        while i < n {
            // SAFETY: i < n.
            unsafe {
                let (gate, up) = (bf16::from_bits(*gate.add(i)), bf16::from_bits(*up.add(i)));
                let gated: bf16 = activation::silu(gate, mode);
                let product: bf16 = arith::mul(gated, up, mode);
                *out.add(i) = product.to_bits();
            }
            i += stride;
        }
    }

    /// Turns `swiglu_fast`'s silu on if that is right on this device: launch one block of it, once,
    /// before `swiglu_fast`.
    ///
    /// # Safety
    ///
    /// `counts` has two words that are 0; nothing else uses them meanwhile.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn silu_verify(counts: *mut u32) {
        // SAFETY: the caller's, and no thread has ended.
        unsafe { enclosures::verify::<Silu, Bfloat, Nearest>(counts) }
    }

    /// The same for its product, for all pairs of operands: launch it in any grid.
    ///
    /// # Safety
    ///
    /// `counts` has two words that are 0; nothing else uses them meanwhile.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn product_verify(counts: *mut u64) {
        // SAFETY: the caller's.
        unsafe { enclosures::verify_pairs::<Product, Bfloat, Nearest>(counts, 0) }
    }

    /// Verifies every operation of both formats in every direction for all pairs: the one with this
    /// number, in any grid. With `out`, the last thread's conversion of two numbers instead, as a
    /// caller makes it.
    ///
    /// # Safety
    ///
    /// As above, for each number; `out` has a word, or is null.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn arithmetic_verify(
        counts: *mut u64,
        number: u32,
        out: *mut u32,
        x: f32,
    ) {
        use enclosures::arithmetic::{Conversion, Difference, Quotient, Sum, narrow_two};
        use enclosures::enclosure::{Downward, Half, TowardZero, Upward};
        if !out.is_null() {
            let made =
                narrow_two::<Half, Upward>([x, -x]) ^ narrow_two::<Bfloat, Downward>([x, -x]);
            // SAFETY: the caller's.
            unsafe { *out = made };
            return;
        }
        macro_rules! verify {
            ($($operation:ident)*) => {{
                let mut at = 0;
                $(verify! { @ at, $operation Half Nearest TowardZero Upward Downward }
                verify! { @ at, $operation Bfloat Nearest TowardZero Upward Downward })*
            }};
            (@ $at:ident, $operation:ident $format:ident $($direction:ident)*) => {
                $(
                    if number == $at {
                        // SAFETY: the caller's.
                        unsafe { enclosures::verify_pairs::<$operation, $format, $direction>(counts, 0) };
                    }
                    $at += 1;
                )*
            };
        }
        verify! { Sum Difference Product Quotient Conversion }
    }

    /// `out[i] = silu(gate[i]) * up[i]` in ties to even, two elements at a time.
    ///
    /// # Safety
    ///
    /// The slices have `pairs` pairs of bf16 codes; nothing else uses `out` meanwhile.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn swiglu_fast(
        gate: *const u32,
        up: *const u32,
        out: *mut u32,
        pairs: usize,
    ) {
        let (mut i, stride) = place();
        while i < pairs {
            // SAFETY: i < pairs.
            unsafe {
                let gated = enclosures::two::<Silu, Bfloat, Nearest>(*gate.add(i));
                *out.add(i) = arithmetic::two::<Product, Bfloat, Nearest>(gated, *up.add(i));
            }
            i += stride;
        }
    }

    /// Nothing panics, as the PTX shows.
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        loop {}
    }
}
