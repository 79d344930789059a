//! Dot products of MX blocks as sums of integers of any length, located among the result format's
//! numbers by comparisons only.

use super::steps::{Steps, expected};
use super::{Code, power, value};
use bitexact::reduce::Accumulation;
use bitexact::{Mode, Status};
use dashu_int::{IBig, UBig};
use host_tests::oracle::{Answer, Dyadic, Format, Located, Place, Tiny};
use std::cmp::Ordering;

/// All products are multiples of 2^UNIT.
const UNIT: i32 = -40;

/// The magnitude `n * 2^e`.
struct Magnitude {
    n: UBig,
    e: i32,
}

impl Magnitude {
    fn compare(&self, cut: Dyadic) -> Ordering {
        let low = self.e.min(cut.e);
        let at = |n: UBig, e: i32| n << (e - low) as usize;
        at(self.n.clone(), self.e).cmp(&at(UBig::from(cut.m), cut.e))
    }

    fn place(&self, low: Dyadic) -> Place {
        if self.compare(low) == Ordering::Equal {
            return Place::Exact;
        }
        match self.compare(Dyadic::new(2 * low.m + 1, low.e - 1)) {
            Ordering::Less => Place::Below,
            Ordering::Equal => Place::Middle,
            Ordering::Greater => Place::Above,
        }
    }

    /// Locates it among the format's numbers.
    fn locate(&self, format: &'static Format, negative: bool) -> Located {
        let above = |code: u64| self.compare(format.magnitude(code)) == Ordering::Less;
        let (mut low, mut high) = (0, format.largest + 2);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if above(middle) {
                high = middle
            } else {
                low = middle
            }
        }
        if low > format.largest {
            return Located {
                format,
                negative,
                code: format.largest,
                place: None,
                tiny: Tiny::No,
                fractions: None,
            };
        }
        let gap = format.magnitude(low);
        let tiny = if !self.compare(format.least_normal()).is_lt() {
            Tiny::No
        } else {
            // The last number of p bits below the least normal one is the midpoint of the last gap.
            let edge = Dyadic::new(2 * gap.m + 1, gap.e - 1);
            let last = format.magnitude(low + 1) == format.least_normal();
            if last && self.compare(edge) == Ordering::Greater {
                Tiny::Edge(self.place(edge))
            } else {
                Tiny::Yes
            }
        };
        Located {
            format,
            negative,
            code: low,
            place: Some(self.place(gap)),
            tiny,
            fractions: None,
        }
    }
}

/// A pair of blocks: codes and scale of each.
pub type Pair<'a> = (&'a [u8], u8, &'a [u8], u8);

/// The dot product of a pair of blocks, by the rules of the documentation.
pub fn model<A: Code, B: Code>(
    a: &[u8],
    a_scale: u8,
    b: &[u8],
    b_scale: u8,
    format: &'static Format,
) -> Answer {
    model_of_all::<A, B>(&[(a, a_scale, b, b_scale)], format)
}

/// The same for all products of many pairs together.
pub fn model_of_all<A: Code, B: Code>(pairs: &[Pair], format: &'static Format) -> Answer {
    // In units of 2^(UNIT - 254).
    let mut sum = IBig::ZERO;
    let (mut plus, mut minus, mut up, mut down) = (false, false, false, false);
    let (mut nan, mut invalid) = (false, false);
    for (a, a_scale, b, b_scale) in pairs {
        let mut products = IBig::ZERO;
        nan |= *a_scale == 0xFF || *b_scale == 0xFF;
        for (a, b) in a.iter().zip(*b) {
            let (x, y) = (value::<A>(*a), value::<B>(*b));
            if x.is_nan() || y.is_nan() {
                nan = true;
                let signals = |z: f64| z.is_nan() && z.to_bits() & 1 << 51 == 0;
                invalid |= signals(x) || signals(y);
            } else if x.is_infinite() && y == 0.0 || x == 0.0 && y.is_infinite() {
                invalid = true;
            } else {
                let negative = x.is_sign_negative() != y.is_sign_negative();
                if x.is_infinite() || y.is_infinite() {
                    up |= !negative;
                    down |= negative;
                } else {
                    plus |= !negative;
                    minus |= negative;
                    // Integers below 2^37 each: exact in f64, and multiplied as big ones.
                    let unit = power(-UNIT / 2);
                    products += IBig::from((x * unit) as i64) * IBig::from((y * unit) as i64);
                }
            }
        }
        sum += products << (usize::from(*a_scale) + usize::from(*b_scale));
    }
    invalid |= up && down;
    if nan || invalid {
        return Answer::Nan { format, invalid };
    }
    if up || down {
        return Answer::Infinite {
            format,
            negative: down,
            by_zero: false,
        };
    }
    if sum == IBig::ZERO {
        return if plus && minus {
            Answer::Cancelled { format }
        } else {
            Answer::Zero {
                format,
                negative: minus,
            }
        };
    }
    let negative = sum < IBig::ZERO;
    let n = UBig::try_from(if negative { -sum } else { sum }).unwrap();
    Answer::Located(Magnitude { n, e: UNIT - 254 }.locate(format, negative))
}

/// The general dot product of pairs in a format, by an accumulation and in a mode; `steps` depend
/// only on the format.
pub fn general<'s, A: Code, B: Code>(
    pairs: &[Pair],
    format: &'static Format,
    steps: &'s Steps,
) -> impl Fn(Accumulation, Mode) -> (u64, Status) + use<'s, A, B> {
    let exact = model_of_all::<A, B>(pairs, format);
    let dots: Vec<Answer> = pairs
        .iter()
        .map(|pair| model_of_all::<A, B>(&[*pair], format))
        .collect();
    move |how, mode| match how {
        Accumulation::Exact => expected(&exact, mode),
        Accumulation::Declared(order) => {
            let mut union = Status::NONE;
            let dots = dots.iter().map(|dot| {
                let (dot, status) = expected(dot, mode);
                union |= status;
                dot
            });
            let dots: Vec<u64> = dots.collect();
            let (sum, status) = steps.sum(&dots, order, mode);
            (sum, union | status)
        }
    }
}

/// The pairs of blocks of two rows; the last block may be shorter.
pub fn pairs<'a>(
    a: &'a [u8],
    a_scales: &'a [u8],
    b: &'a [u8],
    b_scales: &'a [u8],
    block: usize,
) -> Vec<Pair<'a>> {
    let at = |k: usize| k * block..(k * block + block).min(a.len());
    (0..a.len().div_ceil(block))
        .map(|k| (&a[at(k)], a_scales[k], &b[at(k)], b_scales[k]))
        .collect()
}
