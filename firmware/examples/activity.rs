//! The program of `firmware/device/src/bin/activity.rs` on this machine: the same lines.
//!
//! `cargo run -p firmware --example activity`

use firmware::{Error, Monitor, SEED, WINDOWS, sensor::Sensor};
use sweep_inputs::digest::Digest;

fn main() -> Result<(), Error> {
    let sensor = Sensor::new(SEED);
    let monitor = Monitor::<f32>::new(SEED);
    let mut digest = Digest::EMPTY;
    for n in 0..WINDOWS {
        let reading = monitor.classify(&sensor.window(n))?;
        let scales: Vec<u8> = reading.packed.scales.iter().map(|x| x.to_bits()).collect();
        println!(
            "window {n}: {:?} at {}, scales {scales:?}",
            reading.activity,
            reading.confidence_text(&mut [0; 16])
        );
        digest.merge(reading.digest(n));
    }
    println!("digest {:016X} of {} words", digest.sum, digest.count);
    Ok(())
}
