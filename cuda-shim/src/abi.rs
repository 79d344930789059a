//! What host and device say to each other: the kernels' arguments as plain numbers.
//!
//! The host encodes, the device decodes; both use this file. A number that stands for nothing is
//! decoded as the last of its list: the host passes none.

use bitexact::activation::NanGradient;
use bitexact::format::E4M3FN;
use bitexact::nn::Conv2d;
use bitexact::reduce::Order;
use bitexact::scale::{
    BelowMinimum, BlockSpecials, Dialect, E8M0, Int8Range, Negative, Nvfp4, OverflowTest, Quotient,
    ScalePolicy, ScaleRounding, ScaleSource,
};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Overflow, Rounding};

/// Elements that a thread takes at once, of operands and results of these sizes in bytes.
#[must_use]
pub const fn lanes(operand: usize, result: usize) -> usize {
    let (loaded, stored) = (32 / operand, 16 / result);
    let lanes = if loaded < stored { loaded } else { stored };
    if lanes < 8 { lanes } else { 8 }
}

/// Packs that a thread of a shared table's entry has under way.
pub const SHARED_PACKS: usize = 3;
/// Threads of its block.
pub const SHARED_THREADS: usize = 1024;
/// Bytes of shared memory beside the table: two block numbers.
pub const SHARED_MORE: usize = 8;

/// Entries of an encoder's table of steps: by sign, exponent and the significand's first bit.
pub const STEPS: usize = 1 << 10;
/// Packs that a thread of its entry has under way.
pub const STEPS_PACKS: usize = 2;

/// What a check on the device reports.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Inputs that were made.
    pub seen: u64,
    /// Of these, how many went wrong.
    pub wrong: u64,
    /// The least number of these.
    pub first: u64,
    /// Result and flags that were due, where there was one input.
    pub expected: [u64; 2],
    /// The kernel's.
    pub got: [u64; 2],
}

impl Report {
    /// Before the first input.
    pub const EMPTY: Self = Self {
        seen: 0,
        wrong: 0,
        first: u64::MAX,
        expected: [0; 2],
        got: [0; 2],
    };

    /// As it lies in memory.
    #[must_use]
    pub const fn words(self) -> [u64; 7] {
        let ([due, due_flags], [got, got_flags]) = (self.expected, self.got);
        [
            self.seen, self.wrong, self.first, due, due_flags, got, got_flags,
        ]
    }

    /// The inverse of [`Report::words`]; a missing word is 0.
    #[must_use]
    pub fn of(words: &[u64]) -> Self {
        let word = |k: usize| words.get(k).copied().unwrap_or(0);
        Self {
            seen: word(0),
            wrong: word(1),
            first: word(2),
            expected: [word(3), word(4)],
            got: [word(5), word(6)],
        }
    }
}

/// Dims of a tensor on the device; the host puts dims of length 1 before fewer.
pub const RANK: usize = 4;

/// How [`slice_scatter`](bitexact::tensor::slice_scatter) walks: strides and positions count
/// elements, and the pointers beside it are those of the elements at coordinate 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scatter {
    /// Of the output.
    pub shape: [u64; RANK],
    /// Of the tensor that is copied.
    pub x: [i64; RANK],
    /// Of the tensor that replaces the slice; 0 for the sliced dim.
    pub src: [i64; RANK],
    /// Of the output.
    pub out: [i64; RANK],
    /// 1 for the sliced dim, 0 for the others.
    pub along: [i64; RANK],
    /// Along the sliced dim, of the tensor that replaces the slice.
    pub src_step: i64,
    /// The slice's first coordinate.
    pub start: u64,
    /// From one of its coordinates to the next.
    pub step: u64,
    /// How many it has.
    pub count: u64,
}

/// How a sum along a dim walks.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// Of the output: the summed dim has length 1.
    pub shape: [u64; RANK],
    /// Of the tensor that is summed.
    pub x: [i64; RANK],
    /// Of the output.
    pub out: [i64; RANK],
    /// Elements of a lane.
    pub len: u64,
    /// From one to the next.
    pub step: i64,
}

/// Accumulators in memory that an exact sum's blocks share out among themselves.
pub const SLOTS: usize = 64;

/// How a product of matrices walks: strides count elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// Rows of the one, its columns and the other's rows, columns of the other.
    pub shape: [u64; 3],
    /// Of the one matrix.
    pub a: [i64; 2],
    /// Of the other.
    pub b: [i64; 2],
    /// Of the product.
    pub out: [i64; 2],
}

/// The sizes of a [`Conv2d`], in its order.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution([u64; 10]);

impl Convolution {
    /// Of these sizes.
    #[must_use]
    pub fn new(sizes: &Conv2d) -> Self {
        let [channels, height, width] = sizes.input;
        let ([down, across], [rows, columns]) = (sizes.kernel, sizes.stride);
        let [above, left] = sizes.padding;
        let all = [
            channels,
            height,
            width,
            sizes.channels,
            down,
            across,
            rows,
            columns,
            above,
            left,
        ];
        Self(all.map(|size| size as u64))
    }

    /// The sizes.
    #[must_use]
    pub fn sizes(&self) -> Conv2d {
        let [
            channels,
            height,
            width,
            filters,
            down,
            across,
            rows,
            columns,
            above,
            left,
        ] = self.0.map(|size| size as usize);
        Conv2d {
            input: [channels, height, width],
            channels: filters,
            kernel: [down, across],
            stride: [rows, columns],
            padding: [above, left],
        }
    }

    /// As it lies in memory.
    #[must_use]
    pub const fn words(&self) -> [u64; 10] {
        self.0
    }
}

/// The sizes of a pooling: input, output (both with channels), and windows and their strides where
/// these are stated.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pooling([u64; 10]);

impl Pooling {
    /// Of these sizes.
    #[must_use]
    pub fn new(
        [channels, height, width]: [usize; 3],
        [filters, rows, columns]: [usize; 3],
        [taps_down, taps_across]: [usize; 2],
        [down, across]: [usize; 2],
    ) -> Self {
        let all = [
            channels,
            height,
            width,
            filters,
            rows,
            columns,
            taps_down,
            taps_across,
            down,
            across,
        ];
        Self(all.map(|size| size as u64))
    }

    /// Channels, rows and columns of an image.
    #[must_use]
    pub const fn input(&self) -> [usize; 3] {
        let [channels, height, width, ..] = self.0;
        [channels as usize, height as usize, width as usize]
    }

    /// Channels, rows and columns of a result.
    #[must_use]
    pub const fn output(&self) -> [usize; 3] {
        let [_, _, _, channels, rows, columns, ..] = self.0;
        [channels as usize, rows as usize, columns as usize]
    }

    /// Rows and columns of a window.
    #[must_use]
    pub const fn kernel(&self) -> [usize; 2] {
        let [.., down, across, _, _] = self.0;
        [down as usize, across as usize]
    }

    /// From one window to the next.
    #[must_use]
    pub const fn stride(&self) -> [usize; 2] {
        let [.., down, across] = self.0;
        [down as usize, across as usize]
    }

    /// As it lies in memory.
    #[must_use]
    pub const fn words(&self) -> [u64; 10] {
        self.0
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Product {
    /// As it lies in memory.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let strides = [self.a, self.b, self.out].concat();
        let strides = strides.into_iter().map(|stride| stride as u64);
        self.shape.into_iter().chain(strides).collect()
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Scatter {
    /// As it lies in memory.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let last = [self.src_step as u64, self.start, self.step, self.count];
        let strides = [self.x, self.src, self.out, self.along].concat();
        let strides = strides.into_iter().map(|stride| stride as u64);
        self.shape.into_iter().chain(strides).chain(last).collect()
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Lanes {
    /// As it lies in memory.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let strides = [self.x, self.out].concat();
        let strides = strides.into_iter().map(|stride| stride as u64);
        let last = [self.len, self.step as u64];
        self.shape.into_iter().chain(strides).chain(last).collect()
    }
}

/// A mode: the index in `Rounding::ALL`, and from bit 8 on the one in `Overflow::ALL`.
#[must_use]
pub const fn encode_mode(mode: Mode) -> u32 {
    let rounding = match mode.rounding {
        Rounding::TiesToEven => 0,
        Rounding::TiesToAway => 1,
        Rounding::TowardZero => 2,
        Rounding::TowardPositive => 3,
        Rounding::TowardNegative => 4,
        Rounding::ToOdd => 5,
    };
    rounding | encode_overflow(mode.overflow) << 8
}

/// The inverse of [`encode_mode`].
#[must_use]
pub const fn decode_mode(mode: u32) -> Mode {
    let rounding = match mode & 0xFF {
        0 => Rounding::TiesToEven,
        1 => Rounding::TiesToAway,
        2 => Rounding::TowardZero,
        3 => Rounding::TowardPositive,
        4 => Rounding::TowardNegative,
        _ => Rounding::ToOdd,
    };
    Mode::new(rounding, decode_overflow(mode >> 8))
}

/// An overflow rule, by its index in `Overflow::ALL`.
#[must_use]
pub const fn encode_overflow(overflow: Overflow) -> u32 {
    match overflow {
        Overflow::Ieee => 0,
        Overflow::SaturateFinite => 1,
        Overflow::SaturateAll => 2,
    }
}

/// The inverse of [`encode_overflow`].
#[must_use]
pub const fn decode_overflow(overflow: u32) -> Overflow {
    match overflow {
        0 => Overflow::Ieee,
        1 => Overflow::SaturateFinite,
        _ => Overflow::SaturateAll,
    }
}

/// A NaN rule.
#[must_use]
pub const fn encode_nan(nan: NanGradient) -> u32 {
    match nan {
        NanGradient::Pass => 0,
        NanGradient::Zero => 1,
        NanGradient::Propagate => 2,
    }
}

/// The inverse of [`encode_nan`].
#[must_use]
pub const fn decode_nan(nan: u32) -> NanGradient {
    match nan {
        0 => NanGradient::Pass,
        1 => NanGradient::Zero,
        _ => NanGradient::Propagate,
    }
}

/// An encoder's knobs, a byte each from low to high: rounding, overflow, its test, infinity, NaN,
/// zero, below the minimum, negative. The last two are codes only where bits 4 and 5 of the
/// rounding's byte say so.
#[must_use]
pub fn encode_policy(policy: &ScalePolicy) -> u64 {
    let rounding = match policy.rounding {
        ScaleRounding::Floor => 0,
        ScaleRounding::Ceil => 1,
        ScaleRounding::CeilField => 2,
        ScaleRounding::NearestTiesUp => 3,
        ScaleRounding::NearestTiesUpQuirk => 4,
        ScaleRounding::NearestEvenCode => 5,
    };
    let (below, below_code) = match policy.below_minimum {
        BelowMinimum::Clamp => (0, 0),
        BelowMinimum::Code(code) => (0x10, code.to_bits()),
    };
    let (negative, negative_code) = match policy.negative {
        Negative::Magnitude => (0, 0),
        Negative::Code(code) => (0x20, code.to_bits()),
    };
    let test = match policy.overflow_test {
        OverflowTest::AfterRounding => 0,
        OverflowTest::BeforeRounding => 1,
    };
    u64::from_le_bytes([
        rounding | below | negative,
        policy.overflow.to_bits(),
        test,
        policy.infinity.to_bits(),
        policy.nan.to_bits(),
        policy.zero.to_bits(),
        below_code,
        negative_code,
    ])
}

/// The inverse of [`encode_policy`].
#[must_use]
pub fn decode_policy(knobs: u64) -> ScalePolicy {
    let [first, overflow, test, infinity, nan, zero, below, negative] = knobs.to_le_bytes();
    ScalePolicy {
        rounding: match first & 0x0F {
            0 => ScaleRounding::Floor,
            1 => ScaleRounding::Ceil,
            2 => ScaleRounding::CeilField,
            3 => ScaleRounding::NearestTiesUp,
            4 => ScaleRounding::NearestTiesUpQuirk,
            _ => ScaleRounding::NearestEvenCode,
        },
        overflow: E8M0::from_bits(overflow),
        overflow_test: match test {
            0 => OverflowTest::AfterRounding,
            _ => OverflowTest::BeforeRounding,
        },
        infinity: E8M0::from_bits(infinity),
        nan: E8M0::from_bits(nan),
        zero: E8M0::from_bits(zero),
        below_minimum: match first & 0x10 {
            0 => BelowMinimum::Clamp,
            _ => BelowMinimum::Code(E8M0::from_bits(below)),
        },
        negative: match first & 0x20 {
            0 => Negative::Magnitude,
            _ => Negative::Code(E8M0::from_bits(negative)),
        },
    }
}

/// A way to add products up.
#[must_use]
pub const fn encode_accumulation(how: Accumulation) -> u32 {
    match how {
        Accumulation::Declared(Order::Sequential) => 0,
        Accumulation::Declared(Order::Pairwise) => 1,
        Accumulation::Declared(Order::Neumaier) => 2,
        Accumulation::Exact => 3,
    }
}

/// The inverse of [`encode_accumulation`].
#[must_use]
pub const fn decode_accumulation(how: u32) -> Accumulation {
    match how {
        0 => Accumulation::Declared(Order::Sequential),
        1 => Accumulation::Declared(Order::Pairwise),
        2 => Accumulation::Declared(Order::Neumaier),
        _ => Accumulation::Exact,
    }
}

const fn encode_quotient(quotient: Quotient) -> u32 {
    match quotient {
        Quotient::Exact => 0,
        Quotient::Divided => 1,
        Quotient::Reciprocal => 2,
    }
}

const fn decode_quotient(quotient: u32) -> Quotient {
    match quotient & 0xF {
        0 => Quotient::Exact,
        1 => Quotient::Divided,
        _ => Quotient::Reciprocal,
    }
}

/// What a dialect has beside its policy, from low to high: the scale's source and the quotient, four
/// bits each; specials and MXINT8's range, four each; the mode.
#[must_use]
pub const fn encode_dialect(dialect: &Dialect) -> u32 {
    let source = match dialect.source {
        ScaleSource::Exponent => 0,
        ScaleSource::RoundedExponent => 1,
        ScaleSource::Quotient => 2,
        ScaleSource::Reciprocal => 3,
    };
    let specials = match dialect.specials {
        BlockSpecials::Scale => 0,
        BlockSpecials::Element => 1,
    };
    let range = match dialect.int8 {
        Int8Range::Full => 0,
        Int8Range::Symmetric => 1,
    };
    source
        | encode_quotient(dialect.quotient) << 4
        | specials << 8
        | range << 12
        | encode_mode(dialect.mode) << 16
}

/// The inverse of [`encode_policy`] and [`encode_dialect`].
#[must_use]
pub fn decode_dialect(policy: u64, rest: u32) -> Dialect {
    Dialect {
        source: match rest & 0xF {
            0 => ScaleSource::Exponent,
            1 => ScaleSource::RoundedExponent,
            2 => ScaleSource::Quotient,
            _ => ScaleSource::Reciprocal,
        },
        policy: decode_policy(policy),
        specials: match rest >> 8 & 0xF {
            0 => BlockSpecials::Scale,
            _ => BlockSpecials::Element,
        },
        quotient: decode_quotient(rest >> 4),
        mode: decode_mode(rest >> 16),
        int8: match rest >> 12 & 0xF {
            0 => Int8Range::Full,
            _ => Int8Range::Symmetric,
        },
    }
}

/// How NVFP4 blocks are made: the least scale's code, and from bit 8 on the quotient.
#[must_use]
pub const fn encode_recipe(recipe: &Nvfp4) -> u32 {
    recipe.least_scale.to_bits() as u32 | encode_quotient(recipe.quotient) << 8
}

/// The inverse of [`encode_recipe`].
#[must_use]
pub const fn decode_recipe(recipe: u32) -> Nvfp4 {
    Nvfp4 {
        least_scale: E4M3FN::from_bits(recipe as u8),
        quotient: decode_quotient(recipe >> 8),
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use bitexact::scale::{DIALECTS, PRESETS};

    #[test]
    fn what_is_encoded_is_decoded() {
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                let mode = Mode::new(rounding, overflow);
                assert_eq!(decode_mode(encode_mode(mode)), mode);
            }
        }
        for nan in [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate] {
            assert_eq!(decode_nan(encode_nan(nan)), nan);
        }
        let code = E8M0::from_bits(0xA5);
        let negative = ScalePolicy {
            negative: Negative::Code(code),
            ..ScalePolicy::NEAREST_EVEN_CODE
        };
        let below = ScalePolicy {
            below_minimum: BelowMinimum::Code(code),
            ..ScalePolicy::CEIL
        };
        let presets = PRESETS.iter().map(|(_, policy)| *policy);
        for policy in presets.chain([negative, below]) {
            assert_eq!(decode_policy(encode_policy(&policy)), policy);
        }
        let element = Dialect {
            specials: BlockSpecials::Element,
            ..Dialect::PTX
        };
        for dialect in DIALECTS
            .iter()
            .map(|(_, dialect)| *dialect)
            .chain([element])
        {
            let words = (encode_policy(&dialect.policy), encode_dialect(&dialect));
            assert_eq!(decode_dialect(words.0, words.1), dialect);
        }
        for recipe in [
            Nvfp4::EXACT,
            Nvfp4::TORCHAO_DIVIDED,
            Nvfp4::TORCHAO_RECIPROCAL,
        ] {
            assert_eq!(decode_recipe(encode_recipe(&recipe)), recipe);
        }
        let declared = [Order::Sequential, Order::Pairwise, Order::Neumaier];
        let declared = declared.map(Accumulation::Declared).into_iter();
        for how in declared.chain([Accumulation::Exact]) {
            assert_eq!(decode_accumulation(encode_accumulation(how)), how);
        }
        let sizes = Conv2d {
            input: [1, 2, 3],
            channels: 4,
            kernel: [5, 6],
            stride: [7, 8],
            padding: [9, 10],
        };
        assert_eq!(Convolution::new(&sizes).sizes(), sizes);
        let pooling = Pooling::new([1, 2, 3], [4, 5, 6], [7, 8], [9, 10]);
        assert_eq!((pooling.input(), pooling.output()), ([1, 2, 3], [4, 5, 6]));
        assert_eq!((pooling.kernel(), pooling.stride()), ([7, 8], [9, 10]));
    }
}
