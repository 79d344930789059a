//! The eight minimum and maximum operations of IEEE 754-2019 clause 9.6.
//!
//! They select an operand, but count as computing: a NaN result is the canonical one.

use super::compare::place;
use crate::format::Arithmetic;
use crate::public_api::unrounded;
use crate::round::{Exact, Mode, Status};

/// What distinguishes the eight.
#[derive(Clone, Copy)]
struct Choice {
    /// The greater of the two, not the lesser.
    greater: bool,
    /// By magnitude first.
    by_magnitude: bool,
    /// One NaN counts as a missing operand.
    numbers: bool,
}

const fn select<F: Arithmetic>(x: u64, y: u64, choice: Choice) -> (u64, Status) {
    let (a, b) = (
        Exact::<u32>::decode::<F>(x as u32),
        Exact::<u32>::decode::<F>(y as u32),
    );
    if let Some(invalid) = a.nan_operand(b) {
        return if choice.numbers && a.is_nan() != b.is_nan() {
            (
                if a.is_nan() { y } else { x },
                Status::INVALID.when(invalid),
            )
        } else {
            Exact::<u32>::nan(invalid).to_format::<F>(Mode::TOWARD_ZERO.rule())
        };
    }
    let (x_size, y_size) = (x & (F::SIGN - 1), y & (F::SIGN - 1));
    let x_is_less = if choice.by_magnitude && x_size != y_size {
        x_size < y_size
    } else if place::<F>(x) != place::<F>(y) {
        place::<F>(x) < place::<F>(y)
    } else {
        // The zeros: -0 is the lesser. Equal codes may go either way.
        a.sign()
    };
    (
        if x_is_less != choice.greater { x } else { y },
        Status::NONE,
    )
}

macro_rules! min_max {
    ($(
        $(#[$doc:meta])*
        $name:ident $status:ident $bits:ident $core:ident
        $greater:literal $by_magnitude:literal $numbers:literal;
    )*) => {
        $(
            const fn $core<F: Arithmetic>(x: u64, y: u64) -> (u64, Status) {
                let choice = Choice {
                    greater: $greater,
                    by_magnitude: $by_magnitude,
                    numbers: $numbers,
                };
                select::<F>(x, y, choice)
            }

            unrounded! {
                $(#[$doc])*
                $name, $status, $bits: $core;
                <F: Arithmetic>(x: F, y: F) -> F
            }
        )*
    };
}

min_max! {
    /// The lesser operand; -0 is less than +0; NaN where either is NaN, and invalid where one
    /// signals (IEEE 754-2019 `minimum`).
    ///
    /// ```
    /// use bitexact::{arith::{minimum, minimum_number}, f16};
    /// assert_eq!(minimum(f16::ZERO, f16::NEG_ZERO).to_bits(), 0x8000);
    /// assert_eq!(minimum(f16::ONE, f16::NAN).to_bits(), 0x7E00);
    /// assert_eq!(minimum_number(f16::ONE, f16::NAN), f16::ONE);
    /// ```
    minimum minimum_status minimum_bits least false false false;
    /// The greater operand; +0 is greater than -0; NaN where either is NaN, and invalid where
    /// one signals (IEEE 754-2019 `maximum`).
    maximum maximum_status maximum_bits greatest true false false;
    /// [`minimum`], but the other operand where one is NaN; a signalling one raises invalid all
    /// the same (IEEE 754-2019 `minimumNumber`).
    minimum_number minimum_number_status minimum_number_bits least_number false false true;
    /// [`maximum`], but the other operand where one is NaN; a signalling one raises invalid all
    /// the same (IEEE 754-2019 `maximumNumber`).
    maximum_number maximum_number_status maximum_number_bits greatest_number true false true;
    /// The operand of lesser magnitude; of equal magnitudes, and for NaN, [`minimum`] (IEEE
    /// 754-2019 `minimumMagnitude`).
    minimum_magnitude minimum_magnitude_status minimum_magnitude_bits smallest false true false;
    /// The operand of greater magnitude; of equal magnitudes, and for NaN, [`maximum`] (IEEE
    /// 754-2019 `maximumMagnitude`).
    maximum_magnitude maximum_magnitude_status maximum_magnitude_bits largest true true false;
    /// [`minimum_magnitude`] with [`minimum_number`]'s rule for NaN (IEEE 754-2019
    /// `minimumMagnitudeNumber`).
    minimum_magnitude_number minimum_magnitude_number_status minimum_magnitude_number_bits smallest_number false true true;
    /// [`maximum_magnitude`] with [`maximum_number`]'s rule for NaN (IEEE 754-2019
    /// `maximumMagnitudeNumber`).
    maximum_magnitude_number maximum_magnitude_number_status maximum_magnitude_number_bits largest_number true true true;
}
