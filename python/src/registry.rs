//! Which operations and rows there are, and which dtypes hold their formats.

use crate::args;
use bitexact_rows::{Held, Row, Ty, rows};
use numpy::npyffi::PyArray_Descr;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::ops::Range;
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
pub fn find(op: &Op, operands: &[Ty], result: Option<Ty>) -> Result<&'static Row, usize> {
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
pub static DTYPES: [AtomicUsize; Ty::ALL.len()] = [const { AtomicUsize::new(0) }; Ty::ALL.len()];

/// Their scalar types.
pub static SCALARS: [AtomicUsize; Ty::ALL.len()] = [const { AtomicUsize::new(0) }; Ty::ALL.len()];

pub fn at_address(table: &[AtomicUsize], address: usize) -> Option<Ty> {
    let known = |slot: &AtomicUsize| slot.load(Ordering::Relaxed) == address;
    let at = table.iter().position(known)?;
    Some(Ty::ALL[at])
}

pub fn type_of(descr: *mut PyArray_Descr) -> Option<Ty> {
    at_address(&DTYPES, descr as usize)
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
        entry.set_item("on_gpu", gpu_plans::catalog::has_entry(row))?;
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

/// The type that a Python number takes among operands of these types.
pub fn number_type(op: &Op, types: &[Option<Ty>], at: usize, result: Option<Ty>) -> Option<Ty> {
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

pub const fn is_float(ty: Ty) -> bool {
    use Ty::{Bool, Class, I8, I16, I32, I64, Mxint8, U8, U16, U32, U64};
    !matches!(
        ty,
        Bool | Class | Mxint8 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64
    )
}
