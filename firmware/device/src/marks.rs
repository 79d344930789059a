//! Instructions that do nothing, by which QEMU's plugin `firmware/counter.c` knows which calls it
//! counts.

/// Executes the mark of this number, from 5 to 11.
macro_rules! mark {
    ($number:literal) => {{
        #[cfg(target_arch = "arm")]
        // SAFETY: a hint that no Cortex-M gives a meaning.
        unsafe {
            core::arch::asm!(concat!(".inst.n 0xbf00 + 16 * ", $number))
        };
        #[cfg(target_arch = "riscv32")]
        // SAFETY: writes no register.
        unsafe {
            core::arch::asm!(concat!("slti zero, zero, ", $number))
        };
    }};
}

/// What a call is one of.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A sample of the operands that reach the core.
    Core,
    /// A sample of N(0, 1).
    Normal,
    /// One of all operands, or of every so-manieth: those that reach the core, and the others.
    AnyCore,
    AnyOther,
}

/// The following calls are of this kind.
pub fn kind(kind: Kind) {
    match kind {
        Kind::Core => mark!("5"),
        Kind::Normal => mark!("6"),
        Kind::AnyCore => mark!("7"),
        Kind::AnyOther => mark!("8"),
    }
}

#[inline(always)]
pub fn begin() {
    mark!("9");
}

#[inline(always)]
pub fn end() {
    mark!("10");
}

/// A function has been called for the last time.
pub fn line() {
    mark!("11");
}
