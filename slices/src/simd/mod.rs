//! Kernels without branches, which LLVM vectorises.
//!
//! A lane reimplements a kernel on `u32`, for the results only (`status.rs` finds the flags): the
//! mode becomes a few constants before the loop, and every choice a select. Operands are first
//! widened to f32 codes, which is exact; only [`Rounder`] rounds. Nothing is taken on trust: the
//! sweep runs every row through its lane at every level (`sweep run --backend host-simd`), and the
//! conversions from f32 are compared with the kernels on all 2^32 operands.
//!
//! Comparisons, minimum and maximum, signs, neighbours and classes depend on codes as integers,
//! which are not widened (`codes.rs`).
//!
//! These loops use two float instructions, whose results do not depend on the rounding mode, and no
//! subnormals occur: the conversion of an integer below 2^24 to f32, which is exact and finds the
//! leading bit (vector units before AVX-512 have no instruction for that), and the quotient in
//! [`Div`], which is corrected afterwards. Exceptions:
//!
//! In ties to even with IEEE's overflow, arithmetic uses the processor's own instead
//! (`hardware.rs`), and with AVX-512 in the directed modes too (`avx512.rs`). In the other modes,
//! arithmetic of f16 and bf16 uses it with corrections (`directed.rs`). NVFP4 blocks use f32 and
//! f64 instructions, since their recipes are stated in these (`nvfp4.rs`), and functions of f32 are
//! by f64 (`double.rs`). They run only where the processor's floating-point state is the default
//! one, or where no step rounds.

mod add;
#[cfg_attr(any(miri, not(target_arch = "x86_64")), path = "without_avx512.rs")]
mod avx512;
pub mod bit_ops;
mod blocks;
mod convert;
mod directed;
mod div;
mod double;
mod fma;
mod from_f64;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri))))]
#[cfg_attr(target_arch = "x86_64", path = "f16c.rs")]
#[cfg_attr(target_arch = "aarch64", path = "fcvt.rs")]
mod halves;
mod hardware;
mod integral;
mod mul;
pub mod nvfp4;
mod operation;
mod packed;
mod parts;
mod rounder;
mod scale;
mod sqrt;
mod status;

pub use add::Add;
pub use blocks::{Dequantise, Element as BlockElement, Quantise, Wide, can_quantise};
pub use convert::{Narrow, Widen};
pub use div::Div;
pub use double::ByF64;
pub use fma::{Fma, FmaF32};
pub use from_f64::FromF64;
pub use hardware::DivF32;
pub use integral::Integral;
pub use mul::Mul;
pub use packed::{Pack, Unpack};
pub use rounder::no_bits;
pub use scale::{Decode, Encode};
pub use sqrt::Sqrt;

use crate::cost::Cost;
use crate::element::{Columns, Element, Function, Outputs};
use crate::level::{Level, Task};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format, Specials};
use bitexact::{Status, bf16, f16};

/// A branch-free kernel with its arguments turned into constants.
pub trait Lane<O, R, A>: Copy + Send + Sync {
    /// The constants; `None` where these arguments have no branch-free form.
    fn new(args: A) -> Option<Self>;
    /// The result of a row. `#[inline(always)]`.
    fn call(&self, operands: O) -> R;
    /// What a row costs.
    #[inline]
    fn cost(&self) -> Cost {
        Cost::moved::<O, R>()
    }
    /// Writes the results of all rows at a level, by hand-written code where there is some.
    #[inline]
    fn over<C: Columns<Row = O>, U: Outputs<Row = R>>(self, level: Level, columns: C, out: U) {
        level.run(Loop::<_, A, _, _>::new(self, columns, out));
    }
    /// The same, returning the exceptions that any row raised. None, with nothing written, where
    /// the kernel does both.
    #[inline]
    fn status<C: Columns<Row = O>, U: Outputs<Row = R>>(
        self,
        _level: Level,
        _columns: C,
        _out: &mut U,
        _kernel: impl Fn(&[O], &mut [R]) -> Status,
    ) -> Option<Status> {
        None
    }
}

/// Whether a format is another one.
const fn is<F: Float, G: Float>() -> bool {
    F::BITS == G::BITS && F::PRECISION == G::PRECISION && F::BIAS == G::BIAS
}

/// The lane of kernels that have no branch-free form.
#[derive(Clone, Copy)]
pub enum NoLane {}

impl<O, R, A> Lane<O, R, A> for NoLane {
    #[inline]
    fn new(_: A) -> Option<Self> {
        None
    }
    #[inline]
    fn call(&self, _: O) -> R {
        match *self {}
    }
    #[inline]
    fn over<C: Columns<Row = O>, U: Outputs<Row = R>>(self, _: Level, _: C, _: U) {
        match self {}
    }
}

/// A lane over slices, as the task that is compiled for each level.
struct Loop<L, A, C, U> {
    lane: L,
    args: core::marker::PhantomData<A>,
    columns: C,
    out: U,
}

impl<L, A, C, U> Loop<L, A, C, U> {
    fn new(lane: L, columns: C, out: U) -> Self {
        let args = core::marker::PhantomData;
        Self {
            lane,
            args,
            columns,
            out,
        }
    }
}

/// A lane as a function of rows.
struct Each<L, A>(L, core::marker::PhantomData<A>);

impl<O, R, A, L: Lane<O, R, A>> Function<O, R> for Each<L, A> {
    #[inline(always)]
    fn call(&mut self, operands: O) -> R {
        self.0.call(operands)
    }
}

impl<A, C: Columns, U: Outputs, L: Lane<C::Row, U::Row, A>> Task for Loop<L, A, C, U> {
    #[inline(always)]
    fn run(self) {
        self.out.fill(self.columns, &mut Each(self.lane, self.args));
    }
}

/// A format that lanes compute with: all except f64.
pub trait Float: Format + Element {
    /// Whether the significand has at most 11 bits.
    const SHORT: bool = Self::PRECISION <= 11;
}

macro_rules! floats {
    ($($ty:ident)*) => {
        $(impl Float for $ty {})*
    };
}
floats!(f16 bf16 f32 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E2M3 E3M2 E2M1);

/// `a` where the condition holds, otherwise `b`: a select, since both are computed.
#[inline(always)]
pub(crate) const fn select(condition: bool, a: u32, b: u32) -> u32 {
    if condition { a } else { b }
}

/// The infinity of f32; greater magnitudes are NaN.
pub(crate) const INFINITY: u32 = 0x7F80_0000;
/// The sign bit of f32.
pub(crate) const SIGN: u32 = 1 << 31;

/// The f32 code of the same value; a NaN becomes some NaN.
#[inline(always)]
pub(crate) fn widen<F: Float>(x: F) -> u32 {
    let bits = x.code() as u32;
    if F::BITS == 32 {
        return bits;
    }
    if F::BIAS == f32::BIAS {
        return bits << (32 - F::BITS);
    }
    let magnitude = bits & (F::SIGN as u32 - 1);
    let sign = (bits & F::SIGN as u32) << (32 - F::BITS);
    let rebias = ((f32::BIAS - F::BIAS) as u32) << 23;
    let moved = (magnitude << (f32::PRECISION - F::PRECISION)) + rebias;
    // The exponent field of special codes, all ones, must become that of f32.
    let special = select(magnitude > F::MAX_FINITE as u32, rebias, 0);
    // A subnormal is an integer times 2^(emin + 1 - p): it is converted, and its exponent lowered.
    let lower = ((F::PRECISION as i32 - 1 - F::EMIN) as u32) << 23;
    let integer = (magnitude as i32 as f32).to_bits();
    let subnormal = select(magnitude == 0, 0, integer.wrapping_sub(lower));
    let least_normal = 1 << (F::PRECISION - 1);
    let code = sign | select(magnitude < least_normal, subnormal, moved + special);
    // FNUZ has one special code, a NaN in place of -0.
    let nan = matches!(F::SPECIALS, Specials::Fnuz) & (bits == F::SIGN as u32);
    select(nan, !SIGN, code)
}
