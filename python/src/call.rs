//! Calls from Python: the short way for arrays of known types, and the row on prepared memory for
//! all others.

use crate::args;
use crate::prepare::{Operand, broadcast, fitting, gathered, memory, prepared, with_mode};
use crate::registry::{DTYPES, Op, SCALARS, at_address, by_dtype, find, number_type, ops};
use crate::threads::{execute, piece};
use bitexact::Mode;
use bitexact_rows::{Call, Held, Ty, rows};
use numpy::npyffi::{
    NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NpyTypes, PY_ARRAY_API, PyArray_CheckExact,
    PyArray_Descr, PyArrayObject,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyTuple};
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

/// What the Python side gives.
struct Python_ {
    /// Calls that need preparation.
    general: Py<PyAny>,
    /// The context variable's `get`: `(rounding, overflow, policy)`.
    mode: Py<PyAny>,
    status: Py<PyAny>,
    /// A Python number as an array of a format.
    scalar: Py<PyAny>,
}

static PYTHON: PyOnceLock<Python_> = PyOnceLock::new();

fn python(py: Python<'_>) -> PyResult<&Python_> {
    PYTHON
        .get(py)
        .ok_or_else(|| PyTypeError::new_err("internal: `set_up` was not called"))
}

/// Takes what the Python side gives.
#[pyfunction]
pub fn set_up(
    py: Python<'_>,
    general: Py<PyAny>,
    mode: Py<PyAny>,
    status: Py<PyAny>,
    scalar: Py<PyAny>,
) {
    let python = Python_ {
        general,
        mode,
        status,
        scalar,
    };
    let _ = PYTHON.set(py, python);
}

/// Runs a row over prepared one-dimensional arrays; the exceptions of any element, or with `each`
/// an array of those of every element.
#[pyfunction]
#[pyo3(signature = (row, inputs, outputs, random, rounding, overflow, parameters, status, each))]
#[allow(clippy::too_many_arguments)]
pub fn run<'py>(
    py: Python<'py>,
    row: usize,
    inputs: Vec<Bound<'py, PyAny>>,
    outputs: Vec<Bound<'py, PyAny>>,
    random: Option<Bound<'py, PyAny>>,
    rounding: Option<Bound<'py, PyAny>>,
    overflow: Option<Bound<'py, PyAny>>,
    parameters: Option<Bound<'py, PyTuple>>,
    status: bool,
    each: Option<Bound<'py, PyAny>>,
) -> PyResult<u8> {
    let Some(row) = rows().get(row) else {
        return Err(PyValueError::new_err(format!("no row {row}")));
    };
    let mut call = prepared(
        row,
        rounding.as_ref(),
        overflow.as_ref(),
        parameters.as_ref(),
    )?;
    call.status = status;
    let mut counts = Vec::new();
    for (at, (array, ty)) in inputs.iter().zip(row.operands).enumerate() {
        let (data, count) = memory(array, ty.bytes(), false)?;
        call.inputs[at] = data;
        counts.push(count);
    }
    for (at, (array, ty)) in outputs.iter().zip(row.results).enumerate() {
        let (data, count) = memory(array, ty.bytes(), true)?;
        call.outputs[at] = data;
        counts.push(count);
    }
    if let Some(random) = &random {
        let (data, count) = memory(random, 2, false)?;
        call.random = data.cast();
        counts.push(count);
    }
    let each = each
        .as_ref()
        .map(|each| memory(each, 1, true))
        .transpose()?;
    counts.extend(each.map(|(_, count)| count));
    call.count = counts[0];
    if inputs.len() != row.operands.len()
        || outputs.len() != row.results.len()
        || counts.iter().any(|count| *count != call.count)
        || (random.is_some() && row.stochastic.is_none())
    {
        return Err(PyTypeError::new_err("arrays that do not go together"));
    }
    // SAFETY: the arrays have as many elements of the row's types, and are held here; the Python
    // side has seen to it that none overlaps another.
    let done = unsafe {
        match each {
            None => execute(py, row, &call, false),
            Some((flags, count)) => (0..count).try_fold(bitexact::Status::NONE, |all, at| {
                call.status = true;
                let one = piece(row, &call, at, 1);
                let raised = row.run(&one).map_err(|error| error.to_string())?;
                flags.add(at).write(raised.bits());
                Ok(all | raised)
            }),
        }
    };
    Ok(done.map_err(PyValueError::new_err)?.bits())
}

/// Results up to this length may be of operands that are copied first.
const COPIED: usize = 1 << 16;

/// A call that needs no preparation by Python: its result, or `None` where it does.
#[allow(clippy::too_many_arguments)]
fn short<'py>(
    py: Python<'py>,
    op: &Op,
    operands: &Bound<'py, PyTuple>,
    out: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    rounding: Option<&Bound<'py, PyAny>>,
    overflow: Option<&Bound<'py, PyAny>>,
    given: Option<&Bound<'py, PyTuple>>,
    return_status: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let operand_count = operands.len();
    if operand_count == 0 || operand_count > 3 {
        return Ok(None);
    }
    // Arrays, or arrays of NumPy's scalars; Python's numbers are not yet any.
    let mut items: [Option<Bound<'py, PyAny>>; 3] = [const { None }; 3];
    let mut found: [Option<Operand<'_>>; 3] = [None; 3];
    for at in 0..operand_count {
        let item = operands.get_borrowed_item(at)?;
        // SAFETY: the object is looked at as an array only if it is one; it is held until the end.
        unsafe {
            let array = if PyArray_CheckExact(py, item.as_ptr()) != 0 {
                item.to_owned()
            } else if at_address(&SCALARS, pyo3::ffi::Py_TYPE(item.as_ptr()) as usize).is_some() {
                let array = PY_ARRAY_API.PyArray_FromScalar(py, item.as_ptr(), null_mut());
                Bound::from_owned_ptr_or_err(py, array)?
            } else if item.is_exact_instance_of::<PyFloat>() || item.is_exact_instance_of::<PyInt>()
            {
                continue;
            } else {
                return Ok(None);
            };
            let Some(operand) = Operand::of(array.as_ptr().cast()) else {
                return Ok(None);
            };
            (found[at], items[at]) = (Some(operand), Some(array));
        }
    }
    let result = match dtype {
        None => None,
        Some(dtype) => {
            let address = dtype.as_ptr() as usize;
            let known = at_address(&DTYPES, address).or_else(|| at_address(&SCALARS, address));
            let named = || by_dtype(dtype.cast::<PyString>().ok()?.to_str().ok()?).ok();
            match known.or_else(named) {
                None => return Ok(None),
                some => some,
            }
        }
    };
    let types = found.map(|operand| operand.map(|operand| operand.ty));
    for at in 0..operand_count {
        if found[at].is_some() {
            continue;
        }
        let Some(ty) = number_type(op, &types[..operand_count], at, result) else {
            return Ok(None);
        };
        // A number that the format does not hold is refused in Python.
        let scalar = python(py)?.scalar.bind(py);
        let Ok(array) = scalar.call1((operands.get_borrowed_item(at)?, ty.dtype(), "")) else {
            return Ok(None);
        };
        // SAFETY: as above; NumPy's scalars are no arrays.
        found[at] = unsafe {
            if PyArray_CheckExact(py, array.as_ptr()) == 0 {
                return Ok(None);
            }
            Operand::of(array.as_ptr().cast())
        };
        items[at] = Some(array);
    }
    let mut known = [Operand {
        ty: Ty::F16,
        data: null(),
        lengths: &[],
        strides: &[],
        flags: 0,
    }; 3];
    for (to, operand) in known.iter_mut().zip(&found[..operand_count]) {
        let Some(operand) = operand else {
            return Ok(None);
        };
        *to = *operand;
    }
    let known = &known[..operand_count];
    let mut types = [Ty::F16; 3];
    for (to, operand) in types.iter_mut().zip(known) {
        *to = operand.ty;
    }
    let Ok(row) = find(op, &types[..operand_count], result) else {
        return Ok(None);
    };
    let mode = match (row.rounds, rounding) {
        (true, None) => {
            let current = python(py)?.mode.bind(py).call0()?;
            let current = current.cast::<PyTuple>()?;
            let (rounding, rule) = (current.get_item(0)?, current.get_item(1)?);
            if rounding.is_none() {
                return Ok(None);
            }
            let rule = (!rule.is_none()).then_some(rule);
            args::mode(&rounding, overflow.or(rule.as_ref()))
        }
        (true, Some(rounding)) => {
            let rule = match overflow {
                Some(overflow) => Some(overflow.clone()),
                None => {
                    let current = python(py)?.mode.bind(py).call0()?;
                    let rule = current.cast::<PyTuple>()?.get_item(1)?;
                    (!rule.is_none()).then_some(rule)
                }
            };
            args::mode(rounding, rule.as_ref())
        }
        (_, None) if overflow.is_none() => Ok(Mode::TIES_TO_EVEN),
        _ => return Ok(None),
    };
    let Ok(prepared) = mode.and_then(|mode| with_mode(row, mode, given)) else {
        return Ok(None);
    };
    let Some((shape, dims)) = broadcast(known) else {
        return Ok(None);
    };
    let shape = &shape[..dims];
    let count = shape.iter().product::<isize>() as usize;
    let all = |order| {
        let mut known = known.iter();
        known.all(|operand| operand.lengths == shape && operand.is(order))
    };
    let fortran = !all(NPY_ARRAY_C_CONTIGUOUS) && all(NPY_ARRAY_F_CONTIGUOUS);

    let mut outputs = [null_mut(); 2];
    let mut arrays = [None, None];
    let mut written = 0..0;
    if let Some(out) = out {
        let [ty] = row.results else { return Ok(None) };
        let Some(data) = fitting(out, *ty, shape) else {
            return Ok(None);
        };
        (outputs[0], arrays[0]) = (data, Some(out.clone()));
        written = data as usize..data as usize + count * ty.bytes();
        if fortran {
            return Ok(None);
        }
    }
    // What is not one stretch of memory as it is, or would be written to, is copied.
    let mut inputs = [null(); 3];
    let mut copies: [Vec<u64>; 3] = [const { Vec::new() }; 3];
    for (at, operand) in known.iter().enumerate() {
        let start = operand.data as usize;
        let apart = written.end <= start || start + operand.bytes() <= written.start;
        let direct = operand.lengths == shape && operand.is(NPY_ARRAY_C_CONTIGUOUS);
        if fortran || (direct && apart) {
            inputs[at] = operand.data;
            continue;
        }
        let Some(strides) = operand.spread(shape).filter(|_| count <= COPIED) else {
            return Ok(None);
        };
        // SAFETY: an array's memory, held until the end.
        copies[at] = unsafe { gathered(operand, shape, &strides) };
        inputs[at] = copies[at].as_ptr().cast();
    }
    for (at, ty) in row.results.iter().enumerate() {
        if arrays[at].is_some() {
            break;
        }
        let descr = DTYPES[ty.held() as usize].load(Ordering::Relaxed) as *mut PyArray_Descr;
        if descr.is_null() {
            return Ok(None);
        }
        // SAFETY: the dtype is known, hence alive; the call takes a reference to it. The lengths
        // are those of arrays.
        unsafe {
            pyo3::ffi::Py_IncRef(descr.cast());
            let array = PY_ARRAY_API.PyArray_NewFromDescr(
                py,
                numpy::npyffi::get_type_object(py, NpyTypes::PyArray_Type),
                descr,
                shape.len() as _,
                shape.as_ptr().cast_mut(),
                null_mut(),
                null_mut(),
                if fortran { NPY_ARRAY_F_CONTIGUOUS } else { 0 },
                null_mut(),
            );
            let array = Bound::from_owned_ptr_or_err(py, array)?;
            outputs[at] = (*array.as_ptr().cast::<PyArrayObject>()).fields.data.cast();
            arrays[at] = Some(array);
        }
    }
    let call = Call {
        inputs,
        outputs,
        count,
        status: return_status,
        ..prepared
    };
    // SAFETY: as many elements of the row's types in each, held by `items`, `copies` and `arrays`;
    // the outputs are new, or apart from what is read.
    let Ok(raised) = (unsafe { execute(py, row, &call, false) }) else {
        return Ok(None);
    };
    let mut results: Vec<_> = arrays.into_iter().flatten().collect();
    if dims == 0 && out.is_none() {
        for result in &mut results {
            // SAFETY: it takes the array, and gives its element as a scalar.
            *result = unsafe {
                let array = result.clone().into_ptr();
                Bound::from_owned_ptr_or_err(py, PY_ARRAY_API.PyArray_Return(py, array.cast()))?
            };
        }
    }
    if return_status {
        results.push(python(py)?.status.bind(py).call1((raised.bits(),))?);
    }
    if let [result] = &results[..] {
        return Ok(Some(result.clone()));
    }
    Ok(Some(PyTuple::new(py, results)?.into_any()))
}

/// Calls an operation.
#[pyfunction]
#[pyo3(signature = (op, operands, out, dtype, rounding, overflow, random_bits, parameters, return_status))]
#[allow(clippy::too_many_arguments)]
pub fn call<'py>(
    py: Python<'py>,
    op: usize,
    operands: &Bound<'py, PyTuple>,
    out: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    rounding: Option<&Bound<'py, PyAny>>,
    overflow: Option<&Bound<'py, PyAny>>,
    random_bits: Option<&Bound<'py, PyAny>>,
    parameters: Option<&Bound<'py, PyTuple>>,
    return_status: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if random_bits.is_none()
        && let Ok(status) = return_status.cast::<PyBool>()
        && let Some(known) = ops().get(op)
    {
        let status = status.is_true();
        if let Some(result) = short(
            py, known, operands, out, dtype, rounding, overflow, parameters, status,
        )? {
            return Ok(result);
        }
    }
    let general = python(py)?.general.bind(py);
    general.call1((
        op,
        operands,
        out,
        dtype,
        rounding,
        overflow,
        random_bits,
        parameters,
        return_status,
    ))
}
