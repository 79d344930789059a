//! A window of counts, normalised and quantised.

use crate::Error;
use crate::sensor::{AXES, SAMPLES, Window};
use bitexact::format::{Binary32, E4M3FN};
use bitexact::scale::{self, Dialect, E8M0};
use bitexact::{Mode, Status, arith, bf16, convert, reduce};
use heapless::Vec;

/// Values of a window.
pub const VALUES: usize = AXES * SAMPLES;

/// Every rounding here is to the nearest, ties to even.
const MODE: Mode = Mode::TIES_TO_EVEN;

/// A window in 99 bytes: each axis is an MX block of 32 FP8 elements that share a scale.
pub struct Packed {
    /// The elements, axis by axis.
    pub elements: Vec<E4M3FN, VALUES>,
    /// The scale of each axis.
    pub scales: Vec<E8M0, AXES>,
}

/// The window's values with mean 0 and variance 1 on every axis, axis by axis.
///
/// Each is `(x - mean) / deviation`, with the exact mean and standard deviation rounded once, so
/// that neither the order of the samples nor the compiler can change them. The difference is
/// rounded to f32, the quotient to bf16. A deviation below one count is treated as one, so that a
/// stuck sensor gives zeros.
///
/// # Errors
///
/// None for a [`Window`].
pub fn normalise(window: &Window) -> Result<Vec<bf16, VALUES>, Error> {
    let mut values = Vec::new();
    for counts in window {
        // An f32 holds every count. It is kept as bits, so no FPU is involved.
        let samples = counts.map(|count| convert::from_int::<i16, Binary32>(count, MODE));
        let mean: Binary32 = reduce::mean(&samples, MODE)?;
        let deviation: Binary32 = reduce::standard_deviation(&samples, 0, MODE)?;
        let deviation = arith::maximum(deviation, convert::from_int(1u8, MODE));
        for x in samples {
            let distance: Binary32 = arith::sub(x, mean, MODE);
            let value: bf16 = arith::div(distance, deviation, MODE);
            values.push(value).map_err(|_| Error::Full)?;
        }
    }
    Ok(values)
}

/// The values as MX blocks by the rules of OCP MX v1.0, and the exceptions of the roundings.
///
/// # Errors
///
/// [`Error::Block`] if there are not [`VALUES`] values.
pub fn quantise(values: &[bf16]) -> Result<(Packed, Status), Error> {
    let mut packed = Packed {
        elements: Vec::from_array([E4M3FN::from_bits(0); VALUES]),
        scales: Vec::from_array([E8M0::ONE; AXES]),
    };
    let Packed { elements, scales } = &mut packed;
    let status = scale::quantise(values, SAMPLES, &Dialect::OCP_FLOOR, elements, scales)?;
    Ok((packed, status))
}

/// The values of the blocks, which are exact in f32 for any scales.
///
/// # Errors
///
/// [`Error::Block`] if the numbers of elements, scales and values do not match.
pub fn dequantise<F: bitexact::format::Format>(
    packed: &Packed,
    values: &mut [F],
) -> Result<(), Error> {
    scale::dequantise(&packed.elements, &packed.scales, SAMPLES, MODE, values)?;
    Ok(())
}
