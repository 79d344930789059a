//! What the logarithms share: the special operands.

use crate::fixed::{Base, Log, log_one_plus};
use crate::round::{Exact, Kind};

/// The logarithm of `x`.
#[inline]
pub(super) const fn logarithm(x: Exact<u32>, base: Base) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => Exact::<u32>::nan(x.mark()),
        Kind::Zero => Exact::<u32>::pole(true),
        _ if x.sign() => Exact::<u32>::nan(true),
        Kind::Infinite => x,
        Kind::Finite => Log::new(x.exponent(), x.significand()).to_base(base),
    }
}

/// The logarithm of `1 + x`.
#[inline]
pub(super) const fn logarithm_plus_one(x: Exact<u32>, base: Base) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => Exact::<u32>::nan(x.mark()),
        Kind::Zero => x,
        Kind::Infinite if !x.sign() => x,
        Kind::Finite if !x.sign() || x.exponent() < 0 => log_one_plus(x, base),
        Kind::Finite if x.exponent() == 0 && x.significand() == Exact::<u32>::TOP => {
            Exact::<u32>::pole(true)
        }
        _ => Exact::<u32>::nan(true),
    }
}
