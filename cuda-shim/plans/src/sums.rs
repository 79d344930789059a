//! Exact sums and dot products of long slices, and of columns in sequential order: the GPU crate's
//! `tile/{sums,chains}.rs`.

/// Accumulators in memory, which the blocks of an exact sum share, and the most words that such an
/// accumulator has.
pub const SLOTS: usize = 64;
pub const SLOT_WORDS: usize = 24;

/// How the terms of a sum are added: threads of a block, operands, and bins of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub threads: usize,
    pub operands: usize,
    pub bins: usize,
}

/// Values of f16, whose one bin is all of it, of bf16, which have one bin more than terms have,
/// since a window's sum is larger than its terms, and of f32; and products of two values.
pub const F16: Terms = terms(256, 1, 1);
pub const BF16: Terms = terms(256, 1, 17);
pub const F32: Terms = terms(256, 1, 16);
pub const F16_PRODUCTS: Terms = terms(256, 2, 16);
pub const BF16_PRODUCTS: Terms = terms(128, 2, 35);
pub const F32_PRODUCTS: Terms = terms(128, 2, 35);

/// Packs of all operands that a thread has under way.
pub const AHEAD: usize = 4;

const fn terms(threads: usize, operands: usize, bins: usize) -> Terms {
    Terms {
        threads,
        operands,
        bins,
    }
}

impl Terms {
    /// Bytes of a block's memory: the bins, and what each thread saw.
    #[must_use]
    pub const fn memory(self) -> usize {
        8 * self.threads * (self.bins + 1)
    }

    /// Packs of an operand that a thread has under way.
    #[must_use]
    pub const fn ahead(self) -> usize {
        AHEAD / self.operands
    }

    /// Packs that a block loads at once.
    #[must_use]
    pub const fn piece(self) -> usize {
        self.threads * self.ahead()
    }
}

/// The entries.
#[macro_export]
macro_rules! sums_entries {
    ($to:ident) => {
        $to! {
            /// The exact sum of a slice, rounded once.
            sums::reduce[Values<T>,] as Sum() (
                a: *const T, b: *const T, n: u64, slots: *mut u64, out: *mut u8, to: u32, flags: *mut u8, mode: u32
            ) {
                "sum_exact_" [f16] "_fma" () terms(F16);
                "sum_exact_" [bf16] "_fma" () terms(BF16);
                "sum_exact_" [f32] "_fma" () terms(F32);
            }
            /// The exact dot product of two slices, rounded once.
            sums::reduce[Products<T>,] as Dot() (
                a: *const T, b: *const T, n: u64, slots: *mut u64, out: *mut u8, to: u32, flags: *mut u8, mode: u32
            ) {
                "dot_exact_" [f16] "_fma" () terms(F16_PRODUCTS);
                "dot_exact_" [bf16] "_fma" () terms(BF16_PRODUCTS);
                "dot_exact_" [f32] "_fma" () terms(F32_PRODUCTS);
            }
        }
    };
}

/// The definition's entries, whose threads work alone. Formats are numbers: the [summed](SUMMED)
/// one's, and a result's.
#[macro_export]
macro_rules! sum_definitions {
    ($to:ident) => {
        $to! {
            /// Adds a slice to accumulators.
            reduce::accumulate[] as Accumulate() (ty: u32, x: *const u8, n: usize, slots: *mut u64) {
                "accumulate" [_] "" () items();
            }
            /// Adds products to accumulators.
            reduce::accumulate_products[] as AccumulateProducts() (
                ty: u32, a: *const u8, b: *const u8, n: usize, slots: *mut u64
            ) {
                "accumulate_products" [_] "" () items();
            }
            /// Rounds the sum in accumulators.
            reduce::round_sum[] as RoundSum() (
                ty: u32, slots: *const u64, out: *mut u8, to: u32, flags: *mut u8, mode: u32
            ) {
                "round_sum" [_] "" () items();
            }
            /// Sums along a dim, in a declared order.
            reduce::sum_lanes[] as SumLanes() (
                from: u32, to: u32, x: *const u8, out: *mut u8, flags: *mut u8, n: usize,
                walk: *const Lanes, order: u32, mode: u32
            ) {
                "sum_lanes" [_] "" () items();
            }
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::entry::{Shape, blocks, launches};
    use crate::{Launch, Work, result_number};
    use bitexact::catalog::Type;

    const fn terms(terms: Terms) -> Shape {
        blocks(terms.threads, terms.memory())
    }

    sums_entries!(launches);

    /// The definition's entries.
    pub mod definition {
        use crate::entry::{items, launches};

        sum_definitions!(launches);
    }

    /// The formats that are summed, in the order of their numbers: those of floating-point numbers
    /// of at most 32 bits, which come first in the list of all.
    pub const SUMMED: &[Type] = crate::catalog::FORMATS.split_at(10).0;

    /// Elements that a thread adds to its own accumulator, at least, over which the cost of adding
    /// that to one in memory is spread.
    const SHARE: usize = 64;

    /// The exact sum of a slice, or of the products of two, rounded once.
    #[derive(Clone, Copy, Debug)]
    pub struct Exact {
        pub ty: Type,
        /// The slices; without a second one, the sum is of values. Both lie alike to a multiple of 16.
        pub a: u64,
        pub b: Option<u64>,
        pub n: usize,
        /// Accumulators and a counter, zeros before and after.
        pub slots: u64,
        /// Where the sum goes, and its format; the address of its flags, or 0.
        pub out: u64,
        pub to: Type,
        pub flags: u64,
        pub mode: u32,
        /// The device's multiprocessors.
        pub processors: usize,
    }

    impl Exact {
        /// The definition's launches; it leaves the accumulators as they are.
        #[must_use]
        pub fn definition(&self) -> Option<Vec<Launch>> {
            let Self { a, b, n, slots, .. } = *self;
            let ty = SUMMED.iter().position(|ty| *ty == self.ty)? as u32;
            let work = Work::Items(n.div_ceil(SHARE));
            let first = match b {
                None => definition::Accumulate { ty, x: a, n, slots }.launch(None, (), work),
                Some(b) => {
                    definition::AccumulateProducts { ty, a, b, n, slots }.launch(None, (), work)
                }
            };
            #[rustfmt::skip]
            let last = definition::RoundSum {
                ty, slots, out: self.out, to: result_number(self.to)?, flags: self.flags,
                mode: self.mode,
            };
            Some(vec![first?, last.launch(None, (), Work::Items(1))?])
        }

        /// The launch; `None` for formats that have none.
        #[must_use]
        pub fn launch(&self) -> Option<Launch> {
            let Self {
                ty,
                a,
                b,
                slots,
                out,
                flags,
                mode,
                ..
            } = *self;
            let terms = match (ty, b) {
                (Type::F16, None) => F16,
                (Type::Bf16, None) => BF16,
                (Type::F32, None) => F32,
                (Type::F16, Some(_)) => F16_PRODUCTS,
                (Type::Bf16, Some(_)) => BF16_PRODUCTS,
                (Type::F32, Some(_)) => F32_PRODUCTS,
                _ => return None,
            };
            let bytes = self.n * ty.bytes();
            let pieces = bytes.div_ceil(16 * terms.piece()).max(1);
            // As many as have registers and memory on a multiprocessor of today.
            let most = (1024 / terms.threads).min((220 << 10) / terms.memory());
            let work = Work::Blocks(pieces.min(self.processors * most));
            let (n, to) = (self.n as u64, result_number(self.to)?);
            match b {
                None => {
                    let b = a;
                    Sum {
                        a,
                        b,
                        n,
                        slots,
                        out,
                        to,
                        flags,
                        mode,
                    }
                    .launch(ty, (), work)
                }
                Some(b) => Dot {
                    a,
                    b,
                    n,
                    slots,
                    out,
                    to,
                    flags,
                    mode,
                }
                .launch(ty, (), work),
            }
        }
    }
}
