//! Tensors by [`fused::enclosure`]: what a thread does of them.

pub use fused::enclosure::*;

use crate::tile::{Words4, load4, store4};

/// Elements of a pack.
pub const LANES: usize = 8;

/// The threads for so many elements.
#[cfg(not(target_arch = "nvptx64"))]
pub const fn threads(n: usize) -> usize {
    n / LANES + n % LANES
}

/// What one of [`threads`] does of `out[i] = f(x[i])`: a pack, or one of the elements after the last. `exactly` is the
/// function's own kernel.
///
/// # Safety
///
/// `x` may be read and `out` written, `n` words each, both are multiples of 16, and nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn thread<K: Function, F: Format, M: Machine>(
    m: M,
    thread: usize,
    (x, out, n): (*const u16, *mut u16, usize),
    exactly: impl Fn(u16) -> u16,
) {
    let packs = n / LANES;
    let first = LANES * thread.min(packs);
    let mut open = 0;
    if thread < packs {
        // SAFETY: one of the packs.
        unsafe {
            // By name, since an array of results would lie in memory.
            let [a, b, c, d] = load4(x.add(first).cast::<Words4>());
            let (a, b) = (
                pair::<K, F, Nearest, M>(m, a),
                pair::<K, F, Nearest, M>(m, b),
            );
            let (c, d) = (
                pair::<K, F, Nearest, M>(m, c),
                pair::<K, F, Nearest, M>(m, d),
            );
            store4(out.add(first).cast::<Words4>(), [a[0], b[0], c[0], d[0]]);
            if a[1] | b[1] | c[1] | d[1] != 0 {
                let two = |[_, open]: [u32; 2]| {
                    u32::from(open & 0xFFFF != 0) | u32::from(open >> 16 != 0) << 1
                };
                open = two(a) | two(b) << 2 | two(c) << 4 | two(d) << 6;
            }
        }
    } else if thread - packs < n - first {
        open = 1 << (thread - packs);
    }
    while open != 0 {
        let at = first + open.trailing_zeros() as usize;
        open &= open - 1;
        // SAFETY: at < n.
        unsafe { *out.add(at) = exactly(*x.add(at)) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Bfloat, Moved, Tanh, exactly, thread, threads};
    use bitexact::bf16;

    /// Packs, what is left of them, and undecided elements.
    #[test]
    fn threads_of_any_length() {
        #[repr(align(16))]
        struct Aligned([u16; 64]);
        let exact = (0..=u16::MAX)
            .map(|x| exactly!(tanh bf16, x, []))
            .collect::<Vec<u16>>();
        for n in 0..=48 {
            let mut x = Aligned([0x7FC1; 64]);
            for (k, x) in x.0.iter_mut().enumerate() {
                *x = (k as u16).wrapping_mul(0x9E37);
            }
            let mut out = Aligned([0x5555; 64]);
            let (from, to) = (x.0.as_ptr(), out.0.as_mut_ptr());
            for k in 0..threads(n) + 3 {
                // SAFETY: both have 64 words, at a multiple of 16.
                unsafe {
                    thread::<Tanh, Bfloat, _>(Moved([0; 3]), k, (from, to, n), |x| {
                        exact[usize::from(x)]
                    })
                };
            }
            for k in 0..64 {
                let due = if k < n {
                    exact[usize::from(x.0[k])]
                } else {
                    0x5555
                };
                assert_eq!(out.0[k], due, "{k} of {n}");
            }
        }
    }
}
