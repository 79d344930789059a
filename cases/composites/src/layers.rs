//! The layers and functions of `nn/`.

use crate::code::{Code, Typed};
use crate::{Done, Item, Outputs};
use bitexact::format::Arithmetic;
use bitexact::nn::{self, BatchNorm, Conv2d, Single};

macro_rules! softmax {
    ($($name:ident)*) => {
        $(pub fn $name<T: Arithmetic + Code, F: Single, R: Arithmetic + Code>(
            item: &Item,
            out: &mut Outputs,
        ) -> Done {
            let x = item.a.typed::<T>();
            let mut result = Typed::<R>::zeros(x.length);
            nn::$name::<T, F, R>(x.get(), item.mode, result.get_mut())?;
            out.values(result.get());
            Ok(())
        })*
    };
}
softmax!(softmax log_softmax logcumsumexp);

pub fn logsumexp<T: Arithmetic + Code, F: Single, R: Arithmetic + Code>(
    item: &Item,
    out: &mut Outputs,
) -> Done {
    let x = item.a.typed::<T>();
    out.values(&[nn::logsumexp::<T, F, R>(x.get(), item.mode)]);
    Ok(())
}

/// Empty, if there is no bias.
fn optional<F>(bias: &[F]) -> Option<&[F]> {
    (!bias.is_empty()).then_some(bias)
}

pub fn conv2d<F: Single + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [
        channels,
        rows,
        columns,
        filters,
        down,
        across,
        stride,
        padding,
    ] = item.sizes;
    let (x, weights, bias) = (item.a.typed::<F>(), item.b.typed(), item.c.typed());
    let sizes = Conv2d {
        input: [channels, rows, columns],
        channels: filters,
        kernel: [down, across],
        stride: [stride; 2],
        padding: [padding; 2],
    };
    let mut result = Typed::<F>::zeros(sizes.output()?.iter().product());
    let bias = optional(bias.get());
    nn::conv2d(x.get(), weights.get(), bias, &sizes, result.get_mut())?;
    out.values(result.get());
    Ok(())
}

pub fn batch_norm<F: Single + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [channels, ..] = item.sizes;
    let (mut x, parameters) = (item.a.typed::<F>(), item.b.typed::<F>());
    let mut parts = parameters.get().chunks(channels.max(1));
    let mut next = || parts.next().unwrap_or(&[]);
    let (mean, variance, weight, bias) = (next(), next(), next(), next());
    let epsilon = parameters.get().last().copied().unwrap_or(F::of(0));
    let parameters = BatchNorm {
        mean,
        variance,
        weight,
        bias,
        epsilon,
    };
    nn::batch_norm(x.get_mut(), &parameters)?;
    out.values(x.get());
    Ok(())
}

pub fn linear<F: Single + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [outputs, ..] = item.sizes;
    let (x, weights, bias) = (item.a.typed::<F>(), item.b.typed(), item.c.typed());
    let mut result = Typed::<F>::zeros(outputs);
    let bias = optional(bias.get());
    nn::linear(x.get(), weights.get(), bias, result.get_mut())?;
    out.values(result.get());
    Ok(())
}

pub fn avg_pool2d<F: Single + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [channels, rows, columns, down, across, stride, ..] = item.sizes;
    let x = item.a.typed::<F>();
    let positions = |length: usize, window: usize| (length - window) / stride.max(1) + 1;
    let mut result =
        Typed::<F>::zeros(channels * positions(rows, down) * positions(columns, across));
    let (input, kernel) = ([channels, rows, columns], [down, across]);
    nn::avg_pool2d(x.get(), input, kernel, [stride; 2], result.get_mut())?;
    out.values(result.get());
    Ok(())
}

pub fn adaptive_avg_pool2d<F: Single + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [channels, rows, columns, down, across, ..] = item.sizes;
    let x = item.a.typed::<F>();
    let mut result = Typed::<F>::zeros(channels * down * across);
    let input = [channels, rows, columns];
    nn::adaptive_avg_pool2d(x.get(), input, [down, across], result.get_mut())?;
    out.values(result.get());
    Ok(())
}
