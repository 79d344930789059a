//! MX and NVFP4 blocks at the machine's speed: [`bitexact::scale::quantise`],
//! [`nvfp4_quantise`](bitexact::scale::nvfp4_quantise()) and the ways back by branch-free loops.
//!
//! The bits are the kernels', at every [`Level`]. A dialect that rounds a quotient to f32 first, and then away from
//! zero or without clamping, is computed by the kernel; no named dialect does that. The kernel also computes NVFP4
//! blocks with a tensor scale below 2^-100 or above 2^100 or with a negative or NaN least scale, and quantises them
//! while the thread's floating-point state is not the default one.

use crate::level::Level;
pub use crate::simd::{BlockElement as Element, Wide};
use crate::simd::{Dequantise, Quantise, can_quantise, nvfp4};
use bitexact::Mode;
use bitexact::format::{E2M1, E4M3FN};
pub use bitexact::scale::{BlockError, Dialect, E8M0, Nvfp4, nvfp4_tensor_scale};

/// Checks that there are `count` values, and a scale for each block of them.
fn fits(values: usize, block: usize, count: usize, scales: usize) -> bool {
    block > 0 && values == count && values.div_ceil(block) == scales
}

/// A slice as MX blocks: each `block` values, and the remaining ones at the end, have their own scale.
///
/// `elements` has the length of `values`; `scales` has one for each block. Everything else is as in
/// [`bitexact::scale::quantise`], which also returns the exceptions.
///
/// # Errors
///
/// A block size of 0, or a buffer of the wrong length; nothing is written then.
///
/// ```
/// use bitexact_slices::mx::{Dialect, E8M0, dequantise, quantise};
/// use bitexact_slices::Mode;
/// use bitexact::format::E4M3FN;
/// let x: Vec<f32> = (0..40).map(|i| i as f32 * 0.25).collect();
/// let mut elements = [E4M3FN::from_bits(0); 40];
/// let mut scales = [E8M0::ONE; 2];
/// quantise(&x, 32, &Dialect::OCP_FLOOR, &mut elements, &mut scales)?;
/// let mut y = [0f32; 40];
/// dequantise(&elements, &scales, 32, Mode::TIES_TO_EVEN, &mut y)?;
/// assert_eq!(([x[31], y[31]], [x[39], y[39]]), ([7.75, 7.0], [9.75, 10.0]));
/// # Ok::<(), bitexact_slices::mx::BlockError>(())
/// ```
pub fn quantise<F: Wide, E: Element>(
    values: &[F],
    block: usize,
    dialect: &Dialect,
    elements: &mut [E],
    scales: &mut [E8M0],
) -> Result<(), BlockError> {
    quantise_at(Level::best(), values, block, dialect, elements, scales)
}

/// The values of MX blocks: each element times its scale, rounded once, as in
/// [`bitexact::scale::dequantise`], which also returns the exceptions.
///
/// # Errors
///
/// A block size of 0, or a buffer of the wrong length; nothing is written then.
pub fn dequantise<E: Element, R: Wide>(
    elements: &[E],
    scales: &[E8M0],
    block: usize,
    mode: Mode,
    values: &mut [R],
) -> Result<(), BlockError> {
    dequantise_at(Level::best(), elements, scales, block, mode, values)
}

/// A slice as NVFP4 blocks of 16, as in [`bitexact::scale::nvfp4_quantise`], which also returns the exceptions.
///
/// # Errors
///
/// A tensor scale that is zero, negative, infinite or NaN; a buffer of the wrong length. Nothing is written then.
///
/// ```
/// use bitexact_slices::mx::{Nvfp4, nvfp4_dequantise, nvfp4_quantise};
/// use bitexact_slices::Mode;
/// use bitexact::format::{E2M1, E4M3FN};
/// let mut elements = [E2M1::from_bits(0); 3];
/// let mut scales = [E4M3FN::from_bits(0)];
/// nvfp4_quantise(&[12.0f32, -1.0, 5.5], 1.0, &Nvfp4::EXACT, &mut elements, &mut scales)?;
/// let mut values = [0f32; 3];
/// nvfp4_dequantise(&elements, &scales, 1.0, Mode::TIES_TO_EVEN, &mut values)?;
/// assert_eq!(values, [12.0, -1.0, 6.0]);
/// # Ok::<(), bitexact_slices::mx::BlockError>(())
/// ```
pub fn nvfp4_quantise<F: Wide>(
    values: &[F],
    tensor_scale: f32,
    recipe: &Nvfp4,
    elements: &mut [E2M1],
    scales: &mut [E4M3FN],
) -> Result<(), BlockError> {
    nvfp4_quantise_at(
        Level::best(),
        values,
        tensor_scale,
        recipe,
        elements,
        scales,
    )
}

/// The values of NVFP4 blocks: `element * scale * tensor_scale`, rounded once, as in
/// [`bitexact::scale::nvfp4_dequantise`], which also returns the exceptions.
///
/// # Errors
///
/// As for [`nvfp4_quantise`].
pub fn nvfp4_dequantise<R: Wide>(
    elements: &[E2M1],
    scales: &[E4M3FN],
    tensor_scale: f32,
    mode: Mode,
    values: &mut [R],
) -> Result<(), BlockError> {
    nvfp4_dequantise_at(Level::best(), elements, scales, tensor_scale, mode, values)
}

/// [`nvfp4_quantise`] at a level.
#[doc(hidden)]
pub fn nvfp4_quantise_at<F: Wide>(
    level: Level,
    values: &[F],
    tensor_scale: f32,
    recipe: &Nvfp4,
    elements: &mut [E2M1],
    scales: &mut [E4M3FN],
) -> Result<(), BlockError> {
    let fit = fits(values.len(), nvfp4::BLOCK, elements.len(), scales.len());
    if !fit || !nvfp4::can_quantise(tensor_scale, recipe) {
        return bitexact::scale::nvfp4_quantise(values, tensor_scale, recipe, elements, scales)
            .map(drop);
    }
    level.run(nvfp4::Quantise {
        values,
        tensor_scale,
        recipe,
        elements,
        scales,
    });
    Ok(())
}

/// [`nvfp4_dequantise`] at a level.
#[doc(hidden)]
pub fn nvfp4_dequantise_at<R: Wide>(
    level: Level,
    elements: &[E2M1],
    scales: &[E4M3FN],
    tensor_scale: f32,
    mode: Mode,
    values: &mut [R],
) -> Result<(), BlockError> {
    let fit = fits(elements.len(), nvfp4::BLOCK, values.len(), scales.len());
    if !fit || !nvfp4::in_range(tensor_scale) {
        return bitexact::scale::nvfp4_dequantise(elements, scales, tensor_scale, mode, values)
            .map(drop);
    }
    level.run(nvfp4::Dequantise {
        elements,
        scales,
        tensor_scale,
        mode,
        values,
    });
    Ok(())
}

/// [`quantise`] at a level.
#[doc(hidden)]
pub fn quantise_at<F: Wide, E: Element>(
    level: Level,
    values: &[F],
    block: usize,
    dialect: &Dialect,
    elements: &mut [E],
    scales: &mut [E8M0],
) -> Result<(), BlockError> {
    // The kernel returns the error.
    if !can_quantise(dialect) || !fits(values.len(), block, elements.len(), scales.len()) {
        return bitexact::scale::quantise(values, block, dialect, elements, scales).map(drop);
    }
    level.run(Quantise {
        values,
        block,
        dialect,
        elements,
        scales,
    });
    Ok(())
}

/// [`dequantise`] at a level.
#[doc(hidden)]
pub fn dequantise_at<E: Element, R: Wide>(
    level: Level,
    elements: &[E],
    scales: &[E8M0],
    block: usize,
    mode: Mode,
    values: &mut [R],
) -> Result<(), BlockError> {
    if !fits(elements.len(), block, values.len(), scales.len()) {
        return bitexact::scale::dequantise(elements, scales, block, mode, values).map(drop);
    }
    level.run(Dequantise {
        elements,
        scales,
        block,
        mode,
        values,
    });
    Ok(())
}

/// [`par::mx`](crate::par::mx).
#[cfg(feature = "rayon")]
pub(crate) mod parallel {
    use super::nvfp4::BLOCK;
    use super::{BlockError, Dialect, E2M1, E4M3FN, E8M0, Element, Mode, Nvfp4, Wide, fits};
    use crate::cost::Cost;
    use rayon::prelude::*;

    /// Whole blocks of about a piece's length, and their number; none where one thread is as fast.
    fn pieces(elements: usize, block: usize) -> Option<(usize, usize)> {
        let piece = Cost::BLOCKS.piece(elements, rayon::current_num_threads);
        let blocks = piece.div_ceil(block);
        (piece < elements).then(|| (blocks.saturating_mul(block), blocks))
    }

    /// [`quantise`](crate::mx::quantise) on rayon's threads.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn quantise<F: Wide, E: Element>(
        values: &[F],
        block: usize,
        dialect: &Dialect,
        elements: &mut [E],
        scales: &mut [E8M0],
    ) -> Result<(), BlockError> {
        let fit = fits(values.len(), block, elements.len(), scales.len());
        let Some((length, blocks)) = fit.then(|| pieces(values.len(), block)).flatten() else {
            return super::quantise(values, block, dialect, elements, scales);
        };
        values
            .par_chunks(length)
            .zip(elements.par_chunks_mut(length))
            .zip(scales.par_chunks_mut(blocks))
            .try_for_each(|((values, elements), scales)| {
                super::quantise(values, block, dialect, elements, scales)
            })
    }

    /// [`dequantise`](crate::mx::dequantise) on rayon's threads.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn dequantise<E: Element, R: Wide>(
        elements: &[E],
        scales: &[E8M0],
        block: usize,
        mode: Mode,
        values: &mut [R],
    ) -> Result<(), BlockError> {
        let fit = fits(elements.len(), block, values.len(), scales.len());
        let Some((length, blocks)) = fit.then(|| pieces(values.len(), block)).flatten() else {
            return super::dequantise(elements, scales, block, mode, values);
        };
        elements
            .par_chunks(length)
            .zip(values.par_chunks_mut(length))
            .zip(scales.par_chunks(blocks))
            .try_for_each(|((elements, values), scales)| {
                super::dequantise(elements, scales, block, mode, values)
            })
    }

    /// [`nvfp4_quantise`](crate::mx::nvfp4_quantise) on rayon's threads.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn nvfp4_quantise<F: Wide>(
        values: &[F],
        tensor_scale: f32,
        recipe: &Nvfp4,
        elements: &mut [E2M1],
        scales: &mut [E4M3FN],
    ) -> Result<(), BlockError> {
        let fit = fits(values.len(), BLOCK, elements.len(), scales.len());
        let Some((length, blocks)) = fit.then(|| pieces(values.len(), BLOCK)).flatten() else {
            return super::nvfp4_quantise(values, tensor_scale, recipe, elements, scales);
        };
        values
            .par_chunks(length)
            .zip(elements.par_chunks_mut(length))
            .zip(scales.par_chunks_mut(blocks))
            .try_for_each(|((values, elements), scales)| {
                super::nvfp4_quantise(values, tensor_scale, recipe, elements, scales)
            })
    }

    /// [`nvfp4_dequantise`](crate::mx::nvfp4_dequantise) on rayon's threads.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn nvfp4_dequantise<R: Wide>(
        elements: &[E2M1],
        scales: &[E4M3FN],
        tensor_scale: f32,
        mode: Mode,
        values: &mut [R],
    ) -> Result<(), BlockError> {
        let fit = fits(elements.len(), BLOCK, values.len(), scales.len());
        let Some((length, blocks)) = fit.then(|| pieces(values.len(), BLOCK)).flatten() else {
            return super::nvfp4_dequantise(elements, scales, tensor_scale, mode, values);
        };
        elements
            .par_chunks(length)
            .zip(values.par_chunks_mut(length))
            .zip(scales.par_chunks(blocks))
            .try_for_each(|((elements, values), scales)| {
                super::nvfp4_dequantise(elements, scales, tensor_scale, mode, values)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::can_quantise;
    use bitexact::scale::{DIALECTS, Dialect, Quotient};
    use bitexact::{Mode, Overflow, Rounding};

    /// Otherwise its blocks would go through the kernel, and comparing them with the kernel could
    /// not fail.
    #[test]
    fn every_named_dialect_has_a_loop() {
        for (name, dialect) in DIALECTS {
            assert!(can_quantise(dialect), "{name}");
        }
    }

    #[test]
    fn quotients_that_are_rounded_first_have_one_where_it_cannot_be_seen() {
        let with = |rounding, overflow, quotient| {
            can_quantise(&Dialect {
                mode: Mode::new(rounding, overflow),
                quotient,
                ..Dialect::OCP_FLOOR
            })
        };
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                assert!(with(rounding, overflow, Quotient::Exact));
            }
        }
        assert!(!with(
            Rounding::TowardPositive,
            Overflow::SaturateAll,
            Quotient::Divided
        ));
        assert!(!with(
            Rounding::ToOdd,
            Overflow::SaturateAll,
            Quotient::Reciprocal
        ));
        assert!(!with(
            Rounding::TiesToEven,
            Overflow::SaturateFinite,
            Quotient::Divided
        ));
    }
}
