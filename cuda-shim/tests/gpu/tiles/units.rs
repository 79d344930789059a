//! Products in the orders of matrix units: on the tensor cores that have the unit, by the
//! definition's entry, and on the host.

use super::{Data, Layout, kinds, numbers, reduced, report, same};
use crate::{module, words};
use bitexact::format::{E4M3FN, E5M2, Format};
use bitexact::reduce::{Accumulable, Order, Unit};
use bitexact::tensor::{self, Accumulation};
use bitexact::{Mode, bf16, f16};
use cuda_shim::{Composites, Element, Module, Tensor, TensorMut, Type};

/// A product by these entries and by the definition's, compared with all that lies about it; the
/// latter also with the host's where that is not too much.
fn check<T: Element + Accumulable>(
    module: &Module,
    on: Composites<'_>,
    unit: Unit,
    data: Data,
    [a, b, out]: [Layout; 3],
) -> usize {
    let gpu = module.gpu();
    let (left, right) = (
        numbers::<T>(data, a.3.max(1), 1),
        numbers::<T>(data, b.3.max(1), 2),
    );
    let (x, y) = (gpu.upload(&left).unwrap(), gpu.upload(&right).unwrap());
    let before: Vec<u64> = words(out.3.max(1)).collect();
    let how = Accumulation::Declared(Order::Unit(unit));
    let product = |on: Composites<'_>| -> Vec<u64> {
        let mut to = gpu.upload_bits(Type::F32, &before).unwrap();
        on.gemm(
            &Tensor::new(x.view(), a.0, a.1, a.2).unwrap(),
            &Tensor::new(y.view(), b.0, b.1, b.2).unwrap(),
            how,
            Mode::TIES_TO_EVEN,
            &mut TensorMut::new(to.view_mut(), out.0, out.1, out.2).unwrap(),
            None,
        )
        .unwrap();
        gpu.download_bits(&to.view()).unwrap()
    };
    let what = || format!("{} {unit:?} {data:?} {a:?} {b:?} {out:?}", T::TYPE.name());
    let due = product(module.composites().by_definition());
    same(&product(on), &due, what);
    if a.0[0] * a.0[1] * b.0[1] < 1 << 22 {
        let mut host: Vec<f32> = before
            .iter()
            .map(|bits| f32::from_bits(*bits as u32))
            .collect();
        tensor::gemm(
            &tensor::View::new(&left, a.0, a.1, a.2).unwrap(),
            &tensor::View::new(&right, b.0, b.1, b.2).unwrap(),
            how,
            Mode::TIES_TO_EVEN,
            &mut tensor::ViewMut::new(&mut host, out.0, out.1, out.2).unwrap(),
        )
        .unwrap();
        let host: Vec<u64> = host.iter().map(|x| u64::from(x.to_bits())).collect();
        same(&due, &host, what);
    }
    out.0[0] * out.0[1]
}

fn plain(m: usize, n: usize, k: usize) -> [Layout; 3] {
    [Layout::rows(m, k), Layout::rows(k, n), Layout::rows(m, n)]
}

/// Every kind of data, length, layout and number of blocks.
fn check_all<T: Element + Accumulable>(module: &Module, unit: Unit) -> usize {
    let (best, mut count) = (module.composites(), 0);
    let few = reduced(module);
    for data in kinds() {
        let [m, n, k] = if few { [20, 24, 70] } else { [200, 300, 1_000] };
        count += check::<T>(module, best, unit, data, plain(m, n, k));
    }
    for k in [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 48, 130] {
        count += check::<T>(module, best, unit, Data::Spread, plain(1, 1, k));
        count += check::<T>(module, best, unit, Data::Cancelling, plain(9, 8, k));
    }
    let ways = [
        Layout::rows,
        Layout::columns,
        Layout::backwards,
        Layout::repeated,
        Layout::gaps,
    ];
    for (i, a) in ways.into_iter().enumerate() {
        for (j, b) in ways.into_iter().enumerate() {
            if few && i != j {
                continue;
            }
            let out = [Layout::rows, Layout::columns, Layout::gaps][(i + j) % 3];
            let layouts = [a(130, 40), b(40, 258), out(130, 258)];
            count += check::<T>(module, best, unit, Data::Any, layouts);
            let two = best.in_blocks(2);
            count += check::<T>(module, two, unit, Data::Spread, layouts);
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU"]
fn products_in_the_order_of_a_unit() {
    let module = module();
    let on = module.composites();
    let has = |unit, ty| on.has_unit(&unit, ty).unwrap();
    if module.gpu().architecture() == 90 {
        assert!(has(Unit::HOPPER_BF16, Type::Bf16));
        assert!(has(Unit::HOPPER_F16, Type::F16));
        assert!(has(Unit::HOPPER_TF32, Type::F32));
        assert!(has(Unit::HOPPER_TF32_NEAREST, Type::F32));
    }
    // A device has one unit for a format.
    for (unit, other) in [
        (Unit::HOPPER_BF16, Unit::AMPERE_16),
        (Unit::HOPPER_BF16, Unit::VOLTA_F16),
        (Unit::HOPPER_BF16, Unit::BLACKWELL_16),
    ] {
        assert!(!(has(unit, Type::Bf16) && has(other, Type::Bf16)));
    }
    report(
        module,
        "products in the order of Hopper's bf16",
        check_all::<bf16>(module, Unit::HOPPER_BF16),
    );
    report(
        module,
        "products in the order of Hopper's f16",
        check_all::<f16>(module, Unit::HOPPER_F16),
    );
    for unit in [Unit::HOPPER_TF32, Unit::HOPPER_TF32_NEAREST] {
        report(
            module,
            "products in the order of Hopper's TF32",
            check_all::<f32>(module, unit),
        );
    }
}

/// Units that no tensor core here has, by their definition in integers.
#[test]
#[ignore = "needs a GPU"]
fn products_in_the_order_of_other_units() {
    let (module, mut count) = (module(), 0);
    let on = module.composites();
    for known in Unit::NAMED {
        let parts = known.unit.promote(2).unwrap().segments(3).unwrap();
        // After more steps than those on which units are tried.
        let late = known.unit.promote(30).unwrap();
        for unit in [known.unit, parts, late] {
            let large = plain(64, 300, 320);
            let more = kinds()
                .map(|data| (data, large))
                .filter(|_| !reduced(module));
            let small = [Data::Any, Data::Spread, Data::Subnormal];
            let small = small.map(|data| (data, plain(7, 9, 500)));
            for (data, layouts) in small.into_iter().chain(more) {
                for operand in known.operands {
                    count += match *operand {
                        bf16::NAME => check::<bf16>(module, on, unit, data, layouts),
                        f16::NAME => check::<f16>(module, on, unit, data, layouts),
                        <f32 as Format>::NAME => check::<f32>(module, on, unit, data, layouts),
                        E4M3FN::NAME => check::<E4M3FN>(module, on, unit, data, layouts),
                        E5M2::NAME => check::<E5M2>(module, on, unit, data, layouts),
                        // Products of these have no entries.
                        _ => 0,
                    };
                }
            }
        }
    }
    report(module, "products in the orders of units", count);
}

/// A row alone, and the same row among up to 512: the same bits.
#[test]
#[ignore = "needs a GPU"]
fn a_row_of_a_product_is_the_row_alone() {
    let (module, unit) = (module(), Unit::HOPPER_BF16);
    let gpu = module.gpu();
    let (n, k, most) = if reduced(module) {
        (8, 48, 3)
    } else {
        (512, 512, 512)
    };
    let x = gpu
        .upload(&numbers::<bf16>(Data::Spread, most * k, 1))
        .unwrap();
    let y = gpu
        .upload(&numbers::<bf16>(Data::Spread, k * n, 2))
        .unwrap();
    let product = |m: usize, first: usize| -> Vec<u64> {
        let mut to = gpu.zeros_of(Type::F32, m * n).unwrap();
        let row = |columns: usize| [columns as isize, 1];
        module
            .composites()
            .gemm(
                &Tensor::new(x.view(), [m, k], row(k), first * k).unwrap(),
                &Tensor::new(y.view(), [k, n], row(n), 0).unwrap(),
                Accumulation::Declared(Order::Unit(unit)),
                Mode::TIES_TO_EVEN,
                &mut TensorMut::new(to.view_mut(), [m, n], row(n), 0).unwrap(),
                None,
            )
            .unwrap();
        gpu.download_bits(&to.view()).unwrap()
    };
    let alone: Vec<u64> = (0..most).flat_map(|row| product(1, row)).collect();
    let mut count = 0;
    for m in 1..=most {
        same(&product(m, 0), &alone[..m * n], || format!("{m} rows"));
        count += m * n;
    }
    report(module, "rows of a product beside the rows alone", count);
}

/// Instructions of the tensor cores against the steps of Hopper's unit, `STEPS` of each format and
/// kind of data (by default 2^20 on a device, 2^4 in an emulation): 128 results each.
#[test]
#[ignore = "needs a GPU"]
fn instructions_are_steps_of_the_unit() {
    let module = module();
    let small = if reduced(module) { 1 << 4 } else { 1 << 20 };
    let steps = std::env::var("STEPS").map_or(small, |steps| steps.parse().unwrap());
    let mut count = 0;
    for ty in [Type::Bf16, Type::F16, Type::F32] {
        for data in 0..8 {
            let begin = std::time::Instant::now();
            let found = module.composites().check_steps(ty, data, 0, steps).unwrap();
            assert_eq!(found.different, 0, "{ty:?}, data of kind {data}: {found:?}");
            assert_eq!(found.kinds.iter().sum::<u64>(), 128 * steps);
            println!(
                "{ty:?}, data of kind {data}: {} results, {found:?}, {:?}",
                128 * steps,
                begin.elapsed()
            );
            count += 128 * steps;
        }
    }
    report(module, "results of tensor cores", count as usize);
}
