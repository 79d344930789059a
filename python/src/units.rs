//! Products in the orders of matrix units. Operands keep their own formats, since the exponent of
//! a subnormal is part of the order.

use crate::composites::{mode_of, read, write, wrong};
use crate::registry::by_dtype;
use crate::threads::{by_threads, without_gil};
use bitexact::convert::convert;
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E5M2, Format};
use bitexact::reduce::{
    Accumulation, Addend, Evidence, NamedUnit, Order, SumFormat, Unit, UnitParameters,
};
use bitexact::tensor::{View, ViewMut};
use bitexact::{Mode, bf16, f16, tensor};
use bitexact_rows::{Held, Ty};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

type Any<'py> = Bound<'py, PyAny>;
type ModeNames<'py> = (Any<'py>, Option<Any<'py>>);

/// At each format that a unit takes, the same body with `$t` that format.
macro_rules! at_operand {
    (@of [$($name:ident $ty:ident)*] $dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            $(Ty::$name => {
                type $t = $ty;
                $body
            })*
            other => Err(PyTypeError::new_err(format!("no matrix unit takes {}", other.dtype()))),
        }
    };
    ($($rest:tt)*) => {
        at_operand! { @of
            [F16 f16 Bf16 bf16 F32 f32 E5m2 E5M2 E4m3fn E4M3FN E2m3 E2M3 E3m2 E3M2 E2m1 E2M1]
            $($rest)*
        }
    };
}

fn find(name: &str) -> PyResult<(Unit, &'static NamedUnit)> {
    Unit::find(name).ok_or_else(|| {
        let names: Vec<_> = Unit::NAMED.iter().map(|entry| entry.name).collect();
        PyValueError::new_err(format!(
            "no matrix unit {name:?}; there are {}, each also with :FIELD=VALUE,... and then +promoteN and +segmentsN after it",
            names.join(", ")
        ))
    })
}

fn check<T: Format>(name: &str, entry: &NamedUnit) -> PyResult<()> {
    if entry.operands.contains(&T::NAME) {
        return Ok(());
    }
    let takes = entry.operands.join(", ");
    Err(PyTypeError::new_err(format!(
        "{name} takes operands of {takes}, not of {}",
        T::NAME
    )))
}

/// What is known of a unit: its name, operands, terms, fraction bits, the format and the precision
/// of its sums, whether the accumulator is one of the terms, whether it was seen on a device, and
/// the instructions.
type Known = (
    String,
    Vec<&'static str>,
    u8,
    u8,
    &'static str,
    u8,
    bool,
    bool,
    &'static str,
);

fn known(name: String, unit: &Unit, entry: &NamedUnit) -> Known {
    let UnitParameters {
        terms,
        fraction_bits,
        sum,
        precision,
        addend,
        ..
    } = unit.parameters();
    (
        name,
        entry.operands.to_vec(),
        terms,
        fraction_bits,
        match sum {
            SumFormat::F32 => "float32",
            SumFormat::F16 => "float16",
        },
        precision,
        addend == Addend::Aligned,
        entry.evidence == Evidence::SeenOnDevice && unit.parameters() == entry.unit.parameters(),
        entry.about,
    )
}

/// The units that have names.
#[pyfunction]
pub fn unit_table() -> Vec<Known> {
    let all = Unit::NAMED.iter();
    all.map(|entry| known(entry.name.into(), &entry.unit, entry))
        .collect()
}

/// The unit of this name, which may have parameters of its own.
#[pyfunction]
pub fn unit_known(name: &str) -> PyResult<Known> {
    find(name).map(|(unit, entry)| known(name.into(), &unit, entry))
}

/// Products of matrices, a batch of m by k and k by n each.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn unit_gemm(
    py: Python<'_>,
    unit: &str,
    dtype: &str,
    result: &str,
    a: &Any<'_>,
    b: &Any<'_>,
    sizes: [usize; 4],
    mode: ModeNames<'_>,
    out: &Any<'_>,
) -> PyResult<()> {
    let (name, (unit, entry)) = (unit, find(unit)?);
    let order = Accumulation::Declared(Order::Unit(unit));
    let mode = mode_of(&mode)?;
    let [batch, m, k, n] = sizes;
    let shapes = [[batch, m, k], [batch, k, n], [batch, m, n]];
    let result = by_dtype(result)?;
    if result == Ty::F16 && unit.parameters().sum == SumFormat::F16 {
        // The accumulator itself. All such units take f16.
        check::<f16>(name, entry)?;
        if by_dtype(dtype)? != Ty::F16 {
            return Err(wrong("operands of another format than f16"));
        }
        let (a, b, out) = (read::<f16>(a)?, read::<f16>(b)?, write::<f16>(out)?);
        return without_gil(py, || each_matrix(a, b, shapes, order, mode, out)).map_err(wrong);
    }
    at_operand!(by_dtype(dtype)?, T => {
        check::<T>(name, entry)?;
        let (a, b) = (read::<T>(a)?, read::<T>(b)?);
        let product = |out: &mut [f32]| {
            let (left, right) = (View::contiguous(a, shapes[0])?, View::contiguous(b, shapes[1])?);
            let mut out = ViewMut::contiguous(out, shapes[2])?;
            by_threads!(4 * a.len() * n, gemm_batched(&left, &right, order, mode, &mut out))
        };
        if result == Ty::F32 {
            let out = write::<f32>(out)?;
            return without_gil(py, || product(out)).map_err(wrong);
        }
        // The accumulators are f32, or are held by it: one rounding.
        let mut sums = vec![0f32; batch * m * n];
        without_gil(py, || product(&mut sums)).map_err(wrong)?;
        match result {
            Ty::F16 => round(&sums, write::<f16>(out)?, mode),
            Ty::Bf16 => round(&sums, write::<bf16>(out)?, mode),
            other => return Err(wrong(format!("no result of {}", other.dtype()))),
        }
        Ok(())
    })
}

fn round<R: Format>(sums: &[f32], out: &mut [R], mode: Mode) {
    for (to, sum) in out.iter_mut().zip(sums) {
        *to = convert(*sum, mode);
    }
}

fn each_matrix(
    a: &[f16],
    b: &[f16],
    shapes: [[usize; 3]; 3],
    order: Accumulation,
    mode: Mode,
    out: &mut [f16],
) -> Result<(), tensor::TensorError> {
    let [[_, m, k], [_, _, n], _] = shapes;
    for (i, out) in out.chunks_mut((m * n).max(1)).enumerate() {
        let part = |all: &[f16], size: usize| i * size..((i + 1) * size).min(all.len());
        let left = View::contiguous(&a[part(a, m * k)], [m, k])?;
        let right = View::contiguous(&b[part(b, k * n)], [k, n])?;
        let mut out = ViewMut::contiguous(out, [m, n])?;
        tensor::gemm(&left, &right, order, mode, &mut out)?;
    }
    Ok(())
}

/// Single steps: rows of `length` products each, and an accumulator for each, in the format of the
/// unit's sums.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn unit_steps(
    py: Python<'_>,
    unit: &str,
    dtype: &str,
    a: &Any<'_>,
    b: &Any<'_>,
    length: usize,
    c: &Any<'_>,
    out: &Any<'_>,
) -> PyResult<()> {
    let (name, (unit, entry)) = (unit, find(unit)?);
    at_operand!(by_dtype(dtype)?, T => {
        check::<T>(name, entry)?;
        let (a, b) = (read::<T>(a)?, read::<T>(b)?);
        match unit.parameters().sum {
            SumFormat::F32 => {
                let (c, out) = (read::<f32>(c)?, write::<f32>(out)?);
                without_gil(py, || steps(&unit, a, b, length, c, out))
            }
            SumFormat::F16 => {
                let (c, out) = (read::<f16>(c)?, write::<f16>(out)?);
                without_gil(py, || steps(&unit, a, b, length, c, out))
            }
        }
    })
}

fn steps<T: Arithmetic, A: Arithmetic>(
    unit: &Unit,
    a: &[T],
    b: &[T],
    length: usize,
    c: &[A],
    out: &mut [A],
) -> PyResult<()> {
    if a.len() != c.len() * length || b.len() != a.len() {
        return Err(wrong("steps of other lengths"));
    }
    for (i, (to, c)) in out.iter_mut().zip(c).enumerate() {
        let range = i * length..(i + 1) * length;
        *to = unit.step(&a[range.clone()], &b[range], *c).map_err(wrong)?;
    }
    Ok(())
}
