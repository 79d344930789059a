//! Products of matrices in the sequential order, in tiles: the GPU crate's `tile/gemm`.

/// Threads of a block.
pub const THREADS: usize = 256;
/// Rows of a tile, and columns.
pub const ROWS: usize = 128;
/// Steps of a slab.
pub const DEPTH: usize = 16;
/// Bytes from one step of a slab to the next, padded so that packs of a row go to different memory
/// banks.
pub const PITCH: usize = 4 * (ROWS + 4);
/// Bytes of a slab of [`ROWS`].
pub const SLAB: usize = DEPTH * PITCH;
/// Bytes of a block's memory: two slabs of both operands.
pub const MEMORY: usize = 4 * SLAB;
/// The same for entries with a function: all sums of a tile, 64 KiB, which is all that a block has
/// on sm_75.
pub const FUNCTION_MEMORY: usize = 4 * ROWS * ROWS;
const _: () = assert!(FUNCTION_MEMORY <= 64 << 10);

/// The entries; the constant says whether packs are loaded as a whole.
#[macro_export]
macro_rules! gemm_entries {
    ($to:ident) => {
        $to! {
            /// Products with sums in f32.
            gemm::sequential[T,] as Sequential(bool) (
                a: *const T, b: *const T, out: *mut u32, batch: u32, m: u32, n: u32, k: u32,
                a_batch: i64, a_row: i64, a_column: i64, b_batch: i64, b_row: i64, b_column: i64,
                out_batch: i64, out_row: i64, out_column: i64
            ) {
                "gemm_tile_" [f16 bf16 f32 e4m3fn e5m2] "_f32_fma" (true) blocks(THREADS, MEMORY).least(2, 0);
                "gemm_any_" [f16 bf16 f32 e4m3fn e5m2] "_f32_fma" (false) blocks(THREADS, MEMORY).least(0, 0);
            }
            /// A product whose sums get a bias, a cast and what a table has for the result. Two
            /// blocks of 8-bit operands would need more registers than there are.
            gemm::epilogue[T,] as Epilogue(bool) (
                a: *const T, b: *const T, out: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64, out_row: i64, out_column: i64,
                bias: *const u32, to: u32, mode: u32, table: *const u8, bytes: u32, of: u32
            ) {
                "gemm_tile_" [f16 bf16 f32] "_epilogue_fma" (true) blocks(THREADS, MEMORY).least(2, 0);
                "gemm_tile_" [e4m3fn e5m2] "_epilogue_fma" (true) blocks(THREADS, MEMORY).least(0, 0);
                "gemm_" [any] "_epilogue_fma" (false) blocks(THREADS, MEMORY).least(0, 0);
            }
            /// A product whose sums get a bias and go through a function of f32.
            gemm::function[T,] as Function(bool) (
                a: *const T, b: *const T, out: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64, out_row: i64, out_column: i64,
                bias: *const u32, number: u32,
                first: u64, second: u64, third: u64, fourth: u64, bytes: u32, of: u32
            ) {
                "gemm_tile_" [f16 bf16] "_function_fma" (true) blocks(THREADS, FUNCTION_MEMORY).least(1, 1);
                "gemm_tile_" [f32] "_function_fma" (true) blocks(THREADS, FUNCTION_MEMORY).least(1, 0);
                "gemm_tile_" [e4m3fn e5m2] "_function_fma" (true) blocks(THREADS, FUNCTION_MEMORY).least(1, 1);
                "gemm_" [any] "_function_fma" (false) blocks(THREADS, FUNCTION_MEMORY).least(0, 0);
            }
            /// [`Function`], and the results as MX blocks of 32.
            gemm::function_quantise[T,] as FunctionQuantise(bool) (
                a: *const T, b: *const T, elements: *mut u8, scales: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64,
                bias: *const u32, number: u32,
                first: u64, second: u64, third: u64, fourth: u64, wide: u32,
                element: u32, policy: u64, dialect: u32, of: u32
            ) {
                "gemm_tile_" [f16 bf16 f32 e4m3fn e5m2] "_function_quantise_fma" (true)
                    blocks(THREADS, FUNCTION_MEMORY).least(1, 1);
                "gemm_" [any] "_function_quantise_fma" (false)
                    blocks(THREADS, FUNCTION_MEMORY).least(0, 0);
            }
            /// [`Epilogue`], and the results as MX blocks of 32.
            gemm::quantise[T,] as Quantise(bool) (
                a: *const T, b: *const T, elements: *mut u8, scales: *mut u8, m: u32, n: u32, k: u32,
                a_row: i64, a_column: i64, b_row: i64, b_column: i64,
                bias: *const u32, to: u32, mode: u32, table: *const u8, bytes: u32, wide: u32,
                element: u32, policy: u64, dialect: u32, of: u32
            ) {
                "gemm_tile_" [f16 bf16] "_quantise_fma" (true) blocks(THREADS, MEMORY).least(2, 1);
                "gemm_tile_" [f32] "_quantise_fma" (true) blocks(THREADS, MEMORY).least(2, 0);
                "gemm_tile_" [e4m3fn e5m2] "_quantise_fma" (true) blocks(THREADS, MEMORY).least(0, 0);
                "gemm_" [any] "_quantise_fma" (false) blocks(THREADS, MEMORY).least(0, 0);
            }
        }
    };
}

/// The definition's entries, whose threads work alone. Formats are those of sums, by number.
#[macro_export]
macro_rules! gemm_definitions {
    ($to:ident) => {
        $to! {
            /// Products of matrices.
            reduce::gemm[] as Define() (
                from: u32, to: u32, a: *const u8, b: *const u8, out: *mut u8, flags: *mut u8,
                walk: *const Product, how: u32, mode: u32
            ) {
                "gemm" [_] "" () items();
            }
            /// What becomes of a product's sums.
            epilogue::finish[] as Finish() (
                sums: *const Binary32, m: u64, n: u64, bias: *const Binary32, sum_mode: u32,
                to: u32, mode: u32, table: *const u8, bytes: u32,
                number: u32, first: u64, second: u64, third: u64, fourth: u64,
                out: *mut u8, out_row: i64, out_column: i64
            ) {
                "gemm_epilogue" [_] "" () items();
            }
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::entry::{blocks, launches};
    use crate::{Launch, Matrices, Work, format_number, result_number};
    use bitexact::Mode;
    use bitexact::catalog::{Type, encode_mode};
    use bitexact::reduce::Order;
    use bitexact::tensor::Accumulation;

    gemm_entries!(launches);

    /// The formats of operands, by number.
    const FORMATS: [Type; 5] = [Type::F16, Type::Bf16, Type::F32, Type::E4m3fn, Type::E5m2];

    /// The definition's entries.
    pub mod definition {
        use crate::entry::{items, launches};

        gemm_definitions!(launches);
    }

    /// Products of a batch of matrices (m, k) and (k, n), with sums in f32.
    #[derive(Clone, Copy, Debug)]
    pub struct Product {
        /// The operands' format.
        pub ty: Type,
        /// How many, m, n and k.
        pub sizes: [usize; 4],
        pub a: Matrices,
        pub b: Matrices,
        pub how: Accumulation,
        pub mode: Mode,
    }

    /// What becomes of sums: a bias (0 if there is none), then a cast, its mode and a table of
    /// results (0 if there is none), or the function with a number (0 if there is none) and its
    /// words; and a result's bytes.
    #[derive(Clone, Copy, Debug)]
    pub struct Ending {
        pub bias: u64,
        pub cast: u32,
        pub mode: u32,
        pub table: u64,
        pub function: u32,
        pub words: [u64; 4],
        pub bytes: u32,
    }

    /// MX blocks that results become: the addresses, the results' format and the elements' by
    /// number, policy and dialect.
    #[derive(Clone, Copy, Debug)]
    pub struct Blocks {
        pub elements: u64,
        pub scales: u64,
        pub wide: u32,
        pub element: u32,
        pub policy: u64,
        pub dialect: u32,
    }

    impl Ending {
        /// The definition's launch: what becomes of the sums, made in this mode, of an m by n
        /// product, which lie one after the other.
        #[must_use]
        pub fn define(
            &self,
            sums: u64,
            [m, n]: [usize; 2],
            sum_mode: u32,
            out: u64,
            [out_row, out_column]: [i64; 2],
        ) -> Option<Launch> {
            let [first, second, third, fourth] = self.words;
            #[rustfmt::skip]
            let launch = definition::Finish {
                sums, m: m as u64, n: n as u64, bias: self.bias, sum_mode, to: self.cast,
                mode: self.mode, table: self.table, bytes: self.bytes, number: self.function,
                first, second, third, fourth, out, out_row, out_column,
            };
            launch.launch(None, (), Work::Items(m.saturating_mul(n)))
        }
    }

    impl Product {
        /// Whether packs can be loaded as a whole, and the tiles, if the entries' domain has the
        /// product.
        fn tiles(&self) -> Option<(bool, Work)> {
            let [batch, m, n, _] = self.sizes;
            let small = self.sizes.iter().all(|size| *size < 1 << 31);
            let sequential = self.how == Accumulation::Declared(Order::Sequential);
            let tiles = m.div_ceil(ROWS).saturating_mul(n.div_ceil(ROWS));
            let tiles = tiles.saturating_mul(batch);
            let fits = small && sequential && self.mode == Mode::TIES_TO_EVEN && tiles < 1 << 31;
            let [a_far, a_row, a_column] = self.a.strides;
            let [b_far, b_row, b_column] = self.b.strides;
            let whole = whole(self.ty, self.a.address, [a_far, a_row, a_column], m)
                && whole(self.ty, self.b.address, [b_far, b_column, b_row], n);
            fits.then_some((whole, Work::Blocks(tiles)))
        }

        /// The format in the name of an entry for products that go on, if it has one, and the number
        /// of the format: where packs are not loaded as a whole, it is an argument.
        fn format(&self, whole: bool) -> Option<(Option<Type>, u32)> {
            let of = FORMATS.iter().position(|ty| *ty == self.ty)?;
            Some((whole.then_some(self.ty), of as u32))
        }

        /// The products.
        #[must_use]
        pub fn sequential(&self, out: Matrices) -> Option<Launch> {
            let (whole, tiles) = self.tiles()?;
            let [batch, m, n, k] = self.sizes.map(|size| size as u32);
            #[rustfmt::skip]
            let launch = Sequential {
                a: self.a.address, b: self.b.address, out: out.address, batch, m, n, k,
                a_batch: self.a.strides[0], a_row: self.a.strides[1], a_column: self.a.strides[2],
                b_batch: self.b.strides[0], b_row: self.b.strides[1], b_column: self.b.strides[2],
                out_batch: out.strides[0], out_row: out.strides[1], out_column: out.strides[2],
            };
            launch.launch(self.ty, whole, tiles)
        }

        /// The definition's launch for one product in a format, in the way of `how`, by its code:
        /// `walk` is the address of the sizes and strides, `flags` that of flags or 0.
        #[must_use]
        pub fn define(
            &self,
            out: u64,
            to: Type,
            flags: u64,
            walk: u64,
            how: u32,
        ) -> Option<Launch> {
            let [_, m, n, _] = self.sizes;
            #[rustfmt::skip]
            let launch = definition::Define {
                from: format_number(self.ty)?, to: result_number(to)?, a: self.a.address,
                b: self.b.address, out, flags, walk, how, mode: encode_mode(self.mode),
            };
            launch.launch(None, (), Work::Items(m * n))
        }

        /// One product whose sums go on, to an address with strides of rows and columns.
        #[must_use]
        pub fn ended(
            &self,
            ending: &Ending,
            out: u64,
            [out_row, out_column]: [i64; 2],
        ) -> Option<Launch> {
            let (whole, tiles) = self.tiles()?;
            let (ty, of) = self.format(whole)?;
            let [_, m, n, k] = self.sizes.map(|size| size as u32);
            let (a, b) = (self.a.address, self.b.address);
            let ([_, a_row, a_column], [_, b_row, b_column]) = (self.a.strides, self.b.strides);
            let Ending { bias, bytes, .. } = *ending;
            if ending.function == 0 {
                #[rustfmt::skip]
                let launch = Epilogue {
                    a, b, out, m, n, k, a_row, a_column, b_row, b_column, out_row, out_column, bias,
                    to: ending.cast, mode: ending.mode, table: ending.table, bytes, of,
                };
                return launch.launch(ty, whole, tiles);
            }
            let [first, second, third, fourth] = ending.words;
            #[rustfmt::skip]
            let launch = Function {
                a, b, out, m, n, k, a_row, a_column, b_row, b_column, out_row, out_column, bias,
                number: ending.function, first, second, third, fourth, bytes, of,
            };
            // Results replace the sums in a block's memory.
            let fits = bytes <= 4;
            launch.launch(ty, whole, tiles).filter(|_| fits)
        }

        /// One product whose sums go on, and become MX blocks of 32.
        #[must_use]
        pub fn quantised(&self, ending: &Ending, to: &Blocks) -> Option<Launch> {
            let (whole, tiles) = self.tiles()?;
            let (ty, of) = self.format(whole)?;
            let [_, m, n, k] = self.sizes.map(|size| size as u32);
            let (a, b) = (self.a.address, self.b.address);
            let ([_, a_row, a_column], [_, b_row, b_column]) = (self.a.strides, self.b.strides);
            let bias = ending.bias;
            let Blocks {
                elements,
                scales,
                wide,
                element,
                policy,
                dialect,
            } = *to;
            if ending.function == 0 {
                #[rustfmt::skip]
                let launch = Quantise {
                    a, b, elements, scales, m, n, k, a_row, a_column, b_row, b_column, bias,
                    to: ending.cast, mode: ending.mode, table: ending.table, bytes: ending.bytes,
                    wide, element, policy, dialect, of,
                };
                return launch.launch(ty, whole, tiles);
            }
            let [first, second, third, fourth] = ending.words;
            #[rustfmt::skip]
            let launch = FunctionQuantise {
                a, b, elements, scales, m, n, k, a_row, a_column, b_row, b_column, bias,
                number: ending.function, first, second, third, fourth, wide, element, policy,
                dialect, of,
            };
            launch.launch(ty, whole, tiles)
        }
    }

    /// Whether the packs of an operand of these rows can be loaded as a whole: its elements side by
    /// side along a row, or along k, and these parts aligned.
    fn whole(ty: Type, first: u64, [batch, row, step]: [i64; 3], rows: usize) -> bool {
        // As `Operand::PACK`.
        let pack = (16 / ty.bytes()).min(8) as u64;
        let aligned = |elements: i64| (elements as u64).is_multiple_of(pack);
        let along_k = row != 1 || step == 1;
        first.is_multiple_of(ty.bytes() as u64 * pack)
            && aligned(batch)
            && if along_k {
                step == 1 && aligned(row)
            } else {
                aligned(step) && aligned(rows as i64)
            }
    }
}
