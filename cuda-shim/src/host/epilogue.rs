//! Products with an epilogue: a bias, a cast, a function and MX blocks of the sums, where possible
//! in the product's own pass.

use super::blocks::{self, ELEMENTS, WIDE};
use super::buffer::{View, ViewMut};
use super::composites::{Composites, expect_length, mismatch};
use super::error::Error;
use super::fast::Fast;
use super::tensor::{Tensor, TensorMut, same_shape};
use super::types::Type;
use crate::abi;
use crate::composite::function::number;
use bitexact::Mode;
use bitexact::scale::Dialect;
use bitexact::tensor::{Accumulation, Slice};
use gpu_plans::blocks::quantises;
use gpu_plans::gemm::{Blocks, Ending};

/// What is done to each sum of a product before it is stored, in the order of the fields. The
/// default does nothing.
///
/// ```no_run
/// use bitexact::reduce::Order;
/// use bitexact::{Mode, bf16, tensor::Accumulation};
/// use cuda_shim::{Epilogue, Gpu, Image, Tensor, TensorMut, Type};
///
/// let gpu = Gpu::open(0)?;
/// let module = gpu.load(&Image::read("bitexact_sm_90.ptx".as_ref())?)?;
/// let (x, weights) = (gpu.zeros::<bf16>(64 * 512)?, gpu.zeros::<bf16>(512 * 256)?);
/// let bias = gpu.zeros::<f32>(256)?;
/// let mut out = gpu.zeros::<bf16>(64 * 256)?;
/// let even = Mode::TIES_TO_EVEN;
/// let gelu = module.function("gelu.bf16", even)?;
/// module.composites().gemm_epilogue(
///     &Tensor::contiguous(x.view(), [64, 512])?,
///     &Tensor::contiguous(weights.view(), [512, 256])?,
///     Accumulation::Declared(Order::Sequential),
///     even,
///     &Epilogue {
///         bias: Some(bias.view()),
///         cast: Some((Type::Bf16, even)),
///         function: Some(&gelu),
///     },
///     &mut TensorMut::contiguous(out.view_mut(), [64, 256])?,
/// )?;
/// # Ok::<(), cuda_shim::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Epilogue<'a> {
    /// One f32 for each of the n columns, added to every sum of its column: one addition, rounded
    /// to f32 in the product's mode.
    pub bias: Option<View<'a>>,
    /// The conversion from f32 to f16, bf16, E4M3FN or E5M2, in this mode. Without it the result is
    /// f32.
    pub cast: Option<(Type, Mode)>,
    /// A function of the cast's result, or without a cast of f32: a row of one operand and one
    /// result with its arguments, as [`Module::function`](super::Module::function) or
    /// [`Module::fast`](super::Module::fast) prepares it. A function of f32 is computed where the
    /// sums are made, any other looked up there in a table.
    pub function: Option<&'a Fast<'a>>,
}

/// The formats that are multiplied.
const MULTIPLIED: &[Type] = &[Type::F16, Type::Bf16, Type::F32, Type::E4m3fn, Type::E5m2];
/// The formats of a cast, by number; the next one stands for none.
const NARROW: [Type; 4] = [Type::F16, Type::Bf16, Type::E4m3fn, Type::E5m2];

/// An epilogue that fits its product, and the format of its last step.
struct Checked {
    ending: Ending,
    ended: Type,
}

impl Composites<'_> {
    /// The product of an m by k and a k by n matrix, of f16, bf16, f32, E4M3FN or E5M2, with sums
    /// in f32, each of which then goes through the epilogue. `out` is m by n, in the format of the
    /// epilogue's last step.
    ///
    /// The bits are those of this sequence, in which absent steps are left out:
    ///
    /// 1. [`Composites::gemm`] with results in f32, in `mode`;
    /// 2. `add.f32` in `mode`, the bias added to each row;
    /// 3. the conversion from f32 to the format of the cast, in the cast's mode;
    /// 4. the function's row.
    ///
    /// So a NaN in the sum or in the bias gives the canonical NaN of f32, then that of the cast's
    /// format, then what the function makes of it. Overflow follows the mode of the step: under the
    /// IEEE rule a cast to E4M3FN, which has no infinity, gives NaN where one to E5M2 gives
    /// infinity. A zero sum keeps its sign without a bias; with one the signs of zeros are those of
    /// an addition, so that -0 and a bias of +0 give +0 unless the mode rounds toward negative.
    /// Without terms (k = 0) every sum is +0, and the epilogue is applied to it.
    ///
    /// In sequential order and in [`Mode::TIES_TO_EVEN`] all steps are one pass; the modes of the
    /// cast and of the function are free. Other orders, exact sums, other modes, functions of f32
    /// with results of 64 bits, and [`Composites::by_definition`] take a second pass over the sums,
    /// and 4 bytes of memory for each sum during the call.
    ///
    /// The function is any row of the catalog with one operand, of the cast's format or without a
    /// cast of f32, and one result, of any format. One of f32 is computed by its kernel for each
    /// sum; with random bits it takes them in row-major order, one word for each sum. One of the
    /// cast's format is a table of its results; with random bits those of f16 and bf16 were made
    /// with one word for each operand ([`Module::function`](super::Module::function)), and those of
    /// 8 bits are exact.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`] and [`Error::Mismatch`] as in [`Composites::gemm`]; [`Error::Mismatch`]
    /// also for
    ///
    /// - a bias that is not n elements of f32;
    /// - a cast to another format than those four, f32 included;
    /// - a function that is not of the cast's format, or without a cast not of f32;
    /// - a function of f32 with random bits that are not m n elements of u16;
    /// - an output of another format than that of the epilogue's last step.
    ///
    /// Nothing is written then. Or the driver's error.
    pub fn gemm_epilogue(
        &self,
        a: &Tensor<2>,
        b: &Tensor<2>,
        how: Accumulation,
        mode: Mode,
        epilogue: &Epilogue,
        out: &mut TensorMut<2>,
    ) -> Result<(), Error> {
        let [m, n] = self.multiplied(a, b)?;
        same_shape("out", out.shape(), [m, n]).map_err(Error::Tensor)?;
        let checked = self.checked(epilogue, [m, n], mode)?;
        self.writable("out", &[checked.ended], out.view())?;
        self.gemm_ended([a, b], how, mode, &checked, out)
    }

    /// The product of an m by k and a k by n matrix, of f16, bf16, f32, E4M3FN or E5M2, with sums
    /// in f32, each of which goes through the epilogue; and each row of the m by n results as MX
    /// blocks of `block` values, 32 in OCP's MX: the last block of a row is shorter if n is not a
    /// multiple. `elements` are m by n, one byte each, and `scales` m by the number of blocks of a
    /// row, both row-major, as [`BlockMatrix::new`](super::BlockMatrix::new) takes them.
    ///
    /// The bits are those of [`Composites::gemm_epilogue`], whose results must be f32, f16 or bf16,
    /// and then of [`Composites::quantise`] for each row: any element format, any dialect. So the
    /// dialect says what a block with a NaN or an infinity becomes (usually its scale is NaN), what
    /// the scale of a block of zeros is, and what happens to values beyond the largest element.
    ///
    /// All is one pass, without memory for the results, if the product is in sequential order and
    /// in [`Mode::TIES_TO_EVEN`], blocks have 32 values, and the dialect rounds to nearest, ties to
    /// even, saturates and has NaNs in the scale, as OCP's does; the function, the cast's mode and
    /// all else of the dialect are free. Anything else, and [`Composites::by_definition`], takes a
    /// pass for each step, and memory for the results during the call; one byte for each more if n
    /// is not a multiple of `block`.
    ///
    /// ```no_run
    /// use bitexact::reduce::Order;
    /// use bitexact::scale::Dialect;
    /// use bitexact::{Mode, bf16, format::E4M3FN, scale::E8M0, tensor::Accumulation};
    /// use cuda_shim::{BlockMatrix, Epilogue, Gpu, Image, Tensor};
    ///
    /// let gpu = Gpu::open(0)?;
    /// let module = gpu.load(&Image::read("bitexact_sm_90.ptx".as_ref())?)?;
    /// let (x, weights) = (gpu.zeros::<bf16>(64 * 512)?, gpu.zeros::<bf16>(512 * 256)?);
    /// let mut elements = gpu.zeros::<E4M3FN>(64 * 256)?;
    /// let mut scales = gpu.zeros::<E8M0>(64 * 8)?;
    /// module.composites().gemm_quantise(
    ///     &Tensor::contiguous(x.view(), [64, 512])?,
    ///     &Tensor::contiguous(weights.view(), [512, 256])?,
    ///     Accumulation::Declared(Order::Sequential),
    ///     Mode::TIES_TO_EVEN,
    ///     &Epilogue::default(),
    ///     32,
    ///     &Dialect::OCP_FLOOR,
    ///     &mut elements.view_mut(),
    ///     &mut scales.view_mut(),
    /// )?;
    /// let next = BlockMatrix::new(elements.view(), scales.view(), [64, 256], 32)?;
    /// # let _ = next;
    /// # Ok::<(), cuda_shim::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Composites::gemm_epilogue`]; [`Error::Mismatch`] also for an epilogue whose last step
    /// gives another format than f32, f16 or bf16, and for outputs that are not of an element
    /// format and of E8M0; [`Error::Block`] for a block size of 0 and for outputs of other lengths.
    /// Nothing is written then. Or the driver's error.
    #[allow(
        clippy::too_many_arguments,
        reason = "those of a product with an epilogue and of blocks"
    )]
    pub fn gemm_quantise(
        &self,
        a: &Tensor<2>,
        b: &Tensor<2>,
        how: Accumulation,
        mode: Mode,
        epilogue: &Epilogue,
        block: usize,
        dialect: &Dialect,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
    ) -> Result<(), Error> {
        let [m, n] = self.multiplied(a, b)?;
        let checked = self.checked(epilogue, [m, n], mode)?;
        let ended = checked.ended;
        let Some(wide) = WIDE.iter().position(|ty| *ty == ended) else {
            let why = format!("f32, f16 or bf16 expected, {} given", ended.name());
            return Err(mismatch("epilogue's result", why));
        };
        self.writable("elements", ELEMENTS, elements)?;
        self.writable("scales", &[Type::E8m0], scales)?;
        let across = blocks::blocks(n, block)?;
        blocks::check("elements", m.saturating_mul(n), elements.len())?;
        blocks::check("scales", m.saturating_mul(across), scales.len())?;
        if m == 0 || n == 0 {
            return Ok(());
        }
        let module = self.module();
        if quantises(block, dialect, false) {
            let element = ELEMENTS.iter().position(|ty| *ty == elements.ty);
            let to = Blocks {
                elements: module.address_mut(elements),
                scales: module.address_mut(scales),
                wide: wide as u32,
                element: element.unwrap_or(0) as u32,
                policy: abi::encode_policy(&dialect.policy),
                dialect: abi::encode_dialect(dialect),
            };
            let product = self.product(&a.batch_of_one()?, &b.batch_of_one()?, how, mode);
            if self.launch_fast(product.quantised(&checked.ending, &to))? {
                return Ok(());
            }
        }
        // Rows of whole blocks: zeros at a row's end change neither the scale of its last block nor
        // the elements before.
        let block = block.min(n);
        let padded = n.next_multiple_of(block);
        let items = m.saturating_mul(padded);
        let mut values = module.gpu().zeros_of(ended, items)?;
        let mut to = TensorMut::new(values.view_mut(), [m, n], [padded as isize, 1], 0)?;
        self.gemm_epilogue(a, b, how, mode, epilogue, &mut to)?;
        if padded == n {
            return self.quantise(&values.view(), block, dialect, elements, scales, None);
        }
        let mut all = module.gpu().zeros_of(elements.ty, items)?;
        self.quantise(
            &values.view(),
            block,
            dialect,
            &mut all.view_mut(),
            scales,
            None,
        )?;
        let all = Tensor::contiguous(all.view(), [m, padded])?;
        let mut to = TensorMut::contiguous(elements.reborrow(), [m, n])?;
        module.slice_scatter_backward_src(&all, 1, Slice::new(0, n), &mut to)
    }

    /// The shape of the product, if there is one.
    fn multiplied(&self, a: &Tensor<2>, b: &Tensor<2>) -> Result<[usize; 2], Error> {
        let ([m, k], [_, n]) = (a.shape(), b.shape());
        same_shape("b", b.shape(), [k, n]).map_err(Error::Tensor)?;
        self.readable("a", MULTIPLIED, a.view())?;
        self.readable("b", &[a.view().ty], b.view())?;
        Ok([m, n])
    }

    /// What the entries take of an epilogue for an m by n product, whose sums are made in this
    /// mode.
    fn checked(
        &self,
        epilogue: &Epilogue,
        [m, n]: [usize; 2],
        mode: Mode,
    ) -> Result<Checked, Error> {
        let module = self.module();
        let bias = match &epilogue.bias {
            Some(bias) => {
                self.readable("bias", &[Type::F32], bias)?;
                expect_length("bias", n, bias.len())?;
                module.address(bias)
            }
            None => 0,
        };
        let (cast, cast_mode) = epilogue.cast.unwrap_or((Type::F32, mode));
        let to = NARROW.iter().position(|ty| *ty == cast);
        if to.is_none() && epilogue.cast.is_some() {
            let why = format!("f16, bf16, e4m3fn or e5m2 expected, {} given", cast.name());
            return Err(mismatch("cast", why));
        }
        let (mut ended, mut table, mut function, mut words) = (cast, 0, 0, [0; 4]);
        if let Some(last) = epilogue.function {
            module.prepared(last)?;
            let [operand, result] = last.types();
            if operand != cast {
                let (operand, cast) = (operand.name(), cast.name());
                let why = format!("a function of {cast} expected, one of {operand} given");
                return Err(mismatch("function", why));
            }
            ended = result;
            match last.of_codes() {
                Some(results) => table = module.address(&results),
                None if operand != Type::F32 => {
                    let why = format!("{} has no table", operand.name());
                    return Err(mismatch("function", why));
                }
                None => {
                    if let Some(random) = last.random() {
                        self.readable("random", &[Type::U16], &random)?;
                        expect_length("random", m.saturating_mul(n), random.len())?;
                    }
                    let (entry, all) = last.call(module);
                    function = number(entry);
                    for (to, word) in words.iter_mut().zip(all) {
                        *to = word;
                    }
                }
            }
        }
        let ending = Ending {
            bias,
            cast: to.unwrap_or(NARROW.len()) as u32,
            mode: abi::encode_mode(cast_mode),
            table,
            function,
            words,
            bytes: ended.bytes() as u32,
        };
        Ok(Checked { ending, ended })
    }

    /// The product and what the entries make of its sums.
    fn gemm_ended(
        &self,
        [a, b]: [&Tensor<2>; 2],
        how: Accumulation,
        mode: Mode,
        checked: &Checked,
        out: &mut TensorMut<2>,
    ) -> Result<(), Error> {
        let (module, [m, n]) = (self.module(), out.shape());
        let strides = out.strides().map(|stride| stride as i64);
        let address = out.address(module);
        let ending = &checked.ending;
        let product = self.product(&a.batch_of_one()?, &b.batch_of_one()?, how, mode);
        if self.launch_fast(product.ended(ending, address, strides))? {
            return Ok(());
        }
        let items = m.saturating_mul(n);
        let mut sums = module.gpu().zeros_of(Type::F32, items)?;
        let mut product = TensorMut::contiguous(sums.view_mut(), [m, n])?;
        self.gemm(a, b, how, mode, &mut product, None)?;
        let sums = module.address(&sums.view());
        let sum_mode = abi::encode_mode(mode);
        self.launch_planned(ending.define(sums, [m, n], sum_mode, address, strides))
    }
}
