//! Exponents as numbers. They are exact, since no logarithm is computed.

use crate::convert::Integer;
use crate::format::Arithmetic;
use crate::public_api::unrounded;
use crate::round::{Exact, Kind, Mode, Status};

const fn exponent<F: Arithmetic>(x: u64) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    let result = match value.kind() {
        Kind::Nan => value,
        Kind::Infinite => Exact::<u32>::infinity(false),
        Kind::Zero => Exact::<u32>::pole(true),
        Kind::Finite => {
            let exponent = value.exponent();
            Exact::<u32>::from_integer(exponent < 0, exponent.unsigned_abs(), 0)
        }
    };
    result.to_format::<F>(Mode::TIES_TO_EVEN.rule())
}

/// Which integer: the floor or the ceiling of log2, of the magnitude or of the value.
const fn integer_exponent(value: Exact<u32>, ceil: bool) -> (u64, Status) {
    let exponent = match value.kind() {
        Kind::Finite => {
            let up = ceil && value.significand() != Exact::<u32>::TOP;
            return ((value.exponent() + up as i32) as u32 as u64, Status::NONE);
        }
        Kind::Infinite => i32::MAX,
        Kind::Nan | Kind::Zero => i32::MIN,
    };
    (exponent as u32 as u64, Status::INVALID)
}

const fn of_magnitude<F: Arithmetic>(x: u64) -> (u64, Status) {
    integer_exponent(Exact::<u32>::decode::<F>(x as u32), false)
}

const fn of_value<F: Arithmetic>(x: u64, ceil: bool) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    let negative = value.sign() && !matches!(value.kind(), Kind::Zero);
    integer_exponent(
        if negative {
            Exact::<u32>::nan(true)
        } else {
            value
        },
        ceil,
    )
}

const fn floor<F: Arithmetic>(x: u64) -> (u64, Status) {
    of_value::<F>(x, false)
}

const fn ceil<F: Arithmetic>(x: u64) -> (u64, Status) {
    of_value::<F>(x, true)
}

unrounded! {
    /// The exponent of `x` in `x`'s format: floor(log2 |x|), also for a subnormal (IEEE 754-2019
    /// `logB`).
    ///
    /// Zero gives -infinity and raises divide by zero. An infinity gives +infinity. Exact in `f16`,
    /// `bf16` and `f32`; in a narrower format rounded to nearest, ties to even.
    logb, logb_status, logb_bits: exponent;
    <F: Arithmetic>(x: F) -> F
}

unrounded! {
    /// The exponent of `x` as an integer: floor(log2 |x|), also for a subnormal (C23 `ilogb`).
    ///
    /// Zero and NaN give `i32::MIN`, an infinity `i32::MAX`, all with invalid.
    ///
    /// ```
    /// use bitexact::{arith::ilogb, bf16};
    /// assert_eq!(ilogb(bf16::from_bits(0x8001)), -133);
    /// ```
    ilogb, ilogb_status, ilogb_bits: of_magnitude;
    <F: Arithmetic>(x: F) -> i32
}

unrounded! {
    /// floor(log2 x), exactly, for `x` above zero.
    ///
    /// Zero, NaN and negative operands give `i32::MIN`, +infinity `i32::MAX`, all with invalid.
    ///
    /// ```
    /// use bitexact::arith::{ceil_log2, floor_log2};
    /// // In f32, log2 of this rounds to 64, and so do its floor and ceiling.
    /// let x = f32::from_bits(0x5F80_0001);
    /// assert_eq!((floor_log2(x), ceil_log2(x)), (64, 65));
    /// ```
    floor_log2, floor_log2_status, floor_log2_bits: floor;
    <F: Arithmetic>(x: F) -> i32
}

unrounded! {
    /// ceil(log2 x), exactly, for `x` above zero; elsewhere as [`floor_log2`].
    ceil_log2, ceil_log2_status, ceil_log2_bits: ceil;
    <F: Arithmetic>(x: F) -> i32
}
