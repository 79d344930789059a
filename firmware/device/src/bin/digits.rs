//! The trained digits model on a microcontroller: classifies the test images with weights in bf16
//! and in MXFP8, and logs how many are right, the digest of all logits, which equals the host's,
//! and the stack used.
//!
//! The model itself is `firmware::digits`; this is what a board adds.
#![no_std]
#![no_main]

use bitexact::nn::Weight;
use device::{board, stack};
use firmware::Error;
use firmware::digits::{Model, PIXELS, Reading, STACK, images};
use sweep_inputs::digest::Digest;

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    match board::end(digits()) {}
}

fn digits() -> Result<bool, &'static str> {
    let most = run("bf16", &Model::BF16)?.max(run("MXFP8", &Model::MXFP8)?);
    defmt::info!("stack {=u32} of {=u32} bytes", most, STACK);
    Ok(most <= STACK)
}

/// More than the limit, so that exceeding it is detected.
const PAINTED: usize = STACK as usize / 4 + 256;

/// Returns the most bytes of stack that an image took.
fn run<W: Weight + 'static>(name: &str, model: &Model<W>) -> Result<u32, &'static str> {
    let (mut digest, mut right, mut most) = (Digest::EMPTY, 0, 0);
    for (n, (image, label)) in (0u32..).zip(images()) {
        let (reading, bytes) = stack::used::<PAINTED, _>(|| classify(model, image));
        let reading = reading.map_err(|error| {
            defmt::error!("image {=u32}: {}", n, error);
            "an image could not be classified"
        })?;
        right += u32::from(reading.digit == usize::from(label));
        digest.merge(reading.digest(n));
        most = most.max(bytes);
    }
    defmt::info!(
        "{=str}: {=u32} of {=usize} digits, digest {=u64:016X}",
        name,
        right,
        images().count(),
        digest.sum
    );
    Ok(most)
}

/// A separate function, so that its whole stack can be measured.
#[inline(never)]
fn classify<W: Weight + 'static>(model: &Model<W>, image: &[u8; PIXELS]) -> Result<Reading, Error> {
    model.classify(image)
}
