//! The layers of `nn/` with weights in narrow formats, and the loops over elements of `tensor/`.

use crate::code::{Code, Typed};
use crate::reductions::in_lanes;
use crate::tensors::accumulation;
use crate::{Done, Item, Outputs};
use bitexact::catalog::Refused;
use bitexact::format::{Arithmetic, Binary32};
use bitexact::nn::{self, Affine, Conv2d, Convolution, Weight, Weights};
use bitexact::reduce::Accumulable;
use bitexact::scale::E8M0;
use bitexact::{arith, tensor};

/// A layer with this item's weights (`b`), and its scales and bias (`c`).
fn with_parameters<W: Weight + Code, B: Accumulable + Code>(
    item: &Item,
    [rows, length, block, how]: [usize; 4],
    run: impl FnOnce(&Affine<'_, W, B>) -> Done,
) -> Done {
    let weights = item.b.typed::<W>();
    let blocks = length
        .checked_div(block)
        .map_or(0, |_| length.div_ceil(block));
    let (scales, bias) = item
        .c
        .get()
        .split_at_checked(rows * blocks)
        .ok_or(Refused)?;
    let scales = Typed::<E8M0>::of(scales);
    let bias = Typed::<B>::of(bias);
    let weights: Weights<'_, W> = match block {
        0 => W::weights(weights.get()),
        _ => W::blocks(weights.get(), scales.get(), block)?,
    };
    run(&Affine {
        weights,
        bias: (bias.length != 0).then(|| bias.get()),
        accumulation: accumulation(how),
        mode: item.mode,
    })
}

pub fn dense<X, W, B, A>(item: &Item, out: &mut Outputs) -> Done
where
    X: Accumulable + Code,
    W: Weight + Code,
    B: Accumulable + Code,
    A: Arithmetic + Code,
{
    let [outputs, block, how, ..] = item.sizes;
    let x = item.a.typed::<X>();
    let mut result = Typed::<A>::zeros(outputs);
    with_parameters::<W, B>(item, [outputs, x.length, block, how], |parameters| {
        let (scratch, result) = (&mut [-1; 32], result.get_mut());
        Ok(nn::dense(x.get(), parameters, |s: A| s, scratch, result)?)
    })?;
    out.values(result.get());
    Ok(())
}

pub fn dense_lanes<X, W, B, A>(item: &Item, out: &mut Outputs) -> Done
where
    X: Accumulable + Code,
    W: Weight + Code,
    B: Accumulable + Code,
    A: Arithmetic + Code,
{
    dense::<X, W, B, A>(&in_lanes(item, 2, 4), out)
}

pub fn convolve<X, W, B, A>(item: &Item, out: &mut Outputs) -> Done
where
    X: Accumulable + Code,
    W: Weight + Code,
    B: Accumulable + Code,
    A: Arithmetic + Code,
{
    let [
        channels,
        rows,
        columns,
        filters,
        down,
        across,
        stride,
        packed,
    ] = item.sizes;
    let [padding, groups, block, how] =
        [0, 4, 8, 16].map(|place: u32| packed >> place & if place < 8 { 15 } else { 255 });
    let x = item.a.typed::<X>();
    let sizes = Convolution {
        sizes: Conv2d {
            input: [channels, rows, columns],
            channels: filters,
            kernel: [down, across],
            stride: [stride; 2],
            padding: [padding; 2],
        },
        groups,
    };
    let mut result = Typed::<A>::zeros(sizes.output()?.iter().product());
    with_parameters::<W, B>(item, [filters, sizes.row(), block, how], |parameters| {
        let (scratch, result) = (&mut [-1; 96], result.get_mut());
        Ok(nn::convolve(
            x.get(),
            &sizes,
            parameters,
            |s: A| s,
            scratch,
            result,
        )?)
    })?;
    out.values(result.get());
    Ok(())
}

/// The sizes of a pool, and its outputs.
fn pool(item: &Item) -> ([usize; 3], [usize; 2], [usize; 2], usize) {
    let [channels, rows, columns, down, across, stride, ..] = item.sizes;
    let positions = |length: usize, window: usize| (length - window) / stride.max(1) + 1;
    let outputs = channels * positions(rows, down) * positions(columns, across);
    (
        [channels, rows, columns],
        [down, across],
        [stride; 2],
        outputs,
    )
}

pub fn max_pool2d<T: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let (input, kernel, stride, outputs) = pool(item);
    let (x, mut result) = (item.a.typed::<T>(), Typed::<T>::zeros(outputs));
    nn::max_pool2d(x.get(), input, kernel, stride, result.get_mut())?;
    out.values(result.get());
    Ok(())
}

pub fn mean_pool2d<T, R>(item: &Item, out: &mut Outputs) -> Done
where
    T: Accumulable + Code,
    R: Arithmetic + Code,
{
    let (input, kernel, stride, outputs) = pool(item);
    let (x, mut result) = (item.a.typed::<T>(), Typed::<R>::zeros(outputs));
    nn::mean_pool2d(x.get(), input, kernel, stride, item.mode, result.get_mut())?;
    out.values(result.get());
    Ok(())
}

/// 1e-5.
const EPSILON: Binary32 = Binary32::from_bits(0x3727_C5AC);

pub fn layer_norm<T, W, R>(item: &Item, out: &mut Outputs) -> Done
where
    T: Accumulable + Code,
    W: Arithmetic + Code,
    R: Arithmetic + Code,
{
    let (x, weight, bias) = (
        item.a.typed::<T>(),
        item.b.typed::<W>(),
        item.c.typed::<W>(),
    );
    let mut result = Typed::<R>::zeros(x.length);
    let (weight, bias) = (weight.get(), bias.get());
    nn::layer_norm(x.get(), weight, bias, EPSILON, item.mode, result.get_mut())?;
    out.values(result.get());
    Ok(())
}

pub fn rms_norm<T, W, R>(item: &Item, out: &mut Outputs) -> Done
where
    T: Accumulable + Code,
    W: Arithmetic + Code,
    R: Arithmetic + Code,
{
    let (x, weight) = (item.a.typed::<T>(), item.b.typed::<W>());
    let mut result = Typed::<R>::zeros(x.length);
    nn::rms_norm(x.get(), weight.get(), EPSILON, item.mode, result.get_mut())?;
    out.values(result.get());
    Ok(())
}

/// The index, and the bits of that element.
pub fn argmax<T: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let x = item.a.typed::<T>();
    let index = nn::argmax(x.get()).ok_or(Refused)?;
    out.word(index as u32);
    out.values(x.get().get(index..index + 1).unwrap_or(&[]));
    Ok(())
}

/// The first factor.
fn factor<F: Code>(item: &Item) -> F {
    F::of(item.c.get().first().copied().unwrap_or(0))
}

pub fn map<X, R, F>(item: &Item, out: &mut Outputs) -> Done
where
    X: Arithmetic + Code,
    R: Arithmetic + Code,
    F: Arithmetic + Code,
{
    let (x, factor) = (item.a.typed::<X>(), factor::<F>(item));
    let mut result = Typed::<R>::zeros(x.length);
    tensor::map(
        x.get(),
        |x| arith::add(x, factor, item.mode),
        result.get_mut(),
    )?;
    out.values(result.get());
    Ok(())
}

pub fn map_in_place<X, F>(item: &Item, out: &mut Outputs) -> Done
where
    X: Arithmetic + Code,
    F: Arithmetic + Code,
{
    let (mut x, factor) = (item.a.typed::<X>(), factor::<F>(item));
    tensor::map_in_place(x.get_mut(), |x| arith::add(x, factor, item.mode));
    out.values(x.get());
    Ok(())
}

pub fn multiply<X, Y>(item: &Item, out: &mut Outputs) -> Done
where
    X: Arithmetic + Code,
    Y: Arithmetic + Code,
{
    let (mut x, factors) = (item.a.typed::<X>(), item.b.typed::<Y>());
    tensor::multiply(x.get_mut(), factors.get(), item.mode)?;
    out.values(x.get());
    Ok(())
}

pub fn scale<X, F>(item: &Item, out: &mut Outputs) -> Done
where
    X: Arithmetic + Code,
    F: Arithmetic + Code,
{
    let mut x = item.a.typed::<X>();
    tensor::scale(x.get_mut(), factor::<F>(item), item.mode);
    out.values(x.get());
    Ok(())
}

pub fn accumulate<X, Y, F>(item: &Item, out: &mut Outputs) -> Done
where
    X: Arithmetic + Code,
    Y: Arithmetic + Code,
    F: Arithmetic + Code,
{
    let (mut sums, x) = (item.a.typed::<X>(), item.b.typed::<Y>());
    tensor::accumulate(sums.get_mut(), x.get(), factor::<F>(item), item.mode)?;
    out.values(sums.get());
    Ok(())
}
