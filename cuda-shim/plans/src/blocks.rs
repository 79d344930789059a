//! Blocks that share a scale, and packed elements: the GPU crate's
//! `tile/{blocks,nvfp4,packing}.rs`.

/// Threads of a warp, and of a block.
const WARP: usize = 32;
pub const THREADS: usize = 256;
/// Elements of an MX block, and of an NVFP4 block.
pub const BLOCK: usize = 32;
pub const NVFP4: usize = 16;
/// Elements that a warp works on: as many blocks as it has threads.
pub const SPAN: usize = BLOCK * WARP;
pub const NVFP4_SPAN: usize = NVFP4 * WARP;
/// Elements of a tile that is packed, 16 a thread, and bytes of a block's memory: three words a
/// thread.
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

/// The definition's entries, whose threads work alone. Formats are numbers: a value's ([`WIDE`])
/// and an [element's](ELEMENTS).
#[macro_export]
macro_rules! block_definitions {
    ($to:ident) => {
        $to! {
            /// Values as MX blocks; with random bits their elements are rounded stochastically.
            blocks::quantise[] as Quantise() (
                ty: u32, element: u32, x: *const u8, random: *const u16, n: usize, block: usize,
                elements: *mut u8, scales: *mut E8M0, flags: *mut u8, policy: u64, dialect: u32
            ) {
                "quantise" [_] "" () items();
            }
            /// The values of MX blocks.
            blocks::dequantise[] as Dequantise() (
                element: u32, ty: u32, elements: *const u8, scales: *const E8M0, n: usize, block: usize,
                out: *mut u8, flags: *mut u8, mode: u32
            ) {
                "dequantise" [_] "" () items();
            }
            /// Dot products of blocks.
            blocks::dot[] as Dot() (
                left: u32, right: u32, a: *const u8, a_scales: *const E8M0, b: *const u8,
                b_scales: *const E8M0, n: usize, block: usize, out: *mut Binary32, flags: *mut u8,
                mode: u32
            ) {
                "mx_dot" [_] "" () items();
            }
            /// Products of matrices in blocks.
            blocks::gemm[] as Gemm() (
                left: u32, right: u32, ty: u32, a: *const u8, a_scales: *const E8M0, b: *const u8,
                b_scales: *const E8M0, m: usize, k: usize, n: usize, block: usize, out: *mut u8,
                flags: *mut u8, how: u32, mode: u32
            ) {
                "mx_gemm" [_] "" () items();
            }
            /// Values as NVFP4 blocks; with random bits their elements are rounded stochastically.
            blocks::nvfp4_quantise[] as Nvfp4Quantise() (
                ty: u32, x: *const u8, random: *const u16, n: usize, tensor_scale: u32, recipe: u32, elements: *mut E2M1,
                scales: *mut E4M3FN, flags: *mut u8
            ) {
                "nvfp4_quantise" [_] "" () items();
            }
            /// The values of NVFP4 blocks.
            blocks::nvfp4_dequantise[] as Nvfp4Dequantise() (
                ty: u32, elements: *const E2M1, scales: *const E4M3FN, n: usize, tensor_scale: u32,
                out: *mut u8, flags: *mut u8, mode: u32
            ) {
                "nvfp4_dequantise" [_] "" () items();
            }
            /// Elements of FP4 and FP6 in bytes.
            blocks::pack[] as Pack() (element: u32, elements: *const u8, n: usize, bytes: *mut u8) {
                "pack" [_] "" () items();
            }
            /// And back.
            blocks::unpack[] as Unpack() (element: u32, bytes: *const u8, elements: *mut u8, n: usize) {
                "unpack" [_] "" () items();
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

    /// The definition's entries.
    pub mod definition {
        use crate::entry::{items, launches};

        block_definitions!(launches);
    }

    /// The formats of values, and of elements, in the order of their numbers.
    pub const WIDE: &[Type] = &[Type::F32, Type::F16, Type::Bf16];
    pub const ELEMENTS: &[Type] = &[
        Type::E5m2,
        Type::E4m3fn,
        Type::E5m2fnuz,
        Type::E4m3fnuz,
        Type::E3m2,
        Type::E2m3,
        Type::E2m1,
        Type::Mxint8,
    ];

    /// The number of a value's format, and of an element's; 0 for another one.
    #[must_use]
    pub fn wide_number(ty: Type) -> u32 {
        WIDE.iter().position(|wide| *wide == ty).unwrap_or(0) as u32
    }
    #[must_use]
    pub fn element_number(ty: Type) -> u32 {
        let found = ELEMENTS.iter().position(|element| *element == ty);
        found.unwrap_or(0) as u32
    }

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
        #[rustfmt::skip]
        pub fn quantise(&self, form: Form, random: Option<u64>) -> Part {
            let Self { ty, values: x, elements, scales, .. } = *self;
            if !random.unwrap_or(0).is_multiple_of(16) {
                return None;
            }
            match form {
                Form::Mx { element, policy, dialect } => {
                    let (spans, work) = self.spans(SPAN)?;
                    let launch = match random {
                        None => Quantise { x, spans, elements, scales, policy, dialect }
                            .launch(ty, element, work),
                        Some(random) => QuantiseStochastic {
                            x, random, spans, elements, scales, policy, dialect,
                        }
                        .launch(ty, element, work),
                    };
                    Some((launch?, spans * SPAN))
                }
                Form::Nvfp4 { tensor_scale, recipe } => {
                    let (spans, work) = self.spans(NVFP4_SPAN)?;
                    let launch = match random {
                        None => Nvfp4Quantise { x, spans, tensor_scale, recipe, elements, scales }
                            .launch(ty, (), work),
                        Some(random) => Nvfp4QuantiseStochastic {
                            x, random, spans, tensor_scale, recipe, elements, scales,
                        }
                        .launch(ty, (), work),
                    };
                    Some((launch?, spans * NVFP4_SPAN))
                }
            }
        }

        /// What is left after so many elements, in blocks of so many.
        #[must_use]
        pub fn after(&self, elements: usize, block: usize) -> Self {
            let blocks = elements.checked_div(block).unwrap_or(0);
            Self {
                n: self.n - elements,
                values: self.values + (elements * self.ty.bytes()) as u64,
                elements: self.elements + elements as u64,
                scales: self.scales + blocks as u64,
                ..*self
            }
        }

        /// The definition's launch that makes blocks of so many elements; `flags` is an address or 0.
        #[must_use]
        #[rustfmt::skip]
        pub fn define(
            &self, form: Form, random: Option<u64>, block: usize, flags: u64,
        ) -> Option<Launch> {
            let Self { n, values: x, elements, scales, .. } = *self;
            let (ty, random) = (wide_number(self.ty), random.unwrap_or(0));
            let work = Work::Items(n.div_ceil(block));
            match form {
                Form::Mx { element, policy, dialect } => definition::Quantise {
                    ty, element: element_number(element), x, random, n, block, elements, scales,
                    flags, policy, dialect,
                }
                .launch(None, (), work),
                Form::Nvfp4 { tensor_scale, recipe } => definition::Nvfp4Quantise {
                    ty, x, random, n, tensor_scale, recipe, elements, scales, flags,
                }
                .launch(None, (), work),
            }
        }

        /// The definition's launch for the values of MX blocks.
        #[must_use]
        pub fn define_values(
            &self,
            element: Type,
            block: usize,
            flags: u64,
            mode: u32,
        ) -> Option<Launch> {
            #[rustfmt::skip]
            let launch = definition::Dequantise {
                element: element_number(element), ty: wide_number(self.ty), elements: self.elements,
                scales: self.scales, n: self.n, block, out: self.values, flags, mode,
            };
            launch.launch(None, (), Work::Items(self.n.div_ceil(block)))
        }

        /// The same for NVFP4 blocks.
        #[must_use]
        pub fn define_nvfp4_values(
            &self,
            tensor_scale: u32,
            flags: u64,
            mode: u32,
        ) -> Option<Launch> {
            #[rustfmt::skip]
            let launch = definition::Nvfp4Dequantise {
                ty: wide_number(self.ty), elements: self.elements, scales: self.scales, n: self.n,
                tensor_scale, out: self.values, flags, mode,
            };
            launch.launch(None, (), Work::Items(self.n.div_ceil(NVFP4)))
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
            #[rustfmt::skip]
            let launch = Nvfp4Dequantise {
                elements, scales, spans, tensor_scale, out,
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

    /// Whether the entries make MX blocks of this length as this dialect has it; of a stochastic
    /// one the direction does not matter.
    #[must_use]
    pub fn quantises(block: usize, dialect: &Dialect, stochastic: bool) -> bool {
        let due = Mode::TIES_TO_EVEN.saturating_all();
        let rounded = dialect.mode == due || stochastic && dialect.mode.overflow == due.overflow;
        block == BLOCK && rounded && dialect.specials == BlockSpecials::Scale
    }

    /// Whether they make NVFP4 blocks with a tensor scale, of f32's bits, and a recipe, or their
    /// values.
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
