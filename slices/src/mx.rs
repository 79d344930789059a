//! MX and NVFP4 blocks at the machine's speed: [`bitexact::scale::quantise`],
//! [`nvfp4_quantise`](bitexact::scale::nvfp4_quantise()), both also with stochastic rounding, the
//! ways back, and packing elements of less than a byte, by branch-free loops.
//!
//! The bits are the kernels', at every [`Level`]. Two kinds of dialects are computed by the kernel,
//! and no named dialect is one of them: those that round a quotient to f32 first and then away from
//! zero, and those that do so without clamping. The kernel also computes NVFP4 blocks with a tensor
//! scale below 2^-100 or above 2^100 or with a negative or NaN least scale, and quantises them
//! while the thread's floating-point state is not the default one.

use crate::level::Level;
pub use crate::simd::{BlockElement as Element, Wide};
use crate::simd::{Dequantise, Pack, Quantise, Unpack, can_quantise, no_bits, nvfp4};
use bitexact::format::{E2M1, E4M3FN};
pub use bitexact::scale::{BlockError, Dialect, E8M0, Nvfp4, Packed, nvfp4_tensor_scale};
use bitexact::{Mode, Rounding};

/// Checks that there are `count` values, and a scale for each block of them.
fn fits(values: usize, block: usize, count: usize, scales: usize) -> bool {
    block > 0 && values == count && values.div_ceil(block) == scales
}

/// Checks that each value has its random bits.
const fn check_random<F>(random: &[u16], values: &[F]) -> Result<(), BlockError> {
    let (expected, found) = (values.len(), random.len());
    if expected == found {
        return Ok(());
    }
    Err(BlockError::LengthMismatch {
        which: "random",
        expected,
        found,
    })
}

/// For each function on blocks, the public one at the best level, and the same on rayon's threads,
/// in `parallel`: there the slices are cut into pieces of whole blocks, and the scales with them.
/// One thread works where the lengths do not fit, and returns the error.
macro_rules! forms {
    ($(
        $(#[$doc:meta])*
        fn $name:ident, $at:ident[$($generics:tt)*]($($arg:ident: $ty:ty),*)
        in pieces of $block:expr, loop if $by_loop:expr,
        where $fit:expr =>
        [$first:ident $first_chunks:ident $(, $slice:ident $chunks:ident)*] [$scales:ident $scale_chunks:ident];
    )*) => {
        $($(#[$doc])*
        pub fn $name<$($generics)*>($($arg: $ty),*) -> Result<(), BlockError> {
            $at(Level::best(), $($arg),*)
        })*

        /// [`par::mx`](crate::par::mx).
        #[cfg(feature = "rayon")]
        pub(crate) mod parallel {
            use super::*;
            use crate::cost::Cost;
            use rayon::prelude::*;

            /// Whole blocks of about a piece's length, and their number; none where one thread is
            /// as fast. `by_loop` if not by the kernel.
            fn pieces(by_loop: bool, elements: usize, block: usize) -> Option<(usize, usize)> {
                let cost = if by_loop { Cost::BLOCKS } else { Cost::KERNEL };
                let piece = cost.piece(Cost::ASLEEP, elements, rayon::current_num_threads);
                let blocks = piece.div_ceil(block);
                (piece < elements).then(|| (blocks.saturating_mul(block), blocks))
            }

            $(#[doc = concat!("[`", stringify!($name), "`](crate::mx::", stringify!($name), ") on rayon's threads.")]
            ///
            /// # Errors
            ///
            /// As there.
            pub fn $name<$($generics)*>($($arg: $ty),*) -> Result<(), BlockError> {
                let cut = ($fit).then(|| pieces($by_loop, $first.len(), $block));
                let Some((length, blocks)) = cut.flatten() else {
                    return super::$name($($arg),*);
                };
                ($first.$first_chunks(length), $($slice.$chunks(length),)* $scales.$scale_chunks(blocks))
                    .into_par_iter()
                    .try_for_each(|($first, $($slice,)* $scales)| super::$name($($arg),*))
            })*

            /// The elements and the bytes of a piece: whole groups; none where one thread is as
            /// fast.
            fn packed_pieces<F: Packed>(elements: usize, bytes: usize) -> Option<(usize, usize)> {
                let piece = Cost::moved::<F, u8>();
                let piece = piece.piece(Cost::ASLEEP, elements, rayon::current_num_threads);
                let piece = piece.next_multiple_of(F::GROUP);
                let fit = bytes == F::packed_len(elements);
                (fit && piece < elements).then(|| (piece, F::packed_len(piece)))
            }

            /// [`pack`](crate::mx::pack) on rayon's threads.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn pack<F: Packed + Send + Sync>(
                elements: &[F],
                bytes: &mut [u8],
            ) -> Result<(), BlockError> {
                let Some((length, size)) = packed_pieces::<F>(elements.len(), bytes.len()) else {
                    return super::pack(elements, bytes);
                };
                elements
                    .par_chunks(length)
                    .zip(bytes.par_chunks_mut(size))
                    .try_for_each(|(elements, bytes)| super::pack(elements, bytes))
            }

            /// [`unpack`](crate::mx::unpack) on rayon's threads.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn unpack<F: Packed + Send + Sync>(
                bytes: &[u8],
                elements: &mut [F],
            ) -> Result<(), BlockError> {
                let Some((length, size)) = packed_pieces::<F>(elements.len(), bytes.len()) else {
                    return super::unpack(bytes, elements);
                };
                bytes
                    .par_chunks(size)
                    .zip(elements.par_chunks_mut(length))
                    .try_for_each(|(bytes, elements)| super::unpack(bytes, elements))
            }
        }
    };
}

forms! {
    /// A slice as MX blocks: each `block` values, and the remaining ones at the end, have their own
    /// scale.
    ///
    /// `elements` has the length of `values`; `scales` has one for each block. Everything else is
    /// as in [`bitexact::scale::quantise`], which also returns the exceptions.
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
    fn quantise, quantise_at[F: Wide, E: Element](values: &[F], block: usize, dialect: &Dialect, elements: &mut [E], scales: &mut [E8M0])
    in pieces of block, loop if can_quantise(dialect),
    where fits(values.len(), block, elements.len(), scales.len()) =>
    [values par_chunks, elements par_chunks_mut] [scales par_chunks_mut];

    /// [`quantise`] with stochastic rounding of the elements, each by its own 16 bits of `random`:
    /// the bits of [`bitexact::scale::quantise_stochastic`], which also returns the exceptions,
    /// with these in turn.
    ///
    /// Scales are those of [`quantise`]. `random` has the length of `values`; the bits of values
    /// whose element is not rounded (zeros, infinities, NaNs, those of a block whose scale is NaN)
    /// change nothing.
    ///
    /// # Errors
    ///
    /// A block size of 0, or a buffer of the wrong length; nothing is written then.
    ///
    /// ```
    /// use bitexact_slices::mx::{Dialect, E8M0, quantise_stochastic};
    /// use bitexact::format::E2M1;
    /// // The 6 makes the scale 1, and 0.125 is a quarter of the least element.
    /// let x = [6.0f32, 0.125, 0.125, -0.125];
    /// let random = [0, 0xBFFF, 0xC000, 0xFFFF];
    /// let (mut elements, mut scales) = ([E2M1::from_bits(0); 4], [E8M0::ONE]);
    /// quantise_stochastic(&x, 32, &Dialect::OCP_FLOOR, &random, &mut elements, &mut scales)?;
    /// assert_eq!(elements.map(|element| element.to_bits()), [0x7, 0x0, 0x1, 0x9]);
    /// # Ok::<(), bitexact_slices::mx::BlockError>(())
    /// ```
    fn quantise_stochastic, quantise_stochastic_at[F: Wide, E: Element](values: &[F], block: usize, dialect: &Dialect, random: &[u16], elements: &mut [E], scales: &mut [E8M0])
    in pieces of block, loop if can_quantise(dialect),
    where fits(values.len(), block, elements.len(), scales.len())
        && random.len() == values.len() =>
    [values par_chunks, random par_chunks, elements par_chunks_mut] [scales par_chunks_mut];

    /// The values of MX blocks: each element times its scale, rounded once, as in
    /// [`bitexact::scale::dequantise`], which also returns the exceptions.
    ///
    /// # Errors
    ///
    /// A block size of 0, or a buffer of the wrong length; nothing is written then.
    fn dequantise, dequantise_at[E: Element, R: Wide](elements: &[E], scales: &[E8M0], block: usize, mode: Mode, values: &mut [R])
    in pieces of block, loop if true,
    where fits(elements.len(), block, values.len(), scales.len()) =>
    [elements par_chunks, values par_chunks_mut] [scales par_chunks];

    /// A slice as NVFP4 blocks of 16, as in [`bitexact::scale::nvfp4_quantise`], which also returns
    /// the exceptions.
    ///
    /// # Errors
    ///
    /// A tensor scale that is zero, negative, infinite or NaN; a buffer of the wrong length.
    /// Nothing is written then.
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
    fn nvfp4_quantise, nvfp4_quantise_at[F: Wide](values: &[F], tensor_scale: f32, recipe: &Nvfp4, elements: &mut [E2M1], scales: &mut [E4M3FN])
    in pieces of nvfp4::BLOCK, loop if nvfp4::can_quantise(tensor_scale, recipe),
    where fits(values.len(), nvfp4::BLOCK, elements.len(), scales.len()) =>
    [values par_chunks, elements par_chunks_mut] [scales par_chunks_mut];

    /// [`nvfp4_quantise`] with stochastic rounding of the elements, each by its own 16 bits of
    /// `random`: the bits of [`bitexact::scale::nvfp4_quantise_stochastic`], which also returns the
    /// exceptions, with these in turn.
    ///
    /// Scales are those of [`nvfp4_quantise`]. `random` has the length of `values`; the bits of
    /// values whose element is not rounded (zeros, infinities, values of 6 times both scales or
    /// more, those of a block whose scale is 0 or NaN) change nothing.
    ///
    /// # Errors
    ///
    /// As for [`nvfp4_quantise`].
    ///
    /// ```
    /// use bitexact_slices::mx::{Nvfp4, nvfp4_quantise_stochastic};
    /// use bitexact::format::{E2M1, E4M3FN};
    /// // The 6 makes the scale 1, and 2.25 is a quarter of the way from 2 to 3.
    /// let x = [6.0f32, 2.25, 2.25, -2.25];
    /// let random = [0, 0xBFFF, 0xC000, 0xFFFF];
    /// let (mut elements, mut scales) = ([E2M1::from_bits(0); 4], [E4M3FN::from_bits(0)]);
    /// nvfp4_quantise_stochastic(&x, 1.0, &Nvfp4::EXACT, &random, &mut elements, &mut scales)?;
    /// assert_eq!(elements.map(E2M1::to_bits), [0x7, 0x4, 0x5, 0xD]); // 6, 2, 3, -3
    /// # Ok::<(), bitexact_slices::mx::BlockError>(())
    /// ```
    fn nvfp4_quantise_stochastic, nvfp4_quantise_stochastic_at[F: Wide](values: &[F], tensor_scale: f32, recipe: &Nvfp4, random: &[u16], elements: &mut [E2M1], scales: &mut [E4M3FN])
    in pieces of nvfp4::BLOCK, loop if nvfp4::can_quantise(tensor_scale, recipe),
    where fits(values.len(), nvfp4::BLOCK, elements.len(), scales.len())
        && random.len() == values.len() =>
    [values par_chunks, random par_chunks, elements par_chunks_mut] [scales par_chunks_mut];

    /// The values of NVFP4 blocks: `element * scale * tensor_scale`, rounded once, as in
    /// [`bitexact::scale::nvfp4_dequantise`], which also returns the exceptions.
    ///
    /// # Errors
    ///
    /// As for [`nvfp4_quantise`].
    fn nvfp4_dequantise, nvfp4_dequantise_at[R: Wide](elements: &[E2M1], scales: &[E4M3FN], tensor_scale: f32, mode: Mode, values: &mut [R])
    in pieces of nvfp4::BLOCK, loop if nvfp4::in_range(tensor_scale),
    where fits(elements.len(), nvfp4::BLOCK, values.len(), scales.len()) =>
    [elements par_chunks, values par_chunks_mut] [scales par_chunks];
}

/// Elements narrower than a byte in whole bytes, the first in the low bits, as in
/// [`bitexact::scale::pack()`]; the unused bits of the last byte are zero.
///
/// # Errors
///
/// `bytes` does not have [`Packed::packed_len`] elements; nothing is written then.
///
/// ```
/// use bitexact_slices::mx::{pack, unpack};
/// use bitexact::format::E2M1;
/// let x = [0x1, 0x7, 0xA].map(E2M1::from_bits);
/// let mut bytes = [0; 2];
/// pack(&x, &mut bytes)?;
/// assert_eq!(bytes, [0x71, 0x0A]);
/// let mut y = [E2M1::from_bits(0); 3];
/// unpack(&bytes, &mut y)?;
/// assert_eq!(x, y);
/// # Ok::<(), bitexact_slices::mx::BlockError>(())
/// ```
pub fn pack<F: Packed>(elements: &[F], bytes: &mut [u8]) -> Result<(), BlockError> {
    pack_at(Level::best(), elements, bytes)
}

/// As many elements as `elements` has from whole bytes, as in [`bitexact::scale::unpack()`]; unused
/// bits of the last byte are ignored.
///
/// # Errors
///
/// As for [`pack`].
pub fn unpack<F: Packed>(bytes: &[u8], elements: &mut [F]) -> Result<(), BlockError> {
    unpack_at(Level::best(), bytes, elements)
}

/// [`pack`] at a level.
#[doc(hidden)]
pub fn pack_at<F: Packed>(
    level: Level,
    elements: &[F],
    bytes: &mut [u8],
) -> Result<(), BlockError> {
    // The kernel returns the error.
    if F::packed_len(elements.len()) != bytes.len() {
        return bitexact::scale::pack(elements, bytes);
    }
    level.run(Pack { elements, bytes });
    Ok(())
}

/// [`unpack`] at a level.
#[doc(hidden)]
pub fn unpack_at<F: Packed>(
    level: Level,
    bytes: &[u8],
    elements: &mut [F],
) -> Result<(), BlockError> {
    if F::packed_len(elements.len()) != bytes.len() {
        return bitexact::scale::unpack(bytes, elements);
    }
    level.run(Unpack { bytes, elements });
    Ok(())
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
        random: no_bits(values.len()),
        tensor_scale,
        recipe,
        elements,
        scales,
    });
    Ok(())
}

/// [`nvfp4_quantise_stochastic`] at a level.
#[doc(hidden)]
pub fn nvfp4_quantise_stochastic_at<F: Wide>(
    level: Level,
    values: &[F],
    tensor_scale: f32,
    recipe: &Nvfp4,
    random: &[u16],
    elements: &mut [E2M1],
    scales: &mut [E4M3FN],
) -> Result<(), BlockError> {
    check_random(random, values)?;
    let fit = fits(values.len(), nvfp4::BLOCK, elements.len(), scales.len());
    if !fit || !nvfp4::can_quantise(tensor_scale, recipe) {
        let mut random = random.iter().copied();
        return bitexact::scale::nvfp4_quantise_stochastic(
            values,
            tensor_scale,
            recipe,
            || random.next().unwrap_or_default(),
            elements,
            scales,
        )
        .map(drop);
    }
    level.run(nvfp4::Quantise {
        values,
        random,
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
        random: no_bits(values.len()),
        elements,
        scales,
    });
    Ok(())
}

/// [`quantise_stochastic`] at a level.
#[doc(hidden)]
pub fn quantise_stochastic_at<F: Wide, E: Element>(
    level: Level,
    values: &[F],
    block: usize,
    dialect: &Dialect,
    random: &[u16],
    elements: &mut [E],
    scales: &mut [E8M0],
) -> Result<(), BlockError> {
    check_random(random, values)?;
    // The dialect's direction is not used, and random bits overflow as rounding to nearest does. A
    // quotient that is subnormal when rounded to f32 gives 0, and so does the exact one.
    let mode = Mode::new(Rounding::TiesToEven, dialect.mode.overflow);
    let dialect = &Dialect { mode, ..*dialect };
    if !can_quantise(dialect) || !fits(values.len(), block, elements.len(), scales.len()) {
        let mut random = random.iter().copied();
        return bitexact::scale::quantise_stochastic(
            values,
            block,
            dialect,
            || random.next().unwrap_or_default(),
            elements,
            scales,
        )
        .map(drop);
    }
    level.run(Quantise {
        values,
        block,
        dialect,
        random,
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
