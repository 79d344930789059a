//! Sign operations, which move bits, and canonicalisation, which does not.

use crate::format::Arithmetic;
use crate::public_api::unrounded;
use crate::round::{Exact, Mode, Status};

/// A code with the sign of `negative`. The code of negative zero is NaN in an fnuz format: such a
/// code is left as it is.
const fn with_sign<F: Arithmetic>(x: u64, negative: bool) -> u64 {
    let magnitude = x & (F::SIGN - 1);
    if !F::NEGATIVE_ZERO && magnitude == 0 {
        x
    } else if negative {
        magnitude | F::SIGN
    } else {
        magnitude
    }
}

const fn opposite<F: Arithmetic>(x: u64) -> (u64, Status) {
    (with_sign::<F>(x, x & F::SIGN == 0), Status::NONE)
}

const fn absolute<F: Arithmetic>(x: u64) -> (u64, Status) {
    (with_sign::<F>(x, false), Status::NONE)
}

const fn copied<F: Arithmetic>(x: u64, y: u64) -> (u64, Status) {
    (with_sign::<F>(x, y & F::SIGN != 0), Status::NONE)
}

const fn canonical<F: Arithmetic>(x: u64) -> (u64, Status) {
    Exact::<u32>::decode::<F>(x as u32).to_format::<F>(Mode::TOWARD_ZERO.rule())
}

unrounded! {
    /// `x` with its sign bit flipped, a NaN's too (IEEE 754-2019 `negate`). Raises nothing.
    negate, negate_status, negate_bits: opposite;
    <F: Arithmetic>(x: F) -> F
}

unrounded! {
    /// `x` with its sign bit clear, a NaN's too (IEEE 754-2019 `abs`). Raises nothing.
    abs, abs_status, abs_bits: absolute;
    <F: Arithmetic>(x: F) -> F
}

unrounded! {
    /// `x` with the sign bit of `y`, NaNs included (IEEE 754-2019 `copySign`). Raises nothing.
    copy_sign, copy_sign_status, copy_sign_bits: copied;
    <F: Arithmetic>(x: F, y: F) -> F
}

unrounded! {
    /// `x`, with a NaN replaced by the format's canonical quiet one (C23 `canonicalize`); a
    /// signalling NaN raises invalid.
    ///
    /// ```
    /// use bitexact::{arith::canonicalize_status, f16, Status};
    /// let (quiet, status) = canonicalize_status(f16::from_bits(0xFD01));
    /// assert_eq!((quiet.to_bits(), status), (0x7E00, Status::INVALID));
    /// ```
    canonicalize, canonicalize_status, canonicalize_bits: canonical;
    <F: Arithmetic>(x: F) -> F
}
