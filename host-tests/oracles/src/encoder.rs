//! E8M0 encoding, decided only by comparisons of the exact magnitude with `2^k` and `1.5 * 2^k`;
//! both comparators use it.

use super::finish::{flag, output};
use super::policy::{OverflowTest, Policy, ScaleRounding};
use std::cmp::Ordering;
use sweep_row::Output;

/// The boundaries that the encoder compares with.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// `2^k`
    Power(i32),
    /// `1.5 * 2^k`
    Middle(i32),
}

/// An operand, as the encoder needs it.
pub(super) enum Operand<C> {
    Nan {
        signalling: bool,
    },
    Zero,
    Infinity {
        negative: bool,
    },
    /// Not zero; the greatest `k` with `2^k <= |x|`, and how `|x|` compares with a boundary.
    Finite {
        negative: bool,
        k: i32,
        compare: C,
    },
}

const LEAST: i32 = -127;
const GREATEST: i32 = 127;

pub(super) fn encode(policy: &Policy, operand: Operand<impl Fn(Cut) -> Ordering>) -> Output {
    let (byte, flags) = match operand {
        Operand::Nan { signalling } => (policy.nan, if signalling { flag::INVALID } else { 0 }),
        Operand::Zero => (
            policy.zero,
            invalid_or(policy.zero, flag::UNDERFLOW | flag::INEXACT),
        ),
        // Below zero, if the policy has a byte for that.
        Operand::Infinity { negative: true } | Operand::Finite { negative: true, .. }
            if policy.negative.is_some() =>
        {
            (policy.negative.expect("just seen"), flag::INVALID)
        }
        Operand::Infinity { .. } => (
            policy.infinity,
            invalid_or(policy.infinity, flag::OVERFLOW | flag::INEXACT),
        ),
        Operand::Finite { k, compare, .. } => finite(policy, k, compare),
    };
    output(byte.into(), flags)
}

const fn invalid_or(byte: u8, flags: u8) -> u8 {
    if byte == 0xFF { flag::INVALID } else { flags }
}

fn finite(policy: &Policy, k: i32, compare: impl Fn(Cut) -> Ordering) -> (u8, u8) {
    assert!(
        compare(Cut::Power(k)) != Ordering::Less,
        "k is the floor of the logarithm"
    );
    assert!(
        compare(Cut::Power(k + 1)) == Ordering::Less,
        "k is the floor of the logarithm"
    );
    let below_range = compare(Cut::Power(LEAST)) == Ordering::Less;
    if below_range && let Some(byte) = policy.under {
        return (byte, invalid_or(byte, flag::UNDERFLOW | flag::INEXACT));
    }
    let rounded = round(policy.rounding, k, &compare);
    let too_large = rounded > GREATEST
        || policy.overflow_test == OverflowTest::BeforeRounding
            && compare(Cut::Power(GREATEST)) == Ordering::Greater;
    if too_large {
        return (policy.overflow, flag::OVERFLOW | flag::INEXACT);
    }
    let scale = rounded.max(LEAST);
    let byte = u8::try_from(scale - LEAST).expect("in range");
    let flags = if below_range {
        flag::UNDERFLOW | flag::INEXACT
    } else if compare(Cut::Power(scale)) == Ordering::Equal {
        0
    } else {
        flag::INEXACT
    };
    (byte, flags)
}

/// The exponent of the power of two that the magnitude is rounded to.
fn round(rounding: ScaleRounding, k: i32, compare: impl Fn(Cut) -> Ordering) -> i32 {
    let up = match rounding {
        ScaleRounding::Floor => false,
        ScaleRounding::Ceiling => compare(Cut::Power(k)) == Ordering::Greater,
        ScaleRounding::CeilingOfField => {
            if compare(Cut::Power(LEAST + 1)) == Ordering::Less {
                return LEAST + 1;
            }
            compare(Cut::Power(k)) == Ordering::Greater
        }
        ScaleRounding::NearestUp => compare(Cut::Middle(k)) != Ordering::Less,
        ScaleRounding::NearestUpQuirk if k == LEAST => compare(Cut::Power(k)) == Ordering::Greater,
        ScaleRounding::NearestUpQuirk => compare(Cut::Middle(k)) != Ordering::Less,
        ScaleRounding::NearestEvenCode => match compare(Cut::Middle(k)) {
            Ordering::Less => false,
            Ordering::Equal => (k - LEAST) % 2 != 0,
            Ordering::Greater => true,
        },
    };
    if up { k + 1 } else { k }
}
