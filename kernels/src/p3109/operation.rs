//! The operations on closed extended reals (4.9 to 4.11 of the report).

use super::elementary as e;
use super::number::Number::{self, Finite, Infinite, Nan};
use super::real::Real;
use super::real384;
use super::sum;
use crate::format::FormatSpec;
use crate::round::Revision;
use core::cmp::Ordering;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $arity:literal,)*) => {
        /// An operation that rounds: its exact result is projected to the result's format.
        ///
        /// The names are the report's. Each gives NaN where an operand is NaN, unless it says
        /// otherwise. There is no negative zero. The infinity in a result is subject to saturation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum Operation { $($(#[$doc])* $name,)* }

        impl Operation {
            /// All of them, in the report's order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The report's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// How many operands it takes: from 1 to 3.
            #[must_use]
            pub const fn arity(self) -> usize {
                match self { $(Self::$name => $arity,)* }
            }
        }
    };
}

operations! {
    /// The operand.
    Convert 1,
    /// The magnitude.
    Abs 1,
    /// The opposite; of zero, zero.
    Negate 1,
    /// x's magnitude with y's sign, which is plus for zero.
    CopySign 2,
    /// x + y. Opposite infinities give NaN.
    Add 2,
    /// x - y. Equal infinities give NaN.
    Subtract 2,
    /// x y. Zero times an infinity is NaN.
    Multiply 2,
    /// x / y. Anything over zero is NaN, and so are two infinities.
    Divide 2,
    /// x y + z, rounded once. As Multiply and Add for infinities.
    FMA 3,
    /// x + y + z, rounded once. Opposite infinities give NaN.
    FAA 3,
    /// The square root. Below zero it is NaN.
    Sqrt 1,
    /// 1 / x. Of zero it is NaN, of infinities zero.
    Recip 1,
    /// 1 / sqrt x. Of zero and below it is NaN.
    RSqrt 1,
    /// e^x.
    Exp 1,
    /// 2^x.
    Exp2 1,
    /// ln x. Of zero it is -Inf, below NaN.
    Log 1,
    /// log2 x. Of zero it is -Inf, below NaN.
    Log2 1,
    /// ln(1 + x). Of -1 it is -Inf, below NaN.
    LogOnePlus 1,
    /// e^x - 1.
    ExpMinusOne 1,
    /// The sine of radians. Of infinities it is NaN.
    Sin 1,
    /// The cosine of radians. Of infinities it is NaN.
    Cos 1,
    /// The tangent of radians. Of infinities it is NaN.
    Tan 1,
    /// The arc sine. Beyond 1 it is NaN.
    ArcSin 1,
    /// The arc cosine. Beyond 1 it is NaN.
    ArcCos 1,
    /// The arc tangent. Of infinities it is pi/2 or -pi/2.
    ArcTan 1,
    /// The hyperbolic sine.
    Sinh 1,
    /// The hyperbolic cosine.
    Cosh 1,
    /// The hyperbolic tangent.
    Tanh 1,
    /// The area hyperbolic sine.
    ArcSinh 1,
    /// The area hyperbolic cosine. Below 1 it is NaN.
    ArcCosh 1,
    /// The area hyperbolic tangent. Of 1 and -1 it is an infinity, beyond NaN.
    ArcTanh 1,
    /// sin(pi x). Of infinities it is NaN.
    SinPi 1,
    /// cos(pi x). Of infinities it is NaN.
    CosPi 1,
    /// tan(pi x). Of infinities and at the poles it is NaN.
    TanPi 1,
    /// asin(x) / pi. Beyond 1 it is NaN.
    ArcSinPi 1,
    /// acos(x) / pi. Beyond 1 it is NaN.
    ArcCosPi 1,
    /// atan(x) / pi. Of infinities it is 1/2 or -1/2.
    ArcTanPi 1,
    /// ln(1 + e^x).
    Softplus 1,
    /// sqrt(x^2 + y^2). NaN wins over an infinity.
    Hypot 2,
    /// The angle of the point whose ordinate is the first operand. Two zeros and two infinities
    /// give NaN.
    ArcTan2 2,
    /// The same over pi.
    ArcTan2Pi 2,
    /// The smaller operand.
    Minimum 2,
    /// The greater operand.
    Maximum 2,
    /// The smaller operand; a number wins over NaN.
    MinimumNumber 2,
    /// The greater operand; a number wins over NaN.
    MaximumNumber 2,
    /// The operand with the smaller magnitude; of equal ones the smaller operand.
    MinimumMagnitude 2,
    /// The operand with the greater magnitude; of equal ones the greater operand.
    MaximumMagnitude 2,
    /// As MinimumMagnitude; a number wins over NaN.
    MinimumMagnitudeNumber 2,
    /// As MaximumMagnitude; a number wins over NaN.
    MaximumMagnitudeNumber 2,
    /// The smaller operand; a finite one wins over an infinity, and this over NaN.
    MinimumFinite 2,
    /// The greater operand; a finite one wins over an infinity, and this over NaN.
    MaximumFinite 2,
    /// The second operand where the first is below, the third where it is above, else the first.
    /// NaN where the second is greater than the third.
    Clamp 3,
}

impl Operation {
    /// The operation of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|operation| operation.name() == name)
    }

    /// The largest exponent of an operand, where the operation has a limit.
    pub(super) const fn largest_exponent(self) -> Option<i32> {
        match self {
            Self::Sin | Self::Cos | Self::Tan => Some(real384::LARGEST_ANGLE),
            _ => None,
        }
    }

    /// Whether operands may have this format.
    pub(super) const fn takes(self, format: FormatSpec) -> bool {
        match self.largest_exponent() {
            Some(limit) => format.largest_exponent() <= limit,
            None => true,
        }
    }

    /// The exact result: a dyadic rational, or one rounded to odd in 320 bits. Operands that the
    /// operation does not have are ignored.
    pub(super) fn apply(self, [x, y, z]: [Number; 3], revision: Revision) -> Number {
        match self {
            Self::MinimumNumber | Self::MaximumNumber => {
                drop_where(Number::is_nan, x, y, |x, y| {
                    extremum(x, y, matches!(self, Self::MaximumNumber), false)
                })
            }
            Self::MinimumMagnitudeNumber | Self::MaximumMagnitudeNumber => {
                drop_where(Number::is_nan, x, y, |x, y| {
                    let greater = matches!(self, Self::MaximumMagnitudeNumber);
                    extremum(x, y, greater, true)
                })
            }
            Self::MinimumFinite | Self::MaximumFinite => {
                drop_where(Number::is_nan, x, y, |x, y| {
                    drop_where(is_infinite, x, y, |x, y| {
                        extremum(x, y, matches!(self, Self::MaximumFinite), false)
                    })
                })
            }
            _ => {
                let operands = [x, y, z];
                let mut given = operands.iter().take(self.arity());
                if given.any(|operand| operand.is_nan()) {
                    return Nan;
                }
                match self.arity() {
                    1 => self.of_one(x, revision),
                    2 => self.of_two(x, y, revision),
                    _ => self.of_three(x, y, z),
                }
            }
        }
    }

    fn of_one(self, x: Number, revision: Revision) -> Number {
        match self {
            Self::Convert => x,
            Self::Abs => x.magnitude(),
            Self::Negate => x.negate(),
            _ => self.function_of_one(x, revision),
        }
    }

    /// Sqrt, Recip and the functions of one operand.
    #[inline(always)]
    pub(super) fn function_of_one<R: Real>(self, x: Number<R>, revision: Revision) -> Number<R> {
        match x {
            Nan => Nan,
            Infinite(negative) => self.of_infinity(negative),
            Finite(x) if x.is_zero() => self.of_zero(),
            Finite(x) => self.of_finite(&x, revision),
        }
    }

    #[inline(always)]
    fn of_infinity<R: Real>(self, negative: bool) -> Number<R> {
        match self {
            Self::Sqrt | Self::Log | Self::Log2 | Self::LogOnePlus | Self::ArcCosh if negative => {
                Nan
            }
            Self::RSqrt if negative => Nan,
            Self::Recip | Self::RSqrt => Number::ZERO,
            Self::Exp | Self::Exp2 | Self::Softplus if negative => Number::ZERO,
            Self::ExpMinusOne if negative => Number::ONE.negate(),
            Self::Tanh => Finite(R::ONE.negate_if(negative)),
            Self::ArcTan => Finite(R::QUARTER_TURN.inexact().negate_if(negative)),
            Self::ArcTanPi => Finite(R::ONE.scaled(-1).negate_if(negative)),
            Self::Cosh => Infinite(false),
            Self::Sqrt
            | Self::Exp
            | Self::Exp2
            | Self::ExpMinusOne
            | Self::Log
            | Self::Log2
            | Self::LogOnePlus
            | Self::Sinh
            | Self::ArcSinh
            | Self::ArcCosh
            | Self::Softplus => Infinite(negative),
            // The circular functions, and those that are defined up to 1.
            _ => Nan,
        }
    }

    #[inline(always)]
    fn of_zero<R: Real>(self) -> Number<R> {
        match self {
            Self::Recip | Self::RSqrt | Self::ArcCosh => Nan,
            Self::Exp | Self::Exp2 | Self::Cos | Self::CosPi | Self::Cosh => Number::ONE,
            Self::Log | Self::Log2 => Infinite(true),
            Self::ArcCos => Finite(R::QUARTER_TURN.inexact()),
            Self::ArcCosPi => Finite(R::ONE.scaled(-1)),
            Self::Softplus => Finite(e::log(&R::from_small(2))),
            _ => Number::ZERO,
        }
    }

    /// Of a number other than zero.
    #[inline(always)]
    fn of_finite<R: Real>(self, x: &R, revision: Revision) -> Number<R> {
        let one = x.compare_magnitude(&R::ONE);
        Finite(match self {
            Self::Sqrt | Self::RSqrt | Self::Log | Self::Log2 if x.is_negative() => return Nan,
            Self::Sqrt => x.root(),
            Self::Recip => R::ONE.over(x),
            // An even power of two, or irrational, or no dyadic rational.
            Self::RSqrt if x.exponent() & 1 == 0 && x.scaled(-x.exponent()).is_one() => {
                R::ONE.scaled(-x.exponent() / 2)
            }
            Self::RSqrt => x.reciprocal_root().inexact(),
            Self::Exp => e::exp(x),
            Self::Exp2 => e::exp2(x),
            Self::Log => e::log(x),
            Self::Log2 => e::log2(x),
            Self::LogOnePlus if x.is_negative() && one.is_eq() => return Infinite(true),
            Self::LogOnePlus if x.is_negative() && one.is_gt() => return Nan,
            Self::LogOnePlus => e::log_one_plus(x),
            Self::ExpMinusOne => e::exp_minus_one(x),
            // Beyond the bits of 2/pi: no operand of a supported format.
            Self::Sin | Self::Cos | Self::Tan if x.exponent() > real384::LARGEST_ANGLE.into() => {
                return Nan;
            }
            Self::Sin => e::sin(x),
            Self::Cos => e::cos(x),
            Self::Tan => e::tan(x),
            Self::ArcSin | Self::ArcCos | Self::ArcSinPi | Self::ArcCosPi if one.is_gt() => {
                return Nan;
            }
            Self::ArcSin => e::asin(x),
            Self::ArcCos => e::acos(x),
            Self::ArcSinPi => e::asin_pi(x),
            Self::ArcCosPi => e::acos_pi(x),
            Self::ArcTan => e::atan(x),
            Self::ArcTanPi => e::atan_pi(x),
            Self::Sinh => e::sinh(x),
            Self::Cosh => e::cosh(x),
            Self::Tanh => e::tanh(x),
            Self::ArcSinh => e::asinh(x),
            Self::ArcCosh if x.is_negative() || one.is_lt() => return Nan,
            Self::ArcCosh => e::acosh(x),
            Self::ArcTanh if one.is_eq() => return Infinite(x.is_negative()),
            Self::ArcTanh if one.is_gt() => return Nan,
            Self::ArcTanh => e::atanh(x),
            Self::SinPi => e::sin_pi(x),
            Self::CosPi => e::cos_pi(x),
            Self::TanPi => match (e::tan_pi(x), revision) {
                (Ok(tangent), _) => tangent,
                (Err(_), Revision::Interim4) => return Nan,
                (Err(negative), Revision::July2026) => return Infinite(negative),
            },
            Self::Softplus => e::softplus(x),
            _ => *x,
        })
    }

    fn of_two(self, x: Number, y: Number, revision: Revision) -> Number {
        match self {
            Self::CopySign if y.is_negative() => x.magnitude().negate(),
            Self::CopySign => x.magnitude(),
            Self::Add => x.plus(y),
            Self::Subtract => x.plus(y.negate()),
            Self::Multiply => x.times(y),
            Self::Divide => x.over(y),
            Self::Hypot | Self::ArcTan2 | Self::ArcTan2Pi => self.function_of_two(x, y, revision),
            Self::Minimum => extremum(x, y, false, false),
            Self::Maximum => extremum(x, y, true, false),
            Self::MinimumMagnitude => extremum(x, y, false, true),
            _ => extremum(x, y, true, true),
        }
    }

    /// Hypot, ArcTan2 and ArcTan2Pi.
    #[inline(always)]
    pub(super) fn function_of_two<R: Real>(
        self,
        x: Number<R>,
        y: Number<R>,
        revision: Revision,
    ) -> Number<R> {
        match (x, y) {
            (Nan, _) | (_, Nan) => Nan,
            _ if !matches!(self, Self::Hypot) => self.angle(x, y, revision),
            (Finite(x), Finite(y)) => {
                let sum = x.times(&x).plus(&y.times(&y)).odd();
                Finite(if sum.is_zero() { sum } else { sum.root() })
            }
            _ => Infinite(false),
        }
    }

    /// ArcTan2 and ArcTan2Pi of two that are not NaN.
    #[inline(always)]
    fn angle<R: Real>(self, y: Number<R>, x: Number<R>, revision: Revision) -> Number<R> {
        let over_pi = matches!(self, Self::ArcTan2Pi);
        let half_turns = |halves: i64| {
            let exact = R::from_small(halves).scaled(-1);
            Finite(if over_pi {
                exact
            } else {
                exact.times(&R::PI).inexact()
            })
        };
        let zeros = y.is_zero() && x.is_zero();
        match (y, x) {
            _ if zeros => Nan,
            (Infinite(_), Infinite(_)) => Nan,
            (_, Infinite(false)) => Number::ZERO,
            (_, Infinite(true)) => {
                let below = y.is_negative() && matches!(revision, Revision::July2026);
                half_turns(if below { -2 } else { 2 })
            }
            (Infinite(negative), _) => half_turns(if negative { -1 } else { 1 }),
            _ if y.is_zero() && x.is_negative() => half_turns(2),
            _ if y.is_zero() => Number::ZERO,
            _ if x.is_zero() => half_turns(if y.is_negative() { -1 } else { 1 }),
            (Finite(y), Finite(x)) if over_pi => Finite(e::atan2_pi(&y, &x)),
            (Finite(y), Finite(x)) => Finite(e::atan2(&y, &x)),
            _ => Nan,
        }
    }

    fn of_three(self, x: Number, y: Number, z: Number) -> Number {
        match self {
            Self::FMA => x.times(y).plus(z),
            Self::FAA => sum::sum([x, y, z].into_iter()),
            _ => {
                if y.compare(z) == Some(Ordering::Greater) {
                    Nan
                } else if x.compare(y) == Some(Ordering::Less) {
                    y
                } else if x.compare(z) == Some(Ordering::Greater) {
                    z
                } else {
                    x
                }
            }
        }
    }
}

const fn is_infinite(x: Number) -> bool {
    matches!(x, Infinite(_))
}

/// The other operand where one has a property and the other has not; else the operation.
fn drop_where(
    property: fn(Number) -> bool,
    x: Number,
    y: Number,
    operation: impl Fn(Number, Number) -> Number,
) -> Number {
    match (property(x), property(y)) {
        (true, false) => y,
        (false, true) => x,
        _ => operation(x, y),
    }
}

/// The greater or the smaller of two, by the magnitude first or by the value alone.
fn extremum(x: Number, y: Number, greater: bool, by_magnitude: bool) -> Number {
    let order = if by_magnitude {
        x.magnitude().compare(y.magnitude())
    } else {
        Some(Ordering::Equal)
    };
    let order = match order {
        Some(Ordering::Equal) => x.compare(y),
        order => order,
    };
    match order {
        None => Nan,
        Some(order) if order.is_gt() == greater => x,
        Some(_) => y,
    }
}
