//! Calls from Python: the short way for arrays of known types, and the row on prepared memory for
//! all others.

use crate::args;
use crate::threads::{execute, piece};
use bitexact::catalog::encode_overflow;
use bitexact::{Mode, Rounding};
use bitexact_rows::{Call, Held, Row, Ty, rows};
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_WRITEABLE,
    NpyTypes, PY_ARRAY_API, PyArray_CheckExact, PyArray_Descr, PyArrayObject,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
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

/// The names of the operations, each at its number.
#[pyfunction]
pub fn operations() -> Vec<&'static str> {
    ops().iter().map(|op| op.name).collect()
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
        let forms = row.forms.first();
        entry.set_item("choices", forms.map_or("", |form| form.takes.choices))?;
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
    let bad = |why: &str| PyTypeError::new_err(format!("prepared operand is {why}"));
    // SAFETY: the object is looked at as an array only if it is one.
    unsafe {
        if PyArray_CheckExact(array.py(), array.as_ptr()) == 0 {
            return Err(bad("not an array"));
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

/// How the GPU's entry of a row is called: its name, and the words after the number of elements. The
/// words of stochastic rounding follow the address of the random bits.
#[pyfunction]
#[pyo3(name = "gpu_entry", signature = (row, rounding, overflow, parameters, stochastic))]
pub fn gpu_words(
    row: usize,
    rounding: Option<&Bound<'_, PyAny>>,
    overflow: Option<&Bound<'_, PyAny>>,
    parameters: Option<&Bound<'_, PyTuple>>,
    stochastic: bool,
) -> PyResult<(String, Vec<u64>)> {
    let row = &rows()[row];
    let call = prepared(row, rounding, overflow, parameters)?;
    let form = match stochastic {
        true => row.stochastic.as_ref(),
        false => row.forms.get(call.form),
    };
    let form = form.ok_or_else(|| PyTypeError::new_err(format!("no such form of {}", row.name)))?;
    let words = match stochastic {
        true => vec![encode_overflow(call.overflow).into()],
        false => call.words[..form.words.len()].to_vec(),
    };
    Ok((format!("{}{}", row.entry, form.ending), words))
}

/// A call of a row, of no elements yet; a rounding that is not given is none that matters.
pub fn prepared(
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

/// The memory of an array that results of this type and shape can be written to as it is.
fn fitting(out: &Bound<'_, PyAny>, ty: Ty, shape: &[isize]) -> Option<*mut u8> {
    // SAFETY: the object is looked at as an array only if it is one; an array has as many lengths as
    // it has dims.
    let (fields, lengths) = unsafe {
        if PyArray_CheckExact(out.py(), out.as_ptr()) == 0 {
            return None;
        }
        let fields = &(*out.as_ptr().cast::<PyArrayObject>()).fields;
        (fields, axes(fields.dimensions, fields.nd))
    };
    let wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;
    let fits = fields.flags & wanted == wanted && type_of(fields.descr) == Some(ty.held());
    (fits && lengths == shape).then_some(fields.data.cast())
}

/// Results up to this length may be of operands that are copied first.
const COPIED: usize = 1 << 16;
/// Arrays of more dimensions are prepared by Python.
const DIMS: usize = 8;

/// An array's lengths or strides; without dimensions the address may be null.
///
/// # Safety
///
/// The address is that of so many numbers, which outlive the result.
unsafe fn axes<'a>(from: *const isize, count: i32) -> &'a [isize] {
    match count {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { std::slice::from_raw_parts(from, count as usize) },
    }
}

/// An operand as it lies in memory.
#[derive(Clone, Copy)]
struct Operand<'a> {
    ty: Ty,
    data: *const u8,
    lengths: &'a [isize],
    strides: &'a [isize],
    flags: i32,
}

impl Operand<'_> {
    /// An array whose type is known, in this machine's byte order.
    ///
    /// # Safety
    ///
    /// The array outlives the result.
    unsafe fn of(array: *mut PyArrayObject) -> Option<Self> {
        // SAFETY: the caller's promise; an array has as many lengths and strides as it has dims.
        unsafe {
            let fields = &(*array).fields;
            Some(Self {
                ty: type_of(fields.descr)?,
                data: fields.data.cast_const().cast(),
                lengths: axes(fields.dimensions, fields.nd),
                strides: axes(fields.strides, fields.nd),
                flags: fields.flags,
            })
        }
    }

    /// Whether its elements are one stretch of memory, in this order.
    fn is(&self, order: i32) -> bool {
        let wanted = order | NPY_ARRAY_ALIGNED;
        self.flags & wanted == wanted
    }

    /// Its strides along the axes of a shape that it is broadcast to, if their order in memory is
    /// the shape's: a result of such operands is C-contiguous.
    fn spread(&self, shape: &[isize]) -> Option<[isize; DIMS]> {
        let mut strides = [0; DIMS];
        let missing = shape.len() - self.lengths.len();
        let mut least = isize::MAX;
        for (at, (length, stride)) in self.lengths.iter().zip(self.strides).enumerate() {
            if *length == 1 || *stride == 0 {
                continue;
            }
            if stride.abs() > least {
                return None;
            }
            (strides[missing + at], least) = (*stride, stride.abs());
        }
        Some(strides)
    }

    fn bytes(&self) -> usize {
        self.lengths.iter().product::<isize>() as usize * self.ty.bytes()
    }
}

/// The shape that these are broadcast to.
fn broadcast(operands: &[Operand<'_>]) -> Option<([isize; DIMS], usize)> {
    let dims = operands.iter().map(|operand| operand.lengths.len()).max()?;
    if dims > DIMS {
        return None;
    }
    let mut shape = [1; DIMS];
    for operand in operands {
        let own = &mut shape[dims - operand.lengths.len()..dims];
        for (to, length) in own.iter_mut().zip(operand.lengths) {
            match (*to, *length) {
                (1, length) => *to = length,
                (_, 1) => {}
                (to, length) if to == length => {}
                _ => return None,
            }
        }
    }
    Some((shape, dims))
}

/// Copies elements, in the order of the axes, each of a length and a stride.
///
/// # Safety
///
/// The elements are there, and there is room for them.
unsafe fn gather<T: Copy>(from: *const u8, axes: &[(isize, isize)], to: &mut *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        match axes {
            [] => {
                to.write(from.cast::<T>().read_unaligned());
                *to = to.add(1);
            }
            [(length, stride)] => {
                for at in 0..*length {
                    to.offset(at)
                        .write(from.offset(at * stride).cast::<T>().read_unaligned());
                }
                *to = to.offset(*length);
            }
            [(length, stride), rest @ ..] => {
                for at in 0..*length {
                    gather(from.offset(at * stride), rest, to);
                }
            }
        }
    }
}

/// An operand's elements as of a shape, one after another.
///
/// # Safety
///
/// The operand's memory is there, and the strides are its own along the shape's axes.
unsafe fn gathered(operand: &Operand<'_>, shape: &[isize], strides: &[isize]) -> Vec<u64> {
    let size = operand.ty.bytes();
    let count = shape.iter().product::<isize>() as usize;
    // Words, for the alignment of every type.
    let mut words = vec![0u64; (count * size).div_ceil(8)];
    let mut pairs = [(0, 0); DIMS];
    for (pair, axis) in pairs.iter_mut().zip(shape.iter().zip(strides)) {
        *pair = (*axis.0, *axis.1);
    }
    let (from, pairs) = (operand.data, &pairs[..shape.len()]);
    if count > 0 {
        // SAFETY: the caller's promise, and the words have room for the elements.
        unsafe {
            match size {
                1 => gather::<u8>(from, pairs, &mut words.as_mut_ptr().cast()),
                2 => gather::<u16>(from, pairs, &mut words.as_mut_ptr().cast()),
                4 => gather::<u32>(from, pairs, &mut words.as_mut_ptr().cast()),
                _ => gather::<u64>(from, pairs, &mut words.as_mut_ptr().cast()),
            }
        }
    }
    words
}

/// The type that a Python number takes among operands of these types.
fn number_type(op: &Op, types: &[Option<Ty>], at: usize, result: Option<Ty>) -> Option<Ty> {
    let fits = |row: &&Row| {
        let mut types = row.operands.iter().zip(types);
        row.operands.len() == types.len()
            && types.all(|(of, ty)| ty.is_none_or(|ty| of.held() == ty))
            && result.is_none_or(|result| row.results[0].held() == result)
    };
    let possible = || {
        let rows = rows()[op.rows.clone()].iter().filter(fits);
        rows.map(|row| row.operands[at].held())
    };
    let first = possible().next()?;
    if possible().all(|ty| ty == first) {
        return Some(first);
    }
    let mut floats = types.iter().flatten().filter(|ty| is_float(**ty));
    let common = floats
        .next()
        .copied()
        .or(result.filter(|ty| is_float(*ty)))?;
    let alone = floats.all(|ty| *ty == common);
    (alone && possible().any(|ty| ty == common)).then_some(common)
}

const fn is_float(ty: Ty) -> bool {
    use Ty::{Bool, Class, I8, I16, I32, I64, Mxint8, U8, U16, U32, U64};
    !matches!(
        ty,
        Bool | Class | Mxint8 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64
    )
}

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
