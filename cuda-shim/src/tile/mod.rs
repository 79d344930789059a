//! The composites at the machine's speed: bodies of whole blocks of threads.
//!
//! A body is one block's share of the work, written as phases: what each thread does up to a
//! barrier. A device runs a phase once, for the thread that it is; a host runs it for one thread
//! after the other, in any order, and then the next phase. So the same source is an entry and can
//! be tested without a GPU. A thread keeps its state from one phase to the next in a value of its
//! own, and threads communicate through the block's shared memory or through shuffles within a
//! warp.
//!
//! A body gives the bits of its definition, a body of [`composite`](crate::composite) or a kernel
//! of `bitexact`, in a domain that its file states. It may compute with floats where IEEE 754 fixes
//! what an instruction does: an entry whose name ends in `_fma` or `_fma_mma` has sums, products
//! and fused multiply-adds to the nearest, and conversions; one whose name ends in `_rn` has sums,
//! products and quotients to the nearest, and fuses none.

pub mod blocks;
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
mod lines;
pub mod machine;
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
pub mod row_mean;
pub mod row_norm;
pub mod serial_chains;
pub mod softmax;
pub mod sums;
#[cfg_attr(
    all(target_arch = "nvptx64", not(target_feature = "sm_80")),
    allow(dead_code, reason = "its instructions are those of sm_80")
)]
pub mod unit;
mod wide;

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
    /// Gives each thread what another thread of its warp has: the one with the lane that `from`
    /// says for its own. Every warp is whole.
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
    /// Has each thread wait for what it has copied, but for the last two [commits](Memory::commit),
    /// and then for all others.
    fn arrive(&mut self);
    /// Multiplies each warp's operands on the tensor cores, unless its threads say that they are not
    /// needed.
    fn multiply<T, O: Operands>(
        &self,
        own: &mut Self::Each<T>,
        f: impl FnMut(&mut T) -> (bool, &mut O),
    );
}

/// What the tensor cores multiply, 32 bytes of a line at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// 32 signed bytes; sums in s32.
    S8,
    /// 16 of bf16; sums in f32, in the order of the device's [unit](unit).
    Bf16,
    /// The same of f16.
    F16,
    /// The same of 8 of f32, of which the lower 13 bits are ignored.
    Tf32,
}

/// What the tensor cores multiply, and sums of the products, in registers: a lane's.
pub trait Operands {
    /// The instruction that multiplies.
    const INSTRUCTION: Instruction = Instruction::S8;

    /// Calls `f` with 16 by 8 sums, and what is multiplied and added to them, 32 bytes of 16 rows
    /// and of 8 columns; keeps the sums that it gives.
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
    /// As [`write4`](Memory::write4), until the copies have [arrived](ThreadBlock::arrive); `from`
    /// may be read, and its address is a multiple of 16.
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

/// What the declarations of entries name.
pub mod scope {
    pub use crate::tile::layers::{Fours, Singles};
    pub use crate::tile::sums::{Products, Values};
    pub use crate::tile::{Words2, Words4};
    pub use bitexact::scale::E8M0;

    /// The formats of names.
    #[allow(non_camel_case_types, reason = "as names have them")]
    pub mod types {
        pub use crate::tile::gemm::Any as any;
        use bitexact::format;
        pub use bitexact::format::{bf16, f16};

        pub type f32 = format::Binary32;
        pub type e5m2 = format::E5M2;
        pub type e4m3fn = format::E4M3FN;
        pub type e5m2fnuz = format::E5M2FNUZ;
        pub type e4m3fnuz = format::E4M3FNUZ;
        pub type e3m2 = format::E3M2;
        pub type e2m3 = format::E2M3;
        pub type e2m1 = format::E2M1;
        pub type mxint8 = bitexact::scale::MxInt8;
    }
}
