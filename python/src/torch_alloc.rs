//! New tensors by PyTorch's C interface (`torch/csrc/inductor/aoti_torch/c/shim.h`) and the
//! function that gives a tensor its object, in about half of the time that `torch.empty_like`
//! takes. They keep the GIL, which a tensor of a processor's memory does not need to let go.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_void;
use std::ptr::null_mut;

/// A tensor of the C interface: PyTorch's `at::Tensor`, by its address.
type Handle = *mut c_void;

/// `aoti_torch_empty_strided`: dimensions, lengths, strides, the codes of a format and of a kind of
/// device, and the device's number. Not 0 if it fails.
type Make = unsafe extern "C" fn(i64, *const i64, *const i64, i32, i32, i32, *mut Handle) -> i32;
/// `aoti_torch_delete_tensor_object`.
type Delete = unsafe extern "C" fn(Handle) -> i32;
/// `THPVariable_Wrap(const at::TensorBase&)`: the object of a tensor; null with an exception.
type Wrap = unsafe extern "C" fn(Handle) -> *mut ffi::PyObject;

/// The number of a device of which there is one.
const ANY: i32 = -1;

/// The interface's functions, in libraries that stay loaded.
pub struct Maker {
    make: Make,
    delete: Delete,
    wrap: Wrap,
}

impl Maker {
    /// By their addresses.
    ///
    /// # Safety
    ///
    /// They are those functions'.
    pub unsafe fn new([make, delete, wrap]: [usize; 3]) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Self {
                make: std::mem::transmute::<usize, Make>(make),
                delete: std::mem::transmute::<usize, Delete>(delete),
                wrap: std::mem::transmute::<usize, Wrap>(wrap),
            }
        }
    }

    /// A tensor in a processor's memory whose elements are any; none where PyTorch cannot make it,
    /// and then `empty_like` says why. `codes` are those of a format and of a processor's memory.
    ///
    /// # Safety
    ///
    /// So many lengths and strides are at the addresses.
    pub unsafe fn empty<'py>(
        &self,
        py: Python<'py>,
        dimensions: i32,
        shape: *const i64,
        strides: *const i64,
        codes: [i32; 2],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut handle = null_mut();
        // SAFETY: the caller's promise; the handle is deleted once, and the object has its own reference to the tensor.
        let made = unsafe {
            let failed = (self.make)(
                dimensions.into(),
                shape,
                strides,
                codes[0],
                codes[1],
                ANY,
                &raw mut handle,
            );
            if failed != 0 {
                return Ok(None);
            }
            let object = (self.wrap)(handle);
            (self.delete)(handle);
            Bound::from_owned_ptr_or_err(py, object)?
        };
        Ok(Some(made))
    }
}
