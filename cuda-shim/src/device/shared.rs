//! A block's shared memory, with the size that the host requests at the launch.
//!
//! Rust cannot name this address space, so its few accesses are inline assembly.

use core::arch::{asm, global_asm};

global_asm!(".extern .shared .align 16 .b8 block_memory[];");

/// Its start. Addresses of shared memory have 32 bits.
#[inline(always)]
pub fn begin() -> u32 {
    let at;
    // SAFETY: it names a symbol.
    unsafe {
        asm!("mov.u32 {at}, block_memory;", at = out(reg32) at, options(pure, nomem, nostack));
    }
    at
}

/// A word of this address space.
pub trait Word: Copy {
    /// # Safety
    ///
    /// `at` is within the block's memory and aligned, and nothing writes there meanwhile.
    unsafe fn read(at: u32) -> Self;
}

macro_rules! words {
    ($($word:ident $class:ident $between:ident $load:literal;)*) => {
        $(impl Word for $word {
            #[inline(always)]
            unsafe fn read(at: u32) -> Self {
                let word: $between;
                // SAFETY: the caller's.
                unsafe {
                    asm!(
                        concat!($load, " {word}, [{at}];"), word = out($class) word,
                        at = in(reg32) at, options(pure, readonly, nostack)
                    );
                }
                word as $word
            }
        })*
    };
}

words! {
    u8 reg16 u16 "ld.shared.u8";
    u16 reg16 u16 "ld.shared.u16";
    u32 reg32 u32 "ld.shared.u32";
}

/// Writes a word.
///
/// # Safety
///
/// `at` is within the block's memory and aligned, and nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn store(at: u32, word: u32) {
    // SAFETY: the caller's.
    unsafe {
        asm!("st.shared.u32 [{at}], {word};", at = in(reg32) at, word = in(reg32) word, options(nostack));
    }
}

/// Writes four words.
///
/// # Safety
///
/// `at` is within the block's memory and a multiple of 16, and nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn store4(at: u32, [a, b, c, d]: [u32; 4]) {
    // SAFETY: the caller's.
    unsafe {
        asm!(
            "st.shared.v4.u32 [{at}], {{{a}, {b}, {c}, {d}}};", at = in(reg32) at, a = in(reg32) a,
            b = in(reg32) b, c = in(reg32) c, d = in(reg32) d, options(nostack)
        );
    }
}
