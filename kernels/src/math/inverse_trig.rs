//! Arcs: a number of eighths of a turn, plus or minus a value that a polynomial gives.
//!
//! Arc sine: up to 1/2 the polynomial; above, `asin x = pi/2 - 2 asin(sqrt((1 - x) / 2))`, where
//! `(1 - x) / 2`, whose root the polynomial takes, is exact. Arc tangent: see `atan_ratio.rs`.

use crate::fixed::{
    arcsine, normalised_product, normalised_product_long, square, square_root_short,
};
use crate::round::Exact;

/// The angle from which an arc is counted: zero, or this many eighths of a turn.
#[derive(Clone, Copy)]
pub(super) enum From {
    Zero,
    Eighth,
    Quarter,
    ThreeEighths,
    Half,
}

/// `from` plus or minus `significand * 2^(exponent - (W::BITS - 1))` radians; the significand is 0
/// or normalised.
#[derive(Clone, Copy)]
pub(super) struct Arc<W> {
    from: From,
    minus: bool,
    significand: W,
    exponent: i32,
}

/// The first bits of pi, of 3 pi and of 1/pi.
const PI: u64 = 0xC90F_DAA2_2168_C234;
const THREE_PI: u64 = 0x96CB_E3F9_990E_91A7;
const PER_PI: u64 = 0xA2F9_836E_4E44_1529;
const PER_PI_EXPONENT: i32 = -2;

/// A value with an exponent below this one, added to an eighth of a turn, crosses no rounding
/// boundary.
const BESIDE: i32 = -16;

macro_rules! impl_arc {
    ($w:ty, $product:ident) => {
        impl Arc<$w> {
            /// An eighth, a quarter, three eighths or a half of a turn.
            #[inline]
            pub(super) const fn exactly(from: From) -> Self {
                Self::new(from, false, (0, 0))
            }

            #[inline]
            pub(super) const fn new(
                from: From,
                minus: bool,
                (significand, exponent): ($w, i32),
            ) -> Self {
                Self {
                    from,
                    minus,
                    significand,
                    exponent,
                }
            }

            /// The leading bits of a constant.
            const fn digits(of: u64) -> $w {
                (of >> (64 - <$w>::BITS)) as $w
            }

            /// The value, below 1, in `2^-(unit + W::BITS)`, truncated.
            #[inline]
            const fn value_in(self, unit: i32) -> $w {
                let shift = -1 - unit - self.exponent;
                if shift < <$w>::BITS as i32 {
                    self.significand >> shift
                } else {
                    0
                }
            }

            /// `whole * 2^-(unit + W::BITS)` minus the value, or `half * 2^-(unit - 1 + W::BITS)`
            /// plus the value: truncated, except for bits that the constants lack. Not exact.
            #[inline]
            const fn sum(self, sign: bool, whole: $w, half: $w, unit: i32) -> Exact<$w> {
                let (magnitude, unit) = if self.minus {
                    let value = self.value_in(unit);
                    (whole.wrapping_sub(value).wrapping_sub(1), unit)
                } else {
                    let value = self.value_in(unit - 1);
                    (half.wrapping_add(value), unit - 1)
                };
                Exact::<$w>::from_integer(sign, magnitude | 1, -unit - <$w>::BITS as i32)
            }

            /// In radians: never exact.
            #[inline]
            pub(super) const fn radians(self, sign: bool) -> Exact<$w> {
                let pi = Self::digits(PI);
                match self.from {
                    From::Zero => {
                        Exact::<$w>::normalised(sign, self.exponent, self.significand | 1)
                    }
                    From::Eighth => self.sum(sign, pi, pi >> 1, 0),
                    From::Quarter => self.sum(sign, pi, pi >> 1, -1),
                    // Between 1.9 and 2.8 on either side.
                    From::ThreeEighths => {
                        let unit = if self.minus { -2 } else { -1 };
                        let three = Self::digits(THREE_PI);
                        self.sum(sign, three, three, unit)
                    }
                    From::Half => self.sum(sign, pi, pi >> 1, -2),
                }
            }

            /// In half turns: exact where there is nothing to add.
            #[inline]
            pub(super) const fn half_turns(self, sign: bool) -> Exact<$w> {
                const TOP: $w = 1 << (<$w>::BITS - 1);
                if self.significand == 0 {
                    let (exponent, significand) = match self.from {
                        From::Zero => return Exact::<$w>::zero(sign),
                        From::Eighth => (-2, TOP),
                        From::Quarter => (-1, TOP),
                        From::ThreeEighths => (-1, TOP | (TOP >> 1)),
                        From::Half => (0, TOP),
                    };
                    return Exact::<$w>::normalised(sign, exponent, significand);
                }
                let (significand, carries) = $product(self.significand, Self::digits(PER_PI));
                let scaled = Self {
                    significand,
                    exponent: self.exponent + PER_PI_EXPONENT + carries as i32,
                    ..self
                };
                // A whole of 1 does not fit in the word and reads as 0, but the difference is
                // correct.
                match self.from {
                    From::Zero => scaled.radians(sign),
                    From::Eighth => scaled.sum(sign, 0, TOP, 2),
                    From::Quarter => scaled.sum(sign, 0, TOP, 1),
                    From::ThreeEighths => {
                        let unit = if self.minus { 0 } else { 1 };
                        scaled.sum(sign, TOP | (TOP >> 1), TOP | (TOP >> 1), unit)
                    }
                    From::Half => scaled.sum(sign, 0, TOP, 0),
                }
            }
        }
    };
}

impl_arc!(u32, normalised_product);
impl_arc!(u64, normalised_product_long);

impl Arc<u32> {
    /// Whether the arc is a number of eighths of a turn, or next to it.
    #[inline]
    pub(super) const fn is_whole_or_near(self) -> bool {
        self.significand == 0 || (!matches!(self.from, From::Zero) && self.exponent < BESIDE)
    }

    /// The arc sine of a non-zero magnitude of at most 1.
    #[inline]
    pub(super) const fn sine(x: Exact<u32>) -> Self {
        let (significand, exponent) = (x.significand(), x.exponent());
        if exponent < -1 || (exponent == -1 && significand == 1 << 31) {
            let z = square(significand, exponent);
            Self::new(From::Zero, false, arcsine(significand, exponent, z))
        } else if exponent == 0 {
            Self::exactly(From::Quarter)
        } else {
            let (value, exponent) = half_chord(significand);
            Self::new(From::Quarter, true, (value, exponent + 1))
        }
    }

    /// The arc cosine of a non-zero value of a magnitude of at most 1; `None` for 1, whose arc
    /// cosine is zero.
    #[inline]
    pub(super) const fn cosine(x: Exact<u32>) -> Option<Self> {
        let (significand, exponent) = (x.significand(), x.exponent());
        if exponent < -1 || (exponent == -1 && significand == 1 << 31) {
            let z = square(significand, exponent);
            let value = arcsine(significand, exponent, z);
            Some(Self::new(From::Quarter, !x.sign(), value))
        } else if exponent == 0 {
            if x.sign() {
                Some(Self::exactly(From::Half))
            } else {
                None
            }
        } else {
            let (value, exponent) = half_chord(significand);
            let from = if x.sign() { From::Half } else { From::Zero };
            Some(Self::new(from, x.sign(), (value, exponent + 1)))
        }
    }
}

/// `asin(sqrt((1 - x) / 2))` for `x = significand * 2^-32`, above 1/2.
#[inline]
const fn half_chord(significand: u32) -> (u32, i32) {
    // w = (1 - x) / 2 in 2^-33: exact, as is its half.
    let w = significand.wrapping_neg();
    let zeros = w.leading_zeros();
    // The radicand with an even power of two.
    let odd = (zeros + 1) & 1;
    let radicand = (w << zeros) >> 1 << (1 - odd);
    let exponent = 15 - (33 + zeros as i32 - odd as i32) / 2;
    // 16 bits, then a Newton step; less than one unit too large.
    let (root, _) = square_root_short(radicand);
    let step = ((radicand - root * root) << 15) / (root | 1 << 15); // which has 16 bits
    let root = (root << 16) | if step > 0xFFFF { 0xFFFF } else { step };
    arcsine(root, exponent, w >> 1)
}
