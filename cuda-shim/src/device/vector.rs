//! Elements several at a time, in loads and stores of 16 bytes.
//!
//! A copy in the same shape runs at the memory's full speed (see `evidence/`): a thread processes
//! one pack, lanes process neighbouring packs, and stores are no wider than 16 bytes.

use super::grid::for_each_own;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

/// Words that are loaded and stored `L` at a time.
pub trait Lanes<const L: usize>: Copy {
    type Pack;
    /// # Safety
    ///
    /// `pack` may be read.
    unsafe fn load(pack: *const Self::Pack) -> [Self; L];
    /// # Safety
    ///
    /// `pack` may be written.
    unsafe fn store(pack: *mut Self::Pack, words: [Self; L]);
}

macro_rules! packs {
    ($($pack:ident: $count:literal $word:ident $align:literal ($($k:ident)*);)*) => {
        $(
            #[repr(C, align($align))]
            pub struct $pack([$word; $count]);

            // Word by word: a copy of the whole would be split into 8-byte pieces.
            impl Lanes<$count> for $word {
                type Pack = $pack;
                #[inline(always)]
                unsafe fn load(pack: *const $pack) -> [$word; $count] {
                    // SAFETY: the caller's.
                    let [$($k),*] = unsafe { &(*pack).0 };
                    [$(*$k),*]
                }
                #[inline(always)]
                unsafe fn store(pack: *mut $pack, words: [$word; $count]) {
                    // SAFETY: the caller's.
                    let [$($k),*] = unsafe { &mut (*pack).0 };
                    [$(*$k),*] = words;
                }
            }
        )*
    };
}

packs! {
    Bytes2: 2 u8 2 (a b);
    Bytes4: 4 u8 4 (a b c d);
    Bytes8: 8 u8 8 (a b c d e f g h);
    Halves2: 2 u16 4 (a b);
    Halves4: 4 u16 8 (a b c d);
    Halves8: 8 u16 16 (a b c d e f g h);
    Words2: 2 u32 8 (a b);
    Words4: 4 u32 16 (a b c d);
    Words8: 8 u32 16 (a b c d e f g h);
    Doubles2: 2 u64 16 (a b);
    Doubles4: 4 u64 16 (a b c d);
}

/// Whether both slices are aligned for their packs.
#[inline(always)]
pub fn aligned<X: Lanes<L>, R: Lanes<L>, const L: usize>(x: *const X, out: *mut R) -> bool {
    (x as usize).is_multiple_of(align_of::<X::Pack>())
        && (out as usize).is_multiple_of(align_of::<R::Pack>())
}

/// `out[i] = f(x[i])` for every `i < n`: whole packs where both slices are aligned, single words at
/// the end, and everywhere in slices that are not. A thread processes `U` packs at once; there are
/// blocks for all packs.
///
/// # Safety
///
/// `x` may be read and `out` written, `n` words each, and nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn map<X: Lanes<L>, R: Lanes<L>, const L: usize, const U: usize>(
    x: *const X,
    out: *mut R,
    n: usize,
    f: impl Fn(X) -> R,
) {
    let packs = if aligned(x, out) { n / L } else { 0 };
    let (from, to) = (x.cast::<X::Pack>(), out.cast::<R::Pack>());
    // SAFETY: reading the special registers has no precondition.
    let (thread, threads, block) = unsafe {
        (
            _thread_idx_x() as usize,
            _block_dim_x() as usize,
            _block_idx_x() as usize,
        )
    };
    let first = block * threads * U + thread;
    // A thread's packs are `threads` apart. Loads come before the first store.
    if first + (U - 1) * threads < packs {
        // SAFETY: the last one is below the number of packs, and they are aligned.
        unsafe {
            let words: [[X; L]; U] =
                core::array::from_fn(|k| X::load(from.add(first + k * threads)));
            for (k, words) in words.into_iter().enumerate() {
                R::store(to.add(first + k * threads), words.map(&f));
            }
        }
    } else {
        for k in (first..packs).step_by(threads) {
            // SAFETY: k < packs.
            unsafe { R::store(to.add(k), X::load(from.add(k)).map(&f)) };
        }
    }
    let done = packs * L;
    for_each_own(n - done, |k| {
        // SAFETY: done + k < n.
        unsafe { *out.add(done + k) = f(*x.add(done + k)) };
    });
}
