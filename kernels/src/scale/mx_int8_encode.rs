//! Number to MXINT8 element.
//!
//! The operand times 2^6 is rounded once to an integer, and clamped to the range.

use super::MxInt8;
use crate::format::Format;
use crate::round::{Exact, Rule};
use crate::{Mode, Overflow, Status};

/// The largest magnitude on the negative side: full range, or symmetric.
pub(super) const FULL: u32 = 128;
pub(super) const SYMMETRIC: u32 = 127;

const fn round<F: Format>(x: u64, least: u32, rule: Rule) -> (MxInt8, Status) {
    let value = if F::BITS > 32 {
        Exact::<u64>::decode::<F>(x).narrow()
    } else {
        Exact::<u32>::decode::<F>(x as u32)
    };
    value.to_mxint8(least, rule.direction)
}

macro_rules! encode {
    (
        $(#[$doc:meta])*
        $name:ident, $status:ident, $stochastic:ident, $stochastic_status:ident, $bits:ident,
        $stochastic_bits:ident; $least:ident
    ) => {
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name<F: Format>(x: F, mode: Mode) -> MxInt8 {
            round::<F>(x.to_bits(), $least, mode.rule()).0
        }

        #[doc = concat!("[`", stringify!($name), "`] with its status.")]
        #[inline]
        pub fn $status<F: Format>(x: F, mode: Mode) -> (MxInt8, Status) {
            round::<F>(x.to_bits(), $least, mode.rule())
        }

        #[doc = concat!(
            "[`", stringify!($name), "`] with stochastic rounding by 16 random bits, on the \
             integers as the grid: see [`round`](crate::round#stochastic-rounding)."
        )]
        #[inline]
        #[must_use]
        pub fn $stochastic<F: Format>(x: F, random: u16, overflow: Overflow) -> MxInt8 {
            $stochastic_status(x, random, overflow).0
        }

        #[doc = concat!("[`", stringify!($stochastic), "`] with its status.")]
        #[inline]
        pub fn $stochastic_status<F: Format>(
            x: F,
            random: u16,
            overflow: Overflow,
        ) -> (MxInt8, Status) {
            round::<F>(x.to_bits(), $least, Rule::stochastic(random, overflow))
        }

        #[doc = concat!("[`", stringify!($status), "`] on the code of an `F`, in constant code too.")]
        #[inline]
        pub const fn $bits<F: Format>(x: u64, mode: Mode) -> (MxInt8, Status) {
            round::<F>(x, $least, mode.rule())
        }

        #[doc = concat!(
            "[`", stringify!($stochastic_status), "`] on the code of an `F`, in constant code too."
        )]
        #[inline]
        pub const fn $stochastic_bits<F: Format>(
            x: u64,
            random: u16,
            overflow: Overflow,
        ) -> (MxInt8, Status) {
            round::<F>(x, $least, Rule::stochastic(random, overflow))
        }
    };
}

encode! {
    /// `x` as an MXINT8 element, rounded once to a multiple of 2^-6; the whole range, -2 included.
    ///
    /// | operand | result | raises |
    /// |---|---|---|
    /// | rounds to a multiple of 2^-6 from -2 to 127/64 | that one | inexact where it differs from `x` |
    /// | rounds to a greater one, or +infinity | 127/64 | overflow and inexact |
    /// | rounds to a lesser one, or -infinity | -2 | overflow and inexact |
    /// | zero of either sign | 0 | nothing |
    /// | NaN | 127/64 | invalid |
    ///
    /// There is no infinity to overflow to, so the overflow rule of the mode makes no difference.
    /// Underflow is never raised, since the format is fixed-point. Rounding to odd and stochastic
    /// rounding work on the multiples of 2^-6.
    ///
    /// ```
    /// use bitexact::{Mode, scale};
    /// let code = |x: f32| scale::mxint8_encode(x, Mode::TIES_TO_EVEN).to_bits();
    /// assert_eq!([code(1.0), code(-2.0), code(5.0), code(-0.01)], [0x40, 0x80, 0x7F, 0xFF]);
    /// ```
    mxint8_encode, mxint8_encode_status, mxint8_encode_stochastic,
    mxint8_encode_stochastic_status, mxint8_encode_bits, mxint8_encode_stochastic_bits; FULL
}
encode! {
    /// As [`mxint8_encode`](super::mxint8_encode), but with -127/64 as the least element, so that
    /// the range is symmetric and `0x80` is never returned.
    ///
    /// ```
    /// use bitexact::{Mode, scale};
    /// assert_eq!(scale::mxint8_encode_symmetric(-2.0f32, Mode::TIES_TO_EVEN).to_bits(), 0x81);
    /// ```
    mxint8_encode_symmetric, mxint8_encode_symmetric_status, mxint8_encode_symmetric_stochastic,
    mxint8_encode_symmetric_stochastic_status, mxint8_encode_symmetric_bits,
    mxint8_encode_symmetric_stochastic_bits; SYMMETRIC
}
