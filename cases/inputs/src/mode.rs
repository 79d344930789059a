//! The sweep's own types for roundings, so that the oracles do not depend on the kernels' types.

/// The direction of a rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    TiesToEven,
    TiesToAway,
    TowardZero,
    TowardPositive,
    TowardNegative,
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

    /// Its name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TiesToEven => "ties-to-even",
            Self::TiesToAway => "ties-to-away",
            Self::TowardZero => "toward-zero",
            Self::TowardPositive => "toward-positive",
            Self::TowardNegative => "toward-negative",
            Self::ToOdd => "to-odd",
        }
    }
}

/// The result for a value beyond the largest finite number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Overflow {
    /// As in IEEE 754 for the rounding.
    Ieee,
    /// The largest finite number; an infinite operand still gives infinity.
    SaturateFinite,
    /// The largest finite number, also for an infinite operand.
    SaturateAll,
}

impl Overflow {
    /// All three, in declaration order.
    pub const ALL: [Self; 3] = [Self::Ieee, Self::SaturateFinite, Self::SaturateAll];

    /// Its name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ieee => "ieee",
            Self::SaturateFinite => "saturate-finite",
            Self::SaturateAll => "saturate-all",
        }
    }
}
