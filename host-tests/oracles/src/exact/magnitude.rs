//! An exact magnitude, and its comparison with a dyadic rational.

use crate::Dyadic;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use std::cmp::Ordering;

/// An exact value that is positive.
pub(crate) enum Magnitude {
    /// So close to `base`, above or below it, that no rounding boundary is between.
    Beside { base: Dyadic, above: bool },
    /// `numerator / denominator * 2^exponent`.
    Quotient {
        numerator: UBig,
        denominator: UBig,
        exponent: i64,
    },
    /// The square root of `radicand * 2^exponent`.
    Root { radicand: UBig, exponent: i64 },
    /// The root of this degree of `numerator / denominator * 2^exponent`.
    RootOfQuotient {
        numerator: UBig,
        denominator: UBig,
        exponent: i64,
        degree: u32,
    },
}

impl Magnitude {
    /// The order of the exact value and a rounding boundary.
    pub fn compare(&self, cut: Dyadic) -> Ordering {
        if let Self::Beside { base, above } = self {
            let beyond = if *above {
                Ordering::Greater
            } else {
                Ordering::Less
            };
            return base.cmp(&cut).then(beyond);
        }
        let m = UBig::from(cut.m);
        let e = i64::from(cut.e);
        match self {
            Self::Beside { .. } => unreachable!("compared above"),
            Self::Quotient {
                numerator,
                denominator,
                exponent,
            } => compare(numerator, *exponent, &(m * denominator), e),
            Self::Root { radicand, exponent } => compare(radicand, *exponent, &(&m * &m), 2 * e),
            Self::RootOfQuotient {
                numerator,
                denominator,
                exponent,
                degree,
            } => {
                let power = m.pow(*degree as usize) * denominator;
                compare(numerator, *exponent, &power, e * i64::from(*degree))
            }
        }
    }

    /// An approximation of the value, as `f * 2^k` with `f` near 1. Only used as a hint for the
    /// search.
    pub fn hint(&self) -> (f64, i64) {
        match self {
            Self::Beside { base, .. } if base.is_zero() => (1.0, i64::MIN / 4),
            Self::Beside { base, .. } => {
                let (f, k) = leading(&UBig::from(base.m));
                (f, k + i64::from(base.e))
            }
            Self::Quotient {
                numerator,
                denominator,
                exponent,
            } => {
                let (top, k) = leading(numerator);
                let (bottom, l) = leading(denominator);
                (top / bottom, k - l + exponent)
            }
            Self::Root { radicand, exponent } => {
                let (top, k) = leading(radicand);
                let k = k + exponent;
                let odd = k.rem_euclid(2);
                (
                    (if odd == 1 { 2.0 * top } else { top }).sqrt(),
                    (k - odd) / 2,
                )
            }
            Self::RootOfQuotient {
                numerator,
                denominator,
                exponent,
                degree,
            } => {
                let (top, k) = leading(numerator);
                let (bottom, l) = leading(denominator);
                let degree = i64::from(*degree);
                let k = k - l + exponent;
                let rest = k.rem_euclid(degree);
                let value = top / bottom * (rest as f64).exp2();
                (value.powf(1.0 / degree as f64), (k - rest) / degree)
            }
        }
    }
}

/// The order of `a * 2^ea` and `b * 2^eb`: by the positions of the leading bits, and if these agree
/// by aligning, which then needs no more bits than the longer one has.
fn compare(a: &UBig, ea: i64, b: &UBig, eb: i64) -> Ordering {
    if a.is_zero() || b.is_zero() {
        return a.cmp(b);
    }
    let top = |m: &UBig, e: i64| length(m) + e;
    top(a, ea).cmp(&top(b, eb)).then_with(|| match ea.cmp(&eb) {
        Ordering::Less => a.cmp(&(b << shift(eb - ea))),
        Ordering::Equal => a.cmp(b),
        Ordering::Greater => (a << shift(ea - eb)).cmp(b),
    })
}

fn length(m: &UBig) -> i64 {
    i64::try_from(m.bit_len()).expect("fits in memory")
}

fn shift(distance: i64) -> usize {
    usize::try_from(distance).expect("not negative")
}

/// An integer as approximately `f * 2^k`, 1 <= f < 2.
#[expect(clippy::cast_precision_loss, reason = "a hint")]
fn leading(m: &UBig) -> (f64, i64) {
    let k = length(m) - 1;
    let top = if k > 62 {
        m >> shift(k - 62)
    } else {
        m << shift(62 - k)
    };
    let top = u64::try_from(top).expect("63 bits");
    (top as f64 / (1_u64 << 62) as f64, k)
}
