//! A device, its memory and its clock.

use super::buffer::{Buffer, View, ViewMut};
use super::error::{Error, allocation, driver};
use super::types::{Element, Type};
use cudarc::driver::sys::{self, CUdevice_attribute, CUevent_flags, CUresult};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The CUDA version whose driver interface this crate is built for.
const NEEDS: (i32, i32) = (12, 0);

/// One CUDA device.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    name: String,
    architecture: (i32, i32),
    processors: u32,
    shared_memory: usize,
    driver: (i32, i32),
    pub(super) recording: Arc<Recording>,
}

/// Whether a [`Graph`](super::Graph) is being recorded, and whether one ever was.
#[derive(Debug, Default)]
pub(super) struct Recording {
    pub(super) now: AtomicBool,
    pub(super) ever: AtomicBool,
}

impl Gpu {
    /// The device of this number, from 0 on, with a stream of its own.
    ///
    /// # Errors
    ///
    /// [`Error::NoDriver`], [`Error::DriverTooOld`], [`Error::NoDevice`], or another error of the
    /// driver.
    pub fn open(ordinal: usize) -> Result<Self, Error> {
        let (driver_version, found) = start_driver(ordinal)?;
        if ordinal >= found {
            return Err(Error::NoDevice { ordinal, found });
        }
        let context = CudaContext::new(ordinal).map_err(driver("opening the device"))?;
        let asking = driver("asking the device what it is");
        let processors = context
            .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
            .map_err(&asking)?;
        let shared_memory = context
            .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
            .map_err(&asking)?;
        // SAFETY: events order the uses of memory by several streams; here one stream uses it all.
        unsafe { context.disable_event_tracking() };
        // What the default stream is given cannot be recorded.
        let stream = context
            .new_stream()
            .map_err(driver("opening a stream on the device"))?;
        Ok(Self {
            stream,
            name: context.name().map_err(&asking)?,
            architecture: context.compute_capability().map_err(&asking)?,
            processors: u32::try_from(processors).unwrap_or(1).max(1),
            shared_memory: usize::try_from(shared_memory).unwrap_or(0),
            driver: driver_version,
            context,
            recording: Arc::default(),
        })
    }

    /// Refuses what a graph cannot hold.
    pub(super) fn not_recording(&self, what: &'static str) -> Result<(), Error> {
        if self.recording.now.load(Ordering::Relaxed) {
            return Err(Error::Recording { what });
        }
        Ok(())
    }

    /// The number of devices, at least one.
    ///
    /// # Errors
    ///
    /// As [`Gpu::open`].
    pub fn count() -> Result<usize, Error> {
        match start_driver(0)? {
            (_, 0) => Err(Error::NoDevice {
                ordinal: 0,
                found: 0,
            }),
            (_, found) => Ok(found),
        }
    }

    /// The device's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its architecture as in `sm_90`.
    #[must_use]
    pub fn architecture(&self) -> u32 {
        u32::try_from(self.architecture.0 * 10 + self.architecture.1).unwrap_or(0)
    }

    /// Its multiprocessors.
    #[must_use]
    pub const fn processors(&self) -> u32 {
        self.processors
    }

    /// Bytes of shared memory that a block may have.
    #[must_use]
    pub const fn shared_memory(&self) -> usize {
        self.shared_memory
    }

    /// The CUDA version of its driver.
    #[must_use]
    pub fn driver(&self) -> String {
        version(self.driver)
    }

    /// A copy of these elements on the device.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or another error of the driver.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<Buffer, Error> {
        let mut bytes = Vec::with_capacity(size_of_val(elements));
        for element in elements {
            bytes.extend_from_slice(&element.bits().to_le_bytes()[..T::TYPE.bytes()]);
        }
        self.upload_bytes(T::TYPE, bytes, elements.len())
    }

    /// The elements with these bits, of which the low bits of the type's width are used.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or another error of the driver.
    pub fn upload_bits(&self, ty: Type, bits: &[u64]) -> Result<Buffer, Error> {
        let mut bytes = Vec::with_capacity(bits.len() * ty.bytes());
        for bits in bits {
            bytes.extend_from_slice(&bits.to_le_bytes()[..ty.bytes()]);
        }
        self.upload_bytes(ty, bytes, bits.len())
    }

    /// `len` elements with these bits, repeated.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or another error of the driver.
    pub fn upload_repeated(&self, ty: Type, bits: &[u64], len: usize) -> Result<Buffer, Error> {
        let mut tile = Vec::with_capacity(bits.len() * ty.bytes());
        for bits in bits {
            tile.extend_from_slice(&bits.to_le_bytes()[..ty.bytes()]);
        }
        let mut bytes = tile.repeat(len.div_ceil(bits.len().max(1)));
        bytes.resize(len.saturating_mul(ty.bytes()), 0);
        self.upload_bytes(ty, bytes, len)
    }

    fn upload_bytes(&self, ty: Type, mut bytes: Vec<u8>, len: usize) -> Result<Buffer, Error> {
        self.not_recording("memory is allocated")?;
        if bytes.is_empty() {
            bytes.push(0);
        }
        let data = self
            .stream
            .clone_htod(&bytes)
            .map_err(allocation(bytes.len()))?;
        Ok(Buffer { data, ty, len })
    }

    /// A buffer of zeros.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or another error of the driver.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer, Error> {
        self.zeros_of(T::TYPE, len)
    }

    /// A buffer of zeros, of a type known at run time.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or another error of the driver.
    pub fn zeros_of(&self, ty: Type, len: usize) -> Result<Buffer, Error> {
        self.not_recording("memory is allocated")?;
        let bytes = len.saturating_mul(ty.bytes()).max(1);
        if isize::try_from(bytes).is_err() {
            return Err(Error::OutOfMemory { bytes });
        }
        let data = self
            .stream
            .alloc_zeros::<u8>(bytes)
            .map_err(allocation(bytes))?;
        Ok(Buffer { data, ty, len })
    }

    /// The elements, after all earlier requests are done.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if the elements are of another type, or the driver's error.
    pub fn download<T: Element>(&self, view: &View) -> Result<Vec<T>, Error> {
        if view.ty != T::TYPE {
            return Err(Error::Mismatch {
                what: "download".into(),
                why: format!("{} asked for, {} held", T::TYPE.name(), view.ty.name()),
            });
        }
        let bits = self.download_bits(view)?;
        Ok(bits.into_iter().map(T::of).collect())
    }

    /// The elements' bits.
    ///
    /// # Errors
    ///
    /// The driver's error.
    pub fn download_bits(&self, view: &View) -> Result<Vec<u64>, Error> {
        let size = view.ty.bytes();
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        let bytes = self.download_bytes(view)?;
        Ok(bytes.chunks_exact(size).map(word).collect())
    }

    fn download_bytes(&self, view: &View) -> Result<Vec<u8>, Error> {
        if view.is_empty() {
            return Ok(Vec::new());
        }
        self.not_recording("results are downloaded")?;
        let copying = driver("copying from the device");
        let bytes = self.stream.clone_dtoh(&view.bytes()).map_err(&copying)?;
        self.stream.synchronize().map_err(&copying)?;
        Ok(bytes)
    }

    /// Copies elements on the device.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if types or lengths differ, or the driver's error.
    pub fn copy(&self, from: &View, to: &mut ViewMut) -> Result<(), Error> {
        if (from.ty, from.len) != (to.ty, to.len) {
            return Err(Error::Mismatch {
                what: "copy".into(),
                why: "two slices of one type and length are needed".into(),
            });
        }
        if from.is_empty() {
            return Ok(());
        }
        self.stream
            .memcpy_dtod(&from.bytes(), &mut to.bytes())
            .map_err(driver("copying on the device"))
    }

    /// Fills a part of a buffer with zeros.
    ///
    /// # Errors
    ///
    /// The driver's error.
    pub fn clear(&self, view: &mut ViewMut) -> Result<(), Error> {
        if view.is_empty() {
            return Ok(());
        }
        self.stream
            .memset_zeros(&mut view.bytes())
            .map_err(driver("clearing memory on the device"))
    }

    /// Waits until all requests are done.
    ///
    /// # Errors
    ///
    /// The error of a request.
    pub fn wait(&self) -> Result<(), Error> {
        self.not_recording("results are waited for")?;
        self.stream
            .synchronize()
            .map_err(driver("running kernels on the device"))
    }

    /// Starts a clock on the device.
    ///
    /// # Errors
    ///
    /// The driver's error.
    pub fn timer(&self) -> Result<Timer, Error> {
        self.not_recording("time is measured")?;
        let start = self.event()?;
        Ok(Timer {
            gpu: self.clone(),
            start,
        })
    }

    fn event(&self) -> Result<CudaEvent, Error> {
        self.stream
            .record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))
            .map_err(driver("reading the device's clock"))
    }
}

/// A clock on the device.
#[derive(Debug)]
pub struct Timer {
    gpu: Gpu,
    start: CudaEvent,
}

impl Timer {
    /// Seconds since it was started, after all requests in between are done.
    ///
    /// # Errors
    ///
    /// The driver's error.
    pub fn seconds(&self) -> Result<f64, Error> {
        self.gpu.not_recording("time is measured")?;
        let end = self.gpu.event()?;
        let milliseconds = self
            .start
            .elapsed_ms(&end)
            .map_err(driver("reading the device's clock"))?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

/// The driver's version and the number of devices; an error refers to the device of this number.
fn start_driver(ordinal: usize) -> Result<((i32, i32), usize), Error> {
    // SAFETY: it loads the driver's library, if there is one, and does nothing else.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    let driver_version = driver_version()?;
    if driver_version < NEEDS {
        return Err(Error::DriverTooOld {
            driver: version(driver_version),
            needs: format!("and {} is needed", version(NEEDS)),
        });
    }
    result::init().map_err(|error| match error.0 {
        CUresult::CUDA_ERROR_NO_DEVICE => Error::NoDevice { ordinal, found: 0 },
        CUresult::CUDA_ERROR_STUB_LIBRARY => Error::NoDriver,
        _ => driver("starting the driver")(error),
    })?;
    let found = CudaContext::device_count().map_err(driver("counting devices"))?;
    Ok((driver_version, usize::try_from(found).unwrap_or(0)))
}

fn driver_version() -> Result<(i32, i32), Error> {
    let mut number = 0;
    // SAFETY: the library is there, and writes an int.
    let code = unsafe { sys::cuDriverGetVersion(&mut number) };
    code.result()
        .map_err(driver("asking the driver for its version"))?;
    Ok((number / 1000, number % 1000 / 10))
}

fn version((major, minor): (i32, i32)) -> String {
    format!("{major}.{minor}")
}
