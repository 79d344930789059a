//! Products of blocks, fixed point, layers with weights in narrow formats, and the formats that no
//! row takes.

use crate::args;
use crate::composites::{
    ACCUMULATIONS, ModeNames, Numbers, at, at_element, at_narrow, at_wide, each, mode_of, read,
    write, wrong,
};
use crate::registry::by_dtype;
use crate::threads::without_gil;
use bitexact::convert::{
    convert_status, convert_stochastic_status, from_fixed_status, from_fixed_stochastic_status,
    to_fixed_status, to_fixed_stochastic_status,
};
use bitexact::counter::{philox_bits, threefry_bits};
use bitexact::format::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format,
};
use bitexact::nn::{self, Affine, Conv2d, Convolution, Weight, Weights};
use bitexact::reduce::{Accumulation, Accumulator, sum_by};
use bitexact::scale::{BlockAccumulator, E8M0, MxInt8};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use bitexact_rows::{Held, Ty};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

type Any<'py> = Bound<'py, PyAny>;

/// How a call rounds: in a mode, or by 16 random bits for each element.
enum How<'a> {
    Mode(Mode),
    Random(&'a [u16], Overflow),
}

impl<'a> How<'a> {
    /// Of `rounding` and `overflow`, or of `overflow` and random bits for so many elements.
    fn of(names: &ModeNames<'_>, random: Option<&'a Any<'_>>, count: usize) -> PyResult<Self> {
        let Some(random) = random else {
            return Ok(Self::Mode(mode_of(names)?));
        };
        let random = read::<u16>(random)?;
        if random.len() != count {
            return Err(wrong("random bits of another length"));
        }
        Ok(Self::Random(random, args::overflow_rule(names.1.as_ref())?))
    }

    /// Rounds every element by one of two functions; the union of what is raised.
    fn each<T: Copy, R>(
        &self,
        from: &[T],
        to: &mut [R],
        by_mode: impl Fn(T, Mode) -> (R, Status),
        by_bits: impl Fn(T, u16, Overflow) -> (R, Status),
    ) -> Status {
        let mut all = Status::NONE;
        for (at, (&from, to)) in from.iter().zip(to).enumerate() {
            let status;
            (*to, status) = match self {
                Self::Mode(mode) => by_mode(from, *mode),
                Self::Random(bits, overflow) => by_bits(from, bits[at], *overflow),
            };
            all |= status;
        }
        all
    }
}

/// The same codes as elements.
fn elements<E>(codes: &[u8]) -> &[E] {
    const { assert!(size_of::<E>() == 1) };
    // SAFETY: elements of one byte; every byte is one.
    unsafe { std::slice::from_raw_parts(codes.as_ptr().cast(), codes.len()) }
}

/// Adds the products of two blocks to a sum.
type AddDot = fn(&mut BlockAccumulator, (&[u8], E8M0), (&[u8], E8M0));

/// For blocks of these elements.
fn add_dot(a: Ty, b: Ty) -> PyResult<AddDot> {
    at_element!(a, A => at_element!(b, B => {
        let add: AddDot = |sum, (a, x), (b, y)| {
            // Both are as long.
            let _ = sum.add_dot(elements::<A>(a), x, elements::<B>(b), y);
        };
        Ok(add)
    }))
}

/// Products of matrices in MX blocks, a batch of m by k and n by k elements each: the blocks of both
/// lie along k.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn mx_gemm(
    py: Python<'_>,
    accumulation: &Any<'_>,
    formats: [String; 2],
    result: &str,
    a: [Any<'_>; 2],
    b: [Any<'_>; 2],
    sizes: [usize; 5],
    mode: ModeNames<'_>,
    out: &Any<'_>,
) -> PyResult<u8> {
    let accumulation = args::named("accumulation", accumulation, &ACCUMULATIONS)?;
    let (mode, [batch, m, n, k, block]) = (mode_of(&mode)?, sizes);
    let add = add_dot(by_dtype(&formats[0])?, by_dtype(&formats[1])?)?;
    let (a, x) = (read::<u8>(&a[0])?, read::<E8M0>(&a[1])?);
    let (b, y) = (read::<u8>(&b[0])?, read::<E8M0>(&b[1])?);
    if block == 0 {
        return Err(wrong("block must be at least 1, not 0"));
    }
    let blocks = k.div_ceil(block);
    let fit = |rows: usize, codes: &[u8], scales: &[E8M0]| {
        codes.len() == rows * k && scales.len() == rows * blocks
    };
    if !fit(batch * m, a, x) || !fit(batch * n, b, y) {
        return Err(wrong("blocks of other lengths"));
    }
    at_wide!(by_dtype(result)?, R => {
        let out = write::<R>(out)?;
        if out.len() != batch * m * n {
            return Err(wrong("a result of another length"));
        }
        let one = |(at, out): (usize, &mut R)| {
            let (row, column) = (at / n, at / (m * n) * n + at % n);
            let add = |sum: &mut BlockAccumulator, j: usize| {
                let of = |codes: &'_ [u8], row: usize| {
                    row * k + j * block..(row * k + ((j + 1) * block).min(k)).min(codes.len())
                };
                let left = (&a[of(a, row)], x[row * blocks + j]);
                add(sum, left, (&b[of(b, column)], y[column * blocks + j]));
            };
            let status;
            (*out, status) = match accumulation {
                Accumulation::Exact => {
                    let mut sum = BlockAccumulator::new();
                    (0..blocks).for_each(|j| add(&mut sum, j));
                    sum.round_status(mode)
                }
                Accumulation::Declared(order) => {
                    let mut union = Status::NONE;
                    let dots = (0..blocks).map(|j| {
                        let mut sum = BlockAccumulator::new();
                        add(&mut sum, j);
                        let (dot, status) = sum.round_status::<R>(mode);
                        union |= status;
                        dot
                    });
                    let (sum, status) = sum_by(dots, order, mode);
                    (sum, union | status)
                }
            };
            Ok::<_, String>(status)
        };
        let done = without_gil(py, || each(out.iter_mut().enumerate(), one));
        Ok(done.map_err(wrong)?.bits())
    })
}

/// The exact product of two numbers as a sum of two, and a power of two.
fn product_of([a, b]: [f32; 2]) -> Option<([f32; 2], i32)> {
    // In [1, 2): 48 bits, which f64 holds, and two f32.
    let parts = |x: f32| {
        let wide = f64::from(x);
        let exponent = (wide.to_bits() >> 52) as i32 - 1023;
        let fraction = f64::from_bits(wide.to_bits() & ((1 << 52) - 1) | 1023 << 52);
        (x > 0.0 && x.is_finite()).then_some((fraction, exponent))
    };
    let ((p, i), (q, j)) = (parts(a)?, parts(b)?);
    let product = p * q;
    // The upper 24 bits, and the others.
    let high = f64::from_bits(product.to_bits() & !((1 << 29) - 1));
    Some(([high as f32, (product - high) as f32], i + j))
}

/// Exact products of matrices of f16, a batch of m by k and n by k each, times both scales, each
/// rounded once.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn scaled_gemm(
    py: Python<'_>,
    result: &str,
    a: &Any<'_>,
    b: &Any<'_>,
    sizes: [usize; 4],
    scales: [f32; 2],
    mode: ModeNames<'_>,
    out: &Any<'_>,
) -> PyResult<u8> {
    let (mode, [batch, m, n, k]) = (mode_of(&mode)?, sizes);
    let (a, b) = (read::<f16>(a)?, read::<f16>(b)?);
    let Some((factors, exponent)) = product_of(scales) else {
        return Err(wrong("a scale must be a finite number above zero"));
    };
    if a.len() != batch * m * k || b.len() != batch * n * k {
        return Err(wrong("matrices of other lengths"));
    }
    at_wide!(by_dtype(result)?, R => {
        let out = write::<R>(out)?;
        if out.len() != batch * m * n {
            return Err(wrong("a result of another length"));
        }
        let one = |(at, out): (usize, &mut R)| {
            let (row, column) = (at / n, at / (m * n) * n + at % n);
            let mut sum = Accumulator::<f32>::new();
            let pairs = a[row * k..(row + 1) * k].iter().zip(&b[column * k..(column + 1) * k]);
            pairs.for_each(|(a, b)| sum.add_product(a.to_f32(), b.to_f32()));
            let toward_zero = Mode::new(Rounding::TowardZero, Overflow::Ieee);
            let mut piece: f32 = sum.round(toward_zero);
            if piece == 0.0 || !piece.is_finite() {
                // A zero, an infinity or a NaN, which the scales leave as it is.
                let (value, status) = sum.round_status(mode);
                *out = value;
                return Ok::<_, String>(status);
            }
            // The sum is below 2^95 and a multiple of 2^-48: at most six pieces, all of them normal
            // numbers of f32.
            let mut scaled = Accumulator::<f32>::new();
            while piece != 0.0 {
                factors.iter().for_each(|&factor| scaled.add_product(piece, factor));
                sum.add(-piece);
                piece = sum.round(toward_zero);
            }
            let status;
            (*out, status) = scaled.round_scaled_status(exponent, mode);
            Ok(status)
        };
        let done = without_gil(py, || each(out.iter_mut().enumerate(), one));
        Ok(done.map_err(wrong)?.bits())
    })
}

/// At each integer type, the same body with `$i` that type.
macro_rules! at_integer {
    ($($rest:tt)*) => {
        at! { [I8 i8 I16 i16 I32 i32 I64 i64 U8 u8 U16 u16 U32 u32 U64 u64] $($rest)* }
    };
}

/// Numbers in fixed point: integers of a type, with so many fraction bits.
#[pyfunction]
#[pyo3(signature = (dtype, integer, values, fraction, mode, random, out))]
#[allow(clippy::too_many_arguments)]
pub fn to_fixed(
    py: Python<'_>,
    dtype: &str,
    integer: &str,
    values: &Any<'_>,
    fraction: i32,
    mode: ModeNames<'_>,
    random: Option<Any<'_>>,
    out: &Any<'_>,
) -> PyResult<u8> {
    let values = Numbers::of(values, dtype)?;
    at! { [F16 f16 Bf16 bf16 F32 f32 F64 f64] values.ty, T => at_integer!(by_dtype(integer)?, I => {
        let (values, out) = (values.read::<T>()?, write::<I>(out)?);
        let how = How::of(&mode, random.as_ref(), values.len())?;
        let done = without_gil(py, || how.each(
            values,
            out,
            |x, mode| to_fixed_status::<T, I>(x, fraction, mode),
            |x, bits, overflow| to_fixed_stochastic_status::<T, I>(x, fraction, bits, overflow),
        ));
        Ok(done.bits())
    }) }
}

/// The numbers that fixed point means.
#[pyfunction]
#[pyo3(signature = (integer, dtype, values, fraction, mode, random, out))]
#[allow(clippy::too_many_arguments)]
pub fn from_fixed(
    py: Python<'_>,
    integer: &str,
    dtype: &str,
    values: &Any<'_>,
    fraction: i32,
    mode: ModeNames<'_>,
    random: Option<Any<'_>>,
    out: &Any<'_>,
) -> PyResult<u8> {
    at! { [I64 i64 U64 u64] by_dtype(integer)?, I => at! { [
        F16 f16 Bf16 bf16 F32 f32 F64 f64 E5m2 E5M2 E4m3fn E4M3FN E5m2fnuz E5M2FNUZ
        E4m3fnuz E4M3FNUZ E2m3 E2M3 E3m2 E3M2 E2m1 E2M1
    ] by_dtype(dtype)?, T => {
        let (values, out) = (read::<I>(values)?, write::<T>(out)?);
        let how = How::of(&mode, random.as_ref(), values.len())?;
        let done = without_gil(py, || how.each(
            values,
            out,
            |n, mode| from_fixed_status::<I, T>(n, fraction, mode),
            |n, bits, overflow| from_fixed_stochastic_status::<I, T>(n, fraction, bits, overflow),
        ));
        Ok(done.bits())
    } } }
}

/// At each format that no row takes, the same body with `$t` that format.
macro_rules! at_unlisted {
    ($name:expr, $t:ident => $body:expr) => {
        match $name {
            "float8_e4m3" => {
                type $t = E4M3;
                Some($body)
            }
            "float8_e3m4" => {
                type $t = E3M4;
                Some($body)
            }
            "float8_e4m3b11fnuz" => {
                type $t = E4M3B11FNUZ;
                Some($body)
            }
            _ => None,
        }
    };
}

/// Every number of a format of at most 8 bits as f16, which has all of them, and what each raises
/// wherever it is computed with.
pub(crate) fn all_numbers(dtype: &str) -> PyResult<[(f16, Status); 256]> {
    fn of<T: Format + FromCode>() -> [(f16, Status); 256] {
        std::array::from_fn(|code| {
            let number = T::from_code(code as u8 & (u8::MAX >> (8 - T::BITS)));
            convert_status(number, Mode::TIES_TO_EVEN)
        })
    }
    if let Some(found) = at_unlisted!(dtype, T => of::<T>()) {
        return Ok(found);
    }
    at_narrow!(by_dtype(dtype)?, T => Ok(of::<T>()))
}

/// A format of at most 8 bits.
trait FromCode {
    fn from_code(code: u8) -> Self;
}
macro_rules! from_code {
    ($($ty:ident)*) => {
        $(impl FromCode for $ty {
            fn from_code(code: u8) -> Self {
                Self::from_bits(code)
            }
        })*
    };
}
from_code!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E2M3 E3M2 E2M1 E4M3 E3M4 E4M3B11FNUZ);

/// Numbers of a format of at most 8 bits as float16, which has all of them; what they raise.
#[pyfunction]
pub fn widen(py: Python<'_>, dtype: &str, values: &Any<'_>, out: &Any<'_>) -> PyResult<u8> {
    let (all, codes, out) = (all_numbers(dtype)?, read::<u8>(values)?, write::<f16>(out)?);
    let number = |code, _| all[usize::from(code)];
    let how = How::Mode(Mode::TIES_TO_EVEN);
    let done = without_gil(py, || {
        how.each(codes, out, number, |code, _, _| all[usize::from(code)])
    });
    Ok(done.bits())
}

/// float32 in a format that no row takes.
#[pyfunction]
#[pyo3(signature = (dtype, values, mode, random, out))]
pub fn to_unlisted(
    py: Python<'_>,
    dtype: &str,
    values: &Any<'_>,
    mode: ModeNames<'_>,
    random: Option<Any<'_>>,
    out: &Any<'_>,
) -> PyResult<u8> {
    let values = read::<f32>(values)?;
    let how = How::of(&mode, random.as_ref(), values.len())?;
    let done = at_unlisted!(dtype, T => {
        let out = write::<T>(out)?;
        without_gil(py, || how.each(
            values,
            out,
            convert_status::<f32, T>,
            convert_stochastic_status::<f32, T>,
        ))
    });
    let none = || PyTypeError::new_err(format!("dtype {dtype:?} is a format of rows"));
    Ok(done.ok_or_else(none)?.bits())
}

/// The weights of a layer, with scales or without, and how its sums are made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Layer<'py> {
    dtype: String,
    weights: Any<'py>,
    scales: Option<Any<'py>>,
    block: usize,
    bias: Option<Any<'py>>,
    accumulation: Any<'py>,
    mode: ModeNames<'py>,
}

impl Layer<'_> {
    fn weights<'a, W: Weight>(&'a self, numbers: &'a Numbers<'_, '_>) -> PyResult<Weights<'a, W>> {
        let codes = numbers.read::<W>()?;
        match &self.scales {
            Some(scales) => W::blocks(codes, read(scales)?, self.block).map_err(wrong),
            None => Ok(W::weights(codes)),
        }
    }
}

/// At the format of a layer's weights and of its results, with their parameters.
macro_rules! at_layer {
    ($layer:ident, $result:ident, $r:ident, $parameters:ident => $body:expr) => {{
        let numbers = Numbers::of(&$layer.weights, &$layer.dtype)?;
        let accumulation = args::named("accumulation", &$layer.accumulation, &ACCUMULATIONS)?;
        let mode = mode_of(&$layer.mode)?;
        let bias = $layer
            .bias
            .as_ref()
            .map(|bias| read::<f32>(bias))
            .transpose()?;
        at! { [F16 f16 Bf16 bf16] numbers.ty, W => at_wide!(by_dtype($result)?, $r => {
            let $parameters = Affine {
                weights: $layer.weights::<W>(&numbers)?,
                bias,
                accumulation,
                mode,
            };
            $body
        }) }
    }};
}

/// A fully connected layer of each row of float32.
#[pyfunction]
pub fn dense(
    py: Python<'_>,
    x: &Any<'_>,
    length: usize,
    outputs: usize,
    layer: Layer<'_>,
    result: &str,
    out: &Any<'_>,
) -> PyResult<()> {
    let x = read::<f32>(x)?;
    at_layer!(layer, result, R, parameters => {
        let out = write::<R>(out)?;
        if length == 0 || outputs == 0 || x.len() / length * outputs != out.len() {
            return Err(wrong("rows of other lengths"));
        }
        let rows = x.chunks_exact(length).zip(out.chunks_exact_mut(outputs));
        let done = without_gil(py, || each(rows, |(x, out)| {
            let mut scratch = vec![0; length + 2 * outputs];
            nn::dense(x, &parameters, |sum: R| sum, &mut scratch, out)?;
            Ok::<_, nn::NnError>(Status::NONE)
        }));
        done.map(drop).map_err(wrong)
    })
}

/// A convolution of each image of float32.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn convolve(
    py: Python<'_>,
    x: &Any<'_>,
    input: [usize; 3],
    channels: usize,
    windows: [[usize; 2]; 3],
    groups: usize,
    layer: Layer<'_>,
    result: &str,
    out: &Any<'_>,
) -> PyResult<()> {
    let x = read::<f32>(x)?;
    let [kernel, stride, padding] = windows;
    let sizes = Convolution {
        sizes: Conv2d {
            input,
            channels,
            kernel,
            stride,
            padding,
        },
        groups,
    };
    let (image, plane) = (
        input.iter().product::<usize>(),
        sizes.output().map_err(wrong)?.iter().product::<usize>(),
    );
    at_layer!(layer, result, R, parameters => {
        let out = write::<R>(out)?;
        if x.len() / image * plane != out.len() {
            return Err(wrong("images of other lengths"));
        }
        let images = x.chunks_exact(image).zip(out.chunks_exact_mut(plane));
        let done = without_gil(py, || each(images, |(x, out)| {
            let mut scratch = vec![0; sizes.scratch()];
            nn::convolve(x, &sizes, &parameters, |sum: R| sum, &mut scratch, out)?;
            Ok::<_, nn::NnError>(Status::NONE)
        }));
        done.map(drop).map_err(wrong)
    })
}

/// How many elements a thread takes at a time.
const PIECE: usize = 1 << 14;

/// The random bits of elements, from an index on.
#[pyfunction]
pub fn random_bits(
    py: Python<'_>,
    generator: &Any<'_>,
    seed: u64,
    first: u64,
    out: &Any<'_>,
) -> PyResult<()> {
    type Generator = fn(u64, u64) -> u16;
    const GENERATORS: [(&str, Generator); 2] =
        [("philox", philox_bits), ("threefry", threefry_bits)];
    let bits = args::named("generator", generator, &GENERATORS)?;
    let pieces = write::<u16>(out)?.chunks_mut(PIECE).enumerate();
    let one = |(number, piece): (usize, &mut [u16])| {
        let first = first.wrapping_add((number * PIECE) as u64);
        for (to, at) in piece.iter_mut().zip(0..) {
            *to = bits(seed, first.wrapping_add(at));
        }
        Ok::<_, String>(Status::NONE)
    };
    without_gil(py, || each(pieces, one))
        .map(drop)
        .map_err(wrong)
}
