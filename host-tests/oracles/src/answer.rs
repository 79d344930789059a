//! The answer for one input, in every mode at once.

use super::datum::Datum;
use super::finish;
use super::format::Format;
use super::located::{Located, Place, goes_up};
use sweep_inputs::Overflow;
use sweep_row::{Output, RoundingArg, Ty};

/// The oracle's result for one input, independent of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The same in every mode.
    Fixed(Output),
    /// A NaN.
    Nan {
        format: &'static Format,
        invalid: bool,
    },
    /// An exact infinity, from an operand or (`by_zero`) from a division by zero.
    Infinite {
        format: &'static Format,
        negative: bool,
        by_zero: bool,
    },
    /// An exact zero whose sign the operation gives.
    Zero {
        format: &'static Format,
        negative: bool,
    },
    /// An exact zero from a cancellation.
    Cancelled { format: &'static Format },
    /// Finite and not zero.
    Located(Located),
    /// To be rounded to an integral value of the same format.
    Integral(Integral),
    /// To be rounded to an integer type.
    Integer(Integer),
    /// Two results, with the flags of both.
    Two([Located; 2]),
    /// A rounded factor times an operand, rounded.
    Scaled(Scaled),
}

/// A gradient: the derivative is rounded to the format, and its product with the upstream
/// gradient is, in the same mode and with the flags of both steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scaled {
    pub format: &'static Format,
    pub factor: Factor,
    /// The bits of the upstream gradient.
    pub grad: u64,
}

/// A derivative before it is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Factor {
    Located(Located),
    Zero {
        negative: bool,
    },
    Infinite {
        negative: bool,
    },
    /// A parameter times an operand, rounded.
    Nan {
        invalid: bool,
    },
}

/// A finite value between two integral ones of the same format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integral {
    pub negative: bool,
    /// The bits of the lower and of the upper neighbour, signs included.
    pub neighbours: [u64; 2],
    /// The parity of the lower one.
    pub odd: bool,
    pub place: Place,
    pub fraction: Option<u16>,
}

/// The result for a value outside of an integer's range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// The nearer end of the type's range, and invalid.
    Invalid,
    /// The nearer one of these ends, and overflow.
    Clamped { least: i128, greatest: i128 },
}

/// A finite value between two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    pub ty: Ty,
    pub outside: Outside,
    pub negative: bool,
    /// The lower neighbour's magnitude. A magnitude of at least 2^64 is outside of every type's
    /// range in every mode, so it does not occur here.
    pub lower: u64,
    pub place: Place,
    pub fraction: Option<u16>,
}

impl Answer {
    /// The result bits and the flags in a mode.
    ///
    /// # Panics
    ///
    /// With stochastic rounding, if the fractions were not requested.
    #[must_use]
    #[inline]
    pub fn output(&self, rounding: RoundingArg, overflow: Overflow) -> Output {
        match self {
            Self::Fixed(output) => *output,
            Self::Nan { format, invalid } => finish::nan(format, *invalid),
            Self::Infinite {
                format,
                negative,
                by_zero,
            } => finish::infinite(format, *negative, *by_zero, overflow),
            Self::Zero { format, negative } => finish::output(format.signed(*negative, 0), 0),
            Self::Cancelled { format } => finish::cancelled(format, rounding),
            Self::Located(located) => finish::finite(located, rounding, overflow),
            Self::Integral(integral) => integral.output(rounding),
            Self::Integer(integer) => integer.output(rounding),
            Self::Two(both) => {
                let [first, second] =
                    both.map(|located| finish::finite(&located, rounding, overflow));
                Output {
                    results: [first.results[0], second.results[0]],
                    flags: first.flags | second.flags,
                }
            }
            Self::Scaled(scaled) => scaled.output(rounding, overflow),
        }
    }
}

impl Scaled {
    fn output(&self, rounding: RoundingArg, overflow: Overflow) -> Output {
        let format = self.format;
        let factor = match self.factor {
            Factor::Located(located) => Answer::Located(located),
            Factor::Zero { negative } => Answer::Zero { format, negative },
            Factor::Nan { invalid } => Answer::Nan { format, invalid },
            Factor::Infinite { negative } => Answer::Infinite {
                format,
                negative,
                by_zero: false,
            },
        }
        .output(rounding, overflow);
        let (a, b) = (format.decode(factor.results[0]), format.decode(self.grad));
        let product = product(format, a, b).output(rounding, overflow);
        finish::output(product.results[0], factor.flags | product.flags)
    }
}

/// The exact product of two numbers of a format of 16 bits.
fn product(format: &'static Format, x: Datum, y: Datum) -> Answer {
    let nan = |invalid| Answer::Nan { format, invalid };
    match (x, y) {
        (Datum::Nan { .. }, _) | (_, Datum::Nan { .. }) => {
            nan(x.is_signalling() || y.is_signalling())
        }
        (Datum::Infinity { negative: p }, Datum::Infinity { negative: q }) => Answer::Infinite {
            format,
            negative: p != q,
            by_zero: false,
        },
        (Datum::Infinity { negative: p }, finite) | (finite, Datum::Infinity { negative: p }) => {
            match finite {
                Datum::Finite { magnitude, .. } if magnitude.is_zero() => nan(true),
                Datum::Finite { negative: q, .. } => Answer::Infinite {
                    format,
                    negative: p != q,
                    by_zero: false,
                },
                _ => unreachable!("finite"),
            }
        }
        (
            Datum::Finite {
                negative: p,
                magnitude: m,
            },
            Datum::Finite {
                negative: q,
                magnitude: n,
            },
        ) => {
            let negative = p != q;
            if m.is_zero() || n.is_zero() {
                Answer::Zero { format, negative }
            } else {
                Answer::Located(Located::product(format, negative, m, n))
            }
        }
    }
}

const NO_FRACTION: &str = "stochastic rounding needs `answer_stochastic`";

impl Integral {
    fn output(&self, rounding: RoundingArg) -> Output {
        let fraction = || self.fraction.expect(NO_FRACTION);
        let up = goes_up(self.place, self.negative, self.odd, rounding, fraction);
        let inexact = self.place != Place::Exact;
        finish::output(
            self.neighbours[usize::from(up)],
            if inexact { finish::flag::INEXACT } else { 0 },
        )
    }
}

/// The least and the greatest value of an integer type.
pub(super) fn range(ty: Ty) -> Option<(i128, i128)> {
    Some(match ty {
        Ty::I8 => (i8::MIN.into(), i8::MAX.into()),
        Ty::I16 => (i16::MIN.into(), i16::MAX.into()),
        Ty::I32 => (i32::MIN.into(), i32::MAX.into()),
        Ty::I64 => (i64::MIN.into(), i64::MAX.into()),
        Ty::U8 => (0, u8::MAX.into()),
        Ty::U16 => (0, u16::MAX.into()),
        Ty::U32 => (0, u32::MAX.into()),
        Ty::U64 => (0, u64::MAX.into()),
        _ => return None,
    })
}

/// An integer as the bits of its type, the upper bits of the word zero.
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "two's complement"
)]
pub(super) const fn integer_bits(ty: Ty, value: i128) -> u64 {
    (value as u64) & (u64::MAX >> (64 - ty.bits()))
}

/// The result for a value outside of an integer type's range in every mode: the nearer end, and
/// invalid.
pub(super) fn out_of_range(ty: Ty, negative: bool) -> Answer {
    let (least, greatest) = range(ty).expect("an integer type");
    let value = if negative { least } else { greatest };
    Answer::Fixed(finish::output(
        integer_bits(ty, value),
        finish::flag::INVALID,
    ))
}

const CLAMPED: u8 = finish::flag::OVERFLOW | finish::flag::INEXACT;

/// An MXINT8 element, as a multiple of 2^-6.
pub(super) struct Mxint8 {
    least: i128,
}

impl Mxint8 {
    /// The encoder's range, by its name.
    pub fn of(op: &str) -> Option<Self> {
        Some(Self {
            least: match op {
                "mxint8_encode" => -128,
                "mxint8_encode_symmetric" => -127,
                _ => return None,
            },
        })
    }

    pub const fn outside(&self) -> Outside {
        Outside::Clamped {
            least: self.least,
            greatest: 127,
        }
    }

    /// The element for an infinity, or for a value that is large enough to count as one.
    pub fn clamped(&self, negative: bool) -> Answer {
        let value = if negative { self.least } else { 127 };
        Answer::Fixed(finish::output(integer_bits(Ty::Mxint8, value), CLAMPED))
    }

    /// There is no NaN: the greatest element, and invalid.
    pub fn nan() -> Answer {
        Answer::Fixed(finish::output(0x7F, finish::flag::INVALID))
    }
}

impl Integer {
    fn output(&self, rounding: RoundingArg) -> Output {
        let fraction = || self.fraction.expect(NO_FRACTION);
        let up = goes_up(
            self.place,
            self.negative,
            self.lower % 2 == 1,
            rounding,
            fraction,
        );
        let magnitude = i128::from(self.lower) + i128::from(up);
        let value = if self.negative { -magnitude } else { magnitude };
        let ((least, greatest), outside) = match self.outside {
            Outside::Invalid => (range(self.ty).expect("an integer"), finish::flag::INVALID),
            Outside::Clamped { least, greatest } => ((least, greatest), CLAMPED),
        };
        if value < least {
            finish::output(integer_bits(self.ty, least), outside)
        } else if value > greatest {
            finish::output(integer_bits(self.ty, greatest), outside)
        } else {
            let inexact = self.place != Place::Exact;
            finish::output(
                integer_bits(self.ty, value),
                if inexact { finish::flag::INEXACT } else { 0 },
            )
        }
    }
}
