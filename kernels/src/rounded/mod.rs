//! A number with its rounding mode in its type, for code that uses operators.
//!
//! What only calls a kernel is always inlined, so that the compiler sees the same code as for the
//! kernel alone (`ci/zero-cost.sh` compares them).

#[cfg(feature = "num-traits")]
mod traits;

#[cfg(feature = "num-traits")]
pub use traits::FromStrRadixError;

use crate::arith::{
    abs, add, compare, compare_quiet_equal, div, fma, fmod, mul, negate, sqrt, sub,
};
use crate::convert::{ParseError, Text, convert, parse_decimal};
use crate::format::{Arithmetic, Format};
use crate::round::Mode;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter, LowerExp, UpperExp};
use core::iter::{Product, Sum};
use core::marker::PhantomData;
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};
use core::str::FromStr;

/// A [`Mode`] as a type. This module has six of them; [`Saturating`] and [`SaturatingAll`] modify
/// them.
pub trait ModeType {
    /// The mode.
    const MODE: Mode;
}

macro_rules! modes {
    ($($name:ident $mode:ident;)*) => { $(
        #[doc = concat!("[`Mode::", stringify!($mode), "`] as a type.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $name;

        impl ModeType for $name {
            const MODE: Mode = Mode::$mode;
        }
    )* };
}
modes! {
    TiesToEven TIES_TO_EVEN;
    TiesToAway TIES_TO_AWAY;
    TowardZero TOWARD_ZERO;
    TowardPositive TOWARD_POSITIVE;
    TowardNegative TOWARD_NEGATIVE;
    ToOdd TO_ODD;
}

/// [`Mode::saturating`] of a mode, as a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Saturating<M>(PhantomData<M>);

impl<M: ModeType> ModeType for Saturating<M> {
    const MODE: Mode = M::MODE.saturating();
}

/// [`Mode::saturating_all`] of a mode, as a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SaturatingAll<M>(PhantomData<M>);

impl<M: ModeType> ModeType for SaturatingAll<M> {
    const MODE: Mode = M::MODE.saturating_all();
}

/// A number of the format `F` whose operators round in the mode `M`.
///
/// `a + b` is [`arith::add(a, b, M::MODE)`](crate::arith::add()), and the other operators likewise:
/// each rounds once; NaN, zeros and overflow are as there; the status is dropped. It costs as much
/// as the function with a literal mode, and takes as much memory as an `F`. For other functions use
/// [`map`](Self::map).
///
/// | operator | function | |
/// |---|---|---|
/// | `+` `-` `*` `/`, with `=` too | `add` `sub` `mul` `div` | |
/// | `%` | `fmod` | exact |
/// | unary `-` | `negate` | moves the sign bit |
/// | `==` `<` ... | `compare` | as IEEE 754: NaN is unordered, +0 equals -0 |
/// | `sum` | `add` | from the first element on; +0 if there is none |
/// | `product` | `mul` | from the first element on; 1 if there is none |
///
/// A format has no mode, so [`new`](Self::new) or `into` gives one to a number, and `parse` rounds
/// text in it. A precision, as in `{:.3}`, rounds in its direction.
///
/// ```
/// use bitexact::rounded::{Rounded, TiesToEven, TowardPositive};
/// use bitexact::{bf16, math};
///
/// type Upper = Rounded<bf16, TowardPositive>;
/// let x: Upper = "0.1".parse()?;
/// let y = x * x + x; // at least 0.11, since every step was rounded up
/// assert_eq!(format!("{y} {:.3}", y.map(math::exp)), "0.1104 1.118");
///
/// fn square<T: Copy + core::ops::Mul<Output = T>>(x: T) -> T {
///     x * x
/// }
/// let nearest: Rounded<bf16, TiesToEven> = square(x.get().into());
/// assert!(nearest.get() < square(x).get());
/// # Ok::<(), bitexact::convert::ParseError>(())
/// ```
#[repr(transparent)]
pub struct Rounded<F, M> {
    value: F,
    mode: PhantomData<M>,
}

impl<F, M> Rounded<F, M> {
    /// A number, unchanged.
    #[inline(always)]
    #[must_use]
    pub const fn new(value: F) -> Self {
        Self {
            value,
            mode: PhantomData,
        }
    }
}

impl<F: Copy, M> Rounded<F, M> {
    /// The number.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> F {
        self.value
    }
}

impl<F: Arithmetic, M: ModeType> Rounded<F, M> {
    /// The result of a function of a number and a mode, such as [`math::exp`](crate::math::exp())
    /// or [`activation::gelu`](crate::activation::gelu()).
    #[inline(always)]
    #[must_use]
    pub fn map(self, function: impl FnOnce(F, Mode) -> F) -> Self {
        Self::new(function(self.value, M::MODE))
    }

    /// `self * factor + summand`, rounded once: [`arith::fma`](crate::arith::fma()).
    #[inline(always)]
    #[must_use]
    pub fn mul_add(self, factor: Self, summand: Self) -> Self {
        Self::new(fma(self.value, factor.value, summand.value, M::MODE))
    }

    /// The square root: [`arith::sqrt`](crate::arith::sqrt()).
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        Self::new(sqrt(self.value, M::MODE))
    }

    /// The number with its sign bit clear: [`arith::abs`](crate::arith::abs()).
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new(abs(self.value))
    }

    /// The number in another format (except `f64`), rounded in the same mode:
    /// [`convert`](crate::convert::convert()).
    #[inline(always)]
    #[must_use]
    pub fn convert<G: Arithmetic>(self) -> Rounded<G, M> {
        Rounded::new(convert(self.value, M::MODE))
    }

    /// The same number with another mode.
    #[inline(always)]
    #[must_use]
    pub const fn with_mode<N: ModeType>(self) -> Rounded<F, N> {
        Rounded::new(self.value)
    }
}

impl<F: Copy, M> Clone for Rounded<F, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Copy, M> Copy for Rounded<F, M> {}

impl<F, M> From<F> for Rounded<F, M> {
    #[inline(always)]
    fn from(value: F) -> Self {
        Self::new(value)
    }
}

/// +0.
impl<F: Arithmetic, M> Default for Rounded<F, M> {
    #[inline(always)]
    fn default() -> Self {
        Self::new(F::from_bits(0))
    }
}

macro_rules! operators {
    ($($operator:ident $name:ident, $assign:ident $assign_name:ident:
        |$x:ident, $y:ident, $mode:ident| $result:expr;)*) => { $(
        impl<F: Arithmetic, M: ModeType> $operator for Rounded<F, M> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let ($x, $y, $mode) = (self.value, other.value, M::MODE);
                Self::new($result)
            }
        }

        impl<F: Arithmetic, M: ModeType> $operator<&Self> for Rounded<F, M> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: &Self) -> Self {
                $operator::$name(self, *other)
            }
        }

        impl<F: Arithmetic, M: ModeType> $operator<Rounded<F, M>> for &Rounded<F, M> {
            type Output = Rounded<F, M>;

            #[inline(always)]
            fn $name(self, other: Rounded<F, M>) -> Rounded<F, M> {
                $operator::$name(*self, other)
            }
        }

        impl<F: Arithmetic, M: ModeType> $operator<&Rounded<F, M>> for &Rounded<F, M> {
            type Output = Rounded<F, M>;

            #[inline(always)]
            fn $name(self, other: &Rounded<F, M>) -> Rounded<F, M> {
                $operator::$name(*self, *other)
            }
        }

        impl<F: Arithmetic, M: ModeType> $assign for Rounded<F, M> {
            #[inline(always)]
            fn $assign_name(&mut self, other: Self) {
                *self = $operator::$name(*self, other);
            }
        }

        impl<F: Arithmetic, M: ModeType> $assign<&Self> for Rounded<F, M> {
            #[inline(always)]
            fn $assign_name(&mut self, other: &Self) {
                *self = $operator::$name(*self, *other);
            }
        }
    )* };
}
operators! {
    Add add, AddAssign add_assign: |x, y, mode| add(x, y, mode);
    Sub sub, SubAssign sub_assign: |x, y, mode| sub(x, y, mode);
    Mul mul, MulAssign mul_assign: |x, y, mode| mul(x, y, mode);
    Div div, DivAssign div_assign: |x, y, mode| div(x, y, mode);
    Rem rem, RemAssign rem_assign: |x, y, _mode| fmod(x, y);
}

impl<F: Arithmetic, M: ModeType> Neg for Rounded<F, M> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(negate(self.value))
    }
}

impl<F: Arithmetic, M: ModeType> Neg for &Rounded<F, M> {
    type Output = Rounded<F, M>;

    #[inline(always)]
    fn neg(self) -> Rounded<F, M> {
        -*self
    }
}

macro_rules! folds {
    ($($fold:ident $name:ident $operator:ident $step:ident, $neutral:expr;)*) => { $(
        impl<F: Arithmetic, M: ModeType> $fold for Rounded<F, M> {
            fn $name<I: Iterator<Item = Self>>(mut numbers: I) -> Self {
                let first = numbers.next().unwrap_or(Self::new(F::from_bits($neutral)));
                numbers.fold(first, $operator::$step)
            }
        }

        impl<'a, F: Arithmetic + 'a, M: ModeType + 'a> $fold<&'a Self> for Rounded<F, M> {
            fn $name<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().$name()
            }
        }
    )* };
}
folds! {
    Sum sum Add add, 0;
    Product product Mul mul, (F::BIAS as u64) << (F::PRECISION - 1);
}

impl<F: Arithmetic, M> PartialEq for Rounded<F, M> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        compare_quiet_equal(self.value, other.value)
    }
}

impl<F: Arithmetic, M> PartialOrd for Rounded<F, M> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        compare(self.value, other.value)
    }
}

macro_rules! texts {
    ($($text:ident)*) => { $(
        /// As [`Text`] with the mode's direction.
        impl<F: Format, M: ModeType> $text for Rounded<F, M> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $text::fmt(&Text::new(self.value, M::MODE.rounding), f)
            }
        }
    )* };
}
texts!(Display LowerExp UpperExp);

/// As the number.
impl<F: Debug, M> Debug for Rounded<F, M> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Parses a decimal string, rounded once in the mode:
/// [`parse_decimal`](crate::convert::parse_decimal()).
impl<F: Format, M: ModeType> FromStr for Rounded<F, M> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_decimal(text, M::MODE).map(Self::new)
    }
}

/// As `Display` writes it.
#[cfg(feature = "defmt")]
impl<F: Format, M: ModeType> defmt::Format for Rounded<F, M> {
    fn format(&self, f: defmt::Formatter) {
        defmt::write!(f, "{}", defmt::Display2Format(self));
    }
}
