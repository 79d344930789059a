//! Hexadecimal text to format.
//!
//! The first 61 to 64 bits are kept, with the lowest one set where any bit below is: more than
//! every format's rounding boundaries need.

use super::scan::{ParseError, Scan};
use crate::format::Format;
use crate::round::{Exact, Mode, Status};

/// An exponent beyond that of every format.
const FAR: i64 = 1 << 20;

fn read(text: &[u8]) -> Result<Exact<u64>, ParseError> {
    let mut scan = Scan::new(text);
    let sign = scan.sign();
    if let Some(special) = scan.special(sign) {
        return scan.end().map(|()| special);
    }
    if !scan.word(b"0x") {
        return Err(scan.no_prefix());
    }
    let digits = scan.digits(16)?;
    let exponent = scan.exponent(b"p")?.ok_or(scan.no_exponent())?;
    scan.end()?;
    let (mut significand, mut more) = (0u64, false);
    let mut unit = digits.whole * 4 + exponent;
    for digit in digits.iter() {
        if significand >> 60 == 0 {
            significand = (significand << 4) | u64::from(digit);
            unit -= 4;
        } else {
            more |= digit != 0;
        }
    }
    let unit = unit.clamp(-FAR, FAR) as i32;
    let significand = significand | u64::from(more);
    Ok(Exact::<u64>::from_integer(sign, significand, unit))
}

/// Parses a hexadecimal string with a binary exponent, rounded once (IEEE 754-2019
/// `convertFromHexCharacter`).
///
/// The text is, from its first byte to its last and with letters of either case,
///
/// ```text
/// [+ | -] 0x ( hexdigits [. [hexdigits]] | . hexdigits ) p [+ | -] digits
/// [+ | -] ( inf | infinity | nan )
/// ```
///
/// with any number of digits, all of which count. The exponent is required, as in IEEE 754 (C makes
/// it optional), so that the bits of a code are never mistaken for a number. Everything else is as
/// in [`parse_decimal`](super::parse_decimal).
///
/// # Errors
///
/// [`ParseError`]: what is wrong with the text, and where.
///
/// ```
/// use bitexact::convert::{ParseError, parse_hex};
/// use bitexact::{Mode, f16};
/// let x: f16 = parse_hex("-0x1.8p+3", Mode::TIES_TO_EVEN)?;
/// assert_eq!(x.to_f32(), -12.0);
/// let error = parse_hex::<f16>("0x3C00", Mode::TIES_TO_EVEN);
/// assert_eq!(error, Err(ParseError::NoExponent { at: 6 }));
/// # Ok::<(), ParseError>(())
/// ```
#[inline]
pub fn parse_hex<F: Format>(text: impl AsRef<[u8]>, mode: Mode) -> Result<F, ParseError> {
    parse_hex_status(text, mode).map(|(x, _)| x)
}

/// [`parse_hex`] with its status.
///
/// # Errors
///
/// As [`parse_hex`].
#[inline]
pub fn parse_hex_status<F: Format>(
    text: impl AsRef<[u8]>,
    mode: Mode,
) -> Result<(F, Status), ParseError> {
    let (bits, status) = read(text.as_ref())?.to_format::<F>(mode.rule());
    Ok((F::from_bits(bits), status))
}
