//! Cache of PyTorch calls: a call of the same operation with the same dtypes and the same objects
//! as arguments, and no gradient, trace or mode active, finds its row here in one step. It passes
//! neither Python's checks nor PyTorch's dispatcher; other calls are made by the module
//! `bitexact_kernels.torch`, which has the rules.

use crate::raw_memory::Prepared;
use crate::torch_alloc::Maker;
use crate::torch_state::State;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, PoisonError};

/// Of an operation at most; the oldest goes first.
const KEPT: usize = 16;
/// Operands and results of a row.
const MOST: usize = 5;

/// `DLTensor` of DLPack 1: a tensor's memory, borrowed.
#[repr(C)]
#[derive(Clone, Copy)]
struct Memory {
    data: *mut c_void,
    device: [i32; 2],
    dimensions: i32,
    /// A code, bits and, in 16 bits, lanes. Some are of several of PyTorch's formats.
    format: u32,
    shape: *const i64,
    strides: *const i64,
    offset: u64,
}

const ON_CPU: i32 = 1;
const ON_CUDA: i32 = 2;

impl Memory {
    /// The lengths of its dimensions.
    fn shape(&self) -> &[i64] {
        match usize::try_from(self.dimensions) {
            // SAFETY: DLPack's: so many, as long as the tensor lives.
            Ok(count) if count > 0 => unsafe { std::slice::from_raw_parts(self.shape, count) },
            _ => &[],
        }
    }

    /// How many elements; none unless they lie one after the other.
    fn contiguous(&self) -> Option<usize> {
        let mut count = 1;
        for (at, &length) in self.shape().iter().enumerate().rev() {
            // SAFETY: as many as there are lengths; PyTorch's are never null.
            let stride = unsafe { *self.strides.add(at) };
            if length != 1 && stride != count {
                return None;
            }
            count *= length;
        }
        usize::try_from(count).ok()
    }

    fn address(&self) -> usize {
        self.data as usize + self.offset as usize
    }

    /// Its format, where no other of PyTorch's has the same: a `kDLFloat` or a `kDLBfloat`.
    fn own_format(&self) -> Option<u32> {
        let [code, bits, lanes @ ..] = self.format.to_ne_bytes();
        let own = [2, 4].contains(&code) && bits >= 16 && lanes == 1u16.to_ne_bytes();
        own.then_some(self.format)
    }
}

/// `DLPackExchangeAPI` of DLPack 1.
#[repr(C)]
struct Exchange {
    version: [u32; 2],
    before: *const Exchange,
    managed: [*const c_void; 3],
    borrow: Option<unsafe extern "C" fn(*mut c_void, *mut Memory) -> c_int>,
    stream: *const c_void,
}

/// What PyTorch has for such calls.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct Tensors {
    /// The types of plain tensors.
    types: (Py<PyType>, Py<PyType>),
    borrow: unsafe extern "C" fn(*mut c_void, *mut Memory) -> c_int,
    /// Tells, without Python, of everything that follows calls but transforms, which alone are
    /// among the followers then.
    state: Option<State>,
    /// Each tells of something that follows calls, unless it gives None, False or 0.
    followers: Vec<Py<PyAny>>,
    /// `torch.autograd.forward_ad`, whose level is below 0 where it does not follow calls.
    forward: Py<PyAny>,
    gradients: Py<PyAny>,
    empty_like: Py<PyAny>,
    /// How new tensors in a processor's memory are made without Python, with its code of that.
    maker: Option<(Maker, i32)>,
}

#[pymethods]
impl Tensors {
    /// None where PyTorch is too old to have an exchange table of DLPack's. The capsule is such a
    /// table, and of PyTorch's tensors. `maker` are the addresses of what a [`Maker`] has, in its
    /// order, and the code of a processor's memory; `state` those of what a [`State`] has.
    #[staticmethod]
    #[pyo3(signature = (table, types, followers, forward, gradients, empty_like, maker=None, state=None))]
    #[expect(clippy::too_many_arguments, reason = "what PyTorch has")]
    fn of(
        table: &Bound<'_, PyAny>,
        types: (Py<PyType>, Py<PyType>),
        followers: Vec<Py<PyAny>>,
        forward: Py<PyAny>,
        gradients: Py<PyAny>,
        empty_like: Py<PyAny>,
        maker: Option<([usize; 3], i32)>,
        state: Option<[usize; 5]>,
    ) -> PyResult<Option<Self>> {
        if table.is_none() {
            return Ok(None);
        }
        // SAFETY: the name is checked, and the caller promises what has it.
        let exchange = unsafe {
            ffi::PyCapsule_GetPointer(table.as_ptr(), c"dlpack_exchange_api".as_ptr())
                .cast::<Exchange>()
                .as_ref()
        };
        let Some(exchange) = exchange else {
            return Err(PyErr::fetch(table.py()));
        };
        let borrow = exchange.borrow.filter(|_| exchange.version[0] == 1);
        // SAFETY: the caller promises what is at the addresses.
        let maker = maker.map(|(functions, code)| (unsafe { Maker::new(functions) }, code));
        // SAFETY: as above.
        let state = state.map(|functions| unsafe { State::new(functions) });
        Ok(borrow.map(|borrow| Self {
            types,
            borrow,
            state,
            followers,
            forward,
            gradients,
            empty_like,
            maker,
        }))
    }
}

impl Tensors {
    /// Whether nothing follows calls on this thread but, it may be, gradients.
    fn quiet(&self, py: Python<'_>) -> PyResult<bool> {
        if self.state.as_ref().is_some_and(|state| !state.is_quiet()) {
            return Ok(false);
        }
        for follower in &self.followers {
            if follower.bind(py).call0()?.is_truthy()? {
                return Ok(false);
            }
        }
        let level = self
            .forward
            .bind(py)
            .getattr(pyo3::intern!(py, "_current_level"))?;
        Ok(level.extract::<i64>()? < 0)
    }

    /// Whether gradients are kept on this thread.
    fn keeps_gradients(&self, py: Python<'_>) -> PyResult<bool> {
        match &self.state {
            Some(state) => Ok(state.keeps_gradients()),
            None => self.gradients.bind(py).call0()?.is_truthy(),
        }
    }

    /// The memory of a plain tensor whose gradient nobody wants.
    fn plain(&self, one: &Bound<'_, PyAny>, gradients: bool) -> PyResult<Option<Memory>> {
        let py = one.py();
        let ty = one.get_type();
        if !ty.is(&self.types.0) && !ty.is(&self.types.1) {
            return Ok(None);
        }
        if gradients
            && one
                .getattr(pyo3::intern!(py, "requires_grad"))?
                .is_truthy()?
        {
            return Ok(None);
        }
        // Its memory has the numbers with the other sign.
        if one.call_method0(pyo3::intern!(py, "is_neg"))?.is_truthy()? {
            return Ok(None);
        }
        Ok(self.memory(one))
    }

    /// A new tensor like one with this memory, in a format.
    fn empty_like<'py>(
        &self,
        one: &Bound<'py, PyAny>,
        memory: &Memory,
        format: &Format,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = one.py();
        if let (Some((maker, cpu)), Some(code), [ON_CPU, _]) =
            (&self.maker, format.code, memory.device)
        {
            // SAFETY: DLPack's memory says how many there are.
            let made = unsafe {
                let (shape, strides) = (memory.shape, memory.strides);
                maker.empty(py, memory.dimensions, shape, strides, [code, *cpu])?
            };
            if let Some(made) = made {
                return Ok(made);
            }
        }
        let keywords = format.keywords.as_ref().map(|keywords| keywords.bind(py));
        self.empty_like.bind(py).call((one,), keywords)
    }

    /// The memory of a tensor; none where it has none.
    fn memory(&self, one: &Bound<'_, PyAny>) -> Option<Memory> {
        let mut memory = MaybeUninit::uninit();
        // SAFETY: the table is of this object's type; it writes all of it unless it fails.
        let memory = unsafe {
            if (self.borrow)(one.as_ptr().cast(), memory.as_mut_ptr()) != 0 {
                // What it raised, a slower call raises again.
                ffi::PyErr_Clear();
                return None;
            }
            memory.assume_init()
        };
        (!memory.data.is_null()).then_some(memory)
    }
}

/// What decides a call's row and its arguments.
struct Key {
    dtypes: Vec<Py<PyAny>>,
    /// DLPack's format of each operand, where only one of PyTorch's dtypes has it. Dtypes are
    /// compared for the others only.
    formats: [Option<u32>; 3],
    arguments: [Py<PyAny>; 4],
    /// By their names.
    parameters: Vec<(Py<PyAny>, Py<PyAny>)>,
    /// What stands after the operands.
    last: Option<Py<PyAny>>,
}

/// A call's arguments.
struct Given<'a, 'py> {
    operands: &'a Bound<'py, PyTuple>,
    formats: [Option<u32>; 3],
    arguments: [&'a Bound<'py, PyAny>; 4],
    parameters: &'a Bound<'py, PyDict>,
    last: Option<Bound<'py, PyAny>>,
}

impl Key {
    /// Objects are compared by identity: an equal one may be unknown, but no other one is taken for
    /// it. No code of Python's runs but PyTorch's.
    fn may_be(&self, given: &Given<'_, '_>) -> PyResult<bool> {
        let last = match (&self.last, &given.last) {
            (None, None) => true,
            (Some(one), Some(given)) => one.is(given),
            _ => false,
        };
        let mut arguments = self.arguments.iter().zip(given.arguments);
        if !last
            || self.parameters.len() != given.parameters.len()
            || !arguments.all(|(one, given)| one.is(given))
        {
            return Ok(false);
        }
        if self.formats != given.formats {
            return Ok(false);
        }
        let others = self.dtypes.iter().zip(given.operands).zip(self.formats);
        for ((dtype, operand), _) in others.filter(|(_, format)| format.is_none()) {
            if !dtype.is(&operand.getattr(pyo3::intern!(operand.py(), "dtype"))?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the parameters are the same. Their names may be of a class of its own.
    fn has(&self, parameters: &Bound<'_, PyDict>) -> bool {
        self.parameters.iter().all(|(name, one)| {
            let value = parameters.get_item(name).ok().flatten();
            value.is_some_and(|value| one.is(&value))
        })
    }
}

/// A result's format.
#[derive(FromPyObject)]
struct Format {
    /// As `empty_like` takes it; none for that of the first operand.
    #[pyo3(item(0))]
    keywords: Option<Py<PyDict>>,
    /// Its code, where there is one.
    #[pyo3(item(1))]
    code: Option<i32>,
}

/// An earlier call.
struct Known {
    key: Key,
    call: Py<Prepared>,
    /// How it runs on a GPU.
    plan: Py<PyAny>,
    results: Vec<Format>,
}

/// The earlier calls of an operation.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct CallCache {
    tensors: Py<Tensors>,
    operands: usize,
    known: Mutex<VecDeque<Arc<Known>>>,
}

#[pymethods]
impl CallCache {
    /// Of an operation on so many tensors.
    #[new]
    fn new(tensors: Py<Tensors>, operands: usize) -> Self {
        let known = Mutex::default();
        Self {
            tensors,
            operands,
            known,
        }
    }

    /// The result of a call like an earlier one; None, and nothing is done, for other calls. `mode`
    /// is what `bitexact_kernels.mode` has set.
    #[pyo3(signature = (operands, dtype, rounding, overflow, mode, parameters))]
    fn call<'py>(
        &self,
        operands: &Bound<'py, PyTuple>,
        dtype: &Bound<'py, PyAny>,
        rounding: &Bound<'py, PyAny>,
        overflow: &Bound<'py, PyAny>,
        mode: &Bound<'py, PyAny>,
        parameters: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = operands.py();
        let tensors = self.tensors.get();
        // First, as a tensor may have no memory where modes and transforms are.
        if !tensors.quiet(py)? {
            return Ok(None);
        }
        let Some((memories, count)) = self.memories(operands)? else {
            return Ok(None);
        };
        let given = self.given(
            operands,
            &memories,
            [dtype, rounding, overflow, mode],
            parameters,
        );
        let Some(known) = self.known(&given)? else {
            return Ok(None);
        };
        let mut addresses = [0; MOST];
        for (address, memory) in addresses.iter_mut().zip(memories.iter().flatten()) {
            *address = memory.address();
        }
        let (first, Some(like)) = (operands.get_item(0)?, memories[0]) else {
            return Ok(None);
        };
        let mut made = Vec::with_capacity(known.results.len());
        for (at, format) in known.results.iter().enumerate() {
            let one = tensors.empty_like(&first, &like, format)?;
            let Some(memory) = tensors.memory(&one) else {
                return Ok(None);
            };
            addresses[self.operands + at] = memory.address();
            made.push(one);
        }
        let addresses = &addresses[..self.operands + made.len()];
        let [kind, device] = like.device;
        if kind == ON_CUDA {
            let plan = known.plan.bind(py);
            let route = plan.getattr(pyo3::intern!(py, "route"))?;
            if route.is_none() {
                return Ok(None);
            }
            let addresses = PyTuple::new(py, addresses)?;
            plan.call_method1(
                pyo3::intern!(py, "launch"),
                (route, device, count, addresses),
            )?;
        } else if !known.call.get().at(py, count, addresses)? {
            return Ok(None);
        }
        Ok(match made.len() {
            1 => made.pop(),
            _ => Some(PyTuple::new(py, made)?.into_any()),
        })
    }

    /// Remembers a call. `results` are, for each, the keywords of `empty_like`, or None for the
    /// first operand's format, and the format's code for a [`Maker`], if there is one.
    #[expect(clippy::too_many_arguments, reason = "a call's, and what it needs")]
    fn keep(
        &self,
        operands: &Bound<'_, PyTuple>,
        dtype: &Bound<'_, PyAny>,
        rounding: &Bound<'_, PyAny>,
        overflow: &Bound<'_, PyAny>,
        mode: &Bound<'_, PyAny>,
        parameters: &Bound<'_, PyDict>,
        call: Py<Prepared>,
        plan: Py<PyAny>,
        results: Vec<Format>,
    ) -> PyResult<()> {
        let Some((memories, _)) = self.memories(operands)? else {
            return Ok(());
        };
        let given = self.given(
            operands,
            &memories,
            [dtype, rounding, overflow, mode],
            parameters,
        );
        let exact = parameters
            .keys()
            .iter()
            .all(|name| name.is_exact_instance_of::<PyString>());
        if !exact || self.known(&given)?.is_some() || results.len() + self.operands > MOST {
            return Ok(());
        }
        let dtype = |one: Bound<'_, PyAny>| one.getattr("dtype").map(Bound::unbind);
        let key = Key {
            dtypes: operands
                .iter()
                .take(self.operands)
                .map(dtype)
                .collect::<PyResult<_>>()?,
            formats: given.formats,
            arguments: given.arguments.map(|one| one.clone().unbind()),
            parameters: parameters
                .iter()
                .map(|(name, value)| (name.unbind(), value.unbind()))
                .collect(),
            last: given.last.map(Bound::unbind),
        };
        let known = Arc::new(Known {
            key,
            call,
            plan,
            results,
        });
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_front(known);
        // It is dropped after the lock: it may run code of Python's.
        let _oldest = (all.len() > KEPT).then(|| all.pop_back());
        drop(all);
        Ok(())
    }
}

impl CallCache {
    /// The memory of each operand, and how many elements, where all are plain tensors of one shape
    /// on one device, each of which lies in memory without gaps.
    fn memories(
        &self,
        operands: &Bound<'_, PyTuple>,
    ) -> PyResult<Option<([Option<Memory>; 3], usize)>> {
        let tensors = self.tensors.get();
        let gradients = tensors.keeps_gradients(operands.py())?;
        let mut memories = [None; 3];
        if operands.len() < self.operands {
            return Ok(None);
        }
        let mut all = None;
        for (at, memory) in memories.iter_mut().enumerate().take(self.operands) {
            let Some(one) = tensors.plain(&operands.get_item(at)?, gradients)? else {
                return Ok(None);
            };
            let Some(count) = one.contiguous() else {
                return Ok(None);
            };
            let (first, _) = *all.get_or_insert((one, count));
            if one.shape() != first.shape()
                || one.device != first.device
                || ![ON_CPU, ON_CUDA].contains(&one.device[0])
            {
                return Ok(None);
            }
            *memory = Some(one);
        }
        Ok(all.map(|(_, count)| (memories, count)))
    }

    fn given<'a, 'py>(
        &self,
        operands: &'a Bound<'py, PyTuple>,
        memories: &[Option<Memory>; 3],
        arguments: [&'a Bound<'py, PyAny>; 4],
        parameters: &'a Bound<'py, PyDict>,
    ) -> Given<'a, 'py> {
        // More than one, and no call is known.
        let last = match operands.len() - self.operands {
            0 => None,
            1 => operands.get_item(self.operands).ok(),
            _ => Some(operands.clone().into_any()),
        };
        Given {
            operands,
            formats: memories.map(|memory| memory.and_then(|memory| memory.own_format())),
            arguments,
            parameters,
            last,
        }
    }

    fn known(&self, given: &Given<'_, '_>) -> PyResult<Option<Arc<Known>>> {
        let all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        for known in all.iter() {
            if known.key.may_be(given)? {
                if known.key.parameters.is_empty() {
                    return Ok(Some(known.clone()));
                }
                found.push(known.clone());
            }
        }
        // Comparing names may run any code, calls of this operation among it.
        drop(all);
        Ok(found
            .into_iter()
            .find(|known| known.key.has(given.parameters)))
    }
}
