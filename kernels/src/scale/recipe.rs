//! How systems scale tiles of tensors: named choices for NVFP4, MXFP4 and scaled FP8.
//!
//! A [`Recipe`] is a sequence of f32 steps, as a system's source has them, each rounded to nearest,
//! ties to even, by this crate's integer arithmetic. `a` is a tile's largest magnitude, `MAX` the
//! largest element (6 of E2M1, 448 of E4M3FN), `t` a factor of the whole tensor by which decoded
//! values are multiplied, `g` one by which they are divided, and `s` the tile's scale as stored.

use super::block::{BlockError, check};
use super::element::Element;
use super::{E8M0, Int8Range, ScalePolicy, encode};
use crate::arith::{abs, add, div, maximum, maximum_number, minimum_number, mul, sub};
use crate::convert::convert;
use crate::format::{Arithmetic, Bits, E4M3FN, Sealed};
use crate::number::compared_by_code;
use crate::reduce::{Accumulable, dot_exact};
use crate::round::{Exact, Rule};
use crate::{Mode, bf16};

const RNE: Mode = Mode::TIES_TO_EVEN;
const SATURATED: Rule = RNE.saturating_all().rule();

/// The value that becomes a tile's scale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TileSource {
    /// `a` over the largest element; [`TensorFactor`] says what the tensor's factor does to it.
    Quotient,
    /// The same, where `fl(a / MAX)` is rounded to the format of the values instead of f32. (In
    /// PyTorch a tensor that is divided by a number keeps its format.)
    NarrowQuotient,
    /// `2^(floor(fl(log2(a))) - emax)`, with the logarithm rounded to f32, so that an `a` just below
    /// a power of two has that power's scale. `emax` is the exponent of `MAX`.
    Logarithm,
    /// `fl(MAX / a)`: values are multiplied by this scale, and decoded values divided by it.
    Inverse,
}

/// What the tensor's factor does to the quotient, and to the divisor `d` of values, by which
/// elements are multiplied when they are decoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TensorFactor {
    /// There is none: `fl(a / MAX)`, and `d = s`.
    None,
    /// `fl(fl(a / MAX) / t)`, and `d = fl(s * t)`.
    Decode,
    /// `fl(a / fl(MAX * t))`, and `d = fl(s * t)`.
    DecodeProduct,
    /// `fl(fl(a / MAX) * g)`, and `d = fl(s / g)`.
    Encode,
    /// `fl(fl(a / MAX) * g)`, and `d = fl(s * fl(1 / g))`.
    EncodeInverse,
    /// `fl(a * fl(g * fl(1 / MAX)))`, and `d = fl(s * fl(1 / g))`.
    EncodeFolded,
}

/// How a value becomes a scale.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TileScale {
    /// E4M3FN, to nearest, ties to even, at most 448.
    E4m3 {
        /// The scale to which lesser ones are raised, except that of a zero.
        least: E4M3FN,
        /// What replaces a scale of zero.
        zero: E4M3FN,
    },
    /// E4M3FN as ggml encodes it: ties away from zero; 448 for all of 248 and above; 7/512 for all
    /// between 6.5/512 and 8/512; below 1/64 the sum of half a unit is itself rounded to f32.
    Ggml,
    /// A power of two under a policy, as E8M0 or in f32.
    Power(ScalePolicy),
    /// The value, in f32.
    F32,
}

/// How a value is divided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TileQuotient {
    /// `fl(x / d)`.
    Divided,
    /// `fl(x * fl(1 / d))`.
    Reciprocal,
    /// `fl(x * min(fl(1 / d), M))` with the largest f32 `M`.
    CappedReciprocal,
    /// `fl(x * bf16(min(fl(g / s), M)))` with the largest bf16 `M`.
    Bf16Reciprocal,
    /// `fl(x * s)`, for [`TileSource::Inverse`].
    Multiplied,
}

/// How a quotient becomes an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ElementRule {
    /// To nearest, ties to even, at most the largest one.
    TiesToEven,
    /// Without a quotient: the least code whose distance `|fl(value of the code * d - x)|` is least.
    /// So a tie gives the lesser magnitude, every zero is +0, and so are a NaN and an infinity.
    LeastDistance,
}

/// The signs of zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Zeros {
    /// The sign of the value.
    Signed,
    /// A value that is zero gives +0.
    OfValues,
    /// A quotient that is zero gives +0; a negative one that rounds to zero gives -0.
    OfQuotients,
}

/// Where the 4-bit elements of a block lie in its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NibbleOrder {
    /// Byte `i` has elements `2 * i`, in its low half, and `2 * i + 1`: the order of
    /// [`pack`](super::pack()).
    Adjacent,
    /// Byte `i` has element `i` of the block, in its low half, and element `i` of its second half.
    Halves,
}

impl NibbleOrder {
    /// The place of an element of a block of an even length: its byte, twice, plus 1 in the high
    /// half.
    ///
    /// ```
    /// use bitexact::scale::NibbleOrder;
    /// assert_eq!(NibbleOrder::Adjacent.place(16, 32), 16);
    /// assert_eq!(NibbleOrder::Halves.place(17, 32), 3); // the high half of byte 1
    /// ```
    #[must_use]
    pub const fn place(self, element: usize, block: usize) -> usize {
        let half = block / 2;
        match self {
            Self::Halves if element < half => 2 * element,
            Self::Halves => 2 * (element - half) + 1,
            Self::Adjacent => element,
        }
    }
}

/// How a matrix becomes elements and a scale for each tile of it. [`RECIPES`] has the named ones.
///
/// They hold for finite values. A NaN makes its tile's scale NaN, where that can be one, and an
/// infinity goes through the steps as f32 has it; systems differ there.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recipe {
    /// Rows and columns of a tile; 0 stands for all of the matrix.
    pub tile: [usize; 2],
    /// A lesser largest magnitude counts as this.
    pub least: f32,
    /// The value that becomes the scale.
    pub source: TileSource,
    /// What the tensor's factor does.
    pub factor: TensorFactor,
    /// How that value becomes the scale.
    pub scale: TileScale,
    /// How values are divided.
    pub quotient: TileQuotient,
    /// How quotients become elements.
    pub elements: ElementRule,
    /// The signs of zeros.
    pub zeros: Zeros,
    /// Where 4-bit elements lie in bytes. The functions here leave them unpacked.
    pub order: NibbleOrder,
}

compared_by_code! {
    TileScale: |x| match *x {
        Self::E4m3 { least, zero } => (0, least.to_bits(), zero.to_bits(), None),
        Self::Ggml => (1, 0, 0, None),
        Self::Power(policy) => (2, 0, 0, Some(policy)),
        Self::F32 => (3, 0, 0, None),
    };
    Recipe: |x| (
        (x.tile, Bits(x.least), x.source, x.factor, x.scale),
        (x.quotient, x.elements, x.zeros, x.order),
    );
}

impl Recipe {
    /// Transformer Engine 2.15's NVFP4 (`reference_nvfp4.py` and `core_nvfp4.cuh`): block scale
    /// `fl(a * fl(g * fl(1 / 6)))` with `g = fl(2688 / amax)` of the tensor.
    pub const TE_NVFP4: Self = Self {
        tile: [1, 16],
        least: 0.0,
        source: TileSource::Quotient,
        factor: TensorFactor::EncodeFolded,
        scale: TileScale::E4m3 {
            least: E4M3FN::from_bits(0x00),
            zero: E4M3FN::from_bits(0x00),
        },
        quotient: TileQuotient::CappedReciprocal,
        elements: ElementRule::TiesToEven,
        zeros: Zeros::Signed,
        order: NibbleOrder::Adjacent,
    };
    /// That of weights, with a scale for each 16 by 16 values.
    pub const TE_NVFP4_WEIGHTS: Self = Self {
        tile: [16, 16],
        ..Self::TE_NVFP4
    };
    /// With `use_fast_math`: values, which are bf16, are multiplied by a coefficient in bf16.
    pub const TE_NVFP4_FAST: Self = Self {
        quotient: TileQuotient::Bf16Reciprocal,
        zeros: Zeros::OfValues,
        ..Self::TE_NVFP4
    };
    /// Transformer Engine's before 2.15: block scale `fl(fl(a / 6) * g)`.
    pub const TE_NVFP4_2_14: Self = Self {
        factor: TensorFactor::EncodeInverse,
        ..Self::TE_NVFP4
    };
    /// That of weights, with a scale for each 16 by 16 values.
    pub const TE_NVFP4_2_14_WEIGHTS: Self = Self {
        tile: [16, 16],
        ..Self::TE_NVFP4_2_14
    };
    /// compressed-tensors' NVFP4: the quotient is rounded to the format of the values, a scale of
    /// zero is 0.125, and values are divided by `fl(s / g)`.
    pub const COMPRESSED_TENSORS_NVFP4: Self = Self {
        source: TileSource::NarrowQuotient,
        factor: TensorFactor::Encode,
        scale: TileScale::E4m3 {
            least: E4M3FN::from_bits(0x00),
            zero: E4M3FN::from_bits(0x20),
        },
        quotient: TileQuotient::Divided,
        zeros: Zeros::OfQuotients,
        ..Self::TE_NVFP4
    };
    /// ModelOpt's NVFP4: block scale `fl(a / fl(6 * t))` with `t = fl(amax / 2688)`, at least 2^-9,
    /// and 1 for a block of zeros.
    pub const MODELOPT_NVFP4: Self = Self {
        factor: TensorFactor::DecodeProduct,
        scale: TileScale::E4m3 {
            least: E4M3FN::from_bits(0x01),
            zero: E4M3FN::from_bits(0x38),
        },
        quotient: TileQuotient::Divided,
        zeros: Zeros::OfQuotients,
        ..Self::TE_NVFP4
    };
    /// llama.cpp's NVFP4 (`quantize_row_nvfp4_ref`), which has no factor of the tensor.
    pub const GGML_NVFP4: Self = Self {
        factor: TensorFactor::None,
        scale: TileScale::Ggml,
        quotient: TileQuotient::Divided,
        elements: ElementRule::LeastDistance,
        order: NibbleOrder::Halves,
        ..Self::TE_NVFP4
    };
    /// llama.cpp's MXFP4 (`quantize_row_mxfp4_ref`), with `log2f` correctly rounded.
    pub const GGML_MXFP4: Self = Self {
        tile: [1, 32],
        source: TileSource::Logarithm,
        scale: TileScale::Power(ScalePolicy::FLOOR),
        ..Self::GGML_NVFP4
    };
    /// DeepSeek-V3's FP8 of activations (`act_quant` of its `inference/kernel.py`): scales
    /// `fl(a / 448)` of 128 values, in f32. A tile of zeros is 0 / 0, NaN, as it is there.
    pub const DEEPSEEK_V3: Self = Self {
        tile: [1, 128],
        factor: TensorFactor::None,
        scale: TileScale::F32,
        quotient: TileQuotient::Divided,
        ..Self::TE_NVFP4
    };
    /// DeepGEMM's FP8 of activations (`per_token_cast_to_fp8` of its `utils/math.py`): `a` is at
    /// least 1e-4, and values are multiplied by the reciprocal.
    pub const DEEPGEMM_TOKEN: Self = Self {
        least: 1e-4,
        quotient: TileQuotient::Reciprocal,
        ..Self::DEEPSEEK_V3
    };
    /// The same with scales that are the next power of two.
    pub const DEEPGEMM_TOKEN_UE8M0: Self = Self {
        scale: TileScale::Power(ScalePolicy::CEIL),
        ..Self::DEEPGEMM_TOKEN
    };
    /// DeepGEMM's FP8 of weights (`per_block_cast_to_fp8`), with a scale for 128 by 128 values.
    pub const DEEPGEMM_BLOCK: Self = Self {
        tile: [128, 128],
        ..Self::DEEPGEMM_TOKEN
    };
    /// The same with scales that are the next power of two.
    pub const DEEPGEMM_BLOCK_UE8M0: Self = Self {
        tile: [128, 128],
        ..Self::DEEPGEMM_TOKEN_UE8M0
    };
    /// torchao's FP8 with a scale for the tensor (`_choose_scale_float8`, `_quantize_affine_float8`),
    /// whose quotient is rounded to the format of the values. A tile of zeros is 0 / 0, NaN.
    pub const TORCHAO_FLOAT8_TENSOR: Self = Self {
        tile: [0, 0],
        source: TileSource::NarrowQuotient,
        ..Self::DEEPSEEK_V3
    };
    /// The same with a scale for each row.
    pub const TORCHAO_FLOAT8_ROW: Self = Self {
        tile: [1, 0],
        ..Self::TORCHAO_FLOAT8_TENSOR
    };
    /// torchao's FP8 for training (`amax_to_scale` of its `float8_utils.py`): values are multiplied
    /// by `fl(448 / a)`, with `a` at least 1e-12.
    pub const TORCHAO_FLOAT8_TRAINING: Self = Self {
        tile: [0, 0],
        least: 1e-12,
        source: TileSource::Inverse,
        quotient: TileQuotient::Multiplied,
        ..Self::DEEPSEEK_V3
    };
    /// The same with a scale for each row.
    pub const TORCHAO_FLOAT8_TRAINING_ROW: Self = Self {
        tile: [1, 0],
        ..Self::TORCHAO_FLOAT8_TRAINING
    };

    /// The recipe of that name in [`RECIPES`].
    ///
    /// ```
    /// use bitexact::scale::Recipe;
    /// assert_eq!(Recipe::preset("ggml-mxfp4"), Some(Recipe::GGML_MXFP4));
    /// ```
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        RECIPES
            .iter()
            .find(|(recipe, _)| *recipe == name)
            .map(|(_, recipe)| *recipe)
    }

    /// The tensor's factor for its largest magnitude: `t = fl(amax / (448 * MAX))`, or
    /// `g = fl(448 * MAX / amax)`, or 1 where there is none. The sign of `amax` is ignored.
    ///
    /// A `g` is 1 for zero and for an infinity, and the largest f32 where it overflows. With
    /// [`TensorFactor::Encode`] it is `fl(448 * MAX * fl(1 / amax))`, as PyTorch divides a number by a
    /// tensor, in the format of the values with [`TileSource::NarrowQuotient`], and 1 where it
    /// overflows.
    ///
    /// ```
    /// use bitexact::{format::E2M1, scale::Recipe};
    /// assert_eq!(Recipe::TE_NVFP4.tensor_factor::<f32, E2M1>(5376.0), 0.5);
    /// assert_eq!(Recipe::MODELOPT_NVFP4.tensor_factor::<f32, E2M1>(5376.0), 2.0);
    /// ```
    #[must_use]
    pub fn tensor_factor<F: Arithmetic, E: Element>(&self, amax: F) -> f32 {
        const INFINITY: u32 = 0x7F80_0000;
        let range = rounded_product(448.0, largest::<E>());
        let amax = abs(convert::<F, f32>(amax, RNE));
        let narrow = self.source == TileSource::NarrowQuotient;
        match self.factor {
            TensorFactor::None => 1.0,
            TensorFactor::Decode | TensorFactor::DecodeProduct => div(amax, range, RNE),
            _ if matches!(amax.to_bits(), 0 | INFINITY) => 1.0,
            TensorFactor::Encode => {
                let reciprocal = quotient::<F>(1.0, amax, narrow);
                let factor = quotient::<F>(rounded_product(range, reciprocal), 1.0, narrow);
                if factor.to_bits() < INFINITY {
                    factor
                } else {
                    1.0
                }
            }
            _ => minimum_number(quotient::<F>(range, amax, narrow), f32::MAX),
        }
    }

    /// A matrix of so many columns, row after row, as elements and a scale for each tile, whose rows
    /// follow each other too; the last tiles of a row or column may be smaller. It uses only the
    /// caller's memory.
    ///
    /// `factor` is the tensor's ([`Recipe::tensor_factor`], or any other; it has no effect where
    /// [`TensorFactor::None`]). Scales are [`E8M0`] for [`TileScale::Power`], [`E4M3FN`] for
    /// [`TileScale::E4m3`] and [`TileScale::Ggml`], and f32 for [`TileScale::Power`] and
    /// [`TileScale::F32`].
    ///
    /// # Errors
    ///
    /// Values that are no whole rows, a buffer of the wrong length, scales that the recipe does not
    /// make. Nothing is written then.
    ///
    /// ```
    /// use bitexact::format::{E2M1, E4M3FN};
    /// use bitexact::scale::Recipe;
    /// let mut elements = [E2M1::from_bits(0); 3];
    /// let mut scales = [E4M3FN::from_bits(0)];
    /// // The tie 2.5 gives 2, the lesser magnitude, and -0.25 a zero without a sign.
    /// let x = [6.0f32, 2.5, -0.25];
    /// Recipe::GGML_NVFP4.quantise(&x, 3, 1.0, &mut elements, &mut scales)?;
    /// assert_eq!(scales[0].to_bits(), 0x38); // 1
    /// assert_eq!(elements.map(E2M1::to_bits), [0x7, 0x4, 0x0]);
    /// # Ok::<(), bitexact::scale::BlockError>(())
    /// ```
    pub fn quantise<F: Arithmetic, E: Element, S: TileScaleFormat>(
        &self,
        values: &[F],
        columns: usize,
        factor: f32,
        elements: &mut [E],
        scales: &mut [S],
    ) -> Result<(), BlockError> {
        let tiles = self.tiles::<S>(values.len(), columns, scales.len())?;
        check("elements", values.len(), elements.len())?;
        for (tile, scale) in scales.iter_mut().enumerate() {
            let mut amax = 0.0;
            for value in tiles.of(tile).filter_map(|place| values.get(place)) {
                let value = abs(convert::<F, f32>(*value, RNE));
                amax = match self.elements {
                    ElementRule::TiesToEven => maximum(amax, value),
                    ElementRule::LeastDistance => maximum_number(amax, value),
                };
            }
            *scale = S::new(self.scale_of::<F, E>(maximum(amax, self.least), factor));
            let (stored, divisor) = (scale.value(), self.divisor(scale.value(), factor));
            for place in tiles.of(tile) {
                if let (Some(value), Some(element)) = (values.get(place), elements.get_mut(place)) {
                    let value = convert::<F, f32>(*value, RNE);
                    *element = self.element(value, stored, divisor, factor);
                }
            }
        }
        Ok(())
    }

    /// The values of a matrix's elements and scales: `fl(element * d)` in f32, or `fl(element / s)`
    /// for [`TileSource::Inverse`], then rounded to `R`.
    ///
    /// # Errors
    ///
    /// As [`Recipe::quantise`].
    pub fn dequantise<E: Element, S: TileScaleFormat, R: Arithmetic>(
        &self,
        elements: &[E],
        columns: usize,
        factor: f32,
        scales: &[S],
        mode: Mode,
        values: &mut [R],
    ) -> Result<(), BlockError> {
        let tiles = self.tiles::<S>(elements.len(), columns, scales.len())?;
        check("values", elements.len(), values.len())?;
        for (tile, scale) in scales.iter().enumerate() {
            let divisor = self.divisor(scale.value(), factor);
            for place in tiles.of(tile) {
                if let (Some(element), Some(value)) = (elements.get(place), values.get_mut(place)) {
                    let element = single(element.exact());
                    let decoded: f32 = match self.source {
                        TileSource::Inverse => div(element, divisor, RNE),
                        _ => mul(element, divisor, RNE),
                    };
                    *value = convert(decoded, mode);
                }
            }
        }
        Ok(())
    }

    fn scale_of<F: Arithmetic, E: Element>(&self, amax: f32, factor: f32) -> f32 {
        let largest = largest::<E>();
        let narrow = self.source == TileSource::NarrowQuotient;
        let quotient = || quotient::<F>(amax, largest, narrow);
        let value = match (self.source, self.factor) {
            (TileSource::Inverse, _) => div(largest, amax, RNE),
            (TileSource::Logarithm, _) => power_below(amax, E::LARGEST_EXPONENT),
            (_, TensorFactor::None) => quotient(),
            (_, TensorFactor::Decode) => div(quotient(), factor, RNE),
            (_, TensorFactor::DecodeProduct) => div(amax, rounded_product(largest, factor), RNE),
            (_, TensorFactor::Encode | TensorFactor::EncodeInverse) => {
                rounded_product(quotient(), factor)
            }
            (_, TensorFactor::EncodeFolded) => {
                let inverse = div(1.0f32, largest, RNE);
                rounded_product(amax, rounded_product(factor, inverse))
            }
        };
        match self.scale {
            TileScale::E4m3 { least, zero } => {
                let code = E4M3FN::from_bits(saturated(value));
                match value.to_bits() {
                    0 => code_value(zero),
                    _ if code.to_bits() < least.to_bits() => code_value(least),
                    _ if code.to_bits() == 0 => code_value(zero),
                    _ => code_value(code),
                }
            }
            TileScale::Ggml => code_value(ggml_scale(value)),
            TileScale::Power(policy) => encode(value, &policy).value(),
            TileScale::F32 => value,
        }
    }

    fn divisor(&self, scale: f32, factor: f32) -> f32 {
        match self.factor {
            TensorFactor::None => scale,
            TensorFactor::Decode | TensorFactor::DecodeProduct => rounded_product(scale, factor),
            TensorFactor::Encode => div(scale, factor, RNE),
            TensorFactor::EncodeInverse | TensorFactor::EncodeFolded => {
                rounded_product(scale, div(1.0f32, factor, RNE))
            }
        }
    }

    fn element<E: Element>(&self, value: f32, scale: f32, divisor: f32, factor: f32) -> E {
        if self.elements == ElementRule::LeastDistance {
            return least_distance(value, divisor);
        }
        let reciprocal = || div::<f32, f32, f32>(1.0, divisor, RNE);
        let quotient = match self.quotient {
            TileQuotient::Divided => div(value, divisor, RNE),
            TileQuotient::Reciprocal => rounded_product(value, reciprocal()),
            TileQuotient::CappedReciprocal => {
                rounded_product(value, minimum_number(reciprocal(), f32::MAX))
            }
            TileQuotient::Bf16Reciprocal => {
                let capped = minimum_number(div(factor, scale, RNE), bf16::MAX.into());
                mul(value, convert::<f32, bf16>(capped, RNE), RNE)
            }
            TileQuotient::Multiplied => rounded_product(value, scale),
        };
        let unsigned = match self.zeros {
            Zeros::Signed => false,
            Zeros::OfValues => abs(value).to_bits() == 0,
            Zeros::OfQuotients => abs(quotient).to_bits() == 0,
        };
        let quotient = if unsigned { abs(quotient) } else { quotient };
        let exact = Exact::<u32>::decode::<f32>(quotient.to_bits());
        E::round(exact, SATURATED, Int8Range::Full).0
    }

    fn tiles<S: TileScaleFormat>(
        &self,
        values: usize,
        columns: usize,
        scales: usize,
    ) -> Result<Tiles, BlockError> {
        let rows = values.checked_div(columns).unwrap_or(0);
        check("values", rows * columns, values)?;
        let [height, width] = self.tile;
        let whole = |length: usize, all: usize| if length == 0 { all.max(1) } else { length };
        let (height, width) = (whole(height, rows), whole(width, columns));
        let across = columns.div_ceil(width);
        check("scales", rows.div_ceil(height) * across, scales)?;
        if !S::holds(&self.scale) {
            return Err(BlockError::ScaleFormat);
        }
        Ok(Tiles {
            rows,
            columns,
            height,
            width,
            across,
        })
    }
}

/// A matrix in tiles.
struct Tiles {
    rows: usize,
    columns: usize,
    height: usize,
    width: usize,
    across: usize,
}

impl Tiles {
    /// The places of a tile's values.
    fn of(&self, tile: usize) -> impl Iterator<Item = usize> + use<> {
        let columns = self.columns;
        let band = tile.checked_div(self.across).unwrap_or(0);
        let (top, left) = (
            band.saturating_mul(self.height),
            (tile - band * self.across).saturating_mul(self.width),
        );
        let bottom = top.saturating_add(self.height);
        let right = left.saturating_add(self.width);
        let right = right.min(columns);
        (top..bottom.min(self.rows))
            .flat_map(move |row| row * columns + left..row * columns + right)
    }
}

/// `a / b`, rounded to f32 or to a narrower format.
fn quotient<F: Arithmetic>(a: f32, b: f32, narrow: bool) -> f32 {
    if narrow {
        convert(div::<f32, f32, F>(a, b, RNE), RNE)
    } else {
        div(a, b, RNE)
    }
}

fn rounded_product(a: f32, b: f32) -> f32 {
    mul(a, b, RNE)
}

/// The f32 of a value that f32 has.
fn single(value: Exact<u32>) -> f32 {
    f32::from_bits(value.to_format::<f32>(RNE.rule()).0 as u32)
}

fn largest<E: Element>() -> f32 {
    single(E::largest().exact())
}

fn saturated(value: f32) -> u8 {
    let value = Exact::<u32>::decode::<f32>(value.to_bits());
    value.to_format::<E4M3FN>(SATURATED).0 as u8
}

fn code_value(code: E4M3FN) -> f32 {
    convert(code, RNE)
}

/// `2^(floor(fl(log2(x))) - below)`, and x itself if it is not finite or zero.
///
/// For the greatest f32 below `2^n`, `2^n * (1 - j / 2^24)`, the logarithm `n - j / (2^24 ln 2)`
/// rounds to `n` where it is nearer to it than half a unit: 2^(m - 24) for `|n|` from 2^m to
/// 2^(m + 1), a half of that for `n = 2^m`, below which units are finer. So `j < 2^m ln 2`.
fn power_below(x: f32, below: i32) -> f32 {
    const NEAR: [u32; 7] = [0, 1, 2, 5, 11, 22, 44];
    let exact = Exact::<u32>::decode::<f32>(x.to_bits());
    if !exact.is_finite_nonzero() {
        return x;
    }
    let next = exact.exponent() + 1;
    let m = next.unsigned_abs().checked_ilog2();
    let finer = next > 0 && next.unsigned_abs().is_power_of_two();
    let near = m
        .and_then(|m| m.checked_sub(finer as u32))
        .and_then(|m| NEAR.get(m as usize));
    let short = (1 << 24) - (exact.significand() >> 8);
    let up = near.is_some_and(|near| short <= *near);
    let exponent = exact.exponent() + up as i32 - below;
    single(Exact::<u32>::normalised(false, exponent, Exact::<u32>::TOP))
}

/// ggml's E4M3, by its own steps: `ggml_fp32_to_ue4m3`.
fn ggml_scale(x: f32) -> E4M3FN {
    let bits = minimum_number(x, 448.0).to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 7;
    let code = if bits == 0 || bits > 0x7F80_0000 {
        0
    } else if exponent <= 0 {
        let sum = add::<f32, f32, f32>(mul(x, 512.0f32, RNE), 0.5, RNE);
        let sum = Exact::<u32>::decode::<f32>(sum.to_bits());
        if sum.exponent() < 0 {
            0
        } else {
            (sum.significand() >> (31 - sum.exponent())).min(7)
        }
    } else {
        // A carry out of the fraction is one into the exponent.
        let code = ((exponent as u32) << 3) + (bits >> 20 & 7) + (bits >> 19 & 1);
        if code < 15 << 3 { code } else { 0x7E }
    };
    E4M3FN::from_bits(code as u8)
}

fn least_distance<E: Element>(value: f32, divisor: f32) -> E {
    let distance = |code: u8| {
        let element = single(E::from_code(code).exact());
        abs(sub::<f32, f32, f32>(
            rounded_product(element, divisor),
            value,
            RNE,
        ))
        .to_bits()
    };
    let (mut best, mut least) = (0, distance(0));
    for code in 1..=E::LAST_CODE {
        // The bits of numbers above zero are in their order, and those of NaN are above all.
        let found = distance(code);
        if found < least && least <= f32::INFINITY.to_bits() {
            (best, least) = (code, found);
        }
    }
    E::from_code(best)
}

/// A format of the scales of tiles: [`E8M0`], [`E4M3FN`] and f32. Sealed.
pub trait TileScaleFormat: Copy + Sealed {
    /// Whether a recipe's scales are of this format.
    fn holds(scale: &TileScale) -> bool;
    /// The scale of a value that the format has.
    fn new(value: f32) -> Self;
    /// Its value.
    fn value(self) -> f32;
}

impl TileScaleFormat for E8M0 {
    fn holds(scale: &TileScale) -> bool {
        matches!(scale, TileScale::Power(_))
    }
    fn new(value: f32) -> Self {
        encode(value, &ScalePolicy::FLOOR)
    }
    fn value(self) -> f32 {
        super::decode(self, RNE)
    }
}

impl TileScaleFormat for E4M3FN {
    fn holds(scale: &TileScale) -> bool {
        matches!(scale, TileScale::E4m3 { .. } | TileScale::Ggml)
    }
    fn new(value: f32) -> Self {
        Self::from_bits(saturated(value))
    }
    fn value(self) -> f32 {
        code_value(self)
    }
}

impl TileScaleFormat for f32 {
    fn holds(scale: &TileScale) -> bool {
        matches!(scale, TileScale::Power(_) | TileScale::F32)
    }
    fn new(value: f32) -> Self {
        value
    }
    fn value(self) -> f32 {
        self
    }
}

/// The random Hadamard transform that Transformer Engine applies before it quantises to NVFP4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hadamard {
    /// Bit `i` is set where value `i` of 16 changes its sign first.
    pub negated: u16,
}

impl Hadamard {
    /// The signs that Transformer Engine has built in.
    pub const TRANSFORMER_ENGINE: Self = Self {
        negated: 0b1101_0111_1110_1000,
    };

    /// Each 16 values `x` become `x S H / 4`, with the diagonal matrix `S` of the signs and the
    /// Hadamard matrix `H` of Sylvester (element `i, j` is -1 where `i & j` has an odd number of
    /// ones): 16 exact sums, each rounded once. (A GPU's matrix unit rounds within these sums where
    /// the magnitudes are far apart.)
    ///
    /// # Errors
    ///
    /// A number of values that 16 does not divide; nothing is written then.
    ///
    /// ```
    /// use bitexact::{Mode, scale::Hadamard};
    /// let mut x = [0f32; 16];
    /// x[3] = 4.0;
    /// Hadamard::TRANSFORMER_ENGINE.apply(&mut x, Mode::TIES_TO_EVEN)?;
    /// assert_eq!(x[..4], [-1.0, 1.0, 1.0, -1.0]);
    /// # Ok::<(), bitexact::scale::BlockError>(())
    /// ```
    pub fn apply<F: Accumulable>(self, values: &mut [F], mode: Mode) -> Result<(), BlockError> {
        check("values", values.len() / 16 * 16, values.len())?;
        let quarter = convert::<f32, F>(0.25, RNE);
        let negative = convert::<f32, F>(-0.25, RNE);
        for values in values.chunks_mut(16) {
            let mut given = [quarter; 16];
            for (to, from) in given.iter_mut().zip(values.iter()) {
                *to = *from;
            }
            for (j, value) in values.iter_mut().enumerate() {
                let row: [F; 16] = core::array::from_fn(|i| {
                    let odd = (i & j).count_ones() + u32::from(self.negated >> i & 1);
                    if odd % 2 == 0 { quarter } else { negative }
                });
                if let Ok(sum) = dot_exact(&given, &row, mode) {
                    *value = sum;
                }
            }
        }
        Ok(())
    }
}

/// Every named recipe. Elements are E2M1 for those with `nvfp4` or `mxfp4` in their names, and
/// E4M3FN or E5M2 for the others, whose largest element then takes the place of 448.
pub const RECIPES: &[(&str, Recipe)] = &[
    ("te-nvfp4", Recipe::TE_NVFP4),
    ("te-nvfp4-weights", Recipe::TE_NVFP4_WEIGHTS),
    ("te-nvfp4-fast", Recipe::TE_NVFP4_FAST),
    ("te-2.14-nvfp4", Recipe::TE_NVFP4_2_14),
    ("te-2.14-nvfp4-weights", Recipe::TE_NVFP4_2_14_WEIGHTS),
    ("compressed-tensors-nvfp4", Recipe::COMPRESSED_TENSORS_NVFP4),
    ("modelopt-nvfp4", Recipe::MODELOPT_NVFP4),
    ("ggml-nvfp4", Recipe::GGML_NVFP4),
    ("ggml-mxfp4", Recipe::GGML_MXFP4),
    ("deepseek-v3", Recipe::DEEPSEEK_V3),
    ("deepgemm-token", Recipe::DEEPGEMM_TOKEN),
    ("deepgemm-token-ue8m0", Recipe::DEEPGEMM_TOKEN_UE8M0),
    ("deepgemm-block", Recipe::DEEPGEMM_BLOCK),
    ("deepgemm-block-ue8m0", Recipe::DEEPGEMM_BLOCK_UE8M0),
    ("torchao-float8-tensor", Recipe::TORCHAO_FLOAT8_TENSOR),
    ("torchao-float8-row", Recipe::TORCHAO_FLOAT8_ROW),
    ("torchao-float8-training", Recipe::TORCHAO_FLOAT8_TRAINING),
    (
        "torchao-float8-training-row",
        Recipe::TORCHAO_FLOAT8_TRAINING_ROW,
    ),
];
