//! The program of `firmware/device/src/bin/digits.rs` on this machine: the same lines.
//!
//! `cargo run -p firmware --example digits`

use bitexact::nn::Weight;
use firmware::Error;
use firmware::digits::{Model, images};
use sweep_inputs::digest::Digest;

fn run<W: Weight + 'static>(name: &str, model: &Model<W>) -> Result<(), Error> {
    let (mut digest, mut right) = (Digest::EMPTY, 0);
    for (n, (image, label)) in (0u32..).zip(images()) {
        let reading = model.classify(image)?;
        right += u32::from(reading.digit == usize::from(label));
        digest.merge(reading.digest(n));
    }
    let count = images().count();
    println!(
        "{name}: {right} of {count} digits, digest {:016X}",
        digest.sum
    );
    Ok(())
}

fn main() -> Result<(), Error> {
    run("bf16", &Model::BF16)?;
    run("MXFP8", &Model::MXFP8)
}
