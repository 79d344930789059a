//! Where text goes: a caller's buffer, or a `core::fmt` formatter.

use core::fmt::{self, Alignment, Formatter, Write};

use super::decimal::with_decimals;
use super::format_decimal::{Digits, Grid, Layout, Notation};
use super::format_hex;
use crate::format::Format;
use crate::round::{Exact, Kind, Rounding};

/// A buffer is shorter than the text that it has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BufferTooSmall {
    /// The text's length in bytes.
    pub needed: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the text needs a buffer of {} bytes", self.needed)
    }
}

impl core::error::Error for BufferTooSmall {}

/// What takes a text's bytes.
pub(super) type Out<'a> = dyn FnMut(u8) + 'a;

#[inline]
pub(super) fn decode<F: Format>(x: F) -> Exact<u64> {
    if F::BITS > 32 {
        Exact::<u64>::decode::<F>(x.to_bits())
    } else {
        Exact::<u32>::decode::<F>(x.to_bits() as u32).widen()
    }
}

/// The word for an infinity or a NaN.
pub(super) fn special(x: Exact<u64>) -> Option<&'static str> {
    match x.kind() {
        Kind::Nan => Some("NaN"),
        Kind::Infinite => Some("inf"),
        _ => None,
    }
}

/// Writes an integer below 10,000, as every exponent is.
pub(super) fn put_integer(n: u32, out: &mut Out<'_>) {
    let mut rest = n;
    for unit in [1000, 100, 10, 1] {
        let mut digit = b'0';
        while rest >= unit {
            rest -= unit;
            digit += 1;
        }
        if n >= unit || unit == 1 {
            out(digit);
        }
    }
}

/// A text with its sign, in a buffer.
pub(super) fn to_buffer<'a>(
    sign: bool,
    text: &dyn Fn(&mut Out<'_>),
    buffer: &'a mut [u8],
) -> Result<&'a str, BufferTooSmall> {
    let mut needed = 0;
    let mut put = |byte| {
        if let Some(place) = buffer.get_mut(needed) {
            *place = byte;
        }
        needed += 1;
    };
    if sign {
        put(b'-');
    }
    text(&mut put);
    buffer
        .get(..needed)
        .and_then(|text| core::str::from_utf8(text).ok())
        .ok_or(BufferTooSmall { needed })
}

/// A text with its sign, as a number that a formatter's flags lay out.
fn to_formatter(x: Exact<u64>, text: &dyn Fn(&mut Out<'_>), f: &mut Formatter<'_>) -> fmt::Result {
    let mut length = 0;
    text(&mut |_| length += 1);
    let sign = if x.sign() {
        "-"
    } else if f.sign_plus() && !x.is_nan() {
        "+"
    } else {
        ""
    };
    let missing = f.width().unwrap_or(0).saturating_sub(length + sign.len());
    let zeros = f.sign_aware_zero_pad();
    let (before, after) = match f.align() {
        _ if zeros => (0, 0),
        Some(Alignment::Left) => (0, missing),
        Some(Alignment::Center) => (missing / 2, missing - missing / 2),
        _ => (missing, 0),
    };
    let fill = f.fill();
    for _ in 0..before {
        f.write_char(fill)?;
    }
    f.write_str(sign)?;
    if zeros {
        for _ in 0..missing {
            f.write_char('0')?;
        }
    }
    let mut result = Ok(());
    text(&mut |byte| {
        if result.is_ok() {
            result = f.write_char(char::from(byte));
        }
    });
    result?;
    for _ in 0..after {
        f.write_char(fill)?;
    }
    Ok(())
}

/// A number to be written by `core::fmt`, and the rounding for a precision that the caller asks
/// for.
///
/// | format | text |
/// |---|---|
/// | `{}` | shortest, positional |
/// | `{:.3}` | three digits after the point |
/// | `{:e}`, `{:.3e}` | the same in scientific notation |
/// | `{:x}`, `{:.3x}` | hexadecimal, as [`format_hex`](super::format_hex()) |
///
/// Each is what [`format_decimal`](super::format_decimal()) or `format_hex` says; width, fill,
/// alignment, `+` and `0` mean what they mean for the primitive types. A precision above 65,535
/// counts as that.
///
/// ```
/// use bitexact::{Rounding, convert::Text, f16};
/// let x = Text::new(f16::from_bits(0xB555), Rounding::TowardZero);
/// assert_eq!(format!("{x} {x:.2} {x:e} {x:.1e} {x:x}"), "-0.3333 -0.33 -3.333e-1 -3.3e-1 -0x1.554p-2");
/// assert_eq!(format!("[{x:<9}] [{x:09.2}]"), "[-0.3333  ] [-00000.33]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Text<F> {
    /// The number.
    pub value: F,
    /// The direction in which a precision rounds.
    pub rounding: Rounding,
}

/// As `Display` has it: in decimal, the shortest.
#[cfg(feature = "defmt")]
impl<F: Format> defmt::Format for Text<F> {
    fn format(&self, f: defmt::Formatter) {
        defmt::write!(f, "{}", defmt::Display2Format(self));
    }
}

impl<F: Format> Text<F> {
    /// A number and the rounding for a precision.
    #[must_use]
    pub const fn new(value: F, rounding: Rounding) -> Self {
        Self { value, rounding }
    }

    fn decimal(&self, digits: Digits, notation: Notation, f: &mut Formatter<'_>) -> fmt::Result {
        let x = decode(self.value);
        with_decimals::<F, 3, _>(|numbers| {
            let layout = Layout::new(x, Grid::of::<F>(), digits, numbers);
            to_formatter(x, &|out| layout.write(notation, out), f)
        })
    }
}

/// The precision that a formatter asks for.
fn precision(f: &Formatter<'_>) -> Option<u16> {
    Some(u16::try_from(f.precision()?).unwrap_or(u16::MAX))
}

impl<F: Format> fmt::Display for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let digits = precision(f).map_or(Digits::Shortest, |count| {
            Digits::Fractional(count, self.rounding)
        });
        self.decimal(digits, Notation::Positional, f)
    }
}

impl<F: Format> fmt::LowerExp for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let digits = precision(f).map_or(Digits::Shortest, |count| {
            Digits::Significant(count.saturating_add(1), self.rounding)
        });
        self.decimal(digits, Notation::Scientific, f)
    }
}

impl<F: Format> fmt::LowerHex for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let x = decode(self.value);
        let places = precision(f).map(|count| (count, self.rounding));
        to_formatter(x, &|out| format_hex::write(x, places, out), f)
    }
}
