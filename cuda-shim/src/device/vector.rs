//! Elements eight at a time, in loads and stores of 16 bytes.

use super::grid::for_each_own;
use crate::abi::LANES;

/// Words that are loaded and stored eight at a time.
pub trait Lanes: Copy {
    type Pack;
    /// # Safety
    ///
    /// `pack` may be read.
    unsafe fn load(pack: *const Self::Pack) -> [Self; LANES];
    /// # Safety
    ///
    /// `pack` may be written.
    unsafe fn store(pack: *mut Self::Pack, words: [Self; LANES]);
}

macro_rules! lanes {
    ($($word:ident $pack:ident $align:literal;)*) => {
        $(
            #[repr(C, align($align))]
            pub struct $pack([$word; LANES]);

            // Word by word: a copy of the whole would be cut into 8-byte pieces.
            impl Lanes for $word {
                type Pack = $pack;
                #[inline(always)]
                unsafe fn load(pack: *const $pack) -> [$word; LANES] {
                    // SAFETY: the caller's.
                    let [a, b, c, d, e, f, g, h] = unsafe { &(*pack).0 };
                    [*a, *b, *c, *d, *e, *f, *g, *h]
                }
                #[inline(always)]
                unsafe fn store(pack: *mut $pack, words: [$word; LANES]) {
                    // SAFETY: the caller's.
                    let [a, b, c, d, e, f, g, h] = unsafe { &mut (*pack).0 };
                    [*a, *b, *c, *d, *e, *f, *g, *h] = words;
                }
            }
        )*
    };
}

lanes! {
    u8 Pack8 8;
    u16 Pack16 16;
    u32 Pack32 16;
    u64 Pack64 16;
}

/// `out[i] = f(x[i])` for every own `i < n`: whole packs where both slices are aligned, single
/// words at the end, and everywhere in slices that are not.
///
/// # Safety
///
/// `x` may be read and `out` written, `n` words each, and nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn map<X: Lanes, R: Lanes>(x: *const X, out: *mut R, n: usize, f: impl Fn(X) -> R) {
    let aligned = (x as usize).is_multiple_of(align_of::<X::Pack>())
        && (out as usize).is_multiple_of(align_of::<R::Pack>());
    let packs = if aligned { n / LANES } else { 0 };
    for_each_own(packs, |k| {
        // SAFETY: k < n / LANES, and the packs are aligned.
        unsafe {
            let [a, b, c, d, e, g, h, i] = X::load(x.cast::<X::Pack>().add(k));
            let results = [f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i)];
            R::store(out.cast::<R::Pack>().add(k), results);
        }
    });
    let done = packs * LANES;
    for_each_own(n - done, |k| {
        // SAFETY: done + k < n.
        unsafe { *out.add(done + k) = f(*x.add(done + k)) };
    });
}
