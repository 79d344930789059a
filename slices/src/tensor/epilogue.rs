//! Products with an epilogue: a bias, a cast, functions and MX blocks of the sums.
//!
//! In the sequential order and to nearest, a job of the product applies the steps to the sums that
//! it has finished, a part of a row at a time while they are in the cache
//! ([`finish`](super::finish)). Otherwise the product comes first. Each step is a function of this
//! crate over slices, so its bits are the kernel's.

use super::finish::{Ending, Finish, Results};
use super::forms::forms;
use super::matrix::{Matrix, Target, Turn, check, check_shape, target};
use super::product::Product;
use super::tile::Step;
use super::{How, Operand, Output};
use crate::args::Args;
use crate::element::{Element, Value};
use crate::level::Level;
use crate::mx::{self, BlockError, Dialect, E8M0, Wide};
use crate::rows::Kernel;
use crate::run::{self, Way};
use crate::simd::Lane;
use bitexact::Mode;
use bitexact::reduce::Order;
use bitexact::tensor::{Accumulation, TensorError, View, ViewMut};
use core::marker::PhantomData;

/// What is done to each sum of a product before it is stored: a bias is added, then the steps
/// follow in the order in which they are given. [`Epilogue::new`] does nothing.
///
/// ```
/// use bitexact_slices::tensor::{Accumulation, Epilogue, Order, View, ViewMut, gemm_epilogue};
/// use bitexact_slices::{Mode, bf16, kernel};
/// let x = View::contiguous(&[1.0f32, 2.0, 3.0, -0.5], [2, 2])?;
/// let even = Mode::TIES_TO_EVEN;
/// let layer = Epilogue::new()
///     .bias(&[0.5, -4.0])
///     .cast::<bf16>(even)
///     .kernel::<kernel::relu, bf16, _>(());
/// let mut out = [bf16::ZERO; 4];
/// let mut to = ViewMut::contiguous(&mut out, [2, 2])?;
/// gemm_epilogue(&x, &x, Accumulation::Declared(Order::Sequential), even, &layer, &mut to)?;
/// // The sums are 7, 1, 1.5 and 6.25.
/// assert_eq!(out.map(bf16::to_f32), [7.5, 0.0, 2.0, 2.25]);
/// # Ok::<(), bitexact_slices::tensor::TensorError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Epilogue<'a, S = Sums> {
    bias: Option<&'a [f32]>,
    steps: S,
}

impl<'a> Epilogue<'a> {
    /// The sums themselves, in f32; every NaN becomes the canonical one.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bias: None,
            steps: Sums,
        }
    }

    /// The conversion from f32 to `C` in a mode, as by [`convert`](crate::convert()).
    #[must_use]
    pub const fn cast<C: Output>(self, mode: Mode) -> Epilogue<'a, Cast<C>> {
        Epilogue {
            bias: self.bias,
            steps: Cast {
                mode,
                to: PhantomData,
            },
        }
    }
}

impl<'a, S: Steps> Epilogue<'a, S> {
    /// One f32 for each column of the product, added to every sum of its column before the other
    /// steps: one addition, rounded to f32 in the product's mode.
    #[must_use]
    pub fn bias(self, bias: &'a [f32]) -> Self {
        Self {
            bias: Some(bias),
            ..self
        }
    }

    /// A kernel of one operand, of the format that the steps so far give, with its arguments.
    /// Kernels with a branch-free loop use it, others of operands of at most 16 bits their table.
    #[must_use]
    pub fn kernel<K, R, A>(self, args: A) -> Epilogue<'a, Then<S, K, R, A>>
    where
        K: Kernel<(S::Out,), R, A>,
        R: Element,
        A: Args,
    {
        Epilogue {
            bias: self.bias,
            steps: Then {
                before: self.steps,
                args,
                kernel: PhantomData,
            },
        }
    }
}

/// The steps of an [`Epilogue`] after its bias: what its methods make.
pub trait Steps: Sync {
    /// The format of the results.
    type Out: Element;
    /// The results of some sums.
    #[doc(hidden)]
    fn run(&self, level: Level, sums: &[f32], out: &mut [Self::Out]);
}

/// No step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums;

impl Steps for Sums {
    type Out = f32;
    fn run(&self, level: Level, sums: &[f32], out: &mut [f32]) {
        let same = Cast::<f32> {
            mode: Mode::TIES_TO_EVEN,
            to: PhantomData,
        };
        same.run(level, sums, out);
    }
}

/// A conversion: see [`Epilogue::cast`].
#[derive(Clone, Copy, Debug)]
pub struct Cast<C> {
    mode: Mode,
    to: PhantomData<fn() -> C>,
}

impl<C: Output> Steps for Cast<C> {
    type Out = C;
    fn run(&self, level: Level, sums: &[f32], out: &mut [C]) {
        if let Some(lane) = C::Rounding::new(self.mode) {
            lane.over(level, (sums,), out);
        }
    }
}

/// A kernel after other steps: see [`Epilogue::kernel`].
#[derive(Debug)]
pub struct Then<S, K, R, A> {
    before: S,
    args: A,
    kernel: PhantomData<fn() -> (K, R)>,
}

impl<S: Clone, K, R, A: Copy> Clone for Then<S, K, R, A> {
    fn clone(&self) -> Self {
        Self {
            before: self.before.clone(),
            args: self.args,
            kernel: PhantomData,
        }
    }
}

impl<S: Copy, K, R, A: Copy> Copy for Then<S, K, R, A> {}

/// Results of a step that are made before the next step.
const PART: usize = 256;

impl<S, K, R, A> Steps for Then<S, K, R, A>
where
    S: Steps,
    K: Kernel<(S::Out,), R, A>,
    R: Element,
    A: Args,
{
    type Out = R;
    fn run(&self, level: Level, sums: &[f32], out: &mut [R]) {
        let way = if run::is_kernel::<K, _, _, _>(Way::Level(level), self.args) {
            Way::Auto
        } else {
            Way::Level(level)
        };
        let mut made = [S::Out::BLANK; PART];
        for (sums, out) in sums.chunks(PART).zip(out.chunks_mut(PART)) {
            let made = made.get_mut(..sums.len()).unwrap_or_default();
            self.before.run(level, sums, made);
            let done = run::by::<K, _, _, _>(way, (&*made,), out, self.args);
            debug_assert!(done.is_ok(), "of one length");
        }
    }
}

impl<S: Steps> Ending for S {
    type Out = S::Out;
    type Scale = ();
    fn end(&self, level: Level, sums: &[f32], out: &mut [S::Out], _: &mut [()]) {
        self.run(level, sums, out);
    }
}

/// Where [`gemm_quantise`] writes, and how.
#[derive(Debug)]
pub struct BlocksMut<'a, E> {
    /// The values of a block, 32 in OCP's MX; the last block of a row is shorter if the columns are
    /// not a multiple.
    pub block: usize,
    /// The rules of scales and elements.
    pub dialect: &'a Dialect,
    /// The elements, row-major.
    pub elements: &'a mut [E],
    /// The scales of each row's blocks, row after row.
    pub scales: &'a mut [E8M0],
}

/// MX blocks of what other steps give.
struct Quantised<'a, S, E> {
    steps: &'a S,
    block: usize,
    dialect: &'a Dialect,
    elements: PhantomData<fn() -> E>,
}

impl<S: Steps<Out: Wide>, E: mx::Element> Ending for Quantised<'_, S, E> {
    type Out = E;
    type Scale = E8M0;
    fn end(&self, level: Level, sums: &[f32], out: &mut [E], scales: &mut [E8M0]) {
        let mut values = vec![S::Out::BLANK; sums.len()];
        self.steps.run(level, sums, &mut values);
        let done = mx::quantise_at(level, &values, self.block, self.dialect, out, scales);
        debug_assert!(done.is_ok(), "a scale for each block");
    }
}

/// Why a product was not made or not quantised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum QuantiseError {
    /// An operand of the product.
    Product(TensorError),
    /// The blocks.
    Blocks(BlockError),
}

impl From<TensorError> for QuantiseError {
    fn from(error: TensorError) -> Self {
        Self::Product(error)
    }
}

impl From<BlockError> for QuantiseError {
    fn from(error: BlockError) -> Self {
        Self::Blocks(error)
    }
}

impl core::fmt::Display for QuantiseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Product(error) => error.fmt(f),
            Self::Blocks(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for QuantiseError {}

forms! {
    /// [`gemm`](super::gemm) with sums in f32, each of which then goes through an [`Epilogue`];
    /// `out` has the format of its last step.
    ///
    /// The bits are those of this sequence, in which absent steps are left out:
    ///
    /// 1. [`bitexact::tensor::gemm`] with results in f32, in `mode`;
    /// 2. [`add`](crate::add()) of the bias to each row, in `mode` (after the order of a matrix unit to
    ///    nearest, ties to even);
    /// 3. [`convert`](crate::convert()) to the format of the cast, in the cast's mode;
    /// 4. the kernels.
    ///
    /// So a NaN in the sum or in the bias gives the canonical NaN of f32, then that of the cast's
    /// format, then what the kernel makes of it. Overflow follows the mode of the step. A zero sum
    /// keeps its sign without a bias; with one the signs of zeros are those of an addition: -0 and
    /// a bias of +0 give +0 unless the mode rounds toward negative. Without terms (k = 0) every sum
    /// is +0, and the epilogue is applied to it.
    ///
    /// In the sequential order and in [`Mode::TIES_TO_EVEN`] all steps are one pass. Any other
    /// accumulation or mode takes a second pass over the sums, and 4 bytes of memory for each of
    /// them during the call.
    ///
    /// # Errors
    ///
    /// [`TensorError::ShapeMismatch`] for `b`, `out` and `bias`, which has an element for each
    /// column; nothing has been written then.
    fn gemm_epilogue[T: Operand, S: Steps](
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        accumulation: Accumulation,
        mode: Mode,
        epilogue: &Epilogue<'_, S>,
        out: &mut ViewMut<'_, S::Out, 2>,
    ) -> Result<(), TensorError>;

    /// The results of [`gemm_epilogue`], f32, f16 or bf16, as MX blocks: the bits of that function
    /// and of [`mx::quantise`](crate::mx::quantise) of each row, where possible in one pass. No
    /// block has elements of two rows.
    ///
    /// So the dialect says what a block with a NaN or an infinity becomes (usually its scale is
    /// NaN), what the scale of a block of zeros is, and what happens to values beyond the largest
    /// element.
    ///
    /// ```
    /// use bitexact::format::E4M3FN;
    /// use bitexact_slices::Mode;
    /// use bitexact_slices::mx::{Dialect, E8M0};
    /// use bitexact_slices::tensor::{Accumulation, BlocksMut, Epilogue, Order, View, gemm_quantise};
    /// let x = View::contiguous(&[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let (mut elements, mut scales) = ([E4M3FN::from_bits(0); 4], [E8M0::ONE; 2]);
    /// let blocks = BlocksMut {
    ///     block: 32,
    ///     dialect: &Dialect::OCP_FLOOR,
    ///     elements: &mut elements,
    ///     scales: &mut scales,
    /// };
    /// let order = Accumulation::Declared(Order::Sequential);
    /// gemm_quantise(&x, &x, order, Mode::TIES_TO_EVEN, &Epilogue::new(), blocks)?;
    /// // 7 and 10 by a scale of 2^-5, 15 and 22 by 2^-4.
    /// assert_eq!(scales.map(|scale| scale.to_bits()), [122, 123]);
    /// assert_eq!(elements.map(|x| x.to_f32()), [224.0, 320.0, 240.0, 352.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`gemm_epilogue`]; [`QuantiseError::Blocks`] for a block size of 0 and for elements and
    /// scales of other lengths. Nothing has been written then.
    fn gemm_quantise[T: Operand, S: Steps<Out: Wide>, E: mx::Element](
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        accumulation: Accumulation,
        mode: Mode,
        epilogue: &Epilogue<'_, S>,
        blocks: BlocksMut<'_, E>,
    ) -> Result<(), QuantiseError>;
}

/// What `finish` makes of a product, whose result is arranged by `turn`; neither m nor n is 0.
fn finished<T: Operand, E: Ending>(
    how: How,
    (a, b): (&View<'_, T, 2>, &View<'_, T, 2>),
    accumulation: Accumulation,
    turn: Turn,
    finish: Finish<'_, E>,
    out: Results<'_, E>,
) -> Result<(), TensorError> {
    const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);
    let ([m, k], [_, n], mode) = (a.shape(), b.shape(), finish.mode());
    if k > 0 && accumulation == SEQUENTIAL && mode == Mode::TIES_TO_EVEN {
        let product = Product {
            how,
            step: Step::Fused,
            starts: &[],
        };
        let (a, b) = turn.operands(Matrix::of(a), Matrix::of(b));
        product.run(a, b, finish, out);
        return Ok(());
    }
    let mut sums = vec![0f32; m * n];
    if k > 0 {
        let mut out = ViewMut::contiguous(&mut sums, [m, n])?;
        super::by::gemm(how, a, b, accumulation, mode, &mut out)?;
    }
    finish.run(how, turn.apply(Matrix::dense(&sums, [m, n])), out);
    Ok(())
}

/// The bias as a matrix, if it is as long as its rows.
fn bias<'a, S>(
    epilogue: &Epilogue<'a, S>,
    shape: [usize; 2],
) -> Result<Option<Matrix<'a, f32>>, TensorError> {
    let Some(data) = epilogue.bias else {
        return Ok(None);
    };
    check_shape("bias", [data.len()], [shape[1]])?;
    Ok(Some(Matrix {
        data,
        offset: 0,
        strides: [0, 1],
        shape,
    }))
}

/// The mode of the addition of a bias: to nearest after the order of a matrix unit.
fn of_bias(accumulation: Accumulation, mode: Mode) -> Mode {
    match accumulation {
        Accumulation::Declared(Order::Unit(_)) => Mode::TIES_TO_EVEN,
        _ => mode,
    }
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn gemm_epilogue<T: Operand, S: Steps>(
        how: How,
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        accumulation: Accumulation,
        mode: Mode,
        epilogue: &Epilogue<'_, S>,
        out: &mut ViewMut<'_, S::Out, 2>,
    ) -> Result<(), TensorError> {
        check(a, b, out)?;
        let mode = of_bias(accumulation, mode);
        let [m, n] = out.shape();
        let bias = bias(epilogue, [m, n])?;
        if m == 0 || n == 0 {
            return Ok(());
        }
        let (turn, out) = target(out);
        let bias = bias.map(|bias| turn.apply(bias));
        let finish = Finish::by(&epilogue.steps).with_bias(bias, mode);
        let none = &mut vec![(); m * n];
        let out = Results::without_blocks(out, none);
        finished(how, (a, b), accumulation, turn, finish, out)
    }

    pub fn gemm_quantise<T: Operand, S: Steps<Out: Wide>, E: mx::Element>(
        how: How,
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        accumulation: Accumulation,
        mode: Mode,
        epilogue: &Epilogue<'_, S>,
        blocks: BlocksMut<'_, E>,
    ) -> Result<(), QuantiseError> {
        let ([m, k], [_, n]) = (a.shape(), b.shape());
        check_shape("b", b.shape(), [k, n])?;
        let mode = of_bias(accumulation, mode);
        let bias = bias(epilogue, [m, n])?;
        let BlocksMut {
            block,
            dialect,
            elements,
            scales,
        } = blocks;
        if block == 0 {
            return Err(BlockError::BlockSizeZero.into());
        }
        let of_row = n.div_ceil(block);
        for (which, expected, found) in [
            ("elements", m.saturating_mul(n), elements.len()),
            ("scales", m.saturating_mul(of_row), scales.len()),
        ] {
            if expected != found {
                let error = BlockError::LengthMismatch {
                    which,
                    expected,
                    found,
                };
                return Err(error.into());
            }
        }
        if m == 0 || n == 0 {
            return Ok(());
        }
        let block = block.min(n);
        let ending = Quantised {
            steps: &epilogue.steps,
            block,
            dialect,
            elements: PhantomData,
        };
        let (elements, scales) = (
            Target::dense(elements, [m, n]),
            Target::dense(scales, [m, of_row]),
        );
        let finish = Finish::by(&ending).with_bias(bias, mode);
        let out = Results::in_blocks(elements, scales, block);
        finished(how, (a, b), accumulation, Turn::NONE, finish, out)?;
        Ok(())
    }
}
