//! Cases of the composites: the kernels that work on slices, blocks, tensors and texts.
//!
//! A case is a composite at a choice of formats, `sum_exact.f16.f32`, and has [`ITEMS`] items. The
//! inputs of an item come from a [stated generator](inputs) and depend on nothing but a seed, the
//! case's name and the item's number; its outputs are words of 32 bits. A [`Digest`] of all of them
//! is the same on every target that computes the same bits, in whatever order and in whatever parts
//! the items were run: on the host, on a microcontroller, by the threads of a GPU.
//! `host-tests/golden/composites.txt` records the expected digests. They come from references that
//! share no arithmetic with the kernels (`host-tests/tests/kernels/composites.rs`).
//!
//! No allocation, no panic, no function pointers: [`run_item`] is one `match` over all cases.
//!
//! ```
//! use composite_cases::{CASES, SEED, Scratch, run, run_item};
//! let case = CASES.iter().position(|case| case.name == "sum_exact.f16.f32").unwrap();
//! let scratch = &mut Scratch::new();
//! let whole = run(case, SEED, scratch);
//! let mut parts = run_item(case, SEED, 0, scratch);
//! (1..composite_cases::ITEMS).rev().for_each(|item| parts.merge(run_item(case, SEED, item, scratch)));
//! assert_eq!(whole, parts);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod code;
mod fixed_point;
pub mod inputs;
mod layers;
mod narrow;
mod reductions;
mod scales;
mod tensors;
mod texts;

use bitexact::catalog::Refused;
use bitexact::{Mode, Status};
use code::{Code, Codes, Typed};
use sweep_inputs::digest::Digest;
use sweep_inputs::domain::SplitMix64;

/// The seed of the recorded digests.
pub const SEED: u64 = 0;
/// Items of every case.
pub const ITEMS: u32 = 128;
/// The most words of an operand,
pub const LENGTH: usize = 64;
/// and of an item's outputs.
pub const OUTPUTS: usize = 192;

/// A composite at a choice of formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// The composite and its formats: `sum_exact.f16.f32`.
    pub name: &'static str,
    /// Whether it runs on the processor's f32, which has to be in IEEE 754's default state.
    pub native: bool,
    /// FNV-1a of the name: the seed of the generator.
    stream: u64,
}

/// Elements as bits.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    words: [u32; LENGTH],
    length: usize,
}

impl Words {
    const NONE: Self = Self {
        words: [0; LENGTH],
        length: 0,
    };

    /// The elements.
    #[must_use]
    pub fn get(&self) -> &[u32] {
        self.words.get(..self.length).unwrap_or(&[])
    }

    fn push(&mut self, word: u32) {
        if let Some(place) = self.words.get_mut(self.length) {
            *place = word;
            self.length += 1;
        }
    }

    fn typed<T: Code>(&self) -> Typed<T> {
        Typed {
            values: self.words.map(T::of),
            length: self.length,
        }
    }
}

/// The inputs of an item. The [case's fill](inputs) says what each is.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its number.
    pub index: u32,
    /// The mode.
    pub mode: Mode,
    /// Operands.
    pub a: Words,
    /// Operands.
    pub b: Words,
    /// Operands.
    pub c: Words,
    /// Sizes and choices.
    pub sizes: [usize; 8],
}

/// The outputs of an item.
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    words: [u32; OUTPUTS],
    length: usize,
}

/// The output of a case whose inputs a kernel rejects, which must not happen.
const REFUSED: u32 = 0xBAD0_BAD0;

impl Outputs {
    /// The words.
    #[must_use]
    pub fn get(&self) -> &[u32] {
        self.words.get(..self.length).unwrap_or(&[])
    }

    fn word(&mut self, word: u32) {
        match self.words.get_mut(self.length) {
            Some(place) => {
                *place = word;
                self.length += 1;
            }
            // Wrong on every target, so the reference detects it.
            None => self.words = [REFUSED; OUTPUTS],
        }
    }

    fn status(&mut self, status: Status) {
        self.word(status.bits().into());
    }

    fn values<T: Code>(&mut self, values: &[T]) {
        values.iter().for_each(|value| self.word(value.bits()));
    }
}

/// The memory that a case needs: an item's inputs and outputs.
#[derive(Clone, Copy, Debug)]
pub struct Scratch {
    /// The inputs of the last item that was run.
    pub item: Item,
    /// Its outputs.
    pub outputs: Outputs,
}

impl Scratch {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            item: Item {
                index: 0,
                mode: Mode::TIES_TO_EVEN,
                a: Words::NONE,
                b: Words::NONE,
                c: Words::NONE,
                sizes: [0; 8],
            },
            outputs: Outputs {
                words: [0; OUTPUTS],
                length: 0,
            },
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

type Done = Result<(), Refused>;

/// FNV-1a.
const fn hash(name: &str) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut rest = name.as_bytes();
    while let [byte, more @ ..] = rest {
        hash = (hash ^ *byte as u64).wrapping_mul(0x100_0000_01B3);
        rest = more;
    }
    hash
}

macro_rules! cases {
    ($($kernel:ident $native:literal $fill:ident $module:ident::$function:ident: $([$first:ident $($more:ident)*])+;)*) => {
        /// Every case.
        pub const CASES: &[Case] = &[$($(Case {
            name: concat!(stringify!($kernel), ".", stringify!($first) $(, ".", stringify!($more))*),
            native: $native,
            stream: hash(concat!(stringify!($kernel), ".", stringify!($first) $(, ".", stringify!($more))*)),
        },)+)*];

        /// Makes the inputs of an item and computes its outputs.
        fn compute(case: usize, random: &mut SplitMix64, item: &mut Item, outputs: &mut Outputs) -> Done {
            use code::names::*;
            // `at` counts the cases: the optimiser makes one jump of the comparisons.
            let mut at = 0;
            $($(
                if at == case {
                    const FORMATS: &[Codes] = &[$first::CODES $(, $more::CODES)*];
                    inputs::$fill(random, FORMATS, item);
                    return $module::$function::<$first $(, $more)*>(item, outputs);
                }
                at += 1;
            )+)*
            let _ = at;
            Err(Refused)
        }
    };
}

// composite, on the processor's f32, its inputs, what runs it: formats
#[rustfmt::skip]
cases! {
    compare false pairs reductions::compare: [f16] [bf16] [f32];
    to_fixed false fixed_point fixed_point::to_fixed: [f16] [bf16] [f32] [e4m3fn];
    from_fixed false fixed_point fixed_point::from_fixed: [f16] [bf16] [f32] [e5m2];
    sum false values reductions::sum:
        [f16 f16] [f16 f32] [bf16 bf16] [bf16 f32] [f32 f32] [f32 bf16] [e4m3fn f16] [e5m2 bf16];
    sum_by false values reductions::sum_by: [f16 bf16] [bf16 f32] [e4m3fn f32];
    dot false pairs reductions::dot:
        [f16 f16] [f16 f32] [bf16 bf16] [bf16 f32] [f32 f32] [e4m3fn f32] [e2m1 f16];
    dot_by false pairs reductions::dot_by: [f16 bf16] [bf16 f32] [e5m2 f16];
    sum_exact false values reductions::sum_exact:
        [f16 f16] [f16 f32] [bf16 bf16] [bf16 f32] [f32 f32] [f32 f16] [e5m2 f16] [e4m3fn e4m3fn]
        [e5m2fnuz f32] [e4m3fnuz e4m3fnuz] [e2m3 f16] [e3m2 bf16] [e2m1 e2m1];
    cumsum_exact false values reductions::cumsum_exact: [f16 f16] [bf16 f32] [f32 f32] [e4m3fn bf16];
    cumprod false values reductions::cumprod: [f16 f16] [bf16 f32] [f32 f32] [e5m2 f16];
    dot_exact false pairs reductions::dot_exact:
        [f16 f16] [f16 f32] [bf16 bf16] [bf16 f32] [f32 f32] [f32 bf16] [e5m2 f16] [e4m3fn f32]
        [e5m2fnuz e4m3fn] [e4m3fnuz bf16] [e2m3 e2m3] [e3m2 f32] [e2m1 f16];
    mean false several reductions::mean: [f16 f16] [bf16 f32] [f32 f32] [e4m3fn bf16];
    mean_square false several reductions::mean_square: [f16 f32] [bf16 bf16] [f32 f32];
    root_mean_square false several reductions::root_mean_square: [f16 f16] [bf16 f32] [f32 f32];
    variance false several reductions::variance: [f16 f16] [f16 f32] [bf16 bf16] [f32 f32];
    standard_deviation false several reductions::standard_deviation: [f16 f16] [bf16 f32] [f32 f32];
    norm false values reductions::norm: [f16 f16] [bf16 f32] [f32 f32] [e5m2 e5m2];
    gemm false matrices tensors::gemm: [f16 f16] [f16 f32] [bf16 bf16] [bf16 f32] [e4m3fn f32];
    gemv false matrices tensors::gemv: [f16 f32] [bf16 f32] [e2m1 bf16];
    sum_dim false tensor tensors::sum_dim: [f16 f16] [bf16 f32] [f32 f32];
    reduce_dim false tensor tensors::reduce_dim: [f16 f32] [bf16 bf16];
    cast_chain false values tensors::cast_chain:
        [f32 f16 f32] [f32 bf16 f16] [f16 bf16 e4m3fn] [bf16 f16 e2m1] [f32 e5m2 f32];
    cast_chain_view false tensor tensors::chain_view: [f32 bf16 f16] [f16 e4m3fn f32];
    slice_scatter false tensor tensors::slice_scatter: [f16] [bf16] [f32] [e5m2];
    slice_scatter_backward false tensor tensors::slice_scatter_backward: [f16] [bf16] [f32];
    slice_scatter_backward_input false tensor tensors::slice_scatter_backward_input: [bf16] [f32];
    slice_scatter_backward_src false tensor tensors::slice_scatter_backward_src: [bf16] [f32];
    softmax false logits layers::softmax: [f32 f32 f32] [f16 f32 f32] [bf16 f32 bf16];
    log_softmax false logits layers::log_softmax: [f32 f32 f32] [bf16 f32 f16];
    logsumexp false logits layers::logsumexp: [f32 f32 f32] [f16 f32 f32] [bf16 f32 bf16];
    logcumsumexp false logits layers::logcumsumexp: [f32 f32 f32] [bf16 f32 f16];
    conv2d false convolution layers::conv2d: [f32];
    batch_norm false normalisation layers::batch_norm: [f32];
    linear false connection layers::linear: [f32];
    avg_pool2d false pool layers::avg_pool2d: [f32];
    adaptive_avg_pool2d false pool layers::adaptive_avg_pool2d: [f32];
    dense false rows_of_weights narrow::dense:
        [bf16 bf16 bf16 bf16] [bf16 e4m3fn f32 bf16] [f16 f16 f32 f32] [e4m3fn e4m3fn bf16 e4m3fn] [f32 e5m2 f32 f16]
        [bf16 e2m1 bf16 f32];
    convolve false filters_of_weights narrow::convolve:
        [bf16 bf16 bf16 bf16] [bf16 e4m3fn f32 bf16] [f16 f16 f16 f16] [e5m2 e3m2 f32 f32];
    max_pool2d false pool narrow::max_pool2d: [f16] [bf16] [f32] [e4m3fn];
    mean_pool2d false pool narrow::mean_pool2d: [f16 f16] [bf16 f32] [e4m3fn bf16];
    layer_norm false normalised narrow::layer_norm: [f16 f16 f16] [bf16 f32 bf16] [f32 f32 f32];
    rms_norm false normalised narrow::rms_norm: [f16 f16 f16] [bf16 f32 bf16] [f32 f32 f32];
    argmax false logits narrow::argmax: [f16] [bf16] [f32] [e4m3fn];
    map false factors narrow::map: [f16 f16 f16] [f32 f32 f32];
    map_in_place false factors narrow::map_in_place: [bf16 bf16];
    multiply false factors narrow::multiply: [f16 f16] [bf16 f32];
    scale false factors narrow::scale: [f16 f32] [bf16 bf16];
    accumulate false factors narrow::accumulate: [f32 bf16 bf16] [f16 f16 f16];
    softmax true logits layers::softmax: [f32 native f32] [f16 native f32] [bf16 native bf16];
    log_softmax true logits layers::log_softmax: [f32 native f32] [bf16 native f16];
    conv2d true convolution layers::conv2d: [native];
    batch_norm true normalisation layers::batch_norm: [native];
    linear true connection layers::linear: [native];
    avg_pool2d true pool layers::avg_pool2d: [native];
    adaptive_avg_pool2d true pool layers::adaptive_avg_pool2d: [native];
    block_scale false block scales::block_scale:
        [f32 e5m2] [f32 e4m3fn] [f32 e5m2fnuz] [f32 e4m3fnuz] [f32 e3m2] [f32 e2m3] [f32 e2m1] [f32 mxint8];
    quantise_block false block scales::quantise_block:
        [f32 e5m2] [f32 e4m3fn] [f32 e3m2] [f32 e2m1] [f32 mxint8];
    quantise false block scales::quantise:
        [f32 e5m2] [f32 e4m3fn] [f32 e5m2fnuz] [f32 e4m3fnuz] [f32 e3m2] [f32 e2m3] [f32 e2m1] [f32 mxint8]
        [f16 e5m2] [f16 e4m3fn] [f16 e3m2] [f16 e2m3] [f16 e2m1] [f16 mxint8]
        [bf16 e5m2] [bf16 e4m3fn] [bf16 e3m2] [bf16 e2m3] [bf16 e2m1] [bf16 mxint8];
    dequantise false scaled scales::dequantise:
        [e5m2 f32] [e4m3fn f32] [e5m2fnuz f32] [e4m3fnuz f32] [e3m2 f32] [e2m3 f32] [e2m1 f32] [mxint8 f32]
        [e4m3fn bf16] [e2m1 f16] [mxint8 bf16];
    mx_dot false two_blocks scales::dot:
        [e5m2 e5m2 f32] [e4m3fn e4m3fn f32] [e4m3fn e5m2 bf16] [e5m2fnuz e5m2fnuz f16] [e3m2 e2m3 f32]
        [e2m1 e2m1 f32] [mxint8 mxint8 f32] [mxint8 e2m1 bf16];
    dot_general false slices_in_blocks scales::dot_general:
        [e5m2 e5m2 f32] [e4m3fn e4m3fn bf16] [e4m3fn e5m2 f16] [e5m2fnuz e4m3fnuz f32] [e2m1 e2m1 f32]
        [e3m2 e2m3 e4m3fn] [mxint8 mxint8 bf16];
    mx_gemm false matrices_in_blocks scales::gemm:
        [e5m2 e5m2 bf16] [e4m3fn e4m3fn f32] [e4m3fn e2m1 f32] [e2m1 e2m1 f16] [mxint8 mxint8 f32];
    nvfp4_tensor_scale false values scales::nvfp4_tensor_scale: [f32];
    nvfp4_quantise false nvfp4_values scales::nvfp4_quantise: [f32] [f16] [bf16];
    nvfp4_dequantise false nvfp4_blocks scales::nvfp4_dequantise: [f32] [f16] [bf16];
    pack false codes_of scales::pack: [e2m1] [e2m3] [e3m2];
    unpack false bytes scales::unpack: [e2m1] [e2m3] [e3m2];
    parse_decimal false decimal texts::parse_decimal: [f16] [bf16] [f32] [e4m3fn] [e2m1];
    parse_hex false hexadecimal texts::parse_hex: [f16] [bf16] [f32] [e5m2];
    format_decimal false one_value texts::format_decimal: [f16] [bf16] [f32] [e4m3fn];
    format_hex false one_value texts::format_hex: [f16] [bf16] [f32] [e5m2];
    format_hex_rounded false one_value texts::format_hex_rounded: [f16] [bf16] [f32];
    sum_lanes false values reductions::sum_lanes: [f16 f16] [bf16 bf16] [bf16 f32] [f32 f32] [f32 bf16] [e4m3fn f16];
    dot_lanes false pairs reductions::dot_lanes: [f16 f32] [bf16 bf16] [f32 f32] [e4m3fn f32];
    gemm_lanes false matrices tensors::gemm_lanes: [f16 f16] [bf16 f32];
    sum_dim_lanes false tensor tensors::sum_dim_lanes: [f16 f16] [bf16 f32];
    dot_general_lanes false slices_in_blocks scales::dot_general_lanes: [e4m3fn e5m2 f16] [e2m1 e2m1 f32];
    dense_lanes false rows_of_weights narrow::dense_lanes: [bf16 e4m3fn f32 bf16];
}

/// Runs an item: its digest, and in `scratch` its inputs and outputs. Word `k` of the outputs has
/// the index `item * 256 + k`. The digest is empty for a number that no case has.
pub fn run_item(case: usize, seed: u64, item: u32, scratch: &mut Scratch) -> Digest {
    let mut digest = Digest::EMPTY;
    let Some(found) = CASES.get(case) else {
        return digest;
    };
    let mut random = SplitMix64::at(found.stream ^ seed, item.into());
    let Scratch {
        item: inputs,
        outputs,
    } = scratch;
    inputs::begin(&mut random, item, inputs);
    outputs.length = 0;
    if compute(case, &mut random, inputs, outputs).is_err() {
        outputs.word(REFUSED);
    }
    for (k, word) in outputs.get().iter().enumerate() {
        digest.add(u64::from(item) << 8 | k as u64, [(*word).into(), 0], 0);
    }
    digest
}

/// Runs all items of a case.
pub fn run(case: usize, seed: u64, scratch: &mut Scratch) -> Digest {
    let mut digest = Digest::EMPTY;
    for item in 0..ITEMS {
        digest.merge(run_item(case, seed, item, scratch));
    }
    digest
}
