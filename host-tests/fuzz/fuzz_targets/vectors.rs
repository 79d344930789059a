//! Vectors as TestFloat writes them, to `sweep verify`: it ends with 0, 1 or 2, and says why where
//! it is 2.
#![no_main]

use host_tests::{cli::entry, rows};
use libfuzzer_sys::fuzz_target;
use std::ffi::OsString;

const COMMANDS: [&[&str]; 6] = [
    &["f16_add", "--rounding", "ties-to-even"],
    &["f16_mulAdd", "--rounding", "toward-zero", "--no-flags"],
    &["f32_to_f16", "--rounding", "toward-positive"],
    &["convert.f32.bf16", "--rounding", "ties-to-away"],
    &["lt.bf16"],
    &["e8m0_encode.f32"],
];

fuzz_target!(|data: (u8, &str)| {
    let (choice, text) = data;
    let command = COMMANDS[usize::from(choice) % COMMANDS.len()];
    let arguments = ["sweep", "verify"]
        .iter()
        .chain(command)
        .map(OsString::from);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = entry(
        rows::all(),
        arguments,
        &mut text.as_bytes(),
        &mut out,
        &mut err,
    );
    assert!(status <= 2);
    assert_eq!(status == 2, !err.is_empty());
});
