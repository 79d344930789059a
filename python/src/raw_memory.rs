//! Rows on memory by its address, for PyTorch's tensors: prepared once, called often.

use crate::args;
use crate::prepare::{gpu_words, prepared, verify};
use crate::threads::execute;
use bitexact::Overflow;
use bitexact_rows::{Call, Row, rows};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ptr::{null, null_mut};

/// A row with its arguments.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct Prepared {
    row: &'static Row,
    form: usize,
    words: [u64; 4],
    overflow: Overflow,
    /// The GPU's entry of the row, and its words after the number of elements.
    #[pyo3(get)]
    entry: &'static str,
    #[pyo3(get)]
    last: Py<PyTuple>,
    /// Bytes of each operand's and each result's elements.
    sizes: Vec<usize>,
}

#[pymethods]
impl Prepared {
    /// Raises unless the row takes these arguments.
    #[new]
    #[pyo3(signature = (row, rounding, overflow, parameters))]
    fn new(
        py: Python<'_>,
        row: usize,
        rounding: Option<&Bound<'_, PyAny>>,
        overflow: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Self> {
        verify(row, rounding, overflow, parameters)?;
        let (entry, last) = gpu_words(row, rounding, overflow, parameters, false)?;
        let row = &rows()[row];
        let call = prepared(row, rounding, overflow, parameters)?;
        let types = row.operands.iter().chain(row.results);
        Ok(Self {
            row,
            form: call.form,
            words: call.words,
            overflow: call.overflow,
            entry,
            last: PyTuple::new(py, last)?.unbind(),
            sizes: types.map(|ty| ty.bytes()).collect(),
        })
    }

    /// Runs the row on `count` elements at each address, the operands' first, then the results'.
    /// False, and nothing is done, where an address is not a multiple of its element's size.
    ///
    /// The memory must be there, on this machine, and no result may overlap anything else.
    #[pyo3(signature = (count, *addresses))]
    fn run(&self, py: Python<'_>, count: usize, addresses: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let mut each = [0; 5];
        if addresses.len() > each.len() {
            return Err(PyTypeError::new_err(WRONG));
        }
        for (at, address) in each.iter_mut().enumerate().take(addresses.len()) {
            *address = addresses.get_borrowed_item(at)?.extract()?;
        }
        self.at(py, count, &each[..addresses.len()])
    }
}

const WRONG: &str = "as many addresses as the row has operands and results";

impl Prepared {
    /// The same.
    pub fn at(&self, py: Python<'_>, count: usize, addresses: &[usize]) -> PyResult<bool> {
        if addresses.len() != self.sizes.len() {
            return Err(PyTypeError::new_err(WRONG));
        }
        let mut call = Call {
            inputs: [null(); 3],
            outputs: [null_mut(); 2],
            random: null(),
            count,
            form: self.form,
            words: self.words,
            overflow: self.overflow,
            status: false,
        };
        let operands = self.row.operands.len();
        for (at, (&address, size)) in addresses.iter().zip(&self.sizes).enumerate() {
            if !address.is_multiple_of(*size) {
                return Ok(false);
            }
            if address == 0 && count > 0 {
                return Err(PyValueError::new_err("a tensor has no memory"));
            }
            match at.checked_sub(operands) {
                None => call.inputs[at] = address as *const u8,
                Some(at) => call.outputs[at] = address as *mut u8,
            }
        }
        // SAFETY: the caller's promise.
        let done = unsafe { execute(py, self.row, &call, true) };
        done.map(|_| true).map_err(PyValueError::new_err)
    }
}

/// A rounding and an overflow rule as the GPU's entries take them.
#[pyfunction]
#[pyo3(signature = (rounding, overflow))]
pub fn mode_word(
    rounding: &Bound<'_, PyAny>,
    overflow: Option<&Bound<'_, PyAny>>,
) -> PyResult<u64> {
    Ok(bitexact::catalog::encode_mode(args::mode(rounding, overflow)?).into())
}

/// The words of an accumulator of exact sums of a format.
#[pyfunction]
pub fn accumulator_words(dtype: &str) -> PyResult<usize> {
    use bitexact::format::{Binary32, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
    use bitexact::{bf16, f16, reduce::Accumulator};
    Ok(match dtype {
        "float16" => Accumulator::<f16>::WORDS,
        "bfloat16" => Accumulator::<bf16>::WORDS,
        "float32" => Accumulator::<Binary32>::WORDS,
        "float8_e4m3fn" => Accumulator::<E4M3FN>::WORDS,
        "float8_e4m3fnuz" => Accumulator::<E4M3FNUZ>::WORDS,
        "float8_e5m2" => Accumulator::<E5M2>::WORDS,
        "float8_e5m2fnuz" => Accumulator::<E5M2FNUZ>::WORDS,
        _ => return Err(PyValueError::new_err(format!("no accumulator of {dtype}"))),
    })
}
