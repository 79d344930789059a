//! Blocks that share a scale, and packed elements: the GPU crate's `tile/{blocks,nvfp4,packing}.rs`.

/// Threads of a warp, and of a block.
const WARP: usize = 32;
pub const THREADS: usize = 256;
/// Elements of an MX block, and of an NVFP4 block.
pub const BLOCK: usize = 32;
pub const NVFP4: usize = 16;
/// Elements that a warp works on: as many blocks as it has threads.
pub const SPAN: usize = BLOCK * WARP;
pub const NVFP4_SPAN: usize = NVFP4 * WARP;
/// Elements of a tile that is packed, 16 a thread, and bytes of a block's memory: three words a thread.
pub const TILE: usize = 16 * THREADS;
pub const MEMORY: usize = 12 * THREADS;

/// The entries; the constant is the elements' format.
#[macro_export]
macro_rules! blocks_entries {
    ($to:ident) => {
        $to! {
            /// Values as MX blocks.
            blocks::quantise[T,] as Quantise(bitexact::catalog::Type) (
                x: *const T, spans: usize, elements: *mut u8, scales: *mut u8, policy: u64,
                dialect: u32
            ) {
                "quantise_" [f32 f16 bf16] "_e5m2_fma" (types::e5m2) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_e4m3fn_fma" (types::e4m3fn) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_e5m2fnuz_fma" (types::e5m2fnuz) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_e4m3fnuz_fma" (types::e4m3fnuz) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_e3m2_fma" (types::e3m2) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_e2m3_fma" (types::e2m3) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_e2m1_fma" (types::e2m1) blocks(THREADS, 0);
                "quantise_" [f32 f16 bf16] "_mxint8_fma" (types::mxint8) blocks(THREADS, 0);
            }
            /// The same with stochastic rounding of the elements.
            blocks::quantise_stochastic[T,] as QuantiseStochastic(bitexact::catalog::Type) (
                x: *const T, random: *const u16, spans: usize, elements: *mut u8, scales: *mut u8,
                policy: u64, dialect: u32
            ) {
                "quantise_stochastic_" [f32 f16 bf16] "_e5m2_fma" (types::e5m2) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_e4m3fn_fma" (types::e4m3fn) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_e5m2fnuz_fma" (types::e5m2fnuz) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_e4m3fnuz_fma" (types::e4m3fnuz) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_e3m2_fma" (types::e3m2) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_e2m3_fma" (types::e2m3) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_e2m1_fma" (types::e2m1) blocks(THREADS, 0);
                "quantise_stochastic_" [f32 f16 bf16] "_mxint8_fma" (types::mxint8) blocks(THREADS, 0);
            }
            /// The values of MX blocks.
            blocks::dequantise[T,] as Dequantise(bitexact::catalog::Type) (
                elements: *const u8, scales: *const u8, spans: usize, out: *mut T
            ) {
                "dequantise_e5m2_" [f32 f16 bf16] "_fma" (types::e5m2) blocks(THREADS, 0);
                "dequantise_e4m3fn_" [f32 f16 bf16] "_fma" (types::e4m3fn) blocks(THREADS, 0);
                "dequantise_e5m2fnuz_" [f32 f16 bf16] "_fma" (types::e5m2fnuz) blocks(THREADS, 0);
                "dequantise_e4m3fnuz_" [f32 f16 bf16] "_fma" (types::e4m3fnuz) blocks(THREADS, 0);
                "dequantise_e3m2_" [f32 f16 bf16] "_fma" (types::e3m2) blocks(THREADS, 0);
                "dequantise_e2m3_" [f32 f16 bf16] "_fma" (types::e2m3) blocks(THREADS, 0);
                "dequantise_e2m1_" [f32 f16 bf16] "_fma" (types::e2m1) blocks(THREADS, 0);
                "dequantise_mxint8_" [f32 f16 bf16] "_fma" (types::mxint8) blocks(THREADS, 0);
            }
            /// Values as NVFP4 blocks.
            nvfp4::quantise[T,] as Nvfp4Quantise() (
                x: *const T, spans: usize, tensor_scale: u32, recipe: u32, elements: *mut u8,
                scales: *mut u8
            ) {
                "nvfp4_quantise_" [f32 f16 bf16] "_fma" () blocks(THREADS, 0);
            }
            /// The same with stochastic rounding of the elements.
            nvfp4::quantise_stochastic[T,] as Nvfp4QuantiseStochastic() (
                x: *const T, random: *const u16, spans: usize, tensor_scale: u32, recipe: u32,
                elements: *mut u8, scales: *mut u8
            ) {
                "nvfp4_quantise_stochastic_" [f32 f16 bf16] "_fma" () blocks(THREADS, 0);
            }
            /// The values of NVFP4 blocks.
            nvfp4::dequantise[T,] as Nvfp4Dequantise() (
                elements: *const u8, scales: *const u8, spans: usize, tensor_scale: u32,
                out: *mut T
            ) {
                "nvfp4_dequantise_" [f32 f16 bf16] "_fma" () blocks(THREADS, 0);
            }
            /// Elements of FP4 and FP6 in bytes.
            packing::pack[T,] as Pack() (elements: *const Words4, tiles: usize, bytes: *mut Words4) {
                "pack_tiles_" [e2m1 e2m3 e3m2] "" () blocks(THREADS, MEMORY);
            }
            /// And back.
            packing::unpack[T,] as Unpack() (bytes: *const Words4, tiles: usize, elements: *mut Words4) {
                "unpack_tiles_" [e2m1 e2m3 e3m2] "" () blocks(THREADS, MEMORY);
            }
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::entry::{blocks, launches, types};
    use crate::{Launch, Work};
    use bitexact::Mode;
    use bitexact::catalog::Type;
    use bitexact::scale::{BlockSpecials, Dialect, Nvfp4 as Recipe};

    blocks_entries!(launches);

    /// A launch that makes whole spans or tiles of a slice, and how many elements these have.
    pub type Part = Option<(Launch, usize)>;

    /// What values become, and how: the codes of a dialect, or of a recipe.
    #[derive(Clone, Copy, Debug)]
    pub enum Form {
        Mx {
            element: Type,
            policy: u64,
            dialect: u32,
        },
        Nvfp4 {
            tensor_scale: u32,
            recipe: u32,
        },
    }

    /// A slice of f32, f16 or bf16 and its blocks, by their addresses.
    #[derive(Clone, Copy, Debug)]
    pub struct Slice {
        pub ty: Type,
        pub n: usize,
        pub values: u64,
        pub elements: u64,
        pub scales: u64,
    }

    impl Slice {
        fn spans(&self, span: usize) -> Option<(usize, Work)> {
            let aligned = self.values.is_multiple_of(16) && self.elements.is_multiple_of(8);
            let spans = self.n / span;
            let work = Work::Exactly(spans.div_ceil(THREADS / WARP));
            (aligned && spans > 0).then_some((spans, work))
        }

        /// Makes blocks; with random bits at an address, stochastically.
        #[must_use]
        pub fn quantise(&self, form: Form, random: Option<u64>) -> Part {
            let Self {
                ty,
                values: x,
                elements,
                scales,
                ..
            } = *self;
            if !random.unwrap_or(0).is_multiple_of(16) {
                return None;
            }
            match form {
                Form::Mx {
                    element,
                    policy,
                    dialect,
                } => {
                    let (spans, work) = self.spans(SPAN)?;
                    let launch = match random {
                        None => Quantise {
                            x,
                            spans,
                            elements,
                            scales,
                            policy,
                            dialect,
                        }
                        .launch(ty, element, work),
                        Some(random) => QuantiseStochastic {
                            x,
                            random,
                            spans,
                            elements,
                            scales,
                            policy,
                            dialect,
                        }
                        .launch(ty, element, work),
                    };
                    Some((launch?, spans * SPAN))
                }
                Form::Nvfp4 {
                    tensor_scale,
                    recipe,
                } => {
                    let (spans, work) = self.spans(NVFP4_SPAN)?;
                    let launch = match random {
                        None => Nvfp4Quantise {
                            x,
                            spans,
                            tensor_scale,
                            recipe,
                            elements,
                            scales,
                        }
                        .launch(ty, (), work),
                        Some(random) => Nvfp4QuantiseStochastic {
                            x,
                            random,
                            spans,
                            tensor_scale,
                            recipe,
                            elements,
                            scales,
                        }
                        .launch(ty, (), work),
                    };
                    Some((launch?, spans * NVFP4_SPAN))
                }
            }
        }

        /// The values of MX blocks of 32.
        #[must_use]
        pub fn dequantise(&self, element: Type, mode: Mode) -> Part {
            let (spans, work) = self.spans(SPAN)?;
            let Self {
                values: out,
                elements,
                scales,
                ..
            } = *self;
            let launch = Dequantise {
                elements,
                scales,
                spans,
                out,
            };
            let launch = launch.launch(self.ty, element, work)?;
            (mode == Mode::TIES_TO_EVEN).then_some((launch, spans * SPAN))
        }

        /// The values of NVFP4 blocks.
        #[must_use]
        pub fn nvfp4_dequantise(&self, tensor_scale: u32, mode: Mode) -> Part {
            let (spans, work) = self.spans(NVFP4_SPAN)?;
            let Self {
                values: out,
                elements,
                scales,
                ..
            } = *self;
            let launch = Nvfp4Dequantise {
                elements,
                scales,
                spans,
                tensor_scale,
                out,
            };
            let launch = launch.launch(self.ty, (), work)?;
            let fits = mode == Mode::TIES_TO_EVEN && scaled(tensor_scale, None);
            fits.then_some((launch, spans * NVFP4_SPAN))
        }
    }

    /// Packs whole tiles of elements that lie at an address, or unpacks them.
    #[must_use]
    pub fn pack(ty: Type, n: usize, elements: u64, bytes: u64, unpack: bool) -> Part {
        let tiles = n / TILE;
        let aligned = elements.is_multiple_of(16) && bytes.is_multiple_of(16);
        let launch = if unpack {
            Unpack {
                bytes,
                tiles,
                elements,
            }
            .launch(ty, (), Work::Blocks(tiles))?
        } else {
            Pack {
                elements,
                tiles,
                bytes,
            }
            .launch(ty, (), Work::Blocks(tiles))?
        };
        (aligned && tiles > 0).then_some((launch, tiles * TILE))
    }

    /// Whether the entries make MX blocks of this length as this dialect has it; of a stochastic one the direction does not
    /// matter.
    #[must_use]
    pub fn quantises(block: usize, dialect: &Dialect, stochastic: bool) -> bool {
        let due = Mode::TIES_TO_EVEN.saturating_all();
        let rounded = dialect.mode == due || stochastic && dialect.mode.overflow == due.overflow;
        block == BLOCK && rounded && dialect.specials == BlockSpecials::Scale
    }

    /// Whether they make NVFP4 blocks with a tensor scale, of f32's bits, and a recipe, or their values.
    #[must_use]
    pub fn scaled(tensor_scale: u32, recipe: Option<&Recipe>) -> bool {
        /// NaN.
        const LEAST: u8 = 0x7F;
        // From 2^-80, or 2^-100 when dequantising, to 2^100.
        let least = if recipe.is_some() { 47 } else { 27 };
        (least << 23..=227 << 23).contains(&tensor_scale)
            && recipe.is_none_or(|recipe| recipe.least_scale.to_bits() < LEAST)
    }
}
