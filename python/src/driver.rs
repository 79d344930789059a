//! The NVIDIA driver, loaded when it is first needed: modules and launches in a device's primary
//! context, which is PyTorch's.

use libloading::Library;
use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

create_exception!(
    bitexact_kernels._core,
    CudaError,
    PyRuntimeError,
    "An error of the driver, or no code for a device."
);

type Handle = *mut c_void;

/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
const MAX_SHARED: c_int = 8;
/// What every launch may have of shared memory without asking.
const SHARED: c_int = 48 << 10;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`.
const RELAXED: c_int = 2;
/// The most parameters of an entry.
const WORDS: usize = 32;

/// `cuFuncGetParamInfo`, which drivers have from CUDA 12.4 on.
type Parameter = unsafe extern "C" fn(Handle, usize, *mut usize, *mut usize) -> c_int;

/// The functions that are used, by the names of the driver's interface.
macro_rules! functions {
    ($($field:ident $name:literal ($($ty:ty),*);)*) => {
        struct Driver {
            $($field: unsafe extern "C" fn($($ty),*) -> c_int,)*
            parameter: Option<Parameter>,
        }

        impl Driver {
            /// # Safety
            ///
            /// The library is the driver's, and stays loaded.
            unsafe fn of(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those of the driver's interface.
                unsafe {
                    Ok(Self {
                        $($field: *library.get($name)?,)*
                        parameter: library.get("cuFuncGetParamInfo").ok().map(|found| *found),
                    })
                }
            }
        }
    };
}
functions! {
    init "cuInit" (c_uint);
    device "cuDeviceGet" (*mut c_int, c_int);
    retain "cuDevicePrimaryCtxRetain" (*mut Handle, c_int);
    current "cuCtxGetCurrent" (*mut Handle);
    make_current "cuCtxSetCurrent" (Handle);
    load "cuModuleLoadData" (*mut Handle, *const c_void);
    capture "cuThreadExchangeStreamCaptureMode" (*mut c_int);
    function "cuModuleGetFunction" (*mut Handle, Handle, *const c_char);
    attribute "cuFuncSetAttribute" (Handle, c_int, c_int);
    launch "cuLaunchKernel"
        (Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *const *const c_void, *mut Handle);
    error_name "cuGetErrorName" (c_int, *mut *const c_char);
}

fn driver() -> PyResult<&'static Driver> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    let name = match cfg!(windows) {
        true => "nvcuda.dll",
        false => "libcuda.so.1",
    };
    let loaded = DRIVER.get_or_init(|| {
        // SAFETY: loading the driver only starts it; it is never unloaded.
        let driver = unsafe {
            let library = Library::new(name).map_err(|error| error.to_string())?;
            let driver = Driver::of(&library).map_err(|error| error.to_string())?;
            std::mem::forget(library);
            driver
        };
        // SAFETY: as the driver's interface has it.
        match unsafe { (driver.init)(0) } {
            0 => Ok(driver),
            code => Err(format!("{name}: error {code}")),
        }
    });
    let no_driver = |why: &String| CudaError::new_err(format!("there is no NVIDIA driver: {why}"));
    loaded.as_ref().map_err(no_driver)
}

impl Driver {
    fn checked(&self, code: c_int, what: &str) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        let mut name = null();
        // SAFETY: the driver writes the address of a text of its own.
        let known = unsafe { (self.error_name)(code, &mut name) == 0 && !name.is_null() };
        let name = match known {
            // SAFETY: a text that ends in a NUL and stays.
            true => unsafe { CStr::from_ptr(name) }
                .to_string_lossy()
                .into_owned(),
            false => code.to_string(),
        };
        Err(CudaError::new_err(format!("{what}: {name}")))
    }

    /// Calls the driver with this context current.
    fn within(&self, context: Handle, what: &str, call: impl FnOnce() -> c_int) -> PyResult<()> {
        let mut before = null_mut();
        // SAFETY: the context is retained.
        unsafe {
            self.checked((self.current)(&mut before), what)?;
            if before == context {
                return self.checked(call(), what);
            }
            self.checked((self.make_current)(context), what)?;
            let done = self.checked(call(), what);
            self.checked((self.make_current)(before), what)?;
            done
        }
    }
}

/// A handle of the driver's, which any thread may use.
#[derive(Clone, Copy)]
struct Shared(Handle);
// SAFETY: the driver's functions may be called from any thread.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// Code loaded on a device. It stays loaded: kernels of it may be queued.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct Module {
    context: Shared,
    module: Shared,
}

#[pymethods]
impl Module {
    /// Loads a cubin, or PTX that ends in a NUL, in the primary context of the device of this
    /// number.
    #[new]
    fn new(py: Python<'_>, device: c_int, image: &[u8]) -> PyResult<Self> {
        let driver = driver()?;
        if image.last() != Some(&0) && !image.starts_with(b"\x7FELF") {
            return Err(CudaError::new_err(
                "the code is neither a cubin nor PTX that ends in a NUL",
            ));
        }
        let (mut number, mut context) = (0, null_mut());
        // SAFETY: the driver writes to both.
        unsafe {
            driver.checked((driver.device)(&mut number, device), "the device")?;
            driver.checked(
                (driver.retain)(&mut context, number),
                "the device's context",
            )?;
        }
        let context = Shared(context);
        let mut module = Shared(null_mut());
        let to = &mut module;
        py.detach(move || {
            let Shared(context) = { context };
            driver.within(context, "loading the code for this GPU", || {
                let mut mode = RELAXED;
                // SAFETY: the image is whole, as far as its format says. Loading is no part of a graph that this
                // thread captures, and waits for none of its streams.
                unsafe {
                    match (driver.capture)(&mut mode) {
                        0 => {}
                        code => return code,
                    }
                    let code = (driver.load)(&mut to.0, image.as_ptr().cast());
                    match (driver.capture)(&mut mode) {
                        0 => code,
                        other => other,
                    }
                }
            })
        })?;
        Ok(Self { context, module })
    }

    /// An entry by its name, with so many bytes of shared memory at most.
    fn entry(&self, name: &str, shared: c_int) -> PyResult<Entry> {
        let driver = driver()?;
        let text = CString::new(name)?;
        let mut function = null_mut();
        let what = format!("the entry {name}");
        driver.within(self.context.0, &what, || {
            // SAFETY: the module is loaded, the name ends in a NUL, and the function is the module's.
            unsafe {
                match (driver.function)(&mut function, self.module.0, text.as_ptr()) {
                    0 if shared > SHARED => (driver.attribute)(function, MAX_SHARED, shared),
                    code => code,
                }
            }
        })?;
        let takes = driver.parameter.map(|parameter| {
            let is = |at: &usize| {
                let (mut offset, mut size) = (0, 0);
                // SAFETY: the function is loaded; the driver writes two numbers.
                unsafe { parameter(function, *at, &mut offset, &mut size) == 0 }
            };
            (0..WORDS).take_while(is).count()
        });
        Ok(Entry {
            name: name.into(),
            context: self.context,
            function: Shared(function),
            takes,
        })
    }
}

/// An entry of a module.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct Entry {
    name: String,
    context: Shared,
    function: Shared,
    /// How many parameters there are, where the driver says so.
    takes: Option<usize>,
}

#[pymethods]
impl Entry {
    /// Puts it on a stream, by its handle, and waits for nothing. A narrower parameter is the low
    /// bytes of its word.
    ///
    /// The words must be what the entry takes; their number is checked where the driver knows it.
    #[pyo3(signature = (stream, blocks, threads, shared, words))]
    fn launch(
        &self,
        stream: usize,
        blocks: c_uint,
        threads: c_uint,
        shared: c_uint,
        words: &Bound<'_, PyTuple>,
    ) -> PyResult<()> {
        let driver = driver()?;
        let mut values = [0u64; WORDS];
        let mut addresses = [null::<c_void>(); WORDS];
        let count = words.len();
        if count > WORDS || self.takes.is_some_and(|takes| takes != count) {
            let takes = self.takes.unwrap_or(WORDS);
            return Err(CudaError::new_err(format!(
                "{}: {count} parameters are given for {takes}",
                self.name
            )));
        }
        for (at, (value, address)) in values
            .iter_mut()
            .zip(&mut addresses)
            .enumerate()
            .take(count)
        {
            *value = words.get_borrowed_item(at)?.extract()?;
            *address = (value as *const u64).cast();
        }
        driver.within(self.context.0, &self.name, || {
            // SAFETY: the function is of this context; there is a pointer to each word; the rest is the
            // caller's promise.
            unsafe {
                let (function, stream) = (self.function.0, stream as Handle);
                (driver.launch)(
                    function,
                    blocks,
                    1,
                    1,
                    threads,
                    1,
                    1,
                    shared,
                    stream,
                    addresses.as_ptr(),
                    null_mut(),
                )
            }
        })
    }
}
