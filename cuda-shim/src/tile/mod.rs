//! The composites at the machine's speed: bodies of whole blocks of threads.
//!
//! A body is one block's share of the work, written as phases: what each thread does up to a barrier.
//! A device runs a phase once, for the thread that it is; a host runs it for one thread after the
//! other, in any order, and then the next phase. So the same source is an entry and can be tested
//! without a GPU. A thread keeps its state from one phase to the next in a value of its own, and
//! threads communicate through the block's shared memory or through shuffles within a warp.
//!
//! A body gives the bits of its definition, a body of [`composite`](crate::composite) or a kernel of
//! `bitexact`, in a domain that its file states. It may compute with floats where IEEE 754 fixes what
//! an instruction does: an entry whose name ends in `_fma` or `_fma_mma` has sums, products and fused
//! multiply-adds to the nearest, and conversions; one whose name ends in `_rn` has sums, products and quotients to the
//! nearest, and fuses none.

pub mod blocks;
#[cfg(not(target_arch = "nvptx64"))]
pub mod bounds;
pub mod chains;
#[cfg_attr(
    all(target_arch = "nvptx64", not(target_feature = "sm_80")),
    allow(dead_code, reason = "its instructions are those of sm_80")
)]
pub mod exact;
pub mod exact_low;
pub mod gemm;
pub mod lane_sums;
pub mod layer_norm;
pub mod layers;
pub mod machine;
pub mod means;
#[cfg_attr(
    target_arch = "nvptx64",
    allow(
        dead_code,
        reason = "its instructions are those of sm_80, and the host asks for sizes"
    )
)]
pub mod mx;
#[cfg_attr(
    target_arch = "nvptx64",
    allow(dead_code, reason = "the host makes pairs of types")
)]
pub mod mx_results;
pub mod nvfp4;
pub mod packing;
pub mod packs;
pub mod row;
pub mod softmax;
pub mod squares;
pub mod sums;

/// Threads of a warp.
pub const WARP: usize = 32;

/// A block of threads.
pub trait ThreadBlock {
    /// A value for each thread: on a device one, in registers.
    type Each<T>;
    /// The block's memory.
    type Memory: Memory;

    /// The block's number in its grid.
    fn number(&self) -> usize;
    /// The grid's blocks.
    fn blocks(&self) -> usize;
    /// What `f` makes for each thread.
    fn make<T>(&self, f: impl FnMut(usize) -> T) -> Self::Each<T>;
    /// Has each thread do `f`, which uses no memory of the block's.
    fn each<T>(&self, own: &mut Self::Each<T>, f: impl FnMut(usize, &mut T));
    /// Gives each thread what another thread of its warp has: the one with the lane that `from` says
    /// for its own. Every warp is whole.
    fn exchange<T>(
        &self,
        own: &mut Self::Each<T>,
        from: impl Fn(usize) -> usize,
        get: impl Fn(&T) -> u32,
        put: impl FnMut(&mut T, u32),
    );
    /// What `f` says of every thread's value, which is the same for all.
    fn agreed<T>(&self, own: &Self::Each<T>, f: impl Fn(&T) -> u32) -> u32;
    /// Has each thread do `f`, and wait for all others. No thread reads what another writes in the
    /// same phase.
    fn phase<T>(&mut self, own: &mut Self::Each<T>, f: impl FnMut(usize, &mut T, Self::Memory));
    /// Has each thread do `f`, and wait for no other: no thread uses what another writes before the
    /// next barrier.
    fn step<T>(&mut self, own: &mut Self::Each<T>, f: impl FnMut(usize, &mut T, Self::Memory));
    /// Has each thread wait for what it has copied, but for the last two [commits](Memory::commit), and then
    /// for all others.
    fn arrive(&mut self);
    /// Multiplies each warp's digits, unless its threads say that they are not needed: as integers on the
    /// tensor cores.
    fn multiply<T, O: Operands>(
        &self,
        own: &mut Self::Each<T>,
        f: impl FnMut(&mut T) -> (bool, &mut O),
    );
}

/// Digits that the tensor cores multiply, and sums of their products, in registers: a lane's.
pub trait Operands {
    /// Calls `f` with 16 by 8 sums, and what is multiplied and added to them, 16 by 32 and 32 by 8 digits; keeps the sums
    /// that it gives.
    fn each(&mut self, f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]);
}

/// A block's memory: addresses count bytes from its beginning.
pub trait Memory: Copy {
    /// Reads a word.
    ///
    /// # Safety
    ///
    /// `at` is within the block's memory and a multiple of 4, and no other thread writes there in
    /// this phase.
    unsafe fn read(self, at: usize) -> u32;
    /// Writes a word.
    ///
    /// # Safety
    ///
    /// `at` is within the block's memory and a multiple of 4, and no other thread uses it in this
    /// phase.
    unsafe fn write(self, at: usize, word: u32);
    /// Reads eight bytes.
    ///
    /// # Safety
    ///
    /// As [`read`](Memory::read), of 8 bytes.
    unsafe fn read2(self, at: usize) -> u64;
    /// Writes eight bytes.
    ///
    /// # Safety
    ///
    /// As [`write`](Memory::write), of 8 bytes.
    unsafe fn write2(self, at: usize, word: u64);
    /// Reads four words.
    ///
    /// # Safety
    ///
    /// As [`read`](Memory::read), of 16 bytes.
    unsafe fn read4(self, at: usize) -> [u32; 4];
    /// Writes four words.
    ///
    /// # Safety
    ///
    /// As [`write`](Memory::write), of 16 bytes.
    unsafe fn write4(self, at: usize, words: [u32; 4]);
    /// Begins to copy 16 bytes here.
    ///
    /// # Safety
    ///
    /// As [`write4`](Memory::write4), until the copies have [arrived](ThreadBlock::arrive); `from` may be read, and
    /// its address is a multiple of 16.
    unsafe fn copy4(self, at: usize, from: *const Words4);
    /// Ends a group of copies.
    fn commit(self);
}

/// Stops a host where a device would stop.
#[inline(always)]
fn check<T>(at: *const T) {
    #[cfg(not(target_arch = "nvptx64"))]
    assert!(at.is_aligned(), "{at:p} is not aligned");
    let _ = at;
}

/// Sixteen bytes of memory, that are loaded and stored as one.
#[repr(C, align(16))]
pub struct Words4([u32; 4]);

/// Loads 16 bytes.
///
/// # Safety
///
/// They may be read, and their address is a multiple of 16.
#[inline(always)]
pub unsafe fn load4(at: *const Words4) -> [u32; 4] {
    check(at);
    // Word by word: a copy of the whole would be cut into 8-byte pieces.
    // SAFETY: the caller's.
    let [a, b, c, d] = unsafe { &(*at).0 };
    [*a, *b, *c, *d]
}

/// Stores 16 bytes.
///
/// # Safety
///
/// They may be written, and their address is a multiple of 16.
#[inline(always)]
pub unsafe fn store4(at: *mut Words4, words: [u32; 4]) {
    check(at);
    // SAFETY: the caller's.
    let [a, b, c, d] = unsafe { &mut (*at).0 };
    [*a, *b, *c, *d] = words;
}

/// Eight bytes of memory, that are loaded and stored as one.
#[repr(C, align(8))]
pub struct Words2([u32; 2]);

/// Loads 8 bytes.
///
/// # Safety
///
/// They may be read, and their address is a multiple of 8.
#[inline(always)]
pub unsafe fn load2(at: *const Words2) -> [u32; 2] {
    check(at);
    // SAFETY: the caller's.
    let [a, b] = unsafe { &(*at).0 };
    [*a, *b]
}

/// Stores 8 bytes.
///
/// # Safety
///
/// They may be written, and their address is a multiple of 8.
#[inline(always)]
pub unsafe fn store2(at: *mut Words2, words: [u32; 2]) {
    check(at);
    // SAFETY: the caller's.
    let [a, b] = unsafe { &mut (*at).0 };
    [*a, *b] = words;
}

/// The body, once for each of these numbers as a constant of that name: an array's index that is no
/// constant would keep it out of registers.
macro_rules! unroll {
    ($name:ident in [$($k:literal)*] $body:block) => {
        $({
            const $name: usize = $k;
            $body
        })*
    };
}
pub(crate) use unroll;

/// The types that the list names.
pub mod scope {
    pub use crate::tile::layers::{Fours, Singles};
    pub use crate::tile::sums::Terms;
    use crate::tile::sums::{Products, Values};
    pub use crate::tile::{Words2, Words4};
    pub use bitexact::format::{
        Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, bf16, f16,
    };
    pub use bitexact::scale::{E8M0, MxInt8};
    pub type HalfValues = Values<f16>;
    pub type BfloatValues = Values<bf16>;
    pub type SingleValues = Values<Binary32>;
    pub type HalfProducts = Products<f16>;
    pub type BfloatProducts = Products<bf16>;
    pub type SingleProducts = Products<Binary32>;
}

/// Calls `$callback!` for each entry with its name, the body's module and name, the body's type
/// parameters and this entry's, and the parameters beside the block.
macro_rules! for_each_tile {
    ($callback:ident) => {
        $crate::composite::entries! {
            $callback exact ranges [T]
            (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                found: *mut u32
            )
            gemm_ranges_f16 (f16) gemm_ranges_bf16 (bf16) gemm_ranges_f32 (Binary32)
            gemm_ranges_e4m3fn (E4M3FN) gemm_ranges_e5m2 (E5M2)
        }
        $crate::composite::entries! {
            $callback exact choice []
            (
                a_found: *const u32, a_lines: usize, b_found: *const u32, b_lines: usize,
                choice: *mut u32
            )
            gemm_choice ()
        }
        $crate::composite::entries! {
            $callback exact_low low [T]
            (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                found: *const u32, room: u32, counts: *mut u32, lists: *mut Words2,
                filled: *mut u32
            )
            gemm_low_f16 (f16) gemm_low_bf16 (bf16) gemm_low_f32 (Binary32)
            gemm_low_e4m3fn (E4M3FN) gemm_low_e5m2 (E5M2)
        }
        $crate::composite::entries! {
            $callback exact digits [T]
            (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                found: *const u32, groups: u32, room: u32, counts: *const u32, panels: u32, columns: u32,
                out: *mut Words4, marks: *mut u8, filled: *mut u32
            )
            gemm_digits_f16 (f16) gemm_digits_bf16 (bf16) gemm_digits_f32 (Binary32)
            gemm_digits_e4m3fn (E4M3FN) gemm_digits_e5m2 (E5M2)
        }
        $crate::composite::entries! {
            $callback exact round [T]
            (
                sums: *const Words4, short: *const u32, a: *const T, b: *const T, out: *mut u8,
                products: u32, a_matrices: u32, b_matrices: u32, m: u32, n: u32, k: u32,
                a_far: i64, a_row: i64, a_column: i64, b_far: i64, b_row: i64, b_column: i64,
                out_far: i64, out_row: i64, out_column: i64, groups: u32,
                a_found: *const u32, b_found: *const u32, room: u32,
                a_counts: *const u32, b_counts: *const u32,
                a_lists: *const Words2, b_lists: *const Words2, to: u32, mode: u32
            )
            gemm_round_f16 (f16) gemm_round_bf16 (bf16) gemm_round_f32 (Binary32)
            gemm_round_e4m3fn (E4M3FN) gemm_round_e5m2 (E5M2)
        }
        $crate::composite::entries! {
            $callback mx cut [E]
            (
                x: *const E, scales: *const E8M0, lines: u32, k: u32, panels: u32, columns: u32,
                base: u32, exact: u32, shift: u32, out: *mut Words4, codes: *mut u32,
                found: *mut u32
            )
            mx_cut_e5m2 (E5M2) mx_cut_e4m3fn (E4M3FN) mx_cut_e3m2 (E3M2) mx_cut_e2m3 (E2M3)
            mx_cut_e2m1 (E2M1) mx_cut_mxint8 (MxInt8)
        }
        $crate::composite::entries! {
            $callback mx factors []
            (codes: *mut u32, found: *const u32, lines: u32, panels: u32, steps: u32)
            mx_factors ()
        }
        $crate::composite::entries! {
            $callback mx_results survey []
            (m: u32, n: u32, a_found: *const u32, b_found: *const u32, all: *mut u32)
            mx_survey ()
        }
        $crate::composite::entries! {
            $callback mx_results finish []
            (
                a: *const u8, b: *const u8, m: u32, n: u32, k: u32, pair: u64, turned: u32,
                a_found: *const u32, b_found: *const u32, sums: *const i64, out: *mut u8, to: u32,
                mode: u32, beyond: *mut u32, all: *const u32
            )
            mx_finish ()
        }
        $crate::composite::entries! {
            $callback mx_results define [X Y]
            (
                a: *const u8, a_scales: *const E8M0, b: *const u8, b_scales: *const E8M0,
                m: u32, n: u32, k: u32, pair: u64, turned: u32, a_found: *const u32,
                b_found: *const u32, out: *mut u8, to: u32, how: u32, mode: u32,
                beyond: *const u32
            )
            mx_define_e5m2_e5m2 (E5M2 E5M2) mx_define_e5m2_e4m3fn (E5M2 E4M3FN)
            mx_define_e5m2_mxint8 (E5M2 MxInt8) mx_define_e4m3fn_e4m3fn (E4M3FN E4M3FN)
            mx_define_e4m3fn_mxint8 (E4M3FN MxInt8) mx_define_mxint8_mxint8 (MxInt8 MxInt8)
        }
        $crate::composite::entries! {
            $callback gemm sequential [T WHOLE]
            (
                a: *const T, b: *const T, out: *mut u32, batch: u32, m: u32, n: u32, k: u32,
                a_batch: i64, a_row: i64, a_column: i64, b_batch: i64, b_row: i64, b_column: i64,
                out_batch: i64, out_row: i64, out_column: i64
            )
            gemm_tile_f16_f32_fma (f16 true) gemm_tile_bf16_f32_fma (bf16 true)
            gemm_tile_f32_f32_fma (Binary32 true)
            gemm_tile_e4m3fn_f32_fma (E4M3FN true) gemm_tile_e5m2_f32_fma (E5M2 true)
            gemm_any_f16_f32_fma (f16 false) gemm_any_bf16_f32_fma (bf16 false)
            gemm_any_f32_f32_fma (Binary32 false)
            gemm_any_e4m3fn_f32_fma (E4M3FN false) gemm_any_e5m2_f32_fma (E5M2 false)
        }
        $crate::composite::entries! {
            $callback gemm epilogue [T WHOLE]
            (
                a: *const T, b: *const T, out: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64, out_row: i64, out_column: i64,
                bias: *const u32, to: u32, mode: u32, table: *const u8, bytes: u32
            )
            gemm_tile_f16_epilogue_fma (f16 true) gemm_tile_bf16_epilogue_fma (bf16 true)
            gemm_tile_f32_epilogue_fma (Binary32 true)
            gemm_tile_e4m3fn_epilogue_fma (E4M3FN true) gemm_tile_e5m2_epilogue_fma (E5M2 true)
            gemm_any_f16_epilogue_fma (f16 false) gemm_any_bf16_epilogue_fma (bf16 false)
            gemm_any_f32_epilogue_fma (Binary32 false)
            gemm_any_e4m3fn_epilogue_fma (E4M3FN false) gemm_any_e5m2_epilogue_fma (E5M2 false)
        }
        $crate::composite::entries! {
            $callback gemm function [T WHOLE]
            (
                a: *const T, b: *const T, out: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64, out_row: i64, out_column: i64,
                bias: *const u32, number: u32,
                first: u64, second: u64, third: u64, fourth: u64, bytes: u32
            )
            gemm_tile_f16_function_fma (f16 true) gemm_tile_bf16_function_fma (bf16 true)
            gemm_tile_f32_function_fma (Binary32 true)
            gemm_tile_e4m3fn_function_fma (E4M3FN true) gemm_tile_e5m2_function_fma (E5M2 true)
            gemm_any_f16_function_fma (f16 false) gemm_any_bf16_function_fma (bf16 false)
            gemm_any_f32_function_fma (Binary32 false)
            gemm_any_e4m3fn_function_fma (E4M3FN false) gemm_any_e5m2_function_fma (E5M2 false)
        }
        $crate::composite::entries! {
            $callback gemm function_quantise [T WHOLE]
            (
                a: *const T, b: *const T, elements: *mut u8, scales: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64,
                bias: *const u32, number: u32,
                first: u64, second: u64, third: u64, fourth: u64, wide: u32,
                element: u32, policy: u64, dialect: u32
            )
            gemm_tile_f16_function_quantise_fma (f16 true) gemm_tile_bf16_function_quantise_fma (bf16 true)
            gemm_tile_f32_function_quantise_fma (Binary32 true)
            gemm_tile_e4m3fn_function_quantise_fma (E4M3FN true) gemm_tile_e5m2_function_quantise_fma (E5M2 true)
            gemm_any_f16_function_quantise_fma (f16 false) gemm_any_bf16_function_quantise_fma (bf16 false)
            gemm_any_f32_function_quantise_fma (Binary32 false)
            gemm_any_e4m3fn_function_quantise_fma (E4M3FN false) gemm_any_e5m2_function_quantise_fma (E5M2 false)
        }
        $crate::composite::entries! {
            $callback gemm quantise [T WHOLE]
            (
                a: *const T, b: *const T, elements: *mut u8, scales: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64,
                bias: *const u32, to: u32, mode: u32, table: *const u8, bytes: u32, wide: u32,
                element: u32, policy: u64, dialect: u32
            )
            gemm_tile_f16_quantise_fma (f16 true) gemm_tile_bf16_quantise_fma (bf16 true)
            gemm_tile_f32_quantise_fma (Binary32 true)
            gemm_tile_e4m3fn_quantise_fma (E4M3FN true) gemm_tile_e5m2_quantise_fma (E5M2 true)
            gemm_any_f16_quantise_fma (f16 false) gemm_any_bf16_quantise_fma (bf16 false)
            gemm_any_f32_quantise_fma (Binary32 false)
            gemm_any_e4m3fn_quantise_fma (E4M3FN false) gemm_any_e5m2_quantise_fma (E5M2 false)
        }
        $crate::composite::entries! {
            $callback sums reduce [S]
            (
                a: *const <S as Terms>::Format, b: *const <S as Terms>::Format, n: u64,
                slots: *mut u64, out: *mut u8, to: u32, flags: *mut u8, mode: u32
            )
            sum_exact_f16_fma (HalfValues) sum_exact_bf16_fma (BfloatValues)
            sum_exact_f32_fma (SingleValues)
            dot_exact_f16_fma (HalfProducts) dot_exact_bf16_fma (BfloatProducts)
            dot_exact_f32_fma (SingleProducts)
        }
        $crate::composite::entries! {
            $callback softmax softmax [T LOGARITHM WARPS WHOLE]
            (x: *const T, length: u32, rows: usize, out: *mut u32)
            softmax_warp_f32_f32_fma (Binary32 false 1 true)
            softmax_warp_f16_f32_fma (f16 false 1 true)
            softmax_warp_bf16_f32_fma (bf16 false 1 true)
            softmax_warp_any_f32_f32_fma (Binary32 false 1 false)
            softmax_warp_any_f16_f32_fma (f16 false 1 false)
            softmax_warp_any_bf16_f32_fma (bf16 false 1 false)
            softmax_four_f32_f32_fma (Binary32 false 4 true)
            softmax_four_f16_f32_fma (f16 false 4 true)
            softmax_four_bf16_f32_fma (bf16 false 4 true)
            softmax_four_any_f32_f32_fma (Binary32 false 4 false)
            softmax_four_any_f16_f32_fma (f16 false 4 false)
            softmax_four_any_bf16_f32_fma (bf16 false 4 false)
            softmax_block_f32_f32_fma (Binary32 false 16 true)
            softmax_block_f16_f32_fma (f16 false 16 true)
            softmax_block_bf16_f32_fma (bf16 false 16 true)
            softmax_block_any_f32_f32_fma (Binary32 false 16 false)
            softmax_block_any_f16_f32_fma (f16 false 16 false)
            softmax_block_any_bf16_f32_fma (bf16 false 16 false)
            log_softmax_warp_f32_f32_fma (Binary32 true 1 true)
            log_softmax_warp_f16_f32_fma (f16 true 1 true)
            log_softmax_warp_bf16_f32_fma (bf16 true 1 true)
            log_softmax_warp_any_f32_f32_fma (Binary32 true 1 false)
            log_softmax_warp_any_f16_f32_fma (f16 true 1 false)
            log_softmax_warp_any_bf16_f32_fma (bf16 true 1 false)
            log_softmax_four_f32_f32_fma (Binary32 true 4 true)
            log_softmax_four_f16_f32_fma (f16 true 4 true)
            log_softmax_four_bf16_f32_fma (bf16 true 4 true)
            log_softmax_four_any_f32_f32_fma (Binary32 true 4 false)
            log_softmax_four_any_f16_f32_fma (f16 true 4 false)
            log_softmax_four_any_bf16_f32_fma (bf16 true 4 false)
            log_softmax_block_f32_f32_fma (Binary32 true 16 true)
            log_softmax_block_f16_f32_fma (f16 true 16 true)
            log_softmax_block_bf16_f32_fma (bf16 true 16 true)
            log_softmax_block_any_f32_f32_fma (Binary32 true 16 false)
            log_softmax_block_any_f16_f32_fma (f16 true 16 false)
            log_softmax_block_any_bf16_f32_fma (bf16 true 16 false)
        }
        $crate::composite::entries! {
            $callback means add [T WARPS WHOLE PACKS]
            (x: *const T, length: u32, rows: usize, records: *mut u64)
            row_sums_warp_f32_fma (Binary32 1 true 8)
            row_sums_warp_f16_fma (f16 1 true 4)
            row_sums_warp_bf16_fma (bf16 1 true 4)
            row_sums_warp_any_f32_fma (Binary32 1 false 8)
            row_sums_warp_any_f16_fma (f16 1 false 4)
            row_sums_warp_any_bf16_fma (bf16 1 false 4)
            row_sums_four_f32_fma (Binary32 4 true 8)
            row_sums_four_f16_fma (f16 4 true 4)
            row_sums_four_bf16_fma (bf16 4 true 4)
            row_sums_four_any_f32_fma (Binary32 4 false 8)
            row_sums_four_any_f16_fma (f16 4 false 4)
            row_sums_four_any_bf16_fma (bf16 4 false 4)
            row_sums_block_f32_fma (Binary32 16 true 4)
            row_sums_block_f16_fma (f16 16 true 4)
            row_sums_block_bf16_fma (bf16 16 true 4)
            row_sums_block_any_f32_fma (Binary32 16 false 4)
            row_sums_block_any_f16_fma (f16 16 false 4)
            row_sums_block_any_bf16_fma (bf16 16 false 4)
        }
        $crate::composite::entries! {
            $callback means divide []
            (
                records: *const u64, length: u32, rows: usize, out: *mut u8, to: u32, mode: u32
            )
            row_means ()
        }
        $crate::composite::entries! {
            $callback lane_sums sum [T]
            (x: *const T, length: u32, rows: usize, out: *mut u32)
            lane_sums_f32_fma (Binary32) lane_sums_f16_fma (f16) lane_sums_bf16_fma (bf16)
        }
        $crate::composite::entries! {
            $callback squares add [T WARPS WHOLE PACKS]
            (
                x: *const T, length: u32, rows: usize, means: *const f32, records: *mut u64
            )
            row_squares_warp_f32_fma (Binary32 1 true 8)
            row_squares_warp_f16_fma (f16 1 true 4)
            row_squares_warp_bf16_fma (bf16 1 true 4)
            row_squares_warp_any_f32_fma (Binary32 1 false 8)
            row_squares_warp_any_f16_fma (f16 1 false 4)
            row_squares_warp_any_bf16_fma (bf16 1 false 4)
            row_squares_four_f32_fma (Binary32 4 true 8)
            row_squares_four_f16_fma (f16 4 true 4)
            row_squares_four_bf16_fma (bf16 4 true 4)
            row_squares_four_any_f32_fma (Binary32 4 false 8)
            row_squares_four_any_f16_fma (f16 4 false 4)
            row_squares_four_any_bf16_fma (bf16 4 false 4)
            row_squares_block_f32_fma (Binary32 16 true 4)
            row_squares_block_f16_fma (f16 16 true 4)
            row_squares_block_bf16_fma (bf16 16 true 4)
            row_squares_block_any_f32_fma (Binary32 16 false 4)
            row_squares_block_any_f16_fma (f16 16 false 4)
            row_squares_block_any_bf16_fma (bf16 16 false 4)
        }
        $crate::composite::entries! {
            $callback squares round []
            (
                records: *const u64, length: u32, divisor: u32, rows: usize, out: *mut u8, to: u32,
                mode: u32, epsilon: u32
            )
            row_roots ()
        }
        $crate::composite::entries! {
            $callback layer_norm normalise [T WARPS WHOLE]
            (
                x: *const T, length: u32, rows: usize, means: *const f32, deviations: *const f32,
                weight: *const u8, bias: *const u8, wide: u32, out: *mut u8, to_wide: u32, mode: u32
            )
            normalise_warp_f32_fma (Binary32 1 true)
            normalise_warp_f16_fma (f16 1 true)
            normalise_warp_bf16_fma (bf16 1 true)
            normalise_warp_any_f32_fma (Binary32 1 false)
            normalise_warp_any_f16_fma (f16 1 false)
            normalise_warp_any_bf16_fma (bf16 1 false)
            normalise_four_f32_fma (Binary32 4 true)
            normalise_four_f16_fma (f16 4 true)
            normalise_four_bf16_fma (bf16 4 true)
            normalise_four_any_f32_fma (Binary32 4 false)
            normalise_four_any_f16_fma (f16 4 false)
            normalise_four_any_bf16_fma (bf16 4 false)
            normalise_block_f32_fma (Binary32 16 true)
            normalise_block_f16_fma (f16 16 true)
            normalise_block_bf16_fma (bf16 16 true)
            normalise_block_any_f32_fma (Binary32 16 false)
            normalise_block_any_f16_fma (f16 16 false)
            normalise_block_any_bf16_fma (bf16 16 false)
        }
        $crate::composite::entries! {
            $callback blocks quantise [T E]
            (
                x: *const T, spans: usize, elements: *mut u8, scales: *mut u8, policy: u64,
                dialect: u32
            )
            quantise_f32_e5m2_fma (Binary32 E5M2)
            quantise_f16_e5m2_fma (f16 E5M2)
            quantise_bf16_e5m2_fma (bf16 E5M2)
            quantise_f32_e4m3fn_fma (Binary32 E4M3FN)
            quantise_f16_e4m3fn_fma (f16 E4M3FN)
            quantise_bf16_e4m3fn_fma (bf16 E4M3FN)
            quantise_f32_e5m2fnuz_fma (Binary32 E5M2FNUZ)
            quantise_f16_e5m2fnuz_fma (f16 E5M2FNUZ)
            quantise_bf16_e5m2fnuz_fma (bf16 E5M2FNUZ)
            quantise_f32_e4m3fnuz_fma (Binary32 E4M3FNUZ)
            quantise_f16_e4m3fnuz_fma (f16 E4M3FNUZ)
            quantise_bf16_e4m3fnuz_fma (bf16 E4M3FNUZ)
            quantise_f32_e3m2_fma (Binary32 E3M2)
            quantise_f16_e3m2_fma (f16 E3M2)
            quantise_bf16_e3m2_fma (bf16 E3M2)
            quantise_f32_e2m3_fma (Binary32 E2M3)
            quantise_f16_e2m3_fma (f16 E2M3)
            quantise_bf16_e2m3_fma (bf16 E2M3)
            quantise_f32_e2m1_fma (Binary32 E2M1)
            quantise_f16_e2m1_fma (f16 E2M1)
            quantise_bf16_e2m1_fma (bf16 E2M1)
            quantise_f32_mxint8_fma (Binary32 MxInt8)
            quantise_f16_mxint8_fma (f16 MxInt8)
            quantise_bf16_mxint8_fma (bf16 MxInt8)
        }
        $crate::composite::entries! {
            $callback blocks quantise_stochastic [T E]
            (
                x: *const T, random: *const u16, spans: usize, elements: *mut u8, scales: *mut u8,
                policy: u64, dialect: u32
            )
            quantise_stochastic_f32_e5m2_fma (Binary32 E5M2)
            quantise_stochastic_f16_e5m2_fma (f16 E5M2)
            quantise_stochastic_bf16_e5m2_fma (bf16 E5M2)
            quantise_stochastic_f32_e4m3fn_fma (Binary32 E4M3FN)
            quantise_stochastic_f16_e4m3fn_fma (f16 E4M3FN)
            quantise_stochastic_bf16_e4m3fn_fma (bf16 E4M3FN)
            quantise_stochastic_f32_e5m2fnuz_fma (Binary32 E5M2FNUZ)
            quantise_stochastic_f16_e5m2fnuz_fma (f16 E5M2FNUZ)
            quantise_stochastic_bf16_e5m2fnuz_fma (bf16 E5M2FNUZ)
            quantise_stochastic_f32_e4m3fnuz_fma (Binary32 E4M3FNUZ)
            quantise_stochastic_f16_e4m3fnuz_fma (f16 E4M3FNUZ)
            quantise_stochastic_bf16_e4m3fnuz_fma (bf16 E4M3FNUZ)
            quantise_stochastic_f32_e3m2_fma (Binary32 E3M2)
            quantise_stochastic_f16_e3m2_fma (f16 E3M2)
            quantise_stochastic_bf16_e3m2_fma (bf16 E3M2)
            quantise_stochastic_f32_e2m3_fma (Binary32 E2M3)
            quantise_stochastic_f16_e2m3_fma (f16 E2M3)
            quantise_stochastic_bf16_e2m3_fma (bf16 E2M3)
            quantise_stochastic_f32_e2m1_fma (Binary32 E2M1)
            quantise_stochastic_f16_e2m1_fma (f16 E2M1)
            quantise_stochastic_bf16_e2m1_fma (bf16 E2M1)
            quantise_stochastic_f32_mxint8_fma (Binary32 MxInt8)
            quantise_stochastic_f16_mxint8_fma (f16 MxInt8)
            quantise_stochastic_bf16_mxint8_fma (bf16 MxInt8)
        }
        $crate::composite::entries! {
            $callback blocks dequantise [T E]
            (elements: *const u8, scales: *const u8, spans: usize, out: *mut T)
            dequantise_e5m2_f32_fma (Binary32 E5M2)
            dequantise_e5m2_f16_fma (f16 E5M2)
            dequantise_e5m2_bf16_fma (bf16 E5M2)
            dequantise_e4m3fn_f32_fma (Binary32 E4M3FN)
            dequantise_e4m3fn_f16_fma (f16 E4M3FN)
            dequantise_e4m3fn_bf16_fma (bf16 E4M3FN)
            dequantise_e5m2fnuz_f32_fma (Binary32 E5M2FNUZ)
            dequantise_e5m2fnuz_f16_fma (f16 E5M2FNUZ)
            dequantise_e5m2fnuz_bf16_fma (bf16 E5M2FNUZ)
            dequantise_e4m3fnuz_f32_fma (Binary32 E4M3FNUZ)
            dequantise_e4m3fnuz_f16_fma (f16 E4M3FNUZ)
            dequantise_e4m3fnuz_bf16_fma (bf16 E4M3FNUZ)
            dequantise_e3m2_f32_fma (Binary32 E3M2)
            dequantise_e3m2_f16_fma (f16 E3M2)
            dequantise_e3m2_bf16_fma (bf16 E3M2)
            dequantise_e2m3_f32_fma (Binary32 E2M3)
            dequantise_e2m3_f16_fma (f16 E2M3)
            dequantise_e2m3_bf16_fma (bf16 E2M3)
            dequantise_e2m1_f32_fma (Binary32 E2M1)
            dequantise_e2m1_f16_fma (f16 E2M1)
            dequantise_e2m1_bf16_fma (bf16 E2M1)
            dequantise_mxint8_f32_fma (Binary32 MxInt8)
            dequantise_mxint8_f16_fma (f16 MxInt8)
            dequantise_mxint8_bf16_fma (bf16 MxInt8)
        }
        $crate::composite::entries! {
            $callback layers conv2d [L PADDED R C]
            (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut u32, batch: u32,
                channels: u32, height: u32, width: u32, filters: u32, taps_down: u32,
                taps_across: u32, down: u32, across: u32, above: u32, left: u32, rows: u32,
                columns: u32
            )
            conv2d_tile_rn (Fours false 4 8) conv2d_any_rn (Singles false 4 8)
            conv2d_tile_padded_rn (Fours true 4 8) conv2d_any_padded_rn (Singles true 4 8)
            conv2d_small_tile_rn (Fours false 2 2) conv2d_small_any_rn (Singles false 2 2)
            conv2d_small_tile_padded_rn (Fours true 2 2)
            conv2d_small_any_padded_rn (Singles true 2 2)
        }
        $crate::composite::entries! {
            $callback layers linear [L]
            (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut u32, rows: u32,
                inputs: u32, outputs: u32
            )
            linear_tile_rn (Fours) linear_any_rn (Singles)
        }
        $crate::composite::entries! {
            $callback chains linear []
            (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut u32, rows: u32,
                inputs: u32, outputs: u32
            )
            linear_chain_rn ()
        }
        $crate::composite::entries! {
            $callback chains pool []
            (
                x: *const f32, height: u32, width: u32, rows: u32, columns: u32, taps_down: u32,
                taps_across: u32, down: u32, across: u32, longest: u32, out: *mut u32, n: u32
            )
            pool_chain_rn ()
        }
        $crate::composite::entries! {
            $callback chains columns [T]
            (x: *const T, parts: u32, length: u32, columns: u32, out: *mut u32)
            column_sums_f32_fma (Binary32) column_sums_f16_fma (f16) column_sums_bf16_fma (bf16)
        }
        $crate::composite::entries! {
            $callback nvfp4 quantise [T]
            (
                x: *const T, spans: usize, tensor_scale: u32, recipe: u32, elements: *mut u8,
                scales: *mut u8
            )
            nvfp4_quantise_f32_fma (Binary32) nvfp4_quantise_f16_fma (f16)
            nvfp4_quantise_bf16_fma (bf16)
        }
        $crate::composite::entries! {
            $callback nvfp4 quantise_stochastic [T]
            (
                x: *const T, random: *const u16, spans: usize, tensor_scale: u32, recipe: u32,
                elements: *mut u8, scales: *mut u8
            )
            nvfp4_quantise_stochastic_f32_fma (Binary32)
            nvfp4_quantise_stochastic_f16_fma (f16)
            nvfp4_quantise_stochastic_bf16_fma (bf16)
        }
        $crate::composite::entries! {
            $callback nvfp4 dequantise [T]
            (
                elements: *const u8, scales: *const u8, spans: usize, tensor_scale: u32,
                out: *mut T
            )
            nvfp4_dequantise_f32_fma (Binary32) nvfp4_dequantise_f16_fma (f16)
            nvfp4_dequantise_bf16_fma (bf16)
        }
        $crate::composite::entries! {
            $callback packing pack [E] (elements: *const Words4, tiles: usize, bytes: *mut Words4)
            pack_tiles_e2m1 (E2M1) pack_tiles_e2m3 (E2M3) pack_tiles_e3m2 (E3M2)
        }
        $crate::composite::entries! {
            $callback packing unpack [E] (bytes: *const Words4, tiles: usize, elements: *mut Words4)
            unpack_tiles_e2m1 (E2M1) unpack_tiles_e2m3 (E2M3) unpack_tiles_e3m2 (E3M2)
        }
    };
}
pub(crate) use for_each_tile;

/// The same for entries that need `mma` with integers of 16 by 8 by 32, and copies that run by
/// themselves: sm_80 and later have them. Their names end in `_mma`, in `_fma_mma` if they compute with floats too.
#[cfg_attr(
    all(target_arch = "nvptx64", not(target_feature = "sm_80")),
    allow(unused_macros, reason = "its instructions are those of sm_80")
)]
macro_rules! for_each_mma_tile {
    ($callback:ident) => {
        $crate::composite::entries! {
            $callback exact multiply []
            (
                products: u32, a_matrices: u32, b_matrices: u32, down: u32, across: u32,
                steps: u32, groups: u32, a_digits: *const Words4, b_digits: *const Words4,
                a_marks: *const u8, b_marks: *const u8, a_filled: *const u32,
                b_filled: *const u32, totals: *mut Words4, sums: *mut Words4, short: *mut u32
            )
            gemm_exact_mma ()
        }
        $crate::composite::entries! {
            $callback mx multiply [S I J]
            (
                m: u32, n: u32, steps: u32, a_digits: *const Words4, b_digits: *const Words4,
                a_factors: *const Words4, b_factors: *const Words4, turned: u32, out: *mut S
            )
            mx_ordered_1_1_fma_mma (f32 1 1)
            mx_ordered_2_1_fma_mma (f32 2 1) mx_ordered_2_2_fma_mma (f32 2 2)
            mx_ordered_3_1_fma_mma (f32 3 1) mx_ordered_3_2_fma_mma (f32 3 2)
            mx_ordered_3_3_fma_mma (f32 3 3)
            mx_ordered_5_1_fma_mma (f32 5 1) mx_ordered_5_2_fma_mma (f32 5 2)
            mx_ordered_5_3_fma_mma (f32 5 3) mx_ordered_5_5_fma_mma (f32 5 5)
            mx_exact_1_1_mma (i64 1 1) mx_exact_2_1_mma (i64 2 1) mx_exact_2_2_mma (i64 2 2)
            mx_exact_3_1_mma (i64 3 1) mx_exact_3_2_mma (i64 3 2) mx_exact_3_3_mma (i64 3 3)
        }
    };
}
#[cfg_attr(
    all(target_arch = "nvptx64", not(target_feature = "sm_80")),
    allow(unused_imports, reason = "its instructions are those of sm_80")
)]
pub(crate) use for_each_mma_tile;
