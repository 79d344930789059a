//! Products of matrices in the sequential order, accumulated in f32.
//!
//! The definition is [`Accumulation`](bitexact::tensor::Accumulation)'s `Declared(Sequential)`: the
//! first product rounded to f32, then one fused multiply-add a step, k in order. Here that is one
//! `fma.rn.f32` a step from the first on: a sum that starts from -0 is the first product rounded,
//! its sign included. Operands are widened to f32, which is exact, so that each step rounds what
//! the definition's rounds. Outputs are independent of each other: they are tiled, and k is never
//! split. A sum of no terms is +0, and NaNs are made canonical in the end.
//!
//! Sums are stored in f32, or as an [`epilogue`] makes them, which [`Ending`] defines, or as a
//! [`function`] does, which is a row of the catalog: the bias is one `add.rn.f32`, and NaNs are
//! made canonical only after it. The results can also be [quantised](quantise) to MX blocks of 32
//! along a row, in the domain of [`blocks`]: half a tile has as many MX blocks as a thread block
//! has threads, and no MX block lies in two tiles.
//!
//! The domain: sums in f32, ties to even, the IEEE overflow rule, no flags, sizes below 2^31.
//!
//! A block makes tiles of [`ROWS`] rows and columns. Its shared memory holds two slabs of [`DEPTH`]
//! steps of both operands, as f32, with the elements of one step side by side: while the block
//! works on the first half of one slab, each thread loads its part of the first operand's next one
//! and then stores it; during the second half it does so for the second operand. So the packs of
//! only one operand are in registers. Each thread loads the elements of the last steps, which do
//! not fill a slab, for itself. Beyond an operand's last row, that row is loaded again; the sums
//! that result are not stored.

mod epilogue;
mod mainloop;
mod operand;
mod quantise;
mod sequential;

pub use epilogue::{epilogue, function};
pub use operand::Any;
pub use quantise::{function_quantise, quantise};
pub use sequential::sequential;

#[cfg(test)]
mod tests {
    use super::operand::Operand;
    use super::{Any, epilogue};
    use crate::HostBlock;
    use bitexact::format::{Binary32, E4M3FN, E5M2, bf16, f16};
    use gpu_plans::gemm::{MEMORY, THREADS};

    /// The sums of a product of matrices of bytes, by rows or by columns.
    fn product<T: Operand>(x: &[u32], bytes: usize, of: u32, turned: bool) -> Vec<u32> {
        const SIZES: [usize; 3] = [131, 77, 37];
        let [m, n, k] = SIZES;
        let strides = |rows: usize, columns: usize| match turned {
            false => (columns as i64, 1),
            true => (1, rows as i64),
        };
        let ((a_row, a_column), (b_row, b_column)) = (strides(m, k), strides(k, n));
        let a = x.as_ptr().cast::<u8>();
        let b = a.wrapping_add(m * k * bytes);
        let mut out = vec![0u32; m * n];
        let mut block = HostBlock::new(0, 1, THREADS, MEMORY);
        // SAFETY: the matrices have these sizes, and there is neither a bias nor a table.
        unsafe {
            epilogue::<_, T, false>(
                &mut block,
                a.cast(),
                b.cast(),
                out.as_mut_ptr().cast(),
                m as u32,
                n as u32,
                k as u32,
                a_row,
                a_column,
                b_row,
                b_column,
                n as i64,
                1,
                core::ptr::null(),
                4,
                0,
                core::ptr::null(),
                4,
                of,
            );
        }
        out
    }

    fn check<T: Operand>(of: u32) {
        let bytes = size_of::<T>();
        let mut state = 1u64;
        // No infinity and no NaN, so that sums differ.
        let finite = match bytes {
            1 => 0xBFBF_BFBF,
            2 => 0xBFFF_BFFF,
            _ => 0xBFFF_FFFF,
        };
        let count = 131 * 37 + 37 * 77;
        let words = (0..(count * bytes).div_ceil(4)).map(|_| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 32) as u32 & finite
        });
        let x = &words.collect::<Vec<_>>();
        for turned in [false, true] {
            let due = product::<T>(x, bytes, of, turned);
            let numbers = due.iter().filter(|sum| f32::from_bits(**sum).is_normal());
            assert!(numbers.count() > due.len() / 2);
            assert_eq!(product::<Any>(x, bytes, of, turned), due, "format {of}");
        }
    }

    /// Operands whose format is an argument have the results of those whose type it is.
    #[test]
    fn any_format_is_its_own() {
        check::<f16>(0);
        check::<bf16>(1);
        check::<Binary32>(2);
        check::<E4M3FN>(3);
        check::<E5M2>(4);
    }
}
