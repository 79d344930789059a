//! Products whose sums are ended in the same pass: bias, cast, function.

use super::buffer::View;
use super::composites::{Composites, expect_length, mismatch};
use super::error::Error;
use super::fast::Fast;
use super::tensor::{Tensor, TensorMut, same_shape};
use super::types::Type;
use crate::abi;
use bitexact::Mode;
use bitexact::tensor::Accumulation;

/// What is done to each sum of a product before it is stored; in the order of the fields.
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
    /// n elements in f32: to each sum its column's is added, in one addition that is rounded to f32
    /// in the product's mode.
    pub bias: Option<View<'a>>,
    /// The conversion from f32 to f16, bf16, E4M3FN or E5M2, in this mode. Without one the result is
    /// f32.
    pub cast: Option<(Type, Mode)>,
    /// A function of what the cast gave, f16 or bf16: a row of one operand with its arguments, as
    /// [`Module::fast`](super::Module::fast) prepares it. Its result, of at most 16 bits, is looked up in its table.
    pub function: Option<&'a Fast<'a>>,
}

impl Composites<'_> {
    /// The product of an m by k and a k by n matrix, of f16, bf16, f32, E4M3FN or E5M2, with sums in
    /// f32, and what the epilogue makes of each. `out` is m by n, in the format that it ends with.
    ///
    /// The bits are those of this sequence: [`Composites::gemm`] in f32 in this mode; `add.f32` in this
    /// mode with the bias in each row; the row that converts f32 to the format of the cast in the cast's mode; the function's
    /// row. So a NaN is the canonical one of each format, or what that row makes of it (E4M3FN and
    /// E5M2 have NaNs); what is too large for the format of the cast is infinity, or the largest
    /// number, as the mode's rounding and overflow rule say; a sum that is 0 has the product's sign, and
    /// -0 with a bias of +0 is +0 unless the mode is toward negative. A sum of no terms is +0.
    ///
    /// In sequential order and ties to even it is one pass. Other orders, exact sums and other modes
    /// take a second one over the sums, and memory for these.
    ///
    /// # Errors
    ///
    /// As [`Composites::gemm`], without flags. [`Error::Mismatch`] for a bias that is not n elements of
    /// f32, a cast to another format, a function that has no table of at most 16 bits (f32 has none:
    /// run it over the result) or is not one of the cast's format, and an output of another format than
    /// the epilogue's. Nothing is written then.
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
                    let why = format!("a function of {operand} given, after a cast to {cast}");
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
