//! What a kernel takes beside its operands, as the key of a table.

use bitexact::activation::{Bounds, Lambda, NanGradient, Threshold};
use bitexact::format::Format;
use bitexact::scale::{BelowMinimum, Negative, ScalePolicy};
use bitexact::{Mode, Overflow};

/// The arguments of a kernel beside its operands: a mode, parameters, or nothing.
pub trait Args: Copy + Send + Sync + 'static {
    /// Other words for other arguments, all of them.
    fn key(self) -> [u64; 3];
}

/// Arguments that are no parameters: how to round, what a NaN gives.
pub trait Choice: Args {
    /// Another word for other ones.
    fn word(self) -> u64;
}

macro_rules! choice {
    ($($ty:ty: |$choice:pat_param| $word:expr;)*) => {
        $(impl Choice for $ty {
            #[inline]
            fn word(self) -> u64 {
                let $choice = self;
                $word
            }
        }
        impl Args for $ty {
            #[inline]
            fn key(self) -> [u64; 3] {
                [self.word(), 0, 0]
            }
        })*
    };
}

choice! {
    (): |()| 0;
    Mode: |Self { rounding, overflow }| rounding as u64 | (overflow as u64) << 8;
    NanGradient: |nan| nan as u64;
    (NanGradient, Mode): |(nan, mode)| mode.word() | nan.word() << 16;
    // Of random bits there are no tables, and no key is asked for.
    (u16, Overflow): |(random, overflow)| u64::from(random) | (overflow as u64) << 16;
}

/// Parameters of a kernel, in a format of their own.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// Other words for other parameters.
    fn words(self) -> [u64; 2];
}

macro_rules! parameters {
    ($($ty:ty: |$of:pat_param| $first:expr, $second:expr;)*) => {
        $(impl<B: Format + Send + Sync + 'static> Parameters for $ty {
            #[inline]
            fn words(self) -> [u64; 2] {
                let $of = self;
                [$first, $second]
            }
        })*
    };
}

parameters! {
    (B,): |(x,)| x.to_bits(), 0;
    (B, B): |(x, y)| x.to_bits(), y.to_bits();
    Bounds<B>: |bounds| bounds.min().to_bits(), bounds.max().to_bits();
    Lambda<B>: |lambda| lambda.get().to_bits(), 0;
    Threshold<B>: |pair| pair.threshold().to_bits(), pair.value().to_bits();
}

impl<P: Parameters, A: Choice> Args for (P, A) {
    #[inline]
    fn key(self) -> [u64; 3] {
        let [first, second] = self.0.words();
        [self.1.word(), first, second]
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
