//! Sums of columns in sequential order.

use super::{kinds, numbers, reduced, report, same};
use crate::{module, words};
use bitexact::format::Arithmetic;
use bitexact::reduce::Order;
use bitexact::{Mode, bf16, f16, reduce};
use cuda_shim::{Element, Module, Tensor, TensorMut, Type};

/// Sums of columns in sequential order by blocks, against the host's definition, with what lies
/// about them; and of rows that are not whole packs.
fn check_column_sums<T: Element + Arithmetic>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let mut shapes = vec![
        [1, 64, 32],
        [1, 65, 40],
        [3, 127, 72],
        [1, 128, 33],
        [2, 129, 96],
        [2, 300, 64],
        [1, 63, 64],
        [1, 64, 24],
    ];
    if !reduced(module) {
        shapes.extend([[1, 16384, 4096], [5, 1000, 1032]]);
    }
    for (turn, (data, shape)) in kinds()
        .flat_map(|data| shapes.iter().map(move |shape| (data, *shape)))
        .enumerate()
    {
        let ([parts, length, columns], from) = (shape, [0, 0, 8, 1][turn / 3 % 4]);
        let whole = [from, columns].map(|n| (n * T::TYPE.bytes()).is_multiple_of(16));
        // An emulated device has no other entry for sums.
        let emulated = module.gpu().name().starts_with("no GPU");
        if emulated && (whole != [true; 2] || length < 64 || columns < 32) {
            continue;
        }
        let x = numbers::<T>(data, from + parts * length * columns, 19);
        let before: Vec<u64> = words(parts * columns + 2)
            .map(|word| word & 0xFFFF)
            .collect();
        let mut due = before.clone();
        for (at, due) in due[1..=parts * columns].iter_mut().enumerate() {
            let (part, column) = (at / columns, at % columns);
            let matrix = &x[from + part * length * columns..][..length * columns];
            let values: Vec<T> = matrix[column..].iter().step_by(columns).copied().collect();
            let sum: f32 = reduce::sum(&values, Order::Sequential, Mode::TIES_TO_EVEN);
            *due = sum.to_bits().into();
        }
        let buffer = gpu.upload(&x).unwrap();
        let there = buffer.slice(from..x.len()).unwrap();
        let mut out = gpu.upload_bits(Type::F32, &before).unwrap();
        let to = out.slice_mut(1..1 + parts * columns).unwrap();
        module
            .sum_dim(
                &Tensor::contiguous(there, shape).unwrap(),
                1,
                Order::Sequential,
                Mode::TIES_TO_EVEN,
                &mut TensorMut::contiguous(to, [parts, 1, columns]).unwrap(),
                None,
            )
            .unwrap();
        same(&gpu.download_bits(&out.view()).unwrap(), &due, || {
            format!("{} {data:?} {shape:?} from {from}", T::TYPE.name())
        });
        count += parts * columns;
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn sums_of_columns_in_sequence() {
    let module = module();
    let count = check_column_sums::<f32>(module)
        + check_column_sums::<f16>(module)
        + check_column_sums::<bf16>(module);
    report(module, "sums of columns in sequence", count);
}
