//! What a kernel takes beside its operands, as the key of a table.

use bitexact::activation::{Bounds, NanGradient};
use bitexact::format::Format;
use bitexact::scale::{BelowMinimum, Negative, ScalePolicy};
use bitexact::{Mode, Overflow};

/// The arguments of a kernel beside its operands: a mode, parameters, or nothing.
pub trait Args: Copy + Send + Sync + 'static {
    /// Other words for other arguments, all of them.
    fn key(self) -> [u64; 3];
}

impl Args for () {
    #[inline]
    fn key(self) -> [u64; 3] {
        [0; 3]
    }
}

impl Args for Mode {
    #[inline]
    fn key(self) -> [u64; 3] {
        let Self { rounding, overflow } = self;
        [rounding as u64 | (overflow as u64) << 8, 0, 0]
    }
}

impl Args for NanGradient {
    #[inline]
    fn key(self) -> [u64; 3] {
        [self as u64, 0, 0]
    }
}

impl Args for (NanGradient, Mode) {
    #[inline]
    fn key(self) -> [u64; 3] {
        [self.1.key()[0], self.0 as u64, 0]
    }
}

impl<B: Format + Send + Sync + 'static> Args for (Bounds<B>, Mode) {
    #[inline]
    fn key(self) -> [u64; 3] {
        let (min, max) = (self.0.min(), self.0.max());
        [self.1.key()[0], min.to_bits(), max.to_bits()]
    }
}

impl<B: Format + Send + Sync + 'static> Args for (Bounds<B>, NanGradient) {
    #[inline]
    fn key(self) -> [u64; 3] {
        let (min, max) = (self.0.min(), self.0.max());
        [self.1 as u64, min.to_bits(), max.to_bits()]
    }
}

/// Random bits and an overflow rule: no key tells one call from the next, and none is asked for.
impl Args for (u16, Overflow) {
    #[inline]
    fn key(self) -> [u64; 3] {
        [self.0.into(), self.1 as u64, 0]
    }
}

impl Args for ScalePolicy {
    #[inline]
    fn key(self) -> [u64; 3] {
        // Every field by name, so that a new one cannot be forgotten.
        let Self {
            rounding,
            overflow,
            overflow_test,
            infinity,
            nan,
            zero,
            below_minimum,
            negative,
        } = self;
        let below = match below_minimum {
            BelowMinimum::Clamp => 0x100,
            BelowMinimum::Code(code) => code.to_bits().into(),
        };
        let negative = match negative {
            Negative::Magnitude => 0x100,
            Negative::Code(code) => code.to_bits().into(),
        };
        let codes = [overflow, infinity, nan, zero].map(|code| code.to_bits());
        [
            rounding as u64 | (overflow_test as u64) << 8,
            u32::from_le_bytes(codes).into(),
            below | negative << 16,
        ]
    }
}
