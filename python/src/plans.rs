//! Plans of launches on GPUs, which the crate `gpu-plans` makes. Formats are named as in
//! `bf16_f32`: the operands' and the result's; modes are words of
//! [`encode_mode`](bitexact::catalog::encode_mode).

use crate::composites::{dialect, recipe};
use bitexact::Mode;
use bitexact::catalog::{Type, decode_mode, encode_policy};
use bitexact::format::{E2M1, E2M3};
use bitexact::reduce::{Order, Unit};
use bitexact::scale::Packed;
use bitexact::tensor::Accumulation;
use gpu_plans::blocks::{self, Form, Part, Slice, definition};
use gpu_plans::exact::{Choice, Product};
use gpu_plans::{Launch, Matrices, Work, codes, gemm, layers, rows, sums, unit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An entry, its words, and blocks, threads and bytes of memory.
type Launched = (&'static str, Vec<u64>, usize, usize, usize);

/// Operands of a product: the address at coordinate 0, and strides in elements.
type Stack = (u64, [i64; 3]);

fn launched(launch: Launch, processors: usize) -> Launched {
    let (blocks, threads) = (launch.blocks(processors), launch.threads());
    let name = launch.entry.name;
    (name, launch.words, blocks, threads, launch.memory)
}

/// The launches of a plan; an error where it has none, since results would stay what they are.
fn all_launched(launches: Option<Vec<Launch>>, processors: usize) -> PyResult<Vec<Launched>> {
    let launches = launches.ok_or_else(|| PyValueError::new_err("there are no such entries"))?;
    let launches = launches.into_iter();
    Ok(launches
        .map(|launch| launched(launch, processors))
        .collect())
}

fn format_of(name: &str) -> PyResult<Type> {
    let found = Type::ALL.iter().copied().find(|ty| ty.name() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("no format {name}")))
}

fn formats(name: &str) -> PyResult<[Type; 2]> {
    let (from, to) = name
        .split_once('_')
        .ok_or_else(|| PyValueError::new_err(format!("no formats {name}")))?;
    Ok([format_of(from)?, format_of(to)?])
}

fn stack((address, strides): Stack) -> Matrices {
    Matrices { address, strides }
}

/// Products in sequential order in f32, as tiles: `sizes` are how many, m, n and k. `None` if the
/// definition's entry is to be taken.
#[pyfunction]
pub fn gemm_plan(
    name: &str,
    sizes: [usize; 4],
    a: Stack,
    b: Stack,
    out: Stack,
    mode: u64,
) -> PyResult<Option<Launched>> {
    let [ty, to] = formats(name)?;
    let product = gemm::Product {
        ty,
        sizes,
        a: stack(a),
        b: stack(b),
        how: Accumulation::Declared(Order::Sequential),
        mode: decode_mode(mode as u32),
    };
    let plan = product.sequential(stack(out)).filter(|_| to == Type::F32);
    Ok(plan.map(|launch| launched(launch, 0)))
}

fn defined(launch: Option<Launch>, processors: usize) -> PyResult<Launched> {
    let launch = launch.ok_or_else(|| PyValueError::new_err("no entry has these formats"))?;
    Ok(launched(launch, processors))
}

/// The definition's entry of one product of m by n results: `walk` is the address of the sizes and
/// strides, `how` the code of the way to add up.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "those of a product")]
pub fn gemm_definition(
    name: &str,
    shape: [usize; 2],
    a: u64,
    b: u64,
    out: u64,
    walk: u64,
    how: u32,
    mode: u64,
    processors: usize,
) -> PyResult<Launched> {
    let ([ty, to], [m, n]) = (formats(name)?, shape);
    let [a, b] = [a, b].map(|address| stack((address, [0; 3])));
    let product = gemm::Product {
        ty,
        sizes: [1, m, n, 0],
        a,
        b,
        how: Accumulation::Exact,
        mode: decode_mode(mode as u32),
    };
    defined(product.define(out, to, 0, walk, how), processors)
}

/// The exact sum of a slice, rounded once; `slots` is the address of [`slot_words`] zeros. `None`
/// for formats that are not summed.
#[pyfunction]
pub fn sum_plan(
    name: &str,
    x: u64,
    n: usize,
    slots: u64,
    out: u64,
    mode: u64,
    processors: usize,
) -> PyResult<Option<Vec<Launched>>> {
    let [ty, to] = formats(name)?;
    let plan = sums::Exact {
        ty,
        a: x,
        b: None,
        n,
        slots,
        out,
        to,
        flags: 0,
        mode: mode as u32,
        processors,
    };
    let launches = plan.launch().map(|launch| vec![launch]);
    let launches = launches.or_else(|| plan.definition());
    let launched = |all: Vec<Launch>| {
        all.into_iter()
            .map(|one| launched(one, processors))
            .collect()
    };
    Ok(launches.map(launched))
}

/// Words of accumulators that [`sum_plan`] adds to.
#[pyfunction]
pub const fn slot_words() -> usize {
    sums::SLOTS * sums::SLOT_WORDS + 1
}

/// An average pooling of a batch of f32 images to rows and columns: by windows of a size and a
/// stride, or adaptive.
#[pyfunction]
#[pyo3(signature = (x, batch, input, results, windows, out, processors))]
pub fn pool_plan(
    x: u64,
    batch: usize,
    input: [usize; 3],
    results: [usize; 2],
    windows: Option<[[usize; 2]; 2]>,
    out: u64,
    processors: usize,
) -> PyResult<Launched> {
    let planes = [batch.saturating_mul(input[0]), input[1], input[2]];
    let plan = layers::pool(x, planes, results, windows, out);
    let plan = plan.or_else(|| layers::define_pool(x, batch, input, results, windows, out));
    defined(plan, processors)
}

/// Batch normalisation in place: `sizes` are all elements, channels, and the elements of one;
/// `parameters` the addresses of mean, variance, weight and bias.
#[pyfunction]
pub fn batch_norm_plan(
    sizes: [usize; 3],
    x: u64,
    parameters: [u64; 4],
    epsilon: f32,
    processors: usize,
) -> PyResult<Launched> {
    let ([n, channels, elements], [mean, variance, weight, bias]) = (sizes, parameters);
    #[rustfmt::skip]
    let launch = layers::definition::BatchNorm {
        x, n, channels, elements, mean, variance, weight, bias, epsilon: epsilon.to_bits(),
    };
    defined(launch.launch(None, (), Work::Items(n)), processors)
}

/// A function of rows: `softmax`, `log_softmax`, `mean`, `norm`, `variance`, `standard_deviation`
/// (with so many degrees of freedom `missing`), or the statistics of a layer norm or an RMS norm.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct RowsPlan(rows::Plan);

impl RowsPlan {
    /// A function of so many rows of a length, from and to addresses.
    fn of(
        name: &str,
        [address, out]: [u64; 2],
        [length, rows]: [usize; 2],
        function: rows::Function,
        mode: Mode,
        at_once: usize,
    ) -> PyResult<Self> {
        let [ty, to] = formats(name)?;
        Ok(Self(rows::Plan {
            rows: rows::Rows {
                ty,
                address,
                length,
                rows,
                at_once,
            },
            function,
            out,
            to,
            mode,
        }))
    }
}

#[pymethods]
impl RowsPlan {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "what a plan is made of")]
    fn new(
        what: &str,
        name: &str,
        address: u64,
        length: usize,
        count: usize,
        out: u64,
        mode: u64,
        processors: usize,
        missing: u32,
        epsilon: f32,
        weight: Option<(u64, String)>,
        bias: u64,
    ) -> PyResult<Self> {
        let function = match what {
            "softmax" => rows::Function::Softmax { logarithm: false },
            "log_softmax" => rows::Function::Softmax { logarithm: true },
            "mean" => rows::Function::Mean,
            "norm" => rows::Function::Norm,
            "variance" | "standard_deviation" => rows::Function::Variance {
                missing,
                root: what == "standard_deviation",
            },
            "layer_norm" | "rms_norm" => match weight {
                Some((weight, ty)) => rows::Function::LayerNorm {
                    weight,
                    weight_ty: format_of(&ty)?,
                    bias,
                    epsilon,
                },
                None => rows::Function::Statistics {
                    centred: what == "layer_norm",
                    epsilon,
                },
            },
            _ => return Err(PyValueError::new_err(format!("no function {what}"))),
        };
        let mode = decode_mode(mode as u32);
        Self::of(
            name,
            [address, out],
            [length, count],
            function,
            mode,
            processors,
        )
    }

    /// The weights of attention, of `count` rows of scores in f32 at an address. A mask has an address
    /// and is added, or not; rows are numbered by stacks of heads of queries, and those of the mask
    /// are so many elements apart.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "what a plan is made of")]
    fn weights(
        name: &str,
        address: u64,
        sizes: [usize; 4],
        out: u64,
        scale: f32,
        mask: Option<(u64, bool)>,
        strides: [usize; 3],
        processors: usize,
    ) -> PyResult<Self> {
        let [length, count, heads, queries] = sizes;
        let mask = match mask {
            None => rows::Mask::None,
            Some((address, true)) => rows::Mask::Added(address),
            Some((address, false)) => rows::Mask::Taken(address),
        };
        let small = |n: usize| u32::try_from(n).map_err(|_| PyValueError::new_err("too many rows"));
        let function = rows::Function::Weights(rows::Scores {
            scale,
            mask,
            heads: small(heads)?,
            queries: small(queries)?,
            strides,
        });
        let addresses = [address, out];
        Self::of(
            name,
            addresses,
            [length, count],
            function,
            Mode::TIES_TO_EVEN,
            processors,
        )
    }

    /// The batch norm of `count` planes of channels in turn, of `length` elements each; the addresses
    /// are those of the planes, the results, the statistics, the weights and the biases.
    #[staticmethod]
    fn batch_norm(
        name: &str,
        addresses: [u64; 5],
        sizes: [usize; 2],
        channels: u32,
        mode: u64,
        processors: usize,
    ) -> PyResult<Self> {
        let [address, out, statistics, weight, bias] = addresses;
        let function = rows::Function::BatchNorm {
            channels,
            statistics,
            weight,
            bias,
        };
        Self::of(
            name,
            [address, out],
            sizes,
            function,
            decode_mode(mode as u32),
            processors,
        )
    }

    /// Bytes of memory that the launches use; none if the definition's entry is to be taken.
    fn memory(&self) -> Option<usize> {
        self.0.memory()
    }

    /// What is launched, with memory at this address.
    fn launches(&self, memory: u64) -> PyResult<Vec<Launched>> {
        all_launched(self.0.launches(memory), 0)
    }

    /// The definition's launch.
    fn definition(&self) -> PyResult<Launched> {
        defined(self.0.define(0), self.0.rows.at_once)
    }
}

/// Products in the order of a matrix unit.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct UnitProduct(unit::Product);

/// The bits of both operands of a product on which units differ, and of its accumulators.
type Probe = (Vec<u64>, Vec<u64>, Vec<u32>);

#[pymethods]
impl UnitProduct {
    /// `sizes` are how many products, m, n and k.
    #[new]
    fn new(name: &str, ty: &str, sizes: [usize; 4], a: Stack, b: Stack) -> PyResult<Self> {
        let unit = Unit::named(name);
        let ty = Type::ALL.iter().copied().find(|one| one.name() == ty);
        let (Some(unit), Some(ty)) = (unit, ty) else {
            return Err(PyValueError::new_err(format!("no unit {name}")));
        };
        let (a, b) = (stack(a), stack(b));
        Ok(Self(unit::Product {
            ty,
            sizes,
            a,
            b,
            unit,
        }))
    }

    /// The sizes m, n and k of [`UnitProduct::probe`].
    #[classattr]
    const PROBE: [usize; 3] = unit::Probe::SIZES;

    /// A product on which units differ: a device whose tensor cores give it has the unit.
    fn probe(&self) -> Option<Probe> {
        let unit::Probe { a, b, due } = unit::Probe::new(self.0.ty, &self.0.unit)?;
        Some((a, b, due))
    }

    /// Bytes of memory that the launches on tensor cores use; none if these cannot have the unit.
    fn memory(&self) -> Option<usize> {
        self.0.memory()
    }

    /// What is launched on tensor cores, with memory at this address: accumulators in f32.
    fn launches(&self, memory: u64, out: Stack, processors: usize) -> PyResult<Vec<Launched>> {
        all_launched(self.0.launches(memory, stack(out)), processors)
    }

    /// The definition's launch for one product, in f32: `walk` is the address of the sizes and
    /// strides.
    fn definition(&self, out: u64, walk: u64, processors: usize) -> PyResult<Launched> {
        let mode = Mode::TIES_TO_EVEN;
        defined(self.0.define(out, Type::F32, walk, mode), processors)
    }
}

/// Exact products of a batch of matrices on the tensor cores.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct ExactProduct(Product);

#[pymethods]
impl ExactProduct {
    /// `sizes` are how many products, m, n and k.
    #[new]
    fn new(
        name: &str,
        sizes: [usize; 4],
        a: Stack,
        b: Stack,
        out: Stack,
        mode: u64,
        processors: usize,
    ) -> PyResult<Self> {
        let [ty, to] = formats(name)?;
        Ok(Self(Product {
            ty,
            sizes,
            a: stack(a),
            b: stack(b),
            out: stack(out),
            to,
            mode: mode as u32,
            processors,
        }))
    }

    /// How many products can be made at once; none if their sizes are beyond the entries'.
    fn at_once(&self) -> Option<usize> {
        self.0.at_once()
    }

    /// The products from this number on, so many.
    fn part(&self, first: usize, count: usize) -> Self {
        Self(self.0.part(first, count))
    }

    /// Bytes of a first memory, which are zeros, and of what it begins with and
    /// [`ExactProduct::needs`] takes.
    fn small(&self) -> (usize, usize) {
        (self.0.small(), 4 * self.0.found())
    }

    /// What is launched first, with a first memory at this address.
    fn find(&self, small: u64) -> Vec<Launched> {
        self.launched(self.0.find(small))
    }

    /// Bytes of a second memory, for what was found; none if the definition is the better choice.
    fn needs(&self, found: &[u8]) -> Option<usize> {
        let choice = self.choice(found);
        let few = choice.infinite <= self.0.infinite();
        self.0.large(choice).filter(|_| few)
    }

    /// What is launched then, with memories at these addresses.
    fn multiply(&self, found: &[u8], small: u64, large: u64) -> Vec<Launched> {
        self.launched(self.0.multiply(self.choice(found), small, large))
    }
}

impl ExactProduct {
    fn launched(&self, launches: Option<Vec<Launch>>) -> Vec<Launched> {
        let launches = launches.into_iter().flatten();
        launches
            .map(|one| launched(one, self.0.processors))
            .collect()
    }

    fn choice(&self, found: &[u8]) -> Choice {
        let words = found.as_chunks().0.iter();
        let words: Vec<u64> = words.map(|word| u32::from_le_bytes(*word).into()).collect();
        self.0.choose(&words)
    }
}

/// A slice of f32, f16 or bf16 and its blocks of an element format; of NVFP4 for blocks of 16 of
/// E2M1 by their own functions.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct BlocksPlan {
    slice: Slice,
    element: Type,
    block: usize,
    processors: usize,
}

#[pymethods]
impl BlocksPlan {
    /// Formats of values and of elements, how many there are, how many a block has, and the
    /// addresses of values, elements and scales.
    #[new]
    fn new(
        name: &str,
        n: usize,
        block: usize,
        addresses: [u64; 3],
        processors: usize,
    ) -> PyResult<Self> {
        let ([ty, element], [values, elements, scales]) = (formats(name)?, addresses);
        if block == 0 {
            return Err(PyValueError::new_err("a block of no elements"));
        }
        Ok(Self {
            slice: Slice {
                ty,
                n,
                values,
                elements,
                scales,
            },
            element,
            block,
            processors,
        })
    }

    /// Makes MX blocks of a dialect; with random bits at an address, stochastically.
    #[pyo3(signature = (how, random))]
    fn quantise(&self, how: &Bound<'_, PyAny>, random: Option<u64>) -> PyResult<Vec<Launched>> {
        let dialect = dialect(how)?;
        let form = Form::Mx {
            element: self.element,
            policy: encode_policy(&dialect.policy),
            dialect: codes::encode_dialect(&dialect),
        };
        let fast = blocks::quantises(self.block, &dialect, random.is_some());
        self.made(form, fast, random)
    }

    /// Makes NVFP4 blocks of a recipe.
    #[pyo3(signature = (tensor_scale, least_scale, quotient, random))]
    fn nvfp4_quantise(
        &self,
        tensor_scale: f32,
        least_scale: u8,
        quotient: &Bound<'_, PyAny>,
        random: Option<u64>,
    ) -> PyResult<Vec<Launched>> {
        let recipe = recipe(least_scale, quotient)?;
        let tensor_scale = tensor_scale.to_bits();
        let form = Form::Nvfp4 {
            tensor_scale,
            recipe: codes::encode_recipe(&recipe),
        };
        self.made(form, blocks::scaled(tensor_scale, Some(&recipe)), random)
    }

    /// Makes the values of MX blocks.
    fn dequantise(&self, mode: u64) -> PyResult<Vec<Launched>> {
        let how = decode_mode(mode as u32);
        let fast = self.slice.dequantise(self.element, how);
        self.parts(fast.filter(|_| self.block == blocks::BLOCK), |rest, _| {
            rest.define_values(self.element, self.block, 0, mode as u32)
        })
    }

    /// Makes the values of NVFP4 blocks.
    fn nvfp4_dequantise(&self, tensor_scale: f32, mode: u64) -> PyResult<Vec<Launched>> {
        let (scale, how) = (tensor_scale.to_bits(), decode_mode(mode as u32));
        self.parts(self.slice.nvfp4_dequantise(scale, how), |rest, _| {
            rest.define_nvfp4_values(scale, 0, mode as u32)
        })
    }
}

impl BlocksPlan {
    fn made(&self, form: Form, fast: bool, random: Option<u64>) -> PyResult<Vec<Launched>> {
        let part = self.slice.quantise(form, random).filter(|_| fast);
        self.parts(part, |rest, done| {
            let random = random.map(|random| random + 2 * done as u64);
            rest.define(form, random, self.block, 0)
        })
    }

    /// The fast entry's part, if there is one, and the definition's of the rest.
    fn parts(
        &self,
        part: Part,
        rest: impl FnOnce(Slice, usize) -> Option<Launch>,
    ) -> PyResult<Vec<Launched>> {
        let (fast, done) = part.unzip();
        let done = done.unwrap_or(0);
        let rest = defined(
            rest(self.slice.after(done, self.block), done),
            self.processors,
        )?;
        let fast = fast.map(|launch| launched(launch, self.processors));
        Ok(fast.into_iter().chain([rest]).collect())
    }
}

/// The definition's entry of a product of matrices in MX blocks, m by k and n by k, in f32 or bf16:
/// `name` has the formats of elements, `how` is the code of the way to add up.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "those of a product")]
pub fn mx_gemm_definition(
    name: &str,
    result: &str,
    sizes: [usize; 4],
    a: [u64; 2],
    b: [u64; 2],
    out: u64,
    how: u32,
    mode: u64,
    processors: usize,
) -> PyResult<Launched> {
    let [left, right] = formats(name)?.map(blocks::element_number);
    let ([m, n, k, block], [a, a_scales], [b, b_scales]) = (sizes, a, b);
    #[rustfmt::skip]
    let launch = definition::Gemm {
        left, right, ty: blocks::wide_number(format_of(result)?), a, a_scales, b, b_scales, m, k, n,
        block, out, flags: 0, how, mode: mode as u32,
    };
    defined(launch.launch(None, (), Work::Items(m * n)), processors)
}

/// Elements of FP4 or FP6 in bytes, or back.
#[pyfunction]
pub fn pack_plan(
    element: &str,
    n: usize,
    elements: u64,
    bytes: u64,
    unpack: bool,
    processors: usize,
) -> PyResult<Vec<Launched>> {
    let ty = format_of(element)?;
    let (group, size) = match ty {
        Type::E2m1 => (E2M1::GROUP, E2M1::BYTES),
        Type::E2m3 | Type::E3m2 => (E2M3::GROUP, E2M3::BYTES),
        _ => return Err(PyValueError::new_err(format!("{element} is not packed"))),
    };
    let (fast, done) = blocks::pack(ty, n, elements, bytes, unpack).unzip();
    let done = done.unwrap_or(0);
    let (from, to) = (elements + done as u64, bytes + (done / group * size) as u64);
    let (element, rest) = (blocks::element_number(ty), n - done);
    let work = Work::Items(rest.div_ceil(group));
    #[rustfmt::skip]
    let rest = if unpack {
        definition::Unpack { element, bytes: to, elements: from, n: rest }.launch(None, (), work)
    } else {
        definition::Pack { element, elements: from, n: rest, bytes: to }.launch(None, (), work)
    };
    let fast = fast.map(|launch| launched(launch, processors));
    Ok(fast
        .into_iter()
        .chain([defined(rest, processors)?])
        .collect())
}
