//! The exact intermediate between a core and its one rounding.

use super::Status;
use crate::format::{Format, Specials};
use core::cmp::Ordering;

/// An exact result, or a value that lies on the same side of every rounding boundary.
///
/// A finite one is `significand * 2^(exponent - (W::BITS - 1))`, with its significand's top bit
/// set. Where a core discarded bits, the lowest bit is set instead of them (a "sticky bit"). No
/// rounding boundary (a representable value, a midpoint or a multiple of 2^-16 ulp) has that bit
/// set, so the value stays strictly on its side of all of them.
///
/// Two words, so that it returns in registers. `tag` holds the sign (bit 0) and above it the
/// exponent. A special has an exponent that no finite value has: `SPECIAL`, its kind (bits 1 and 2)
/// and a flag that qualifies the kind (bit 3). So one comparison of the exponent with the ends of a
/// range excludes the specials too.
#[derive(Clone, Copy)]
pub(crate) struct Exact<W> {
    significand: W,
    tag: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Finite,
    Zero,
    Infinite,
    Nan,
}

const SIGN: i32 = 1;
const KIND_SHIFT: u32 = 1;
const MARK: i32 = 1 << 3;
const SPECIAL: i32 = 1 << 28;
const EXPONENT_SHIFT: u32 = 1;

/// The tag of a special.
const fn tag(kind: Kind, sign: bool, mark: bool) -> i32 {
    SPECIAL | ((kind as i32) << KIND_SHIFT) | sign as i32 | if mark { MARK } else { 0 }
}

impl<W: Copy> Exact<W> {
    #[inline]
    pub(crate) const fn kind(self) -> Kind {
        if self.is_finite_nonzero() {
            return Kind::Finite;
        }
        match (self.tag >> KIND_SHIFT) & 3 {
            1 => Kind::Zero,
            2 => Kind::Infinite,
            _ => Kind::Nan,
        }
    }

    #[inline]
    pub(crate) const fn is_finite_nonzero(self) -> bool {
        self.tag < SPECIAL
    }

    #[inline]
    pub(crate) const fn sign(self) -> bool {
        self.tag & SIGN != 0
    }

    /// floor(log2 of the magnitude) of a finite non-zero value.
    #[inline]
    pub(crate) const fn exponent(self) -> i32 {
        self.tag >> EXPONENT_SHIFT
    }

    /// Whether the value is finite, not zero, and its exponent within `least..=most`.
    #[inline]
    pub(crate) const fn is_between(self, least: i32, most: i32) -> bool {
        self.exponent().wrapping_sub(least) as u32 <= (most - least) as u32
    }

    #[inline]
    pub(crate) const fn significand(self) -> W {
        self.significand
    }

    /// The flag of bit 3: the mode gives the zero's sign, the infinity comes from a division by
    /// zero, the NaN raises invalid.
    #[inline]
    pub(crate) const fn payload_flag(self) -> bool {
        self.tag & MARK != 0
    }

    /// Zero, finite non-zero or infinite, in order of magnitude.
    #[inline]
    const fn rank(self) -> i32 {
        match self.kind() {
            Kind::Zero => 0,
            Kind::Finite => 1,
            _ => 2,
        }
    }

    /// The exceptions that the special itself raises, before any rounding.
    #[inline]
    pub(crate) const fn special_status(self) -> Status {
        match self.kind() {
            Kind::Nan => Status::INVALID.when(self.payload_flag()),
            Kind::Infinite => Status::DIVIDE_BY_ZERO.when(self.payload_flag()),
            _ => Status::NONE,
        }
    }

    #[inline]
    pub(crate) const fn negate_if(self, condition: bool) -> Self {
        Self {
            significand: self.significand,
            tag: self.tag ^ condition as i32,
        }
    }

    /// The value times `2^amount`; it is finite and not zero.
    #[inline]
    pub(crate) const fn scale(self, amount: i32) -> Self {
        Self {
            significand: self.significand,
            tag: self.tag + (amount << EXPONENT_SHIFT),
        }
    }
}

macro_rules! impl_exact {
    ($w:ty) => {
        impl Exact<$w> {
            pub(crate) const TOP: $w = 1 << (<$w>::BITS - 1);

            /// A NaN result; `invalid` says whether it raises invalid.
            #[inline]
            pub(crate) const fn nan(invalid: bool) -> Self {
                Self {
                    significand: 0,
                    tag: tag(Kind::Nan, false, invalid),
                }
            }

            #[inline]
            pub(crate) const fn infinity(sign: bool) -> Self {
                Self {
                    significand: 0,
                    tag: tag(Kind::Infinite, sign, false),
                }
            }

            /// The exact infinite result of finite operands.
            #[inline]
            pub(crate) const fn pole(sign: bool) -> Self {
                Self {
                    significand: 0,
                    tag: tag(Kind::Infinite, sign, true),
                }
            }

            #[inline]
            pub(crate) const fn zero(sign: bool) -> Self {
                Self {
                    significand: 0,
                    tag: tag(Kind::Zero, sign, false),
                }
            }

            /// The exact zero sum of opposite values: -0 towards negative, otherwise +0.
            #[inline]
            pub(crate) const fn zero_by_mode() -> Self {
                Self {
                    significand: 0,
                    tag: tag(Kind::Zero, false, true),
                }
            }

            /// A finite value whose significand is normalised already.
            #[inline]
            pub(crate) const fn normalised(sign: bool, exponent: i32, significand: $w) -> Self {
                debug_assert!(significand & Self::TOP != 0);
                Self {
                    significand,
                    tag: (exponent << EXPONENT_SHIFT) | sign as i32,
                }
            }

            /// Whether the value is less than another. Neither is NaN; the two zeros are equal.
            #[inline]
            pub(crate) const fn is_less_than(self, other: Self) -> bool {
                match (
                    self.sign() && self.rank() > 0,
                    other.sign() && other.rank() > 0,
                ) {
                    (true, false) => true,
                    (false, true) => false,
                    (false, false) => self.is_smaller_than(other),
                    (true, true) => other.is_smaller_than(self),
                }
            }

            /// Whether the value is 1.
            #[inline]
            pub(crate) const fn is_one(self) -> bool {
                !self.sign() && self.exponent() == 0 && self.significand == Self::TOP
            }

            /// The order of two values; none where one is NaN. The two zeros are equal.
            #[inline]
            pub(crate) const fn order(self, other: Self) -> Option<Ordering> {
                if matches!(self.kind(), Kind::Nan) || matches!(other.kind(), Kind::Nan) {
                    None
                } else if self.is_less_than(other) {
                    Some(Ordering::Less)
                } else if other.is_less_than(self) {
                    Some(Ordering::Greater)
                } else {
                    Some(Ordering::Equal)
                }
            }

            /// The same for the magnitudes.
            #[inline]
            const fn is_smaller_than(self, other: Self) -> bool {
                if self.rank() != other.rank() {
                    self.rank() < other.rank()
                } else if self.rank() != 1 {
                    false
                } else if self.exponent() != other.exponent() {
                    self.exponent() < other.exponent()
                } else {
                    self.significand < other.significand
                }
            }

            /// `magnitude * 2^unit`, normalised; a zero of that sign where the magnitude is 0.
            #[inline]
            pub(crate) const fn from_integer(sign: bool, magnitude: $w, unit: i32) -> Self {
                if magnitude == 0 {
                    return Self::zero(sign);
                }
                let zeros = magnitude.leading_zeros();
                let exponent = unit + (<$w>::BITS - 1 - zeros) as i32;
                Self::normalised(sign, exponent, magnitude << zeros)
            }

            /// The value of a code of a format of at most this width. A signalling NaN is marked
            /// invalid.
            #[inline]
            pub(crate) const fn decode<F: Format>(bits: $w) -> Self {
                let magnitude = bits & (F::SIGN - 1) as $w;
                let least = 1 << (F::PRECISION - 1);
                if magnitude.wrapping_sub(least) > F::MAX_FINITE as $w - least {
                    return Self::decode_rare::<F>(bits);
                }
                let exponent = (magnitude >> (F::PRECISION - 1)) as i32 - F::BIAS;
                let significand = (magnitude << (<$w>::BITS - F::PRECISION)) | Self::TOP;
                let sign = (bits >> (F::BITS - 1)) & 1 != 0;
                Self::normalised(sign, exponent, significand)
            }

            /// The value of a code that is not a normal number's. Out of line, because this is
            /// rare.
            #[cold]
            #[inline(never)]
            const fn decode_rare<F: Format>(bits: $w) -> Self {
                let sign = bits & F::SIGN as $w != 0;
                let magnitude = bits & (F::SIGN - 1) as $w;
                if magnitude > F::MAX_FINITE as $w {
                    return match F::SPECIALS {
                        Specials::Ieee if magnitude == F::MAX_FINITE as $w + 1 => {
                            Self::infinity(sign)
                        }
                        Specials::Ieee => Self::nan(magnitude & (1 << (F::PRECISION - 2)) == 0),
                        _ => Self::nan(false),
                    };
                }
                if magnitude == 0 && sign && !F::NEGATIVE_ZERO {
                    return Self::nan(false);
                }
                Self::from_integer(sign, magnitude, F::EMIN + 1 - F::PRECISION as i32)
            }
        }
    };
}

impl_exact!(u32);
impl_exact!(u64);

impl Exact<u32> {
    /// The value of a code, if it is a normal number with an exponent from `least` to `most`, and
    /// positive unless `negative` ones count too.
    ///
    /// One comparison of the code decides it, and no special takes part in the computation that
    /// follows.
    #[inline(always)]
    pub(crate) const fn decode_between<F: Format>(
        bits: u32,
        negative: bool,
        least: i32,
        most: i32,
    ) -> Option<Self> {
        let (sign, magnitude) = if negative {
            (
                (bits >> (F::BITS - 1)) & 1 != 0,
                bits & (F::SIGN - 1) as u32,
            )
        } else {
            (false, bits)
        };
        let least = if least > F::EMIN { least } else { F::EMIN };
        let first = ((least + F::BIAS) as u32) << (F::PRECISION - 1);
        let last = if most < F::EMAX {
            (((most + 1 + F::BIAS) as u32) << (F::PRECISION - 1)) - 1
        } else {
            F::MAX_FINITE as u32
        };
        if magnitude.wrapping_sub(first) > last - first {
            return None;
        }
        let exponent = (magnitude >> (F::PRECISION - 1)) as i32 - F::BIAS;
        let significand = (magnitude << (u32::BITS - F::PRECISION)) | Self::TOP;
        Some(Self::normalised(sign, exponent, significand))
    }

    /// The same value in a significand with 32 more bits.
    #[inline]
    pub(crate) const fn widen(self) -> Exact<u64> {
        Exact {
            significand: (self.significand as u64) << 32,
            tag: self.tag,
        }
    }
}

impl Exact<u64> {
    /// The same value with the upper 32 bits of the significand; the others go into the sticky bit.
    #[inline]
    pub(crate) const fn narrow(self) -> Exact<u32> {
        let upper = (self.significand >> 32) as u32;
        Exact {
            significand: upper | (self.significand as u32 != 0) as u32,
            tag: self.tag,
        }
    }
}
