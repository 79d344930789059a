//! The five exceptions of IEEE 754 as a value.

use core::ops::{BitOr, BitOrAssign};

/// The set of exceptions that an operation raised (IEEE 754-2019 clause 7).
///
/// The bits are those of Berkeley TestFloat: `0x10` invalid, `0x08` divide by zero, `0x04`
/// overflow, `0x02` underflow, `0x01` inexact.
///
/// Underflow is raised when the result is inexact *and* tiny, where tininess is detected on the
/// value rounded to the format's precision with an unbounded exponent ("after rounding").
///
/// ```
/// use bitexact::Status;
/// let both = Status::OVERFLOW | Status::INEXACT;
/// assert!(both.contains(Status::INEXACT));
/// assert_eq!(both.bits(), 0x05);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u8", into = "u8"))]
pub struct Status(u8);

impl Status {
    /// No exception.
    pub const NONE: Self = Self(0x00);
    /// The delivered result differs from the exact one.
    pub const INEXACT: Self = Self(0x01);
    /// The result is inexact and tiny.
    pub const UNDERFLOW: Self = Self(0x02);
    /// The rounded result, had the exponent been unbounded, exceeds the largest finite value.
    pub const OVERFLOW: Self = Self(0x04);
    /// An exact infinite result from finite operands.
    pub const DIVIDE_BY_ZERO: Self = Self(0x08);
    /// No usefully definable result: a signalling operand, or an operation like 0 times infinity.
    pub const INVALID: Self = Self(0x10);

    /// The exceptions as TestFloat's bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with TestFloat's bits; the upper three are ignored.
    pub const fn from_bits_truncate(bits: u8) -> Self {
        Self(bits & 0x1F)
    }

    /// Every exception of either.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every exception of `other` is here.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no exception was raised.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// `self` where `condition` holds, [`Status::NONE`] elsewhere.
    pub(crate) const fn when(self, condition: bool) -> Self {
        if condition { self } else { Self::NONE }
    }
}

impl From<u8> for Status {
    /// [`Status::from_bits_truncate`].
    fn from(bits: u8) -> Self {
        Self::from_bits_truncate(bits)
    }
}

impl From<Status> for u8 {
    fn from(status: Status) -> Self {
        status.bits()
    }
}

impl BitOr for Status {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for Status {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

impl core::fmt::Debug for Status {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        const NAMES: [(Status, &str); 5] = [
            (Status::INVALID, "INVALID"),
            (Status::DIVIDE_BY_ZERO, "DIVIDE_BY_ZERO"),
            (Status::OVERFLOW, "OVERFLOW"),
            (Status::UNDERFLOW, "UNDERFLOW"),
            (Status::INEXACT, "INEXACT"),
        ];
        f.write_str("Status(")?;
        let mut separator = "";
        for (flag, name) in NAMES {
            if self.contains(flag) {
                f.write_str(separator)?;
                f.write_str(name)?;
                separator = " | ";
            }
        }
        f.write_str(")")
    }
}
