//! Arguments of a row in words, and arrays as memory: what a call needs before it runs.

use crate::args;
use crate::registry::type_of;
use bitexact::catalog::encode_overflow;
use bitexact::{Mode, Rounding};
use bitexact_rows::{Call, Held, Row, Ty, rows};
use gpu_plans::catalog;
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PyArray_CheckExact,
    PyArrayObject,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ptr::{null, null_mut};

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

/// How the GPU's entry of a row is called: its name, and the words after the number of elements.
/// The words of stochastic rounding follow the address of the random bits. The name is empty if
/// GPUs do not compute the row.
#[pyfunction]
#[pyo3(name = "gpu_entry", signature = (row, rounding, overflow, parameters, stochastic))]
pub fn gpu_words(
    row: usize,
    rounding: Option<&Bound<'_, PyAny>>,
    overflow: Option<&Bound<'_, PyAny>>,
    parameters: Option<&Bound<'_, PyTuple>>,
    stochastic: bool,
) -> PyResult<(&'static str, Vec<u64>)> {
    let row = &rows()[row];
    let call = prepared(row, rounding, overflow, parameters)?;
    let form = match stochastic {
        true => row.stochastic.as_ref(),
        false => row.forms.get(call.form),
    };
    let form = form.ok_or_else(|| PyTypeError::new_err(format!("no such form of {}", row.name)))?;
    let given = match stochastic {
        true => [0, encode_overflow(call.overflow).into(), 0, 0],
        false => call.words,
    };
    let Some((entry, mut words)) = catalog::call(row, form, given) else {
        return Ok(("", Vec::new()));
    };
    if stochastic {
        words.remove(0);
    }
    Ok((entry.name, words))
}

/// The GPU's entry of packs that has a row's results too, where overflow does nothing special.
#[pyfunction]
pub fn gpu_packs(row: usize) -> Option<&'static str> {
    catalog::vector(&rows()[row]).map(|entry| entry.name)
}

/// The row's entry by the hardware's f64, which takes a mode with the IEEE overflow rule, if it has
/// one. Whether that gives the row's results is to be verified on the device.
#[pyfunction]
pub fn gpu_hardware(row: usize) -> Option<&'static str> {
    let row = &rows()[row];
    let entry = catalog::hardware(row).filter(|_| catalog::is_rounded(row))?;
    Some(entry.name)
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

pub fn with_mode(row: &Row, mode: Mode, parameters: Option<&Bound<'_, PyTuple>>) -> PyResult<Call> {
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

/// The memory of an array that results of this type and shape can be written to as it is.
pub fn fitting(out: &Bound<'_, PyAny>, ty: Ty, shape: &[isize]) -> Option<*mut u8> {
    // SAFETY: the object is looked at as an array only if it is one; an array has as many lengths
    // as it has dims.
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

/// Arrays of more dimensions are prepared by Python.
pub const DIMS: usize = 8;

/// An array's lengths or strides; without dimensions the address may be null.
///
/// # Safety
///
/// The address is that of so many numbers, which outlive the result.
pub unsafe fn axes<'a>(from: *const isize, count: i32) -> &'a [isize] {
    match count {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { std::slice::from_raw_parts(from, count as usize) },
    }
}

/// An operand as it lies in memory.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    pub ty: Ty,
    pub data: *const u8,
    pub lengths: &'a [isize],
    pub strides: &'a [isize],
    pub flags: i32,
}

impl Operand<'_> {
    /// An array whose type is known, in this machine's byte order.
    ///
    /// # Safety
    ///
    /// The array outlives the result.
    pub unsafe fn of(array: *mut PyArrayObject) -> Option<Self> {
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
    pub fn is(&self, order: i32) -> bool {
        let wanted = order | NPY_ARRAY_ALIGNED;
        self.flags & wanted == wanted
    }

    /// Its strides along the axes of a shape that it is broadcast to, if their order in memory is
    /// the shape's: a result of such operands is C-contiguous.
    pub fn spread(&self, shape: &[isize]) -> Option<[isize; DIMS]> {
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

    pub fn bytes(&self) -> usize {
        self.lengths.iter().product::<isize>() as usize * self.ty.bytes()
    }
}

/// The shape that these are broadcast to.
pub fn broadcast(operands: &[Operand<'_>]) -> Option<([isize; DIMS], usize)> {
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
pub unsafe fn gathered(operand: &Operand<'_>, shape: &[isize], strides: &[isize]) -> Vec<u64> {
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
