//! Errors.

use bitexact::nn::NnError;
use bitexact::reduce::ReduceError;
use bitexact::scale::BlockError;
use bitexact::tensor::TensorError;
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use std::fmt;

/// Why an operation on the GPU failed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The driver's library (`libcuda.so.1`, `nvcuda.dll`) cannot be loaded.
    NoDriver,
    /// The driver finds no device, or none of this number.
    NoDevice {
        /// The requested number.
        ordinal: usize,
        /// The number of devices.
        found: usize,
    },
    /// The driver's CUDA version is too old.
    DriverTooOld {
        /// The CUDA version of the driver, as in 12.4.
        driver: String,
        /// What needs a later one, and which.
        needs: String,
    },
    /// The module was compiled for another architecture than the device's.
    WrongArchitecture {
        /// The module's file.
        module: String,
        /// Its `.target`.
        target: String,
        /// The device's name and architecture.
        device: String,
    },
    /// The module's file cannot be read.
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        why: String,
    },
    /// The driver rejects the module.
    BadModule {
        /// The module's file.
        module: String,
        /// The driver's message.
        why: String,
    },
    /// The catalog has no such row.
    UnknownRow(String),
    /// The module has no such entry: it was made from another catalog.
    NoEntry {
        /// The module's file.
        module: String,
        /// The entry.
        entry: String,
    },
    /// A row was given arguments of another kind.
    WrongArguments {
        /// The row.
        row: &'static str,
        /// What it takes.
        takes: String,
    },
    /// The number of operands or results, the type of one, or its length is wrong.
    Mismatch {
        /// The row, or another operation.
        what: String,
        /// Which one, what was expected, and what was found.
        why: String,
    },
    /// A tensor's layout, shape or slice is wrong.
    Tensor(TensorError),
    /// A reduction failed.
    Reduce(ReduceError),
    /// Blocks could not be made or read.
    Block(BlockError),
    /// A layer could not be computed.
    Layer(NnError),
    /// A graph is being recorded, and cannot hold this.
    Recording {
        /// What was asked for, as in "memory is allocated".
        what: &'static str,
    },
    /// The device has too little memory.
    OutOfMemory {
        /// The requested size.
        bytes: usize,
    },
    /// Any other error of the driver.
    Driver {
        /// What was being done.
        doing: &'static str,
        /// The driver's name for the error.
        name: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDriver => f.write_str(
                "no NVIDIA driver: its library (libcuda.so.1, nvcuda.dll) cannot be loaded",
            ),
            Self::NoDevice { found: 0, .. } => f.write_str("the driver finds no CUDA device"),
            Self::NoDevice { ordinal, found } => {
                write!(
                    f,
                    "there is no CUDA device {ordinal}: {found} found, from 0 on"
                )
            }
            Self::DriverTooOld { driver, needs } => write!(
                f,
                "the NVIDIA driver is too old: it knows CUDA {driver}, {needs}"
            ),
            Self::WrongArchitecture {
                module,
                target,
                device,
            } => write!(
                f,
                "{module} is for {target} and later, the device is {device}"
            ),
            Self::Unreadable { file, why } => write!(f, "cannot read {file}: {why}"),
            Self::BadModule { module, why } => write!(f, "{module} cannot be loaded: {why}"),
            Self::UnknownRow(name) => write!(f, "the catalog has no row `{name}`"),
            Self::NoEntry { module, entry } => write!(
                f,
                "{module} has no entry `{entry}`: it was made from another catalog"
            ),
            Self::WrongArguments { row, takes } => {
                write!(f, "{row} takes {takes} besides its operands")
            }
            Self::Mismatch { what, why } => write!(f, "{what}: {why}"),
            Self::Tensor(error) => error.fmt(f),
            Self::Reduce(error) => error.fmt(f),
            Self::Block(error) => error.fmt(f),
            Self::Layer(error) => error.fmt(f),
            Self::Recording { what } => write!(f, "{what} while a graph is recorded"),
            Self::OutOfMemory { bytes } => {
                write!(f, "the device has too little memory for {bytes} bytes")
            }
            Self::Driver { doing, name } => write!(f, "{doing}: the driver says {name}"),
        }
    }
}

impl std::error::Error for Error {}

/// The driver's name for an error.
pub fn name(error: DriverError) -> String {
    let text = |text: Result<&std::ffi::CStr, DriverError>| {
        text.map_or_else(|_| "?".into(), |text| text.to_string_lossy().into_owned())
    };
    format!(
        "{} ({})",
        text(error.error_name()),
        text(error.error_string())
    )
}

/// An error of the driver, in general.
pub fn driver(doing: &'static str) -> impl Fn(DriverError) -> Error {
    move |error| Error::Driver {
        doing,
        name: name(error),
    }
}

/// An error of an allocation.
pub fn allocation(bytes: usize) -> impl Fn(DriverError) -> Error {
    move |error| match error.0 {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { bytes },
        _ => driver("allocating memory on the device")(error),
    }
}
