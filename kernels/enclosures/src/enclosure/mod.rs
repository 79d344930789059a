//! Functions of one 16-bit number by approximations in f32, to nearest with ties to even or in a
//! directed mode.
//!
//! For tensors of up to some million elements, copying a table of the 65,536 results into shared
//! memory takes longer than computing the results. Here, each function has an f32 approximation,
//! [`Function::near`], of a dozen to thirty GPU instructions, with an error of at most
//! [`Function::ULPS`] ulps of f32. Both ends of the enclosing interval are rounded to the 16-bit
//! format. If the two agree, they are the function's result, since rounding is monotonic. Otherwise
//! the value is near a midpoint (in a directed mode near a number of the format), or the operand
//! has no approximation (`near` then returns a NaN), and the result is read in a table of all
//! 65,536, which the row's own integer kernel has filled. Outside of a function's domain, as below
//! 0 for roots and logarithms, the result is the canonical NaN, and no table is read
//! ([`Function::DOMAIN`]).
//!
//! So a result can be wrong only if a bound is wrong. The bounds are stated, not proven: a function
//! is used only if it gives the kernel's results for all 65,536 operands on the device at hand, and
//! a test runs all of them on the host, with the approximate instructions perturbed by as much as
//! the hardware's may be off.
//!
//! Nothing here depends on the GPU, except `instructions`; `host` has a host's, for the tables of
//! `bitexact-slices`; `gamma` and `host_only` are theirs alone ([`Function::on_host`]).

mod activation;
mod direction;
mod exp;
#[cfg(not(target_arch = "nvptx64"))]
mod gamma;
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
mod host_only;
mod hyperbolic;
mod instructions;
mod inverse;
mod log;
mod piecewise_linear;
mod root;
mod sin;
#[cfg(test)]
mod tests;
mod trig_reduction;

pub(crate) use direction::toward;
#[cfg(target_arch = "nvptx64")]
pub use instructions::Device;
pub use instructions::Machine;
pub use {
    activation::*, direction::*, exp::*, hyperbolic::*, inverse::*, log::*, piecewise_linear::*,
    root::*, sin::*,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use {gamma::*, host::Host, host_only::*, instructions::Moved};

use crate::machine;

/// The functions: each row's kernel, the type, and the bits of its parameters in f32, if it has
/// any.
#[macro_export]
macro_rules! for_each_enclosed {
    ($callback:ident) => {
        $callback! {
            exp Exp [], exp2 Exp2 [], log Log [], log2 Log2 [], tanh Tanh [], sigmoid Sigmoid [], silu Silu [], gelu Gelu [],
            gelu_tanh GeluTanh [], mish Mish [], softplus Softplus [0x3F80_0000 0x41A0_0000], erf Erf [], sin Sin [], cos Cos [],
            rsqrt Rsqrt [], reciprocal Reciprocal [], sqrt Sqrt [], expm1 Expm1 [], log1p Log1p [], log10 Log10 [], sinh Sinh [],
            cosh Cosh [], tan Tan [], asin Asin [], acos Acos [], atan Atan [], asinh Asinh [], acosh Acosh [], atanh Atanh [],
            erfc Erfc [], softsign Softsign [], logsigmoid Logsigmoid [], tanhshrink Tanhshrink [], selu Selu [],
        }
    };
}
pub use for_each_enclosed;

/// The functions that are computed directly, to nearest only; `()` in place of parameters if the
/// kernel takes no mode either.
#[macro_export]
macro_rules! for_each_direct {
    ($callback:ident) => {
        $callback! { relu Relu (), relu6 Relu6 (), hardsigmoid Hardsigmoid [], hardswish Hardswish [], }
    };
}
pub use for_each_direct;

/// The bits of such a function's result by its own kernel, of the bits of an operand of type `$ty`,
/// in a mode: to nearest with ties to even, if none is named.
#[macro_export]
macro_rules! exactly {
    ($kernel:ident $ty:ty, $x:expr, $parameters:tt) => {
        $crate::exactly! { $kernel $ty, $x, $parameters, $crate::bitexact::Mode::TIES_TO_EVEN }
    };
    ($kernel:ident $ty:ty, $x:expr, (), $mode:expr) => {
        $crate::exactly! { @call $kernel $ty, $x, () }
    };
    ($kernel:ident $ty:ty, $x:expr, [], $mode:expr) => {
        $crate::exactly! { @call $kernel $ty, $x, $mode }
    };
    ($kernel:ident $ty:ty, $x:expr, [$first:literal $second:literal], $mode:expr) => {{
        let parameters = [$first, $second].map($crate::bitexact::format::Binary32::from_bits);
        $crate::exactly! { @call $kernel $ty, $x, (<(_, _)>::from(parameters), $mode) }
    }};
    (@call $kernel:ident $ty:ty, $x:expr, $arguments:expr) => {{
        use $crate::bitexact::catalog::{Kernel, names};
        let operands = (<$ty>::from_bits($x),);
        let (result, _): ($ty, _) = names::$kernel::call(operands, $arguments);
        result.to_bits()
    }};
}
pub use exactly;

/// Whose sign a result has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// The approximation is positive or 0.
    Positive,
    /// The approximation is that of the magnitude; the sign is the operand's.
    OfOperand,
    /// The approximation has it.
    Any,
}

/// The operands that have a value: the result of every other number is the canonical NaN.
#[derive(Clone, Copy)]
pub enum Domain {
    /// All numbers.
    All,
    /// Those that are not less than 0 (-0 is not).
    From0,
    /// Those that are not less than -1.
    FromMinus1,
    /// Those that are not less than 1.
    From1,
    /// Those of which the magnitude is not greater than 1.
    ToMagnitude1,
    /// Those that are no negative integers.
    #[cfg(not(target_arch = "nvptx64"))]
    NoPoles,
}

impl Domain {
    /// Whether this number has no value; false for NaNs.
    #[inline(always)]
    pub fn lacks(self, x: f32) -> bool {
        match self {
            Self::All => false,
            Self::From0 => x < 0.0,
            Self::FromMinus1 => x < -1.0,
            Self::From1 => x < 1.0,
            Self::ToMagnitude1 => x.abs() > 1.0,
            #[cfg(not(target_arch = "nvptx64"))]
            Self::NoPoles => x < 0.0 && x == x.trunc(),
        }
    }
}

/// The result for operands without an approximation: a NaN. Adding [`Function::ULPS`] to its bits
/// gives a number.
const NONE: f32 = f32::from_bits(0x7FFF_FFFF);

/// A function's approximation.
pub trait Function {
    const SIGN: Sign;
    /// The error bound in ulps of f32 (a difference of codes): for f16 operands, and for bf16.
    const ULPS: [u32; 2];
    const DOMAIN: Domain = Domain::All;
    /// Elements of the longest slice for which the host chooses the approximation: of f16, and of
    /// bf16.
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 23; 2];
    /// Strict bounds of the magnitude of the result, for a finite operand other than 0:
    /// `limits[0] < |f(x)| < limits[1]`. Next to a number of the format, no error bound tells on
    /// which side the result lies; these do.
    #[inline(always)]
    fn limits(_x: f32) -> [f32; 2] {
        [0.0, f32::INFINITY]
    }
    /// Whether the limits of this operand, and of all with its exponent, are so close that a host
    /// needs no approximation. The result's sign is then the operand's, if it is not always
    /// positive.
    #[cfg(not(target_arch = "nvptx64"))]
    fn limits_decide(_x: f32) -> bool {
        false
    }
    /// The approximation; a NaN, of [`Sign::Any`] functions that of `NONE`, if there is none of
    /// this operand.
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32;
    /// Whether the function rises, or falls, from this operand to all of its sign that have a
    /// greater magnitude, and may have one result of many of them. Then a host looks at the first
    /// and the last of some operands.
    #[cfg(not(target_arch = "nvptx64"))]
    fn may_be_flat(_x: f32) -> bool {
        true
    }
    /// How many cases `of_exponent` tells apart, at most 5. If more than one, it gives the case's
    /// number and zeros, and a host has a loop for each.
    #[cfg(not(target_arch = "nvptx64"))]
    const CASES: u32 = 1;
    /// Below a magnitude of 2^-26 the value is within `ULPS` of the operand times one of these: the
    /// first for negative operands, the second for positive ones. 0: there is no such slope.
    #[cfg(not(target_arch = "nvptx64"))]
    const SLOPES: [f32; 2] = [0.0; 2];
    /// What a host's approximation needs of a number's exponent. It computes that once for many
    /// numbers.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    fn of_exponent<F: Format>(_x: f32) -> [u32; 3] {
        [0; 3]
    }
    /// Whether a host's approximation takes several times as long as most, for operands of which
    /// `of_exponent` gives this.
    #[cfg(not(target_arch = "nvptx64"))]
    fn is_long(_of_exponent: [u32; 3]) -> bool {
        false
    }
    /// A host's approximation, which may have one for operands that a GPU reads in a table; with
    /// [`of_exponent`](Self::of_exponent), in a [wide](Format::WIDE) format.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    fn on_host<F: Format>(x: f32, _of_exponent: [u32; 3]) -> f32 {
        Self::near::<F, Host>(Host, x)
    }
}

/// A 16-bit format. Two numbers are in a word.
pub trait Format {
    /// Whether its exponents are those of f32, so that results may be subnormal numbers of f32.
    const WIDE: bool;
    /// A power of such a format is a square.
    const POWERS: f32 = if Self::WIDE { 0.5 } else { 1.0 };
    fn widen(pair: u32) -> [f32; 2];
    /// To nearest, ties to even; any NaN for a NaN.
    fn narrow(pair: [f32; 2]) -> u32;
    /// The bits of f32's significand that no normal number of the format has.
    const CUT: u32;
    /// Toward zero; any NaN for a NaN.
    fn truncate(pair: [f32; 2]) -> u32;
    /// The canonical NaN, in both halves.
    const NANS: u32;
}

/// IEEE's format of 16 bits.
pub struct Half;

/// The upper half of f32.
pub struct Bfloat;

/// The nearest two numbers, the first in the low bits.
#[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
macro_rules! narrow_both {
    ($instruction:literal) => {
        #[inline(always)]
        fn narrow([low, high]: [f32; 2]) -> u32 {
            let pair: u32;
            // SAFETY: it computes one register from others.
            unsafe {
                core::arch::asm!(
                    concat!($instruction, " {d}, {a}, {b};"), d = out(reg32) pair, a = in(reg32) high.to_bits(),
                    b = in(reg32) low.to_bits(), options(pure, nomem, nostack)
                );
            }
            pair
        }
    };
}

impl Format for Half {
    const WIDE: bool = false;
    #[inline(always)]
    fn widen(pair: u32) -> [f32; 2] {
        [
            machine::from_half(pair & 0xFFFF),
            machine::from_half(pair >> 16),
        ]
    }
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    narrow_both! { "cvt.rn.f16x2.f32" }
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    #[inline(always)]
    fn narrow([low, high]: [f32; 2]) -> u32 {
        machine::to_half(low) | machine::to_half(high) << 16
    }
    const CUT: u32 = 0x1FFF;
    const NANS: u32 = 0x7E00_7E00;
    #[inline(always)]
    fn truncate([low, high]: [f32; 2]) -> u32 {
        machine::to_half_toward_zero(low) | machine::to_half_toward_zero(high) << 16
    }
}

impl Format for Bfloat {
    const WIDE: bool = true;
    #[inline(always)]
    fn widen(pair: u32) -> [f32; 2] {
        [pair << 16, pair & 0xFFFF_0000].map(f32::from_bits)
    }
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    narrow_both! { "cvt.rn.bf16x2.f32" }
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    #[inline(always)]
    fn narrow(pair: [f32; 2]) -> u32 {
        let [low, high] = pair.map(|x| {
            let narrow: bitexact::bf16 =
                bitexact::convert::convert(x, bitexact::Mode::TIES_TO_EVEN);
            u32::from(narrow.to_bits())
        });
        low | high << 16
    }
    const CUT: u32 = 0xFFFF;
    const NANS: u32 = 0x7FC0_7FC0;
    #[inline(always)]
    fn truncate([low, high]: [f32; 2]) -> u32 {
        low.to_bits() >> 16 | high.to_bits() & 0xFFFF_0000
    }
}

/// The [limits](Function::limits) of a magnitude that is this number: the codes next to its own. Of
/// 0 and infinity one is a NaN's, next to which hosts find the number again.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn exactly_this(x: f32) -> [f32; 2] {
    [x.to_bits().wrapping_sub(1), x.to_bits().wrapping_add(1)].map(f32::from_bits)
}

/// What differs from a number of a 16-bit format by no more than such a factor rounds as any number
/// next to it.
const MORE: f32 = 1.0 + 1.0 / 16384.0;
const LESS: f32 = 1.0 - 1.0 / 16384.0;
/// Below this magnitude, odd functions of slope 1 are that close to their operand.
const ALMOST_LINEAR: f32 = 1.0 / 256.0;

/// A lower limit of what is less than a magnitude: next to it, if that is below `end`.
#[inline(always)]
fn less_than(a: f32, end: f32) -> f32 {
    if a < end { a * LESS } else { 0.0 }
}

/// An upper limit of what is more, likewise.
#[inline(always)]
fn more_than(a: f32, end: f32) -> f32 {
    if a < end { a * MORE } else { f32::INFINITY }
}

/// A polynomial, of which the coefficient of the highest power is first.
#[inline(always)]
fn horner<const N: usize>(coefficients: [u32; N], x: f32) -> f32 {
    let mut sum = 0.0;
    for (k, bits) in coefficients.into_iter().enumerate() {
        let c = f32::from_bits(bits);
        sum = if k == 0 { c } else { machine::fma(sum, x, c) };
    }
    sum
}

/// The ends of the interval that holds the function's value, or its magnitude: first the one near
/// zero.
#[inline(always)]
pub fn ends<K: Function, F: Format, M: Machine>(m: M, x: f32) -> [f32; 2] {
    around::<K, F>(K::near::<F, M>(m, x))
}

/// The ends of the interval around an approximation.
#[inline(always)]
fn around<K: Function, F: Format>(near: f32) -> [f32; 2] {
    const INFINITY: i32 = 0x7F80_0000;
    let ulps = K::ULPS[F::WIDE as usize];
    // Neither end goes beyond 0 or infinity. A NaN's ends are not both numbers.
    let bits = near.to_bits();
    let above = bits.wrapping_add(ulps);
    let ends = if K::SIGN == Sign::Any {
        [bits.max(ulps) - ulps, above]
    } else {
        let below = (bits as i32).wrapping_sub(ulps as i32).max(0);
        [below as u32, (above as i32).min(INFINITY) as u32]
    };
    ends.map(f32::from_bits)
}

/// The signs that a function's magnitudes lack: of the operands in these halves.
#[inline(always)]
fn signs<K: Function>(x: u32) -> u32 {
    if K::SIGN == Sign::OfOperand {
        x & 0x8000_8000
    } else {
        0
    }
}

/// What was decided, with the NaNs of operands outside of [`Function::DOMAIN`].
#[inline(always)]
fn with_nans<K: Function, F: Format>([low, high]: [f32; 2], [result, open]: [u32; 2]) -> [u32; 2] {
    let low = if K::DOMAIN.lacks(low) { 0xFFFF } else { 0 };
    let high = if K::DOMAIN.lacks(high) {
        0xFFFF_0000
    } else {
        0
    };
    let mask = low | high;
    [result & !mask | F::NANS & mask, open & !mask]
}

/// The result of one operand, and a word that is 0 if it is the function's.
#[inline(always)]
pub fn one<K: Function, F: Format, D: Direction, M: Machine>(m: M, x: u16) -> [u16; 2] {
    let [operand, _] = F::widen(x.into());
    let [low, high] = ends::<K, F, M>(m, operand);
    // One conversion rounds both ends.
    let both = toward::<F, D>([low, high]);
    let made = decide::<F, D>([low, high], both, both >> 16, signs::<K>(x.into()));
    with_nans::<K, F>([operand, 0.0], made).map(|word| word as u16)
}

/// The results of two operands, and a word that is 0 in a half whose result is the function's.
#[inline(always)]
pub fn pair<K: Function, F: Format, D: Direction, M: Machine>(m: M, x: u32) -> [u32; 2] {
    let operands = F::widen(x);
    let [first, second] = operands.map(|x| ends::<K, F, M>(m, x));
    let low = [first[0], second[0]];
    let high = toward::<F, D>([first[1], second[1]]);
    let made = decide::<F, D>(low, toward::<F, D>(low), high, signs::<K>(x));
    with_nans::<K, F>(operands, made)
}
