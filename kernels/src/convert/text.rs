//! Text by a `core::fmt` formatter.

use core::fmt::{self, Alignment, Formatter, Write};

use super::buffer::{Out, decode};
use super::decimal::with_decimals;
use super::format_decimal::{Digits, Grid, Layout, Notation};
use super::format_hex;
use crate::format::Format;
use crate::round::{Exact, Rounding};

/// A text with its sign, laid out by a formatter's flags for numbers.
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

/// A number to be written by `core::fmt`, and the rounding for a requested precision.
///
/// | format | text |
/// |---|---|
/// | `{}` | shortest, positional |
/// | `{:.3}` | three digits after the point |
/// | `{:e}`, `{:.3e}` | the same in scientific notation (`{:E}`: with an `E`) |
/// | `{:x}`, `{:.3x}` | hexadecimal, as [`format_hex`](super::format_hex()) |
///
/// The text is that of [`format_decimal`](super::format_decimal()) or `format_hex`; width, fill,
/// alignment, `+` and `0` have the same meaning as for the primitive types. A precision above
/// 65,535 counts as 65,535.
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

/// As `Display` writes it: the shortest decimal.
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

    fn decimal(
        &self,
        digits: Digits,
        notation: Notation,
        exponent: u8,
        f: &mut Formatter<'_>,
    ) -> fmt::Result {
        let x = decode(self.value);
        with_decimals::<F, 3, _>(|numbers| {
            let layout = Layout::new(x, Grid::of::<F>(), digits, numbers);
            let text = |out: &mut Out<'_>| {
                layout.write(notation, &mut |byte| {
                    out(if byte == b'e' { exponent } else { byte });
                });
            };
            to_formatter(x, &text, f)
        })
    }

    fn scientific(&self, exponent: u8, f: &mut Formatter<'_>) -> fmt::Result {
        let digits = precision(f).map_or(Digits::Shortest, |count| {
            Digits::Significant(count.saturating_add(1), self.rounding)
        });
        self.decimal(digits, Notation::Scientific, exponent, f)
    }
}

/// The precision that a formatter requests.
fn precision(f: &Formatter<'_>) -> Option<u16> {
    Some(u16::try_from(f.precision()?).unwrap_or(u16::MAX))
}

impl<F: Format> fmt::Display for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let digits = precision(f).map_or(Digits::Shortest, |count| {
            Digits::Fractional(count, self.rounding)
        });
        self.decimal(digits, Notation::Positional, b'e', f)
    }
}

impl<F: Format> fmt::LowerExp for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.scientific(b'e', f)
    }
}

impl<F: Format> fmt::UpperExp for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.scientific(b'E', f)
    }
}

impl<F: Format> fmt::LowerHex for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let x = decode(self.value);
        let places = precision(f).map(|count| (count, self.rounding));
        to_formatter(x, &|out| format_hex::write(x, places, out), f)
    }
}
