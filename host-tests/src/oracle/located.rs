//! Where an exact value lies among a format's numbers: all that any rounding needs to know.

use super::format::Format;
use crate::row::RoundingArg;
use bitexact::Rounding;

/// The place between two neighbours: the lower (in magnitude), which is included, and the upper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the lower one.
    Exact,
    /// Nearer to the lower one, and not on it.
    Below,
    /// In the middle.
    Middle,
    /// Nearer to the upper one.
    Above,
}

/// What tininess after rounding needs to know: whether the value rounded to `p` digits with an
/// unbounded exponent is below the least normal number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiny {
    /// No, in every rounding: the exact value is not below the least normal number.
    No,
    /// Yes, in every rounding: the value is at most the last number of `p` digits below the least
    /// normal one.
    Yes,
    /// The value lies strictly between the last number of `p` digits below the least normal
    /// number (its last digit is odd) and that one. It is tiny unless it goes up there.
    Edge(Place),
}

/// The discarded fractions for stochastic rounding, in 2^-16 and rounded down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fractions {
    /// Of the gap between the two neighbours.
    pub gap: u16,
    /// At [`Tiny::Edge`], of the gap that it speaks of; else 0.
    pub edge: u16,
}

/// An exact value that is finite and not zero, among a format's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    pub format: &'static Format,
    pub negative: bool,
    /// The greatest finite code whose magnitude is not above the exact one.
    pub code: u64,
    /// The place between that code and the next; `None` if the value is as large as the neighbour
    /// that the largest finite number would have above it, or larger.
    pub place: Option<Place>,
    pub tiny: Tiny,
    /// Present if they were asked for.
    pub fractions: Option<Fractions>,
}

/// The one rule of rounding: whether a magnitude at `place` goes to the upper neighbour.
/// `odd` says that the last digit of the lower one is 1.
const fn rule(place: Place, negative: bool, odd: bool, rounding: Rounding) -> bool {
    match (place, rounding) {
        (Place::Exact, _) => false,
        (Place::Middle, Rounding::TiesToEven) => odd,
        (Place::Middle, Rounding::TiesToAway) => true,
        (_, Rounding::TiesToEven | Rounding::TiesToAway) => matches!(place, Place::Above),
        (_, Rounding::TowardZero) => false,
        (_, Rounding::TowardPositive) => !negative,
        (_, Rounding::TowardNegative) => negative,
        (_, Rounding::ToOdd) => !odd,
    }
}

/// [`rule`] tabled: a row for each rounding, in it a bit for each of the rest.
const TABLE: [u16; 6] = {
    let places = [Place::Exact, Place::Below, Place::Middle, Place::Above];
    let mut table = [0; 6];
    let mut row = 0;
    while row < 6 {
        let mut bit = 0;
        while bit < 16 {
            let up = rule(
                places[bit >> 2],
                bit & 2 != 0,
                bit & 1 != 0,
                Rounding::ALL[row],
            );
            if up {
                table[Rounding::ALL[row] as usize] |= 1 << bit;
            }
            bit += 1;
        }
        row += 1;
    }
    table
};

/// Whether a magnitude at `place` goes to the upper neighbour; `fraction` is for stochastic
/// rounding.
#[inline]
pub(super) fn goes_up(
    place: Place,
    negative: bool,
    odd: bool,
    rounding: RoundingArg,
    fraction: impl FnOnce() -> u16,
) -> bool {
    match rounding {
        RoundingArg::Fixed(rounding) => {
            let bit = (place as u16) << 2 | u16::from(negative) << 1 | u16::from(odd);
            TABLE[rounding as usize] >> bit & 1 == 1
        }
        // An exact value's fraction is 0.
        RoundingArg::Stochastic(random) => u32::from(fraction()) + u32::from(random) >= 1 << 16,
    }
}
