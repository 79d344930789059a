//! Functions of rows that lie one after the other: the GPU crate's
//! `tile/{row,means,squares,softmax,layer_norm,lane_sums}.rs`.

/// Threads of a warp.
const WARP: usize = 32;
/// Warps per row, for rows that are too long for one warp, and for those that are too long for
/// these.
pub const FEW: usize = 4;
pub const WARPS: usize = 16;
/// Values that a thread has at once.
pub const VALUES: usize = 32;
/// The longest row of all: a thread has 2^13 of its values.
pub const LONGEST: usize = 1 << 22;
/// Bins of a thread, of means and of softmax.
pub const MEAN_BINS: usize = 16;
pub const SOFTMAX_BINS: usize = 7;
/// Words of a row's record between the two entries of a mean: the kinds of its terms; the window's
/// sum; the field of its least exponent; the bins.
pub const MEAN_RECORD: usize = 3 + MEAN_BINS;
/// Windows of squares, and words of a row's record between the two entries of a norm: the top of
/// its first window, as bits, and the number of windows, or the largest magnitude if there are
/// none; two sums for each window.
pub const WINDOWS: usize = 15;
pub const ROOT_RECORD: usize = 1 + 2 * WINDOWS;
/// Threads of a block of the second entries, and of sums in lanes.
pub const THREADS: usize = 256;
/// What is made of a variance: its root, or the statistics of a layer norm or an RMS norm.
pub const ROOT: u32 = 1;
pub const STATISTICS: u32 = 2;

/// What is done to the scores of a softmax: the product with the scale; then a mask of bytes, or one
/// that is added.
pub const SCALED: u32 = 1;
pub const TAKEN: u32 = 2;
pub const ADDED: u32 = 3;

/// Values of a row that its threads have at once.
#[must_use]
pub const fn piece(warps: usize) -> usize {
    VALUES * WARP * warps
}

/// The entries. Constants are the warps of a row, whether packs are read as a whole, and packs of a
/// thread; of softmax first whether it is the logarithm.
#[macro_export]
macro_rules! rows_entries {
    ($to:ident) => {
        $to! {
            /// softmax of each row, or its logarithm; of scores of attention with their scale and mask.
            softmax::softmax[T,] as Softmax(bool, usize, bool) (
                x: *const T, length: u32, rows: usize, out: *mut u32, to: u32, scores: u32, scale: u32,
                mask: *const u8, heads: u32, queries: u32, of_stack: usize, of_head: usize, of_query: usize
            ) {
                "softmax_warp_" [f32 f16 bf16] "_f32_fma" (false, 1, true) block(SOFTMAX_BINS, 1).least(16, 16);
                "softmax_warp_any_" [f32 f16 bf16] "_f32_fma" (false, 1, false) block(SOFTMAX_BINS, 1).least(16, 16);
                "softmax_four_" [f32 f16 bf16] "_f32_fma" (false, 4, true) block(SOFTMAX_BINS, 4).least(4, 4);
                "softmax_four_any_" [f32 f16 bf16] "_f32_fma" (false, 4, false) block(SOFTMAX_BINS, 4).least(4, 4);
                "softmax_block_" [f32 f16 bf16] "_f32_fma" (false, 16, true) block(SOFTMAX_BINS, 16).least(1, 1);
                "softmax_block_any_" [f32 f16 bf16] "_f32_fma" (false, 16, false) block(SOFTMAX_BINS, 16).least(1, 1);
                "log_softmax_warp_" [f32 f16 bf16] "_f32_fma" (true, 1, true) block(SOFTMAX_BINS, 1).least(16, 16);
                "log_softmax_warp_any_" [f32 f16 bf16] "_f32_fma" (true, 1, false) block(SOFTMAX_BINS, 1).least(16, 16);
                "log_softmax_four_" [f32 f16 bf16] "_f32_fma" (true, 4, true) block(SOFTMAX_BINS, 4).least(4, 4);
                "log_softmax_four_any_" [f32 f16 bf16] "_f32_fma" (true, 4, false) block(SOFTMAX_BINS, 4).least(4, 4);
                "log_softmax_block_" [f32 f16 bf16] "_f32_fma" (true, 16, true) block(SOFTMAX_BINS, 16).least(1, 1);
                "log_softmax_block_any_" [f32 f16 bf16] "_f32_fma" (true, 16, false) block(SOFTMAX_BINS, 16).least(1, 1);
            }
            /// The exact sum of each row, as a record.
            row_mean::add[T,] as Sums(usize, bool, usize) (
                x: *const T, length: u32, rows: usize, records: *mut u64
            ) {
                "row_sums_warp_" [f32] "_fma" (1, true, 8) block(MEAN_BINS, 1).least(20, 16);
                "row_sums_warp_" [f16 bf16] "_fma" (1, true, 4) block(MEAN_BINS, 1).least(20, 16);
                "row_sums_warp_any_" [f32] "_fma" (1, false, 8) block(MEAN_BINS, 1).least(20, 16);
                "row_sums_warp_any_" [f16 bf16] "_fma" (1, false, 4) block(MEAN_BINS, 1).least(20, 16);
                "row_sums_four_" [f32] "_fma" (4, true, 8) block(MEAN_BINS, 4).least(5, 4);
                "row_sums_four_" [f16 bf16] "_fma" (4, true, 4) block(MEAN_BINS, 4).least(5, 4);
                "row_sums_four_any_" [f32] "_fma" (4, false, 8) block(MEAN_BINS, 4).least(5, 4);
                "row_sums_four_any_" [f16 bf16] "_fma" (4, false, 4) block(MEAN_BINS, 4).least(5, 4);
                "row_sums_block_" [f32] "_fma" (16, true, 4) block(MEAN_BINS, 16).least(2, 1);
                "row_sums_block_" [f16 bf16] "_fma" (16, true, 4) block(MEAN_BINS, 16).least(1, 1);
                "row_sums_block_any_" [f32] "_fma" (16, false, 4) block(MEAN_BINS, 16).least(2, 1);
                "row_sums_block_any_" [f16 bf16] "_fma" (16, false, 4) block(MEAN_BINS, 16).least(1, 1);
            }
            /// Means of records.
            row_mean::divide[] as Means() (
                records: *const u64, length: u32, rows: usize, out: *mut u8, to: u32, mode: u32
            ) {
                "row_means" [_] "" () blocks(THREADS, 0);
            }
            /// The sum of each row in 32 lanes.
            lane_sums::sum[T,] as LaneSums() (x: *const T, length: u32, rows: usize, out: *mut u32) {
                "lane_sums_" [f32 f16 bf16] "_fma" () blocks(THREADS, 0).least(0, 0);
            }
            /// The exact sum of squares of each row, as a record.
            row_norm::add[T,] as Squares(usize, bool, usize) (
                x: *const T, length: u32, rows: usize, records: *mut u64
            ) {
                "row_squares_warp_" [f32] "_fma" (1, true, 8) block(0, 1).least(20, 16);
                "row_squares_warp_" [f16 bf16] "_fma" (1, true, 4) block(0, 1).least(20, 16);
                "row_squares_warp_any_" [f32] "_fma" (1, false, 8) block(0, 1).least(20, 16);
                "row_squares_warp_any_" [f16 bf16] "_fma" (1, false, 4) block(0, 1).least(20, 16);
                "row_squares_four_" [f32] "_fma" (4, true, 8) block(0, 4).least(5, 4);
                "row_squares_four_" [f16 bf16] "_fma" (4, true, 4) block(0, 4).least(5, 4);
                "row_squares_four_any_" [f32] "_fma" (4, false, 8) block(0, 4).least(5, 4);
                "row_squares_four_any_" [f16 bf16] "_fma" (4, false, 4) block(0, 4).least(5, 4);
                "row_squares_block_" [f32 f16 bf16] "_fma" (16, true, 4) block(0, 16).least(1, 1);
                "row_squares_block_any_" [f32 f16 bf16] "_fma" (16, false, 4) block(0, 16).least(1, 1);
            }
            /// Norms of records.
            row_norm::round[] as Roots() (
                records: *const u64, length: u32, rows: usize, out: *mut u8, to: u32, mode: u32
            ) {
                "row_roots" [_] "" () blocks(THREADS, 0);
            }
            /// Variances of records of sums and of squares, their roots, or the statistics of
            /// layer norms.
            row_norm::spread[] as Spreads() (
                sums: *const u64, records: *const u64, length: u32, divisor: u32, rows: usize,
                out: *mut u8, what: u32, to: u32, mode: u32, epsilon: u32
            ) {
                "row_spreads" [_] "" () blocks(THREADS, 0);
            }
            /// The layer norm of each row, or without a bias its RMS norm; the batch norm of planes of
            /// channels.
            layer_norm::normalise[T,] as Normalise(usize, bool) (
                x: *const T, length: u32, rows: usize, statistics: *const f32,
                weight: *const u8, bias: *const u8, wide: u32, out: *mut u8, to_wide: u32, mode: u32,
                channels: u32
            ) {
                "normalise_warp_" [f32 f16 bf16] "_fma" (1, true) blocks(WARP, 0).least(16, 16);
                "normalise_warp_any_" [f32 f16 bf16] "_fma" (1, false) blocks(WARP, 0).least(16, 16);
                "normalise_four_" [f32 f16 bf16] "_fma" (4, true) blocks(FEW * WARP, 0).least(4, 4);
                "normalise_four_any_" [f32 f16 bf16] "_fma" (4, false) blocks(FEW * WARP, 0).least(4, 4);
                "normalise_block_" [f32 f16 bf16] "_fma" (16, true) blocks(WARPS * WARP, 0).least(1, 1);
                "normalise_block_any_" [f32 f16 bf16] "_fma" (16, false) blocks(WARPS * WARP, 0).least(1, 1);
            }
        }
    };
}

/// The definition's entries, a row a thread. Formats are those of sums, by number.
#[macro_export]
macro_rules! row_definitions {
    ($to:ident) => {
        $to! {
            /// Means.
            rows::mean[] as Mean() (
                from: u32, to: u32, x: *const u8, length: usize, rows: usize, out: *mut u8,
                flags: *mut u8, mode: u32
            ) {
                "mean" [_] "" () items();
            }
            /// Variances.
            rows::variance[] as Variance() (
                from: u32, to: u32, x: *const u8, length: usize, rows: usize, out: *mut u8,
                flags: *mut u8, missing: u32, mode: u32
            ) {
                "variance" [_] "" () items();
            }
            /// Standard deviations.
            rows::standard_deviation[] as StandardDeviation() (
                from: u32, to: u32, x: *const u8, length: usize, rows: usize, out: *mut u8,
                flags: *mut u8, missing: u32, mode: u32
            ) {
                "standard_deviation" [_] "" () items();
            }
            /// Norms.
            rows::norm[] as Norm() (
                from: u32, to: u32, x: *const u8, length: usize, rows: usize, out: *mut u8,
                flags: *mut u8, mode: u32
            ) {
                "norm" [_] "" () items();
            }
            /// softmax.
            rows::softmax[] as Softmax() (
                from: u32, to: u32, x: *const u8, length: usize, rows: usize, out: *mut u8, mode: u32
            ) {
                "softmax_rn" [_] "" () items();
            }
            /// Its logarithm.
            rows::log_softmax[] as LogSoftmax() (
                from: u32, to: u32, x: *const u8, length: usize, rows: usize, out: *mut u8, mode: u32
            ) {
                "log_softmax_rn" [_] "" () items();
            }
            /// Layer norms.
            rows::layer_norm[] as LayerNorm() (
                from: u32, of_weight: u32, to: u32, x: *const u8, length: usize, rows: usize,
                weight: *const u8, bias: *const u8, epsilon: u32, out: *mut u8, mode: u32
            ) {
                "layer_norm" [_] "" () items();
            }
            /// RMS norms.
            rows::rms_norm[] as RmsNorm() (
                from: u32, of_weight: u32, to: u32, x: *const u8, length: usize, rows: usize,
                weight: *const u8, epsilon: u32, out: *mut u8, mode: u32
            ) {
                "rms_norm" [_] "" () items();
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
    use crate::{Launch, Work, format_number, result_number};
    use bitexact::Mode;
    use bitexact::catalog::{Type, encode_mode};

    /// Shorter rows are left to a thread each.
    const LEAST: usize = 32;
    /// The longest rows of which four warps read many piece by piece: as many values a thread as of
    /// the longest ones.
    const MANY_ROW: usize = LONGEST / WARPS * FEW;

    /// Blocks of so many warps, with so many bins: the memory is what warps say to each other, and
    /// the bins.
    const fn block(bins: usize, warps: usize) -> Shape {
        blocks(WARP * warps, 8 * warps + 8 * bins * WARP * warps)
    }

    rows_entries!(launches);

    /// The definition's entries.
    pub mod definition {
        use crate::entry::{items, launches};

        row_definitions!(launches);
    }

    /// Rows of f16, bf16 or f32.
    #[derive(Clone, Copy, Debug)]
    pub struct Rows {
        pub ty: Type,
        pub address: u64,
        pub length: usize,
        pub rows: usize,
        /// Blocks that run at once, about: the device's multiprocessors.
        pub at_once: usize,
    }

    /// What is done to scores of attention before their softmax, which is 0 in rows that are then all
    /// minus infinity: the product with a scale, then a mask. Rows are numbered by stacks of heads of
    /// queries.
    #[derive(Clone, Copy, Debug)]
    pub struct Scores {
        pub scale: f32,
        pub mask: Mask,
        pub heads: u32,
        pub queries: u32,
        /// How many of the mask's elements apart the rows of a stack, a head and a query are.
        pub strides: [usize; 3],
    }

    /// The address of a mask, whose rows are contiguous.
    #[derive(Clone, Copy, Debug)]
    pub enum Mask {
        None,
        /// Bytes: scores with 0 become minus infinity.
        Taken(u64),
        /// f32 that are added.
        Added(u64),
    }

    /// A function of rows, whose results go to an address, in a format.
    #[derive(Clone, Copy, Debug)]
    pub enum Function {
        Softmax {
            logarithm: bool,
        },
        /// The weights of attention: rows of f32 are scores; results in any of the three formats.
        Weights(Scores),
        Mean,
        Norm,
        /// With so many degrees of freedom missing; its root is the standard deviation.
        Variance {
            missing: u32,
            root: bool,
        },
        /// The statistics of a layer norm, or of an RMS norm: three f32 for each row, each in a
        /// slice of its own: the reciprocal root of the variance plus an epsilon, and both parts of
        /// the mean.
        Statistics {
            centred: bool,
            epsilon: f32,
        },
        /// A layer norm, or an RMS norm if the bias's address is 0. The weight's format is that of
        /// the rows or f32.
        LayerNorm {
            weight: u64,
            weight_ty: Type,
            bias: u64,
            epsilon: f32,
        },
        /// The batch norm of planes of channels in turn. The statistics are three f32 for each channel,
        /// each in a slice of its own: the reciprocal root, the mean, and zeros. Weights and biases
        /// are f32.
        BatchNorm {
            channels: u32,
            statistics: u64,
            weight: u64,
            bias: u64,
        },
    }

    /// A function of rows.
    #[derive(Clone, Copy, Debug)]
    pub struct Plan {
        pub rows: Rows,
        pub function: Function,
        /// Where the results go, their format (that of the rows or f32), and how they are rounded.
        pub out: u64,
        pub to: Type,
        pub mode: Mode,
    }

    impl Plan {
        /// Bytes of memory that the launches use; `None` if the definition's entry is to be taken.
        #[must_use]
        pub fn memory(&self) -> Option<usize> {
            let Rows { length, rows, .. } = self.rows;
            let nearest = self.mode == Mode::TIES_TO_EVEN;
            let single = nearest && self.to == Type::F32;
            let numbers = [self.rows.ty, self.to].map(result_number);
            let sized = rows > 0 && length <= LONGEST && numbers.iter().all(Option::is_some);
            let [mean, root] = [MEAN_RECORD, ROOT_RECORD].map(|record| 8 * record * rows);
            let both = mean + root;
            let (fits, memory) = match self.function {
                Function::Softmax { .. } => (single && length > 0, 0),
                // There is no entry of the definition.
                Function::Weights(_) => (nearest && self.rows.ty == Type::F32 && length > 0, 0),
                Function::Mean => (length >= LEAST, mean),
                Function::Norm => (length >= LEAST, root),
                Function::Variance { .. } => (length >= LEAST, both),
                // There is no entry of the definition.
                Function::Statistics { .. } => (length > 0, both),
                Function::BatchNorm { channels, .. } => (length > 0 && channels > 0, 0),
                // After the records are the statistics.
                Function::LayerNorm { .. } => (length >= LEAST, both + 12 * rows),
            };
            (sized && fits).then_some(memory)
        }

        /// The definition's launch, with flags at an address or 0; `None` for other formats.
        #[must_use]
        #[rustfmt::skip]
        pub fn define(&self, flags: u64) -> Option<Launch> {
            let Rows { ty, address: x, length, rows, .. } = self.rows;
            let (from, to) = (format_number(ty)?, result_number(self.to)?);
            let (out, mode, work) = (self.out, encode_mode(self.mode), Work::Items(rows));
            match self.function {
                Function::Softmax { logarithm: false } => {
                    definition::Softmax { from, to, x, length, rows, out, mode }.launch(None, (), work)
                }
                Function::Softmax { logarithm: true } => {
                    definition::LogSoftmax { from, to, x, length, rows, out, mode }
                        .launch(None, (), work)
                }
                Function::Mean => {
                    definition::Mean { from, to, x, length, rows, out, flags, mode }
                        .launch(None, (), work)
                }
                Function::Norm => {
                    definition::Norm { from, to, x, length, rows, out, flags, mode }
                        .launch(None, (), work)
                }
                Function::Variance { missing, root: false } => {
                    definition::Variance { from, to, x, length, rows, out, flags, missing, mode }
                        .launch(None, (), work)
                }
                Function::Variance { missing, root: true } => definition::StandardDeviation {
                    from, to, x, length, rows, out, flags, missing, mode,
                }
                .launch(None, (), work),
                Function::Statistics { .. } | Function::BatchNorm { .. } | Function::Weights(_) => None,
                Function::LayerNorm { weight, weight_ty, bias, epsilon } => {
                    let (of_weight, epsilon) = (result_number(weight_ty)?, epsilon.to_bits());
                    // The bias of an RMS norm is none.
                    if bias == 0 {
                        definition::RmsNorm {
                            from, of_weight, to, x, length, rows, weight, epsilon, out, mode,
                        }
                        .launch(None, (), work)
                    } else {
                        definition::LayerNorm {
                            from, of_weight, to, x, length, rows, weight, bias, epsilon, out, mode,
                        }
                        .launch(None, (), work)
                    }
                }
            }
        }

        /// The launches, with memory at this address; `None` as above.
        #[must_use]
        pub fn launches(&self, memory: u64) -> Option<Vec<Launch>> {
            let Self {
                rows,
                function,
                out,
                to,
                mode,
            } = *self;
            self.memory()?;
            let length = rows.length as u32;
            let to = result_number(to)?;
            match function {
                Function::Softmax { logarithm } => self.softmax(logarithm, None),
                Function::Weights(scores) => self.softmax(false, Some(scores)),
                Function::Mean => {
                    #[rustfmt::skip]
                    let means = Means {
                        records: memory, length, rows: rows.rows, out, to, mode: encode_mode(mode),
                    };
                    Some(vec![
                        rows.sums(memory)?,
                        means.launch(None, (), rows.seconds())?,
                    ])
                }
                Function::Norm => {
                    #[rustfmt::skip]
                    let roots = Roots {
                        records: memory, length, rows: rows.rows, out, to, mode: encode_mode(mode),
                    };
                    Some(vec![
                        rows.squares(memory)?,
                        roots.launch(None, (), rows.seconds())?,
                    ])
                }
                Function::Variance { missing, root } => {
                    let records = memory + (8 * MEAN_RECORD * rows.rows) as u64;
                    #[rustfmt::skip]
                    let spreads = Spreads {
                        sums: memory, records, length, divisor: length.checked_sub(missing)?,
                        rows: rows.rows, out, what: if root { ROOT } else { 0 }, to,
                        mode: encode_mode(mode), epsilon: 0,
                    };
                    Some(vec![
                        rows.sums(memory)?,
                        rows.squares(records)?,
                        spreads.launch(None, (), rows.seconds())?,
                    ])
                }
                Function::Statistics { centred, epsilon } => {
                    let records = memory + (8 * MEAN_RECORD * rows.rows) as u64;
                    let sums = if centred { memory } else { 0 };
                    #[rustfmt::skip]
                    let spreads = Spreads {
                        sums, records, length, divisor: length, rows: rows.rows, out,
                        what: STATISTICS, to: 0, mode: 0, epsilon: epsilon.to_bits(),
                    };
                    let mut launches = Vec::new();
                    if centred {
                        launches.push(rows.sums(memory)?);
                    }
                    launches.push(rows.squares(records)?);
                    launches.push(spreads.launch(None, (), rows.seconds())?);
                    Some(launches)
                }
                Function::LayerNorm {
                    weight,
                    weight_ty,
                    bias,
                    epsilon,
                } => {
                    let records = 8 * (MEAN_RECORD + ROOT_RECORD) * rows.rows;
                    let statistics = memory + records as u64;
                    let centred = bias != 0;
                    let before = Self {
                        function: Function::Statistics { centred, epsilon },
                        out: statistics,
                        ..*self
                    };
                    let mut launches = before.launches(memory)?;
                    let key = rows.place(&[out, weight, bias], piece(FEW));
                    #[rustfmt::skip]
                    let last = Normalise {
                        x: rows.address, length, rows: rows.rows, statistics, weight, bias,
                        wide: (weight_ty == Type::F32).into(), out,
                        to_wide: (self.to == Type::F32).into(), mode: encode_mode(mode), channels: 0,
                    };
                    launches.push(last.launch(rows.ty, key, rows.each())?);
                    Some(launches)
                }
                Function::BatchNorm {
                    channels,
                    statistics,
                    weight,
                    bias,
                } => {
                    #[rustfmt::skip]
                    let launch = Normalise {
                        x: rows.address, length, rows: rows.rows, statistics, weight, bias, wide: 1, out,
                        to_wide: (self.to == Type::F32).into(), mode: encode_mode(mode), channels,
                    };
                    let key = rows.place(&[out], piece(FEW));
                    Some(vec![launch.launch(rows.ty, key, rows.each())?])
                }
            }
        }

        /// softmax, its logarithm, or that of scores.
        fn softmax(&self, logarithm: bool, scores: Option<Scores>) -> Option<Vec<Launch>> {
            let Self { rows, out, to, .. } = *self;
            let mut entry = Softmax {
                x: rows.address,
                length: rows.length as u32,
                rows: rows.rows,
                out,
                to: result_number(to)?,
                scores: 0,
                scale: 0,
                mask: 0,
                heads: 1,
                queries: 1,
                of_stack: 0,
                of_head: 0,
                of_query: 0,
            };
            if let Some(given) = scores {
                (entry.scores, entry.mask) = match given.mask {
                    Mask::None => (SCALED, 0),
                    Mask::Taken(at) => (TAKEN, at),
                    Mask::Added(at) => (ADDED, at),
                };
                (entry.heads, entry.queries) = (given.heads, given.queries);
                [entry.of_stack, entry.of_head, entry.of_query] = given.strides;
                entry.scale = given.scale.to_bits();
            }
            let (warps, whole) = rows.place(&[out], piece(FEW));
            Some(vec![entry.launch(
                rows.ty,
                (logarithm, warps, whole),
                rows.each(),
            )?])
        }
    }

    impl Rows {
        /// A block for each.
        const fn each(&self) -> Work {
            Work::Blocks(self.rows)
        }

        /// How many warps a row is made by, rows of up to `few` elements being four warps', and
        /// whether it may be read as whole packs: every row of it, and of the slices at these
        /// addresses, begins at a multiple of 16 bytes.
        fn place(&self, slices: &[u64], few: usize) -> (usize, bool) {
            let bytes = (self.length * self.ty.bytes()) as u64;
            let starts = slices.iter().chain([&self.address, &bytes]);
            let whole = starts.into_iter().all(|at| at % 16 == 0);
            let warps = match self.length {
                length if length <= piece(1) => 1,
                length if length <= few => FEW,
                _ => WARPS,
            };
            (warps, whole)
        }

        /// [`Rows::place`], and a thread's packs, of entries that read pieces one after the other.
        fn pieces(&self) -> (usize, bool, usize) {
            // Of many rows more are under way at once if each has fewer warps.
            let many = self.rows >= 2 * self.at_once;
            let (warps, whole) = self.place(&[], if many { MANY_ROW } else { piece(FEW) });
            let packs = if self.ty == Type::F32 && warps < WARPS {
                8
            } else {
                4
            };
            (warps, whole, packs)
        }

        fn seconds(&self) -> Work {
            Work::Blocks(self.rows.div_ceil(THREADS))
        }

        /// The records of the rows' sums.
        fn sums(&self, records: u64) -> Option<Launch> {
            #[rustfmt::skip]
            let sums = Sums {
                x: self.address, length: self.length as u32, rows: self.rows, records,
            };
            sums.launch(self.ty, self.pieces(), self.each())
        }

        /// The records of the rows' sums of squares.
        fn squares(&self, records: u64) -> Option<Launch> {
            #[rustfmt::skip]
            let squares = Squares {
                x: self.address, length: self.length as u32, rows: self.rows, records,
            };
            squares.launch(self.ty, self.pieces(), self.each())
        }
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use bitexact::Mode;
    use bitexact::catalog::Type;

    /// The entries that a function of rows of this length and start launches.
    fn names(function: Function, length: usize, rows: usize, address: u64) -> Vec<&'static str> {
        let rows = Rows {
            ty: Type::Bf16,
            address,
            length,
            rows,
            at_once: 4,
        };
        let plan = Plan {
            rows,
            function,
            out: 1 << 20,
            to: Type::F32,
            mode: Mode::TIES_TO_EVEN,
        };
        let launches = plan.launches(1 << 21).into_iter().flatten();
        launches.map(|launch| launch.entry.name).collect()
    }

    #[test]
    fn rows_have_as_many_warps_as_they_need() {
        let softmax = Function::Softmax { logarithm: false };
        for (length, name) in [
            (1, "softmax_warp_any_bf16_f32_fma"),
            (1024, "softmax_warp_bf16_f32_fma"),
            (1028, "softmax_four_any_bf16_f32_fma"),
            (4096, "softmax_four_bf16_f32_fma"),
            (4104, "softmax_block_bf16_f32_fma"),
        ] {
            assert_eq!(names(softmax, length, 3, 16), [name]);
        }
        assert_eq!(
            names(softmax, 1024, 3, 8),
            ["softmax_warp_any_bf16_f32_fma"]
        );
        assert!(names(softmax, LONGEST + 1, 3, 16).is_empty());
        // Of many long rows, fewer warps each.
        for (rows, name) in [
            (7, "row_sums_block_bf16_fma"),
            (8, "row_sums_four_bf16_fma"),
        ] {
            assert_eq!(names(Function::Mean, 8192, rows, 16), [name, "row_means"]);
        }
        assert!(names(Function::Norm, 31, 3, 16).is_empty());
    }
}
