//! Tensors by [`enclosures::enclosure`]: what a thread does of them.

pub use enclosures::enclosure::*;

use crate::tile::{Words4, load4, store4};

/// Elements of a pack.
pub const LANES: usize = 8;

/// The threads for so many elements.
#[cfg(not(target_arch = "nvptx64"))]
pub const fn threads(n: usize) -> usize {
    n / LANES + n % LANES
}

/// What one of [`threads`] does of `out[i] = f(x[i])`: a pack, or one of the elements after the
/// last. `table` has the function's own results. A pack with an element that is not decided is read
/// there as a whole: its loads overlap, and few threads have one.
///
/// # Safety
///
/// `x` may be read and `out` written, `n` words each, and `table` has 65,536; all are multiples of
/// 16, and nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn thread<K: Function, F: Format, M: Machine>(
    m: M,
    thread: usize,
    (x, out, n): (*const u16, *mut u16, usize),
    table: *const u16,
) {
    let packs = n / LANES;
    let first = LANES * thread.min(packs);
    // SAFETY: any 16 bits are below 65,536.
    let one = |x: u32| unsafe { u32::from(*table.add((x & 0xFFFF) as usize)) };
    let two = |x: u32| one(x) | one(x >> 16) << 16;
    if thread < packs {
        // SAFETY: one of the packs.
        unsafe {
            // By name, since an array of results would lie in memory.
            let [a, b, c, d] = load4(x.add(first).cast::<Words4>());
            let [e, open_e] = pair::<K, F, Nearest, M>(m, a);
            let [f, open_f] = pair::<K, F, Nearest, M>(m, b);
            let [g, open_g] = pair::<K, F, Nearest, M>(m, c);
            let [h, open_h] = pair::<K, F, Nearest, M>(m, d);
            let results = if open_e | open_f | open_g | open_h == 0 {
                [e, f, g, h]
            } else {
                [two(a), two(b), two(c), two(d)]
            };
            store4(out.add(first).cast::<Words4>(), results);
        }
    } else if thread - packs < n - first {
        let at = first + thread - packs;
        // SAFETY: at < n.
        unsafe { *out.add(at) = one(u32::from(*x.add(at))) as u16 };
    }
}

/// The operands with which the host compares [`thread`] with a table: packs of one number each, in
/// which nothing else is undecided, so that no decided result hides behind the table; then all
/// numbers beside a neighbour, on either side.
#[cfg(not(target_arch = "nvptx64"))]
pub fn trial() -> impl Iterator<Item = u16> {
    let alone = (0..=u16::MAX).flat_map(|x| [x; LANES]);
    alone
        .chain(0..=u16::MAX)
        .chain((0..=u16::MAX).map(|x| x ^ 1))
}

#[cfg(test)]
mod tests {
    use super::{
        Bfloat, Format, Function, Machine, Moved, Nearest, Sign, Tanh, exactly, one, thread,
        threads, trial,
    };
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
                    thread::<Tanh, Bfloat, _>(Moved([0; 3]), k, (from, to, n), exact.as_ptr())
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

    /// Tanh with a coefficient that is wrong.
    struct Wrong;
    impl Function for Wrong {
        const SIGN: Sign = Tanh::SIGN;
        const ULPS: [u32; 2] = Tanh::ULPS;
        fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
            Tanh::near::<F, M>(m, x) * (1.0 + 1.0 / 4096.0)
        }
    }

    /// How many of the host's operands show a wrong result, and how many operands have one.
    fn shown<K: Function>() -> [usize; 2] {
        let m = Moved([0; 3]);
        let exact: Vec<u16> = (0..=u16::MAX).map(|x| exactly!(tanh bf16, x, [])).collect();
        let wrong = (0..=u16::MAX).filter(|x| {
            let [result, open] = one::<K, Bfloat, Nearest, _>(m, *x);
            open == 0 && result != exact[usize::from(*x)]
        });
        let operands: Vec<u16> = trial().collect();
        // Words of 16 bytes, which are aligned.
        let packs: Vec<u128> = operands
            .chunks_exact(8)
            .map(|pack| {
                pack.iter()
                    .rev()
                    .fold(0, |word, x| word << 16 | u128::from(*x))
            })
            .collect();
        let mut out = vec![0u128; packs.len()];
        let slices = (
            packs.as_ptr().cast(),
            out.as_mut_ptr().cast(),
            operands.len(),
        );
        for k in 0..threads(operands.len()) {
            // SAFETY: both have as many words.
            unsafe { thread::<K, Bfloat, _>(m, k, slices, exact.as_ptr()) };
        }
        let mut differ: Vec<u16> = operands
            .into_iter()
            .enumerate()
            .filter(|(i, x)| (out[i / 8] >> (16 * (i % 8))) as u16 != exact[usize::from(*x)])
            .map(|(_, x)| x)
            .collect();
        differ.sort_unstable();
        differ.dedup();
        [differ.len(), wrong.count()]
    }

    /// The table hides no wrong result from the host.
    #[test]
    fn every_wrong_result_shows() {
        assert_eq!(shown::<Tanh>(), [0, 0]);
        let [shown, wrong] = shown::<Wrong>();
        assert!(wrong > 20);
        assert_eq!(shown, wrong);
    }
}
