//! The composites as parallel bodies, and the list of their entries.
//!
//! A body does one thread's share of the work, for any grid shape, using the kernels of `bitexact`.
//! No thread waits for another. Threads change shared data only by atomic integer operations whose
//! order does not affect the result. So threads may run in any sequence, and the source of a device
//! entry also runs on a host, thread by thread.

pub mod blocks;
pub mod epilogue;
pub mod function;
pub mod layers;
pub mod mixed;
pub mod reduce;
pub mod rows;
pub mod scatter;

/// The types that the list names.
pub mod scope {
    pub use crate::abi::{Product, Scatter};
    pub use bitexact::format::{Binary32, E2M1, E4M3FN, E5M2, bf16, f16};
    pub use bitexact::scale::E8M0;
}

/// Calls `$callback!` for each entry with its name, the body's module and name, the type parameters
/// of the body and of this entry, and the parameters other than the place. An entry whose name ends
/// in `_rn` has f32 instructions, each of which rounds to nearest by itself.
macro_rules! for_each_composite {
    ($callback:ident) => {
        $crate::composite::entries! {
            $callback reduce gemm [T A]
            (
                a: *const T, b: *const T, out: *mut A, flags: *mut u8, walk: *const Product,
                how: u32, mode: u32
            )
            gemm_f16_f16 (f16 f16) gemm_f16_f32 (f16 Binary32)
            gemm_bf16_bf16 (bf16 bf16) gemm_bf16_f32 (bf16 Binary32)
            gemm_f32_f32 (Binary32 Binary32)
            gemm_e4m3fn_f32 (E4M3FN Binary32) gemm_e5m2_f32 (E5M2 Binary32)
        }
        $crate::composite::entries! {
            $callback epilogue finish []
            (
                sums: *const Binary32, m: u64, n: u64, bias: *const Binary32, sum_mode: u32,
                to: u32, mode: u32, table: *const u8, bytes: u32,
                number: u32, first: u64, second: u64, third: u64, fourth: u64,
                out: *mut u8, out_row: i64, out_column: i64
            )
            gemm_epilogue ()
        }
        $crate::composite::entries! {
            $callback rows mean [T R]
            (x: *const T, length: usize, rows: usize, out: *mut R, flags: *mut u8, mode: u32)
            mean_f16_f16 (f16 f16) mean_f16_f32 (f16 Binary32)
            mean_bf16_bf16 (bf16 bf16) mean_bf16_f32 (bf16 Binary32)
            mean_f32_f32 (Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows variance [T R]
            (
                x: *const T, length: usize, rows: usize, out: *mut R, flags: *mut u8,
                missing: u32, mode: u32
            )
            variance_f16_f16 (f16 f16) variance_f16_f32 (f16 Binary32)
            variance_bf16_bf16 (bf16 bf16) variance_bf16_f32 (bf16 Binary32)
            variance_f32_f32 (Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows standard_deviation [T R]
            (
                x: *const T, length: usize, rows: usize, out: *mut R, flags: *mut u8,
                missing: u32, mode: u32
            )
            standard_deviation_f16_f16 (f16 f16) standard_deviation_f16_f32 (f16 Binary32)
            standard_deviation_bf16_bf16 (bf16 bf16) standard_deviation_bf16_f32 (bf16 Binary32)
            standard_deviation_f32_f32 (Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows norm [T R]
            (x: *const T, length: usize, rows: usize, out: *mut R, flags: *mut u8, mode: u32)
            norm_f16_f16 (f16 f16) norm_f16_f32 (f16 Binary32)
            norm_bf16_bf16 (bf16 bf16) norm_bf16_f32 (bf16 Binary32)
            norm_f32_f32 (Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows softmax [T R]
            (x: *const T, length: usize, rows: usize, out: *mut R, mode: u32)
            softmax_f16_f16_rn (f16 f16) softmax_f16_f32_rn (f16 Binary32)
            softmax_bf16_bf16_rn (bf16 bf16) softmax_bf16_f32_rn (bf16 Binary32)
            softmax_f32_f32_rn (Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows log_softmax [T R]
            (x: *const T, length: usize, rows: usize, out: *mut R, mode: u32)
            log_softmax_f16_f16_rn (f16 f16) log_softmax_f16_f32_rn (f16 Binary32)
            log_softmax_bf16_bf16_rn (bf16 bf16) log_softmax_bf16_f32_rn (bf16 Binary32)
            log_softmax_f32_f32_rn (Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows layer_norm [T W R]
            (
                x: *const T, length: usize, rows: usize, weight: *const W, bias: *const W,
                epsilon: u32, out: *mut R, mode: u32
            )
            layer_norm_f16_f16_f16 (f16 f16 f16) layer_norm_f16_f16_f32 (f16 f16 Binary32)
            layer_norm_f16_f32_f16 (f16 Binary32 f16) layer_norm_f16_f32_f32 (f16 Binary32 Binary32)
            layer_norm_bf16_bf16_bf16 (bf16 bf16 bf16) layer_norm_bf16_bf16_f32 (bf16 bf16 Binary32)
            layer_norm_bf16_f32_bf16 (bf16 Binary32 bf16)
            layer_norm_bf16_f32_f32 (bf16 Binary32 Binary32)
            layer_norm_f32_f32_f32 (Binary32 Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback rows rms_norm [T W R]
            (
                x: *const T, length: usize, rows: usize, weight: *const W, epsilon: u32,
                out: *mut R, mode: u32
            )
            rms_norm_f16_f16_f16 (f16 f16 f16) rms_norm_f16_f16_f32 (f16 f16 Binary32)
            rms_norm_f16_f32_f16 (f16 Binary32 f16) rms_norm_f16_f32_f32 (f16 Binary32 Binary32)
            rms_norm_bf16_bf16_bf16 (bf16 bf16 bf16) rms_norm_bf16_bf16_f32 (bf16 bf16 Binary32)
            rms_norm_bf16_f32_bf16 (bf16 Binary32 bf16)
            rms_norm_bf16_f32_f32 (bf16 Binary32 Binary32)
            rms_norm_f32_f32_f32 (Binary32 Binary32 Binary32)
        }
        $crate::composite::entries! {
            $callback layers conv2d []
            (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut f32, n: usize,
                channels: usize, height: usize, width: usize, filters: usize, taps_down: usize,
                taps_across: usize, down: usize, across: usize, above: usize, left: usize
            )
            conv2d_rn ()
        }
        $crate::composite::entries! {
            $callback layers batch_norm []
            (
                x: *mut f32, n: usize, channels: usize, elements: usize, mean: *const f32,
                variance: *const f32, weight: *const f32, bias: *const f32, epsilon: u32
            )
            batch_norm_rn ()
        }
        $crate::composite::entries! {
            $callback layers linear []
            (
                x: *const f32, inputs: usize, weights: *const f32, bias: *const f32,
                out: *mut f32, outputs: usize, n: usize
            )
            linear_rn ()
        }
        $crate::composite::entries! {
            $callback layers avg_pool2d []
            (
                x: *const f32, out: *mut f32, n: usize, channels: usize, height: usize,
                width: usize, rows: usize, columns: usize, taps_down: usize, taps_across: usize,
                down: usize, across: usize
            )
            avg_pool2d_rn ()
        }
        $crate::composite::entries! {
            $callback layers adaptive_avg_pool2d []
            (
                x: *const f32, out: *mut f32, n: usize, channels: usize, height: usize,
                width: usize, rows: usize, columns: usize
            )
            adaptive_avg_pool2d_rn ()
        }
        $crate::composite::entries! {
            $callback layers gelu [] (x: *const f32, out: *mut f32, n: usize) gelu_rn ()
        }
        $crate::composite::entries! {
            $callback layers exp [] (x: *const f32, out: *mut f32, n: usize) exp_rn ()
        }
        $crate::composite::entries! {
            $callback layers ln [] (x: *const f32, out: *mut f32, n: usize) ln_rn ()
        }
        $crate::composite::entries! {
            $callback layers erf [] (x: *const f32, out: *mut f32, n: usize) erf_rn ()
        }
        $crate::composite::entries! {
            $callback layers relu [] (x: *const Binary32, out: *mut Binary32, n: usize) relu_f32 ()
        }
        $crate::composite::entries! {
            $callback layers scale_codes []
            (
                x: *const f32, n: usize, epsilon: u32, policy: u64, codes: *mut E8M0,
                numbers: *mut f32
            )
            scale_codes_rn ()
        }
        $crate::composite::entries! {
            $callback mixed add []
            (a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, mode: u32, formats: u32)
            add_mixed ()
        }
        $crate::composite::entries! {
            $callback mixed add_stochastic []
            (
                a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, random: *const u16,
                overflow: u32, formats: u32
            )
            add_mixed_stochastic ()
        }
        $crate::composite::entries! {
            $callback mixed sub []
            (a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, mode: u32, formats: u32)
            sub_mixed ()
        }
        $crate::composite::entries! {
            $callback mixed sub_stochastic []
            (
                a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, random: *const u16,
                overflow: u32, formats: u32
            )
            sub_mixed_stochastic ()
        }
        $crate::composite::entries! {
            $callback mixed mul []
            (a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, mode: u32, formats: u32)
            mul_mixed ()
        }
        $crate::composite::entries! {
            $callback mixed mul_stochastic []
            (
                a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, random: *const u16,
                overflow: u32, formats: u32
            )
            mul_mixed_stochastic ()
        }
        $crate::composite::entries! {
            $callback mixed div []
            (a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, mode: u32, formats: u32)
            div_mixed ()
        }
        $crate::composite::entries! {
            $callback mixed div_stochastic []
            (
                a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8, n: usize, random: *const u16,
                overflow: u32, formats: u32
            )
            div_mixed_stochastic ()
        }
        $crate::composite::entries! {
            $callback mixed fma []
            (a: *const u8, b: *const u8, c: *const u8, out: *mut u8, flags: *mut u8, n: usize, mode: u32, formats: u32)
            fma_mixed ()
        }
        $crate::composite::entries! {
            $callback mixed fma_stochastic []
            (
                a: *const u8, b: *const u8, c: *const u8, out: *mut u8, flags: *mut u8, n: usize, random: *const u16,
                overflow: u32, formats: u32
            )
            fma_mixed_stochastic ()
        }
        $crate::composite::entries! {
            $callback scatter slice_scatter [T]
            (x: *const T, src: *const T, out: *mut T, n: usize, walk: *const Scatter)
            slice_scatter_8 (u8) slice_scatter_16 (u16) slice_scatter_32 (u32)
            slice_scatter_64 (u64) slice_scatter_128 (u128)
        }
        $crate::composite::entries! {
            $callback scatter slice_scatter_rows [T]
            (x: *const T, src: *const T, out: *mut T, n: u32, row: u32, start: u32, count: u32, x_row: isize, src_row: isize, src_step: u32)
            slice_scatter_rows_128 (u128)
        }
    };
}
pub(crate) use for_each_composite;

/// One call of the callback for each entry of a body.
macro_rules! entries {
    (
        $callback:ident $module:ident $body:ident $types:tt $parameters:tt
        $($name:ident $actual:tt)+
    ) => {
        $($callback! { $name $module $body $types $actual $parameters })+
    };
}
pub(crate) use entries;

/// The elements from `x` on; if there are none, `x` may be anything.
///
/// # Safety
///
/// This much of `x` may be read, and nothing else writes there meanwhile.
#[inline(always)]
unsafe fn part<'a, T>(x: *const T, from: usize, length: usize) -> &'a [T] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts(x.add(from), length) }
}

/// The same, to be written.
///
/// # Safety
///
/// This much of `x` may be written, and nothing else reads or writes there meanwhile.
#[inline(always)]
unsafe fn part_mut<'a, T>(x: *mut T, from: usize, length: usize) -> &'a mut [T] {
    if length == 0 {
        return &mut [];
    }
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts_mut(x.add(from), length) }
}

/// Writes the flags of item `i`, if they are requested.
///
/// # Safety
///
/// `flags` is null or has more than `i` bytes.
#[inline(always)]
pub unsafe fn put_flags(flags: *mut u8, i: usize, status: bitexact::Status) {
    if !flags.is_null() {
        // SAFETY: the caller's.
        unsafe { *flags.add(i) = status.bits() };
    }
}
