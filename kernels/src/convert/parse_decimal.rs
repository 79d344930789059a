//! Decimal text to format.
//!
//! The digits go into an exact fixed-point number that covers the whole range of the format
//! ([`decimal`](super::decimal) has the argument and the sizes). So no text is too long, and none
//! is read again for a second attempt. No tables.

use super::buffer::decode;
use super::decimal::{Decimal, with_decimals};
use super::format_decimal::{Digits, Grid, Layout};
use super::scan::{ParseError, Scan};
use crate::format::Format;
use crate::number::FromTextError;
use crate::round::{Exact, Mode, Status};

/// Puts a text's digits into a zero. The sign, and the value where the digits do not say it.
fn read(text: &[u8], number: &mut Decimal<'_>) -> Result<(bool, Option<Exact<u64>>), ParseError> {
    let mut scan = Scan::new(text);
    let sign = scan.sign();
    if let Some(special) = scan.special(sign) {
        return scan.end().map(|()| (sign, Some(special)));
    }
    let digits = scan.digits(10)?;
    let mut position = digits.whole + scan.exponent(b"e")?.unwrap_or(0);
    scan.end()?;
    for digit in digits.iter() {
        position -= 1;
        if !number.put_digit(position, digit) {
            return Ok((sign, Some(Exact::<u32>::HUGE.negate_if(sign).widen())));
        }
    }
    Ok((sign, None))
}

/// Parses a decimal string, rounded once (IEEE 754-2019 `convertFromDecimalCharacter`).
///
/// The text is, from its first byte to its last and with letters of either case,
///
/// ```text
/// [+ | -] ( digits [. [digits]] | . digits ) [e [+ | -] digits]
/// [+ | -] ( inf | infinity | nan )
/// ```
///
/// with any number of digits, all of which count. Nothing else is allowed: no blanks, no
/// underscores, no NaN payload.
///
/// Ties and overflow follow the mode. A zero keeps its sign where the format has a negative zero.
/// `inf` is an infinite operand (see [`Overflow`](crate::Overflow)). `nan` gives the canonical NaN
/// for either sign; in a format without NaN it gives the largest finite value and raises invalid.
///
/// # Errors
///
/// [`ParseError`]: what is wrong with the text, and where.
///
/// ```
/// use bitexact::convert::{ParseError, parse_decimal};
/// use bitexact::{Mode, bf16, f16};
/// let x: f16 = parse_decimal("0.1", Mode::TOWARD_POSITIVE)?;
/// assert_eq!(x.to_bits(), 0x2E67);
/// // Just above a tie of bf16. Rounded to f32 first, it would be the tie and give 0x3F80.
/// let y: bf16 = parse_decimal(b"1.00390625000000000001", Mode::TIES_TO_EVEN)?;
/// assert_eq!(y.to_bits(), 0x3F81);
/// let error = parse_decimal::<f16>("1.5 mV", Mode::TIES_TO_EVEN);
/// assert_eq!(error, Err(ParseError::Trailing { at: 3 }));
/// # Ok::<(), ParseError>(())
/// ```
#[inline]
pub fn parse_decimal<F: Format>(text: impl AsRef<[u8]>, mode: Mode) -> Result<F, ParseError> {
    parse_decimal_status(text, mode).map(|(x, _)| x)
}

/// [`parse_decimal`] with its status.
///
/// # Errors
///
/// As [`parse_decimal`].
#[inline]
pub fn parse_decimal_status<F: Format>(
    text: impl AsRef<[u8]>,
    mode: Mode,
) -> Result<(F, Status), ParseError> {
    let exact = with_decimals::<F, 1, _>(|[mut number]| {
        let (sign, special) = read(text.as_ref(), &mut number)?;
        Ok(special.unwrap_or_else(|| number.into_exact(sign)))
    })?;
    let (bits, status) = exact.to_format::<F>(mode.rule());
    Ok((F::from_bits(bits), status))
}

/// The number of a format that a text says exactly, or that has the same digits as its shortest
/// text.
pub(crate) fn parse_held<F: Format>(text: &str) -> Result<F, FromTextError> {
    let (x, status) = parse_decimal_status::<F>(text, Mode::TIES_TO_EVEN)?;
    if status == Status::NONE {
        return Ok(x);
    }
    // An overflow or a NaN that there is not has other digits, or none.
    let is_shortest = with_decimals::<F, 4, _>(|[mut number, lower, value, upper]| {
        let (_, special) = read(text.as_bytes(), &mut number)?;
        let numbers = [lower, value, upper];
        let shortest = Layout::new(decode(x), Grid::of::<F>(), Digits::Shortest, numbers);
        Ok::<_, FromTextError>(special.is_none() && shortest.says(&number))
    })?;
    is_shortest.then_some(x).ok_or(FromTextError::NotHeld)
}
