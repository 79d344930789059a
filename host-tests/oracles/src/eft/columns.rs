//! Sums, differences, products and quotients of 16-bit operands, many at a time: only the results,
//! in one mode, without a branch, so that LLVM vectorises it. For runs over all pairs.
//!
//! The value to round is an f64 with the same position among the format's numbers as the exact
//! value ([`Operation::value`]). The host's addition rounds it: `(m + c) - c`, with a `c` so large
//! that the sum's last place is the format's last place there. The result in another direction is
//! this one or its neighbour, which a comparison with `m` decides.

use super::values::Values;
use crate::finish;
use crate::format::Format;
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{RoundingArg, Ty};

/// A 16-bit format.
pub trait Sixteen {
    const TY: Ty;
    /// Bits, the leading one included.
    const PRECISION: u32;
    /// The exponent of the least normal number.
    const EMIN: i32;
    /// Whether f64 holds every sum exactly: from the last place, `2^(emin - p + 1)`, to below
    /// `2^(3 - emin)`.
    const EXACT_SUMS: bool = Self::PRECISION as i32 + 2 - 2 * Self::EMIN <= 53;
}

/// binary16.
pub struct Half;
/// bfloat16.
pub struct Brain;

impl Sixteen for Half {
    const TY: Ty = Ty::F16;
    const PRECISION: u32 = 11;
    const EMIN: i32 = -14;
}

impl Sixteen for Brain {
    const TY: Ty = Ty::Bf16;
    const PRECISION: u32 = 8;
    const EMIN: i32 = -126;
}

/// An operation on f64s that hold values of a 16-bit format.
pub trait Operation {
    /// An f64 that is below, equal to or above any number of at most 12 bits exactly if the exact
    /// result is.
    fn value<F: Sixteen>(a: f64, b: f64) -> f64;

    /// Whether a result of zero takes its sign from the rounding.
    #[inline(always)]
    fn cancelled(_: f64, _: f64) -> bool {
        false
    }
}

pub struct Add;
pub struct Sub;
pub struct Mul;
pub struct Div;

impl Operation for Add {
    /// The sum rounded to odd: for a sum that is not an f64, the neighbour whose last bit is 1,
    /// which is not a number of 52 bits.
    #[inline(always)]
    fn value<F: Sixteen>(a: f64, b: f64) -> f64 {
        let head = a + b;
        if F::EXACT_SUMS {
            return head;
        }
        let b_part = head - a;
        let tail = (a - (head - b_part)) + (b - b_part);
        let inward = (tail < 0.0) != (head < 0.0);
        let bits = head.to_bits();
        let odd = f64::from_bits(if inward { bits.wrapping_sub(1) } else { bits } | 1);
        // A NaN tail comes from a special operand.
        if (tail < 0.0) | (tail > 0.0) {
            odd
        } else {
            head
        }
    }

    #[inline(always)]
    fn cancelled(a: f64, b: f64) -> bool {
        (a != 0.0) | (a.is_sign_negative() != b.is_sign_negative())
    }
}

impl Operation for Sub {
    #[inline(always)]
    fn value<F: Sixteen>(a: f64, b: f64) -> f64 {
        Add::value::<F>(a, -b)
    }

    #[inline(always)]
    fn cancelled(a: f64, b: f64) -> bool {
        Add::cancelled(a, -b)
    }
}

impl Operation for Mul {
    /// Exact: at most 22 bits, exponents from -266 to 255.
    #[inline(always)]
    fn value<F: Sixteen>(a: f64, b: f64) -> f64 {
        a * b
    }
}

impl Operation for Div {
    /// The quotient rounded to 53 bits. If it is not a number `c` of 12 bits, `a - c * b` is not
    /// zero. Both terms are multiples of the same unit and have at most 23 bits, so the difference
    /// is more than 2^-24 of `a`, and rounding to 53 bits cannot turn the quotient into `c`.
    #[inline(always)]
    fn value<F: Sixteen>(a: f64, b: f64) -> f64 {
        a / b
    }
}

/// A mode, as the constants that select a result. Pairs are by sign, plus first.
#[derive(Clone, Copy)]
pub struct Rule {
    to_nearest: bool,
    ties_away: bool,
    to_odd: bool,
    /// Whether an inexact magnitude is rounded to the greater neighbour.
    up: [bool; 2],
    cancelled_minus: bool,
    overflowed: [i64; 2],
    infinite: [i64; 2],
    nan: i64,
}

impl Rule {
    /// The mode of a rounding that is not stochastic.
    ///
    /// # Panics
    ///
    /// For a type that is not a 16-bit format.
    #[must_use]
    pub fn new(ty: Ty, rounding: Rounding, overflow: Overflow) -> Self {
        let format = Format::of(ty).expect("a float format");
        assert_eq!(format.bits, 16);
        let bits = |output: sweep_row::Output| output.results[0].cast_signed();
        let arg = RoundingArg::Fixed(rounding);
        let by_sign = |of: &dyn Fn(bool) -> i64| [of(false), of(true)];
        Self {
            to_nearest: matches!(rounding, Rounding::TiesToEven | Rounding::TiesToAway),
            ties_away: rounding == Rounding::TiesToAway,
            to_odd: rounding == Rounding::ToOdd,
            up: [
                rounding == Rounding::TowardPositive,
                rounding == Rounding::TowardNegative,
            ],
            cancelled_minus: finish::cancelled(format, arg).results[0] != 0,
            overflowed: by_sign(&|minus| bits(finish::overflowed(format, minus, arg, overflow))),
            infinite: by_sign(&|minus| bits(finish::infinite(format, minus, false, overflow))),
            nan: bits(finish::nan(format, false)),
        }
    }
}

/// The values of all codes of a format, in the order of the codes.
///
/// # Panics
///
/// Never.
#[must_use]
pub fn values<F: Sixteen>() -> &'static [f64] {
    match Values::of(F::TY) {
        Some(Values::Table { all, .. }) => all,
        _ => unreachable!("16-bit formats have tables"),
    }
}

/// The results for one first operand and many second operands, given by their values.
#[inline(always)]
pub fn results<O: Operation, F: Sixteen>(rule: &Rule, a: f64, b: &[f64], out: &mut [u16]) {
    // A copy, which the results cannot overwrite.
    let rule = *rule;
    if rule.to_nearest && !rule.ties_away {
        for (out, b) in out.iter_mut().zip(b) {
            *out = result::<O, F, true>(&rule, a, *b);
        }
    } else {
        for (out, b) in out.iter_mut().zip(b) {
            *out = result::<O, F, false>(&rule, a, *b);
        }
    }
}

const EXPONENT: u64 = 0x7FF0_0000_0000_0000;

/// `2^k`, a normal f64.
const fn power(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// `EVEN`: the rule is ties to even, which needs no comparison.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "codes"
)]
#[inline(always)]
fn result<O: Operation, F: Sixteen, const EVEN: bool>(rule: &Rule, a: f64, b: f64) -> u16 {
    let digits = F::PRECISION as i32;
    let least_normal = power(F::EMIN);
    let least_code = 1i64 << (digits - 1);
    let dropped = 53 - digits;
    let offset = (least_normal.to_bits() >> dropped).cast_signed() - least_code;

    let value = O::value::<F>(a, b);
    let cancelled = (value == 0.0) & O::cancelled(a, b);
    let minus = if cancelled {
        rule.cancelled_minus
    } else {
        value.is_sign_negative()
    };
    let choose = |by_sign: [i64; 2]| if minus { by_sign[1] } else { by_sign[0] };

    let m = value.abs();
    // The power of two at or below the magnitude, or that of the subnormals' last place.
    let binade = f64::from_bits(m.to_bits() & EXPONENT);
    let binade = if binade > least_normal {
        binade
    } else {
        least_normal
    };
    let c = binade * (1.5 * power(dropped));
    let near = (m + c) - c;
    // The bits of a subnormal number are those of its sum with the least normal one.
    let small = near < least_normal;
    let lifted = near + if small { least_normal } else { 0.0 };
    let lift = if small { offset + least_code } else { offset };
    let nearest = (lifted.to_bits() >> dropped)
        .cast_signed()
        .wrapping_sub(lift);

    let lower = nearest.wrapping_sub((near > m).into());
    let inexact = near != m;
    let tie = (m - near).abs() == binade * power(-digits);
    let up = if minus { rule.up[1] } else { rule.up[0] };
    let up = if rule.to_nearest {
        (nearest != lower) | (tie & rule.ties_away)
    } else {
        inexact & up
    };
    let code = if EVEN {
        nearest
    } else {
        lower.wrapping_add(up.into()) | i64::from(inexact & rule.to_odd)
    };

    let infinity = ((1 << (16 - digits)) - 1) << (digits - 1);
    let code = if code >= infinity {
        choose(rule.overflowed)
    } else {
        code | choose([0, 0x8000])
    };
    let code = if m == f64::INFINITY {
        choose(rule.infinite)
    } else {
        code
    };
    let code = if value.is_nan() { rule.nan } else { code };
    code as u16
}
