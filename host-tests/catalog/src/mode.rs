//! Conversion of the sweep's roundings and overflow rules to the kernels' types, and back.

use bitexact::{Mode, Overflow, Rounding};
use sweep_row::RoundingArg;

macro_rules! both_ways {
    ($name:ident, $named:ident: $type:ident { $($variant:ident)* }) => {
        /// The kernels' type.
        #[must_use]
        pub const fn $name(named: sweep_inputs::$type) -> $type {
            match named {
                $(sweep_inputs::$type::$variant => $type::$variant,)*
            }
        }

        /// The sweep's type.
        #[must_use]
        pub const fn $named(of: $type) -> sweep_inputs::$type {
            match of {
                $($type::$variant => sweep_inputs::$type::$variant,)*
            }
        }
    };
}

both_ways! {
    rounding, named_rounding:
    Rounding { TiesToEven TiesToAway TowardZero TowardPositive TowardNegative ToOdd }
}
both_ways! { overflow, named_overflow: Overflow { Ieee SaturateFinite SaturateAll } }

/// The kernels' mode.
#[must_use]
pub const fn of(fixed: sweep_inputs::Rounding, beyond: sweep_inputs::Overflow) -> Mode {
    Mode::new(rounding(fixed), overflow(beyond))
}

/// A kernel's mode in the oracles' types.
#[must_use]
pub const fn named(mode: Mode) -> (RoundingArg, sweep_inputs::Overflow) {
    let rounding = RoundingArg::Fixed(named_rounding(mode.rounding));
    (rounding, named_overflow(mode.overflow))
}
