//! The processor's conversions between f32 and f16, eight at a time, and f32 arithmetic between
//! them.
//!
//! A loop of integer code needs thirty instructions where these need one. They are used only where
//! their result cannot depend on the floating-point environment: the instruction names its
//! rounding, ignores flush-to-zero, and denormals-are-zero changes nothing: an f16 subnormal is
//! read unchanged, an f32 subnormal gives zero in ties to even, and in the directions the operand
//! is a result of f16 operands, which is never an f32 subnormal, or the state is the default one. A
//! NaN becomes the canonical one by an integer select.
#![allow(unsafe_code)]

use super::operation::Operation;
use crate::environment;
use crate::level::Level;
use bitexact::{Mode, Overflow, Rounding, f16};
use core::arch::x86_64::{
    __m128i, __m256, _MM_FROUND_TO_NEAREST_INT, _MM_FROUND_TO_NEG_INF, _MM_FROUND_TO_POS_INF,
    _MM_FROUND_TO_ZERO, _mm_and_si128, _mm_blendv_epi8, _mm_cmpgt_epi16, _mm_loadu_si128,
    _mm_set1_epi16, _mm_storeu_si128, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castps_si256,
    _mm256_cmpgt_epi32, _mm256_loadu_ps, _mm256_set1_epi32, _mm256_storeu_si256,
};
#[cfg(not(miri))]
use core::arch::x86_64::{_mm256_cvtph_ps, _mm256_cvtps_ph};
#[cfg(miri)]
use interpreted::{_mm256_cvtph_ps, _mm256_cvtps_ph};

/// f32 to f16. False, with nothing written, if the level lacks the instruction or the instruction
/// the mode, or in the directed modes the processor's state is not the default one.
#[inline]
pub(super) fn narrow(level: Level, mode: Mode, x: &[f32], out: &mut [f16]) -> bool {
    let all = match mode.rounding {
        Rounding::TiesToEven => narrow_all::<NEAREST>,
        Rounding::TowardZero => narrow_all::<TO_ZERO>,
        Rounding::TowardPositive => narrow_all::<UP>,
        Rounding::TowardNegative => narrow_all::<DOWN>,
        Rounding::TiesToAway | Rounding::ToOdd => return false,
    };
    let even = mode.rounding == Rounding::TiesToEven;
    let may = level.has_f16c() && mode.overflow == Overflow::Ieee;
    if !may || !(even || environment::is_default()) {
        return false;
    }
    // SAFETY: the level is one that has AVX2 and F16C.
    unsafe { all(x, out) };
    true
}

/// f16 to f32, infinities kept. False if the level lacks the instruction.
#[inline]
pub(super) fn widen(level: Level, x: &[f16], out: &mut [f32]) -> bool {
    if level.has_f16c() {
        // SAFETY: the level is one that has AVX2 and F16C.
        unsafe { widen_all(x, out) };
    }
    level.has_f16c()
}

/// Ties to even, as the instruction names it.
pub(super) const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
pub(super) const DOWN: i32 = _MM_FROUND_TO_NEG_INF;
pub(super) const UP: i32 = _MM_FROUND_TO_POS_INF;
pub(super) const TO_ZERO: i32 = _MM_FROUND_TO_ZERO;

/// An operation of f32 on f16, rounded to f16, in a processor's default state. False, with nothing
/// written, if the level lacks the instructions.
#[inline]
pub(super) fn pairs<O: Operation, const ROUNDING: i32>(
    level: Level,
    x: &[f16],
    y: &[f16],
    out: &mut [f16],
) -> bool {
    if level.has_f16c() {
        // SAFETY: the level is one that has AVX2 and F16C.
        unsafe { pairs_all::<O, ROUNDING>(x, y, out) };
    }
    level.has_f16c()
}

#[target_feature(enable = "avx2,f16c")]
fn pairs_all<O: Operation, const ROUNDING: i32>(x: &[f16], y: &[f16], out: &mut [f16]) {
    let (blocks, rest) = x.as_chunks::<8>();
    let (y_blocks, y_rest) = y.as_chunks::<8>();
    let (out_blocks, out_rest) = out.as_chunks_mut::<8>();
    for ((x, y), out) in blocks.iter().zip(y_blocks).zip(out_blocks) {
        pairs_8::<O, ROUNDING>(x, y, out);
    }
    let (mut a, mut b, mut narrow) = ([f16::ONE; 8], [f16::ONE; 8], [f16::ZERO; 8]);
    a.iter_mut().zip(rest).for_each(|(to, x)| *to = *x);
    b.iter_mut().zip(y_rest).for_each(|(to, y)| *to = *y);
    pairs_8::<O, ROUNDING>(&a, &b, &mut narrow);
    out_rest.iter_mut().zip(narrow).for_each(|(to, x)| *to = x);
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn pairs_8<O: Operation, const ROUNDING: i32>(x: &[f16; 8], y: &[f16; 8], out: &mut [f16; 8]) {
    let (x, y) = (load_8(x), load_8(y));
    // SAFETY: AVX2 includes AVX.
    let result = unsafe { O::of_8(x, y) };
    if ROUNDING == NEAREST {
        store_8::<ROUNDING>(result, out);
    } else {
        // SAFETY: the function has AVX2.
        let odd = unsafe { O::odd_8(x, y, result, ROUNDING == DOWN) };
        store_8::<ROUNDING>(odd, out);
    }
}

#[target_feature(enable = "avx2,f16c")]
fn narrow_all<const ROUNDING: i32>(x: &[f32], out: &mut [f16]) {
    let (blocks, rest) = x.as_chunks::<8>();
    let (out_blocks, out_rest) = out.as_chunks_mut::<8>();
    for (x, out) in blocks.iter().zip(out_blocks) {
        narrow_8::<ROUNDING>(x, out);
    }
    let (mut block, mut narrow) = ([0.0; 8], [f16::ZERO; 8]);
    block.iter_mut().zip(rest).for_each(|(to, x)| *to = *x);
    narrow_8::<ROUNDING>(&block, &mut narrow);
    out_rest.iter_mut().zip(narrow).for_each(|(to, x)| *to = x);
}

#[target_feature(enable = "avx2,f16c")]
fn widen_all(x: &[f16], out: &mut [f32]) {
    let (blocks, rest) = x.as_chunks::<8>();
    let (out_blocks, out_rest) = out.as_chunks_mut::<8>();
    for (x, out) in blocks.iter().zip(out_blocks) {
        widen_8(x, out);
    }
    let (mut block, mut wide) = ([f16::ZERO; 8], [0.0; 8]);
    block.iter_mut().zip(rest).for_each(|(to, x)| *to = *x);
    widen_8(&block, &mut wide);
    out_rest.iter_mut().zip(wide).for_each(|(to, x)| *to = x);
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow_8<const ROUNDING: i32>(x: &[f32; 8], out: &mut [f16; 8]) {
    // SAFETY: eight f32, of any alignment.
    store_8::<ROUNDING>(unsafe { _mm256_loadu_ps(x.as_ptr()) }, out);
}

/// Eight f32, rounded to f16.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn store_8<const ROUNDING: i32>(wide: __m256, out: &mut [f16; 8]) {
    let code = _mm256_cvtps_ph::<ROUNDING>(wide);
    let magnitude = _mm_and_si128(code, _mm_set1_epi16(0x7FFF));
    let is_nan = _mm_cmpgt_epi16(magnitude, _mm_set1_epi16(0x7C00));
    let code = _mm_blendv_epi8(code, _mm_set1_epi16(0x7E00), is_nan);
    // SAFETY: eight f16, 16 bytes, of any alignment; f16 is a transparent u16.
    unsafe { _mm_storeu_si128(out.as_mut_ptr().cast::<__m128i>(), code) };
}

/// Eight f16 as f32.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn load_8(x: &[f16; 8]) -> __m256 {
    // SAFETY: eight f16, 16 bytes, of any alignment; f16 is a transparent u16.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(x.as_ptr().cast::<__m128i>()) })
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn widen_8(x: &[f16; 8], out: &mut [f32; 8]) {
    let wide = _mm256_castps_si256(load_8(x));
    let magnitude = _mm256_and_si256(wide, _mm256_set1_epi32(0x7FFF_FFFF));
    let is_nan = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x7F80_0000));
    let wide = _mm256_blendv_epi8(wide, _mm256_set1_epi32(0x7FC0_0000), is_nan);
    // SAFETY: eight f32, 32 bytes, of any alignment.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), wide) };
}

/// The two conversions, which Miri lacks, so that it runs the loads and stores around them.
#[cfg(miri)]
mod interpreted {
    use super::{__m128i, __m256, Mode, f16};
    use bitexact::convert::convert;
    use core::mem::transmute;

    pub(super) fn _mm256_cvtps_ph<const ROUNDING: i32>(x: __m256) -> __m128i {
        // SAFETY: eight f32, of the same size.
        let x: [f32; 8] = unsafe { transmute(x) };
        let mode = match ROUNDING {
            super::DOWN => Mode::TOWARD_NEGATIVE,
            super::UP => Mode::TOWARD_POSITIVE,
            super::TO_ZERO => Mode::TOWARD_ZERO,
            _ => Mode::TIES_TO_EVEN,
        };
        let codes = x.map(|x| convert::<f32, f16>(x, mode).to_bits());
        // SAFETY: eight u16, of the same size.
        unsafe { transmute(codes) }
    }

    pub(super) fn _mm256_cvtph_ps(x: __m128i) -> __m256 {
        // SAFETY: eight u16, of the same size.
        let codes: [u16; 8] = unsafe { transmute(x) };
        let wide = codes.map(|x| convert::<f16, f32>(f16::from_bits(x), Mode::TIES_TO_EVEN));
        // SAFETY: eight f32, of the same size.
        unsafe { transmute(wide) }
    }
}
