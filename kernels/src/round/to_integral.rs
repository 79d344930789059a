//! Rounding to an integral value: in the same format, as an integer type, or as an MXINT8 element.

use super::Status;
use super::direction::Direction;
use super::exact::{Exact, Kind};
use super::integer::{Integer, limit};
use super::to_format::shift_right_jam;
use crate::format::mx_int8::MxInt8;

macro_rules! impl_to_integral {
    ($w:ty, $rounds_up:ident) => {
        impl Exact<$w> {
            /// A finite magnitude below 2^BITS rounded to an integer, and whether that changed
            /// it.
            #[inline]
            const fn to_integer(self, direction: Direction) -> ($w, bool) {
                let significand = self.significand();
                let exponent = self.exponent();
                let (truncated, rest) = if exponent >= 0 {
                    let whole = significand >> (<$w>::BITS - 1 - exponent as u32);
                    // All bits are integer bits where the exponent is BITS - 1.
                    let rest = if exponent as u32 == <$w>::BITS - 1 {
                        0
                    } else {
                        significand << (exponent as u32 + 1)
                    };
                    (whole, rest)
                } else {
                    (0, shift_right_jam!(significand, (-1 - exponent) as u32, $w))
                };
                let up = direction.$rounds_up(self.sign(), truncated & 1 != 0, rest);
                (truncated + up as $w, rest != 0)
            }

            /// Rounds to an integer type of at most this width. Out of its range it gives the
            /// nearer limit and raises invalid alone; for NaN it gives the upper limit.
            #[inline]
            pub(crate) const fn to_int_here<I: Integer>(
                self,
                direction: Direction,
            ) -> (u64, Status) {
                let sign = self.sign();
                let (magnitude, inexact) = match self.kind() {
                    Kind::Zero => return (0, Status::NONE),
                    Kind::Nan => return (I::MAX, Status::INVALID),
                    Kind::Finite if self.exponent() < <$w>::BITS as i32 => {
                        self.to_integer(direction)
                    }
                    _ => return (limit::<I>(sign), Status::INVALID),
                };
                if magnitude as u64 > limit::<I>(sign) {
                    return (limit::<I>(sign), Status::INVALID);
                }
                let value = if sign {
                    (magnitude as u64).wrapping_neg()
                } else {
                    magnitude as u64
                };
                (value & I::MASK, Status::INEXACT.when(inexact))
            }
        }
    };
}

impl_to_integral!(u32, rounds_up_u32);
impl_to_integral!(u64, rounds_up_u64);

impl Exact<u32> {
    /// Rounds to an integral value of the same sign, zero included.
    #[inline]
    pub(crate) const fn to_integral(self, direction: Direction) -> (Self, Status) {
        if !self.is_finite_nonzero() || self.exponent() >= u32::BITS as i32 - 1 {
            return (self, Status::NONE);
        }
        let (magnitude, inexact) = self.to_integer(direction);
        (
            Self::from_integer(self.sign(), magnitude, 0),
            Status::INEXACT.when(inexact),
        )
    }

    /// Rounds to a multiple of 2^-6 from -`least` / 64 to 127 / 64, and values beyond to the nearer
    /// end; `scale::mxint8_encode` documents both.
    #[inline]
    pub(crate) const fn to_mxint8(self, least: u32, direction: Direction) -> (MxInt8, Status) {
        let sign = self.sign();
        let limit = if sign { least } else { 127 };
        let clamped = (limit, Status::OVERFLOW.union(Status::INEXACT));
        let (magnitude, status) = match self.kind() {
            Kind::Zero => return (MxInt8::from_bits(0), Status::NONE),
            Kind::Nan => return (MxInt8::MAX, Status::INVALID),
            // Times 2^6 the magnitude is below 2^8, so 24 bits are left for the fraction.
            Kind::Finite if self.exponent() < 2 => {
                let (magnitude, inexact) = self.scale(6).to_integer(direction);
                if magnitude <= limit {
                    (magnitude, Status::INEXACT.when(inexact))
                } else {
                    clamped
                }
            }
            _ => clamped,
        };
        let n = magnitude as u8;
        (
            MxInt8::from_bits(if sign { n.wrapping_neg() } else { n }),
            status,
        )
    }

    /// Rounds to an integer type; see `to_int_here`.
    #[inline]
    pub(crate) const fn to_int<I: Integer>(self, direction: Direction) -> (u64, Status) {
        if I::BITS < 32 {
            self.to_int_here::<I>(direction)
        } else {
            self.widen().to_int::<I>(direction)
        }
    }
}

impl Exact<u64> {
    /// Rounds to an integer type; see `to_int_here`.
    #[inline]
    pub(crate) const fn to_int<I: Integer>(self, direction: Direction) -> (u64, Status) {
        self.to_int_here::<I>(direction)
    }
}
