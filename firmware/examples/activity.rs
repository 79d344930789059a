//! The program of `firmware/device/src/bin/activity.rs` on this machine: the same lines.
//!
//! `cargo run -p firmware --example activity`

use firmware::{Error, Monitor, SEED, WINDOWS, sensor::Sensor};
use networks::digest::Digest;

fn main() -> Result<(), Error> {
    let sensor = Sensor::new(SEED);
    let monitor = Monitor::<f32>::new(SEED);
    let mut digest = Digest::EMPTY;
    for n in 0..WINDOWS {
        let reading = monitor.classify(&sensor.window(n))?;
        let scales: Vec<u8> = reading.packed.scales.iter().map(|x| x.to_bits()).collect();
        let (p, bits) = (reading.confidence.to_f32(), reading.confidence.to_bits());
        println!(
            "window {n}: {:?} at {p} ({bits:#06X}), scales {scales:?}",
            reading.activity
        );
        digest.merge(reading.digest(n));
    }
    println!("digest {:016X} of {} words", digest.sum, digest.count);
    Ok(())
}
