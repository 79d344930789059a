//! What the caller names: the rounding direction and the overflow rule.

/// A rounding-direction attribute: which of the two representable neighbours of an inexact
/// value is delivered.
///
/// The first five are those of IEEE 754-2019 clause 4.3; `ToOdd` is von Neumann rounding with
/// a sticky bit, as in RISC-V, Berkeley SoftFloat and RLIBM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Rounding {
    /// roundTiesToEven: the nearer neighbour; at a tie the one with an even last bit.
    TiesToEven,
    /// roundTiesToAway: the nearer neighbour; at a tie the one larger in magnitude.
    TiesToAway,
    /// roundTowardZero: the neighbour smaller in magnitude.
    TowardZero,
    /// roundTowardPositive: the greater neighbour.
    TowardPositive,
    /// roundTowardNegative: the lesser neighbour.
    TowardNegative,
    /// The neighbour whose last bit is 1. Rounding the result again, to a format with at least two
    /// bits fewer, gives what a single rounding would give.
    ToOdd,
}

impl Rounding {
    /// All six, in declaration order.
    pub const ALL: [Self; 6] = [
        Self::TiesToEven,
        Self::TiesToAway,
        Self::TowardZero,
        Self::TowardPositive,
        Self::TowardNegative,
        Self::ToOdd,
    ];
}

/// What happens to a result that exceeds the largest finite value after rounding.
///
/// Whatever the rule, such a result raises overflow and inexact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Overflow {
    /// As in IEEE 754-2019 clause 7.4: infinity for the two roundings to nearest, the largest
    /// finite value for `TowardZero` and `ToOdd`, and one or the other by sign for the two directed
    /// ones. A format without infinity gives its NaN instead, and one without NaN too its largest
    /// finite value.
    Ieee,
    /// The largest finite value of the result's sign. An infinite operand still gives infinity.
    SaturateFinite,
    /// As `SaturateFinite`, and an exact infinity (from an infinite operand or a division by
    /// zero) gives the largest finite value too. From an infinite operand this raises overflow
    /// and inexact; a division by zero raises its own flag as well.
    SaturateAll,
}

impl Overflow {
    /// All three, in declaration order.
    pub const ALL: [Self; 3] = [Self::Ieee, Self::SaturateFinite, Self::SaturateAll];
}

/// A rounding direction and an overflow rule: the mode argument of every rounding kernel.
///
/// ```
/// use bitexact::{Mode, Overflow, Rounding};
/// const CLAMPED: Mode = Mode::TIES_TO_EVEN.saturating();
/// assert_eq!(CLAMPED, Mode::new(Rounding::TiesToEven, Overflow::SaturateFinite));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mode {
    /// The rounding direction.
    pub rounding: Rounding,
    /// The overflow rule.
    pub overflow: Overflow,
}

impl Mode {
    /// `Rounding::TiesToEven` with IEEE overflow.
    pub const TIES_TO_EVEN: Self = Self::ieee(Rounding::TiesToEven);
    /// `Rounding::TiesToAway` with IEEE overflow.
    pub const TIES_TO_AWAY: Self = Self::ieee(Rounding::TiesToAway);
    /// `Rounding::TowardZero` with IEEE overflow.
    pub const TOWARD_ZERO: Self = Self::ieee(Rounding::TowardZero);
    /// `Rounding::TowardPositive` with IEEE overflow.
    pub const TOWARD_POSITIVE: Self = Self::ieee(Rounding::TowardPositive);
    /// `Rounding::TowardNegative` with IEEE overflow.
    pub const TOWARD_NEGATIVE: Self = Self::ieee(Rounding::TowardNegative);
    /// `Rounding::ToOdd` with IEEE overflow.
    pub const TO_ODD: Self = Self::ieee(Rounding::ToOdd);

    /// A mode from its two parts.
    #[must_use]
    pub const fn new(rounding: Rounding, overflow: Overflow) -> Self {
        Self { rounding, overflow }
    }

    /// `rounding` with IEEE overflow.
    #[must_use]
    pub const fn ieee(rounding: Rounding) -> Self {
        Self::new(rounding, Overflow::Ieee)
    }

    /// The same rounding with [`Overflow::SaturateFinite`].
    #[must_use]
    pub const fn saturating(self) -> Self {
        Self::new(self.rounding, Overflow::SaturateFinite)
    }

    /// The same rounding with [`Overflow::SaturateAll`].
    #[must_use]
    pub const fn saturating_all(self) -> Self {
        Self::new(self.rounding, Overflow::SaturateAll)
    }
}
