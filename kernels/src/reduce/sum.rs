//! Sums whose order of additions is declared, each addition rounded once.

use super::lanes::in_lanes;
use super::pairwise::pairwise;
use super::steps::plus;
use super::{Lanes, Unit};
use crate::arith::{add_stochastic_status, is_finite, negate};
use crate::convert::{convert_status, convert_stochastic_status};
use crate::format::{Arithmetic, E2M1, Format};
use crate::{Mode, Overflow, Status};

/// The order in which a sum's additions are made. It is part of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Order {
    /// From the first element on: `((x0 + x1) + x2) + ...`.
    Sequential,
    /// A binary tree: `n` elements are split after the largest power of two below `n`, and both
    /// parts likewise, down to single elements.
    Pairwise,
    /// From the first element on, with the rounding errors summed separately (Kahan's idea in
    /// Neumaier's form). Each element is converted to the accumulator's format first. With `s` the
    /// sum so far, every element `x` after the first makes these steps, each rounded:
    ///
    /// 1. `t = s + x`. If `t` is an infinity or a NaN, steps 2 and 3 are skipped.
    /// 2. `e = (s - t) + x` where `|s| >= |x|`, otherwise `e = (x - t) + s`.
    /// 3. `c = c + e`; the first `e` is `c`.
    /// 4. `s = t`.
    ///
    /// The result is `s + c`, or `s` where there is no `c`.
    Neumaier,
    /// In `L` [`Lanes`]: element `i` belongs to lane `i mod L`. The elements of each lane are added
    /// as by `Sequential`; then the sums of the lanes that have an element are added as by
    /// `Pairwise`, without another conversion. A vector unit or a warp computes it at full width.
    ///
    /// Up to `L` elements this is `Pairwise`.
    Lanes(Lanes),
    /// That of a matrix [`Unit`]: a sum is the dot product with ones. There are no steps in the
    /// accumulator format of the call: the unit has its own, which is rounded once to the result's
    /// format, in the mode. The status is empty.
    ///
    /// In functions that take an iterator, parts of k ([`Unit::segments`]) are those of as many
    /// elements as its size hint has at most.
    Unit(Unit),
}

/// The sum of the elements in accumulator format `A`.
///
/// A single element that begins a chain of additions is converted to `A`; every addition of an
/// element to an accumulator (sequential, and within a lane), or of two accumulators (pairwise,
/// Neumaier, and of lanes), is rounded once to `A`. An empty sum is +0; a sum of one element is
/// that element, converted, -0 too. Zeros, NaN and infinities as in [`add`](crate::arith::add).
///
/// [`sum_exact`](super::sum_exact) has no order to declare.
///
/// ```
/// use bitexact::{Mode, bf16, reduce::{Order, sum}};
/// let ones = [bf16::from_bits(0x3F80); 512];
/// let narrow: bf16 = sum(&ones, Order::Sequential, Mode::TIES_TO_EVEN);
/// let tree: bf16 = sum(&ones, Order::Pairwise, Mode::TIES_TO_EVEN);
/// let wide: f32 = sum(&ones, Order::Sequential, Mode::TIES_TO_EVEN);
/// assert_eq!((narrow.to_f32(), tree.to_f32(), wide), (256.0, 512.0, 512.0));
/// # use bitexact::reduce::Lanes;
/// let lanes = Order::Lanes(Lanes::new(8).unwrap());
/// assert_eq!(sum::<_, bf16>(&ones, lanes, Mode::TIES_TO_EVEN).to_f32(), 512.0);
/// ```
#[must_use]
pub fn sum<T: Arithmetic, A: Arithmetic>(values: &[T], order: Order, mode: Mode) -> A {
    sum_status(values, order, mode).0
}

/// [`sum`] with the union of its steps' status.
pub fn sum_status<T: Arithmetic, A: Arithmetic>(
    values: &[T],
    order: Order,
    mode: Mode,
) -> (A, Status) {
    sum_by(values.iter().copied(), order, mode)
}

/// [`sum_status`] of the elements of an iterator, in its order, for example of a strided lane.
// On GPUs inlined, so that an entry with literal orders has the code of these alone.
#[cfg_attr(target_arch = "nvptx64", inline(always))]
pub fn sum_by<T: Arithmetic, A: Arithmetic>(
    values: impl Iterator<Item = T>,
    order: Order,
    mode: Mode,
) -> (A, Status) {
    let convert = |x: T| convert_status::<T, A>(x, mode);
    match order {
        Order::Sequential => sequential(values, convert, |a, x| plus(a, x, mode)),
        Order::Pairwise => pairwise(values, convert, |a, b| plus(a, b, mode)),
        Order::Neumaier => neumaier(values, convert, |a, b| plus(a, b, mode)),
        Order::Lanes(lanes) => in_lanes(
            values,
            lanes,
            convert,
            |a, x| plus(a, x, mode),
            |a, b| plus(a, b, mode),
        ),
        Order::Unit(unit) => {
            let count = most(&values);
            (unit.dot_by(values.map(with_one), count, mode), Status::NONE)
        }
    }
}

/// The most elements that an iterator has.
pub(super) fn most<T>(values: &impl Iterator<Item = T>) -> usize {
    let (least, most) = values.size_hint();
    most.unwrap_or(least)
}

/// A term of a sum as a product.
fn with_one<T>(x: T) -> (T, E2M1) {
    (x, E2M1::ONE)
}

/// [`sum`] with stochastic rounding: `random` gives 16 bits for the conversion of an element and
/// for each addition, in the order in which they are made. In lanes: one conversion or addition for
/// each element, in the elements' order, then the additions of the tree, each after those of its
/// left part and then of its right part. In the order of a matrix unit: for the one rounding of its
/// accumulator.
#[must_use]
pub fn sum_stochastic<T: Arithmetic, A: Arithmetic>(
    values: &[T],
    order: Order,
    random: impl FnMut() -> u16,
    overflow: Overflow,
) -> A {
    sum_stochastic_status(values, order, random, overflow).0
}

/// [`sum_stochastic`] with the union of its steps' status.
pub fn sum_stochastic_status<T: Arithmetic, A: Arithmetic>(
    values: &[T],
    order: Order,
    random: impl FnMut() -> u16,
    overflow: Overflow,
) -> (A, Status) {
    let random = core::cell::RefCell::new(random);
    let word = || random.try_borrow_mut().map_or(0, |mut next| next());
    let convert = |x: T| convert_stochastic_status::<T, A>(x, word(), overflow);
    let values = values.iter().copied();
    match order {
        Order::Sequential => sequential(values, convert, |a, x| {
            add_stochastic_status::<A, T, A>(a, x, word(), overflow)
        }),
        Order::Pairwise => pairwise(values, convert, |a, b| {
            add_stochastic_status::<A, A, A>(a, b, word(), overflow)
        }),
        Order::Neumaier => neumaier(values, convert, |a, b| {
            add_stochastic_status::<A, A, A>(a, b, word(), overflow)
        }),
        Order::Lanes(lanes) => in_lanes(
            values,
            lanes,
            convert,
            |a, x| add_stochastic_status::<A, T, A>(a, x, word(), overflow),
            |a, b| add_stochastic_status::<A, A, A>(a, b, word(), overflow),
        ),
        Order::Unit(unit) => {
            let count = most(&values);
            let sum = unit.dot_stochastic(values.map(with_one), count, word(), overflow);
            (sum, Status::NONE)
        }
    }
}

pub(super) fn sequential<T, A: Format>(
    mut values: impl Iterator<Item = T>,
    convert: impl Fn(T) -> (A, Status),
    add: impl Fn(A, T) -> (A, Status),
) -> (A, Status) {
    let Some(first) = values.next() else {
        return (A::from_bits(0), Status::NONE);
    };
    let mut total = convert(first);
    for value in values {
        let (next, status) = add(total.0, value);
        total = (next, total.1 | status);
    }
    total
}

/// The compensated sum. `a - b` is `a + (-b)`, to the bit.
pub(super) fn neumaier<T, A: Arithmetic>(
    mut values: impl Iterator<Item = T>,
    convert: impl Fn(T) -> (A, Status),
    add: impl Fn(A, A) -> (A, Status),
) -> (A, Status) {
    let Some(first) = values.next() else {
        return (A::from_bits(0), Status::NONE);
    };
    let magnitude = |x: A| x.to_bits() & (A::SIGN - 1);
    let (mut sum, mut union) = convert(first);
    let mut add = |a, b| {
        let (sum, status) = add(a, b);
        union |= status;
        sum
    };
    let mut correction: Option<A> = None;
    let mut converted = Status::NONE;
    for value in values {
        let (x, status) = convert(value);
        converted |= status;
        let total = add(sum, x);
        if is_finite(total) {
            let (large, small) = if magnitude(sum) >= magnitude(x) {
                (sum, x)
            } else {
                (x, sum)
            };
            let rest = add(large, negate(total));
            let error = add(rest, small);
            correction = Some(match correction {
                None => error,
                Some(correction) => add(correction, error),
            });
        }
        sum = total;
    }
    if let Some(correction) = correction {
        sum = add(sum, correction);
    }
    (sum, union | converted)
}
