//! What is of more than single elements: reductions, products of matrices, layers, blocks, text.
//!
//! The Python side brings arrays into the form that is wanted here: contiguous, of one dimension,
//! as bits.

use crate::args::{self, named};
use crate::narrow::all_numbers;
use crate::prepare::memory;
use crate::registry::by_dtype;
use crate::threads::{SHORT, alone, by_threads, on_pool, threads, without_gil};
use bitexact::convert::{
    Digits, Notation, format_decimal, format_hex, format_hex_rounded, parse_decimal_status,
    parse_hex_status,
};
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::nn::{self, BatchNorm, Conv2d, Single};
use bitexact::reduce::{Accumulable, Accumulation, Lanes, Order};
use bitexact::scale::{
    BlockSpecials, DIALECTS, Dialect, E8M0, Int8Range, MxInt8, Nvfp4, Quotient, ScaleSource,
};
use bitexact::tensor::{View, ViewMut};
use bitexact::{Mode, Rounding, Status, bf16, f16, reduce, scale, tensor};
use bitexact_rows::{Held, Ty};
use bitexact_slices::mx;
use bitexact_slices::par::tensor as fast;
use bitexact_slices::tensor::Operand;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

type Any<'py> = Bound<'py, PyAny>;

/// A call's modes, as they come from Python.
pub(crate) type ModeNames<'py> = (Any<'py>, Option<Any<'py>>);

pub(crate) const ACCUMULATIONS: [(&str, Accumulation); 10] = [
    ("exact", Accumulation::Exact),
    ("sequential", Accumulation::Declared(Order::Sequential)),
    ("pairwise", Accumulation::Declared(Order::Pairwise)),
    ("neumaier", Accumulation::Declared(Order::Neumaier)),
    ("lanes2", in_lanes(2)),
    ("lanes4", in_lanes(4)),
    ("lanes8", in_lanes(8)),
    ("lanes16", in_lanes(16)),
    ("lanes32", in_lanes(32)),
    ("lanes64", in_lanes(64)),
];

const fn in_lanes(count: usize) -> Accumulation {
    match Lanes::new(count) {
        Some(lanes) => Accumulation::Declared(Order::Lanes(lanes)),
        None => panic!("a power of two from 2 to 64"),
    }
}

const QUOTIENTS: [(&str, Quotient); 3] = [
    ("exact", Quotient::Exact),
    ("divided", Quotient::Divided),
    ("reciprocal", Quotient::Reciprocal),
];

/// At each of these formats, the same body with `$t` that format.
macro_rules! at {
    ([$($name:ident $ty:ident)*] $dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            $(Ty::$name => {
                type $t = $ty;
                $body
            })*
            other => Err(PyTypeError::new_err(format!("no such operation in {}", other.dtype()))),
        }
    };
}
macro_rules! at_wide {
    ($($rest:tt)*) => { at! { [F16 f16 Bf16 bf16 F32 f32] $($rest)* } };
}
macro_rules! at_narrow {
    ($($rest:tt)*) => {
        at! { [
            E5m2 E5M2 E4m3fn E4M3FN E5m2fnuz E5M2FNUZ E4m3fnuz E4M3FNUZ E2m3 E2M3 E3m2 E3M2
            E2m1 E2M1
        ] $($rest)* }
    };
}
macro_rules! at_any {
    ($($rest:tt)*) => {
        at! { [
            F16 f16 Bf16 bf16 F32 f32 F64 f64 E5m2 E5M2 E4m3fn E4M3FN E5m2fnuz E5M2FNUZ
            E4m3fnuz E4M3FNUZ E2m3 E2M3 E3m2 E3M2 E2m1 E2M1
        ] $($rest)* }
    };
}
macro_rules! at_element {
    ($($rest:tt)*) => {
        at! { [
            E5m2 E5M2 E4m3fn E4M3FN E5m2fnuz E5M2FNUZ E4m3fnuz E4M3FNUZ E2m3 E2M3 E3m2 E3M2
            E2m1 E2M1 I8 MxInt8
        ] $($rest)* }
    };
}

pub(crate) use {at, at_element, at_narrow, at_wide};

/// An array's elements.
pub(crate) fn read<'a, T>(array: &'a Any<'_>) -> PyResult<&'a [T]> {
    let (data, count) = memory(array, size_of::<T>(), false)?;
    // SAFETY: one stretch of so many elements of that size; every bit pattern is a `T` (formats
    // and integers). No one writes while Python waits.
    Ok(unsafe { std::slice::from_raw_parts(data.cast(), count) })
}

/// The elements of an array that is new, or overlaps no other.
#[allow(
    clippy::mut_from_ref,
    reason = "the memory is the array's, which no one else looks at meanwhile"
)]
pub(crate) fn write<'a, T>(array: &'a Any<'_>) -> PyResult<&'a mut [T]> {
    let (data, count) = memory(array, size_of::<T>(), true)?;
    // SAFETY: as above; the Python side has made the array, or seen to it that it overlaps none.
    Ok(unsafe { std::slice::from_raw_parts_mut(data.cast(), count) })
}

/// An array's numbers, those of narrower formats as f16, which has all their values: sums and
/// products are compiled for three formats, not for ten.
pub(crate) struct Numbers<'a, 'py> {
    array: &'a Any<'py>,
    pub(crate) ty: Ty,
    made: Option<Vec<f16>>,
    /// What a number raises wherever it is computed with: invalid, if it signals.
    raised: Status,
}

impl<'a, 'py> Numbers<'a, 'py> {
    pub(crate) fn of(array: &'a Any<'py>, dtype: &str) -> PyResult<Self> {
        let mut numbers = Self {
            array,
            ty: by_dtype(dtype).unwrap_or(Ty::F16),
            made: None,
            raised: Status::NONE,
        };
        if matches!(dtype, "float16" | "bfloat16" | "float32" | "float64") {
            return Ok(numbers);
        }
        let all = all_numbers(dtype)?;
        let codes = read::<u8>(array)?;
        if all
            .iter()
            .any(|(_, raised)| raised.contains(Status::INVALID))
        {
            let of = |code: &u8| all[usize::from(*code)].1;
            numbers.raised = codes.iter().fold(Status::NONE, |all, code| all | of(code));
        }
        let mut made = vec![f16::ZERO; codes.len()];
        let pieces = codes.chunks(LONG).zip(made.chunks_mut(LONG));
        let widen = |(codes, made): (&[u8], &mut [f16])| {
            for (to, code) in made.iter_mut().zip(codes) {
                *to = all[usize::from(*code)].0;
            }
            Ok::<_, String>(Status::NONE)
        };
        without_gil(array.py(), || each(pieces, widen)).map_err(wrong)?;
        numbers.made = Some(made);
        numbers.ty = Ty::F16;
        Ok(numbers)
    }

    /// The numbers of [`ty`](Self::ty), which `T` is.
    pub(crate) fn read<T>(&self) -> PyResult<&[T]> {
        match &self.made {
            Some(made) if size_of::<T>() == size_of::<f16>() => {
                // SAFETY: so many numbers of that size; every bit pattern is a `T` (formats).
                Ok(unsafe { std::slice::from_raw_parts(made.as_ptr().cast(), made.len()) })
            }
            _ => read::<T>(self.array),
        }
    }
}

pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn mode_of(names: &ModeNames<'_>) -> PyResult<Mode> {
    args::mode(&names.0, names.1.as_ref())
}

/// Does something with every item of an iterator, by threads if it is not soon done; the union of
/// what is raised.
pub(crate) fn each<T: Send, E: Display>(
    mut items: impl ExactSizeIterator<Item = T> + Send,
    one: impl Fn(T) -> Result<Status, E> + Sync,
) -> Result<Status, String> {
    let (begun, mut all) = (Instant::now(), Status::NONE);
    while threads() == 1 || begun.elapsed() < SHORT {
        let Some(item) = items.next() else {
            return Ok(all);
        };
        all |= one(item).map_err(|error| error.to_string())?;
    }
    let count = items.len();
    let piece = (count / (PIECES * threads())).max(1);
    let items = Mutex::new(items);
    let next = || {
        let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
        items.by_ref().take(piece).collect::<Vec<_>>()
    };
    let others = on_threads(count, &|| {
        let mut all = Status::NONE;
        loop {
            let items = next();
            if items.is_empty() {
                return Ok(all);
            }
            for item in items {
                all |= one(item).map_err(|error| error.to_string())?;
            }
        }
    });
    others.map(|status| status | all)
}

/// Pieces of an iterator's items for each thread.
const PIECES: usize = 8;

/// Runs a function on as many threads as there are, and at most so many, at once. Compiled once, as
/// the types of work are many.
fn on_threads(
    most: usize,
    run: &(dyn Fn() -> Result<Status, String> + Sync),
) -> Result<Status, String> {
    let all = Mutex::new(Ok(Status::NONE));
    let add = |one: Result<Status, String>| {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *all, one) {
            (Ok(all), Ok(one)) => *all |= one,
            (Err(_), _) => {}
            (all, error) => *all = error,
        }
    };
    on_pool(|| {
        rayon::scope(|scope| {
            for _ in 0..most.min(rayon::current_num_threads()) {
                scope.spawn(|_| add(run()));
            }
        });
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// One of a reduction's results.
fn lane<T: Operand, R: Accumulable + Send>(
    what: &str,
    accumulation: Accumulation,
    values: &[T],
    others: &[T],
    missing: u32,
    mode: Mode,
) -> Result<(R, Status), String> {
    let text = |error: reduce::ReduceError| error.to_string();
    // In a thread of a pool the others are busy with other lanes.
    let wakes = rayon::current_thread_index().is_none() && !alone(values.len());
    Ok(match (what, accumulation) {
        ("sum", Accumulation::Declared(order)) => reduce::sum_status(values, order, mode),
        ("dot", Accumulation::Declared(order)) => {
            reduce::dot_status(values, others, order, mode).map_err(text)?
        }
        ("sum", _) if wakes => on_pool(|| fast::sum_exact_status(values, mode)),
        ("sum", _) => bitexact_slices::tensor::sum_exact_status(values, mode),
        ("dot", _) if wakes => {
            on_pool(|| fast::dot_exact_status(values, others, mode)).map_err(text)?
        }
        ("dot", _) => {
            bitexact_slices::tensor::dot_exact_status(values, others, mode).map_err(text)?
        }
        ("mean", Accumulation::Exact) => {
            bitexact_slices::tensor::mean_status(values, mode).map_err(text)?
        }
        ("mean_square", Accumulation::Exact) => {
            reduce::mean_square_status(values, mode).map_err(text)?
        }
        ("root_mean_square", Accumulation::Exact) => {
            reduce::root_mean_square_status(values, mode).map_err(text)?
        }
        ("variance", Accumulation::Exact) => {
            reduce::variance_status(values, missing, mode).map_err(text)?
        }
        ("standard_deviation", Accumulation::Exact) => {
            reduce::standard_deviation_status(values, missing, mode).map_err(text)?
        }
        ("norm", Accumulation::Exact) => reduce::norm_status(values, mode),
        _ => return Err(format!("no {what} in a declared order")),
    })
}

/// Reduces each `length` values to one. Sums whose exceptions nobody asks for cost another way:
/// `beside` of them lie side by side.
#[pyfunction]
#[pyo3(signature = (what, accumulation, dtype, result, values, others, length, missing, mode, out, beside))]
#[allow(clippy::too_many_arguments)]
pub fn reduce_lanes(
    py: Python<'_>,
    what: &str,
    accumulation: &Any<'_>,
    dtype: &str,
    result: &str,
    values: &Any<'_>,
    others: Option<&Any<'_>>,
    length: usize,
    missing: u32,
    mode: ModeNames<'_>,
    out: &Any<'_>,
    beside: Option<usize>,
) -> PyResult<u8> {
    let accumulation = named("accumulation", accumulation, &ACCUMULATIONS)?;
    let mode = mode_of(&mode)?;
    let values = Numbers::of(values, dtype)?;
    let others = others
        .map(|others| Numbers::of(others, dtype))
        .transpose()?;
    let others = others.as_ref().unwrap_or(&values);
    let signals = values.raised | others.raised;
    at_wide!(values.ty, T => at_wide!(by_dtype(result)?, R => {
        let (values, others, out) = (values.read::<T>()?, others.read::<T>()?, write::<R>(out)?);
        if values.len() != length * out.len() || others.len() != values.len() {
            return Err(wrong("lanes of other lengths"));
        }
        if let ("sum", Some(beside)) = (what, beside) {
            let outer = out.len().checked_div(beside).unwrap_or(0);
            let done = without_gil(py, || {
                let x = View::contiguous(values, [outer, length, beside])?;
                let mut out = ViewMut::contiguous(out, [outer, 1, beside])?;
                by_threads!(8 * values.len(), sum_dim(&x, 1, accumulation, mode, &mut out))
            });
            return done.map(|()| 0).map_err(wrong);
        }
        let one = |(at, out): (usize, &mut R)| {
            let range = at * length..(at + 1) * length;
            let (values, others) = (&values[range.clone()], &others[range]);
            let (value, status) = lane::<T, R>(what, accumulation, values, others, missing, mode)?;
            *out = value;
            Ok::<_, String>(status)
        };
        let done = without_gil(py, || match out {
            [out] => one((0, out)),
            _ => each(out.iter_mut().enumerate(), one),
        });
        Ok((done.map_err(wrong)? | signals).bits())
    }))
}

/// Products of matrices, a batch of m by k and k by n each. The exceptions cost another way.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn gemm(
    py: Python<'_>,
    accumulation: &Any<'_>,
    dtype: &str,
    result: &str,
    a: &Any<'_>,
    b: &Any<'_>,
    sizes: [usize; 4],
    mode: ModeNames<'_>,
    out: &Any<'_>,
    status: bool,
) -> PyResult<u8> {
    let accumulation = named("accumulation", accumulation, &ACCUMULATIONS)?;
    let (mode, [batch, m, k, n]) = (mode_of(&mode)?, sizes);
    let (a, b) = (Numbers::of(a, dtype)?, Numbers::of(b, dtype)?);
    let signals = a.raised | b.raised;
    at_wide!(a.ty, T => at_wide!(by_dtype(result)?, R => {
        let (a, b, out) = (a.read::<T>()?, b.read::<T>()?, write::<R>(out)?);
        if out.is_empty() {
            return Ok(0);
        }
        let done = without_gil(py, || {
            if !status {
                let (left, right) =
                    (View::contiguous(a, [batch, m, k])?, View::contiguous(b, [batch, k, n])?);
                let mut out = ViewMut::contiguous(out, [batch, m, n])?;
                let work = a.len() * n;
                let done = by_threads!(work, gemm_batched(&left, &right, accumulation, mode, &mut out));
                return done.map(|()| Ok(Status::NONE));
            }
            Ok(each(out.chunks_mut(n).enumerate(), |(row, out)| {
                let left = a.get(row * k..(row + 1) * k).unwrap_or_default();
                let right = row / m * k * n;
                let right = b.get(right..right + k * n).unwrap_or_default();
                let (left, right) =
                    (View::contiguous(left, [1, k])?, View::contiguous(right, [k, n])?);
                let mut out = ViewMut::contiguous(out, [1, n])?;
                tensor::gemm(&left, &right, accumulation, mode, &mut out)
            }))
        });
        let done: Result<_, tensor::TensorError> = done;
        Ok((done.map_err(wrong)?.map_err(wrong)? | signals).bits())
    }))
}

/// Whether the processor's f32 arithmetic is IEEE 754's in its default state on this thread. If a
/// library has switched flushing of subnormals on, the layers run on integers.
fn is_ieee() -> bool {
    use std::hint::black_box;
    let least = black_box(f32::from_bits(1));
    let kept = least * black_box(1.0) == f32::from_bits(1) && (least + least).to_bits() == 2;
    let small = black_box(1.0) + black_box(f32::from_bits(0x3380_0000));
    let up = black_box(1.0) + black_box(f32::from_bits(0x3380_0001));
    let down = black_box(-1.0) - black_box(f32::from_bits(0x3380_0000));
    kept && small == 1.0 && up.to_bits() == 0x3F80_0001 && down == -1.0
}

/// The body with `$f` the fastest type that gives IEEE 754's f32 arithmetic.
macro_rules! in_single {
    ($f:ident => $body:expr) => {
        if is_ieee() {
            type $f = f32;
            $body
        } else {
            type $f = Binary32;
            $body
        }
    };
}

/// The same slice as numbers of a type with f32's bits.
fn singles<F: Single>(values: &[u32]) -> &[F] {
    const { assert!(size_of::<F>() == 4 && align_of::<F>() == 4) };
    // SAFETY: `Single` is f32 or its transparent twin; every bit pattern is one.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

fn singles_mut<F: Single>(values: &mut [u32]) -> &mut [F] {
    const { assert!(size_of::<F>() == 4 && align_of::<F>() == 4) };
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
}

/// softmax, or with `log` its logarithm, of each `length` values.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn softmax(
    py: Python<'_>,
    log: bool,
    dtype: &str,
    result: &str,
    values: &Any<'_>,
    length: usize,
    mode: ModeNames<'_>,
    out: &Any<'_>,
) -> PyResult<()> {
    let mode = mode_of(&mode)?;
    at_wide!(by_dtype(dtype)?, T => at_wide!(by_dtype(result)?, R => {
        let (values, out) = (read::<T>(values)?, write::<R>(out)?);
        if length == 0 || values.len() != out.len() {
            return Ok(());
        }
        let lanes = values.chunks(length).zip(out.chunks_mut(length));
        let done = without_gil(py, || each(lanes, |(values, out)| {
            in_single!(F => if log {
                nn::log_softmax::<T, F, R>(values, mode, out)
            } else {
                nn::softmax::<T, F, R>(values, mode, out)
            })?;
            Ok::<_, nn::NnError>(Status::NONE)
        }));
        done.map(drop).map_err(wrong)
    }))
}

/// A function of the first one, two, ... of each `length` values, or `logsumexp` of all.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn cumulative(
    py: Python<'_>,
    what: &str,
    dtype: &str,
    result: &str,
    values: &Any<'_>,
    length: usize,
    mode: ModeNames<'_>,
    out: &Any<'_>,
) -> PyResult<()> {
    let (mode, values) = (mode_of(&mode)?, Numbers::of(values, dtype)?);
    at_wide!(values.ty, T => at_wide!(by_dtype(result)?, R => {
        let (values, out) = (values.read::<T>()?, write::<R>(out)?);
        let length = length.max(1);
        let results = if what == "logsumexp" { 1 } else { length };
        if values.len() * results != out.len() * length {
            return Err(wrong("lanes of other lengths"));
        }
        let one = |(values, out): (&[T], &mut [R])| {
            match what {
                "cumsum_exact" => reduce::cumsum_exact(values, mode, out).map_err(|why| why.to_string()),
                "cumprod" => reduce::cumprod(values, mode, out).map_err(|why| why.to_string()),
                "logcumsumexp" => in_single!(F => nn::logcumsumexp::<T, F, R>(values, mode, out))
                    .map_err(|why| why.to_string()),
                _ => {
                    out.fill(in_single!(F => nn::logsumexp::<T, F, R>(values, mode)));
                    Ok(())
                }
            }
            .map(|()| Status::NONE)
        };
        let lanes = values.chunks(length).zip(out.chunks_mut(results));
        without_gil(py, || each(lanes, one)).map_err(wrong).map(|_| ())
    }))
}

/// f32 elements that a thread takes.
const LONG: usize = 1 << 14;

/// A convolution of each image.
#[pyfunction]
#[pyo3(signature = (x, weights, bias, input, channels, kernel, stride, padding, out))]
#[allow(clippy::too_many_arguments)]
pub fn conv2d(
    py: Python<'_>,
    x: &Any<'_>,
    weights: &Any<'_>,
    bias: Option<&Any<'_>>,
    input: [usize; 3],
    channels: usize,
    kernel: [usize; 2],
    stride: [usize; 2],
    padding: [usize; 2],
    out: &Any<'_>,
) -> PyResult<()> {
    let (x, weights, out) = (read::<u32>(x)?, read::<u32>(weights)?, write::<u32>(out)?);
    let bias = bias.map(|bias| read::<u32>(bias)).transpose()?;
    let sizes = Conv2d {
        input,
        channels,
        kernel,
        stride,
        padding,
    };
    let [_, rows, columns] = sizes.output().map_err(wrong)?;
    let image = input.iter().product::<usize>();
    let filter = input[0] * kernel[0] * kernel[1];
    let plane = rows * columns;
    if x.len() * channels * plane != out.len() * image || weights.len() != channels * filter {
        return Err(wrong("arrays of other lengths"));
    }
    // A filter of an image is a piece: no filter sees another.
    let planes = out.chunks_mut(plane).enumerate();
    let done = without_gil(py, || {
        each(planes, |(at, out)| {
            let (n, o) = (at / channels, at % channels);
            let part = |of: &'_ [u32], at: usize, length: usize| -> Vec<u32> {
                of.get(at * length..(at + 1) * length)
                    .unwrap_or_default()
                    .to_vec()
            };
            let one = Conv2d {
                channels: 1,
                ..sizes
            };
            let x = &x[n * image..(n + 1) * image];
            let weights = part(weights, o, filter);
            let bias = bias.map(|bias| part(bias, o, 1));
            in_single!(F => nn::conv2d(
                singles::<F>(x),
                singles::<F>(&weights),
                bias.as_deref().map(singles::<F>),
                &one,
                singles_mut::<F>(out),
            ))?;
            Ok::<_, nn::NnError>(Status::NONE)
        })
    });
    done.map(drop).map_err(wrong)
}

/// A fully connected layer of each row.
#[pyfunction]
#[pyo3(signature = (x, weights, bias, length, outputs, out))]
pub fn linear(
    py: Python<'_>,
    x: &Any<'_>,
    weights: &Any<'_>,
    bias: Option<&Any<'_>>,
    length: usize,
    outputs: usize,
    out: &Any<'_>,
) -> PyResult<()> {
    let (x, weights, out) = (read::<f32>(x)?, read::<f32>(weights)?, write::<f32>(out)?);
    let bias = bias.map(|bias| read::<f32>(bias)).transpose()?;
    if length == 0 || outputs == 0 || out.is_empty() {
        return Err(wrong("`x` or `weights` is empty"));
    }
    let done = without_gil(py, || {
        let rows = View::contiguous(x, [x.len() / length, length]).map_err(|e| e.to_string())?;
        let weights = View::contiguous(weights, [outputs, length]).map_err(|e| e.to_string())?;
        let work = x.len() * outputs;
        by_threads!(work, linear(&rows, &weights, bias, out)).map_err(|e| e.to_string())
    });
    done.map_err(wrong)
}

/// The mean as two numbers and the reciprocal root of each `length` values, in float32: what their
/// layer norm (`centred`) or RMS norm takes from them.
#[pyfunction]
pub fn norm_statistics(
    py: Python<'_>,
    dtype: &str,
    values: &Any<'_>,
    length: usize,
    centred: bool,
    epsilon: f32,
    out: &Any<'_>,
) -> PyResult<()> {
    let values = Numbers::of(values, dtype)?;
    let out = write::<f32>(out)?;
    at_wide!(values.ty, T => {
        let values = values.read::<T>()?;
        let (out, _) = out.as_chunks_mut::<3>();
        let done = without_gil(py, || {
            let x = View::contiguous(values, [out.len(), length])?;
            let work = 16 * values.len();
            let made = by_threads!(work, norm_statistics(&x, centred, epsilon, out));
            Ok::<_, tensor::TensorError>(made)
        });
        done.map_err(wrong)?.map_err(wrong)
    })
}

/// Batch normalisation of each image, in place: mean, variance, weight and bias of each channel.
#[pyfunction]
pub fn batch_norm(
    py: Python<'_>,
    x: &Any<'_>,
    image: usize,
    parameters: [Any<'_>; 4],
    epsilon: f32,
) -> PyResult<()> {
    let x = write::<u32>(x)?;
    let [mean, variance, weight, bias] = &parameters;
    let (mean, variance) = (read::<u32>(mean)?, read::<u32>(variance)?);
    let (weight, bias) = (read::<u32>(weight)?, read::<u32>(bias)?);
    if image == 0 {
        return Err(wrong("images without elements"));
    }
    let epsilon = [epsilon.to_bits()];
    let done = without_gil(py, || {
        each(x.chunks_mut(image), |x| {
            in_single!(F => nn::batch_norm(
                singles_mut::<F>(x),
                &BatchNorm {
                    mean: singles(mean),
                    variance: singles(variance),
                    weight: singles(weight),
                    bias: singles(bias),
                    epsilon: singles::<F>(&epsilon)[0],
                },
            ))?;
            Ok::<_, nn::NnError>(Status::NONE)
        })
    });
    done.map(drop).map_err(wrong)
}

/// Average pooling of each image, by windows of a size and stride, or to a size.
#[pyfunction]
#[pyo3(signature = (x, input, kernel, stride, out))]
pub fn avg_pool2d(
    py: Python<'_>,
    x: &Any<'_>,
    input: [usize; 3],
    kernel: [usize; 2],
    stride: Option<[usize; 2]>,
    out: &Any<'_>,
) -> PyResult<()> {
    let (x, out) = (read::<u32>(x)?, write::<u32>(out)?);
    let image = input.iter().product::<usize>();
    if image == 0 || out.is_empty() || x.len() % image != 0 {
        return Err(wrong("images without elements"));
    }
    let length = out.len() / (x.len() / image).max(1);
    let images = x.chunks(image).zip(out.chunks_mut(length));
    let done = without_gil(py, || {
        each(images, |(x, out)| {
            in_single!(F => match stride {
                Some(stride) => {
                    nn::avg_pool2d(singles::<F>(x), input, kernel, stride, singles_mut(out))
                }
                None => nn::adaptive_avg_pool2d(singles::<F>(x), input, kernel, singles_mut(out)),
            })?;
            Ok::<_, nn::NnError>(Status::NONE)
        })
    });
    done.map(drop).map_err(wrong)
}

/// A named dialect, or the fields of one.
pub(crate) fn dialect(value: &Any<'_>) -> PyResult<Dialect> {
    let Ok(fields) = value.cast::<PyTuple>() else {
        return named("dialect", value, DIALECTS);
    };
    if fields.len() != 7 {
        return Err(PyTypeError::new_err("dialect must be a name or a Dialect"));
    }
    let field = |at: usize| fields.get_item(at);
    const SOURCES: [(&str, ScaleSource); 4] = [
        ("exponent", ScaleSource::Exponent),
        ("rounded-exponent", ScaleSource::RoundedExponent),
        ("quotient", ScaleSource::Quotient),
        ("reciprocal", ScaleSource::Reciprocal),
    ];
    const SPECIALS: [(&str, BlockSpecials); 2] = [
        ("scale", BlockSpecials::Scale),
        ("element", BlockSpecials::Element),
    ];
    const RANGES: [(&str, Int8Range); 2] = [
        ("full", Int8Range::Full),
        ("symmetric", Int8Range::Symmetric),
    ];
    Ok(Dialect {
        source: named("dialect.source", &field(0)?, &SOURCES)?,
        policy: args::policy(&field(1)?)?,
        specials: named("dialect.specials", &field(2)?, &SPECIALS)?,
        quotient: named("dialect.quotient", &field(3)?, &QUOTIENTS)?,
        mode: args::mode(&field(4)?, Some(&field(5)?))?,
        int8: named("dialect.int8", &field(6)?, &RANGES)?,
    })
}

/// A recipe of NVFP4 blocks: the code of its least scale, and the name of its quotient.
pub(crate) fn recipe(least_scale: u8, quotient: &Any<'_>) -> PyResult<Nvfp4> {
    Ok(Nvfp4 {
        least_scale: E4M3FN::from_bits(least_scale),
        quotient: named("quotient", quotient, &QUOTIENTS)?,
    })
}

/// The random bits of a row, if there are any.
fn part(random: Option<&[u16]>, row: usize, length: usize) -> Option<&[u16]> {
    random.map(|random| {
        random
            .get(row * length..(row + 1) * length)
            .unwrap_or_default()
    })
}

/// Rows of a given length as MX blocks, their elements rounded by random bits if there are any.
#[pyfunction]
#[pyo3(signature = (dtype, element, values, length, block, recipe, random, elements, scales))]
#[allow(clippy::too_many_arguments)]
pub fn mx_quantise(
    py: Python<'_>,
    dtype: &str,
    element: &str,
    values: &Any<'_>,
    length: usize,
    block: usize,
    recipe: &Any<'_>,
    random: Option<&Any<'_>>,
    elements: &Any<'_>,
    scales: &Any<'_>,
) -> PyResult<()> {
    let dialect = dialect(recipe)?;
    let random = random.map(|random| read::<u16>(random)).transpose()?;
    at_wide!(by_dtype(dtype)?, T => at_element!(by_dtype(element)?, E => {
        let (values, elements) = (read::<T>(values)?, write::<E>(elements)?);
        let scales = write::<E8M0>(scales)?;
        if values.is_empty() {
            return Ok(());
        }
        if block == 0 {
            return Err(wrong("block must be at least 1, not 0"));
        }
        let rows = values
            .chunks(length)
            .zip(elements.chunks_mut(length))
            .zip(scales.chunks_mut(length.div_ceil(block)))
            .enumerate();
        let done = without_gil(py, || each(rows, |(row, ((values, elements), scales))| {
            match part(random, row, length) {
                Some(random) => mx::quantise_stochastic(values, block, &dialect, random, elements, scales)?,
                None => mx::quantise(values, block, &dialect, elements, scales)?,
            }
            Ok::<_, scale::BlockError>(Status::NONE)
        }));
        done.map(drop).map_err(wrong)
    }))
}

/// The values of MX blocks.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn mx_dequantise(
    py: Python<'_>,
    element: &str,
    dtype: &str,
    elements: &Any<'_>,
    scales: &Any<'_>,
    length: usize,
    block: usize,
    mode: ModeNames<'_>,
    values: &Any<'_>,
) -> PyResult<()> {
    let mode = mode_of(&mode)?;
    at_element!(by_dtype(element)?, E => at_wide!(by_dtype(dtype)?, T => {
        let (elements, values) = (read::<E>(elements)?, write::<T>(values)?);
        let scales = read::<E8M0>(scales)?;
        if values.is_empty() {
            return Ok(());
        }
        if block == 0 {
            return Err(wrong("block must be at least 1, not 0"));
        }
        let rows = elements
            .chunks(length)
            .zip(values.chunks_mut(length))
            .zip(scales.chunks(length.div_ceil(block)));
        let done = without_gil(py, || each(rows, |((elements, values), scales)| {
            mx::dequantise(elements, scales, block, mode, values)?;
            Ok::<_, scale::BlockError>(Status::NONE)
        }));
        done.map(drop).map_err(wrong)
    }))
}

/// The f32 scale of a tensor for NVFP4.
#[pyfunction]
pub fn nvfp4_tensor_scale(amax: f32) -> f32 {
    scale::nvfp4_tensor_scale(amax)
}

/// Rows as NVFP4 blocks, their elements rounded by random bits if there are any.
#[pyfunction]
#[pyo3(signature = (dtype, values, length, tensor_scale, least_scale, quotient, random, elements, scales))]
#[allow(clippy::too_many_arguments)]
pub fn nvfp4_quantise(
    py: Python<'_>,
    dtype: &str,
    values: &Any<'_>,
    length: usize,
    tensor_scale: f32,
    least_scale: u8,
    quotient: &Any<'_>,
    random: Option<&Any<'_>>,
    elements: &Any<'_>,
    scales: &Any<'_>,
) -> PyResult<()> {
    let random = random.map(|random| read::<u16>(random)).transpose()?;
    let recipe = recipe(least_scale, quotient)?;
    at_wide!(by_dtype(dtype)?, T => {
        let (values, elements) = (read::<T>(values)?, write::<E2M1>(elements)?);
        let scales = write::<E4M3FN>(scales)?;
        let rows = values
            .chunks(length.max(1))
            .zip(elements.chunks_mut(length.max(1)))
            .zip(scales.chunks_mut(length.div_ceil(16).max(1)))
            .enumerate();
        let done = without_gil(py, || each(rows, |(row, ((values, elements), scales))| {
            match part(random, row, length) {
                Some(random) => {
                    mx::nvfp4_quantise_stochastic(values, tensor_scale, &recipe, random, elements, scales)?
                }
                None => mx::nvfp4_quantise(values, tensor_scale, &recipe, elements, scales)?,
            }
            Ok::<_, scale::BlockError>(Status::NONE)
        }));
        done.map(drop).map_err(wrong)
    })
}

/// The values of NVFP4 blocks.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn nvfp4_dequantise(
    py: Python<'_>,
    dtype: &str,
    elements: &Any<'_>,
    scales: &Any<'_>,
    length: usize,
    tensor_scale: f32,
    mode: ModeNames<'_>,
    values: &Any<'_>,
) -> PyResult<u8> {
    let mode = mode_of(&mode)?;
    at_wide!(by_dtype(dtype)?, T => {
        let (elements, values) = (read::<E2M1>(elements)?, write::<T>(values)?);
        let scales = read::<E4M3FN>(scales)?;
        let rows = elements
            .chunks(length.max(1))
            .zip(values.chunks_mut(length.max(1)))
            .zip(scales.chunks(length.div_ceil(16).max(1)));
        let done = without_gil(py, || each(rows, |((elements, values), scales)| {
            scale::nvfp4_dequantise(elements, scales, tensor_scale, mode, values)
        }));
        Ok(done.map_err(wrong)?.bits())
    })
}

/// FP4 or FP6 elements in whole bytes, or with `back` the elements of them.
#[pyfunction]
pub fn pack(
    py: Python<'_>,
    element: &str,
    from: &Any<'_>,
    to: &Any<'_>,
    back: bool,
) -> PyResult<()> {
    use bitexact_slices::par::mx;
    at! { [E2m1 E2M1 E2m3 E2M3 E3m2 E3M2] by_dtype(element)?, E => {
        let done = if back {
            let (from, to) = (read(from)?, write::<E>(to)?);
            without_gil(py, || on_pool(|| mx::unpack(from, to)))
        } else {
            let (from, to) = (read::<E>(from)?, write(to)?);
            without_gil(py, || on_pool(|| mx::pack(from, to)))
        };
        done.map_err(wrong)
    } }
}

/// The bits of the number that a text says, and the exceptions.
#[pyfunction]
pub fn parse(text: &str, dtype: &str, mode: ModeNames<'_>) -> PyResult<(u64, u8)> {
    let mode = mode_of(&mode)?;
    let plain = text.trim_start_matches(['+', '-']);
    let hex = plain.starts_with("0x") || plain.starts_with("0X");
    at_any!(by_dtype(dtype)?, T => {
        let parsed = if hex {
            parse_hex_status::<T>(text, mode)
        } else {
            parse_decimal_status::<T>(text, mode)
        };
        let (x, status) =
            parsed.map_err(|error| PyValueError::new_err(format!("text {text:?}: {error}")))?;
        Ok((Format::to_bits(x), status.bits()))
    })
}

/// The text of a number: decimal with `digits` `shortest`, `exact` or a number of significant ones
/// or of places, or hexadecimal.
#[pyfunction]
#[pyo3(signature = (bits, dtype, style, digits, places, scientific, rounding))]
pub fn format(
    bits: u64,
    dtype: &str,
    style: &str,
    digits: Option<u16>,
    places: Option<u16>,
    scientific: bool,
    rounding: Option<&Any<'_>>,
) -> PyResult<String> {
    let rounding = match rounding {
        Some(rounding) => named("rounding", rounding, &args::ROUNDINGS)?,
        None => Rounding::TiesToEven,
    };
    let chosen = match (style, digits, places) {
        ("shortest", ..) => Digits::Shortest,
        ("exact", ..) => Digits::Exact,
        (_, Some(digits), _) => Digits::Significant(digits, rounding),
        (_, _, places) => Digits::Fractional(places.unwrap_or_default(), rounding),
    };
    let notation = if scientific {
        Notation::Scientific
    } else {
        Notation::Positional
    };
    at_any!(by_dtype(dtype)?, T => {
        let x = <T as Format>::from_bits(bits);
        let mut buffer = vec![0; 64];
        loop {
            let text = match (style, places) {
                ("hex", None) => format_hex(x, &mut buffer),
                ("hex", Some(places)) => format_hex_rounded(x, places, rounding, &mut buffer),
                _ => format_decimal(x, chosen, notation, &mut buffer),
            };
            match text {
                Ok(text) => return Ok(text.to_owned()),
                Err(small) => buffer = vec![0; small.needed],
            }
        }
    })
}

/// The names of MX dialects, and of accumulations.
#[pyfunction]
pub fn composite_names() -> (Vec<&'static str>, Vec<&'static str>) {
    (
        DIALECTS.iter().map(|(name, _)| *name).collect(),
        ACCUMULATIONS.iter().map(|(name, _)| *name).collect(),
    )
}
