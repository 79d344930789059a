//! The conversions between f32 and f16 of 64-bit ARM, four at a time, and f32 arithmetic between
//! them.
//!
//! Every such processor has them, and a loop of integer code needs twenty instructions where these
//! need one. They round as FPCR says, so they run only in the thread's default state. A NaN becomes
//! the canonical one. Rust's own functions for these instructions have a type that is not stable
//! yet, hence the assembly.
#![allow(unsafe_code)]

use super::operation::Operation;
use crate::environment;
use crate::level::Level;
use bitexact::{Mode, f16};
use core::arch::aarch64::{
    float32x4_t, uint16x4_t, vand_u16, vbsl_u16, vbslq_f32, vceqq_f32, vcgt_u16, vdup_n_u16,
    vdupq_n_f32, vld1_u16, vld1q_f32, vst1_u16, vst1q_f32,
};
use core::arch::asm;

/// Rows of a step.
const WIDE: usize = 4;
/// Ties to even, which is the default state's.
pub(super) const NEAREST: i32 = 0;

/// f32 to f16. False, with nothing written, in another mode than ties to even, or another state
/// than the default one.
#[inline]
pub(super) fn narrow(_: Level, mode: Mode, x: &[f32], out: &mut [f16]) -> bool {
    mode == Mode::TIES_TO_EVEN && write([x], out, |[x]| x)
}

/// f16 to f32, infinities kept. False, with nothing written, in another state than the default one.
#[inline]
pub(super) fn widen(_: Level, x: &[f16], out: &mut [f32]) -> bool {
    write([x], out, |[x]| x)
}

/// An operation of f32 on f16, rounded to f16. False, with nothing written, in another state than
/// the default one.
#[inline]
pub(super) fn pairs<O: Operation, const ROUNDING: i32>(
    _: Level,
    x: &[f16],
    y: &[f16],
    out: &mut [f16],
) -> bool {
    const { assert!(ROUNDING == NEAREST) };
    // SAFETY: every 64-bit ARM processor that runs this has NEON.
    write([x, y], out, |[x, y]| unsafe { O::of_4(x, y) })
}

/// A format with its loads and stores.
trait Wide: Copy + Default {
    /// # Safety
    ///
    /// The processor has NEON.
    unsafe fn load_4(x: &[Self; WIDE]) -> float32x4_t;
    /// Rounds and writes.
    ///
    /// # Safety
    ///
    /// The processor has NEON.
    unsafe fn store_4(x: float32x4_t, out: &mut [Self; WIDE]);
}

impl Wide for f32 {
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn load_4(x: &[f32; WIDE]) -> float32x4_t {
        // SAFETY: four f32, of any alignment.
        unsafe { vld1q_f32(x.as_ptr()) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn store_4(x: float32x4_t, out: &mut [f32; WIDE]) {
        let x = vbslq_f32(vceqq_f32(x, x), x, vdupq_n_f32(f32::NAN));
        // SAFETY: four f32, of any alignment.
        unsafe { vst1q_f32(out.as_mut_ptr(), x) };
    }
}

impl Wide for f16 {
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn load_4(x: &[f16; WIDE]) -> float32x4_t {
        let wide: float32x4_t;
        // SAFETY: four f16, which are transparent u16, of any alignment; the instruction writes its result and flags.
        unsafe {
            let codes: uint16x4_t = vld1_u16(x.as_ptr().cast());
            asm!("fcvtl {wide:v}.4s, {codes:v}.4h", wide = lateout(vreg) wide, codes = in(vreg) codes,
                options(pure, nomem, nostack));
        }
        wide
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn store_4(x: float32x4_t, out: &mut [f16; WIDE]) {
        let codes: uint16x4_t;
        // SAFETY: the instruction writes its result and flags.
        unsafe {
            asm!("fcvtn {codes:v}.4h, {x:v}.4s", codes = lateout(vreg) codes, x = in(vreg) x,
                options(pure, nomem, nostack));
        }
        let magnitude = vand_u16(codes, vdup_n_u16(0x7FFF));
        let is_nan = vcgt_u16(magnitude, vdup_n_u16(0x7C00));
        let codes = vbsl_u16(is_nan, vdup_n_u16(0x7E00), codes);
        // SAFETY: four f16, which are transparent u16, of any alignment.
        unsafe { vst1_u16(out.as_mut_ptr().cast(), codes) };
    }
}

/// All rows, in the default state.
#[inline]
fn write<const N: usize, T: Wide, R: Wide>(
    x: [&[T]; N],
    out: &mut [R],
    operation: impl Fn([float32x4_t; N]) -> float32x4_t,
) -> bool {
    if !environment::is_default() {
        return false;
    }
    let step = |x: [&[T; WIDE]; N], out: &mut [R; WIDE]| {
        // SAFETY: every 64-bit ARM processor that runs this has NEON.
        unsafe { R::store_4(operation(x.map(|x| T::load_4(x))), out) };
    };
    let blocks = x.map(|x| x.as_chunks::<WIDE>());
    let (out, out_rest) = out.as_chunks_mut::<WIDE>();
    let zeros = [T::default(); WIDE];
    for (at, out) in out.iter_mut().enumerate() {
        step(
            blocks.map(|(blocks, _)| blocks.get(at).unwrap_or(&zeros)),
            out,
        );
    }
    let last = blocks.map(|(_, rest)| {
        let mut block = zeros;
        block.iter_mut().zip(rest).for_each(|(to, x)| *to = *x);
        block
    });
    let mut results = [R::default(); WIDE];
    step(last.each_ref(), &mut results);
    out_rest.iter_mut().zip(results).for_each(|(to, x)| *to = x);
    true
}
