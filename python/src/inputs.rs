//! For the tests and benches: the inputs of the sweep, which a golden digest is of; and the time of
//! a row's slice form without Python.

use crate::prepare::{memory, prepared};
use bitexact_rows::{Row, Ty, rows};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::time::Instant;
use sweep_inputs::domain::{Domain, Float, Hard, HardCases, Shape, Target};

const fn float(ty: Ty) -> Option<Float> {
    Float::named(ty.name())
}

fn shape(ty: Ty) -> Shape {
    let signed = matches!(ty, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64);
    let bits = ty.bytes() as u32 * 8;
    float(ty).map_or(Shape::Integer { bits, signed }, Shape::Float)
}

/// Where a row's results are rounded.
fn target(row: &Row) -> Target {
    let own = row.operands.iter().find_map(|ty| float(*ty));
    let result = row.results[0];
    match (float(result), own) {
        (Some(float), _) if row.kernel == "round_to_integral" => Target::integer(float.precision),
        (Some(float), _) => Target::of(float),
        _ if result == Ty::E8m0 => Target::SCALE,
        _ if result == Ty::Mxint8 => Target::MXINT8,
        _ if row.kernel == "to_int" => Target::integer(result.bytes() as u32 * 8),
        (None, Some(float)) => Target::of(float),
        (None, None) => Target::integer(result.bytes() as u32 * 8),
    }
}

fn domain(row: &Row) -> Domain {
    let shape = |at: usize| row.operands.get(at).map_or(Shape::Absent, |ty| shape(*ty));
    let operands = [0, 1, 2].map(shape);
    let widths = operands.map(Shape::bits);
    if widths.iter().sum::<u32>() <= 16 {
        return Domain::All(widths);
    }
    let cases = HardCases::of(row.kernel, row.operands.len());
    Domain::Hard(Hard {
        cases,
        operands,
        target: target(row),
    })
}

/// The name of a row's inputs in golden files, and how many there are.
#[pyfunction]
pub fn input_domain(row: usize) -> PyResult<(&'static str, u64)> {
    let domain = domain(
        rows()
            .get(row)
            .ok_or_else(|| PyValueError::new_err("no such row"))?,
    );
    Ok((domain.name(), domain.len().unwrap_or(u64::MAX)))
}

/// Fills one array for each operand of a row with its inputs' bits.
#[pyfunction]
pub fn fill_inputs(row: usize, arrays: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
    let row = rows()
        .get(row)
        .ok_or_else(|| PyValueError::new_err("no such row"))?;
    let domain = domain(row);
    if arrays.len() != row.operands.len() {
        return Err(PyTypeError::new_err(
            "as many arrays as the row has operands",
        ));
    }
    for (at, (array, ty)) in arrays.iter().zip(row.operands).enumerate() {
        let (data, count) = memory(array, ty.bytes(), true)?;
        if domain.len() != Some(count as u64) {
            return Err(PyValueError::new_err(
                "as many elements as the row has inputs",
            ));
        }
        for index in 0..count {
            let code = domain.get(index as u64)[at].to_le_bytes();
            // SAFETY: within the array's elements, of the type's size (a little-endian machine).
            unsafe {
                data.add(index * ty.bytes())
                    .copy_from(code.as_ptr(), ty.bytes())
            };
        }
    }
    Ok(())
}

/// The mean seconds of so many calls of a row's slice form, on this thread, from Rust.
#[pyfunction]
pub fn time_row(
    row: usize,
    inputs: Vec<Bound<'_, PyAny>>,
    output: &Bound<'_, PyAny>,
    rounding: Option<&Bound<'_, PyAny>>,
    calls: u32,
) -> PyResult<f64> {
    let row = rows()
        .get(row)
        .ok_or_else(|| PyValueError::new_err("no such row"))?;
    let bad = || PyTypeError::new_err("arrays that do not go together");
    let mut call = prepared(row, rounding, None, None)?;
    (call.outputs[0], call.count) = memory(output, row.results[0].bytes(), true)?;
    if inputs.len() != row.operands.len() || row.results.len() != 1 {
        return Err(bad());
    }
    for (at, (array, ty)) in inputs.iter().zip(row.operands).enumerate() {
        let (data, count) = memory(array, ty.bytes(), false)?;
        if count != call.count || data == call.outputs[0] {
            return Err(bad());
        }
        call.inputs[at] = data;
    }
    let begin = Instant::now();
    for _ in 0..calls {
        // SAFETY: as many elements of the row's types in each, held by the caller.
        unsafe { row.run(&call) }.map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(begin.elapsed().as_secs_f64() / f64::from(calls.max(1)))
}
