//! The example application on a microcontroller: reads windows of an accelerometer, classifies them
//! and logs each with `defmt`; at the end it logs the digest of all, which equals the host's, and
//! the stack used.
//!
//! The application itself is the library `firmware`; this is what a board adds.
#![no_std]
#![no_main]

use device::{board, stack};
use firmware::sensor::{Sensor, Window};
use firmware::{Error, Monitor, Reading, SEED, STACK, WINDOWS};
use sweep_inputs::digest::Digest;

/// The network runs on the FPU if there is one, otherwise on integers; the bits are the same.
#[cfg(target_abi = "eabihf")]
type Single = f32;
#[cfg(not(target_abi = "eabihf"))]
type Single = bitexact::format::Binary32;

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    match board::end(activity()) {}
}

fn activity() -> Result<bool, &'static str> {
    let sensor = Sensor::new(SEED);
    let monitor = Monitor::<Single>::new(SEED);
    let (mut digest, mut most) = (Digest::EMPTY, 0);
    for n in 0..WINDOWS {
        let window = sensor.window(n);
        let (reading, bytes) = stack::used::<PAINTED, _>(|| classify(&monitor, &window));
        let reading = reading.map_err(|error| {
            defmt::error!("window {=u32}: {}", n, error);
            "a window could not be classified"
        })?;
        defmt::info!(
            "window {=u32}: {} at {=str}, scales {=[u8]}",
            n,
            reading.activity,
            reading.confidence_text(&mut [0; 16]),
            scales(&reading)
        );
        digest.merge(reading.digest(n));
        most = most.max(bytes);
    }
    defmt::info!(
        "digest {=u64:016X} of {=u64} words",
        digest.sum,
        digest.count
    );
    defmt::info!("stack {=u32} of {=u32} bytes", most, STACK);
    Ok(most <= STACK)
}

/// More than the limit, so that exceeding it is detected.
const PAINTED: usize = STACK as usize / 4 + 256;

/// A separate function, so that its whole stack can be measured.
#[inline(never)]
fn classify(monitor: &Monitor<Single>, window: &Window) -> Result<Reading, Error> {
    monitor.classify(window)
}

fn scales(reading: &Reading) -> [u8; 3] {
    let mut scales = [0; 3];
    for (byte, scale) in scales.iter_mut().zip(&reading.packed.scales) {
        *byte = scale.to_bits();
    }
    scales
}
