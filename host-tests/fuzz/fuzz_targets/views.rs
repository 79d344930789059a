//! Shapes, strides and offsets: views, what is derived from them, and sums of slices and along
//! dims.
#![no_main]

use arbitrary::Arbitrary;
use bitexact::reduce::{self, Lanes, Order};
use bitexact::tensor::{Slice, View, ViewMut, slice_scatter};
use bitexact::{Mode, f16};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Expand(usize, usize),
    Permute([usize; 3]),
    Transpose(usize, usize),
    Slice(usize, usize, usize, usize),
}

#[derive(Arbitrary, Debug)]
struct Input {
    codes: Vec<u16>,
    shape: [usize; 3],
    strides: Option<[isize; 3]>,
    offset: usize,
    steps: Vec<Step>,
    at: [usize; 3],
    dim: usize,
    slice: (usize, usize, usize),
    out: [u8; 3],
}

fuzz_target!(|input: Input| {
    let data: Vec<f16> = input.codes.iter().copied().map(f16::from_bits).collect();
    let orders = [Order::Sequential, Order::Pairwise, Order::Neumaier];
    for order in orders.into_iter().chain(Lanes::ALL.map(Order::Lanes)) {
        let _: f16 = reduce::sum(&data, order, Mode::TIES_TO_EVEN);
    }
    let view = match input.strides {
        None => View::contiguous(&data, input.shape),
        Some(strides) => View::new(&data, input.shape, strides, input.offset),
    };
    let Ok(mut x) = view else { return };
    for step in input.steps.iter().take(8) {
        let next = match *step {
            Step::Expand(dim, length) => x.expand(dim, length),
            Step::Permute(dims) => x.permute(dims),
            Step::Transpose(a, b) => x.transpose(a, b),
            Step::Slice(dim, start, end, step) => {
                x.slice(dim, Slice::new(start, end).step_by(step))
            }
        };
        x = next.unwrap_or(x);
    }
    let inside = input
        .at
        .iter()
        .zip(x.shape())
        .all(|(at, length)| *at < length);
    assert_eq!(x.get(input.at).is_some(), inside);
    if let Ok(lane) = x.lane(input.dim % 4, input.at) {
        assert_eq!(lane.get(lane.len()), None);
    }
    let shape = input.out.map(|length| usize::from(length % 16));
    let mut room = vec![f16::from_bits(0); shape.iter().product()];
    let Ok(mut out) = ViewMut::contiguous(&mut room, shape) else {
        return;
    };
    let (start, end, step) = input.slice;
    let part = Slice::new(start, end).step_by(step);
    let _ = slice_scatter(&x, &x, input.dim % 4, part, &mut out);
    let _ = out.copy_from(&x);
});
