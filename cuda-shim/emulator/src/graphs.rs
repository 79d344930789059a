//! Graphs: requests that are recorded, and made again at each launch.

use super::{INVALID_VALUE, SUCCESS, launch};
use cuda_shim::Body;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What cannot be asked for while a stream is recorded.
pub const NOT_WHILE_RECORDING: c_int = 900;

#[derive(Clone)]
pub enum Request {
    Launch {
        body: &'static Body,
        blocks: usize,
        block: usize,
        shared: usize,
        parameters: Vec<Vec<u8>>,
    },
    Copy {
        to: u64,
        from: u64,
        bytes: usize,
    },
    Fill {
        to: u64,
        byte: u8,
        bytes: usize,
    },
}

/// What is recorded, by the stream.
static RECORDED: Mutex<BTreeMap<usize, Vec<Request>>> = Mutex::new(BTreeMap::new());

fn recorded() -> MutexGuard<'static, BTreeMap<usize, Vec<Request>>> {
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn is_recorded(stream: *mut c_void) -> bool {
    recorded().contains_key(&stream.addr())
}

/// Keeps a request if its stream is recorded; otherwise returns it.
pub fn keep(stream: *mut c_void, request: Request) -> Option<Request> {
    match recorded().get_mut(&stream.addr()) {
        Some(requests) => {
            requests.push(request);
            None
        }
        None => Some(request),
    }
}

/// Does what was requested.
///
/// # Safety
///
/// The memory of the request is still there.
pub unsafe fn make(request: &Request) {
    let pointer = |address: u64| std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    match request {
        Request::Launch {
            body,
            blocks,
            block,
            shared,
            parameters,
        } => {
            let parameters: Vec<_> = parameters.iter().map(|one| one.as_ptr().cast()).collect();
            // SAFETY: the caller's.
            unsafe { launch(body, *blocks, *block, *shared, parameters.as_ptr()) };
        }
        Request::Copy { to, from, bytes } => {
            // SAFETY: the caller's.
            unsafe { pointer(*to).copy_from(pointer(*from), *bytes) };
        }
        // SAFETY: the caller's.
        Request::Fill { to, byte, bytes } => unsafe { pointer(*to).write_bytes(*byte, *bytes) },
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamBeginCapture_v2(stream: *mut c_void, _mode: c_uint) -> c_int {
    // The default stream cannot be recorded.
    if stream.is_null() || is_recorded(stream) {
        return NOT_WHILE_RECORDING;
    }
    recorded().insert(stream.addr(), Vec::new());
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamEndCapture(
    stream: *mut c_void,
    graph: *mut *mut Vec<Request>,
) -> c_int {
    let Some(requests) = recorded().remove(&stream.addr()) else {
        return INVALID_VALUE;
    };
    unsafe { *graph = Box::into_raw(Box::new(requests)) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphInstantiateWithFlags(
    exec: *mut *mut Vec<Request>,
    graph: *const Vec<Request>,
    _flags: u64,
) -> c_int {
    unsafe { *exec = Box::into_raw(Box::new((*graph).clone())) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphLaunch(exec: *const Vec<Request>, stream: *mut c_void) -> c_int {
    if is_recorded(stream) {
        return NOT_WHILE_RECORDING;
    }
    for request in unsafe { &*exec } {
        unsafe { make(request) };
    }
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphExecDestroy(exec: *mut Vec<Request>) -> c_int {
    drop(unsafe { Box::from_raw(exec) });
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphDestroy(graph: *mut Vec<Request>) -> c_int {
    drop(unsafe { Box::from_raw(graph) });
    SUCCESS
}
