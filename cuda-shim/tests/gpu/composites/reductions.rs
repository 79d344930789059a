//! Exact sums and dot products, products of matrices, functions of rows.

use super::*;

fn check_sums<T, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    R: Element + Format,
{
    let (mut count, gpu) = (0, module.gpu());
    for (kind, n) in KINDS
        .into_iter()
        .flat_map(|kind| [0, 1, 300, 65_537].map(|n| (kind, n)))
    {
        if n > 300 && !matches!(kind, Kind::Finite) && reduced(module) {
            continue;
        }
        let (a, b) = (numbers::<T>(kind, n, 3), numbers::<T>(kind, n, 11));
        let (x, y) = (gpu.upload(&a).unwrap(), gpu.upload(&b).unwrap());
        for mode in modes() {
            let due: [(R, Status); 2] = [
                reduce::sum_exact_status(&a, mode),
                reduce::dot_exact_status(&a, &b, mode).unwrap(),
            ];
            for grid in GRIDS {
                let on = in_grid(module, grid);
                for (k, (due, status)) in due.into_iter().enumerate() {
                    let mut out = dirty(module, R::TYPE, 1);
                    let mut flags = dirty(module, Type::U8, 1);
                    let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
                    match k {
                        0 => on.sum_exact(&x.view(), mode, to, raised),
                        _ => on.dot_exact(&x.view(), &y.view(), mode, to, raised),
                    }
                    .unwrap();
                    let got = (there(module, &out), there(module, &flags));
                    let due = (vec![due.to_bits()], vec![u64::from(status.bits())]);
                    let name = T::TYPE.name();
                    assert_eq!(got, due, "{name} {kind:?} {n} {mode:?} {grid:?} {k}");
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn exact_sums_and_dots() {
    let module = module();
    let count = check_sums::<f16, f16>(module)
        + check_sums::<f16, f32>(module)
        + check_sums::<bf16, bf16>(module)
        + check_sums::<bf16, f16>(module)
        + check_sums::<f32, f32>(module)
        + check_sums::<f32, bf16>(module)
        + check_sums::<E4M3FN, f32>(module)
        + check_sums::<E4M3FN, f16>(module)
        + check_sums::<E5M2, f32>(module)
        + check_sums::<E5M2, bf16>(module)
        + check_sums::<E5M2FNUZ, f16>(module)
        + check_sums::<E4M3FNUZ, f32>(module)
        + check_sums::<E3M2, bf16>(module)
        + check_sums::<E2M3, f16>(module)
        + check_sums::<E2M1, f32>(module);
    report("exact sums and dot products", count);
}

/// A million hostile values in many grids: one result each.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn a_large_sum_is_the_same_in_every_grid() {
    let module = module();
    let (mode, n, mut count) = (Mode::TIES_TO_EVEN, 1 << 20, 0);
    for kind in [Kind::Finite, Kind::Cancelling] {
        let x = numbers::<f32>(kind, n, 5);
        let (due, status): (f32, Status) = reduce::sum_exact_status(&x, mode);
        let buffer = module.gpu().upload(&x).unwrap();
        for blocks in [1, 2, 31, 64, 65, 132, 1000] {
            for threads in [1, 32, 96, 256] {
                let on = module.composites().in_grid(blocks, threads);
                let (mut out, mut flags) =
                    (dirty(module, Type::F32, 1), dirty(module, Type::U8, 1));
                let raised = Some(flags.view_mut());
                on.sum_exact(&buffer.view(), mode, &mut out.view_mut(), raised)
                    .unwrap();
                let got = [there(module, &out)[0], there(module, &flags)[0]];
                let due = [u64::from(due.to_bits()), u64::from(status.bits())];
                assert_eq!(got, due, "{kind:?} {blocks} {threads}");
                count += 1;
            }
        }
    }
    report("sums of 2^20 values by grid", count);
}

/// Shape, strides and offset of a matrix, and the length of its data.
type Matrix = ([usize; 2], [isize; 2], usize, usize);

fn check_product<T, A>(module: &Module, a: Matrix, b: Matrix, out: Matrix) -> usize
where
    T: Element + Accumulable,
    A: Element + Arithmetic,
{
    let (mut count, gpu) = (0, module.gpu());
    for (k, mode) in modes().enumerate() {
        let kind = KINDS[k % 3];
        let (x, y) = (numbers::<T>(kind, a.3, 1), numbers::<T>(kind, b.3, 7));
        let here = |values, m: Matrix| tensor::View::<T, 2>::new(values, m.0, m.1, m.2).unwrap();
        let (left, right) = (here(&x, a), here(&y, b));
        let before: Vec<A> = numbers(Kind::Any, out.3, 9);
        let (x_there, y_there) = (gpu.upload(&x).unwrap(), gpu.upload(&y).unwrap());
        let there_is = |data, m: Matrix| Tensor::new(data, m.0, m.1, m.2).unwrap();
        for (how, grid) in WAYS
            .into_iter()
            .flat_map(|how| GRIDS.map(|grid| (how, grid)))
        {
            let mut due = before.clone();
            let mut view = tensor::ViewMut::new(&mut due, out.0, out.1, out.2).unwrap();
            let union = tensor::gemm(&left, &right, how, mode, &mut view).unwrap();
            let mut buffer = gpu.upload(&before).unwrap();
            let elements = out.0[0] * out.0[1];
            let mut flags = dirty(module, Type::U8, elements);
            in_grid(module, grid)
                .gemm(
                    &there_is(x_there.view(), a),
                    &there_is(y_there.view(), b),
                    how,
                    mode,
                    &mut TensorMut::new(buffer.view_mut(), out.0, out.1, out.2).unwrap(),
                    Some(flags.view_mut()),
                )
                .unwrap();
            let name = format!("{} {a:?} {b:?} {how:?} {mode:?} {grid:?}", T::TYPE.name());
            assert_eq!(there(module, &buffer), bits(&due), "{name}");
            for (j, got) in there(module, &flags).into_iter().enumerate() {
                let at = [j / out.0[1], j % out.0[1]];
                let row = left.lane(1, [at[0], 0]).unwrap();
                let column = right.lane(0, [0, at[1]]).unwrap();
                let pairs = (0..row.len()).map(|i| (row.get(i).unwrap(), column.get(i).unwrap()));
                let (_, status) = how.dot::<T, A>(pairs, mode);
                assert_eq!(got, u64::from(status.bits()), "{name} at {at:?}");
                assert!(union.contains(status), "{name} at {at:?}");
            }
            count += elements;
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn products_of_matrices() {
    let module = module();
    let mut count = 0;
    macro_rules! formats {
        ($($from:ident $to:ident),*) => {
            $({
                let rows = |m: usize, n: usize| ([m, n], [n as isize, 1], 0, m * n);
                count += check_product::<$from, $to>(module, rows(5, 33), rows(33, 7), rows(5, 7));
                // Transposed, backwards, with gaps; a column repeated; a row.
                count += check_product::<$from, $to>(
                    module,
                    ([4, 20], [1, 4], 0, 80),
                    ([20, 6], [-6, 1], 19 * 6, 120),
                    ([4, 6], [-7, 1], 21, 28),
                );
                count += check_product::<$from, $to>(
                    module,
                    ([3, 9], [0, 1], 2, 11),
                    ([9, 4], [1, 0], 0, 9),
                    ([3, 4], [1, 3], 0, 12),
                );
                // No terms.
                count += check_product::<$from, $to>(module, rows(2, 0), rows(0, 3), rows(2, 3));
            })*
        };
    }
    formats!(f16 f16, f16 f32, bf16 bf16, bf16 f32, f32 f32, E4M3FN f32, E5M2 f32);

    // A vector, with gaps.
    let (x, v) = (
        numbers::<bf16>(Kind::Moderate, 60, 1),
        numbers::<bf16>(Kind::Moderate, 24, 2),
    );
    let (mode, gpu) = (Mode::TIES_TO_EVEN, module.gpu());
    let (x_there, v_there) = (gpu.upload(&x).unwrap(), gpu.upload(&v).unwrap());
    for (how, grid) in WAYS
        .into_iter()
        .flat_map(|how| GRIDS.map(|grid| (how, grid)))
    {
        let mut due = [0f32; 10];
        tensor::gemv(
            &tensor::View::contiguous(&x, [5, 12]).unwrap(),
            &tensor::View::new(&v, [12], [2], 0).unwrap(),
            how,
            mode,
            &mut tensor::ViewMut::new(&mut due, [5], [-2], 9).unwrap(),
        )
        .unwrap();
        let mut out = gpu.upload(&[0f32; 10]).unwrap();
        in_grid(module, grid)
            .gemv(
                &Tensor::contiguous(x_there.view(), [5, 12]).unwrap(),
                &Tensor::new(v_there.view(), [12], [2], 0).unwrap(),
                how,
                mode,
                &mut TensorMut::new(out.view_mut(), [5], [-2], 9).unwrap(),
                None,
            )
            .unwrap();
        assert_eq!(there(module, &out), bits(&due), "{how:?} {grid:?}");
        count += 5;
    }
    report("elements of products of matrices", count);
}

/// Shape, strides and offset of a batch of matrices, and the length of its data.
type Batch = ([usize; 3], [isize; 3], usize, usize);

/// Products of a batch, against one dot product for each element.
fn check_batch<T, A>(module: &Module, ways: &[Accumulation], [a, b, out]: [Batch; 3]) -> usize
where
    T: Element + Accumulable,
    A: Element + Arithmetic,
{
    let (mut count, gpu) = (0, module.gpu());
    let at = |(_, strides, offset, _): Batch, coordinate: [usize; 3]| -> usize {
        let steps = coordinate.into_iter().zip(strides);
        let ahead: isize = steps.map(|(c, stride)| c as isize * stride).sum();
        offset.checked_add_signed(ahead).unwrap()
    };
    let [batch, m, n] = out.0;
    let coordinates = || {
        let matrices = (0..batch).flat_map(|i| (0..m).map(move |row| (i, row)));
        matrices.flat_map(|(i, row)| (0..n).map(move |column| [i, row, column]))
    };
    for (number, (how, kind)) in ways
        .iter()
        .flat_map(|how| KINDS.map(|kind| (*how, kind)))
        .enumerate()
    {
        let (x, y) = (numbers::<T>(kind, a.3, 3), numbers::<T>(kind, b.3, 8));
        let before: Vec<A> = numbers(Kind::Any, out.3, 9);
        let (x_there, y_there) = (gpu.upload(&x).unwrap(), gpu.upload(&y).unwrap());
        let mode = match number % 2 {
            0 => Mode::TIES_TO_EVEN,
            _ => modes().nth(number % 7).unwrap_or(Mode::TIES_TO_EVEN),
        };
        let (mut due, mut raised) = (before.clone(), Vec::new());
        for [i, row, column] in coordinates() {
            let pairs = (0..a.0[2]).map(|k| (x[at(a, [i, row, k])], y[at(b, [i, k, column])]));
            let (sum, status) = how.dot::<T, A>(pairs, mode);
            due[at(out, [i, row, column])] = sum;
            raised.push(u64::from(status.bits()));
        }
        let best = module.composites();
        for (on, flagged) in [
            (best, false),
            (best.in_blocks(2), false),
            (best.by_definition(), false),
            (best.in_grid(7, 33), true),
        ] {
            let mut buffer = gpu.upload(&before).unwrap();
            let mut flags = dirty(module, Type::U8, raised.len());
            on.gemm_batched(
                &Tensor::new(x_there.view(), a.0, a.1, a.2).unwrap(),
                &Tensor::new(y_there.view(), b.0, b.1, b.2).unwrap(),
                how,
                mode,
                &mut TensorMut::new(buffer.view_mut(), out.0, out.1, out.2).unwrap(),
                flagged.then(|| flags.view_mut()),
            )
            .unwrap();
            let name = format!("{} {a:?} {b:?} {how:?} {mode:?} {kind:?}", T::TYPE.name());
            assert_eq!(there(module, &buffer), bits(&due), "{name}");
            if flagged {
                assert_eq!(there(module, &flags), raised, "flags {name}");
            }
            count += raised.len();
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn products_of_batches() {
    let module = module();
    let (mut count, gpu) = (0, module.gpu());
    let rows = |[batch, m, n]: [usize; 3]| -> Batch {
        let strides = [(m * n) as isize, n as isize, 1];
        ([batch, m, n], strides, 0, batch * m * n)
    };
    // Over tiles, whose parts can be loaded whole, and not: each matrix but the first begins one
    // element further.
    let far = |[batch, m, n]: [usize; 3]| -> Batch {
        let each = m * n + 1;
        let strides = [each as isize, n as isize, 1];
        ([batch, m, n], strides, 0, batch * each)
    };
    let many = [[2, 20, 24], [2, 24, 136], [2, 20, 136]];
    let ways = &WAYS[..2];
    count += check_batch::<bf16, f32>(module, ways, many.map(rows));
    count += check_batch::<f32, f32>(module, ways, many.map(far));
    macro_rules! formats {
        ($($from:ident $to:ident),*) => {
            $({
                let plain = [[3, 5, 33], [3, 33, 7], [3, 5, 7]].map(rows);
                count += check_batch::<$from, $to>(module, &WAYS, plain);
                // One operand for all; matrices backwards; results transposed, with gaps.
                count += check_batch::<$from, $to>(module, &WAYS, [
                    ([4, 3, 9], [0, 9, 1], 2, 29),
                    ([4, 9, 6], [-54, 6, 1], 3 * 54, 4 * 54),
                    ([4, 3, 6], [25, 1, 4], 1, 100),
                ]);
                // Elements of all matrices side by side; the other operand for all, one column;
                // results backwards.
                count += check_batch::<$from, $to>(module, &WAYS, [
                    ([5, 2, 8], [1, 40, 5], 0, 80),
                    ([5, 8, 1], [0, 2, 0], 1, 16),
                    ([5, 2, 1], [-2, 1, 0], 8, 10),
                ]);
                // No terms, no matrices, no rows.
                for [batch, m, k] in [[2, 3, 0], [0, 3, 4], [2, 0, 4]] {
                    let shapes = [[batch, m, k], [batch, k, 2], [batch, m, 2]];
                    count += check_batch::<$from, $to>(module, &WAYS, shapes.map(rows));
                }
            })*
        };
    }
    formats!(f16 f16, f16 f32, bf16 f32, f32 f32, E4M3FN f32, E5M2 f32);
    report("elements of products of batches", count);

    // In sequential order they are made as tiles: what has no blocks is refused.
    let x = module.gpu().zeros::<f32>(12).unwrap();
    let mut out = module.gpu().zeros::<f32>(8).unwrap();
    let refused = module.composites().in_blocks(0).gemm_batched(
        &Tensor::contiguous(x.view(), [2, 2, 3]).unwrap(),
        &Tensor::contiguous(x.view(), [2, 3, 2]).unwrap(),
        Accumulation::Declared(Order::Sequential),
        Mode::TIES_TO_EVEN,
        &mut TensorMut::contiguous(out.view_mut(), [2, 2, 2]).unwrap(),
        None,
    );
    assert!(refused.is_err(), "not as tiles");
    // On tensor cores more exact products than one plan makes, the last ones alone; in one of them
    // there is an infinity, and in others bits far apart. One operand is for all.
    let (batch, k) = (4100, 3);
    let mut x: Vec<bf16> = numbers(Kind::Any, batch * 2 * k, 5);
    let far = [0x3F80, 0x0001, 0x7F00].map(bf16::from_bits);
    for (number, x) in x.as_chunks_mut().0.iter_mut().enumerate() {
        if number % 64 != 9 {
            *x = far;
        }
    }
    x[6 * 77] = bf16::from_bits(0x7F80);
    let y: Vec<bf16> = numbers(Kind::Any, 2 * k, 6);
    let (there_x, there_y) = (gpu.upload(&x).unwrap(), gpu.upload(&y).unwrap());
    let made = |on: Composites<'_>| {
        let mut out = dirty(module, Type::F32, batch * 4);
        on.gemm_batched(
            &Tensor::contiguous(there_x.view(), [batch, 2, k]).unwrap(),
            &Tensor::new(there_y.view(), [batch, k, 2], [0, 2, 1], 0).unwrap(),
            Accumulation::Exact,
            Mode::TIES_TO_EVEN,
            &mut TensorMut::contiguous(out.view_mut(), [batch, 2, 2]).unwrap(),
            None,
        )
        .map(|()| there(module, &out))
    };
    let on = module.composites();
    assert_eq!(made(on).unwrap(), made(on.by_definition()).unwrap());
    let refused = made(on.in_blocks(0)).is_err();
    assert!(refused || gpu.architecture() < 80, "not on tensor cores");
}

fn check_rows<T, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    R: Element + Accumulable,
{
    let (mut count, gpu) = (0, module.gpu());
    for ((kind, [rows, length]), mode) in KINDS
        .into_iter()
        .flat_map(|kind| [[1, 1], [3, 100], [70, 33], [0, 5]].map(|shape| (kind, shape)))
        .zip(modes().cycle())
    {
        let x = numbers::<T>(kind, rows * length, 21);
        let buffer = gpu.upload(&x).unwrap();
        let x_there = buffer.view();
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let name = format!(
                "{} {kind:?} {rows} {length} {mode:?} {grid:?}",
                T::TYPE.name()
            );
            let missing = u32::from(length > 1);
            for which in 0..4 {
                let mut out = dirty(module, R::TYPE, rows);
                let mut flags = dirty(module, Type::U8, rows);
                let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
                match which {
                    0 => on.mean_rows(&x_there, length, mode, to, raised),
                    1 => on.variance_rows(&x_there, length, missing, mode, to, raised),
                    2 => on.standard_deviation_rows(&x_there, length, missing, mode, to, raised),
                    _ => on.norm_rows(&x_there, length, mode, to, raised),
                }
                .unwrap();
                let due: Vec<(R, Status)> = x
                    .chunks_exact(length)
                    .map(|row| match which {
                        0 => reduce::mean_status(row, mode).unwrap(),
                        1 => reduce::variance_status(row, missing, mode).unwrap(),
                        2 => reduce::standard_deviation_status(row, missing, mode).unwrap(),
                        _ => reduce::norm_status(row, mode),
                    })
                    .collect();
                let values: Vec<u64> = due.iter().map(|(value, _)| value.to_bits()).collect();
                let status: Vec<u64> = due.iter().map(|(_, s)| s.bits().into()).collect();
                assert_eq!(there(module, &out), values, "{which} {name}");
                assert_eq!(there(module, &flags), status, "{which} {name}");
                count += rows;
            }
            for logarithm in [false, true] {
                let mut due = vec![R::from_bits(0); x.len()];
                for (row, due) in x.chunks_exact(length).zip(due.chunks_exact_mut(length)) {
                    if logarithm {
                        nn::log_softmax::<T, f32, R>(row, mode, due).unwrap();
                    } else {
                        nn::softmax::<T, f32, R>(row, mode, due).unwrap();
                    }
                }
                let mut out = dirty(module, R::TYPE, x.len());
                let to = &mut out.view_mut();
                if logarithm {
                    on.log_softmax_rows(&x_there, length, mode, to)
                } else {
                    on.softmax_rows(&x_there, length, mode, to)
                }
                .unwrap();
                assert_eq!(
                    there(module, &out),
                    bits(&due),
                    "softmax {logarithm} {name}"
                );
                count += rows;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn functions_of_rows() {
    let module = module();
    let count = check_rows::<f16, f16>(module)
        + check_rows::<f16, f32>(module)
        + check_rows::<bf16, bf16>(module)
        + check_rows::<bf16, f32>(module)
        + check_rows::<f32, f32>(module);
    report(
        "rows: mean, variance, standard deviation, norm, softmax, log_softmax",
        count,
    );
}

/// Layer norms and RMS norms of rows of `T`, with parameters in `W` and results in `R`.
fn check_layer_norms<T, W, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    W: Element + Arithmetic,
    R: Element + Arithmetic,
{
    let (mut count, gpu) = (0, module.gpu());
    let epsilons = [1e-5f32, 0.0, -0.25, f32::NAN];
    for (((kind, [rows, length]), mode), epsilon) in KINDS
        .into_iter()
        .flat_map(|kind| [[1, 1], [3, 100], [70, 33], [0, 5]].map(|shape| (kind, shape)))
        .zip(modes().cycle())
        .zip(epsilons.into_iter().cycle())
    {
        let x = numbers::<T>(kind, rows * length, 23);
        let [weight, bias] = [29, 31].map(|salt| numbers::<W>(kind, length, salt));
        let [mut due, mut due_rms] = [(); 2].map(|()| vec![R::from_bits(0); x.len()]);
        let bits_of_epsilon = bitexact::format::Binary32::from_bits(epsilon.to_bits());
        let rows_of = x.chunks_exact(length).zip(due.chunks_exact_mut(length));
        for ((x, due), due_rms) in rows_of.zip(due_rms.chunks_exact_mut(length)) {
            nn::layer_norm(x, &weight, &bias, bits_of_epsilon, mode, due).unwrap();
            nn::rms_norm(x, &weight, bits_of_epsilon, mode, due_rms).unwrap();
        }
        let x_there = gpu.upload(&x).unwrap();
        let [weight, bias] = [weight, bias].map(|values| gpu.upload(&values).unwrap());
        let (x_there, weight, bias) = (x_there.view(), weight.view(), bias.view());
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let name = format!(
                "{} {} {kind:?} {rows} {length} {epsilon} {mode:?} {grid:?}",
                T::TYPE.name(),
                W::TYPE.name()
            );
            let mut out = dirty(module, R::TYPE, x.len());
            on.layer_norm_rows(&x_there, &weight, &bias, epsilon, mode, &mut out.view_mut())
                .unwrap();
            assert_eq!(there(module, &out), bits(&due), "layer_norm {name}");
            let mut out = dirty(module, R::TYPE, x.len());
            on.rms_norm_rows(&x_there, &weight, epsilon, mode, &mut out.view_mut())
                .unwrap();
            assert_eq!(there(module, &out), bits(&due_rms), "rms_norm {name}");
            count += 2 * rows;
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn layer_norms_of_rows() {
    let module = module();
    let count = check_layer_norms::<f16, f16, f16>(module)
        + check_layer_norms::<f16, f16, f32>(module)
        + check_layer_norms::<f16, f32, f16>(module)
        + check_layer_norms::<f16, f32, f32>(module)
        + check_layer_norms::<bf16, bf16, bf16>(module)
        + check_layer_norms::<bf16, bf16, f32>(module)
        + check_layer_norms::<bf16, f32, bf16>(module)
        + check_layer_norms::<bf16, f32, f32>(module)
        + check_layer_norms::<f32, f32, f32>(module);
    report("rows: layer norms and RMS norms", count);
}
