//! Arithmetic, conversions and integral values of f16, bf16 and f32, sixteen at a time, by
//! AVX-512's instructions that name their rounding.
//!
//! - **Directed modes**: every number of f16 and bf16 is one of f32. So the greatest of them that
//!   is at most x is also at most f32's greatest number up to x: rounding down to f32 and then to
//!   the narrow format gives what one rounding down gives, and likewise up and toward zero. This
//!   includes subnormal results, those that are too large, and zeros, whose signs the instructions
//!   set.
//! - **Ties to even**: two roundings give what one would, as `hardware.rs` and `sqrt.rs` show. A
//!   fused multiply-add is made odd where it is not exact ([`FusedOdd`]); `directed.rs` cites why
//!   that is enough.
//!
//! The instructions take no notice of the direction in MXCSR, but they do of its flags that make
//! subnormals zeros. So a thread's state has to be the default one. A NaN becomes the canonical
//! one.
#![allow(unsafe_code)]

use super::operation::{Difference, Product, Quotient, Root, Sum};
use crate::element::{Columns, Element, Outputs};
use crate::environment;
use crate::level::{Level, Set};
use bitexact::format::Format;
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use core::arch::x86_64::{
    __m256i, __m512, _CMP_NEQ_OQ, _CMP_UNORD_Q, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEAREST_INT,
    _MM_FROUND_TO_NEG_INF, _MM_FROUND_TO_POS_INF, _MM_FROUND_TO_ZERO, _mm256_loadu_si256,
    _mm256_mask_mov_epi16, _mm256_set1_epi16, _mm256_storeu_si256, _mm512_add_epi32,
    _mm512_add_round_ps, _mm512_and_si512, _mm512_andnot_si512, _mm512_castps_si512,
    _mm512_castsi512_ps, _mm512_cmp_ps_mask, _mm512_cvt_roundps_ph, _mm512_cvtepi32_epi16,
    _mm512_cvtepu16_epi32, _mm512_cvtph_ps, _mm512_div_round_ps, _mm512_fmadd_round_ps,
    _mm512_loadu_ps, _mm512_mask_mov_ps, _mm512_mask_or_epi32, _mm512_mul_round_ps,
    _mm512_roundscale_round_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_slli_epi32,
    _mm512_sqrt_round_ps, _mm512_srai_epi32, _mm512_srli_epi32, _mm512_storeu_ps,
    _mm512_sub_round_ps,
};

const EVEN: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
const TO_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

/// Rows of a step.
const WIDE: usize = 16;
/// Shorter slices take another loop, whose start is cheaper.
const SHORT: usize = WIDE;

/// An operation of f32 on sixteen rows.
pub(super) trait Operation<const N: usize> {
    /// The results. Implementations have the target feature AVX-512 F.
    ///
    /// # Safety
    ///
    /// The processor has AVX-512 F.
    unsafe fn of_16<const ROUNDING: i32>(x: [__m512; N]) -> __m512;
}

macro_rules! operations {
    ($($operation:ty, $count:literal, |$operands:pat_param| $result:expr;)*) => {$(
        impl Operation<$count> for $operation {
            #[inline]
            #[target_feature(enable = "avx512f")]
            unsafe fn of_16<const ROUNDING: i32>($operands: [__m512; $count]) -> __m512 {
                $result
            }
        }
    )*};
}
operations! {
    Sum, 2, |[x, y]| _mm512_add_round_ps::<ROUNDING>(x, y);
    Difference, 2, |[x, y]| _mm512_sub_round_ps::<ROUNDING>(x, y);
    Product, 2, |[x, y]| _mm512_mul_round_ps::<ROUNDING>(x, y);
    Quotient, 2, |[x, y]| _mm512_div_round_ps::<ROUNDING>(x, y);
    Root, 1, |[x]| _mm512_sqrt_round_ps::<ROUNDING>(x);
    Fused, 3, |[x, y, z]| _mm512_fmadd_round_ps::<ROUNDING>(x, y, z);
    FusedOdd, 3, |[x, y, z]| {
        let near = _mm512_fmadd_round_ps::<TO_ZERO>(x, y, z);
        let [down, up] = [
            _mm512_fmadd_round_ps::<DOWN>(x, y, z),
            _mm512_fmadd_round_ps::<UP>(x, y, z),
        ];
        let inexact = _mm512_cmp_ps_mask::<_CMP_NEQ_OQ>(down, up);
        let code = _mm512_castps_si512(near);
        _mm512_castsi512_ps(_mm512_mask_or_epi32(code, inexact, code, _mm512_set1_epi32(1)))
    };
    Same, 1, |[x]| x;
    Integer, 1, |[x]| match ROUNDING {
        DOWN => _mm512_roundscale_round_ps::<_MM_FROUND_TO_NEG_INF, _MM_FROUND_NO_EXC>(x),
        UP => _mm512_roundscale_round_ps::<_MM_FROUND_TO_POS_INF, _MM_FROUND_NO_EXC>(x),
        TO_ZERO => _mm512_roundscale_round_ps::<_MM_FROUND_TO_ZERO, _MM_FROUND_NO_EXC>(x),
        _ => _mm512_roundscale_round_ps::<_MM_FROUND_TO_NEAREST_INT, _MM_FROUND_NO_EXC>(x),
    };
}

/// The fused multiply-add.
pub(super) struct Fused;
/// The same in ties to even for the narrow formats: of the two neighbours of a result that is not
/// exact, the odd one, which is the one toward zero with its last bit set. A result is not exact
/// where rounding down and up differ; zeros of both signs compare equal.
pub(super) struct FusedOdd;
/// The operand itself, which only its conversion rounds.
pub(super) struct Same;
/// The integral value.
pub(super) struct Integer;

/// A format with its loads and stores.
pub(super) trait Wide: Format + Element {
    /// # Safety
    ///
    /// The processor has AVX-512.
    unsafe fn load_16(x: &[Self; WIDE]) -> __m512;
    /// Rounds and writes.
    ///
    /// # Safety
    ///
    /// The processor has AVX-512.
    unsafe fn store_16<const ROUNDING: i32>(x: __m512, out: &mut [Self; WIDE]);
}

impl Wide for f32 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load_16(x: &[f32; WIDE]) -> __m512 {
        // SAFETY: sixteen f32, of any alignment.
        unsafe { _mm512_loadu_ps(x.as_ptr()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn store_16<const ROUNDING: i32>(x: __m512, out: &mut [f32; WIDE]) {
        let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x, x);
        let x = _mm512_mask_mov_ps(x, is_nan, _mm512_set1_ps(f32::NAN));
        // SAFETY: as above.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), x) };
    }
}

/// Sixteen codes of 16 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn codes<T: Wide>(x: &[T; WIDE]) -> __m256i {
    const { assert!(size_of::<T>() == 2) };
    // SAFETY: 32 bytes, of any alignment; f16 and bf16 are transparent u16.
    unsafe { _mm256_loadu_si256(x.as_ptr().cast::<__m256i>()) }
}

/// Writes them, with the canonical NaN where the result is one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn write_codes<T: Wide>(codes: __m256i, x: __m512, nan: i16, out: &mut [T; WIDE]) {
    const { assert!(size_of::<T>() == 2) };
    let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x, x);
    let codes = _mm256_mask_mov_epi16(codes, is_nan, _mm256_set1_epi16(nan));
    // SAFETY: 32 bytes, of any alignment; f16 and bf16 are transparent u16.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), codes) };
}

impl Wide for f16 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load_16(x: &[f16; WIDE]) -> __m512 {
        _mm512_cvtph_ps(codes(x))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    unsafe fn store_16<const ROUNDING: i32>(x: __m512, out: &mut [f16; WIDE]) {
        write_codes(_mm512_cvt_roundps_ph::<ROUNDING>(x), x, 0x7E00, out);
    }
}

impl Wide for bf16 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load_16(x: &[bf16; WIDE]) -> __m512 {
        _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(codes(x))))
    }

    /// The code's first half, after the second half has carried into it, or not.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    unsafe fn store_16<const ROUNDING: i32>(x: __m512, out: &mut [bf16; WIDE]) {
        let code = _mm512_castps_si512(x);
        let minus = _mm512_srai_epi32::<31>(code);
        let most = _mm512_set1_epi32(0xFFFF);
        let code = match ROUNDING {
            TO_ZERO => code,
            UP => _mm512_add_epi32(code, _mm512_andnot_si512(minus, most)),
            DOWN => _mm512_add_epi32(code, _mm512_and_si512(minus, most)),
            _ => {
                let last = _mm512_and_si512(_mm512_srli_epi32::<16>(code), _mm512_set1_epi32(1));
                let half = _mm512_add_epi32(last, _mm512_set1_epi32(0x7FFF));
                _mm512_add_epi32(code, half)
            }
        };
        let codes = _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(code));
        write_codes(codes, x, 0x7FC0, out);
    }
}

/// All rows.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn each<const N: usize, const ROUNDING: i32, O: Operation<N>, T: Wide, R: Wide>(
    x: [&[T]; N],
    out: &mut [R],
) {
    let blocks = x.map(|x| x.as_chunks::<WIDE>());
    let (out, out_rest) = out.as_chunks_mut::<WIDE>();
    let zeros = [T::of_code(0); WIDE];
    let step = |x: [&[T; WIDE]; N], out: &mut [R; WIDE]| {
        // SAFETY: the function has these features.
        unsafe { R::store_16::<ROUNDING>(O::of_16::<ROUNDING>(x.map(|x| T::load_16(x))), out) };
    };
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
    let mut results = [R::of_code(0); WIDE];
    step(last.each_ref(), &mut results);
    out_rest.iter_mut().zip(results).for_each(|(to, x)| *to = x);
}

/// Whether this module has the mode: IEEE 754's four directions and its overflow.
pub(super) const fn has(level: Level, mode: Mode) -> bool {
    let rounding = !matches!(mode.rounding, Rounding::TiesToAway | Rounding::ToOdd);
    let ieee = matches!(mode.overflow, Overflow::Ieee);
    matches!(level.set(), Set::Avx512) & rounding & ieee
}

/// Whether the mode is ties to even, or one that this module has at this machine's best level: for
/// lanes without an integer loop.
#[inline]
pub(super) fn or_even(mode: Mode) -> bool {
    mode == Mode::TIES_TO_EVEN || has(Level::best(), mode)
}

/// Writes conversions from f32.
#[inline]
pub(super) fn narrow<C: Columns, U: Outputs>(
    level: Level,
    mode: Mode,
    columns: C,
    out: &mut U,
) -> bool {
    has(level, mode)
        && (of_type::<1, Same, f32, f16, C, U>(mode, columns, out)
            || of_type::<1, Same, f32, bf16, C, U>(mode, columns, out))
}

/// Writes fused multiply-adds.
#[inline]
pub(super) fn fma<C: Columns, U: Outputs>(
    level: Level,
    mode: Mode,
    columns: C,
    out: &mut U,
) -> bool {
    if mode == Mode::TIES_TO_EVEN {
        has(level, mode)
            && (of_type::<3, FusedOdd, f16, f16, C, U>(mode, columns, out)
                || of_type::<3, FusedOdd, bf16, bf16, C, U>(mode, columns, out))
    } else {
        write::<3, Fused, C, U>(level, mode, columns, out)
    }
}

/// Writes the results of an operation on rows of one format, in a mode. False, with nothing
/// written, for other formats, short slices, and where the level, the mode or the processor's state
/// does not allow it.
#[inline]
pub(super) fn write<const N: usize, O: Operation<N>, C: Columns, U: Outputs>(
    level: Level,
    mode: Mode,
    columns: C,
    out: &mut U,
) -> bool {
    has(level, mode)
        && (of_type::<N, O, f16, f16, C, U>(mode, columns, out)
            || of_type::<N, O, bf16, bf16, C, U>(mode, columns, out)
            || of_type::<N, O, f32, f32, C, U>(mode, columns, out))
}

/// The same for formats of operands and results, at a level and in a mode that this module has.
#[inline]
fn of_type<const N: usize, O: Operation<N>, T: Wide, R: Wide, C: Columns, U: Outputs>(
    mode: Mode,
    columns: C,
    out: &mut U,
) -> bool {
    let (Some(x), Some(out)) = (columns.all::<T, N>(), out.only_mut::<R>()) else {
        return false;
    };
    if out.len() < SHORT || !environment::is_default() {
        return false;
    }
    let run = match mode.rounding {
        Rounding::TowardZero => each::<N, TO_ZERO, O, T, R>,
        Rounding::TowardPositive => each::<N, UP, O, T, R>,
        Rounding::TowardNegative => each::<N, DOWN, O, T, R>,
        Rounding::TiesToEven => each::<N, EVEN, O, T, R>,
        Rounding::TiesToAway | Rounding::ToOdd => return false,
    };
    // SAFETY: the callers have asked for the level, which has these features.
    unsafe { run(x, out) };
    true
}
