//! Finding a magnitude's position among a format's numbers, or among the integers.
//!
//! The hint only gives the start; the exact comparisons give each answer.

use super::magnitude::Magnitude;
use crate::{Dyadic, Format, Fractions, Located, Place, Tiny};
use std::cmp::Ordering;

/// The greatest index in `0..=last` whose boundary is not above the value; the boundary of index 0
/// is not. It takes steps of doubling length away from the hint, then bisects.
pub(crate) fn last_not_above(hint: u64, last: u64, mut above: impl FnMut(u64) -> bool) -> u64 {
    let hint = hint.min(last);
    let (mut low, mut high); // the boundary of `low` is not above the value; that of `high` is
    let mut step = 1;
    if above(hint) {
        high = hint;
        loop {
            low = high.saturating_sub(step);
            if low == 0 || !above(low) {
                break;
            }
            high = low;
            step *= 2;
        }
    } else {
        low = hint;
        loop {
            if low == last {
                return last;
            }
            high = low.saturating_add(step).min(last);
            if above(high) {
                break;
            }
            low = high;
            step *= 2;
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if above(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// The gap `[m * 2^e, (m + 1) * 2^e)`.
#[derive(Clone, Copy)]
struct Gap {
    m: u128,
    e: i32,
}

impl Gap {
    fn place(self, value: &Magnitude) -> Place {
        if value.compare(Dyadic::new(self.m, self.e)) == Ordering::Equal {
            return Place::Exact;
        }
        match value.compare(Dyadic::new(2 * self.m + 1, self.e - 1)) {
            Ordering::Less => Place::Below,
            Ordering::Equal => Place::Middle,
            Ordering::Greater => Place::Above,
        }
    }

    /// The discarded fraction in 2^-16, rounded down.
    fn fraction(self, value: &Magnitude) -> u16 {
        let index = last_not_above(0x8000, 0xFFFF, |t| {
            let cut = Dyadic::new((self.m << 16) + u128::from(t), self.e - 16);
            value.compare(cut) == Ordering::Less
        });
        u16::try_from(index).expect("16 bits")
    }

    const fn upper_half(self) -> Self {
        Self {
            m: 2 * self.m + 1,
            e: self.e - 1,
        }
    }
}

/// The position of a value among a format's numbers.
pub(crate) fn locate(
    format: &'static Format,
    negative: bool,
    value: &Magnitude,
    fractions: bool,
) -> Located {
    let above = |code: u64| value.compare(format.magnitude(code)) == Ordering::Less;
    let code = last_not_above(guess(format, value), format.largest + 1, above);
    if code > format.largest {
        let code = format.largest;
        return Located {
            format,
            negative,
            code,
            place: None,
            tiny: Tiny::No,
            fractions: None,
        };
    }
    let Dyadic { m, e } = format.magnitude(code);
    let gap = Gap { m, e };
    let (tiny, edge) = tiny(format, code, gap, value);
    let fractions = fractions.then(|| Fractions {
        gap: gap.fraction(value),
        edge: edge.map_or(0, |edge| edge.fraction(value)),
    });
    Located {
        format,
        negative,
        code,
        place: Some(gap.place(value)),
        tiny,
        fractions,
    }
}

/// Tininess, and the gap that decides it where it depends on the rounding.
///
/// The last number of `p` bits below the least normal number is the midpoint of the last subnormal
/// gap.
fn tiny(format: &Format, code: u64, gap: Gap, value: &Magnitude) -> (Tiny, Option<Gap>) {
    if value.compare(format.least_normal()) != Ordering::Less {
        return (Tiny::No, None);
    }
    let edge = gap.upper_half();
    let last_gap = format.magnitude(code + 1) == format.least_normal();
    if last_gap && value.compare(Dyadic::new(edge.m, edge.e)) == Ordering::Greater {
        (Tiny::Edge(edge.place(value)), Some(edge))
    } else {
        (Tiny::Yes, None)
    }
}

/// A code near the value's.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a hint"
)]
fn guess(format: &Format, value: &Magnitude) -> u64 {
    let (f, k) = value.hint();
    let (emin, fraction_bits) = (i64::from(format.emin), i64::from(format.precision) - 1);
    let k = if f < 1.0 { k - 1 } else { k };
    let binade = k.clamp(emin, emin + (1 << (format.bits - format.precision)) - 1);
    let f = if f < 1.0 { 2.0 * f } else { f };
    let digits = f * ((k.min(binade) - binade + fraction_bits).max(-70) as f64).exp2();
    (((binade - emin) as u64) << fraction_bits) + digits as u64
}

/// The integer below, the position between it and the next, and the fraction if it is requested;
/// `None` for a magnitude of at least 2^64.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a hint"
)]
pub(crate) fn among_integers(
    value: &Magnitude,
    fraction: bool,
) -> Option<(u64, Place, Option<u16>)> {
    let above = |n: u128| value.compare(Dyadic::new(n, 0)) == Ordering::Less;
    if !above(1 << 64) {
        return None;
    }
    let (f, k) = value.hint();
    let hint = (f * (k.clamp(-70, 70) as f64).exp2()) as u64;
    let lower = last_not_above(hint, u64::MAX, |n| above(n.into()));
    let gap = Gap {
        m: lower.into(),
        e: 0,
    };
    Some((
        lower,
        gap.place(value),
        fraction.then(|| gap.fraction(value)),
    ))
}
