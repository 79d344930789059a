//! Conversions and arithmetic by the cores that `arith` uses, for formats of at most 24 bits of precision.
//!
//! Why one rounding is right: operands are exact in 32 bits. Sums, of products too, have 62 certain bits, products 48
//! (all that they have), quotients 48 and roots 42, and below them the sticky bit. Projection looks at the result's
//! precision and at 17 bits more at most (StochasticB and C with N = 16), which are 41.

use super::operation::Operation;
use crate::format::FormatSpec;
use crate::round::{Exact, Kind, Projection};

/// The precision of binary32.
const PRECISION: u32 = 24;
/// The bits below the significand that decide in StochasticB and C with N = 16.
const DECIDING_BITS: u32 = 17;

/// Where an exact value goes.
#[derive(Clone, Copy)]
struct Target {
    format: FormatSpec,
    projection: Projection,
}

impl Target {
    const fn is_served(self) -> bool {
        self.format.precision() <= PRECISION
            && self.projection.rounding.deciding_bits() <= DECIDING_BITS
    }

    #[inline(always)]
    const fn project(self, x: Exact<u64>) -> u64 {
        x.project(self.format, self.projection)
    }

    /// Whether 30 certain bits decide: in the deterministic roundings always.
    #[inline(always)]
    const fn is_narrow(self) -> bool {
        self.format.precision() + self.projection.rounding.deciding_bits() < 30
    }

    #[inline(always)]
    const fn value(self, x: Exact<u32>) -> u64 {
        if self.is_narrow() {
            x.project(self.format, self.projection)
        } else {
            self.project(x.widen())
        }
    }

    #[inline(always)]
    const fn sum(self, x: Exact<u32>, y: Exact<u32>) -> u64 {
        if self.is_narrow() {
            x.add(y).project(self.format, self.projection)
        } else {
            self.project(x.widen().add(y.widen()))
        }
    }

    /// Anything over zero is NaN.
    #[inline(always)]
    const fn quotient(self, x: Exact<u32>, y: Exact<u32>) -> u64 {
        match y.kind() {
            Kind::Zero => self.format.nan(),
            _ => self.project(x.div_long(y)),
        }
    }
}

#[inline(always)]
const fn decode((format, code): (FormatSpec, u64)) -> Option<Exact<u32>> {
    if format.precision() <= PRECISION {
        Some(Exact::<u32>::decode_spec(format, code as u32))
    } else {
        None
    }
}

/// The projected result; none if this file does not have the operation for these formats and this rounding.
#[inline(always)]
pub(super) const fn evaluate(
    operation: Operation,
    operands: &[(FormatSpec, u64)],
    format: FormatSpec,
    projection: Projection,
) -> Option<u64> {
    let target = Target { format, projection };
    if !target.is_served() {
        return None;
    }
    match *operands {
        [x] => {
            let Some(x) = decode(x) else { return None };
            of_one(operation, x, target)
        }
        [x, y] => match (decode(x), decode(y)) {
            (Some(x), Some(y)) => of_two(operation, x, y, target),
            _ => None,
        },
        [x, y, z] => match (operation, decode(x), decode(y), decode(z)) {
            (Operation::FMA, Some(x), Some(y), Some(z)) => {
                Some(target.project(x.mul_long(y).add(z.widen())))
            }
            _ => None,
        },
        _ => None,
    }
}

#[inline(always)]
const fn of_one(operation: Operation, x: Exact<u32>, target: Target) -> Option<u64> {
    const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, Exact::<u32>::TOP);
    Some(match operation {
        Operation::Convert => target.value(x),
        Operation::Abs => target.value(x.negate_if(x.sign())),
        Operation::Negate => target.value(x.negate_if(true)),
        Operation::Sqrt => target.project(x.sqrt_long()),
        Operation::Recip => target.quotient(ONE, x),
        _ => return None,
    })
}

#[inline(always)]
const fn of_two(operation: Operation, x: Exact<u32>, y: Exact<u32>, target: Target) -> Option<u64> {
    Some(match operation {
        Operation::Add => target.sum(x, y),
        Operation::Subtract => target.sum(x, y.negate_if(true)),
        Operation::Multiply => target.project(x.mul_long(y)),
        Operation::Divide => target.quotient(x, y),
        _ => return None,
    })
}
