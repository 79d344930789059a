//! The neighbouring values: the one above, the one below, and the one in the direction of another.
//!
//! Method: codes of the same sign are ordered by magnitude, so the codes of neighbours differ by
//! one. Zeros, infinities and NaN are special cases.

use crate::format::{Arithmetic, Narrow};
use crate::public_api::unrounded;
use crate::round::{Exact, Kind, Mode, Overflow, Status};
use core::cmp::Ordering;

/// The least value above `x`; below it where `DOWN`.
const fn next<F: Arithmetic>(x: u64, down: bool) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    let rule = Mode::new(crate::Rounding::TowardZero, Overflow::Ieee).rule();
    let top = match F::INFINITY {
        Some(infinity) => infinity,
        None => F::MAX_FINITE,
    };
    let outward = value.sign() == down;
    let magnitude = x & (F::SIGN - 1);
    let code = match value.kind() {
        Kind::Nan => return value.to_format::<F>(rule),
        Kind::Zero => return (if down { F::SIGN | 1 } else { 1 }, Status::NONE),
        _ if !outward => magnitude - 1,
        _ if magnitude == top => magnitude,
        _ => magnitude + 1,
    };
    let sign = value.sign() && (F::NEGATIVE_ZERO || code != 0);
    (if sign { F::SIGN | code } else { code }, Status::NONE)
}

const fn up<F: Arithmetic>(x: u64) -> (u64, Status) {
    next::<F>(x, false)
}

const fn down<F: Arithmetic>(x: u64) -> (u64, Status) {
    next::<F>(x, true)
}

const fn toward<F: Narrow>(x: u64, y: u64) -> (u64, Status) {
    let from = Exact::<u32>::decode::<F>(x as u32);
    let to = Exact::<u32>::decode::<F>(y as u32);
    match from.order(to) {
        Some(Ordering::Equal) => (y, Status::NONE),
        Some(order) => next::<F>(x, matches!(order, Ordering::Greater)),
        None => Exact::<u32>::nan(from.is_signaling() || to.is_signaling())
            .to_format::<F>(Mode::TOWARD_ZERO.rule()),
    }
}

unrounded! {
    /// The least value of the format that compares greater than `x` (IEEE 754-2019 `nextUp`).
    ///
    /// Either zero gives the smallest subnormal, the negative value closest to zero gives -0,
    /// -infinity the least finite value, and +infinity itself (in a format without infinities, so
    /// does the largest finite value). NaN gives NaN.
    ///
    /// ```
    /// use bitexact::{arith::next_up, bf16};
    /// assert_eq!(next_up(bf16::from_bits(0x8001)).to_bits(), 0x8000);
    /// assert_eq!(next_up(bf16::from_bits(0x7F7F)), bf16::INFINITY);
    /// ```
    next_up, next_up_status, next_up_bits: up;
    <F: Arithmetic>(x: F) -> F
}

unrounded! {
    /// The greatest value of the format that compares less than `x` (IEEE 754-2019 `nextDown`):
    /// `-next_up(-x)`.
    next_down, next_down_status, next_down_bits: down;
    <F: Arithmetic>(x: F) -> F
}

unrounded! {
    /// The value of the format next to `x` in the direction of `y` (C23 `nextafter`): [`next_up`]
    /// where `y` is greater, [`next_down`] where it is less, and `y` where the two are equal, so
    /// that zeros give the second one.
    ///
    /// As for [`next_up`], a step to an infinity, to a subnormal number or to zero raises nothing
    /// (C23 lets it raise overflow or underflow with inexact). Either operand NaN gives the
    /// canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{arith::nextafter, f16};
    /// let [one, two, zero] = [0x3C00, 0x4000, 0x8000].map(f16::from_bits);
    /// assert_eq!(nextafter(one, two).to_bits(), 0x3C01);
    /// assert_eq!(nextafter(one, zero).to_bits(), 0x3BFF);
    /// assert_eq!(nextafter(f16::ZERO, zero).to_bits(), 0x8000);
    /// ```
    nextafter, nextafter_status, nextafter_bits: toward;
    <F: Narrow>(x: F, y: F) -> F
}
