//! Format to decimal text.
//!
//! The value is an exact fixed-point number ([`decimal`](super::decimal)), whose digits are copied
//! or rounded once. The shortest text is found much as in Go's `strconv`, from the digits of the
//! value and of the two ends of the interval that rounds to it: digit by digit from the value's
//! first digit, until the value truncated there, or truncated and incremented, lies in the
//! interval. No number with fewer digits does, since those two are the value's neighbours among the
//! numbers that end at that digit. Starting further left would be wrong: the numbers that end there
//! are powers of ten, and another number of one digit may be closer (both 1e-40 and 9e-41 round to
//! bf16's least number, 9.18e-41). No tables.

use super::buffer::{BufferTooSmall, Out, decode, put_integer, special, to_buffer};
use super::decimal::{Decimal, with_decimals};
use crate::format::Format;
use crate::round::{Exact, Rounding};

/// Which decimal digits of a value are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Digits {
    /// The shortest decimal that round-trips: that [`parse_decimal`](super::parse_decimal) in ties
    /// to even converts back to the value without overflow. (Without infinity, every larger number
    /// also rounds to E2M3's 7.5, but its text is `7.5`, not `8`.) Of several such numbers it is
    /// the one closest to the value, and of two equally close ones the one with an even last digit
    /// (as in Go, Java and Ryu; Rust's own formatting takes the larger).
    ///
    /// ```
    /// use bitexact::convert::{Text, parse_decimal_status};
    /// use bitexact::{Mode, Rounding, Status, format::E2M3};
    /// let most = E2M3::from_bits(0x1F);
    /// assert_eq!(Text::new(most, Rounding::TiesToEven).to_string(), "7.5");
    /// let (x, status) = parse_decimal_status("8", Mode::TIES_TO_EVEN).unwrap();
    /// assert_eq!((x, status), (most, Status::OVERFLOW | Status::INEXACT));
    /// ```
    Shortest,
    /// All: the exact value.
    Exact,
    /// This many from the first digit that is not 0, rounded once; 0 counts as 1. A larger number
    /// ends in zeros, which do not count.
    Significant(u16, Rounding),
    /// This many after the point, rounded once.
    Fractional(u16, Rounding),
}

/// How decimal digits are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Notation {
    /// `1500`, `0.0015`.
    Positional,
    /// `1.5e3`, `1.5e-3`.
    Scientific,
}

/// The properties of a format that determine the spacing of its values.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    precision: i32,
    emin: i32,
}

impl Grid {
    pub(super) const fn of<F: Format>() -> Self {
        Self {
            precision: F::PRECISION as i32,
            emin: F::EMIN,
        }
    }
}

/// The last digit of a value's shortest text, and how the value is rounded there. The value lies
/// between `lower` and `upper`, and so do all numbers that round to it; `closed` says whether the
/// two ends round to it too.
fn shortest(
    lower: &Decimal<'_>,
    value: &Decimal<'_>,
    upper: &Decimal<'_>,
    closed: bool,
) -> Option<(i32, Rounding)> {
    // The upper digits so far minus the value's, as one number; 2 also stands for more.
    let mut gap = 0;
    let first = value.first()?;
    for position in (value.end()..=upper.first()?).rev() {
        let digit = value.digit(position);
        gap = (gap * 10 + i32::from(upper.digit(position)) - i32::from(digit)).min(2);
        if position > first {
            continue;
        }
        // The lower digits so far equal the value's; otherwise the loop would have ended.
        let down = lower.digit(position) != digit || (closed && !lower.is_more_than_to(position));
        let up = gap > 1 || (gap == 1 && (closed || upper.is_more_than_to(position)));
        match (down, up) {
            (true, true) => return Some((position, Rounding::TiesToEven)),
            (true, false) => return Some((position, Rounding::TowardZero)),
            (false, true) => return Some((position, Rounding::TowardPositive)),
            (false, false) => {}
        }
    }
    None
}

/// A value's digits, and which of them are written.
pub(super) struct Layout<'a> {
    /// An infinity or a NaN, which has none.
    special: Option<&'static str>,
    number: Decimal<'a>,
    first: i32,
    last: i32,
}

impl<'a> Layout<'a> {
    /// The text of an operand; the numbers are 0.
    pub(super) fn new(
        x: Exact<u64>,
        grid: Grid,
        digits: Digits,
        numbers: [Decimal<'a>; 3],
    ) -> Self {
        let [mut lower, mut number, mut upper] = numbers;
        if x.is_finite_nonzero() {
            let ulp = x.exponent().max(grid.emin) + 1 - grid.precision;
            let significand = x.significand() >> (63 + ulp - x.exponent());
            // In quarters of the last place, as many as the lower end needs.
            let (quarters, unit) = (significand * 4, ulp - 2);
            number.set(quarters, unit);
            if let Digits::Shortest = digits {
                let is_power = x.significand() == Exact::<u64>::TOP && x.exponent() > grid.emin;
                lower.set(quarters - if is_power { 1 } else { 2 }, unit);
                upper.set(quarters + 2, unit);
                let closed = significand % 2 == 0;
                if let Some((end, rounding)) = shortest(&lower, &number, &upper, closed) {
                    number.round(end, false, rounding);
                }
            }
        }
        let end = match digits {
            Digits::Significant(count, rounding) => {
                let end = number.first().unwrap_or(0) + 1 - i32::from(count.max(1));
                Some((end, rounding))
            }
            Digits::Fractional(count, rounding) => Some((-i32::from(count), rounding)),
            _ => None,
        };
        if let Some((end, rounding)) = end {
            number.round(end, x.sign(), rounding);
        }
        let first = number.first().unwrap_or(0);
        let last = match digits {
            // The first digit may have moved.
            Digits::Significant(count, _) => first + 1 - i32::from(count.max(1)),
            Digits::Fractional(count, _) => -i32::from(count),
            _ => number.last().unwrap_or(0),
        };
        Self {
            special: special(x),
            number,
            first,
            last,
        }
    }

    /// Whether the digits written are all the digits of a number.
    pub(super) fn says(&self, number: &Decimal<'_>) -> bool {
        self.special.is_none() && self.number.equals(number)
    }

    /// Writes everything except the sign.
    pub(super) fn write(&self, notation: Notation, out: &mut Out<'_>) {
        if let Some(word) = self.special {
            return word.bytes().for_each(out);
        }
        // The first digit written, the one before the point, and the last.
        let (start, units, end) = match notation {
            Notation::Positional => (self.first.max(0), 0, self.last.min(0)),
            Notation::Scientific => (self.first, self.first, self.last),
        };
        for position in (end..=start).rev() {
            out(b'0' + self.number.digit(position));
            if position == units && position > end {
                out(b'.');
            }
        }
        if let Notation::Scientific = notation {
            out(b'e');
            if self.first < 0 {
                out(b'-');
            }
            put_integer(self.first.unsigned_abs(), out);
        }
    }
}

/// `x` as decimal text, in a buffer (IEEE 754-2019 `convertToDecimalCharacter`).
///
/// [`Digits`] says which digits, each case correctly rounded, and [`Notation`] how they are laid
/// out. A negative number and a negative zero begin with `-`; an infinity is `inf` or `-inf`, a NaN
/// is `NaN`. A zero is `0`, with as many places as requested; so is a number that rounds to zero,
/// with its sign. There is always a digit before the point.
///
/// The longest shortest texts, sign included, have 10 bytes for `f16` and `bf16` and 24 for `f64`
/// in scientific notation; in positional notation 11 for `f16` and 44 for `bf16`. The result does
/// not say whether the text is exact; parsing it does.
///
/// # Errors
///
/// If the buffer is shorter than the text; its content is then unspecified.
///
/// ```
/// use bitexact::convert::{Digits, Notation, format_decimal};
/// use bitexact::{Rounding, f16};
/// let x = f16::from_bits(0x2E66);
/// let mut buffer = [0; 24];
/// let text = format_decimal(x, Digits::Shortest, Notation::Positional, &mut buffer)?;
/// assert_eq!(text, "0.1");
/// let text = format_decimal(x, Digits::Exact, Notation::Positional, &mut buffer)?;
/// assert_eq!(text, "0.0999755859375");
/// let digits = Digits::Significant(3, Rounding::TowardZero);
/// let text = format_decimal(x, digits, Notation::Scientific, &mut buffer)?;
/// assert_eq!(text, "9.99e-2");
/// # Ok::<(), bitexact::convert::BufferTooSmall>(())
/// ```
#[inline]
pub fn format_decimal<F: Format>(
    x: F,
    digits: Digits,
    notation: Notation,
    buffer: &mut [u8],
) -> Result<&str, BufferTooSmall> {
    let x = decode(x);
    with_decimals::<F, 3, _>(|numbers| {
        let layout = Layout::new(x, Grid::of::<F>(), digits, numbers);
        to_buffer(x.sign(), &|out| layout.write(notation, out), buffer)
    })
}
