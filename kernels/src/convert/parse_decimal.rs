//! Decimal text to format.
//!
//! The digits go into an exact fixed-point number that has all places of the format
//! ([`decimal`](super::decimal) has the argument and the sizes), so that no text is too long and
//! none is read twice for a second attempt. No tables.

use super::decimal::{Decimal, with_decimals};
use super::scan::{ParseError, Scan};
use crate::format::Format;
use crate::round::{Exact, Mode, Status};

fn read(text: &[u8], mut number: Decimal<'_>) -> Result<Exact<u64>, ParseError> {
    let mut scan = Scan::new(text);
    let sign = scan.sign();
    if let Some(special) = scan.special(sign) {
        return scan.end().map(|()| special);
    }
    let digits = scan.digits(10)?;
    let mut position = digits.whole + scan.exponent(b"e")?.unwrap_or(0);
    scan.end()?;
    for digit in digits.iter() {
        position -= 1;
        if !number.put_digit(position, digit) {
            return Ok(Exact::<u32>::HUGE.negate_if(sign).widen());
        }
    }
    Ok(number.into_exact(sign))
}

/// The number that a decimal text says, rounded once (IEEE 754-2019
/// `convertFromDecimalCharacter`).
///
/// The text is, from its first byte to its last and with letters of either case,
///
/// ```text
/// [+ | -] ( digits [. [digits]] | . digits ) [e [+ | -] digits]
/// [+ | -] ( inf | infinity | nan )
/// ```
///
/// with any number of digits, all of which count. Nothing else is allowed: no blanks, no
/// underscores, no payload of a NaN.
///
/// Ties, overflow, subnormal results and their status are the mode's. A zero keeps its sign where
/// the format has one. `inf` is an infinite operand (see [`Overflow`](crate::Overflow)), and `nan`
/// gives the canonical NaN whatever its sign; where the format has none, its largest finite value
/// with invalid.
///
/// # Errors
///
/// What is wrong with the text, and where.
///
/// ```
/// use bitexact::convert::{ParseError, parse_decimal};
/// use bitexact::{Mode, bf16, f16};
/// let x: f16 = parse_decimal("0.1", Mode::TOWARD_POSITIVE)?;
/// assert_eq!(x.to_bits(), 0x2E67);
/// // Just above a tie of bf16; through f32 it would be the tie, and go to 0x3F80.
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
    let exact = with_decimals::<F, 1, _>(|[number]| read(text.as_ref(), number))?;
    let (bits, status) = exact.to_format::<F>(mode.rule());
    Ok((F::from_bits(bits), status))
}
