//! The elementwise part of SwiGLU, `silu(gate) * up`, in bf16: two roundings, both in the caller's
//! direction.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx))]

#[cfg(target_arch = "nvptx64")]
mod device {
    use bitexact::{Mode, Rounding, activation, arith, bf16};
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};

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
        // SAFETY: reading the special registers has no precondition.
        let (first, stride) = unsafe {
            let block = _block_dim_x() as usize;
            let thread = _block_idx_x() as usize * block + _thread_idx_x() as usize;
            (thread, _grid_dim_x() as usize * block)
        };
        let mut i = first;
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

    /// Nothing panics, as the PTX shows.
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        loop {}
    }
}
