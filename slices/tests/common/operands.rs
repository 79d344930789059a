//! Operands of products and sums.
#![allow(dead_code, reason = "not every test uses all of it")]

use super::Draw;
use bitexact_slices::tensor::Operand;

/// Operands of one kind.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any codes, infinities and NaNs among them.
    Any,
    /// Any finite ones: exponents spread beyond every window.
    Finite,
    /// Of a few binades around 1, with both signs: most usual data.
    Usual,
    /// The same, and one in 32 far smaller: outside of windows.
    Spread,
    /// Each element is followed by its negative, or nearly: sums cancel.
    Cancelling,
    Subnormal,
    /// Zeros of both signs.
    Zeros,
    /// Plus for the left operand and minus for the right: all products are -0.
    MinusZeros,
    /// Usual, an infinity or a NaN here and there.
    Specials,
}

pub const KINDS: [Kind; 9] = [
    Kind::Any,
    Kind::Finite,
    Kind::Usual,
    Kind::Spread,
    Kind::Cancelling,
    Kind::Subnormal,
    Kind::Zeros,
    Kind::MinusZeros,
    Kind::Specials,
];

pub fn operand<T: Operand>(draw: &mut Draw, kind: Kind, right: bool, count: usize) -> Vec<T> {
    let mut last = 0;
    let one = (T::BIAS as u64) << (T::PRECISION - 1);
    let negative = |word: u64| if T::NEGATIVE_ZERO { word & T::SIGN } else { 0 };
    let code = |i: usize| {
        let (word, few) = (draw.word(), draw.word());
        let usual = || {
            let binades = (few % 7).min(T::BIAS as u64) << (T::PRECISION - 1);
            (one - binades).max(1) | (word & ((1 << (T::PRECISION - 1)) - 1)) | (word & T::SIGN)
        };
        let code = match kind {
            Kind::Any => draw.element::<T>().code(),
            Kind::Finite => (word & (T::SIGN - 1)).min(T::MAX_FINITE - few % 4) | (word & T::SIGN),
            Kind::Usual => usual(),
            Kind::Spread if few >> 40 & 31 == 0 => {
                let binades = (few >> 20) % 60;
                (usual() & !T::SIGN)
                    .saturating_sub(binades << (T::PRECISION - 1))
                    .max(few & 3)
                    | (word & T::SIGN)
            }
            Kind::Spread => usual(),
            Kind::Cancelling if right => one,
            Kind::Cancelling if i % 2 == 1 => last ^ T::SIGN ^ u64::from(few % 16 == 0),
            Kind::Cancelling => usual(),
            Kind::Subnormal => (word & ((1 << (T::PRECISION - 1)) - 1)) | (few & T::SIGN),
            Kind::Zeros => negative(word),
            Kind::MinusZeros => negative(u64::from(right) * T::SIGN),
            Kind::Specials if few % 97 == 0 => T::MAX_FINITE + (few >> 20) % 3,
            Kind::Specials => usual(),
        };
        last = code;
        T::of_code(code & (T::SIGN | (T::SIGN - 1)))
    };
    (0..count).map(code).collect()
}
