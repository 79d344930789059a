//! Products with an epilogue: a bias, a cast and a function for each sum, where possible in the product's own pass.

use super::buffer::View;
use super::composites::{Composites, expect_length, mismatch};
use super::error::Error;
use super::fast::Fast;
use super::tensor::{Tensor, TensorMut, same_shape};
use super::types::Type;
use crate::abi;
use bitexact::Mode;
use bitexact::tensor::Accumulation;

/// What is done to each sum of a product before it is stored, in the order of the fields. The default does nothing.
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
/// let gelu = module.fast("gelu.bf16", even)?;
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
    /// One f32 for each of the n columns, added to every sum of its column: one addition, rounded to f32 in the
    /// product's mode.
    pub bias: Option<View<'a>>,
    /// The conversion from f32 to f16, bf16, E4M3FN or E5M2, in this mode. Without it the result is f32.
    pub cast: Option<(Type, Mode)>,
    /// A function of the cast's result, which must be f16 or bf16: a row of one operand with its arguments, as
    /// [`Module::fast`](super::Module::fast) prepares it. Its results have at most 16 bits and are looked up in its table.
    pub function: Option<&'a Fast<'a>>,
}

impl Composites<'_> {
    /// The product of an m by k and a k by n matrix, of f16, bf16, f32, E4M3FN or E5M2, with sums in f32, each of which
    /// then goes through the epilogue. `out` is m by n, in the format of the epilogue's last step.
    ///
    /// The bits are those of this sequence, in which absent steps are left out:
    ///
    /// 1. [`Composites::gemm`] with results in f32, in `mode`;
    /// 2. `add.f32` in `mode`, the bias added to each row;
    /// 3. the conversion from f32 to the format of the cast, in the cast's mode;
    /// 4. the function's row.
    ///
    /// So a NaN in the sum or in the bias gives the canonical NaN of f32, then that of the cast's format, then what the
    /// function makes of it. Overflow follows the mode of the step: under the IEEE rule a cast to E4M3FN, which has no
    /// infinity, gives NaN where one to E5M2 gives infinity. A zero sum keeps its sign without a bias; with one the signs of
    /// zeros are those of an addition, so that -0 and a bias of +0 give +0 unless the mode rounds toward negative. Without
    /// terms (k = 0) every sum is +0, and the epilogue is applied to it.
    ///
    /// In sequential order and in [`Mode::TIES_TO_EVEN`] all is done in one pass; the cast's mode is free. Other orders,
    /// exact sums, other modes and [`Composites::by_definition`] take a second pass over the sums, and 4 bytes of memory
    /// for each sum during the call.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`] and [`Error::Mismatch`] as in [`Composites::gemm`]; [`Error::Mismatch`] also for
    ///
    /// - a bias that is not n elements of f32;
    /// - a cast to another format than those four, f32 included;
    /// - a function that is not of the cast's format, or has no table of results of at most 16 bits (functions of f32 and of
    ///   8-bit formats have none: run them over the result);
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
        let ([m, k], [_, n]) = (a.shape(), b.shape());
        same_shape("b", b.shape(), [k, n]).map_err(Error::Tensor)?;
        same_shape("out", out.shape(), [m, n]).map_err(Error::Tensor)?;
        let multiplied = [Type::F16, Type::Bf16, Type::F32, Type::E4m3fn, Type::E5m2];
        self.readable("a", &multiplied, a.view())?;
        self.readable("b", &[a.view().ty], b.view())?;
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
        let narrow = [Type::F16, Type::Bf16, Type::E4m3fn, Type::E5m2];
        let to = narrow.iter().position(|ty| *ty == cast);
        if to.is_none() && epilogue.cast.is_some() {
            let why = format!("f16, bf16, e4m3fn or e5m2 expected, {} given", cast.name());
            return Err(mismatch("cast", why));
        }
        let (ended, table) = match epilogue.function {
            Some(function) => {
                let Some((operand, result, table)) = function.table_of_16_bits() else {
                    let why = "it has no table of results of at most 16 bits";
                    return Err(mismatch("function", why.into()));
                };
                if operand != cast {
                    let (operand, cast) = (operand.name(), cast.name());
                    let why = format!("a function of {cast} expected, one of {operand} given");
                    return Err(mismatch("function", why));
                }
                self.readable("function", &[result], &table)?;
                (result, module.address(&table))
            }
            None => (cast, 0),
        };
        self.writable("out", &[ended], out.view())?;
        let ending = [
            to.unwrap_or(narrow.len()) as u64,
            abi::encode_mode(cast_mode).into(),
            table,
            ended.bytes() as u64,
        ];
        if self.fast_gemm_epilogue(a, b, how, mode, (bias, ending), out)? {
            return Ok(());
        }
        let items = m.saturating_mul(n);
        let mut sums = module.gpu().zeros_of(Type::F32, items)?;
        let mut product = TensorMut::contiguous(sums.view_mut(), [m, n])?;
        self.gemm(a, b, how, mode, &mut product, None)?;
        let [out_row, out_column] = out.strides().map(|stride| stride as u64);
        let [to, cast_mode, table, bytes] = ending;
        let words = [
            module.address(&sums.view()),
            m as u64,
            n as u64,
            bias,
            abi::encode_mode(mode).into(),
            to,
            cast_mode,
            table,
            bytes,
            out.address(module),
            out_row,
            out_column,
        ];
        self.run("gemm_epilogue", &words, items)
    }
}
