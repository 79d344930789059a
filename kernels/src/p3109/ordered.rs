//! The operations that select one of their operands by the order of the values, and sums of three.

use super::operation::Operation;
use crate::round::{Exact, Kind};
use core::cmp::Ordering;

const fn is_nan(x: Exact<u32>) -> bool {
    matches!(x.kind(), Kind::Nan)
}

/// How an extremum selects.
#[derive(Clone, Copy)]
pub(super) struct Extremum {
    greater: bool,
    /// By the magnitude first, then by the value.
    by_magnitude: bool,
    /// A number wins over NaN.
    numbers: bool,
    /// A finite number wins over an infinity.
    finite: bool,
}

impl Extremum {
    /// That of an operation, if it is one of the ten.
    #[inline(always)]
    pub(super) const fn of(operation: Operation) -> Option<Self> {
        use Operation as O;
        let (greater, by_magnitude, numbers, finite) = match operation {
            O::Minimum => (false, false, false, false),
            O::Maximum => (true, false, false, false),
            O::MinimumNumber => (false, false, true, false),
            O::MaximumNumber => (true, false, true, false),
            O::MinimumMagnitude => (false, true, false, false),
            O::MaximumMagnitude => (true, true, false, false),
            O::MinimumMagnitudeNumber => (false, true, true, false),
            O::MaximumMagnitudeNumber => (true, true, true, false),
            O::MinimumFinite => (false, false, true, true),
            O::MaximumFinite => (true, false, true, true),
            _ => return None,
        };
        Some(Self {
            greater,
            by_magnitude,
            numbers,
            finite,
        })
    }

    /// An operand with a lower rank wins, whatever the values.
    const fn rank(self, x: Exact<u32>) -> u8 {
        match x.kind() {
            Kind::Nan if self.numbers => 2,
            Kind::Infinite if self.finite => 1,
            _ => 0,
        }
    }

    #[inline]
    pub(super) const fn select(self, x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
        let (rank_x, rank_y) = (self.rank(x), self.rank(y));
        if rank_x != rank_y {
            return if rank_x < rank_y { x } else { y };
        }
        let mut order = x.order(y);
        if self.by_magnitude {
            let of_magnitudes = x.negate_if(x.sign()).order(y.negate_if(y.sign()));
            if let Some(Ordering::Less | Ordering::Greater) = of_magnitudes {
                order = of_magnitudes;
            }
        }
        match order {
            None => Exact::<u32>::nan(false),
            Some(Ordering::Greater) if self.greater => x,
            Some(Ordering::Less) if !self.greater => x,
            Some(_) => y,
        }
    }
}

/// x's magnitude with y's sign.
#[inline]
pub(super) const fn copy_sign(x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    if is_nan(y) {
        y
    } else {
        x.negate_if(x.sign() != y.sign())
    }
}

/// The nearest to x of the values from `low` to `high`.
#[inline]
pub(super) const fn clamp(x: Exact<u32>, low: Exact<u32>, high: Exact<u32>) -> Exact<u32> {
    match (low.order(high), x.order(low), x.order(high)) {
        (None | Some(Ordering::Greater), ..) | (_, None, _) => Exact::<u32>::nan(false),
        (_, Some(Ordering::Less), _) => low,
        (.., Some(Ordering::Greater)) => high,
        _ => x,
    }
}

/// x + y + z, on the same side of every rounding boundary.
///
/// A sum of two discards bits into the sticky bit, which a third operand could cancel. If the two
/// largest are so near that their sum has at most 57 bits, it is exact, and the last sum alone
/// discards. Otherwise the other two add up to less than 2^-30 of the largest: their sticky bit is
/// below 2^-90 of it, and nothing cancels.
#[inline]
pub(super) const fn add_three(x: Exact<u32>, y: Exact<u32>, z: Exact<u32>) -> Exact<u64> {
    const NEAR: i32 = 32;
    const fn sorted(x: Exact<u32>, y: Exact<u32>) -> (Exact<u32>, Exact<u32>) {
        if x.exponent() < y.exponent() {
            (y, x)
        } else {
            (x, y)
        }
    }
    // Zeros, infinities and NaN come first; they are added in any order.
    let (x, y) = sorted(x, y);
    let (y, z) = sorted(y, z);
    let (x, y) = sorted(x, y);
    let near = x.exponent() - y.exponent() <= NEAR;
    let (x, y, z) = (x.widen(), y.widen(), z.widen());
    let (first, second, last) = if near { (x, y, z) } else { (y, z, x) };
    first.add(second).add(last)
}
