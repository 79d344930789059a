//! The functions of operands with K up to 8, in [64 bits](super::real64) instead of 384.
//!
//! A result has at most 11 bits, binary16's, and projection looks at 17 more (StochasticB and C
//! with N = 16).

use super::number::Number::{self, Finite, Infinite, Nan};
use super::operation::Operation;
use super::real64::Real64;
use super::short;
use crate::format::FormatSpec;
use crate::round::{Exact, Kind, Projection, Revision};

/// The most bits of a format's code.
const WIDTH: u32 = 8;
/// The most bits of a result's precision: binary16's.
#[cfg(test)]
const PRECISION: u32 = FormatSpec::BINARY16.precision();

/// Whether operands may have this format.
pub(super) const fn takes(format: FormatSpec) -> bool {
    format.bitwidth() <= WIDTH
}

/// Whether results may have this format.
pub(super) const fn gives(format: FormatSpec) -> bool {
    takes(format) || (format.is_external() && format.bitwidth() == 16)
}

#[inline(always)]
fn number(x: Exact<u32>) -> Number<Real64> {
    match x.kind() {
        Kind::Nan => Nan,
        Kind::Infinite => Infinite(x.sign()),
        Kind::Zero => Number::ZERO,
        Kind::Finite => Finite(x.widen()),
    }
}

#[inline(always)]
fn exact(x: Number<Real64>) -> Real64 {
    match x {
        Nan => Real64::nan(false),
        Infinite(negative) => Real64::infinity(negative),
        Finite(x) => x,
    }
}

#[inline(always)]
fn apply_inlined(operation: Operation, x: Exact<u32>, y: Exact<u32>, revision: Revision) -> Real64 {
    let (x, y) = (number(x), number(y));
    exact(match operation.arity() {
        1 => operation.function_of_one(x, revision),
        _ => operation.function_of_two(x, y, revision),
    })
}

#[inline(never)]
fn apply_shared(operation: Operation, x: Exact<u32>, y: Exact<u32>, revision: Revision) -> Real64 {
    apply_inlined(operation, x, y, revision)
}

/// The exact result in 28 bits at least, and below them whether there is more. Where it is `SHARED`
/// all functions share the code; on GPUs, where an entry has one function, each has its own.
#[inline(always)]
pub(super) fn apply<const SHARED: bool>(
    operation: Operation,
    x: Exact<u32>,
    y: Exact<u32>,
    revision: Revision,
) -> Real64 {
    if SHARED && cfg!(not(target_arch = "nvptx64")) {
        apply_shared(operation, x, y, revision)
    } else {
        apply_inlined(operation, x, y, revision)
    }
}

/// The projected result.
#[inline(always)]
pub(super) fn evaluate<const SHARED: bool>(
    operation: Operation,
    (fx, x): (FormatSpec, u32),
    (fy, y): (FormatSpec, u32),
    format: FormatSpec,
    projection: Projection,
) -> u32 {
    let x = short::decode::<SHARED>(fx, x);
    let y = short::decode::<SHARED>(fy, y);
    let result = apply::<SHARED>(operation, x, y, projection.revision);
    short::project::<SHARED>(result, format, projection) as u32
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::p3109::real::Real;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    /// The bits of a result that any projection looks at: its precision, and 17 below it.
    const BITS: u32 = PRECISION + 17;

    /// Sign, exponent, the first bits, and whether there is more.
    type Prefix = (bool, i64, u64, bool);

    /// Beyond the values and half of the least value of every such format.
    const BEYOND: i64 = 1 << 10;

    fn prefix(negative: bool, exponent: i64, high: u64, more: bool) -> Prefix {
        if exponent.abs() >= BEYOND {
            return (negative, exponent.signum() * BEYOND, 0, true);
        }
        let kept = high >> (64 - BITS);
        (
            negative,
            exponent,
            kept,
            more || kept << (64 - BITS) != high,
        )
    }

    fn prefix_of<R: Real>(x: Number<R>, more: impl Fn(R) -> bool) -> Result<Prefix, Option<bool>> {
        match x {
            Nan => Err(None),
            Infinite(negative) => Err(Some(negative)),
            Finite(x) if x.is_zero() => Ok((false, 0, 0, false)),
            Finite(x) => Ok(prefix(x.is_negative(), x.exponent(), x.high(), more(x))),
        }
    }

    /// Each distinct value of the formats with K up to 8, as a code of one of them.
    fn values() -> Vec<(FormatSpec, u64)> {
        let mut seen = BTreeSet::new();
        let mut values = Vec::new();
        for format in (3..=WIDTH).flat_map(FormatSpec::all_of) {
            for code in 0..1 << format.bitwidth() {
                if format.value(code).is_some_and(|value| seen.insert(value)) {
                    values.push((format, code));
                }
            }
        }
        values
    }

    fn functions(arity: usize) -> impl Iterator<Item = Operation> {
        let all = Operation::ALL.iter().copied();
        let functions = all
            .skip_while(|operation| *operation != Operation::RSqrt)
            .take_while(|operation| *operation != Operation::Minimum);
        functions.filter(move |operation| operation.arity() == arity)
    }

    fn differs(operation: Operation, x: (FormatSpec, u64), y: (FormatSpec, u64)) -> bool {
        let decode =
            |(format, code): (FormatSpec, u64)| Exact::<u32>::decode_spec(format, code as u32);
        let slim = apply::<true>(operation, decode(x), decode(y), Revision::Interim4);
        let slim = match slim.kind() {
            Kind::Nan => Nan,
            Kind::Infinite => Infinite(slim.sign()),
            _ => Finite(slim),
        };
        let wide = operation.apply(
            [x, y, y].map(|(f, code)| f.decode(code)),
            Revision::Interim4,
        );
        let slim = prefix_of(slim, |_| false);
        let wide = prefix_of(wide, |x| x.has_more_than_high());
        if slim != wide {
            std::println!("{} {x:?} {y:?}: {slim:X?} {wide:X?}", operation.name());
        }
        slim != wide
    }

    #[test]
    fn functions_of_one_have_the_bits_of_the_wide_ones() {
        let values = values();
        assert_eq!(values.len(), 1465);
        for operation in functions(1) {
            assert!(!values.iter().any(|&x| differs(operation, x, x)));
        }
    }

    /// `ci/p3109.sh` runs it.
    #[test]
    #[ignore = "half a minute where it is optimised"]
    fn functions_of_two_have_the_bits_of_the_wide_ones() {
        let values = values();
        for operation in functions(2) {
            for &x in &values {
                assert!(!values.iter().any(|&y| differs(operation, x, y)));
            }
        }
    }
}
