//! The elementwise part of SwiGLU, `silu(gate) * up`, in bf16: two roundings, both in the caller's
//! direction; and in ties to even with a faster silu and product.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx))]

#[cfg(target_arch = "nvptx64")]
mod device {
    use bitexact::{Mode, Rounding, activation, arith, bf16};
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};
    use fused::arithmetic::{self, Product};
    use fused::enclosure::{Bfloat, Nearest, Silu};

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

    /// Turns `swiglu_fast`'s silu on if that is right on this device: launch one block of it, once, before `swiglu_fast`.
    ///
    /// # Safety
    ///
    /// `counts` has two words that are 0; nothing else uses them meanwhile.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn silu_verify(counts: *mut u32) {
        // SAFETY: the caller's, and no thread has ended.
        unsafe { fused::verify::<Silu, Bfloat, Nearest>(counts) }
    }

    /// The same for its product, for all pairs of operands: launch it in any grid.
    ///
    /// # Safety
    ///
    /// `counts` has two words that are 0; nothing else uses them meanwhile.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn product_verify(counts: *mut u64) {
        // SAFETY: the caller's.
        unsafe { fused::verify_pairs::<Product, Bfloat, Nearest>(counts, 0) }
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
                let gated = fused::two::<Silu, Bfloat, Nearest>(*gate.add(i));
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
