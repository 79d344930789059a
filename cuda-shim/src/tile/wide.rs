//! The formats of values in memory, f32, f16 and bf16, by packs of 16 bytes.

use super::machine::{bytes, canonical, from_half, to_half};
use bitexact::format::{Binary32, bf16, f16};

/// The format of values.
pub trait Wide: Copy {
    /// Values of a pack of 16 bytes.
    const LANES: usize;
    /// Whether it has the exponents of f32.
    const WIDE_RANGE: bool;
    /// The values of a pack, exactly; the last ones are zeros where there are fewer.
    fn widen(pack: [u32; 4]) -> [f32; 8];
    /// The pack without its signs.
    fn magnitudes(pack: [u32; 4]) -> [u32; 4];
    /// The f32 bits of a pack's largest magnitude; those of a NaN if it has one. It widens only
    /// that one: so the values need not be kept, nor the same work be done, until the scale is
    /// known.
    fn largest(pack: [u32; 4]) -> u32;
    /// The signs of a pack, each the highest bit of a byte; the other bits are any.
    fn signs(pack: [u32; 4]) -> [u32; 2];
    /// A single value, exactly.
    ///
    /// # Safety
    ///
    /// It may be read.
    unsafe fn one(from: *const Self) -> f32;
    /// A pack of these values, each rounded to nearest.
    fn narrow(values: [f32; 8]) -> [u32; 4];
}

impl Wide for Binary32 {
    const LANES: usize = 4;
    const WIDE_RANGE: bool = true;

    #[inline(always)]
    fn widen([a, b, c, d]: [u32; 4]) -> [f32; 8] {
        [a, b, c, d, 0, 0, 0, 0].map(f32::from_bits)
    }

    #[inline(always)]
    fn magnitudes(pack: [u32; 4]) -> [u32; 4] {
        pack.map(|word| word & 0x7FFF_FFFF)
    }

    #[inline(always)]
    fn largest(pack: [u32; 4]) -> u32 {
        let [a, b, c, d] = Self::magnitudes(pack);
        a.max(b).max(c).max(d)
    }

    #[inline(always)]
    fn signs([a, b, c, d]: [u32; 4]) -> [u32; 2] {
        let [low, high] = [bytes::<0x73>(a, b), bytes::<0x73>(c, d)];
        [bytes::<0x5410>(low, high), 0]
    }

    #[inline(always)]
    unsafe fn one(from: *const Self) -> f32 {
        // SAFETY: the caller's.
        f32::from_bits(unsafe { *from.cast::<u32>() })
    }

    #[inline(always)]
    fn narrow([a, b, c, d, ..]: [f32; 8]) -> [u32; 4] {
        [a, b, c, d].map(canonical)
    }
}

macro_rules! halves {
    ($($ty:ident $range:literal: |$code:ident| $widen:expr, |$value:ident| $narrow:expr;)*) => {
        $(impl Wide for $ty {
            const LANES: usize = 8;
            const WIDE_RANGE: bool = $range;

            #[inline(always)]
            fn widen([a, b, c, d]: [u32; 4]) -> [f32; 8] {
                [a, a >> 16, b, b >> 16, c, c >> 16, d, d >> 16].map(|$code| $widen)
            }

            #[inline(always)]
            fn magnitudes(pack: [u32; 4]) -> [u32; 4] {
                pack.map(|word| word & 0x7FFF_7FFF)
            }

            #[inline(always)]
            fn largest(pack: [u32; 4]) -> u32 {
                let [a, b, c, d] = Self::magnitudes(pack);
                let high = a.max(b).max(c).max(d) >> 16;
                let [a, b, c, d] = pack.map(|word| word & 0x7FFF);
                let $code = a.max(b).max(c).max(d).max(high);
                $widen.to_bits()
            }

            #[inline(always)]
            fn signs([a, b, c, d]: [u32; 4]) -> [u32; 2] {
                [bytes::<0x7531>(a, b), bytes::<0x7531>(c, d)]
            }

            #[inline(always)]
            unsafe fn one(from: *const Self) -> f32 {
                // SAFETY: the caller's.
                let $code = u32::from(unsafe { *from.cast::<u16>() });
                $widen
            }

            #[inline(always)]
            fn narrow(values: [f32; 8]) -> [u32; 4] {
                let [a, b, c, d, e, f, g, h] = values.map(|$value| $narrow);
                [a | b << 16, c | d << 16, e | f << 16, g | h << 16]
            }
        })*
    };
}

halves! {
    f16 false: |code| from_half(code), |value| {
        if value.to_bits() << 1 > 0xFF00_0000 { 0x7E00 } else { to_half(value) }
    };
    bf16 true: |code| f32::from_bits(code << 16), |value| {
        let bits = canonical(value);
        // A NaN stays one, and infinity is what the largest numbers round to.
        (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    };
}
