//! Numbers as text: those of the command line, and the library's conversions in both directions.

use crate::text::{number, one_of, text};
use bitexact::convert::{
    BufferTooSmall, Digits, Notation, Text, format_decimal, format_hex, format_hex_rounded,
    parse_decimal, parse_decimal_status, parse_hex, parse_hex_status,
};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use host_tests::domain::SplitMix64;
use host_tests::row::Ty;
use host_tests::{number as cli, oracle};

const WORDS: &[&str] = &[
    "0",
    "1",
    "-",
    "+",
    ".",
    "0x",
    "0X1",
    "p",
    "P-",
    "e",
    "E+",
    "inf",
    "-Infinity",
    "nan",
    "NaN",
    "snan",
    "00000000000000000000",
    "99999999999999999999",
    "7.450580596923828125e-9",
    "65520",
    "1e-400",
    "e999999999999",
    "0x1p-149",
    "_",
    " ",
];

/// A text that may be a number.
fn written(rng: &mut SplitMix64) -> String {
    if rng.one_in(2) {
        number(rng)
    } else {
        text(rng, WORDS, 6)
    }
}

fn mode(rng: &mut SplitMix64) -> Mode {
    Mode::new(one_of(rng, &Rounding::ALL), one_of(rng, &Overflow::ALL))
}

/// Calls a function with one of the formats.
macro_rules! at_a_format {
    ($rng:ident, $function:ident($($argument:expr),*)) => {
        match $rng.below(11) {
            0 => $function::<f16>($($argument),*),
            1 => $function::<bf16>($($argument),*),
            2 => $function::<f32>($($argument),*),
            3 => $function::<f64>($($argument),*),
            4 => $function::<E5M2>($($argument),*),
            5 => $function::<E4M3FN>($($argument),*),
            6 => $function::<E5M2FNUZ>($($argument),*),
            7 => $function::<E4M3FNUZ>($($argument),*),
            8 => $function::<E2M3>($($argument),*),
            9 => $function::<E3M2>($($argument),*),
            _ => $function::<E2M1>($($argument),*),
        }
    };
}

/// Text that the command line accepts as a number of any type.
pub fn command_line(rng: &mut SplitMix64) -> bool {
    let ty = one_of(rng, &Ty::ALL);
    let text = written(rng);
    let read = if rng.one_in(2) {
        cli::parse(&text, ty).ok()
    } else {
        cli::parse_hex(&text, ty).ok()
    };
    if let Some(bits) = read {
        assert_eq!(bits & !cli::mask(ty), 0, "{text:?}");
        assert!(!cli::value(ty, bits).is_empty() && !cli::hex(ty, bits).is_empty());
    }
    read.is_some()
}

/// Text to a format.
pub fn parse(rng: &mut SplitMix64) -> bool {
    at_a_format!(rng, parse_to(rng))
}

fn parse_to<F: Format>(rng: &mut SplitMix64) -> bool {
    let mut bytes = written(rng).into_bytes();
    if rng.one_in(16) {
        bytes.push(rng.next() as u8);
    }
    let mode = mode(rng);
    let read = if rng.one_in(2) {
        parse_decimal_status::<F>(&bytes, mode)
    } else {
        parse_hex_status::<F>(&bytes, mode)
    };
    match read {
        Ok((x, _)) => assert!(F::BITS == 64 || x.to_bits() >> F::BITS == 0, "{bytes:?}"),
        Err(error) => assert!(error.at() <= bytes.len(), "{bytes:?}: {error}"),
    }
    read.is_ok()
}

/// A number as text, into a buffer that may be too small; then the length in the error is enough.
pub fn format(rng: &mut SplitMix64) -> bool {
    at_a_format!(rng, format_from(rng))
}

fn format_from<F: Format>(rng: &mut SplitMix64) -> bool {
    let x = any::<F>(rng);
    let count = (rng.next() >> rng.between(48, 63)) as u16;
    let rounding = one_of(rng, &Rounding::ALL);
    let digits = one_of(
        rng,
        &[
            Digits::Shortest,
            Digits::Exact,
            Digits::Significant(count, rounding),
            Digits::Fractional(count, rounding),
        ],
    );
    let notation = one_of(rng, &[Notation::Positional, Notation::Scientific]);
    let kind = rng.below(3);
    let write = |buffer: &mut [u8]| -> Result<usize, BufferTooSmall> {
        let text = match kind {
            0 => format_decimal(x, digits, notation, buffer)?,
            1 => format_hex(x, buffer)?,
            _ => format_hex_rounded(x, count, rounding, buffer)?,
        };
        Ok(text.len())
    };
    let mut buffer = vec![0; rng.below(80) as usize];
    let written = write(&mut buffer);
    if let Err(BufferTooSmall { needed }) = written {
        assert!(needed > buffer.len());
        assert_eq!(write(&mut vec![0; needed]), Ok(needed));
    }
    let (text, width, places) = (Text::new(x, rounding), count.into(), usize::from(count / 2));
    assert!(!format!("{text:width$.places$} {text:+e} {text:x}").is_empty());
    written.is_ok()
}

/// Any code; for the wide formats often one of a moderate magnitude.
fn any<F: Format>(rng: &mut SplitMix64) -> F {
    let bits = rng.next() >> (64 - F::BITS);
    let near_one = F::BITS >= 32 && rng.one_in(2);
    let exponent = (F::BIAS - 20 + rng.below(40) as i32) as u64;
    F::from_bits(if near_one {
        let fraction = bits & ((1 << (F::PRECISION - 1)) - 1);
        fraction | exponent << (F::PRECISION - 1) | bits & F::SIGN
    } else {
        bits
    })
}

/// The shortest text, the exact one and the hexadecimal one parse to the same bits; the exact ones
/// do so in every mode.
pub fn round_trip(rng: &mut SplitMix64) -> bool {
    at_a_format!(rng, back(rng))
}

fn back<F: Format>(rng: &mut SplitMix64) -> bool {
    let x = any::<F>(rng);
    let (mode, mut buffer) = (mode(rng), [0; 1200]);
    let format = oracle::Format::of(Ty::from_name(F::NAME).expect("a type")).expect("a format");
    if matches!(format.decode(x.to_bits()), oracle::Datum::Nan { .. }) {
        return false;
    }
    let nearest = Mode::new(Rounding::TiesToEven, mode.overflow);
    let infinite = matches!(format.decode(x.to_bits()), oracle::Datum::Infinity { .. });
    // SaturateAll turns an infinity into the largest number.
    let (mode, nearest) = if infinite {
        (Mode::TIES_TO_EVEN, Mode::TIES_TO_EVEN)
    } else {
        (mode, nearest)
    };
    let notation = one_of(rng, &[Notation::Positional, Notation::Scientific]);
    let came_back: F = match rng.below(3) {
        0 => format_decimal(x, Digits::Shortest, notation, &mut buffer)
            .map(|text| parse_decimal(text, nearest)),
        1 => format_decimal(x, Digits::Exact, notation, &mut buffer)
            .map(|text| parse_decimal(text, mode)),
        _ => format_hex(x, &mut buffer).map(|text| parse_hex(text, mode)),
    }
    .expect("a buffer for every text")
    .expect("a number");
    assert_eq!(
        came_back.to_bits(),
        x.to_bits(),
        "{} {:X}",
        F::NAME,
        x.to_bits()
    );
    true
}
