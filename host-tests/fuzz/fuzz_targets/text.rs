//! Decimal and hexadecimal text to every format, and back.
#![no_main]

use bitexact::convert::{
    Digits, Notation, format_decimal, format_hex, parse_decimal, parse_decimal_status, parse_hex,
    parse_hex_status,
};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [format, mode, text @ ..] = data else {
        return;
    };
    match format % 11 {
        0 => parsed::<f16>(*mode, text),
        1 => parsed::<bf16>(*mode, text),
        2 => parsed::<f32>(*mode, text),
        3 => parsed::<f64>(*mode, text),
        4 => parsed::<E5M2>(*mode, text),
        5 => parsed::<E4M3FN>(*mode, text),
        6 => parsed::<E5M2FNUZ>(*mode, text),
        7 => parsed::<E4M3FNUZ>(*mode, text),
        8 => parsed::<E2M3>(*mode, text),
        9 => parsed::<E3M2>(*mode, text),
        _ => parsed::<E2M1>(*mode, text),
    }
});

fn parsed<F: Format>(choice: u8, text: &[u8]) {
    let mode = Mode::new(
        Rounding::ALL[usize::from(choice % 6)],
        Overflow::ALL[usize::from(choice / 6 % 3)],
    );
    let read = if choice >= 128 {
        parse_hex_status::<F>(text, mode)
    } else {
        parse_decimal_status::<F>(text, mode)
    };
    match read {
        Ok((x, _)) => {
            assert!(F::BITS == 64 || x.to_bits() >> F::BITS == 0);
            if x.to_bits() & (F::SIGN - 1) <= F::MAX_FINITE && Some(x.to_bits()) != F::NAN {
                round_trips(x);
            }
        }
        Err(error) => assert!(error.at() <= text.len()),
    }
}

fn round_trips<F: Format>(x: F) {
    let mut buffer = [0; 1200];
    let even = Mode::TIES_TO_EVEN;
    for notation in [Notation::Positional, Notation::Scientific] {
        for digits in [Digits::Shortest, Digits::Exact] {
            let text = format_decimal(x, digits, notation, &mut buffer).expect("room");
            let back: F = parse_decimal(text, even).expect("a number");
            assert_eq!(back.to_bits(), x.to_bits());
        }
    }
    let text = format_hex(x, &mut buffer).expect("room");
    let back: F = parse_hex(text, even).expect("a number");
    assert_eq!(back.to_bits(), x.to_bits());
}
