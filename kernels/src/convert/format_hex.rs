//! Format to hexadecimal text.

use super::buffer::{BufferTooSmall, Out, decode, put_integer, special, to_buffer};
use crate::format::Format;
use crate::round::{Direction, Exact, Kind, Rounding};

/// The most hexadecimal digits after the point that a significand of 64 bits can have.
const PLACES: u16 = 16;

/// A significand and its exponent, rounded to a number of hexadecimal digits.
fn round(x: Exact<u64>, places: u16, rounding: Rounding) -> (u64, i32) {
    let (significand, exponent) = (x.significand(), x.exponent());
    if places >= PLACES {
        return (significand, exponent);
    }
    let below = 63 - 4 * u32::from(places);
    let rest = significand & ((1 << below) - 1);
    let odd = significand >> below & 1 != 0;
    let truncated = significand - rest;
    if !Direction::fixed(rounding).rounds_up_u64(x.sign(), odd, rest << (64 - below)) {
        return (truncated, exponent);
    }
    match truncated.checked_add(1 << below) {
        Some(significand) => (significand, exponent),
        None => (Exact::<u64>::TOP, exponent + 1),
    }
}

/// Writes everything except the sign, rounded to `places` digits or exactly.
pub(super) fn write(x: Exact<u64>, places: Option<(u16, Rounding)>, out: &mut Out<'_>) {
    if let Some(word) = special(x) {
        return word.bytes().for_each(out);
    }
    let (significand, exponent) = match (x.kind(), places) {
        (Kind::Zero, _) => (0, 0),
        (_, Some((places, rounding))) => round(x, places, rounding),
        (_, None) => (x.significand(), x.exponent()),
    };
    out(b'0');
    out(b'x');
    out(b'0' + (significand >> 63) as u8);
    let mut fraction = significand << 1;
    let places = match places {
        Some((places, _)) => places,
        None => PLACES - (fraction.trailing_zeros() / 4) as u16,
    };
    if places > 0 {
        out(b'.');
    }
    for _ in 0..places {
        let digit = (fraction >> 60) as u8;
        out(digit + if digit < 10 { b'0' } else { b'a' - 10 });
        fraction <<= 4;
    }
    out(b'p');
    out(if exponent < 0 { b'-' } else { b'+' });
    put_integer(exponent.unsigned_abs(), out);
}

/// `x` as exact hexadecimal text without trailing zeros, in a buffer (IEEE 754-2019
/// `convertToHexCharacter`; C's `%a`).
///
/// A number, also a subnormal one, has the digit 1 before the point and a sign in its exponent:
/// `0x1.8p+3`; a zero is `0x0p+0`. Signs, infinities and NaN are as in
/// [`format_decimal`](super::format_decimal).
///
/// # Errors
///
/// If the buffer is shorter than the text; 24 bytes are enough for every format.
///
/// ```
/// use bitexact::{convert::format_hex, f16};
/// let mut buffer = [0; 24];
/// assert_eq!(format_hex(f16::from_bits(0xCA00), &mut buffer), Ok("-0x1.8p+3"));
/// assert_eq!(format_hex(f16::from_bits(0x0001), &mut buffer), Ok("0x1p-24"));
/// ```
#[inline]
pub fn format_hex<F: Format>(x: F, buffer: &mut [u8]) -> Result<&str, BufferTooSmall> {
    let x = decode(x);
    to_buffer(x.sign(), &|out| write(x, None, out), buffer)
}

/// `x` as hexadecimal text with this many digits after the point, rounded once (C's `%.3a`).
///
/// Otherwise as [`format_hex`].
///
/// # Errors
///
/// If the buffer is shorter than the text.
///
/// ```
/// use bitexact::{convert::format_hex_rounded, Rounding, f16};
/// let (x, mut buffer) = (f16::from_bits(0x3FFF), [0; 24]);
/// let text = format_hex_rounded(x, 1, Rounding::TowardZero, &mut buffer);
/// assert_eq!(text, Ok("0x1.fp+0"));
/// let text = format_hex_rounded(x, 1, Rounding::TiesToEven, &mut buffer);
/// assert_eq!(text, Ok("0x1.0p+1"));
/// ```
#[inline]
pub fn format_hex_rounded<F: Format>(
    x: F,
    places: u16,
    rounding: Rounding,
    buffer: &mut [u8],
) -> Result<&str, BufferTooSmall> {
    let x = decode(x);
    to_buffer(
        x.sign(),
        &|out| write(x, Some((places, rounding)), out),
        buffer,
    )
}
