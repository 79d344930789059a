//! Recipes of tiles with scales: NVFP4, MXFP4 and scaled FP8 as systems make them.

use crate::args::{self, named};
use crate::composites::{ModeNames, at, at_element, at_wide, mode_of, read, write};
use crate::registry::by_dtype;
use crate::threads::without_gil;
use bitexact::convert::convert;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{
    BlockError, E8M0, ElementRule, Hadamard, MxInt8, NibbleOrder, PRESETS, RECIPES, Recipe,
    TensorFactor, TileQuotient, TileScale, TileSource, Zeros,
};
use bitexact::{Mode, bf16, f16};
use bitexact_rows::{Held, Ty};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

type Any<'py> = Bound<'py, PyAny>;

const SOURCES: [(&str, TileSource); 4] = [
    ("quotient", TileSource::Quotient),
    ("narrow-quotient", TileSource::NarrowQuotient),
    ("logarithm", TileSource::Logarithm),
    ("inverse", TileSource::Inverse),
];
const FACTORS: [(&str, TensorFactor); 6] = [
    ("none", TensorFactor::None),
    ("decode", TensorFactor::Decode),
    ("decode-product", TensorFactor::DecodeProduct),
    ("encode", TensorFactor::Encode),
    ("encode-inverse", TensorFactor::EncodeInverse),
    ("encode-folded", TensorFactor::EncodeFolded),
];
const QUOTIENTS: [(&str, TileQuotient); 5] = [
    ("divided", TileQuotient::Divided),
    ("reciprocal", TileQuotient::Reciprocal),
    ("capped-reciprocal", TileQuotient::CappedReciprocal),
    ("bf16-reciprocal", TileQuotient::Bf16Reciprocal),
    ("multiplied", TileQuotient::Multiplied),
];
const RULES: [(&str, ElementRule); 2] = [
    ("ties-to-even", ElementRule::TiesToEven),
    ("least-distance", ElementRule::LeastDistance),
];
const ZEROS: [(&str, Zeros); 3] = [
    ("signed", Zeros::Signed),
    ("of-values", Zeros::OfValues),
    ("of-quotients", Zeros::OfQuotients),
];
const ORDERS: [(&str, NibbleOrder); 2] = [
    ("adjacent", NibbleOrder::Adjacent),
    ("halves", NibbleOrder::Halves),
];
const SCALES: [&str; 4] = ["e4m3", "ggml", "power", "f32"];

fn name_of<T: PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    let found = names.iter().find(|(_, one)| *one == value);
    found.map_or("", |(name, _)| name)
}

/// The names of recipes, and their fields in the order of Python's class.
#[pyfunction]
pub fn recipes(py: Python<'_>) -> PyResult<Vec<(&'static str, Py<PyTuple>)>> {
    let fields = |recipe: &Recipe| {
        let (scale, least, zero, policy) = match recipe.scale {
            TileScale::E4m3 { least, zero } => (0, least.to_bits(), zero.to_bits(), "ceil"),
            TileScale::Ggml => (1, 0, 0, "ceil"),
            TileScale::Power(policy) => (2, 0, 0, name_of(policy, PRESETS)),
            TileScale::F32 => (3, 0, 0, "ceil"),
        };
        let first = (
            (recipe.tile[0], recipe.tile[1]),
            recipe.least,
            name_of(recipe.source, &SOURCES),
            name_of(recipe.factor, &FACTORS),
            SCALES[scale],
            (least, zero),
            policy,
            name_of(recipe.quotient, &QUOTIENTS),
            name_of(recipe.elements, &RULES),
            name_of(recipe.zeros, &ZEROS),
            name_of(recipe.order, &ORDERS),
        );
        first.into_pyobject(py).map(Bound::unbind)
    };
    RECIPES
        .iter()
        .map(|(name, recipe)| Ok((*name, fields(recipe)?)))
        .collect()
}

/// A recipe of Python's fields.
fn recipe(value: &Any<'_>) -> PyResult<Recipe> {
    let fields = value
        .cast::<PyTuple>()
        .ok()
        .filter(|fields| fields.len() == 11)
        .ok_or_else(|| PyTypeError::new_err("recipe must be a name or a Recipe"))?;
    let field = |at: usize| fields.get_item(at);
    let codes: (u8, u8) = field(5)?.extract()?;
    let scales = [0, 1, 2, 3].map(|at| (SCALES[at], at));
    let tile: (usize, usize) = field(0)?.extract()?;
    Ok(Recipe {
        tile: tile.into(),
        least: field(1)?.extract()?,
        source: named("recipe.source", &field(2)?, &SOURCES)?,
        factor: named("recipe.factor", &field(3)?, &FACTORS)?,
        scale: match named("recipe.scale", &field(4)?, &scales)? {
            0 => TileScale::E4m3 {
                least: E4M3FN::from_bits(codes.0),
                zero: E4M3FN::from_bits(codes.1),
            },
            1 => TileScale::Ggml,
            2 => TileScale::Power(args::policy(&field(6)?)?),
            _ => TileScale::F32,
        },
        quotient: named("recipe.quotient", &field(7)?, &QUOTIENTS)?,
        elements: named("recipe.elements", &field(8)?, &RULES)?,
        zeros: named("recipe.zeros", &field(9)?, &ZEROS)?,
        order: named("recipe.order", &field(10)?, &ORDERS)?,
    })
}

macro_rules! at_scale {
    ($($rest:tt)*) => { at! { [E8m0 E8M0 E4m3fn E4M3FN F32 f32] $($rest)* } };
}

fn wrong(error: BlockError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A matrix as elements and scales.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn recipe_quantise(
    py: Python<'_>,
    formats: (&str, &str, &str),
    values: &Any<'_>,
    columns: usize,
    factor: f32,
    how: &Any<'_>,
    elements: &Any<'_>,
    scales: &Any<'_>,
) -> PyResult<()> {
    let recipe = recipe(how)?;
    let (dtype, element, scale) = formats;
    at_wide!(by_dtype(dtype)?, T => at_element!(by_dtype(element)?, E => at_scale!(by_dtype(scale)?, S => {
        let (values, elements) = (read::<T>(values)?, write::<E>(elements)?);
        let scales = write::<S>(scales)?;
        without_gil(py, || recipe.quantise(values, columns, factor, elements, scales)).map_err(wrong)
    })))
}

/// The values of a matrix's elements and scales.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn recipe_dequantise(
    py: Python<'_>,
    formats: (&str, &str, &str),
    elements: &Any<'_>,
    columns: usize,
    factor: f32,
    scales: &Any<'_>,
    how: &Any<'_>,
    mode: ModeNames<'_>,
    values: &Any<'_>,
) -> PyResult<()> {
    let (recipe, mode) = (recipe(how)?, mode_of(&mode)?);
    let (dtype, element, scale) = formats;
    at_wide!(by_dtype(dtype)?, T => at_element!(by_dtype(element)?, E => at_scale!(by_dtype(scale)?, S => {
        let (elements, values) = (read::<E>(elements)?, write::<T>(values)?);
        let scales = read::<S>(scales)?;
        without_gil(py, || recipe.dequantise(elements, columns, factor, scales, mode, values)).map_err(wrong)
    })))
}

/// The factor of a tensor for its largest magnitude, which the format of its values has.
#[pyfunction]
pub fn recipe_factor(formats: (&str, &str), amax: f32, how: &Any<'_>) -> PyResult<f32> {
    let recipe = recipe(how)?;
    at_wide!(by_dtype(formats.0)?, T => at_element!(by_dtype(formats.1)?, E => {
        Ok(recipe.tensor_factor::<T, E>(convert(amax, Mode::TIES_TO_EVEN)))
    }))
}

/// The random Hadamard transform of each 16 values, in place.
#[pyfunction]
pub fn hadamard(
    py: Python<'_>,
    dtype: &str,
    values: &Any<'_>,
    negated: u16,
    mode: ModeNames<'_>,
) -> PyResult<()> {
    let mode: Mode = mode_of(&mode)?;
    at_wide!(by_dtype(dtype)?, T => {
        let values = write::<T>(values)?;
        without_gil(py, || Hadamard { negated }.apply(values, mode)).map_err(wrong)
    })
}
