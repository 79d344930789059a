//! A CUDA driver without a GPU, for the tests of `cuda-shim`: `ci/gpu-emulated.sh` loads it instead
//! of `libcuda.so`.
//!
//! Memory is the host's, with guards around it. A launch runs the entry's body, which is the same
//! source as the device's entry, for one thread of the grid after the other, in a new order each
//! time; a thread block's body runs block by block, phase by phase, and thread by thread in a
//! phase. So the host side, the entries' parameters, every index and every bit can be tested, for
//! any grid shape; the compiler for the GPU and the GPU itself cannot. Only composites,
//! `slice_scatter` and a few rows (`rows`) have bodies here: other entries are not found.
#![cfg(feature = "bodies")]
#![allow(non_snake_case, reason = "the driver's names")]
#![allow(
    clippy::missing_safety_doc,
    reason = "as NVIDIA's documentation of the driver has it"
)]

mod graphs;
mod rows;

use graphs::{NOT_WHILE_RECORDING, Request, is_recorded, keep, make};

use cuda_shim::{Body, HostBlock, Place, Run, bodies};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

const SUCCESS: c_int = 0;
const INVALID_VALUE: c_int = 1;
const OUT_OF_MEMORY: c_int = 2;
const NOT_FOUND: c_int = 500;

/// Any non-null handle stands for the one context or the one module.
const HANDLE: *mut c_void = 16 as *mut c_void;

const NAME: &[u8] = b"no GPU: an emulation on this host\0";

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(_flags: c_uint) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    unsafe { *version = 12000 };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    unsafe { *count = 1 };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int {
    unsafe { *device = ordinal };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, size: c_int, _device: c_int) -> c_int {
    if usize::try_from(size).unwrap_or(0) < NAME.len() {
        return INVALID_VALUE;
    }
    unsafe { name.copy_from(NAME.as_ptr().cast(), NAME.len()) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    attribute: c_uint,
    _device: c_int,
) -> c_int {
    // Multiprocessors; the architecture, 9.0; everything else is absent.
    let found = match attribute {
        16 => 3,
        75 => 9,
        _ => 0,
    };
    unsafe { *value = found };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, _: c_int) -> c_int {
    unsafe { *context = HANDLE };
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(_device: c_int) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(_context: *mut c_void) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetCurrent(context: *mut *mut c_void) -> c_int {
    unsafe { *context = HANDLE };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut *mut c_void, _flags: c_uint) -> c_int {
    // Any numbers that differ.
    static STREAMS: AtomicUsize = AtomicUsize::new(16);
    let number = STREAMS.fetch_add(1, Ordering::Relaxed);
    unsafe { *stream = std::ptr::without_provenance_mut(number) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamDestroy_v2(_stream: *mut c_void) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuThreadExchangeStreamCaptureMode(_mode: *mut c_int) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(stream: *mut c_void) -> c_int {
    if is_recorded(stream) {
        return NOT_WHILE_RECORDING;
    }
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamWaitEvent(_: *mut c_void, _: *mut c_void, _: c_uint) -> c_int {
    SUCCESS
}

/// The guards before and after memory.
const GUARD: usize = 256;
const PATTERN: u8 = 0xA5;

/// All memory, by the address of its first byte.
static MEMORY: Mutex<BTreeMap<u64, Vec<u64>>> = Mutex::new(BTreeMap::new());

/// The bytes between the guards, and all bytes.
fn sizes(bytes: usize) -> (usize, usize) {
    let inner = bytes.next_multiple_of(8);
    (inner, inner + 2 * GUARD)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int {
    if bytes == 0 {
        return INVALID_VALUE;
    }
    if bytes > 1 << 34 {
        return OUT_OF_MEMORY;
    }
    let (_, whole) = sizes(bytes);
    let mut memory = vec![u64::from_ne_bytes([PATTERN; 8]); whole / 8];
    let start = memory.as_mut_ptr().expose_provenance() as u64 + GUARD as u64;
    // SAFETY: the caller's. Bytes after the requested ones are guards too.
    unsafe { *address = start };
    let mut all = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(start, memory);
    // Its length, as the first word.
    if let Some(first) = all.get_mut(&start).and_then(|memory| memory.first_mut()) {
        *first = bytes as u64;
    }
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: u64) -> c_int {
    let mut all = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(memory) = all.remove(&address) else {
        return INVALID_VALUE;
    };
    let bytes: Vec<u8> = memory.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let length = memory[0] as usize;
    let before = &bytes[8..GUARD];
    let after = &bytes[GUARD + length..];
    if before.iter().chain(after).any(|byte| *byte != PATTERN) {
        eprintln!("something wrote beside {length} bytes of memory");
        std::process::abort();
    }
    SUCCESS
}

/// Whether these bytes are part of an allocation.
fn inside(address: u64, bytes: usize) -> bool {
    let all = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    all.range(..=address)
        .next_back()
        .is_some_and(|(start, memory)| {
            address - start + bytes as u64 <= memory.first().copied().unwrap_or(0)
        })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    bytes: usize,
    stream: *mut c_void,
) -> c_int {
    if is_recorded(stream) {
        return NOT_WHILE_RECORDING;
    }
    if !inside(to, bytes) {
        return INVALID_VALUE;
    }
    let to = std::ptr::with_exposed_provenance_mut::<u8>(to as usize);
    unsafe { to.copy_from(from.cast(), bytes) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    bytes: usize,
    stream: *mut c_void,
) -> c_int {
    if is_recorded(stream) {
        return NOT_WHILE_RECORDING;
    }
    if !inside(from, bytes) {
        return INVALID_VALUE;
    }
    let from = std::ptr::with_exposed_provenance::<u8>(from as usize);
    unsafe { to.cast::<u8>().copy_from(from, bytes) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoDAsync_v2(
    to: u64,
    from: u64,
    bytes: usize,
    stream: *mut c_void,
) -> c_int {
    if !inside(from, bytes) || !inside(to, bytes) {
        return INVALID_VALUE;
    }
    if let Some(request) = keep(stream, Request::Copy { to, from, bytes }) {
        unsafe { make(&request) };
    }
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(
    to: u64,
    byte: u8,
    bytes: usize,
    stream: *mut c_void,
) -> c_int {
    if !inside(to, bytes) {
        return INVALID_VALUE;
    }
    if let Some(request) = keep(stream, Request::Fill { to, byte, bytes }) {
        unsafe { make(&request) };
    }
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadData(module: *mut *mut c_void, _: *const c_void) -> c_int {
    unsafe { *module = HANDLE };
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(_module: *mut c_void) -> c_int {
    SUCCESS
}

static BODIES: LazyLock<Vec<Body>> = LazyLock::new(|| [bodies(), rows::bodies()].concat());

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut *const Body,
    _module: *mut c_void,
    name: *const c_char,
) -> c_int {
    let name = unsafe { CStr::from_ptr(name) };
    let body = BODIES
        .iter()
        .find(|body| body.name.as_bytes() == name.to_bytes());
    let Some(body) = body else {
        return NOT_FOUND;
    };
    unsafe { *function = body };
    SUCCESS
}

/// Any shared memory may be asked for.
#[unsafe(no_mangle)]
pub extern "C" fn cuFuncSetAttribute(_: *const Body, _attribute: c_uint, _value: c_int) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncGetParamInfo(
    function: *const Body,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> c_int {
    let sizes = unsafe { &(*function).sizes };
    let Some(found) = sizes.get(index) else {
        return INVALID_VALUE;
    };
    // Each is at a multiple of its size.
    let place = |place: usize, size: &usize| place.next_multiple_of(*size) + size;
    let end = sizes[..=index].iter().fold(0, place);
    unsafe {
        *offset = end - found;
        *size = *found;
    }
    SUCCESS
}

/// The number of launches.
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: *const Body,
    blocks: c_uint,
    blocks_y: c_uint,
    blocks_z: c_uint,
    block: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: *mut c_void,
    parameters: *const *const c_void,
    _extra: *mut *mut c_void,
) -> c_int {
    if [blocks_y, blocks_z, block_y, block_z] != [1; 4] || blocks == 0 || block == 0 {
        return INVALID_VALUE;
    }
    let body: &'static Body = unsafe { &*function };
    let words = body.sizes.iter().enumerate();
    let parameters = words.map(|(k, size)| {
        let first = unsafe { (*parameters.add(k)).cast::<u8>() };
        unsafe { std::slice::from_raw_parts(first, *size) }.to_vec()
    });
    let request = Request::Launch {
        body,
        blocks: blocks as usize,
        block: block as usize,
        shared: shared as usize,
        parameters: parameters.collect(),
    };
    if let Some(request) = keep(stream, request) {
        unsafe { make(&request) };
    }
    SUCCESS
}

/// Runs a body for every thread of a grid.
///
/// # Safety
///
/// [`Run`]'s.
unsafe fn launch(
    body: &Body,
    blocks: usize,
    block: usize,
    shared: usize,
    parameters: *const *const c_void,
) {
    let threads = blocks * block;
    match body.run {
        Run::Thread(run) => in_some_order(threads, |thread| {
            let place = Place {
                block: thread / block,
                thread,
                threads,
            };
            unsafe { run(place, parameters) };
        }),
        Run::Block(run) => in_some_order(blocks, |number| {
            let mut block = HostBlock::new(number, blocks, block, shared);
            unsafe { run(&mut block, parameters) };
        }),
    }
}

/// Calls `f` with each number below `n` once, in a new order each time.
fn in_some_order(n: usize, mut f: impl FnMut(usize)) {
    // A step coprime to the number visits every one once.
    let launch = LAUNCHES.fetch_add(1, Ordering::Relaxed);
    let mut step = (launch.wrapping_mul(0x9E37_79B9) % n).max(1);
    while common_factor(step, n) > 1 {
        step += 1;
    }
    let mut at = launch % n;
    for _ in 0..n {
        f(at);
        at = (at + step) % n;
    }
}

/// The greatest common divisor.
fn common_factor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_factor(b, a % b) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut *mut Instant, _flags: c_uint) -> c_int {
    unsafe { *event = Box::into_raw(Box::new(Instant::now())) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecord(event: *mut Instant, _stream: *mut c_void) -> c_int {
    unsafe { *event = Instant::now() };
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventSynchronize(_event: *mut Instant) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventDestroy_v2(event: *mut Instant) -> c_int {
    drop(unsafe { Box::from_raw(event) });
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(_error: c_int, text: *mut *const c_char) -> c_int {
    unsafe { *text = c"an error of the emulation".as_ptr() };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: c_int, text: *mut *const c_char) -> c_int {
    unsafe { cuGetErrorName(error, text) }
}
