//! Numbers as text in every format.

use crate::rows::{overflow_of, rounding_of};
use bitexact::Mode;
use bitexact::convert::{
    Digits, Notation, format_decimal, format_hex, parse_decimal_status, parse_hex_status,
};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format, bf16, f16};
use sweep_catalog::mode;

/// Longer than the exact text of any f64.
const LONGEST: usize = 1200;

macro_rules! with_format {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            "f16" => $function::<f16>($($argument),*),
            "bf16" => $function::<bf16>($($argument),*),
            "f32" => $function::<f32>($($argument),*),
            "f64" => $function::<f64>($($argument),*),
            "e5m2" => $function::<E5M2>($($argument),*),
            "e4m3fn" => $function::<E4M3FN>($($argument),*),
            "e5m2fnuz" => $function::<E5M2FNUZ>($($argument),*),
            "e4m3fnuz" => $function::<E4M3FNUZ>($($argument),*),
            "e2m3" => $function::<E2M3>($($argument),*),
            "e3m2" => $function::<E3M2>($($argument),*),
            "e2m1" => $function::<E2M1>($($argument),*),
            other => Err(format!("`{other}` is no format")),
        }
    };
}

pub fn parse(rest: &str) -> Result<String, String> {
    let fields: Vec<_> = rest.splitn(4, ' ').collect();
    let [format, rounding, overflow, text] = fields[..] else {
        return Err("four fields were expected".into());
    };
    let mode = mode::of(rounding_of(rounding)?, overflow_of(overflow)?);
    with_format!(format, parse_in(text, mode))
}

fn parse_in<F: Format>(text: &str, mode: Mode) -> Result<String, String> {
    let hexadecimal = text
        .trim_start_matches(['+', '-'])
        .to_ascii_lowercase()
        .starts_with("0x");
    let parsed = if hexadecimal {
        parse_hex_status::<F>(text, mode)
    } else {
        parse_decimal_status::<F>(text, mode)
    };
    let (x, status) = parsed.map_err(|error| error.to_string())?;
    let width = F::BITS.div_ceil(4) as usize;
    Ok(format!("{:0width$X} {:02X}", x.to_bits(), status.bits()))
}

pub fn text(rest: &str) -> Result<String, String> {
    let (format, bits) = rest.split_once(' ').ok_or("two fields were expected")?;
    let bits = u64::from_str_radix(bits, 16).map_err(|error| error.to_string())?;
    with_format!(format, text_of(bits))
}

fn text_of<F: Format>(bits: u64) -> Result<String, String> {
    if bits > u64::MAX >> (64 - F::BITS) {
        return Err(format!("{bits:X} is no code of {}", F::NAME));
    }
    let x = F::from_bits(bits);
    let decimal = |digits, notation| {
        let mut buffer = [0; LONGEST];
        let text = format_decimal(x, digits, notation, &mut buffer);
        text.map(str::to_owned).map_err(|error| error.to_string())
    };
    let mut buffer = [0; 64];
    let hexadecimal = format_hex(x, &mut buffer).map_err(|error| error.to_string())?;
    let exact = decimal(Digits::Exact, Notation::Positional)?;
    let shortest = decimal(Digits::Shortest, Notation::Scientific)?;
    Ok(format!("{exact}\n{shortest}\n{hexadecimal}"))
}
