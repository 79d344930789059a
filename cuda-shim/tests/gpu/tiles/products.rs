//! Products in the sequential order, in tiles.

use super::{DATA, Data, Layout, kinds, numbers, reduced, report, same};
use crate::{module, words};
use bitexact::format::{E4M3FN, E5M2, Format};
use bitexact::reduce::Order;
use bitexact::tensor::Accumulation;
use bitexact::{Mode, bf16, f16};
use cuda_shim::{Buffer, Composites, Element, Module, Tensor, TensorMut, Type};

/// The product by fast entries and by the definition's, compared with all that lies about it.
fn check_product<T: Element + Format>(
    module: &Module,
    on: Composites<'_>,
    data: Data,
    [a, b, out]: [Layout; 3],
) -> usize {
    let gpu = module.gpu();
    let upload = |layout: Layout, salt| {
        gpu.upload(&numbers::<T>(data, layout.3.max(1), salt))
            .unwrap()
    };
    let (x, y) = (upload(a, 1), upload(b, 2));
    let before: Vec<u64> = words(out.3.max(1)).collect();
    let product = |on: Composites<'_>| -> Vec<u64> {
        let mut to: Buffer = gpu.upload_bits(Type::F32, &before).unwrap();
        on.gemm(
            &Tensor::new(x.view(), a.0, a.1, a.2).unwrap(),
            &Tensor::new(y.view(), b.0, b.1, b.2).unwrap(),
            Accumulation::Declared(Order::Sequential),
            Mode::TIES_TO_EVEN,
            &mut TensorMut::new(to.view_mut(), out.0, out.1, out.2).unwrap(),
            None,
        )
        .unwrap();
        gpu.download_bits(&to.view()).unwrap()
    };
    let (fast, due) = (product(on), product(module.composites().by_definition()));
    same(&fast, &due, || {
        format!("{} {data:?} {a:?} {b:?} {out:?}", T::TYPE.name())
    });
    out.0[0] * out.0[1]
}

fn check_products<T: Element + Format>(module: &Module) -> usize {
    let (best, mut count) = (module.composites(), 0);
    let plain = |m, n, k| [Layout::rows(m, k), Layout::rows(k, n), Layout::rows(m, n)];
    // Each kind of data in a tile and a bit, over slabs and a rest.
    for data in kinds() {
        count += check_product::<T>(module, best, data, plain(130, 136, 40));
    }
    // Sizes that fill nothing, and every rest of k.
    for k in [0, 1, 2, 15, 16, 17, 31, 32, 33, 48] {
        count += check_product::<T>(module, best, Data::Normal, plain(1, 1, k));
        count += check_product::<T>(module, best, Data::MinusZero, plain(9, 8, k));
        count += check_product::<T>(module, best, Data::Spread, plain(7, 130, k));
    }
    // Every layout of each, aligned and not.
    type Make = fn(usize, usize) -> Layout;
    let ways: [Make; 5] = [
        Layout::rows,
        Layout::columns,
        Layout::backwards,
        Layout::repeated,
        Layout::gaps,
    ];
    let outs: [Make; 4] = [
        Layout::rows,
        Layout::columns,
        Layout::backwards,
        Layout::gaps,
    ];
    for (i, a) in ways.into_iter().enumerate() {
        for (j, b) in ways.into_iter().enumerate() {
            let out = outs[(i + j) % 4];
            for [m, n, k] in [[24, 40, 32], [129, 131, 21]] {
                let layouts = [a(m, k), b(k, n), out(m, n)];
                let data = DATA[(i * 5 + j) % DATA.len()];
                count += check_product::<T>(module, best, data, layouts);
            }
        }
    }
    for blocks in [1, 2, 7] {
        let on = best.in_blocks(blocks);
        count += check_product::<T>(module, on, Data::Normal, plain(260, 300, 24));
    }
    if !reduced(module) {
        for data in kinds() {
            count += check_product::<T>(module, best, data, plain(1000, 1016, 1024));
            count += check_product::<T>(module, best, data, plain(300, 257, 4099));
        }
        count += check_product::<T>(module, best, Data::Normal, plain(128, 128, 70_000));
        count += check_product::<T>(module, best, Data::Normal, plain(4096, 4096, 4096));
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn products_in_sequential_order() {
    let module = module();
    let count = check_products::<f16>(module)
        + check_products::<bf16>(module)
        + check_products::<f32>(module)
        + check_products::<E4M3FN>(module)
        + check_products::<E5M2>(module);
    report(module, "elements of products in tiles", count);
}

/// What is compared above would tell these from the definition: a product and a sum in place of a
/// fused step, in one column; k in two parts; a first step that adds to +0.
#[test]
fn faults_of_products_are_found() {
    let [m, n, k] = [16, 8, 33];
    let wide = |data, salt| -> Vec<f32> { numbers::<f32>(data, m * k.max(n), salt) };
    let product =
        |data, step: &dyn Fn(usize, f32, f32, f32) -> f32, cut: usize, zero: f32| -> Vec<u32> {
            let (a, b) = (wide(data, 1), wide(data, 2));
            let part = |i: usize, j: usize, range: std::ops::Range<usize>| {
                range.fold(zero, |sum, k0| step(j, a[i * k + k0], b[k0 * n + j], sum))
            };
            (0..m * n)
                .map(|at| {
                    let (i, j) = (at / n, at % n);
                    match cut {
                        0 => part(i, j, 0..k),
                        cut => part(i, j, 0..cut) + part(i, j, cut..k),
                    }
                })
                .map(f32::to_bits)
                .collect()
        };
    let fused = |_: usize, a: f32, b: f32, sum: f32| a.mul_add(b, sum);
    let plain = |j: usize, a: f32, b: f32, sum: f32| {
        if j == 3 {
            a * b + sum
        } else {
            a.mul_add(b, sum)
        }
    };
    let due = product(Data::Normal, &fused, 0, -0.0);
    assert_ne!(
        product(Data::Normal, &plain, 0, -0.0),
        due,
        "a product and a sum"
    );
    assert_ne!(
        product(Data::Normal, &fused, 16, -0.0),
        due,
        "k in two parts"
    );
    let due = product(Data::Zeros, &fused, 0, -0.0);
    assert_eq!(due, product(Data::Zeros, &plain, 0, -0.0));
    let minus = |data, zero| -> usize {
        product(
            data,
            &|_, _, b: f32, sum: f32| 1f32.mul_add(b, sum),
            0,
            zero,
        )
        .into_iter()
        .filter(|bits| *bits == 0x8000_0000)
        .count()
    };
    assert_eq!(
        [minus(Data::MinusZero, -0.0), minus(Data::MinusZero, 0.0)],
        [m * n, 0]
    );
}
