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
}
