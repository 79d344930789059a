//! Calls from Python: the short way for arrays that need no preparation, and the row on prepared
//! memory for all others.

use crate::args;
use crate::threads::{execute, piece};
use bitexact::{Mode, Rounding};
use bitexact_rows::{Call, Held, Row, Ty, rows};
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API,
    PyArray_CheckExact, PyArray_Descr, PyArrayObject,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};
use std::ops::Range;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An operation: a name and its rows.
pub struct Op {
    pub name: &'static str,
    pub rows: Range<usize>,
}

/// Every operation, in the catalog's order.
pub fn ops() -> &'static [Op] {
    static OPS: LazyLock<Vec<Op>> = LazyLock::new(|| {
        let mut ops: Vec<Op> = Vec::new();
        for (at, row) in rows().iter().enumerate() {
            match ops.last_mut() {
                Some(op) if op.name == row.kernel => op.rows.end = at + 1,
                _ => ops.push(Op {
                    name: row.kernel,
                    rows: at..at + 1,
                }),
            }
        }
        ops
    });
    &OPS
}

/// The rows of an operation that take these types and give that one: the one row, or how many.
fn find(op: &Op, operands: &[Ty], result: Option<Ty>) -> Result<&'static Row, usize> {
    let rows = &rows()[op.rows.clone()];
    let held = |types: &[Ty], given: &[Ty]| {
        types.len() == given.len() && types.iter().zip(given).all(|(a, b)| a.held() == *b)
    };
    let fits = |row: &&Row| {
        held(row.operands, operands) && result.is_none_or(|result| row.results[0].held() == result)
    };
    let mut found = rows.iter().filter(fits);
    let Some(first) = found.next() else {
        return Err(0);
    };
    let others = found.clone().count();
    if others == 0 {
        return Ok(first);
    }
    let common = |row: &&Row| operands.iter().all(|ty| *ty == row.results[0]);
    let mut all = rows.iter().filter(fits);
    // A conversion's result is never its operand's format by chance.
    all.find(common).ok_or(1 + others)
}

/// The dtype objects of all types, once they are known.
static DTYPES: [AtomicUsize; Ty::ALL.len()] = [const { AtomicUsize::new(0) }; Ty::ALL.len()];

/// Their scalar types.
static SCALARS: [AtomicUsize; Ty::ALL.len()] = [const { AtomicUsize::new(0) }; Ty::ALL.len()];

fn at_address(table: &[AtomicUsize], address: usize) -> Option<Ty> {
    let known = |slot: &AtomicUsize| slot.load(Ordering::Relaxed) == address;
    let at = table.iter().position(known)?;
    Some(Ty::ALL[at])
}

fn type_of(descr: *mut PyArray_Descr) -> Option<Ty> {
    at_address(&DTYPES, descr as usize)
}

/// What the Python side gives.
struct Python_ {
    /// Calls that need preparation.
    general: Py<PyAny>,
    /// The context variable's `get`: `(rounding, overflow, policy)`.
    mode: Py<PyAny>,
    status: Py<PyAny>,
}
static PYTHON: PyOnceLock<Python_> = PyOnceLock::new();

fn python(py: Python<'_>) -> PyResult<&Python_> {
    PYTHON
        .get(py)
        .ok_or_else(|| PyTypeError::new_err("bitexact is not set up"))
}

/// Takes what the Python side gives.
#[pyfunction]
pub fn set_up(py: Python<'_>, general: Py<PyAny>, mode: Py<PyAny>, status: Py<PyAny>) {
    let python = Python_ {
        general,
        mode,
        status,
    };
    let _ = PYTHON.set(py, python);
}

/// Remembers the dtype of that name.
#[pyfunction]
pub fn know_dtype(dtype: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    /// The dtypes, so that they live as long as their addresses are known.
    static HELD: PyOnceLock<Py<PyList>> = PyOnceLock::new();
    let (py, at) = (dtype.py(), by_dtype(name)?);
    HELD.get_or_init(py, || PyList::empty(py).unbind())
        .bind(py)
        .append(dtype)?;
    DTYPES[at as usize].store(dtype.as_ptr() as usize, Ordering::Relaxed);
    let scalar = dtype.getattr("type")?;
    SCALARS[at as usize].store(scalar.as_ptr() as usize, Ordering::Relaxed);
    Ok(())
}

/// The type that a dtype of this name holds.
pub fn by_dtype(name: &str) -> PyResult<Ty> {
    let mut all = Ty::ALL.iter();
    let found = all.find(|ty| ty.dtype() == name && ty.held() == **ty);
    found
        .copied()
        .ok_or_else(|| PyTypeError::new_err(format!("dtype {name:?} holds no format")))
}

/// The number of the operation of this name.
#[pyfunction]
pub fn op(name: &str) -> PyResult<usize> {
    let found = ops().iter().position(|op| op.name == name);
    found.ok_or_else(|| PyValueError::new_err(format!("no operation {name:?}")))
}

/// The catalog: for each row its name, operation, description, dtypes and what it takes.
#[pyfunction]
pub fn catalog(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for row in rows() {
        let names = |types: &[Ty]| types.iter().map(|ty| ty.name()).collect::<Vec<_>>();
        let dtypes = |types: &[Ty]| types.iter().map(|ty| ty.dtype()).collect::<Vec<_>>();
        let entry = PyDict::new(py);
        entry.set_item("name", row.name)?;
        entry.set_item("op", row.kernel)?;
        entry.set_item("doc", row.doc)?;
        entry.set_item("types", (names(row.operands), names(row.results)))?;
        entry.set_item("operands", PyTuple::new(py, dtypes(row.operands))?)?;
        entry.set_item("results", PyTuple::new(py, dtypes(row.results))?)?;
        entry.set_item("takes", PyTuple::new(py, args::takes(row))?)?;
        list.append(entry)?;
    }
    Ok(list)
}

/// The row of an operation at these dtypes: its number, or how many it may be.
#[pyfunction]
#[pyo3(signature = (op, operands, result))]
pub fn row(op: usize, operands: Vec<String>, result: Option<&str>) -> PyResult<(bool, usize)> {
    let operands = operands.iter().map(|name| by_dtype(name));
    let operands = operands.collect::<PyResult<Vec<_>>>()?;
    let result = result.map(by_dtype).transpose()?;
    Ok(match find(&ops()[op], &operands, result) {
        Ok(row) => {
            let at = rows().iter().position(|other| std::ptr::eq(other, row));
            (true, at.unwrap_or_default())
        }
        Err(count) => (false, count),
    })
}

/// An array's memory, if it is one stretch of elements of a size, in their order.
pub fn memory(array: &Bound<'_, PyAny>, size: usize, written: bool) -> PyResult<(*mut u8, usize)> {
    let bad = |why: &str| PyTypeError::new_err(format!("an array that was prepared is {why}"));
    // SAFETY: the object is looked at as an array only if it is one.
    unsafe {
        if PyArray_CheckExact(array.py(), array.as_ptr()) == 0 {
            return Err(bad("none"));
        }
        let fields = &(*array.as_ptr().cast::<PyArrayObject>()).fields;
        let mut wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
        if written {
            wanted |= NPY_ARRAY_WRITEABLE;
        }
        let held: usize = array.getattr("itemsize")?.extract()?;
        if fields.flags & wanted != wanted || held != size || fields.nd != 1 {
            return Err(bad(
                "not contiguous, aligned or writeable, or of another type",
            ));
        }
        Ok((fields.data.cast(), *fields.dimensions as usize))
    }
}

/// Raises unless a row takes these arguments.
#[pyfunction]
#[pyo3(signature = (row, rounding, overflow, parameters))]
pub fn verify(
    row: usize,
    rounding: Option<&Bound<'_, PyAny>>,
    overflow: Option<&Bound<'_, PyAny>>,
    parameters: Option<&Bound<'_, PyTuple>>,
) -> PyResult<()> {
    let row = &rows()[row];
    let call = prepared(row, rounding, overflow, parameters)?;
    // SAFETY: there are no elements.
    let done = unsafe { row.run(&call) };
    done.map(drop).map_err(|error| {
        let given = parameters
            .map(|given| given.to_string())
            .unwrap_or_default();
        PyValueError::new_err(format!("{}() with {given}: {error}", row.kernel))
    })
}

/// A call of a row, of no elements yet; a rounding that is not given is none that matters.
fn prepared(
    row: &Row,
    rounding: Option<&Bound<'_, PyAny>>,
    overflow: Option<&Bound<'_, PyAny>>,
    parameters: Option<&Bound<'_, PyTuple>>,
) -> PyResult<Call> {
    let mode = match rounding {
        Some(rounding) => args::mode(rounding, overflow)?,
        None => Mode::new(Rounding::TiesToEven, args::overflow_rule(overflow)?),
    };
    with_mode(row, mode, parameters)
}

fn with_mode(row: &Row, mode: Mode, parameters: Option<&Bound<'_, PyTuple>>) -> PyResult<Call> {
    let (form, words) = args::arguments(row, mode, parameters)?;
    Ok(Call {
        inputs: [null(); 3],
        outputs: [null_mut(); 2],
        random: null(),
        count: 0,
        form,
        words,
        overflow: mode.overflow,
        status: false,
    })
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
            None => execute(py, row, &call),
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

/// The memory of an array that results of this type and shape can be written to as it is, and that
/// overlaps none of these.
fn fitting(
    out: &Bound<'_, PyAny>,
    ty: Ty,
    shape: &[isize],
    mut read: impl Iterator<Item = Range<usize>>,
) -> Option<*mut u8> {
    // SAFETY: the object is looked at as an array only if it is one; an array has as many lengths as
    // it has dims.
    let (fields, lengths) = unsafe {
        if PyArray_CheckExact(out.py(), out.as_ptr()) == 0 {
            return None;
        }
        let fields = &(*out.as_ptr().cast::<PyArrayObject>()).fields;
        let lengths = std::slice::from_raw_parts(fields.dimensions, fields.nd as usize);
        (fields, lengths)
    };
    let wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;
    let fits = fields.flags & wanted == wanted && type_of(fields.descr) == Some(ty.held());
    let start = fields.data as usize;
    let end = start + lengths.iter().product::<isize>() as usize * ty.bytes();
    let apart = read.all(|other| other.end <= start || end <= other.start);
    (fits && lengths == shape && apart).then_some(fields.data.cast())
}

/// A call that needs no preparation: its result, or `None` where it does.
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
    let mut types = [Ty::F16; 3];
    let mut inputs = [null(); 3];
    let mut shape: &[isize] = &[];
    let items: [_; 3] = std::array::from_fn(|at| operands.get_borrowed_item(at).ok());
    for (at, item) in items.iter().flatten().enumerate() {
        // SAFETY: the object is looked at as an array only if it is one; the tuple holds it.
        let fields = unsafe {
            if PyArray_CheckExact(py, item.as_ptr()) == 0 {
                return Ok(None);
            }
            &(*item.as_ptr().cast::<PyArrayObject>()).fields
        };
        let wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
        let Some(ty) = type_of(fields.descr) else {
            return Ok(None);
        };
        if fields.flags & wanted != wanted || fields.nd == 0 {
            return Ok(None);
        }
        // SAFETY: an array has as many lengths as it has dims.
        let lengths = unsafe { std::slice::from_raw_parts(fields.dimensions, fields.nd as usize) };
        if at > 0 && lengths != shape {
            return Ok(None);
        }
        (types[at], inputs[at], shape) = (ty, fields.data.cast_const().cast(), lengths);
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
    let mut outputs = [null_mut(); 2];
    let mut arrays = [None, None];
    let count = shape.iter().product::<isize>() as usize;
    if let Some(out) = out {
        let read = inputs.iter().zip(row.operands);
        let read = read.map(|(data, ty)| *data as usize..*data as usize + count * ty.bytes());
        let [ty] = row.results else { return Ok(None) };
        let Some(data) = fitting(out, *ty, shape, read) else {
            return Ok(None);
        };
        (outputs[0], arrays[0]) = (data, Some(out.clone()));
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
        // are an array's.
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
                0,
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
    // SAFETY: arrays of this shape and the row's types, held by the tuple and here; the outputs are
    // new.
    let Ok(raised) = (unsafe { execute(py, row, &call) }) else {
        return Ok(None);
    };
    let mut results: Vec<_> = arrays.into_iter().flatten().collect();
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
