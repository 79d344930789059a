//! Conversions, arithmetic and selections by the cores that `arith` uses, for formats of at most 24
//! bits of precision.
//!
//! Why one rounding is right: operands are exact in 32 bits. Sums, of products too, have 62 certain
//! bits, products 48 (all that they have), quotients 48 and roots 42, and below them the sticky
//! bit. Projection looks at the result's precision and at 17 bits more at most (StochasticB and C
//! with N = 16), which are 41.

use super::operation::Operation;
use super::ordered::{self, Extremum};
use crate::format::FormatSpec;
use crate::round::{Exact, Kind, Projection};

/// The precision of binary32.
const PRECISION: u32 = 24;
/// The bits below the significand that decide in StochasticB and C with N = 16.
const DECIDING_BITS: u32 = 17;

/// Where an exact value goes. If it is `SHARED`, all operations share the code that decodes and
/// projects; otherwise each has its own, of which little remains for a literal format and
/// projection.
#[derive(Clone, Copy)]
struct Target<const SHARED: bool> {
    format: FormatSpec,
    projection: Projection,
}

#[inline(never)]
const fn project_narrow(x: Exact<u32>, format: FormatSpec, projection: Projection) -> u64 {
    x.project(format, projection)
}

#[inline(never)]
const fn project_wide(x: Exact<u64>, format: FormatSpec, projection: Projection) -> u64 {
    x.project(format, projection)
}

#[inline(never)]
const fn decode_shared(format: FormatSpec, code: u32) -> Exact<u32> {
    Exact::<u32>::decode_spec(format, code)
}

#[inline(never)]
const fn select_shared(extremum: Extremum, x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    extremum.select(x, y)
}

/// The value of a code of a format of at most 32 bits.
#[inline(always)]
pub(super) const fn decode<const SHARED: bool>(format: FormatSpec, code: u32) -> Exact<u32> {
    if SHARED {
        decode_shared(format, code)
    } else {
        Exact::<u32>::decode_spec(format, code)
    }
}

/// The code of a projected value.
#[inline(always)]
pub(super) const fn project<const SHARED: bool>(
    x: Exact<u64>,
    format: FormatSpec,
    projection: Projection,
) -> u64 {
    if SHARED {
        project_wide(x, format, projection)
    } else {
        x.project(format, projection)
    }
}

impl<const SHARED: bool> Target<SHARED> {
    const fn is_served(self) -> bool {
        self.format.precision() <= PRECISION
            && self.projection.rounding.deciding_bits() <= DECIDING_BITS
    }

    #[inline(always)]
    const fn project(self, x: Exact<u64>) -> u64 {
        project::<SHARED>(x, self.format, self.projection)
    }

    #[inline(always)]
    const fn project_narrow(self, x: Exact<u32>) -> u64 {
        if SHARED {
            project_narrow(x, self.format, self.projection)
        } else {
            x.project(self.format, self.projection)
        }
    }

    /// Whether 30 certain bits decide: in the deterministic roundings always.
    #[inline(always)]
    const fn is_narrow(self) -> bool {
        self.format.precision() + self.projection.rounding.deciding_bits() < 30
    }

    #[inline(always)]
    const fn value(self, x: Exact<u32>) -> u64 {
        if self.is_narrow() {
            self.project_narrow(x)
        } else {
            self.project(x.widen())
        }
    }

    #[inline(always)]
    const fn sum(self, x: Exact<u32>, y: Exact<u32>) -> u64 {
        if self.is_narrow() {
            self.project_narrow(x.add(y))
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
const fn operand<const SHARED: bool>((format, code): (FormatSpec, u64)) -> Option<Exact<u32>> {
    if format.precision() <= PRECISION {
        Some(decode::<SHARED>(format, code as u32))
    } else {
        None
    }
}

/// The projected result; none if this file does not have the operation for these formats and this
/// rounding.
#[inline(always)]
pub(super) const fn evaluate<const SHARED: bool>(
    operation: Operation,
    operands: &[(FormatSpec, u64)],
    format: FormatSpec,
    projection: Projection,
) -> Option<u64> {
    let target = Target::<SHARED> { format, projection };
    if !target.is_served() {
        return None;
    }
    match *operands {
        [x] => {
            let Some(x) = operand::<SHARED>(x) else {
                return None;
            };
            of_one(operation, x, target)
        }
        [x, y] => match (operand::<SHARED>(x), operand::<SHARED>(y)) {
            (Some(x), Some(y)) => of_two(operation, x, y, target),
            _ => None,
        },
        [x, y, z] => match (
            operand::<SHARED>(x),
            operand::<SHARED>(y),
            operand::<SHARED>(z),
        ) {
            (Some(x), Some(y), Some(z)) => of_three(operation, [x, y, z], target),
            _ => None,
        },
        _ => None,
    }
}

#[inline(always)]
const fn of_one<const SHARED: bool>(
    operation: Operation,
    x: Exact<u32>,
    target: Target<SHARED>,
) -> Option<u64> {
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
const fn of_two<const SHARED: bool>(
    operation: Operation,
    x: Exact<u32>,
    y: Exact<u32>,
    target: Target<SHARED>,
) -> Option<u64> {
    Some(match operation {
        Operation::Add => target.sum(x, y),
        Operation::Subtract => target.sum(x, y.negate_if(true)),
        Operation::Multiply => target.project(x.mul_long(y)),
        Operation::Divide => target.quotient(x, y),
        Operation::CopySign => target.value(ordered::copy_sign(x, y)),
        _ => match Extremum::of(operation) {
            Some(extremum) if SHARED => target.value(select_shared(extremum, x, y)),
            Some(extremum) => target.value(extremum.select(x, y)),
            None => return None,
        },
    })
}

#[inline(always)]
const fn of_three<const SHARED: bool>(
    operation: Operation,
    [x, y, z]: [Exact<u32>; 3],
    target: Target<SHARED>,
) -> Option<u64> {
    Some(match operation {
        Operation::FMA => target.project(x.mul_long(y).add(z.widen())),
        Operation::FAA => target.project(ordered::add_three(x, y, z)),
        Operation::Clamp => target.value(ordered::clamp(x, y, z)),
        _ => return None,
    })
}
