//! Products of matrices in the order of a matrix unit, on the tensor cores that have it: the GPU
//! crate's `tile/unit.rs` and `composite/unit.rs`.
//!
//! An instruction of a tensor core is one step of a unit, so that a product whose k ascends through
//! instructions, and is never split, has the unit's bits. Whether the device at hand has the unit
//! is tried there ([`Probe`]).

pub use crate::exact::LINES;

/// Threads of a block.
pub const THREADS: usize = 256;
/// Threads of a warp.
pub const WARP: usize = 32;
/// Rows of a tile.
pub const ROWS: usize = 128;
/// Columns of a tile.
pub const COLUMNS: usize = 256;
/// Bytes of a line that an instruction takes.
pub const STEP: usize = 32;
/// Steps of a stage.
pub const DEPTH: usize = 2;
/// Packs of 16 bytes of a panel of lines in a stage: one for each lane and step.
pub const PACKS: usize = DEPTH * WARP;
/// Stages in a block's memory: one in use, others on their way.
pub const STAGES: usize = 4;
pub const STAGE: usize = (ROWS + COLUMNS) / LINES * PACKS * 16;
/// Bytes of a block's memory.
pub const MEMORY: usize = STAGES * STAGE;

/// What is multiplied, by number.
pub const BF16: u32 = 0;
pub const F16: u32 = 1;
pub const TF32: u32 = 2;

/// The entries that lay out operands.
#[macro_export]
macro_rules! unit_entries {
    ($to:ident) => {
        $to! {
            /// Lays lines out as the tensor cores take them.
            unit::lay[T,] as Lay() (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                panels: u32, steps: u32, columns: u32, nearest: u32, out: *mut Words4
            ) {
                "unit_lay_" [f16 f32] "" () blocks(THREADS, 0);
            }
        }
    };
}

/// The entries that multiply on tensor cores, which sm_80 and later have.
#[macro_export]
macro_rules! unit_mma_entries {
    ($to:ident) => {
        $to! {
            /// Multiplies in the order of the device's unit.
            unit::multiply[] as Multiply(u32) (
                products: u32, a_matrices: u32, b_matrices: u32, m: u32, n: u32, steps: u32,
                a: *const Words4, b: *const Words4, out: *mut u32,
                out_far: i64, out_row: i64, out_column: i64
            ) {
                "unit_bf16_mma" [_] "" (0) blocks(THREADS, MEMORY).least(1, 1);
                "unit_f16_mma" [_] "" (1) blocks(THREADS, MEMORY).least(1, 1);
                "unit_tf32_mma" [_] "" (2) blocks(THREADS, MEMORY).least(1, 1);
            }
            /// Compares instructions with the steps of Hopper's unit.
            unit::check[] as Check(u32) (first: u64, count: u64, data: u32, found: *mut u64) {
                "unit_check_bf16_mma" [_] "" (0) blocks(THREADS, 0);
                "unit_check_f16_mma" [_] "" (1) blocks(THREADS, 0);
                "unit_check_tf32_mma" [_] "" (2) blocks(THREADS, 0);
            }
        }
    };
}

/// The definition's entry: integers, for every unit.
#[macro_export]
macro_rules! unit_definitions {
    ($to:ident) => {
        $to! {
            /// Products in the order of a unit.
            unit::define[] as Define() (
                from: u32, to: u32, a: *const u8, b: *const u8, out: *mut u8,
                walk: *const Product, first: u64, second: u64, third: u64, mode: u32
            ) {
                "unit_gemm" [_] "" () items();
            }
        }
    };
}

use bitexact::catalog::{decode_mode, encode_mode};
use bitexact::reduce::{Addend, SumFormat, Unit, UnitParameters, WideOperands};
use bitexact::{Mode, Overflow, Rounding};

const fn encode_rounding(rounding: Rounding) -> u64 {
    encode_mode(Mode::new(rounding, Overflow::Ieee)) as u64 & 7
}

const fn decode_rounding(code: u64) -> Rounding {
    decode_mode(code as u32 & 7).rounding
}

/// A unit as three words; `None` for what these programs do not know.
#[must_use]
pub const fn encode(unit: &Unit) -> Option<[u64; 3]> {
    let numbers = unit.parameters();
    let (addend, later) = match numbers.addend {
        Addend::Aligned => (0, 0),
        Addend::Interleaved => (1, 0),
        Addend::Later {
            sum_bits,
            addend_bits,
            cut,
        } => {
            let bits = sum_bits as u64 | (addend_bits as u64) << 6;
            (2, bits | encode_rounding(cut) << 12)
        }
        _ => return None,
    };
    let wide = match numbers.wide {
        WideOperands::Refused => 0,
        WideOperands::Tf32Truncated => 1,
        WideOperands::Tf32Nearest => 2,
        WideOperands::Whole => 3,
        _ => return None,
    };
    let half = matches!(numbers.sum, SumFormat::F16);
    let steps = match unit.promoted() {
        Some(steps) => steps,
        None => 0,
    };
    let first = numbers.terms as u64
        | (numbers.fraction_bits as u64) << 8
        | (numbers.precision as u64) << 16
        | encode_rounding(numbers.cut) << 24
        | encode_rounding(numbers.rounding) << 28
        | (half as u64) << 32
        | addend << 34
        | wide << 36
        | (numbers.flush_operands as u64) << 38
        | (numbers.flush_sums as u64) << 39
        | (numbers.product_overflow as u64) << 40
        | later << 44;
    let second = numbers.nan as u64 | (steps as u64) << 32 | (unit.parts() as u64) << 48;
    let third = match numbers.least_exponent {
        Some(least) => least as u16 as u64 | 1 << 16,
        None => 0,
    };
    Some([first, second, third])
}

/// The inverse of [`encode`]; `None` for words that are no unit.
#[must_use]
pub const fn decode([first, second, third]: [u64; 3]) -> Option<Unit> {
    let later = first >> 44;
    let numbers = UnitParameters {
        terms: first as u8,
        fraction_bits: (first >> 8) as u8,
        least_exponent: if third >> 16 == 0 {
            None
        } else {
            Some(third as u16 as i16)
        },
        precision: (first >> 16) as u8,
        cut: decode_rounding(first >> 24),
        rounding: decode_rounding(first >> 28),
        sum: if first >> 32 & 1 == 0 {
            SumFormat::F32
        } else {
            SumFormat::F16
        },
        nan: second as u32,
        addend: match first >> 34 & 3 {
            0 => Addend::Aligned,
            1 => Addend::Interleaved,
            _ => Addend::Later {
                sum_bits: (later & 63) as u8,
                addend_bits: (later >> 6 & 63) as u8,
                cut: decode_rounding(later >> 12),
            },
        },
        wide: match first >> 36 & 3 {
            0 => WideOperands::Refused,
            1 => WideOperands::Tf32Truncated,
            2 => WideOperands::Tf32Nearest,
            _ => WideOperands::Whole,
        },
        flush_operands: first >> 38 & 1 != 0,
        flush_sums: first >> 39 & 1 != 0,
        product_overflow: first >> 40 & 1 != 0,
    };
    let (steps, parts) = ((second >> 32) as u16, (second >> 48) as u16);
    let Ok(unit) = Unit::new(numbers) else {
        return None;
    };
    let Ok(unit) = unit.segments(parts) else {
        return None;
    };
    if steps == 0 {
        return Some(unit);
    }
    match unit.promote(steps) {
        Ok(unit) => Some(unit),
        Err(_) => None,
    }
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::entry::{blocks, launches};
    use crate::{Launch, Matrices, Work, format_number, result_number};
    use bitexact::catalog::Type;
    use bitexact::format::{Arithmetic, Binary32, Format};
    use bitexact::{bf16, f16};

    unit_entries!(launches);

    /// The entries that multiply on tensor cores.
    pub mod mma {
        use super::super::{MEMORY, THREADS};
        use crate::entry::{blocks, launches};

        unit_mma_entries!(launches);
    }

    /// The definition's entries.
    pub mod definition {
        use crate::entry::{items, launches};

        unit_definitions!(launches);
    }

    /// The launch that compares so many instructions of the tensor cores with the steps of Hopper's
    /// unit, from number `first` on: bf16, f16 or f32 (as TF32). `found` is the address of six
    /// counts: results that differ; results that are NaN, infinite, zero, subnormal and normal.
    #[must_use]
    pub fn check(ty: Type, data: u32, first: u64, count: u64, found: u64) -> Option<Launch> {
        let number = match ty {
            Type::Bf16 => BF16,
            Type::F16 => F16,
            Type::F32 => TF32,
            _ => return None,
        };
        let launch = mma::Check {
            first,
            count,
            data,
            found,
        };
        let blocks = usize::try_from(count).ok()?.div_ceil(THREADS / WARP);
        launch.launch(None, number, Work::Blocks(blocks.min(1 << 14)))
    }

    /// Products of a batch of matrices (m, k) and (k, n) of one format in the order of a unit.
    #[derive(Clone, Copy, Debug)]
    pub struct Product {
        /// The operands' format.
        pub ty: Type,
        /// How many, m, n and k.
        pub sizes: [usize; 4],
        pub a: Matrices,
        pub b: Matrices,
        pub unit: Unit,
    }

    /// Bytes that the lines of a side take when they are laid out.
    const fn bytes(panels: usize, steps: usize) -> Option<usize> {
        panels.saturating_mul(steps).checked_mul(16 * WARP)
    }

    impl Product {
        /// The number of what the tensor cores multiply, if they may have the unit.
        fn instruction(&self) -> Option<u32> {
            match self.ty {
                Type::Bf16 => Some(BF16),
                Type::F16 => Some(F16),
                Type::F32 => Some(TF32),
                _ => None,
            }
            .filter(|_| self.unit.is_plain())
        }

        /// Steps, in whole stages.
        const fn steps(&self) -> usize {
            let bytes = self.sizes[3].saturating_mul(self.ty.bytes());
            bytes.div_ceil(STEP * DEPTH) * DEPTH
        }

        /// Panels of each side: the matrices, and those of each.
        fn panels(&self) -> [[usize; 2]; 2] {
            let [batch, m, n, _] = self.sizes;
            [
                [self.a.count(batch), m.div_ceil(ROWS) * (ROWS / LINES)],
                [self.b.count(batch), n.div_ceil(COLUMNS) * (COLUMNS / LINES)],
            ]
        }

        /// The bytes that laid out operands take; `None` if the tensor cores cannot have the unit or
        /// sizes are too large.
        #[must_use]
        pub fn memory(&self) -> Option<usize> {
            self.instruction()?;
            let [a, b] = self.panels().map(|[matrices, panels]| {
                let panels = matrices.checked_mul(panels)?;
                // The entries count packs in 32 bits.
                let packs = panels.checked_mul(self.steps())?.checked_mul(WARP)?;
                (packs < 1 << 31).then(|| bytes(panels, self.steps()))?
            });
            let small = self.sizes.iter().all(|size| *size < 1 << 31);
            a?.checked_add(b?).filter(|_| small)
        }

        /// The launches, with so much memory at an address that is a multiple of 16: accumulators,
        /// in f32.
        #[must_use]
        pub fn launches(&self, memory: u64, out: Matrices) -> Option<Vec<Launch>> {
            self.memory()?;
            let [batch, m, n, k] = self.sizes.map(|size| size as u32);
            let steps = self.steps();
            let nearest = self.unit.parameters().wide == WideOperands::Tf32Nearest;
            let [first, second] = self.panels();
            let second_at = memory + bytes(first[0] * first[1], steps)? as u64;
            let mut launches = Vec::new();
            let [a_far, a_row, a_step] = self.a.strides;
            let [b_far, b_step, b_row] = self.b.strides;
            for (address, [matrices, panels], each, strides, columns, out) in [
                (self.a.address, first, m, [a_far, a_row, a_step], 0, memory),
                (
                    self.b.address,
                    second,
                    n,
                    [b_far, b_row, b_step],
                    1,
                    second_at,
                ),
            ] {
                let [far, row, step] = strides;
                #[rustfmt::skip]
                let launch = Lay {
                    x: address, matrices: matrices as u32, each, k, far, row, step,
                    panels: panels as u32, steps: steps as u32, columns,
                    nearest: u32::from(nearest), out,
                };
                let ty = if self.ty == Type::F32 {
                    Type::F32
                } else {
                    Type::F16
                };
                let warps = THREADS / WARP;
                let work = Work::Blocks((matrices * panels * steps).div_ceil(warps));
                launches.push(launch.launch(ty, (), work)?);
            }
            let tiles = (m as usize).div_ceil(ROWS) * (n as usize).div_ceil(COLUMNS);
            let [out_far, out_row, out_column] = out.strides;
            #[rustfmt::skip]
            let launch = mma::Multiply {
                products: batch, a_matrices: first[0] as u32, b_matrices: second[0] as u32, m, n,
                steps: steps as u32, a: memory, b: second_at, out: out.address, out_far, out_row,
                out_column,
            };
            let work = Work::Blocks(tiles.checked_mul(batch as usize)?);
            launches.push(launch.launch(None, self.instruction()?, work)?);
            Some(launches)
        }

        /// The definition's launch for one product, rounded from the accumulator to a format in a
        /// mode: `walk` is the address of the sizes and strides.
        #[must_use]
        pub fn define(&self, out: u64, to: Type, walk: u64, mode: Mode) -> Option<Launch> {
            let [_, m, n, _] = self.sizes;
            // The entry has the first five formats of sums.
            let from = format_number(self.ty).filter(|number| *number < 5)?;
            let [first, second, third] = encode(&self.unit)?;
            #[rustfmt::skip]
            let launch = definition::Define {
                from, to: result_number(to)?, a: self.a.address, b: self.b.address, out, walk,
                first, second, third, mode: encode_mode(mode),
            };
            launch.launch(None, (), Work::Items(m * n))
        }
    }

    /// Operands of a product on which units differ, as bits, row after row, and its accumulators by
    /// the definition: a device that gives these has the unit.
    #[derive(Clone, Debug)]
    pub struct Probe {
        pub a: Vec<u64>,
        pub b: Vec<u64>,
        pub due: Vec<u32>,
    }

    impl Probe {
        /// m, n and k.
        pub const SIZES: [usize; 3] = [40, 24, 208];

        /// For a unit and its operands' format, which the tensor cores take.
        #[must_use]
        pub fn new(ty: Type, unit: &Unit) -> Option<Self> {
            match ty {
                Type::Bf16 => Some(Self::of::<bf16>(unit)),
                Type::F16 => Some(Self::of::<f16>(unit)),
                Type::F32 => Some(Self::of::<Binary32>(unit)),
                _ => None,
            }
        }

        fn of<T: Arithmetic>(unit: &Unit) -> Self {
            let [m, n, k] = Self::SIZES;
            let mut a: Vec<_> = (0..m * k).map(|i| code::<T>(i / k, i % k, 1)).collect();
            let mut b: Vec<_> = (0..k * n).map(|i| code::<T>(i % n, i / n, 2)).collect();
            if T::BIAS == 127 {
                // 2^-148 - 2^-149 (1 + 2^-6 + 2^-14) + 2^-155, codes of bf16: with a least E of -133
                // that is 2^-149, otherwise 0.
                a[(m - 1) * k..].fill(0);
                b.iter_mut()
                    .skip(n - 1)
                    .step_by(n)
                    .for_each(|code| *code = 0);
                let tiny = [(0x1A80, 0x1A80), (0x9A01, 0x1A81), (0x1780, 0x1A00)];
                for (i, (left, right)) in tiny.into_iter().enumerate() {
                    a[(m - 1) * k + i] = left << (T::BITS - 16);
                    b[i * n + n - 1] = right << (T::BITS - 16);
                }
            }
            let dot = |row: usize, column: usize| {
                let pair = |i| {
                    (
                        <T as Format>::from_bits(a[row * k + i]),
                        <T as Format>::from_bits(b[i * n + column]),
                    )
                };
                let sum: Binary32 = unit.dot_by((0..k).map(pair), k, Mode::TIES_TO_EVEN);
                sum.to_bits()
            };
            let due = (0..m * n).map(|i| dot(i / n, i % n)).collect();
            Self { a, b, due }
        }
    }

    /// The bits of an element: of a line's kind, about 1, of any exponent, cancelling the one
    /// before, subnormal beside huge, tiny, or special now and then.
    fn code<T: Arithmetic>(line: usize, k: usize, salt: u64) -> u64 {
        let digits = T::PRECISION - 1;
        let draw = |salt: u64| {
            let seed = salt ^ ((line as u64) << 40) ^ ((k as u64) << 8);
            let word = (seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            let word = (word ^ word >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            word ^ word >> 29
        };
        let word = draw(salt);
        let sign = if word >> 63 == 0 { 0 } else { T::SIGN };
        let fraction = word & ((1 << digits) - 1);
        let most = T::MAX_FINITE >> digits;
        let about = (T::BIAS as u64).min(most) - (word >> 40) % 3;
        let small = (word >> 33) % 8;
        match line % 6 {
            0 => sign | about << digits | fraction,
            1 => sign | ((word >> 40) % (most + 1)) << digits | fraction,
            // Of the line before in pairs of opposite signs, the second one about as large.
            2 => [0, T::SIGN][k % 2] | (T::BIAS as u64) << digits | fraction >> (digits - 2),
            3 if small == 0 => sign | (most - (word >> 44) % 2) << digits | fraction,
            3 => sign | fraction,
            4 => {
                sign | (T::BIAS as u64).saturating_sub(76 - (word >> 40) % 20) << digits | fraction
            }
            _ if k == 150 && line % 12 == 11 => sign | (T::MAX_FINITE + 1 + line as u64 % 3),
            _ if small == 1 => sign,
            _ => sign | (about - small) << digits | fraction,
        }
    }
}
