//! A simulated accelerometer: three axes, 16 bits, 8192 counts to 1 g.
//!
//! Window `n` has one of six motions, in turn: lying still, walking, running, shaking, a shock that
//! drives the sensor to its limits, and a sensor that is stuck at one count. The counts are
//! integers throughout: gravity on z, a triangle wave on every axis, and noise from the
//! [stated generator](networks::Stream).

use networks::Stream;

/// Axes of the sensor.
pub const AXES: usize = 3;
/// Samples of an axis in a window: as many as an MX block has elements.
pub const SAMPLES: usize = 32;
/// Counts of one window, axis by axis.
pub type Window = [[i16; SAMPLES]; AXES];

/// Counts of 1 g.
const GRAVITY: i32 = 8192;

/// The waves of a motion.
struct Motion {
    /// Approximate counts from the least to the greatest.
    amplitude: i32,
    /// Samples of a wave.
    period: u32,
    /// Bits of the noise.
    noise: u32,
}

const fn motion(amplitude: i32, period: u32, noise: u32) -> Motion {
    Motion {
        amplitude,
        period,
        noise,
    }
}

const MOTIONS: [Motion; 5] = [
    motion(0, 32, 6),
    motion(5_000, 16, 9),
    motion(18_000, 8, 11),
    motion(28_000, 5, 13),
    motion(120_000, 11, 12),
];

/// The sensor.
#[derive(Clone, Copy, Debug)]
pub struct Sensor {
    seed: u64,
}

impl Sensor {
    /// The sensor of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Reads window `n`, as a driver would fetch it from the sensor's FIFO.
    #[must_use]
    pub fn window(&self, n: u32) -> Window {
        let mut window = [[0x0ABC; SAMPLES]; AXES];
        let Some(motion) = MOTIONS.get(n as usize % (MOTIONS.len() + 1)) else {
            return window; // stuck
        };
        for (axis, samples) in (0u32..).zip(&mut window) {
            let stream = Stream::new(self.seed, u64::from(n) << 8 | u64::from(axis));
            let still = if axis == 2 { GRAVITY } else { 0 };
            for (i, sample) in (0u32..).zip(samples) {
                let wave = triangle(n + axis + i, motion.period) * motion.amplitude;
                let wave = wave >> (9 + axis);
                let noise = (stream.word(i.into()) >> (64 - motion.noise)) as i32;
                let count = still + wave + noise - (1 << (motion.noise - 1));
                *sample = count.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            }
        }
        window
    }
}

/// From -256 to 256 and back within a period.
const fn triangle(i: u32, period: u32) -> i32 {
    let Some(phase) = i.checked_rem(period) else {
        return 0;
    };
    let Some(rise) = (phase * 1024).checked_div(period) else {
        return 0;
    };
    (rise as i32 - 512).abs() - 256
}
