//! Layers in f32, each sum in sequential order: the GPU crate's `tile/{layers,chains}.rs`.

/// Threads of a warp.
const WARP: usize = 32;
/// Threads of a block, of tiles and of chains.
pub const THREADS: usize = 128;
pub const CHAIN_THREADS: usize = 256;
/// Steps of a slab of tiles.
pub const DEPTH: usize = 16;
/// Rows of a block's results of a fully connected layer as chains, and columns: a lane's one each.
pub const ROWS: usize = 4;
pub const COLUMNS: usize = 8;
/// Windows of a block's results of a pooling.
pub const WINDOWS: usize = 16;
/// Lines of both operands of a fully connected layer as chains, and steps of a slab.
pub const LINES: usize = ROWS + COLUMNS;
pub const LONG: usize = CHAIN_THREADS;
pub const LONG_SLAB: usize = LINES * pitch(LONG);
/// Steps of a slab of windows.
pub const SHORT: usize = CHAIN_THREADS / 2;
pub const SHORT_SLAB: usize = WINDOWS * pitch(SHORT);
/// Where a block's windows are described.
pub const TABLE: usize = 2 * SHORT_SLAB;
/// Bytes of a row of a slab of columns, one a lane; packs of such a slab that a thread loads.
pub const ROW: usize = 4 * WARP;
pub const PACKS: usize = 2;

const _: () = assert!(ROWS * COLUMNS == WARP && WINDOWS == 16);

/// Bytes, in a slab of so many steps, from one line to the next, padded so that lanes that read
/// different lines read different memory banks.
#[must_use]
pub const fn pitch(steps: usize) -> usize {
    4 * (steps + 4)
}

/// Rows of a slab of columns, packs having so many elements.
#[must_use]
pub const fn rows_of(lanes: usize) -> usize {
    PACKS * CHAIN_THREADS * lanes / WARP
}

/// So many sums of a thread of tiles.
#[derive(Debug)]
pub struct Each<const ROWS: usize, const COLUMNS: usize>;

/// The sums of a thread, down and across: of tiles for many results, and for few.
pub type Many = Each<4, 8>;
pub type Few = Each<2, 2>;

impl<const ROWS: usize, const COLUMNS: usize> Each<ROWS, COLUMNS> {
    /// Rows and columns of a tile.
    pub const DOWN: usize = 16 * ROWS;
    pub const ACROSS: usize = 8 * COLUMNS;
    /// Bytes from one step of a slab to the next, padded so that neighbouring steps begin at
    /// different memory banks.
    pub const A_PITCH: usize = 4 * (Self::DOWN + 4);
    pub const B_PITCH: usize = 4 * (Self::ACROSS + 4);
    /// Where the second operand's part of a slab begins, and the next slab.
    pub const B: usize = DEPTH * Self::A_PITCH;
    pub const SLAB: usize = Self::B + DEPTH * Self::B_PITCH;
    /// Where the taps are: those of a slab for each thread, twice.
    pub const TAPS: usize = 2 * Self::SLAB;
    /// Bytes of a block's memory.
    pub const MEMORY: usize = Self::TAPS + 2 * 16 * THREADS;
}

/// The entries. Constants are how lines are loaded; whether there is padding; and the sums of a
/// thread, down and across.
#[macro_export]
macro_rules! layers_entries {
    ($to:ident) => {
        $to! {
            /// A convolution of images.
            layers::conv2d[] as Conv2d(Loads, bool, usize, usize) (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut u32, batch: u32,
                channels: u32, height: u32, width: u32, filters: u32, taps_down: u32,
                taps_across: u32, down: u32, across: u32, above: u32, left: u32, rows: u32,
                columns: u32
            ) {
                "conv2d_tile_rn" [_] "" (Fours, false, 4, 8) blocks(THREADS, Many::MEMORY).least(4, 4);
                "conv2d_any_rn" [_] "" (Singles, false, 4, 8) blocks(THREADS, Many::MEMORY).least(4, 4);
                "conv2d_tile_padded_rn" [_] "" (Fours, true, 4, 8) blocks(THREADS, Many::MEMORY).least(4, 4);
                "conv2d_any_padded_rn" [_] "" (Singles, true, 4, 8) blocks(THREADS, Many::MEMORY).least(4, 4);
                "conv2d_small_tile_rn" [_] "" (Fours, false, 2, 2) blocks(THREADS, Few::MEMORY).least(8, 8);
                "conv2d_small_any_rn" [_] "" (Singles, false, 2, 2) blocks(THREADS, Few::MEMORY).least(8, 8);
                "conv2d_small_tile_padded_rn" [_] "" (Fours, true, 2, 2) blocks(THREADS, Few::MEMORY).least(8, 8);
                "conv2d_small_any_padded_rn" [_] "" (Singles, true, 2, 2) blocks(THREADS, Few::MEMORY).least(8, 8);
            }
            /// A fully connected layer, in tiles.
            layers::linear[] as Linear(Loads) (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut u32, rows: u32,
                inputs: u32, outputs: u32
            ) {
                "linear_tile_rn" [_] "" (Fours) blocks(THREADS, Many::MEMORY).least(4, 4);
                "linear_any_rn" [_] "" (Singles) blocks(THREADS, Many::MEMORY).least(4, 4);
            }
            /// A fully connected layer with few results, as chains.
            serial_chains::linear[] as LinearChain() (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut u32, rows: u32,
                inputs: u32, outputs: u32
            ) {
                "linear_chain_rn" [_] "" () blocks(CHAIN_THREADS, 2 * LONG_SLAB).least(0, 0);
            }
            /// An average pooling as chains; without steps the windows are adaptive.
            serial_chains::pool[] as PoolChain() (
                x: *const f32, height: u32, width: u32, rows: u32, columns: u32, taps_down: u32,
                taps_across: u32, down: u32, across: u32, longest: u32, out: *mut u32, n: u32
            ) {
                "pool_chain_rn" [_] "" () blocks(CHAIN_THREADS, TABLE + 16 * WINDOWS).least(0, 0);
            }
            /// Sums of columns.
            serial_chains::columns[T,] as Columns() (
                x: *const T, parts: u32, length: u32, columns: u32, out: *mut u32
            ) {
                "column_sums_" [f32] "_fma" () columns(4).least(0, 0);
                "column_sums_" [f16 bf16] "_fma" () columns(8).least(0, 0);
            }
        }
    };
}

/// The definition's entries, an element a thread.
#[macro_export]
macro_rules! layer_definitions {
    ($to:ident) => {
        $to! {
            /// Convolutions.
            layers::conv2d[] as Conv2d() (
                x: *const f32, weights: *const f32, bias: *const f32, out: *mut f32, n: usize,
                channels: usize, height: usize, width: usize, filters: usize, taps_down: usize,
                taps_across: usize, down: usize, across: usize, above: usize, left: usize
            ) {
                "conv2d_rn" [_] "" () items();
            }
            /// Batch normalisation.
            layers::batch_norm[] as BatchNorm() (
                x: *mut f32, n: usize, channels: usize, elements: usize, mean: *const f32,
                variance: *const f32, weight: *const f32, bias: *const f32, epsilon: u32
            ) {
                "batch_norm_rn" [_] "" () items();
            }
            /// Fully connected layers.
            layers::linear[] as Linear() (
                x: *const f32, inputs: usize, weights: *const f32, bias: *const f32,
                out: *mut f32, outputs: usize, n: usize
            ) {
                "linear_rn" [_] "" () items();
            }
            /// Average pooling.
            layers::avg_pool2d[] as Pool() (
                x: *const f32, out: *mut f32, n: usize, channels: usize, height: usize,
                width: usize, rows: usize, columns: usize, taps_down: usize, taps_across: usize,
                down: usize, across: usize
            ) {
                "avg_pool2d_rn" [_] "" () items();
            }
            /// Adaptive average pooling.
            layers::adaptive_avg_pool2d[] as AdaptivePool() (
                x: *const f32, out: *mut f32, n: usize, channels: usize, height: usize,
                width: usize, rows: usize, columns: usize
            ) {
                "adaptive_avg_pool2d_rn" [_] "" () items();
            }
            /// Codes of scales.
            layers::scale_codes[] as ScaleCodes() (
                x: *const f32, n: usize, epsilon: u32, policy: u64, codes: *mut E8M0,
                numbers: *mut f32
            ) {
                "scale_codes_rn" [_] "" () items();
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
    use crate::{Launch, Work};
    use Loads::{Fours, Singles};

    /// How the elements of lines are loaded: four side by side, or one by one.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Loads {
        Fours,
        Singles,
    }

    /// Shorter windows are left to a thread each.
    const LEAST: usize = 32;

    const fn columns(lanes: usize) -> Shape {
        blocks(CHAIN_THREADS, 2 * ROW * rows_of(lanes))
    }

    layers_entries!(launches);

    /// The definition's entries.
    pub mod definition {
        use crate::entry::{items, launches};

        layer_definitions!(launches);
    }

    /// How lines of `k` elements that begin there can be loaded.
    fn loads(from: &[u64], k: usize) -> Loads {
        let fours = k.is_multiple_of(4) && from.iter().all(|at| at % 16 == 0);
        if fours { Fours } else { Singles }
    }

    /// A stride in 31 bits: a longer one is that of the only window.
    fn within(stride: usize) -> u32 {
        stride.min(i32::MAX as usize) as u32
    }

    fn small(lengths: &[usize]) -> bool {
        lengths.iter().all(|length| *length < 1 << 31)
    }

    /// Addresses of a layer's operands and results; a bias of 0 is none.
    #[derive(Clone, Copy, Debug)]
    pub struct Addresses {
        pub x: u64,
        pub weights: u64,
        pub bias: u64,
        pub out: u64,
    }

    impl Addresses {
        /// A convolution of a batch of images, whose results have these rows and columns, on a
        /// device that runs so many blocks at once.
        #[must_use]
        pub fn conv2d(
            &self,
            sizes: &bitexact::nn::Conv2d,
            [batch, rows, columns]: [usize; 3],
            at_once: usize,
        ) -> Option<Launch> {
            let [channels, height, width] = sizes.input;
            let [tall, wide] = [(height, sizes.padding[0]), (width, sizes.padding[1])]
                .map(|(length, padding)| length.saturating_add(padding.saturating_mul(2)));
            let filters = sizes.channels;
            let product = |all: &[usize]| all.iter().fold(1, |a: usize, b| a.saturating_mul(*b));
            let k = product(&[channels, sizes.kernel[0], sizes.kernel[1]]);
            let pixels = product(&[batch, rows, columns]);
            let lengths = [
                product(&[batch, channels, height, width]),
                product(&[filters, k]),
                product(&[filters, pixels]),
                product(&[tall, wide]),
            ];
            if !small(&lengths) || lengths[2] == 0 {
                return None;
            }
            let tiles = |down, across| filters.div_ceil(down) * pixels.div_ceil(across);
            let many = tiles(Many::DOWN, Many::ACROSS);
            let (tiles, [down, across]) = if 2 * many <= at_once {
                (tiles(Few::DOWN, Few::ACROSS), [2, 2])
            } else {
                (many, [4, 8])
            };
            let key = (
                loads(&[self.weights], k),
                sizes.padding != [0, 0],
                down,
                across,
            );
            #[rustfmt::skip]
            let launch = Conv2d {
                x: self.x, weights: self.weights, bias: self.bias, out: self.out,
                batch: batch as u32, channels: channels as u32, height: height as u32,
                width: width as u32, filters: filters as u32, taps_down: sizes.kernel[0] as u32,
                taps_across: sizes.kernel[1] as u32, down: within(sizes.stride[0]),
                across: within(sizes.stride[1]), above: sizes.padding[0] as u32,
                left: sizes.padding[1] as u32, rows: rows as u32, columns: columns as u32,
            };
            launch.launch(None, key, Work::Blocks(tiles))
        }

        /// The definition's launch of a convolution with `n` results.
        #[must_use]
        #[rustfmt::skip]
        pub fn define_conv2d(&self, sizes: &bitexact::nn::Conv2d, n: usize) -> Option<Launch> {
            let Self { x, weights, bias, out } = *self;
            let ([channels, height, width], filters) = (sizes.input, sizes.channels);
            let ([taps_down, taps_across], [down, across]) = (sizes.kernel, sizes.stride);
            let [above, left] = sizes.padding;
            let launch = definition::Conv2d {
                x, weights, bias, out, n, channels, height, width, filters, taps_down, taps_across,
                down, across, above, left,
            };
            launch.launch(None, (), Work::Items(n))
        }

        /// The definition's launch of a fully connected layer with `n` results.
        #[must_use]
        #[rustfmt::skip]
        pub fn define_linear(&self, [inputs, outputs]: [usize; 2], n: usize) -> Option<Launch> {
            let Self { x, weights, bias, out } = *self;
            let launch = definition::Linear { x, inputs, weights, bias, out, outputs, n };
            launch.launch(None, (), Work::Items(n))
        }

        /// A fully connected layer, in tiles or as chains.
        #[must_use]
        pub fn linear(
            &self,
            [rows, inputs, outputs]: [usize; 3],
            at_once: usize,
        ) -> Option<Launch> {
            let product = |a: usize, b| a.saturating_mul(b);
            let results = product(rows, outputs);
            if !small(&[product(rows, inputs), product(outputs, inputs), results]) || results == 0 {
                return None;
            }
            let tiles = |down, across| rows.div_ceil(down) * outputs.div_ceil(across);
            let many = tiles(Many::DOWN, Many::ACROSS);
            let [rows, inputs, outputs] = [rows, inputs, outputs].map(|size| size as u32);
            let Self {
                x,
                weights,
                bias,
                out,
            } = *self;
            if 2 * many <= at_once {
                let work = Work::Blocks(tiles(ROWS, COLUMNS));
                #[rustfmt::skip]
                let launch = LinearChain {
                    x, weights, bias, out, rows, inputs, outputs,
                };
                launch.launch(None, (), work)
            } else {
                let loads = loads(&[x, weights], inputs as usize);
                #[rustfmt::skip]
                let launch = Linear {
                    x, weights, bias, out, rows, inputs, outputs,
                };
                launch.launch(None, loads, Work::Blocks(many))
            }
        }
    }

    /// An average pooling of f32, as chains: of so many planes of a height and a width, to rows and
    /// columns, by windows of a size and a stride, or adaptive.
    #[must_use]
    pub fn pool(
        x: u64,
        [planes, height, width]: [usize; 3],
        [rows, columns]: [usize; 2],
        windows: Option<[[usize; 2]; 2]>,
        out: u64,
    ) -> Option<Launch> {
        // Adaptive windows have so many rows or columns at least, and one or two more at most.
        let (least, longest) = match windows {
            Some([[down, across], _]) => {
                let taps = down.saturating_mul(across);
                (taps, taps)
            }
            None => {
                let most = |length: usize, parts: usize| {
                    length / parts + if length.is_multiple_of(parts) { 0 } else { 2 }
                };
                let least = height
                    .checked_div(rows)?
                    .saturating_mul(width.checked_div(columns)?);
                let longest = most(height, rows).saturating_mul(most(width, columns));
                (least, longest)
            }
        };
        let product = |all: &[usize]| all.iter().fold(1, |a: usize, b| a.saturating_mul(*b));
        let n = product(&[planes, rows, columns]);
        let lengths = [
            product(&[planes, height, width]),
            n,
            longest,
            product(&[height, rows]),
            product(&[width, columns]),
        ];
        if !small(&lengths) || least < LEAST || n == 0 {
            return None;
        }
        let [taps, step] = windows.unwrap_or_default();
        #[rustfmt::skip]
        let launch = PoolChain {
            x, height: height as u32, width: width as u32, rows: rows as u32,
            columns: columns as u32, taps_down: within(taps[0]), taps_across: within(taps[1]),
            down: within(step[0]), across: within(step[1]), longest: longest as u32, out,
            n: n as u32,
        };
        launch.launch(None, (), Work::Blocks(n.div_ceil(WINDOWS)))
    }

    /// The definition's launch of an average pooling, of a batch of images.
    #[must_use]
    #[rustfmt::skip]
    pub fn define_pool(
        x: u64,
        batch: usize,
        [channels, height, width]: [usize; 3],
        [rows, columns]: [usize; 2],
        windows: Option<[[usize; 2]; 2]>,
        out: u64,
    ) -> Option<Launch> {
        let n = batch * channels * rows * columns;
        let work = Work::Items(n);
        match windows {
            Some([[taps_down, taps_across], [down, across]]) => definition::Pool {
                x, out, n, channels, height, width, rows, columns, taps_down, taps_across, down,
                across,
            }
            .launch(None, (), work),
            None => definition::AdaptivePool { x, out, n, channels, height, width, rows, columns }
                .launch(None, (), work),
        }
    }
}
