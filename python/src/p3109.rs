//! The operations of IEEE P3109 on arrays of codes.

use crate::threads::{on_pool, without_gil};
use bitexact::p3109::codes::{OperandFormats, Specialisation};
use bitexact::p3109::{
    Class, Comparison, FormatSpec, Operation, Projection, Revision, RoundingMode, SaturationMode,
    evaluate,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// From so many results on, threads compute them.
const LONG: usize = 1 << 12;

fn unknown(what: &str, text: &str) -> PyErr {
    PyValueError::new_err(format!("{what} is not one of P3109's: {text:?}"))
}

fn format_of(name: &str) -> PyResult<FormatSpec> {
    FormatSpec::from_name(name).ok_or_else(|| unknown("the format", name))
}

fn rounding_of(name: &str, bits: u8, random: u32) -> PyResult<RoundingMode> {
    RoundingMode::from_name(name, bits, random).ok_or_else(|| unknown("rounding", name))
}

fn saturation_of(name: &str) -> PyResult<SaturationMode> {
    SaturationMode::from_name(name).ok_or_else(|| unknown("saturation", name))
}

fn revision_of(name: &str) -> PyResult<Revision> {
    Revision::from_name(name).ok_or_else(|| {
        let known = Revision::NAMES.join(", ");
        PyValueError::new_err(format!("revision must be one of {known}, not {name:?}"))
    })
}

fn formats_of(names: &str) -> PyResult<Vec<FormatSpec>> {
    names.split(':').map(format_of).collect()
}

/// The operands' formats of a row that rounds nothing, separated by colons.
pub fn operand_formats(operands: usize, names: &str) -> PyResult<OperandFormats> {
    let formats = formats_of(names)?;
    if formats.len() != operands {
        return Err(PyValueError::new_err(format!(
            "formats must be {operands} names, separated by colons: the operands'"
        )));
    }
    OperandFormats::new(&formats)
        .ok_or_else(|| PyValueError::new_err("formats have at most 32 bits"))
}

/// The specialisation of a row: its formats, the operands' and the result's, separated by colons,
/// and its projection.
pub fn specialisation(
    operands: usize,
    formats: &str,
    projection: &str,
) -> PyResult<Specialisation> {
    let formats = formats_of(formats)?;
    let Some((result, given)) = formats
        .split_last()
        .filter(|(_, given)| given.len() == operands)
    else {
        return Err(PyValueError::new_err(format!(
            "formats must be {} names, separated by colons: the operands' and the result's",
            operands + 1
        )));
    };
    Specialisation::new(given, *result, projection_of(projection)?)
        .ok_or_else(|| PyValueError::new_err("formats have at most 32 bits"))
}

/// A projection: rounding, saturation, N/R in stochastic roundings, and the revision where it is
/// not the default.
fn projection_of(text: &str) -> PyResult<Projection> {
    let wrong = |why: &str| PyValueError::new_err(format!("projection {text:?}: {why}"));
    let mut parts = text.split(':').peekable();
    let (Some(rounding), Some(saturation)) = (parts.next(), parts.next()) else {
        return Err(wrong("it is no ROUNDING:SATURATION"));
    };
    let random = parts.next_if(|part| part.contains('/'));
    let revision = parts.next().map_or(Ok(Revision::default()), revision_of)?;
    if parts.next().is_some() {
        return Err(wrong("it has too many parts"));
    }
    let (bits, random) = match (rounding.starts_with("Stochastic"), random) {
        (false, None) => (0, 0),
        (true, Some(random)) => random_bits(random)
            .ok_or_else(|| wrong("N is from 1 to 16 (decimal) and R below 2^N (hexadecimal)"))?,
        (true, None) => {
            return Err(wrong(
                "a stochastic rounding needs N/R, as in StochasticA:SatNone:4/A",
            ));
        }
        (false, Some(_)) => return Err(wrong("only a stochastic rounding takes N/R")),
    };
    let rounding = rounding_of(rounding, bits, random)?;
    Ok(Projection::new(rounding, saturation_of(saturation)?).with_revision(revision))
}

/// N/R: N from 1 to 16 in decimal, and R below 2^N in hexadecimal, without signs.
fn random_bits(text: &str) -> Option<(u8, u32)> {
    let (bits, random) = text.split_once('/')?;
    let plain = !bits.starts_with('+') && !random.starts_with('+');
    let (bits, random) = (bits.parse().ok()?, u32::from_str_radix(random, 16).ok()?);
    (plain && (1..=16).contains(&bits) && random >> bits == 0).then_some((bits, random))
}

/// What a format is: bits of a code, precision, whether it is signed and extended, bias, and the
/// codes of NaN, of infinity, of the largest and of the least finite value; and apart from these
/// the bits of the exponent and of the significand field, and the codes of the least positive, the
/// greatest subnormal and the least normal value.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a tuple that Python takes apart")]
pub fn p3109_format(
    name: &str,
) -> PyResult<(
    (u32, u32, bool, bool, u32, u64, Option<u64>, u64, u64),
    (u32, u32, u64, u64, u64),
)> {
    use bitexact::p3109::{Domain, Signedness};
    let format = format_of(name)?;
    let first = (
        format.bitwidth(),
        format.precision(),
        format.signedness() == Signedness::Signed,
        format.domain() == Domain::Extended,
        format.exponent_bias(),
        format.nan(),
        format.infinity(),
        format.max_finite(),
        format.min_finite(),
    );
    let second = (
        format.exponent_bitwidth(),
        format.trailing_significand_bitwidth(),
        format.min_positive(),
        format.max_subnormal(),
        format.min_normal(),
    );
    Ok((first, second))
}

/// The names of the operations, with how many operands they take; of the comparisons; of the
/// classes.
#[pyfunction]
pub fn p3109_names() -> (Vec<(&'static str, usize)>, Vec<&'static str>) {
    let operations = Operation::ALL.iter().map(|op| (op.name(), op.arity()));
    let comparisons = Comparison::ALL.iter().map(|comparison| comparison.name());
    (operations.collect(), comparisons.collect())
}

/// The codes of an operation's results. Operands and results are codes of their formats, in arrays
/// of one length; `random` has R for each result in a stochastic rounding.
#[pyfunction]
#[pyo3(signature = (operation, formats, operands, result, rounding, bits, random, saturation, revision))]
#[allow(
    clippy::too_many_arguments,
    reason = "the specialisation of an operation"
)]
pub fn p3109_evaluate<'py>(
    py: Python<'py>,
    operation: &str,
    formats: Vec<String>,
    operands: Vec<PyReadonlyArray1<'py, u64>>,
    result: &str,
    rounding: &str,
    bits: u8,
    random: Option<PyReadonlyArray1<'py, u32>>,
    saturation: &str,
    revision: &str,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let operation =
        Operation::from_name(operation).ok_or_else(|| unknown("the operation", operation))?;
    let formats: Vec<FormatSpec> = formats
        .iter()
        .map(|name| format_of(name))
        .collect::<PyResult<_>>()?;
    let result = format_of(result)?;
    let projection = |random| {
        Ok::<_, PyErr>(
            Projection::new(
                rounding_of(rounding, bits, random)?,
                saturation_of(saturation)?,
            )
            .with_revision(revision_of(revision)?),
        )
    };
    let fixed = projection(0)?;
    let operands: Vec<&[u64]> = operands
        .iter()
        .map(|codes| Ok(codes.as_slice()?))
        .collect::<PyResult<_>>()?;
    let random = random
        .as_ref()
        .map(|random| random.as_slice())
        .transpose()?;
    let count = operands.first().map_or(0, |codes| codes.len());
    if operands.len() != formats.len() || operands.iter().any(|codes| codes.len() != count) {
        return Err(PyValueError::new_err("operands of different lengths"));
    }
    // Unsupported operands are so by their formats alone.
    let one = |at: usize| {
        let mut given = [(result, 0); 3];
        for ((given, format), codes) in given.iter_mut().zip(&formats).zip(&operands) {
            *given = (*format, codes[at]);
        }
        let projection = match random {
            Some(random) => projection(random[at]).expect("its names are known"),
            None => fixed,
        };
        evaluate(operation, &given[..formats.len()], result, projection)
    };
    let table_of = match *formats {
        [format]
            if random.is_none() && format.bitwidth() <= 16 && count >> format.bitwidth() != 0 =>
        {
            Some(format)
        }
        _ => None,
    };
    let codes: Result<Vec<u64>, _> = without_gil(py, || match table_of {
        // As many operands as codes: each result is computed once.
        Some(format) => {
            let all = 0..1u64 << format.bitwidth();
            let result_of = |code| evaluate(operation, &[(format, code)], result, fixed);
            let table: Vec<u64> =
                on_pool(|| all.into_par_iter().map(result_of).collect::<Result<_, _>>())?;
            Ok(operands[0]
                .iter()
                .map(|&code| table[code as usize])
                .collect())
        }
        None if count < LONG => (0..count).map(one).collect(),
        None => on_pool(|| (0..count).into_par_iter().map(one).collect()),
    });
    match codes {
        Ok(codes) => Ok(PyArray1::from_vec(py, codes)),
        Err(why) => Err(PyValueError::new_err(format!(
            "{}: {why}",
            operation.name()
        ))),
    }
}

/// Whether a comparison holds, for each pair of codes.
#[pyfunction]
pub fn p3109_compare<'py>(
    py: Python<'py>,
    comparison: &str,
    formats: (String, String),
    x: PyReadonlyArray1<'py, u64>,
    y: PyReadonlyArray1<'py, u64>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let found = Comparison::ALL
        .into_iter()
        .find(|known| known.name() == comparison);
    let comparison = found.ok_or_else(|| unknown("the comparison", comparison))?;
    let (fx, fy) = (format_of(&formats.0)?, format_of(&formats.1)?);
    let pairs = x.as_slice()?.iter().zip(y.as_slice()?);
    let holds = pairs.map(|(&x, &y)| comparison.holds((fx, x), (fy, y)));
    Ok(PyArray1::from_vec(py, holds.collect()))
}

/// The values of codes as f64; none where a finite one is not an f64.
#[pyfunction]
pub fn p3109_values<'py>(
    py: Python<'py>,
    format: &str,
    codes: PyReadonlyArray1<'py, u64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let format = format_of(format)?;
    let value = |&code: &u64| match format.value(code) {
        Some(_) => {
            let exact = Projection::new(RoundingMode::TowardZero, SaturationMode::SatFinite);
            let x = (format, code);
            let bits = evaluate(Operation::Convert, &[x], FormatSpec::BINARY64, exact);
            let bits = bits.map_err(|why| PyValueError::new_err(why.to_string()))?;
            let back = (FormatSpec::BINARY64, bits);
            if Comparison::CompareEqual.holds(x, back) {
                Ok(f64::from_bits(bits))
            } else {
                Err(PyValueError::new_err(format!(
                    "the value of {code:#x} in {format} is not a float64"
                )))
            }
        }
        None => Ok(match Class::of(format, code) {
            Class::ClsPositiveInfinity => f64::INFINITY,
            Class::ClsNegativeInfinity => f64::NEG_INFINITY,
            _ => f64::NAN,
        }),
    };
    let values = codes.as_slice()?.iter().map(value);
    Ok(PyArray1::from_vec(py, values.collect::<PyResult<_>>()?))
}
