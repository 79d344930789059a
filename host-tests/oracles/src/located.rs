//! The position of an exact value among a format's numbers, which is all that any rounding needs.

use super::dyadic::Dyadic;
use super::format::Format;
use std::cmp::Ordering;
use sweep_inputs::Rounding;
use sweep_row::RoundingArg;

/// The position between two neighbours: the lower one (in magnitude), which is included, and the
/// upper one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the lower one.
    Exact,
    /// Closer to the lower one, and not on it.
    Below,
    /// At the midpoint.
    Middle,
    /// Closer to the upper one.
    Above,
}

/// Tininess after rounding: whether the value rounded to `p` bits with an unbounded exponent is
/// below the least normal number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiny {
    /// No, in every rounding: the exact value is not below the least normal number.
    No,
    /// Yes, in every rounding: the value is at most the last number of `p` bits below the least
    /// normal one.
    Yes,
    /// The value lies strictly between the last number of `p` bits below the least normal number
    /// (its last bit is 1) and that one. It is tiny unless it rounds up there.
    Edge(Place),
}

/// The discarded fractions for stochastic rounding, in 2^-16 and rounded down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fractions {
    /// The fraction of the gap between the two neighbours.
    pub gap: u16,
    /// At [`Tiny::Edge`], the fraction of the gap described there; otherwise 0.
    pub edge: u16,
}

/// An exact value that is finite and not zero, among a format's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    pub format: &'static Format,
    pub negative: bool,
    /// The greatest finite code whose magnitude is not above the exact one.
    pub code: u64,
    /// The position between that code and the next; `None` if the value is as large as the
    /// neighbour that the largest finite number would have above it, or larger.
    pub place: Option<Place>,
    pub tiny: Tiny,
    /// Present if they were requested.
    pub fractions: Option<Fractions>,
}

impl Located {
    /// The position of the product of two non-zero magnitudes, of at most 60 bits together.
    #[must_use]
    pub fn product(format: &'static Format, negative: bool, a: Dyadic, b: Dyadic) -> Self {
        let value = Dyadic::new(a.m * b.m, a.e + b.e);
        let located = |code, place, tiny| Self {
            format,
            negative,
            code,
            place,
            tiny,
            fractions: None,
        };
        if value >= format.magnitude(format.largest + 1) {
            return located(format.largest, None, Tiny::No);
        }
        let digits = format.precision.cast_signed() - 1;
        let binade = value.floor_log2().max(format.emin);
        // The gap's length is 2^unit, and the value `number` of them and `part` of `whole` more.
        let unit = binade - digits;
        let up = (value.e - unit).max(-120);
        let (m, whole) = if up >= 0 {
            (value.m << up, 4)
        } else {
            // For a value far below the gap it is enough to know that it is not zero.
            (value.m, 4 << -up)
        };
        let (number, part) = (m / (whole / 4), m % (whole / 4) * 4);
        let against = |middle: u128| match part.cmp(&middle) {
            Ordering::Less => Place::Below,
            Ordering::Equal => Place::Middle,
            Ordering::Greater => Place::Above,
        };
        let place = if part == 0 {
            Place::Exact
        } else {
            against(whole / 2)
        };
        let normal = 1 << digits;
        let tiny = if number >= normal {
            Tiny::No
        } else if number + 1 == normal && place == Place::Above {
            Tiny::Edge(against(whole / 4 * 3))
        } else {
            Tiny::Yes
        };
        let field = u64::from((binade - format.emin).cast_unsigned()) << digits;
        let number = u64::try_from(number).expect("below two binades");
        located(field + number, Some(place), tiny)
    }
}

/// The only rule of rounding: whether a magnitude at `place` goes to the upper neighbour. `odd`
/// says that the last bit of the lower one is 1.
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

/// [`rule`] as a table: a row for each rounding, with a bit for each combination of the other
/// arguments.
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
