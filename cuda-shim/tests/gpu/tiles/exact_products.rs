//! Exact products on the tensor cores.

use super::{Data, Layout, kinds, numbers, reduced, report, same};
use crate::{module, words};
use bitexact::format::{E4M3FN, E5M2, Format};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Rounding, bf16, f16, reduce};
use cuda_shim::{Buffer, Composites, Element, Module, Tensor, TensorMut, Type};

/// An exact product on the tensor cores and by the definition's entries, compared with all that
/// lies about it.
fn check_exact<T: Element + Format>(
    module: &Module,
    on: Composites<'_>,
    to: Type,
    mode: Mode,
    data: Data,
    [a, b, out]: [Layout; 3],
) -> usize {
    let [x, y] = [(a, 1), (b, 2)].map(|(layout, salt)| numbers(data, layout.3.max(1), salt));
    check_exact_of::<T>(module, on, to, mode, [&x, &y], [a, b, out], &data)
}

/// The same of given elements.
fn check_exact_of<T: Element + Format>(
    module: &Module,
    on: Composites<'_>,
    to: Type,
    mode: Mode,
    operands: [&[T]; 2],
    [a, b, out]: [Layout; 3],
    data: &dyn std::fmt::Debug,
) -> usize {
    let gpu = module.gpu();
    let [x, y] = operands.map(|elements| gpu.upload(elements).unwrap());
    let before: Vec<u64> = words(out.3.max(1)).collect();
    let product = |on: Composites<'_>| -> Vec<u64> {
        let mut result: Buffer = gpu.upload_bits(to, &before).unwrap();
        on.gemm(
            &Tensor::new(x.view(), a.0, a.1, a.2).unwrap(),
            &Tensor::new(y.view(), b.0, b.1, b.2).unwrap(),
            Accumulation::Exact,
            mode,
            &mut TensorMut::new(result.view_mut(), out.0, out.1, out.2).unwrap(),
            None,
        )
        .unwrap();
        gpu.download_bits(&result.view()).unwrap()
    };
    let (fast, due) = (product(on), product(module.composites().by_definition()));
    same(&fast, &due, || {
        format!(
            "{} {to:?} {mode:?} {data:?} {a:?} {b:?} {out:?}",
            T::TYPE.name()
        )
    });
    out.0[0] * out.0[1]
}

fn every_mode() -> Vec<Mode> {
    let both = |rounding| [Mode::ieee(rounding), Mode::ieee(rounding).saturating_all()];
    Rounding::ALL.into_iter().flat_map(both).collect()
}

/// Lines that need two groups of digits, of which few elements or many need the lower one.
#[derive(Clone, Copy, Debug)]
enum Low {
    /// Products of all kinds of elements.
    Mixed,
    /// Products of two elements of the upper group cancel: only others are left.
    Alone,
    /// All products cancel.
    Nothing,
}

/// The element of a line of `k`, an even number, whose greatest one is 2^15: so bits below 2^-6 are
/// of the lower group.
fn low_element<T: Format>(low: Low, [line, at, k]: [usize; 3], right: bool) -> T {
    // A number of 11 bits at most.
    let digits = T::PRECISION - 1;
    let number = |negative: bool, exponent: i64, fraction: u64| {
        let fraction = fraction & ((1 << digits.min(10)) - 1);
        let field = (T::BIAS as i64 + exponent) as u64;
        let code = field << digits | fraction << (digits - digits.min(10));
        T::from_bits(if negative { code | T::SIGN } else { code })
    };
    let (pair, second) = (at / 2, at % 2 == 1);
    if pair == 0 {
        return number(right && second, 15, 0);
    }
    // As many pairs as that have an element of the lower group: none, one, what there is room for,
    // one more, ...
    let room = (k / 128).clamp(32, 1024);
    let group = if right { line / 6 } else { line };
    let count = [0, 1, room, room + 1, 5, room + 8][group % 6];
    let all = k / 2 - 1;
    let here = (0..count).find(|p| 1 + (7 * p + line) % all == pair);
    let element = |here: Option<usize>, at: usize| {
        let word = (2 * (line * 65_537 + at) + usize::from(right)) as u64 + 1;
        let word = word.wrapping_mul(0xA076_1D64_78BD_642F);
        let word = (word ^ word >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 20;
        let (negative, fraction) = (word & 1 == 1, word >> 8);
        match here {
            None => number(negative, 4 + (word >> 1) as i64 % 4, fraction),
            // Bits of both groups; bits of the lower one, whose digits may stand for less than
            // nothing.
            Some(p) if p % 3 == 1 => number(negative, -5, fraction | 1),
            Some(p) if p % 3 == 2 => number(negative, -7, 0),
            Some(_) => number(negative, -14 + (word >> 1) as i64 % 8, fraction),
        }
    };
    let zero = T::from_bits(0);
    match low {
        Low::Mixed => element(here.filter(|_| second == (line % 2 == 1)), at),
        Low::Alone if here.is_some() && second => zero,
        Low::Nothing if here.is_some() && right => zero,
        _ if second && right => T::from_bits(element(here, pair).to_bits() ^ T::SIGN),
        _ => element(here, pair),
    }
}

/// Products of lines that are sparse in their lower group, or not, with each other.
fn check_low<T: Element + Format>(module: &Module, to: &[Type]) -> usize {
    let (best, mut count) = (module.composites(), 0);
    let mut check = |on, to, mode, low, [m, n, k]: [usize; 3], way: usize| {
        let make = [Layout::rows, Layout::columns, Layout::backwards];
        let (a, b) = (make[way % 3](m, k), make[way / 3 % 3](k, n));
        let [x, y] = [(a, false), (b, true)].map(|(layout, right)| {
            let mut all = vec![T::from_bits(0); layout.3];
            let Layout([rows, columns], strides, offset, _) = layout;
            for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                let place = offset as isize + i as isize * strides[0] + j as isize * strides[1];
                let (line, at) = if right { (j, i) } else { (i, j) };
                all[place as usize] = low_element(low, [line, at, k], right);
            }
            all
        });
        let layouts = [a, b, Layout::rows(m, n)];
        count += check_exact_of(module, on, to, mode, [&x, &y], layouts, &low);
    };
    for low in [Low::Mixed, Low::Alone, Low::Nothing] {
        for to in to {
            for (way, mode) in every_mode().into_iter().enumerate() {
                check(best, *to, mode, low, [12, 40, 130], way);
            }
        }
        // Lists with more room.
        let on = best.in_blocks(1);
        check(on, to[0], Mode::TIES_TO_EVEN, low, [6, 36, 8322], 0);
    }
    count
}

fn check_exact_products<T: Element + Format>(module: &Module, to: &[Type]) -> usize {
    let (best, mut count) = (module.composites(), 0);
    let modes = every_mode();
    let plain = |m, n, k| [Layout::rows(m, k), Layout::rows(k, n), Layout::rows(m, n)];
    let mut turn = 0;
    let mut check = |on, data, layouts| {
        turn += 1;
        let (to, mode) = (to[turn % to.len()], modes[turn / 2 % modes.len()]);
        check_exact::<T>(
            module,
            on,
            to,
            [Mode::TIES_TO_EVEN, mode][turn % 2],
            data,
            layouts,
        )
    };
    // Each kind of data, over steps and a rest.
    for data in kinds() {
        for _ in 0..2 {
            count += check(best, data, plain(20, 70, 40));
        }
        count += check(best, data, plain(70, 3, 1));
        count += check(best, data, plain(40, 33, 2));
    }
    for k in [0, 1, 2, 15, 16, 17, 31, 32, 33, 64, 65] {
        count += check(best, Data::Normal, plain(1, 1, k));
        count += check(best, Data::MinusZero, plain(9, 8, k));
        count += check(best, Data::Zeros, plain(9, 8, k));
        count += check(best, Data::Spread, plain(7, 30, k));
    }
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
            let [m, n, k] = [[18, 40, 33], [129, 5, 21]][(i + j) % 2];
            let layouts = [a(m, k), b(k, n), outs[(i + j) % 4](m, n)];
            count += check(
                best,
                [Data::Normal, Data::Spread, Data::Cancelling][(i + j) % 3],
                layouts,
            );
        }
    }
    for blocks in [1, 2] {
        let on = best.in_blocks(blocks);
        count += check(on, Data::Normal, plain(140, 70, 35));
    }
    if !reduced(module) {
        for data in kinds() {
            for _ in 0..2 {
                count += check(best, data, plain(1000, 1016, 1024));
            }
            count += check(best, data, plain(300, 257, 4099));
            count += check(best, data, plain(129, 65, 33));
        }
        for data in [Data::Normal, Data::Spread, Data::Largest, Data::Cancelling] {
            count += check(best, data, plain(128, 130, 70_000));
        }
        count += check(best, Data::Normal, plain(4096, 4096, 4096));
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn exact_products_on_tensor_cores() {
    let module = module();
    // They are made there: what has no blocks is refused.
    let x = module.gpu().zeros::<f16>(1).unwrap();
    let mut out = module.gpu().zeros::<f16>(1).unwrap();
    let refused = module.composites().in_blocks(0).gemm(
        &Tensor::contiguous(x.view(), [1, 1]).unwrap(),
        &Tensor::contiguous(x.view(), [1, 1]).unwrap(),
        Accumulation::Exact,
        Mode::TIES_TO_EVEN,
        &mut TensorMut::contiguous(out.view_mut(), [1, 1]).unwrap(),
        None,
    );
    assert!(
        refused.is_err() || module.gpu().architecture() < 80,
        "not by tiles"
    );
    let count = check_exact_products::<f16>(module, &[Type::F16, Type::F32])
        + check_exact_products::<bf16>(module, &[Type::Bf16, Type::F32])
        + check_exact_products::<f32>(module, &[Type::F32])
        + check_exact_products::<E4M3FN>(module, &[Type::F32])
        + check_exact_products::<E5M2>(module, &[Type::F32])
        // More steps than sums in s32 have room for.
        + check_exact::<E4M3FN>(
            module,
            module.composites(),
            Type::F32,
            Mode::TIES_TO_EVEN,
            Data::Largest,
            [Layout::rows(3, 44_000), Layout::rows(44_000, 2), Layout::rows(3, 2)],
        )
        + check_low::<f16>(module, &[Type::F16, Type::F32])
        + check_low::<bf16>(module, &[Type::Bf16, Type::F32])
        + check_low::<f32>(module, &[Type::F32])
        + check_low::<E5M2>(module, &[Type::F32]);
    report(module, "elements of exact products on tensor cores", count);
}

/// What is compared above would tell these from the definition: elements cut to one group of
/// digits, the weights of two groups not added before the rounding, and +0 for every sum that is 0.
/// And of lists of elements that need the lower group: its parts of both lines not multiplied with
/// each other, or twice; a negative part taken for a positive one; and the last entry of a list
/// lost.
#[test]
fn faults_of_exact_products_are_found() {
    let (m, k) = (40, 40);
    let due = |a: &[f32], b: &[f32]| -> u32 {
        let dot: f32 = reduce::dot_exact(a, b, Mode::TIES_TO_EVEN).unwrap();
        dot.to_bits()
    };
    let lines = |data, salt| -> Vec<Vec<f32>> {
        let all = numbers::<f32>(data, m * k, salt);
        all.chunks(k).map(<[f32]>::to_vec).collect()
    };
    // The multiples of the unit that a group of a line has room for.
    let cut = |line: &[f32]| -> Vec<f32> {
        let top = line.iter().fold(0f32, |top, x| x.abs().max(top));
        let unit = f32::from_bits((top.to_bits() >> 23) << 23) / (1 << 21) as f32;
        line.iter().map(|x| (x / unit).trunc() * unit).collect()
    };
    for data in [Data::Normal, Data::Spread] {
        let (a, b) = (lines(data, 1), lines(data, 2));
        let (mut shorter, mut twice) = (0, 0);
        for (a, b) in a.iter().zip(&b) {
            shorter += usize::from(due(&cut(a), &cut(b)) != due(a, b));
            let low: Vec<f32> = a.iter().zip(cut(a)).map(|(x, high)| x - high).collect();
            let parts = [cut(a), low].map(|a| f32::from_bits(due(&a, b)));
            twice += usize::from((parts[0] + parts[1]).to_bits() != due(a, b));
        }
        assert!(shorter > 0 && twice > 0, "{data:?}: {shorter}, {twice}");
    }
    let mut wrong = [0; 4];
    for data in [Low::Mixed, Low::Alone] {
        let k = 130;
        for (row, column) in (0..6).flat_map(|row| (0..36).map(move |column| (row, column))) {
            let line = |line, right| -> Vec<f32> {
                let element = |at| low_element(data, [line, at, k], right);
                (0..k).map(element).collect()
            };
            let low = |x: &f32| -> f32 {
                let number = (f64::from(*x) * f64::from(1 << 30)) as i64;
                let low = ((number + 0x80_8080) & 0xFF_FFFF) - 0x80_8080;
                low as f32 / (1 << 30) as f32
            };
            let (a, b) = (line(row, false), line(column, true));
            let [a_low, b_low] = [&a, &b].map(|x| x.iter().map(low).collect::<Vec<f32>>());
            // With so many products more.
            let with = |more: &dyn Fn(usize) -> [f32; 2]| {
                let pairs = (0..k).map(more).chain((0..k).map(|at| [a[at], b[at]]));
                let (a, b): (Vec<f32>, Vec<f32>) = pairs.map(|[a, b]| (a, b)).unzip();
                due(&a, &b)
            };
            let last = a_low.iter().rposition(|low| *low != 0.0);
            let others = [
                with(&|at| [-a_low[at], b_low[at]]),
                with(&|at| [a_low[at], b_low[at]]),
                with(&|at| [-2.0 * a_low[at].min(0.0), b[at]]),
                with(&|at| [if Some(at) == last { -a_low[at] } else { 0.0 }, b[at]]),
            ];
            for (wrong, other) in wrong.iter_mut().zip(others) {
                *wrong += usize::from(other != due(&a, &b));
            }
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
    let (a, b) = (lines(Data::Zeros, 1), lines(Data::MinusZero, 2));
    let minus: f32 = reduce::dot_exact(&b[0], &vec![1f32; k], Mode::TIES_TO_EVEN).unwrap();
    assert_eq!(minus.to_bits(), 1 << 31);
    assert_eq!(due(&a[0], &b[0]), 0);
}
