//! What needs no device.

use cuda_shim::{Error, Gpu};

#[test]
fn a_device_that_is_not_there_is_an_error() {
    let error = Gpu::open(1 << 20).unwrap_err();
    eprintln!("{error}");
    assert!(matches!(
        error,
        Error::NoDriver
            | Error::DriverTooOld { .. }
            | Error::NoDevice { .. }
            | Error::Driver { .. }
    ));
}
