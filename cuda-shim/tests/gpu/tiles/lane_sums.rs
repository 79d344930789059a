//! Sums of rows in lanes.

use super::{kinds, numbers, report};
use crate::module;
use bitexact::format::Arithmetic;
use bitexact::reduce::{Lanes, Order};
use bitexact::{Mode, bf16, f16, reduce};
use cuda_shim::{Element, Module, Tensor, TensorMut, Type};

/// Sums of rows in 32 lanes by a warp a row, against the host's definition.
fn check_lane_sums<T: Element + Arithmetic>(module: &Module) -> usize {
    let gpu = module.gpu();
    let order = Order::Lanes(Lanes::new(32).unwrap());
    let mut count = 0;
    for data in kinds() {
        for (length, rows) in [
            (1, 9),
            (31, 8),
            (32, 1),
            (33, 17),
            (64, 3),
            (1000, 5),
            (0, 4),
        ] {
            let x = numbers::<T>(data, length * rows, 17);
            let due: Vec<u64> = (0..rows)
                .map(|row| {
                    let values = &x[row * length..][..length];
                    let sum: f32 = reduce::sum(values, order, Mode::TIES_TO_EVEN);
                    sum.to_bits().into()
                })
                .collect();
            let buffer = gpu.upload(&x).unwrap();
            let there = Tensor::contiguous(buffer.view(), [rows, length]).unwrap();
            let mut out = gpu.upload_bits(Type::F32, &vec![0x55; rows]).unwrap();
            let mut to = TensorMut::contiguous(out.view_mut(), [rows, 1]).unwrap();
            let even = Mode::TIES_TO_EVEN;
            module
                .sum_dim(&there, 1, order, even, &mut to, None)
                .unwrap();
            let got = gpu.download_bits(&out.view()).unwrap();
            assert_eq!(
                got,
                due,
                "{} {data:?} {rows} rows of {length}",
                T::TYPE.name()
            );
            count += rows;
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn sums_of_rows_in_lanes() {
    let module = module();
    let count = check_lane_sums::<f32>(module)
        + check_lane_sums::<f16>(module)
        + check_lane_sums::<bf16>(module);
    report(module, "sums of rows in lanes", count);
}
