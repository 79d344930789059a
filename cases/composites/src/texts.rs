//! Numbers from text and to text. A word of the outputs is a byte of the text.

use crate::code::Code;
use crate::{Done, Item, LENGTH, OUTPUTS, Outputs};
use bitexact::Rounding;
use bitexact::catalog::Refused;
use bitexact::convert::{self, Digits, Notation};
use bitexact::format::Format;

/// The bytes of `a`.
fn bytes(item: &Item) -> ([u8; LENGTH], usize) {
    let mut bytes = [0; LENGTH];
    for (byte, word) in bytes.iter_mut().zip(item.a.get()) {
        *byte = *word as u8;
    }
    (bytes, item.a.get().len())
}

macro_rules! parse {
    ($($name:ident $function:ident;)*) => {
        $(pub fn $name<F: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
            let (bytes, length) = bytes(item);
            let text = bytes.get(..length).ok_or(Refused)?;
            let (x, status) = convert::$function::<F>(text, item.mode)?;
            out.values(&[x]);
            out.status(status);
            Ok(())
        })*
    };
}
parse! {
    parse_decimal parse_decimal_status;
    parse_hex parse_hex_status;
}

fn value<F: Code>(item: &Item) -> F {
    F::of(item.a.get().first().copied().unwrap_or(0))
}

fn rounding(choice: usize) -> Rounding {
    let rounding = Rounding::ALL.get(choice % Rounding::ALL.len());
    rounding.copied().unwrap_or(Rounding::TiesToEven)
}

fn put(text: &str, out: &mut Outputs) -> Done {
    text.bytes().for_each(|byte| out.word(byte.into()));
    Ok(())
}

/// `sizes`: the kind of digits, their number, the rounding, the notation.
pub fn format_decimal<F: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [which, count, direction, notation, ..] = item.sizes;
    let count = (count % 20) as u16;
    let digits = match which % 4 {
        0 => Digits::Shortest,
        1 => Digits::Exact,
        2 => Digits::Significant(count, rounding(direction)),
        _ => Digits::Fractional(count, rounding(direction)),
    };
    let notation = if notation % 2 == 0 {
        Notation::Positional
    } else {
        Notation::Scientific
    };
    let mut buffer = [0; OUTPUTS];
    put(
        convert::format_decimal(value::<F>(item), digits, notation, &mut buffer)?,
        out,
    )
}

pub fn format_hex<F: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
    let mut buffer = [0; 24];
    put(convert::format_hex(value::<F>(item), &mut buffer)?, out)
}

/// `sizes`: the places, the rounding.
pub fn format_hex_rounded<F: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [places, direction, ..] = item.sizes;
    let (places, mut buffer) = ((places % 9) as u16, [0; 24]);
    let rounding = rounding(direction);
    put(
        convert::format_hex_rounded(value::<F>(item), places, rounding, &mut buffer)?,
        out,
    )
}
