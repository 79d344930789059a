//! Other ways to a row's results than its own entry, and what checks them: the GPU crate's
//! `device/`. Their entries differ in types alone, and are named by rows where these have one each.

use crate::entry::{blocks, items, launches};

/// Threads of a block that has a table in its memory, packs that a thread of it processes at once,
/// and bytes of memory in addition to the table: two block numbers.
pub const SHARED_THREADS: usize = 1024;
pub const SHARED_PACKS: usize = 3;
pub const SHARED_MORE: usize = 8;

launches! {
    /// Results in a table, by operands of 16 bits; the constant is the bits of a result.
    lookup::lookup[] as Lookup(usize) (table: *const u8, x: *const u8, out: *mut u8, n: usize) {
        "lookup_8" [_] "" (8) items();
        "lookup_16" [_] "" (16) items();
        "lookup_32" [_] "" (32) items();
        "lookup_64" [_] "" (64) items();
    }
    /// The same with the table in a block's memory.
    lookup::shared[] as LookupShared(usize) (
        table: *const u8, x: *const u8, out: *mut u8, n: usize, queue: *mut u32
    ) {
        "lookup_8_shared" [_] "" (8) blocks(SHARED_THREADS, 0);
        "lookup_16_shared" [_] "" (16) blocks(SHARED_THREADS, 0);
    }
    /// Results in a table, by the low bits of words; the constant is the bits of the table's.
    lookup::words[] as Words(usize) (
        table: *const u8, x: *const u8, out: *mut u8, n: usize, mask: u32
    ) {
        "lookup_words_8" [_] "" (8) items();
        "lookup_words_16" [_] "" (16) items();
        "lookup_words_32" [_] "" (32) items();
    }
    /// The same with the table in a block's memory.
    lookup::words_shared[] as WordsShared(usize) (
        table: *const u8, x: *const u8, out: *mut u8, n: usize, mask: u32, queue: *mut u32
    ) {
        "lookup_words_8_shared" [_] "" (8) blocks(SHARED_THREADS, 0);
        "lookup_words_16_shared" [_] "" (16) blocks(SHARED_THREADS, 0);
        "lookup_words_32_shared" [_] "" (32) blocks(SHARED_THREADS, 0);
    }
    /// Results in a table, by prefixes of f32; the constant is the bits of a result.
    lookup::prefix[] as Prefix(usize) (table: *const u8, x: *const u8, out: *mut u8, n: usize) {
        "lookup_prefix_8" [_] "" (8) items();
        "lookup_prefix_32" [_] "" (32) items();
    }
    /// The same with the table in a block's memory.
    lookup::prefix_shared[] as PrefixShared(usize) (
        table: *const u8, x: *const u8, out: *mut u8, n: usize, queue: *mut u32
    ) {
        "lookup_prefix_8_shared" [_] "" (8) blocks(SHARED_THREADS, 0);
        "lookup_prefix_32_shared" [_] "" (32) blocks(SHARED_THREADS, 0);
    }
    /// The steps of an encoder's code.
    steps::table[] as StepsTable() (table: *mut u32, policy: u64) {
        "e8m0_encode_f32_table" [_] "" () items();
    }
    /// Codes by these steps.
    steps::steps[] as Steps() (
        table: *const u32, x: *const u32, out: *mut u8, n: usize, policy: u64
    ) {
        "e8m0_encode_f32_steps" [_] "" () items();
    }
    /// An approximation with bounds, by a row's name.
    enclosed::enclosed[] as Enclosed() (
        x: *const u16, out: *mut u16, n: usize, table: *const u16
    ) {}
    /// An instruction, by a row's name.
    hardware::hardware[] as Hardware() (x: *const u8, out: *mut u8, n: usize) {}
    /// The same in any rounding.
    hardware::rounded[] as HardwareRounded() (
        x: *const u8, out: *mut u8, n: usize, mode: u32
    ) {}
    /// The kernel for packs, by a row's name.
    rows::vector[] as Vector() (x: *const u8, out: *mut u8, n: usize, mode: u32) {}
    /// The same of an encoder.
    rows::encoder[] as VectorEncoder() (x: *const u8, out: *mut u8, n: usize, policy: u64) {}
    /// The operands of inputs.
    support::operands[] as Operands() (
        start: u64, n: usize, a: *mut u8, a_bits: u32, b: *mut u8, b_bits: u32, c: *mut u8,
        c_bits: u32
    ) {
        "operands" [_] "" () items();
    }
    /// A copy of words of 16 bits.
    support::copy[] as Copy16() (x: *const u16, out: *mut u16, n: usize) {
        "copy_16" [_] "" () items();
    }
    /// The sum of outputs' digests.
    digest::digest[] as Digest() (
        start: u64, n: usize, first: *const u8, first_bytes: u32, second: *const u8,
        second_bytes: u32, flags: *const u8, sum: *mut u64
    ) {
        "digest" [_] "" () items();
    }
    /// A check of a row, by its name.
    check::check[] as Check() (
        start: u64, n: u64, mode: u32, expected_mode: u32, report: *mut u64
    ) {}
}
