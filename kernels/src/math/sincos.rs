//! Sine and cosine by one reduction.
//!
//! Method, exactness, tables and generators: those of `sin.rs` and `cos.rs`.

use super::angle_reduction::Turns;
use super::sin::SMALL;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Mode, Rule, Status};

const fn sincos_core(x: Exact<u32>) -> (Exact<u32>, Exact<u32>) {
    match x.kind() {
        Kind::Finite if x.exponent() < SMALL => (x.inward(), Exact::<u32>::BELOW_ONE),
        Kind::Finite => {
            let turns = Turns::from_radians(x);
            (turns.sine(), turns.cosine())
        }
        Kind::Infinite => (Exact::<u32>::nan(true), Exact::<u32>::nan(true)),
        Kind::Zero => (x, Exact::<u32>::ONE),
        Kind::Nan => (x, x),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> ((u64, u64), Status) {
    let (sine, cosine) = sincos_core(Exact::<u32>::decode::<F>(x as u32));
    let (sine, of_sine) = sine.to_format::<F>(rule);
    let (cosine, of_cosine) = cosine.to_format::<F>(rule);
    ((sine, cosine), of_sine.union(of_cosine))
}

/// `(sin x, cos x)`, each rounded once: the bits of [`sin`](super::sin) and [`cos`](super::cos).
///
/// ```
/// use bitexact::{Mode, f16, math::sincos};
/// let (sine, cosine) = sincos(f16::from_bits(0x3C00), Mode::TIES_TO_EVEN); // 1
/// assert_eq!((sine.to_bits(), cosine.to_bits()), (0x3ABB, 0x3853));
/// ```
#[inline]
#[must_use]
pub fn sincos<F: Narrow>(x: F, mode: Mode) -> (F, F) {
    sincos_status(x, mode).0
}

/// [`sincos`] with its status: the union of both functions'.
#[inline]
pub fn sincos_status<F: Narrow>(x: F, mode: Mode) -> ((F, F), Status) {
    let ((sine, cosine), status) = round::<F>(x.to_bits(), mode.rule());
    ((F::from_bits(sine), F::from_bits(cosine)), status)
}

/// [`sincos_status`] on raw bits, in constant code too.
#[inline]
pub const fn sincos_bits<F: Narrow>(x: u64, mode: Mode) -> ((u64, u64), Status) {
    round::<F>(x, mode.rule())
}
