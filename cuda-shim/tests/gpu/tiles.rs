//! The fast paths of the composites against their definition, on one device: the same call with the
//! definition's entries. Whole memory is compared, over data that a fast path could get wrong.

mod f32_layers;
mod layer_norms;

use super::{module, words};
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E5M2, Format};
use bitexact::reduce::{self, Accumulable, Lanes, Order};
use bitexact::scale::{self, DIALECTS, Dialect, Nvfp4, Quotient};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Rounding, Status, bf16, convert, f16, nn};
use cuda_shim::{BlockMatrix, Buffer, Composites, Element, Module, Tensor, TensorMut, Type};
use std::io::Write;

/// Whether the device is a host's emulation, or [watched](watched): the large cases would take
/// hours there.
pub fn reduced(module: &Module) -> bool {
    module.gpu().name().starts_with("no GPU") || watched()
}

/// Whether a sanitizer watches each access (`BITEXACT_REDUCED`), which takes a hundred times as
/// long. Which accesses there are depends on shapes and not on numbers.
pub fn watched() -> bool {
    std::env::var_os("BITEXACT_REDUCED").is_some()
}

/// All kinds of data, but few where a sanitizer watches.
pub fn kinds() -> impl Iterator<Item = Data> + Clone {
    DATA.into_iter()
        .filter(|data| !watched() || matches!(data, Data::Any | Data::Normal))
}

/// The definition's entries, which take a row by one thread; where a sanitizer watches and there is
/// much to do, the fast ones once more.
fn definition(module: &Module, elements: usize) -> Composites<'_> {
    if watched() && elements > 5000 {
        module.composites()
    } else {
        module.composites().by_definition()
    }
}

/// Fails if two outputs differ, and says what they belong to, how many words differ and the first
/// of them.
pub fn same(fast: &[u64], due: &[u64], what: impl FnOnce() -> String) {
    assert_eq!(fast.len(), due.len(), "another number of words");
    let differ: Vec<usize> = (0..due.len()).filter(|&at| fast[at] != due[at]).collect();
    if let [first, ..] = differ[..] {
        let (many, got, right) = (differ.len(), fast[first], due[first]);
        panic!(
            "{}: {many} differ; {got:#x} in place of {right:#x} at {first}",
            what()
        );
    }
}

/// Compares what fast entries make of so many elements, in all blocks and in two, with what the
/// definition's make.
fn same_by_all(
    module: &Module,
    elements: usize,
    make: impl Fn(Composites<'_>) -> Vec<u64>,
    what: impl Fn() -> String,
) {
    let due = make(definition(module, elements));
    for on in [module.composites(), module.composites().in_blocks(2)] {
        same(&make(on), &due, &what);
    }
}

/// Written past the test harness: what was compared, and that it was equal.
pub fn report(module: &Module, what: &str, count: usize) {
    assert!(count > 0, "{what}: nothing was compared");
    let _ = writeln!(
        std::io::stderr(),
        "{what}: {count} compared, 0 differ ({})",
        module.gpu().name()
    );
}

/// What the numbers of a slice are like.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Any bits.
    Any,
    /// Finite ones of any exponent.
    Finite,
    /// About N(0,1): exponents fall off as a normal distribution's do.
    Normal,
    /// N(0,1) times powers of two from 2^-16 to 2^16.
    Spread,
    /// Subnormal numbers and zeros of both signs.
    Subnormal,
    /// -0 and +0.
    Zeros,
    /// -0 alone.
    MinusZero,
    /// Each number followed by its opposite, and small ones at odd places.
    Cancelling,
    /// The largest finite numbers.
    Largest,
    /// N(0,1) with an infinity here and there.
    Infinities,
    /// N(0,1) with a NaN here and there, signalling ones too.
    Nans,
}

pub const DATA: [Data; 11] = [
    Data::Any,
    Data::Finite,
    Data::Normal,
    Data::Spread,
    Data::Subnormal,
    Data::Zeros,
    Data::MinusZero,
    Data::Cancelling,
    Data::Largest,
    Data::Infinities,
    Data::Nans,
];

/// `n` numbers; others for another salt.
pub fn numbers<F: Format>(data: Data, n: usize, salt: u64) -> Vec<F> {
    let (sign, digits) = (F::SIGN, F::PRECISION - 1);
    let fraction = |word: u64| word & ((1 << digits) - 1);
    let signed = |word: u64, code: u64| code | if word >> 63 == 1 { sign } else { 0 };
    // Of a number with the exponent of 1 less `down`, as far as there are exponents.
    let scaled = |word: u64, down: i64| {
        let field = (F::BIAS as i64 - down).clamp(0, (F::MAX_FINITE >> digits) as i64);
        signed(
            word,
            ((field as u64) << digits | fraction(word)).min(F::MAX_FINITE),
        )
    };
    // Half of the numbers have the exponent of 1, a quarter that of 1/2, and so on.
    let normal = |word: u64| scaled(word, i64::from((word >> 24).trailing_zeros()) - 1);
    let one = |i: usize, word: u64| match data {
        Data::Any => word & (sign | (sign - 1)),
        Data::Finite => signed(word, (word >> 8) % (F::MAX_FINITE + 1)),
        Data::Normal => normal(word),
        Data::Spread => scaled(
            word,
            i64::from((word >> 24).trailing_zeros()) + (word >> 50) as i64 % 33 - 16,
        ),
        Data::Subnormal => signed(word, fraction(word) & (word >> 30)),
        Data::Zeros => signed(word, 0),
        Data::MinusZero => sign,
        Data::Cancelling if i % 3 == 2 => scaled(word, 20),
        Data::Cancelling => normal(word),
        Data::Largest => signed(word, F::MAX_FINITE - (word & 3)),
        Data::Infinities if word.is_multiple_of(97) => signed(word, F::MAX_FINITE + 1),
        Data::Nans if word.is_multiple_of(97) => {
            F::MAX_FINITE + 1 + (word >> 40) % (sign - F::MAX_FINITE - 1)
        }
        Data::Infinities | Data::Nans => normal(word),
    };
    let stream: Vec<u64> = words(n + 1)
        .skip(1)
        .map(|word| {
            (word ^ salt.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0xA076_1D64_78BD_642F)
        })
        .map(|word| word ^ word >> 32)
        .collect();
    let mut codes: Vec<u64> = stream
        .iter()
        .enumerate()
        .map(|(i, word)| one(i, *word))
        .collect();
    if matches!(data, Data::Cancelling) {
        for i in (0..n.saturating_sub(1)).step_by(3) {
            codes[i + 1] = codes[i] ^ sign;
        }
    }
    codes.into_iter().map(F::from_bits).collect()
}

/// Shape, strides and offset of a matrix, and how long its data is.
#[derive(Clone, Copy, Debug)]
pub struct Layout(pub [usize; 2], pub [isize; 2], pub usize, pub usize);

impl Layout {
    pub fn rows(m: usize, n: usize) -> Self {
        Self([m, n], [n as isize, 1], 0, m * n)
    }
    /// Column after column.
    pub fn columns(m: usize, n: usize) -> Self {
        Self([m, n], [1, m as isize], 0, m * n)
    }
    /// Rows in the other order, from a place that is not aligned, with gaps.
    pub fn backwards(m: usize, n: usize) -> Self {
        let row = n + 3;
        Self(
            [m, n],
            [-(row as isize), 1],
            1 + m.saturating_sub(1) * row,
            1 + m * row,
        )
    }
    /// One row for all, every other element.
    fn repeated(m: usize, n: usize) -> Self {
        Self([m, n], [0, 2], 1, 2 * n + 1)
    }
    /// Every third column, downwards.
    pub fn gaps(m: usize, n: usize) -> Self {
        Self([m, n], [3 * n as isize + 1, 3], 2, m * (3 * n + 1) + 3)
    }
}

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

/// Sums and dot products of a part of a slice, with flags, against the kernels' own here.
fn check_sums<T, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    R: Element + Format,
{
    let (gpu, mut count) = (module.gpu(), 0);
    let modes: Vec<Mode> = Rounding::ALL.map(Mode::ieee).into_iter().collect();
    let longest = if reduced(module) { 70_003 } else { 3_000_001 };
    let lengths = [0usize, 1, 2, 7, 8, 9, 31, 64, 255, 2048, 5000, longest];
    for (k, (data, n)) in kinds()
        .flat_map(|data| lengths.map(|n| (data, n)))
        .enumerate()
    {
        // From a place that is aligned, and others.
        let from = [0, 1, 8, 3, 5][k % 5];
        let (a, b) = (
            numbers::<T>(data, from + n, 3),
            numbers::<T>(data, from + n, 4),
        );
        let (x, y) = (gpu.upload(&a).unwrap(), gpu.upload(&b).unwrap());
        let (x, y) = (
            x.slice(from..from + n).unwrap(),
            y.slice(from..from + n).unwrap(),
        );
        let (a, b) = (&a[from..], &b[from..]);
        for (mode, on) in [
            (modes[k % modes.len()], module.composites()),
            (
                modes[(k + 1) % modes.len()],
                module.composites().in_blocks(1),
            ),
            (Mode::TIES_TO_EVEN, module.composites().in_blocks(3)),
        ] {
            let due: [(R, Status); 2] = [
                reduce::sum_exact_status(a, mode),
                reduce::dot_exact_status(a, b, mode).unwrap(),
            ];
            for (which, (due, status)) in due.into_iter().enumerate() {
                let mut out = gpu.upload_bits(R::TYPE, &[0x5A5A_5A5A]).unwrap();
                let mut flags = gpu.upload_bits(Type::U8, &[0x5A]).unwrap();
                let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
                match which {
                    0 => on.sum_exact(&x, mode, to, raised),
                    _ => on.dot_exact(&x, &y, mode, to, raised),
                }
                .unwrap();
                let got =
                    [out.view(), flags.view()].map(|view| gpu.download_bits(&view).unwrap()[0]);
                let due = [due.to_bits(), status.bits().into()];
                let name = ["sum", "dot"][which];
                assert_eq!(
                    got,
                    due,
                    "{name} {} {data:?} {n} from {from} {mode:?}",
                    T::TYPE.name()
                );
                count += 1;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn exact_sums_in_bins() {
    let module = module();
    let count = check_sums::<f16, f16>(module)
        + check_sums::<f16, f32>(module)
        + check_sums::<bf16, bf16>(module)
        + check_sums::<bf16, f32>(module)
        + check_sums::<f32, f32>(module)
        + check_sums::<f32, f16>(module);
    report(module, "exact sums and dot products in bins", count);
}

/// Against the definition's entries: several flushes. Too long for the emulated device.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn long_exact_sums_in_bins() {
    let module = module();
    let n = if watched() { 1 << 21 } else { 300_000_000 };
    let (gpu, mut count) = (module.gpu(), 0);
    for data in [
        Data::Finite,
        Data::Normal,
        Data::Cancelling,
        Data::Subnormal,
    ] {
        let tile: Vec<u64> = numbers::<f32>(data, 1 << 20, 9)
            .iter()
            .map(|x| x.to_bits().into())
            .collect();
        for ty in [Type::Bf16, Type::F16, Type::F32] {
            let tile: Vec<u64> = tile
                .iter()
                .map(|bits| {
                    if ty == Type::F16 {
                        bits >> 16 & 0xBBFF
                    } else {
                        bits >> (32 - 8 * ty.bytes())
                    }
                })
                .collect();
            let (x, y) = (
                gpu.upload_repeated(ty, &tile, n).unwrap(),
                gpu.upload_repeated(ty, &tile[1..], n).unwrap(),
            );
            let all = |on: Composites<'_>| -> Vec<u64> {
                let mut out = gpu.zeros::<f32>(2).unwrap();
                on.sum_exact(
                    &x.view(),
                    Mode::TIES_TO_EVEN,
                    &mut out.slice_mut(0..1).unwrap(),
                    None,
                )
                .unwrap();
                on.dot_exact(
                    &x.view(),
                    &y.view(),
                    Mode::TIES_TO_EVEN,
                    &mut out.slice_mut(1..2).unwrap(),
                    None,
                )
                .unwrap();
                gpu.download_bits(&out.view()).unwrap()
            };
            let due = all(definition(module, n));
            for on in [
                module.composites(),
                module.composites().in_blocks(40),
                module.composites().in_blocks(1),
            ] {
                assert_eq!(all(on), due, "{ty:?} {data:?}");
                count += 2;
            }
        }
    }
    report(module, "long exact sums", count);
}

/// Slices as MX blocks by fast entries and by the definition's, and back.
fn check_blocks<T: Element + Format>(module: &Module, element: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let dialects: Vec<Dialect> = DIALECTS.iter().map(|(_, dialect)| *dialect).collect();
    let longest = if reduced(module) {
        9 * 1024 + 40
    } else {
        (1 << 22) + 40
    };
    for (k, (data, n)) in kinds()
        .flat_map(|data| [1024, 3100, longest].map(|n| (data, n)))
        .enumerate()
    {
        let mut x = numbers::<T>(data, n, 5);
        // Magnitudes of blocks over the whole range, a block of zeros, and one of subnormal
        // numbers.
        if matches!(data, Data::Normal | Data::Nans | Data::Infinities) {
            for (b, block) in x.chunks_mut(32).enumerate() {
                let shift = |code: u64, by: u64| {
                    let field = (code & (T::SIGN - 1)) >> (T::PRECISION - 1);
                    let most = T::MAX_FINITE >> (T::PRECISION - 1);
                    let to = (field + by) % (most + 1);
                    code & (T::SIGN | ((1 << (T::PRECISION - 1)) - 1)) | to << (T::PRECISION - 1)
                };
                for x in block {
                    if x.to_bits() & (T::SIGN - 1) <= T::MAX_FINITE {
                        *x = T::from_bits(if b % 37 == 5 {
                            0
                        } else {
                            shift(x.to_bits(), 11 * b as u64)
                        });
                    }
                }
            }
        }
        let x_there = gpu.upload(&x).unwrap();
        let blocks = n.div_ceil(32);
        // Codes and scales of all kinds.
        let codes: Vec<u64> = words(n + 9)
            .skip(9)
            .map(|word| {
                word >> 3
                    & match element {
                        Type::E2m1 => 0xF,
                        Type::E2m3 | Type::E3m2 => 0x3F,
                        _ => 0xFF,
                    }
            })
            .collect();
        let scales: Vec<u64> = words(blocks + 3)
            .skip(3)
            .map(|word| word >> 5 & 0xFF)
            .collect();
        let elements_there = gpu.upload_bits(element, &codes).unwrap();
        let scales_there = gpu.upload_bits(Type::E8m0, &scales).unwrap();
        // All random bits, and those at the ends.
        let random: Vec<u64> = words(n + 5)
            .skip(5)
            .map(|word| [word >> 9 & 0xFFFF, 0, 0xFFFF, word >> 9 & 0xFFFF][word as usize % 4])
            .collect();
        let random_there = gpu.upload_bits(Type::U16, &random).unwrap();
        let all = |on: Composites<'_>, dialect: &Dialect| -> [Vec<u64>; 5] {
            let [mut up, mut drawn] = [(element, n), (Type::E8m0, blocks)]
                .map(|(ty, n)| gpu.upload_bits(ty, &vec![0x55; n]).unwrap());
            let (elements, codes) = (&mut up.view_mut(), &mut drawn.view_mut());
            let from = [&x_there.view(), &random_there.view()];
            on.quantise_stochastic(from, 32, dialect, elements, codes, None)
                .unwrap();
            let mut to = gpu.upload_bits(element, &vec![0x55; n]).unwrap();
            let mut scales = gpu.upload_bits(Type::E8m0, &vec![0x55; blocks]).unwrap();
            let (elements, codes) = (&mut to.view_mut(), &mut scales.view_mut());
            on.quantise(&x_there.view(), 32, dialect, elements, codes, None)
                .unwrap();
            let mut back = gpu.upload_bits(T::TYPE, &vec![0x5555_5555; n]).unwrap();
            let (from, by) = (elements_there.view(), scales_there.view());
            on.dequantise(
                &from,
                &by,
                32,
                Mode::TIES_TO_EVEN,
                &mut back.view_mut(),
                None,
            )
            .unwrap();
            [to, scales, back, up, drawn].map(|buffer| gpu.download_bits(&buffer.view()).unwrap())
        };
        for dialect in [
            dialects[k % dialects.len()],
            dialects[(k + 3) % dialects.len()],
        ] {
            let (fast, due) = (
                all(module.composites(), &dialect),
                all(module.composites().by_definition(), &dialect),
            );
            for (fast, due) in fast.iter().zip(&due) {
                let first = fast.iter().zip(due).position(|(a, b)| a != b);
                assert_eq!(
                    first,
                    None,
                    "{} {element:?} {data:?} {n} {dialect:?}: {:?}",
                    T::TYPE.name(),
                    first.map(|at| (
                        fast[at],
                        due[at],
                        x.get(at).map(|x| x.to_bits()),
                        x.get(at / 32 * 32..at / 32 * 32 + 32)
                            .map(|b| b.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
                    ))
                );
                count += fast.len();
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn mx_blocks_in_spans() {
    let module = module();
    let mut count = 0;
    for element in [
        Type::E5m2,
        Type::E4m3fn,
        Type::E5m2fnuz,
        Type::E4m3fnuz,
        Type::E3m2,
        Type::E2m3,
        Type::E2m1,
        Type::Mxint8,
    ] {
        count += check_blocks::<f32>(module, element);
        count += check_blocks::<f16>(module, element);
        count += check_blocks::<bf16>(module, element);
    }
    report(
        module,
        "elements, scales and values of MX blocks in spans",
        count,
    );
}

/// Elements of any codes packed and unpacked, from places that are aligned and others, with what
/// lies about the results.
fn check_packing<E: Element + Format + scale::Packed>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let mut lengths = vec![0, 1, 4095, 4096, 4097, 4099, 8192, 5 * 4096 + 2047];
    if !reduced(module) {
        lengths.extend([1 << 22, (1 << 24) + 3]);
    }
    for (k, n) in lengths.into_iter().enumerate() {
        for (turn, [from, to]) in [[0, 0], [16, 32], [8, 0], [0, 8], [3, 5]]
            .into_iter()
            .enumerate()
        {
            let elements = numbers::<E>(Data::Any, from + n, 5 * k as u64 + turn as u64);
            let packed = E::packed_len(n);
            let mut due = vec![0; packed];
            scale::pack(&elements[from..], &mut due).unwrap();
            let elements_there = gpu.upload(&elements).unwrap();
            let elements_there = elements_there.slice(from..from + n).unwrap();
            let before: Vec<u64> = words(to + packed + 16).map(|word| word & 0xFF).collect();
            let mut around = before.clone();
            for (word, due) in around[to..].iter_mut().zip(&due) {
                *word = (*due).into();
            }
            let best = module.composites();
            for on in [best, best.in_blocks(2), best.in_blocks(1)] {
                let mut bytes = gpu.upload_bits(Type::U8, &before).unwrap();
                let mut part = bytes.slice_mut(to..to + packed).unwrap();
                on.pack(&elements_there, &mut part).unwrap();
                let name = E::TYPE.name();
                same(&gpu.download_bits(&bytes.view()).unwrap(), &around, || {
                    format!("{name} {n} packed from {from} to {to}")
                });
                count += packed;
            }
            // And back, from there to here.
            let bytes = gpu.upload_bits(Type::U8, &around).unwrap();
            let mask = (1 << <E as Format>::BITS) - 1;
            let before: Vec<u64> = words(from + n + 16).map(|word| word & mask).collect();
            let mut around = before.clone();
            for (word, due) in around[from..].iter_mut().zip(&elements[from..]) {
                *word = Format::to_bits(*due);
            }
            for on in [best, best.in_blocks(2), best.in_blocks(1)] {
                let mut back = gpu.upload_bits(E::TYPE, &before).unwrap();
                let mut part = back.slice_mut(from..from + n).unwrap();
                on.unpack(&bytes.slice(to..to + packed).unwrap(), &mut part)
                    .unwrap();
                let name = E::TYPE.name();
                same(&gpu.download_bits(&back.view()).unwrap(), &around, || {
                    format!("{name} {n} unpacked from {to} to {from}")
                });
                count += n;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn packing_by_16_bytes() {
    let module = module();
    let count = check_packing::<E2M1>(module)
        + check_packing::<E2M3>(module)
        + check_packing::<E3M2>(module);
    report(module, "bytes and elements of packing by 16 bytes", count);
    // Whole tiles are made there: what has no blocks is refused.
    let gpu = module.gpu();
    let (n, on) = (4096, module.composites().in_blocks(0));
    let mut elements = gpu.zeros_of(Type::E2m3, n).unwrap();
    let mut bytes = gpu.zeros_of(Type::U8, n / 4 * 3).unwrap();
    let refused = [
        on.pack(&elements.view(), &mut bytes.view_mut()),
        on.unpack(&bytes.view(), &mut elements.view_mut()),
    ];
    assert!(refused.iter().all(Result::is_err), "not by 16 bytes");
}

/// Rows of logits: numbers of the stated kind, and every few rows others that a sum could get
/// wrong: spread over all exponents of their exponentials, masked by minus infinities in part or as
/// a whole, with a NaN, or equal.
fn logits<T: Element + Format>(data: Data, length: usize, rows: usize, salt: u64) -> Vec<T> {
    let mut x = numbers::<T>(data, length * rows, salt);
    let of = |value: f32| -> T { convert::convert(value, Mode::TIES_TO_EVEN) };
    let random: Vec<u64> = words(length * rows + 1).skip(1).collect();
    for (row, values) in x.chunks_mut(length.max(1)).enumerate() {
        for (i, value) in values.iter_mut().enumerate() {
            let unit = (random[row * length + i] >> 40) as f32 / (1 << 24) as f32;
            match row % 9 {
                1 => *value = of(-20.0 * unit),
                2 => *value = of(-110.0 * unit * unit),
                3 if i > row => *value = of(f32::NEG_INFINITY),
                4 => *value = of(7.0 - 8.0 * (i % 13) as f32),
                5 => *value = of(-3.25),
                6 if row % 2 == 0 => *value = of(f32::NEG_INFINITY),
                7 => *value = of(if i == length / 2 { 0.0 } else { -17.3 - unit }),
                _ => {}
            }
        }
    }
    x
}

/// Softmax and its logarithm of rows, by fast entries and by the definition's, with what lies about
/// them.
fn check_softmax<T: Element + Format>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let mut shapes = vec![
        (1usize, 20usize),
        (2, 9),
        (3, 9),
        (8, 20),
        (31, 9),
        (32, 9),
        (33, 9),
        (100, 18),
        (127, 9),
        (128, 9),
        (1000, 9),
        (1023, 9),
        (1024, 9),
        (1025, 9),
        (1032, 9),
        (5000, 9),
    ];
    if reduced(module) {
        shapes.extend([
            (2049, 3),
            (4096, 2),
            (4097, 2),
            (16384, 2),
            (16400, 3),
            (33001, 2),
        ]);
    } else {
        shapes.extend([
            (1024, 3000),
            (2049, 90),
            (4096, 400),
            (4097, 90),
            (16384, 90),
            (16400, 90),
            (128_256, 18),
        ]);
    }
    for (k, (data, (length, rows))) in kinds()
        .flat_map(|data| shapes.iter().map(move |shape| (data, *shape)))
        .enumerate()
    {
        if length * rows > 20_000 && reduced(module) && k % 4 != 0 {
            continue;
        }
        // From a place that is aligned, and one that is not.
        let from = [0, 0, 1][k % 3];
        let n = length * rows;
        let mut x = logits::<T>(data, length, rows, 5);
        x.splice(0..0, (0..from).map(|_| T::from_bits(0)));
        let x = gpu.upload(&x).unwrap();
        let before: Vec<u64> = words(n + 2).map(|word| word & 0xFFFF_FFFF).collect();
        // Of both.
        let all = |on: Composites<'_>| {
            let both = [false, true].map(|logarithm| {
                let mut out = gpu.upload_bits(Type::F32, &before).unwrap();
                let from = x.slice(from..from + n).unwrap();
                let mut to = out.slice_mut(from_of(k)..from_of(k) + n).unwrap();
                let run = if logarithm {
                    Composites::log_softmax_rows
                } else {
                    Composites::softmax_rows
                };
                run(&on, &from, length, Mode::TIES_TO_EVEN, &mut to).unwrap();
                gpu.download_bits(&out.view()).unwrap()
            });
            both.concat()
        };
        let name = T::TYPE.name();
        same_by_all(module, n, all, || {
            format!("{name} {data:?} {rows} rows of {length} from {from}")
        });
        count += 4 * n;
    }
    count
}

/// Where the results begin: aligned or not, apart from where the values do.
const fn from_of(k: usize) -> usize {
    if k.is_multiple_of(5) { 1 } else { 0 }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn softmax_of_rows() {
    let module = module();
    let count =
        check_softmax::<f32>(module) + check_softmax::<f16>(module) + check_softmax::<bf16>(module);
    report(module, "elements of softmax and log_softmax of rows", count);
    // They are made there: what has no blocks is refused.
    let x = module.gpu().zeros::<f32>(8).unwrap();
    let mut out = module.gpu().zeros::<f32>(8).unwrap();
    let refused = module.composites().in_blocks(0).softmax_rows(
        &x.view(),
        4,
        Mode::TIES_TO_EVEN,
        &mut out.view_mut(),
    );
    assert!(refused.is_err(), "not by several threads a row");
}

/// What is compared above would tell these from the definition: a sum in f32, a sum without what is
/// below 2^-15, and a product with the reciprocal.
#[test]
fn faults_of_softmax_are_found() {
    let (length, rows) = (1024, 18);
    let x = logits::<f32>(Data::Normal, length, rows, 5);
    let mut wrong = [0; 3];
    for row in x.chunks(length) {
        let mut due = vec![0.0; length];
        nn::softmax::<f32, f32, f32>(row, Mode::TIES_TO_EVEN, &mut due).unwrap();
        let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let all: Vec<f32> = row.iter().map(|x| nn::exp(x - greatest)).collect();
        let exact = |all: &[f32]| -> f32 { reduce::sum_exact(all, Mode::TIES_TO_EVEN) };
        let large: Vec<f32> = all
            .iter()
            .copied()
            .filter(|e| *e >= 1.0 / 32768.0)
            .collect();
        let results = [
            all.iter()
                .map(|e| e / all.iter().sum::<f32>())
                .collect::<Vec<f32>>(),
            all.iter().map(|e| e / exact(&large)).collect(),
            all.iter().map(|e| e * (1.0 / exact(&all))).collect(),
        ];
        for (wrong, results) in wrong.iter_mut().zip(results) {
            *wrong += results
                .iter()
                .zip(&due)
                .filter(|(a, b)| !a.is_nan() && a != b)
                .count();
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}

/// Two neighbouring numbers, in equal parts if the length is even; some rows have one more of one
/// of them, or a number that is far smaller.
fn halves<T: Format>(row: usize, values: &mut [T]) {
    let (half, one) = (values.len() / 2, 1u64 << (T::PRECISION - 1));
    let top = T::MAX_FINITE / one;
    let sign = if row % 2 == 1 { T::SIGN } else { 0 };
    // From the subnormal numbers to the largest ones.
    let place = [top / 2, 0, 1, top - 1, top / 2 + 3][row / 2 % 5];
    let low = place * one + words(row + 1).last().unwrap_or(0) % (one - 1);
    for (i, value) in values.iter_mut().enumerate() {
        *value = T::from_bits(sign | (low + u64::from(i < half)));
    }
    match row / 3 % 4 {
        0 => values[half] = values[0],
        1 => values[0] = values[values.len() - 1],
        2 => values[half] = T::from_bits((place.saturating_sub(8) * one + 1) | sign),
        _ => {}
    }
}

/// The means of rows by fast entries and by the definition's.
fn check_means<T: Element + Format>(module: &Module, to: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let modes = Rounding::ALL.map(Mode::ieee);
    let mut shapes = vec![
        (32usize, 20usize),
        (33, 9),
        (100, 18),
        (128, 40),
        (1000, 9),
        (1024, 9),
        (1025, 9),
        (1032, 9),
        (5000, 5),
    ];
    if reduced(module) {
        shapes.extend([
            (2049, 9),
            (4096, 9),
            (4104, 9),
            (16384, 2),
            (16401, 2),
            (70_000, 1),
        ]);
    } else {
        shapes.extend([(1024, 3000), (2049, 90), (4096, 900), (4104, 90)]);
        shapes.extend([(16384, 90), (16401, 90), (131_072, 12)]);
    }
    for (k, (data, (length, rows))) in kinds()
        .flat_map(|data| shapes.iter().map(move |shape| (data, *shape)))
        .enumerate()
    {
        let from = [0, 0, 1][k % 3];
        let n = length * rows;
        let mut x = numbers::<T>(data, from + n, 7);
        // Rows of other kinds among them.
        for (row, values) in x[from..].chunks_mut(length).enumerate() {
            match row % 7 {
                3 => values.fill(T::from_bits(if row % 2 == 0 { 0 } else { T::SIGN })),
                // A mean midway between two numbers, or next to it.
                4 => halves(k + row, values),
                5 => values[length / 2] = T::from_bits(T::MAX_FINITE),
                6 => values[length / 3] = T::from_bits(T::SIGN | 1),
                _ => {}
            }
        }
        let x = gpu.upload(&x).unwrap();
        for mode in [Mode::TIES_TO_EVEN, modes[k % modes.len()]] {
            let all = |on: Composites<'_>| -> Vec<u64> {
                let mut out = gpu.upload_bits(to, &vec![0x55; rows + 2]).unwrap();
                let mut means = out.slice_mut(1..1 + rows).unwrap();
                on.mean_rows(
                    &x.slice(from..from + n).unwrap(),
                    length,
                    mode,
                    &mut means,
                    None,
                )
                .unwrap();
                gpu.download_bits(&out.view()).unwrap()
            };
            let name = T::TYPE.name();
            same_by_all(module, n, all, || {
                format!("{name} {data:?} {rows} rows of {length} from {from} {mode:?}")
            });
            count += 2 * rows;
        }
    }
    count
}

/// Means of 32 numbers of which two are midway between numbers of the format, if nothing else is
/// there: two neighbours below 2^p and 1, and terms of either sign that are so much less that they
/// are in another bin than the window, in the next ones or far below.
fn check_small_terms<T: Element + Format + Accumulable>(module: &Module) -> usize {
    let (gpu, length) = (module.gpu(), 32);
    let power = |exponent: i32| ((T::BIAS + exponent) as u64) << (T::PRECISION - 1);
    let exponents: Vec<i32> = (T::EMIN..=0).rev().collect();
    let mut x = Vec::new();
    for odd in [0, 1] {
        for sign in [0, T::SIGN] {
            // Two terms, which may cancel, and one.
            for (first, second) in [
                (0, 0),
                (0, T::SIGN),
                (T::SIGN, T::SIGN),
                (0, 1),
                (T::SIGN, 1),
            ] {
                for exponent in &exponents {
                    let mut row = vec![T::from_bits(0); length];
                    row[0] = T::from_bits(sign | (power(T::PRECISION as i32) + odd));
                    row[9] = T::from_bits(sign | power(0));
                    row[20] = T::from_bits(first | power(*exponent));
                    if second != 1 {
                        row[31] = T::from_bits(second | power(*exponent));
                    }
                    x.extend(row);
                }
            }
        }
    }
    let rows = x.len() / length;
    let due: Vec<u64> = (x.chunks(length))
        .map(|row| {
            let mean: T = reduce::mean(row, Mode::TIES_TO_EVEN).unwrap();
            mean.to_bits()
        })
        .collect();
    let x = gpu.upload(&x).unwrap();
    let mut out = gpu.zeros::<T>(rows).unwrap();
    let even = Mode::TIES_TO_EVEN;
    module
        .composites()
        .mean_rows(&x.view(), length, even, &mut out.view_mut(), None)
        .unwrap();
    assert_eq!(
        gpu.download_bits(&out.view()).unwrap(),
        due,
        "{}",
        T::TYPE.name()
    );
    rows
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn means_of_rows_with_small_terms() {
    let module = module();
    let count = check_small_terms::<f32>(module)
        + check_small_terms::<bf16>(module)
        + check_small_terms::<f16>(module);
    report(module, "means of rows with small terms", count);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn means_of_rows() {
    let module = module();
    let count = check_means::<f32>(module, Type::F32)
        + check_means::<f16>(module, Type::F16)
        + check_means::<f16>(module, Type::F32)
        + check_means::<bf16>(module, Type::Bf16)
        + check_means::<bf16>(module, Type::F32);
    report(module, "means of rows", count);
    let x = module.gpu().zeros::<f32>(64).unwrap();
    let mut out = module.gpu().zeros::<f32>(2).unwrap();
    let refused = module.composites().in_blocks(0).mean_rows(
        &x.view(),
        32,
        Mode::TIES_TO_EVEN,
        &mut out.view_mut(),
        None,
    );
    assert!(refused.is_err(), "not by several threads a row");
}

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

/// Rows that windows of exponents could get wrong: one huge number above tiny ones; every exponent;
/// numbers at a window's edges; one subnormal number among zeros.
fn hostile<T: Format>(row: usize, values: &mut [T]) {
    let last = values.len().saturating_sub(1);
    let one = 1u64 << (T::PRECISION - 1);
    let top = T::MAX_FINITE / one;
    let random: Vec<u64> = words(last + 1).collect();
    match row % 8 {
        1 => {
            for (value, word) in values.iter_mut().zip(&random) {
                *value = T::from_bits(word % (4 * one));
            }
            values[last] = T::from_bits(T::MAX_FINITE);
        }
        2 => {
            for (i, value) in values.iter_mut().enumerate() {
                let fraction = random[i] % one;
                *value = T::from_bits(i as u64 % (top + 1) * one + fraction);
            }
        }
        3 => {
            // The largest fraction from the top down to some exponents below it.
            for (i, value) in values.iter_mut().enumerate() {
                let field = (top / 2 + 1).saturating_sub(20 + i as u64 % 5);
                *value = T::from_bits((field * one + one - 1) | (random[i] & T::SIGN));
            }
            values[last / 2] = T::from_bits(top / 2 * one + one - 1);
        }
        4 => {
            values.fill(T::from_bits(T::SIGN));
            values[last / 2] = T::from_bits(1);
        }
        5 => values.fill(T::from_bits(T::MAX_FINITE)),
        6 => values.fill(T::from_bits(if row % 16 == 6 { 0 } else { T::SIGN })),
        7 => {
            // Pairs that cancel but for their last bits, about a large mean.
            for (i, value) in values.iter_mut().enumerate() {
                *value = T::from_bits(top / 2 * one + random[i] % 4);
            }
        }
        0 if row % 16 == 8 && last > 0 => {
            // Three and four times an odd number: the norm is five times that, midway between two
            // numbers; or next to it.
            let odd = (3 * one / 8 + one / 32 + random[0] % (one / 16)) | 1;
            let of = |x: u64| T::from_bits((top / 2 + 2) * one + x - one);
            values.fill(T::from_bits(0));
            values[last] = of(3 * odd);
            values[0] = of(4 * odd);
            if last > 1 && row % 32 == 8 {
                values[1] = T::from_bits((top / 4) * one + 1);
            }
        }
        _ => {}
    }
}

/// Puts a number at the end of a row that is two exponents above all others, or the least one that
/// is three: the window that a long row's first piece chooses has just the former.
fn above<T: Format>(row: usize, values: &mut [T]) {
    let one = 1u64 << (T::PRECISION - 1);
    let magnitudes = values.iter().map(|value| value.to_bits() & (T::SIGN - 1));
    let largest = magnitudes.filter(|bits| *bits <= T::MAX_FINITE).max();
    let least = (largest.unwrap_or(0) / one + 3) * one;
    if let (Some(last), true) = (values.last_mut(), least <= T::MAX_FINITE) {
        *last = T::from_bits(least - u64::from(row.is_multiple_of(2)));
    }
}

/// The norms and variances of rows by fast entries and by the definition's.
fn check_squares<T: Element + Format>(module: &Module, to: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let modes = Rounding::ALL.map(Mode::ieee);
    let mut shapes = vec![
        (1usize, 9usize),
        (31, 9),
        (32, 20),
        (33, 17),
        (100, 18),
        (128, 34),
        (1000, 9),
        (1024, 9),
        (1025, 9),
        (4096, 8),
    ];
    // Of longer rows threads have several pieces, of few rows and of many, and from 2^17 elements
    // on wider units.
    shapes.extend([(4200, 4), (4200, 1), (4201, 4)]);
    if watched() {
        shapes.extend([(16_400, 1), (16_401, 1)]);
    } else if reduced(module) {
        shapes.extend([(16_400, 1), (16_401, 1), (131_080, 1), (262_200, 1)]);
    } else {
        shapes.extend([(1024, 3000), (16384, 90), (16401, 90), (131_072, 16)]);
        shapes.extend([(1_000_000, 4), (1 << 22, 3)]);
    }
    for ((d, data), (s, (length, rows))) in kinds().enumerate().flat_map(|data| {
        let shapes = shapes.iter().copied().enumerate();
        shapes.map(move |shape| (data, shape))
    }) {
        // Each shape meets every choice that is made of it below.
        let k = s + 17 * d;
        // The definition takes long rows by one thread each.
        let every = if length < 20_000 {
            1
        } else if reduced(module) {
            4
        } else if length < 1_000_000 {
            8
        } else {
            16
        };
        if k % every != 0 {
            continue;
        }
        let from = [0, 0, 1][k % 3];
        let n = length * rows;
        let mut x = numbers::<T>(data, from + n, 11);
        for (row, values) in x[from..].chunks_mut(length).enumerate() {
            if length > 10_000 {
                hostile(row + k, values);
                if (row + k) % 8 == 0 {
                    above(row + k / 8, values);
                }
            } else {
                hostile(row, values);
            }
        }
        let x = gpu.upload(&x).unwrap();
        for mode in [Mode::TIES_TO_EVEN, modes[k % modes.len()]] {
            for which in 0..3 {
                let all = |on: Composites<'_>| -> Vec<u64> {
                    let mut out = gpu.upload_bits(to, &vec![0x55; rows + 2]).unwrap();
                    let from = x.slice(from..from + n).unwrap();
                    let results = &mut out.slice_mut(1..1 + rows).unwrap();
                    match which {
                        0 => on.norm_rows(&from, length, mode, results, None),
                        1 => on.variance_rows(&from, length, 0, mode, results, None),
                        // As many as leave a divisor.
                        _ => {
                            let missing = u32::from(length > 1);
                            on.variance_rows(&from, length, missing, mode, results, None)
                        }
                    }
                    .unwrap();
                    gpu.download_bits(&out.view()).unwrap()
                };
                let name = T::TYPE.name();
                same_by_all(module, n, all, || {
                    format!("{which} {name} {data:?} {rows} rows of {length} from {from} {mode:?}")
                });
                count += 2 * rows;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn squares_of_rows() {
    let module = module();
    let count = check_squares::<f32>(module, Type::F32)
        + check_squares::<f16>(module, Type::F16)
        + check_squares::<f16>(module, Type::F32)
        + check_squares::<bf16>(module, Type::Bf16)
        + check_squares::<bf16>(module, Type::F32);
    report(module, "norms and variances of rows", count);
    let x = module.gpu().zeros::<f32>(64).unwrap();
    let mut out = module.gpu().zeros::<f32>(2).unwrap();
    let (on, mode) = (module.composites().in_blocks(0), Mode::TIES_TO_EVEN);
    let refused = [
        on.norm_rows(&x.view(), 32, mode, &mut out.view_mut(), None),
        on.variance_rows(&x.view(), 32, 1, mode, &mut out.view_mut(), None),
    ];
    let refused = refused.iter().all(Result::is_err);
    assert!(refused, "not by several threads a row");
}

/// What is compared above would tell these from the definition: a sum in f32, one without what is
/// below the window, and a sum rounded before the division.
#[test]
fn faults_of_means_are_found() {
    let (length, mut wrong) = (1000, [0; 3]);
    for data in [Data::Normal, Data::Spread, Data::Cancelling, Data::Finite] {
        for row in numbers::<f32>(data, 16 * length, 7).chunks(length) {
            let due: f32 = reduce::mean(row, Mode::TIES_TO_EVEN).unwrap();
            let largest = row.iter().fold(0f32, |top, x| x.abs().max(top));
            let window: Vec<f32> = row
                .iter()
                .copied()
                .filter(|x| x.abs() >= largest / (1 << 22) as f32)
                .collect();
            let cut: f64 = window.iter().map(|x| f64::from(*x)).sum();
            let sum: f32 = reduce::sum_exact(row, Mode::TIES_TO_EVEN);
            let results = [
                row.iter().sum::<f32>() / length as f32,
                (cut / length as f64) as f32,
                sum / length as f32,
            ];
            for (wrong, result) in wrong.iter_mut().zip(results) {
                *wrong += usize::from(result.to_bits() != due.to_bits());
            }
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}

/// Among the rows that are compared above are means and norms midway between two numbers, and means
/// so near to such a place that what remains of the division decides.
#[test]
fn midpoints_of_rows_are_midpoints() {
    let (length, away) = (128, Mode::ieee(Rounding::TiesToAway));
    let mut seen = [0; 3];
    for number in 0..64 {
        let mut row = vec![0f32; length];
        halves(number, &mut row);
        let due: f32 = reduce::mean(&row, Mode::TIES_TO_EVEN).unwrap();
        let other: f32 = reduce::mean(&row, away).unwrap();
        seen[0] += usize::from(due.to_bits() != other.to_bits());
        let sum: f64 = row.iter().map(|x| f64::from(*x)).sum();
        let mean = (sum / length as f64).to_bits();
        let cut = f64::from_bits(mean & (u64::MAX << (53 - 25))) as f32;
        seen[1] += usize::from(due.to_bits() != cut.to_bits());
        hostile(16 * number + 8, &mut row);
        let [due, other]: [f32; 2] =
            [Mode::TIES_TO_EVEN, away].map(|mode| reduce::norm(&row, mode));
        seen[2] += usize::from(due.to_bits() != other.to_bits());
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// The least quotient that random bits take up to the magnitude of this number above zero.
fn goes_up_from(number: usize, random: u64) -> f32 {
    const MAGNITUDES: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    let ulp = MAGNITUDES[number] - MAGNITUDES[number - 1];
    MAGNITUDES[number] - ulp * random as f32 / 65536.0
}

/// Slices as NVFP4 blocks by fast entries and by the definition's, and back.
fn check_nvfp4<T: Element + Format>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let least = |bits| Nvfp4 {
        least_scale: E4M3FN::from_bits(bits),
        ..Nvfp4::EXACT
    };
    let recipes = [
        Nvfp4::EXACT,
        Nvfp4::TORCHAO_DIVIDED,
        Nvfp4::TORCHAO_RECIPROCAL,
        least(0x08),
        Nvfp4 {
            quotient: Quotient::Divided,
            ..Nvfp4::EXACT
        },
        Nvfp4 {
            quotient: Quotient::Reciprocal,
            ..least(0x31)
        },
    ];
    // Powers of two and others, the ends of the domain and beyond.
    let by = [
        1.0f32,
        0.75,
        0.013,
        3e-4,
        6e-5,
        1000.0,
        1.5e-30,
        2f32.powi(100),
        2f32.powi(-80),
        2f32.powi(-100),
        1.1e-38,
        1e35,
    ];
    let longest = if reduced(module) {
        9 * 1024 + 40
    } else {
        (1 << 22) + 40
    };
    for (k, (data, n)) in kinds()
        .flat_map(|data| [512, 1550, longest, longest].map(|n| (data, n)))
        .enumerate()
    {
        let mut x = numbers::<T>(data, n, 5);
        // Multiples of a quarter: quotients at the midpoints of elements; and blocks of all
        // magnitudes.
        if k % 4 == 3 {
            for (x, word) in x.iter_mut().zip(words(n)) {
                let value = ((word >> 20) % 97) as f32 * 0.25 - 12.0;
                *x = convert::convert(value, Mode::TIES_TO_EVEN);
            }
            for block in x.chunks_mut(16).step_by(3) {
                block[7] =
                    convert::convert([6.0f32, 12.0, 3.0, 48.0][k / 4 % 4], Mode::TIES_TO_EVEN);
            }
        }
        let blocks = n.div_ceil(16);
        // Random bits, and those that decide about the midpoints and quarters of the distance
        // between elements.
        let random: Vec<u64> = words(n + 5)
            .skip(5)
            .map(|word| {
                let near = (word >> 30 & 7) * 0x2000 + [0xFFFF, 0, 1][word as usize / 8 % 3];
                [word >> 9, near][word as usize % 2] & 0xFFFF
            })
            .collect();
        let random_there = gpu.upload_bits(Type::U16, &random).unwrap();
        // Where these bits take a quotient up, and next to it, in every other block.
        let near = [0.013f32, 3e-4, 6e-5, 0.75][k / 4 % 4];
        if k % 4 == 2 {
            for (b, block) in x.chunks_mut(16).enumerate().step_by(2) {
                let divisor = (1.0 + (b / 2 % 8) as f32 / 8.0) * near;
                for (i, x) in block.iter_mut().enumerate() {
                    let value = if i == 3 {
                        6.0 * divisor
                    } else {
                        let at = goes_up_from(1 + (i + b / 2) % 7, random[16 * b + i]) * divisor;
                        f32::from_bits(at.to_bits() + [0, 1, 2, 3, 4][(b / 16 + i) % 5] - 2)
                    };
                    *x = convert::convert(value, Mode::TIES_TO_EVEN);
                }
            }
        }
        let there = gpu.upload(&x).unwrap();
        let codes: Vec<u64> = words(n + 9).skip(9).map(|word| word >> 3 & 0xF).collect();
        let scales: Vec<u64> = words(blocks + 3)
            .skip(3)
            .map(|word| word >> 5 & 0xFF)
            .collect();
        let elements_there = gpu.upload_bits(Type::E2m1, &codes).unwrap();
        let scales_there = gpu.upload_bits(Type::E4m3fn, &scales).unwrap();
        let all = |on: Composites<'_>, recipe: &Nvfp4, scale: f32| -> [Vec<u64>; 5] {
            let [mut up, mut drawn] = [(Type::E2m1, n), (Type::E4m3fn, blocks)]
                .map(|(ty, n)| gpu.upload_bits(ty, &vec![0x5; n]).unwrap());
            let (elements, codes) = (&mut up.view_mut(), &mut drawn.view_mut());
            let from = [&there.view(), &random_there.view()];
            on.nvfp4_quantise_stochastic(from, scale, recipe, elements, codes, None)
                .unwrap();
            let mut to = gpu.upload_bits(Type::E2m1, &vec![0x5; n]).unwrap();
            let mut by = gpu.upload_bits(Type::E4m3fn, &vec![0x55; blocks]).unwrap();
            on.nvfp4_quantise(
                &there.view(),
                scale,
                recipe,
                &mut to.view_mut(),
                &mut by.view_mut(),
                None,
            )
            .unwrap();
            let mut back = gpu.upload_bits(T::TYPE, &vec![0x5555_5555; n]).unwrap();
            let (elements, scales) = (elements_there.view(), scales_there.view());
            on.nvfp4_dequantise(
                &elements,
                &scales,
                scale,
                Mode::TIES_TO_EVEN,
                &mut back.view_mut(),
                None,
            )
            .unwrap();
            [to, by, back, up, drawn].map(|buffer| gpu.download_bits(&buffer.view()).unwrap())
        };
        for turn in 0..3 {
            let (recipe, scale) = (recipes[(k + 2 * turn) % 6], by[(3 * k + turn) % by.len()]);
            let (recipe, scale) = match (k % 4, turn) {
                (2, 1) => (Nvfp4::EXACT, near),
                (3, 0) => (recipe, 1.0),
                _ => (recipe, scale),
            };
            let (fast, due) = (
                all(module.composites(), &recipe, scale),
                all(module.composites().by_definition(), &recipe, scale),
            );
            for (which, (fast, due)) in fast.iter().zip(&due).enumerate() {
                let first = fast.iter().zip(due).position(|(a, b)| a != b);
                assert_eq!(
                    first,
                    None,
                    "{which} {} {data:?} {n} {recipe:?} {scale:e}: {:x?}",
                    T::TYPE.name(),
                    first.map(|at| (
                        fast[at],
                        due[at],
                        x.get(at).map(|x| x.to_bits()),
                        codes.get(at),
                        scales.get(at / 16),
                        random.get(at)
                    ))
                );
                count += fast.len();
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn nvfp4_blocks_in_spans() {
    let module = module();
    let count =
        check_nvfp4::<f32>(module) + check_nvfp4::<f16>(module) + check_nvfp4::<bf16>(module);
    report(
        module,
        "elements, scales and values of NVFP4 blocks in spans",
        count,
    );
}

/// What is compared above would tell these from the definition: a quotient rounded to f32 in place
/// of the exact one, to nearest and stochastically, and a value rounded to f32 and then to bf16.
#[test]
fn faults_of_nvfp4_are_found() {
    let mut wrong = [0; 3];
    for tensor_scale in [0.013f32, 3e-4, 0.75] {
        // Right above and below the midpoints of the elements, in a block whose scale is 3.5 or so.
        let x: Vec<f32> = (0..4096u32)
            .map(|i| {
                let middle = [0.25f32, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0][(i % 8) as usize];
                let scale = 1.0 + (i / 16 % 8) as f32 / 8.0;
                f32::from_bits((middle * scale * tensor_scale).to_bits() + i / 128 % 3 - 1)
            })
            .collect();
        let all = |recipe: &Nvfp4| {
            let mut elements = vec![E2M1::from_bits(0); x.len()];
            let mut scales = vec![E4M3FN::from_bits(0); x.len() / 16];
            scale::nvfp4_quantise(&x, tensor_scale, recipe, &mut elements, &mut scales).unwrap();
            (elements, scales)
        };
        let due = all(&Nvfp4::EXACT);
        let other = all(&Nvfp4 {
            quotient: Quotient::Divided,
            ..Nvfp4::EXACT
        });
        wrong[0] += due
            .0
            .iter()
            .zip(&other.0)
            .filter(|(a, b)| a.to_bits() != b.to_bits())
            .count();
        let random: Vec<u16> = words(4096).map(|word| (word >> 7) as u16).collect();
        let x: Vec<f32> = (0..4096)
            .map(|i| {
                let divisor = (1.0 + (i / 16 % 8) as f32 / 8.0) * tensor_scale;
                match i % 16 {
                    0 => 6.0 * divisor,
                    k => goes_up_from(1 + k % 7, random[i].into()) * divisor,
                }
            })
            .collect();
        let all = |recipe: &Nvfp4| {
            let mut elements = vec![E2M1::from_bits(0); x.len()];
            let mut scales = vec![E4M3FN::from_bits(0); x.len() / 16];
            let mut next = random.iter().copied();
            let next = || next.next().unwrap();
            let (to, by) = (&mut elements, &mut scales);
            scale::nvfp4_quantise_stochastic(&x, tensor_scale, recipe, next, to, by).unwrap();
            elements
        };
        let (due, other) = (
            all(&Nvfp4::EXACT),
            all(&Nvfp4 {
                quotient: Quotient::Divided,
                ..Nvfp4::EXACT
            }),
        );
        let pairs = due.iter().zip(&other);
        wrong[2] += pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        for (code, element) in (1..0x7Fu8).flat_map(|code| (1..8u8).map(move |e| (code, e))) {
            let (element, scale) = ([E2M1::from_bits(element)], [E4M3FN::from_bits(code)]);
            let one = |by| -> (bf16, f32) {
                let (mut due, mut single) = ([bf16::from_bits(0)], [0f32]);
                let even = Mode::TIES_TO_EVEN;
                scale::nvfp4_dequantise(&element, &scale, by, even, &mut due).unwrap();
                scale::nvfp4_dequantise(&element, &scale, by, even, &mut single).unwrap();
                (due[0], single[0])
            };
            // A product about midway between two numbers of bf16.
            let middle = f32::from_bits(0x3F80_8000 | u32::from(code) << 16 & 0x7F_0000);
            let (due, single) = one(middle / one(1.0).1);
            let twice: bf16 = convert::convert(single, Mode::TIES_TO_EVEN);
            wrong[1] += usize::from(twice != due);
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}

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

const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);

/// What the elements of a matrix in MX blocks are like.
#[derive(Clone, Copy, Debug)]
enum Codes {
    /// Any codes, NaNs too.
    Any,
    /// Numbers of any magnitude.
    Finite,
    /// Numbers, and blocks of zeros.
    Sparse,
    /// The largest numbers, whose signs agree within a block: they add up to the largest dot
    /// products.
    Largest,
    /// The largest numbers, half of them in the first block, whose dot product has the other sign:
    /// the second one may be beyond f32 where the sum of both is not.
    Growing,
    /// Each number followed by its opposite, with a partner that is the same; and a small one.
    Cancelling,
    /// Zeros of both signs.
    Zeros,
    /// Rows of -0, of MXINT8 0, against columns of one sign: every product is -0.
    MinusZero,
    /// Numbers, and in some rows an infinity, or a NaN where there are none.
    Special,
    /// A large number, half of the last bit that 24 bits have beside it, a whole one in some rows,
    /// and in some the least number that there is: midpoints, and what lies next to them.
    Midpoints,
}

const CODES: [Codes; 10] = [
    Codes::Any,
    Codes::Finite,
    Codes::Sparse,
    Codes::Largest,
    Codes::Growing,
    Codes::Cancelling,
    Codes::Zeros,
    Codes::MinusZero,
    Codes::Special,
    Codes::Midpoints,
];

/// What their scales are like.
#[derive(Clone, Copy, Debug)]
enum Scales {
    /// All are 1.
    Ones,
    /// Within 2^8.
    Near,
    /// As far apart as exact sums of one digit allow, and a bit further.
    Apart,
    /// One for each row, any: their products reach both ends of each domain.
    Rows,
    /// The least, the greatest, and 1.
    Ends,
    /// Any, NaNs too.
    Any,
    /// 1, and one block's is the greatest, beside which values leave f32's range; those of the
    /// other operand are small.
    Peak,
}

const SCALES: [Scales; 7] = [
    Scales::Ones,
    Scales::Near,
    Scales::Apart,
    Scales::Rows,
    Scales::Ends,
    Scales::Any,
    Scales::Peak,
];

/// The code of 2^exponent times the least number of a type, and the greatest exponent that there
/// is.
fn power_of_two(ty: Type, exponent: u32) -> (u64, u32) {
    let (digits, most) = match ty {
        Type::E2m1 => (1, 3),
        Type::E2m3 => (3, 5),
        Type::E3m2 => (2, 8),
        Type::E4m3fn => (3, 17),
        Type::E5m2 => (2, 31),
        _ => (7, 6),
    };
    let exponent = exponent.min(most);
    let code = match exponent.checked_sub(digits) {
        None => 1 << exponent,
        Some(above) => u64::from(above + 1) << digits,
    };
    (code, most)
}

/// What an element of [`Codes::Midpoints`] is, at this place of this block: products of the second
/// and the third place have exponents that are 24 and 23 less than that of the first.
fn midpoint(types: [Type; 2], right: bool, [row, block, place]: [usize; 3], sign: u64) -> u64 {
    let [own, other] = if right { [types[1], types[0]] } else { types };
    let most = [own, other].map(|ty| power_of_two(ty, 0).1);
    // How far the exponents of the first place are below the greatest ones, and those of others
    // below these.
    let high = most.map(|most| most - (block as u32 % 7).min(most / 3));
    let share = if right {
        12.min(high[0])
    } else {
        24 - 12.min(high[1])
    };
    let share = if right { share } else { share.min(high[0]) };
    let exponent = match place {
        0 => high[0],
        5 => high[0] - share,
        9 if row % 3 != 0 => high[0] - share + u32::from(right && share > 0),
        17 if row % 4 != 0 => 0,
        _ => return 0,
    };
    let minus = place == 17 && row % 2 == 1 || place == 0 && row % 5 == 4;
    let code = power_of_two(own, exponent).0;
    match (own, minus) {
        (_, false) => code,
        (Type::Mxint8, true) => code.wrapping_neg() & 0xFF,
        _ => code | sign,
    }
}

/// Codes and scales of a matrix in blocks of 32; `right` for the second operand.
fn in_blocks(
    types: [Type; 2],
    (codes, scales): (Codes, Scales),
    [rows, k]: [usize; 2],
    right: bool,
) -> [Vec<u64>; 2] {
    let ty = types[usize::from(right)];
    let (all, sign, most) = match ty {
        Type::E2m1 => (0xF, 0x8, 0x7),
        Type::E2m3 | Type::E3m2 => (0x3F, 0x20, 0x1F),
        Type::E4m3fn => (0xFF, 0x80, 0x7E),
        Type::E5m2 => (0xFF, 0x80, 0x7B),
        _ => (0xFF, 0x80, 0x7F),
    };
    let integer = ty == Type::Mxint8;
    let mix = |word: u64| {
        let word = (word ^ if right { 0x5DEE_CE66_D1A4_F087 } else { 0 })
            .wrapping_mul(0xA076_1D64_78BD_642F);
        word ^ word >> 32
    };
    let opposite = |code: u64| match (integer, code) {
        (true, 0x80) => 0x7F,
        (true, code) => code.wrapping_neg() & 0xFF,
        (false, code) => code ^ sign,
    };
    let finite = |word: u64| {
        let code = word & all;
        if !integer && code & (sign - 1) > most {
            code - (sign - 1 - most)
        } else {
            code
        }
    };
    let stream: Vec<u64> = words(rows * k + 1).skip(1).map(mix).collect();
    let mut elements: Vec<u64> = stream
        .iter()
        .enumerate()
        .map(|(i, &word)| match codes {
            // A NaN in few rows, so that the others are compared too.
            Codes::Any if word >> 40 & 0x3F != 0 => finite(word),
            Codes::Any => word & all,
            Codes::Special if !integer && (i / k.max(1)) % 5 == 2 && word >> 40 & 0x1F == 0 => {
                (most + 1).min(sign - 1) | word & sign
            }
            Codes::Midpoints => {
                let (row, at) = (i / k.max(1), i % k.max(1));
                midpoint(types, right, [row, at / 32, at % 32], sign)
            }
            Codes::Finite | Codes::Special => finite(word),
            Codes::Sparse if (i / 32) % 3 == 1 => 0,
            Codes::Sparse => finite(word & (word >> 8)),
            Codes::Largest if integer && i / k.max(1) % 2 == 0 => 0x80,
            Codes::Largest if integer => [0x80, 0x7F][i % k.max(1) / 32 % 2],
            // Rows of one sign, and rows whose blocks have both in turn.
            Codes::Largest => {
                let (row, at) = (i / k.max(1), i % k.max(1));
                most | [0, sign, [0, sign][at / 32 % 2]][row % 3]
            }
            Codes::Growing => match i % k.max(1) {
                at if at < 32 && at % 2 == 1 => 0,
                at if at < 32 && !right => most,
                _ if integer => 0x80,
                _ => most | sign,
            },
            Codes::Cancelling => finite(word),
            Codes::Zeros if integer => {
                [0, 0x81][(word >> 9) as usize % 2] & if right { 0 } else { 0xFF }
            }
            Codes::Zeros => word & sign,
            Codes::MinusZero if right => finite(word) & !sign & all | 1,
            Codes::MinusZero if integer => 0,
            Codes::MinusZero => sign,
        })
        .collect();
    if matches!(codes, Codes::MinusZero) && integer {
        // A product of 0 and a negative number is -0; one row has +0, too.
        if right {
            elements = elements.iter().map(|code| code | sign).collect();
        }
    } else if matches!(codes, Codes::MinusZero) && !right && rows > 2 {
        elements[k * 2..k * 3]
            .iter_mut()
            .skip(k / 2)
            .take(1)
            .for_each(|code| *code = 0);
    }
    if matches!(codes, Codes::Cancelling) {
        for row in elements.chunks_mut(k.max(1)) {
            for i in (0..row.len().saturating_sub(1)).step_by(2) {
                row[i + 1] = if right { row[i] } else { opposite(row[i]) };
            }
            if let Some(last) = row.last_mut().filter(|_| k % 5 != 0) {
                *last = 1;
            }
        }
    }
    let blocks = k.div_ceil(32);
    let some: Vec<u64> = words(rows * blocks + 7).skip(7).map(mix).collect();
    let scales = some
        .iter()
        .enumerate()
        .map(|(i, word)| {
            let row = i / blocks.max(1);
            match scales {
                Scales::Ones => 127,
                Scales::Near => 119 + word % 17,
                Scales::Apart => 90 + word % [8, 12, 13, 31, 33, 60][row % 6],
                // Among them neighbours of each other.
                Scales::Rows => (mix(row as u64 / 3) >> 7) % 253 + row as u64 % 3,
                Scales::Ends => [0, 254, 127, 1, 253][(word % 5) as usize],
                Scales::Any => word & 0xFF,
                Scales::Peak if right => 20,
                Scales::Peak => [127, 254][usize::from(i == 0)],
            }
        })
        .collect();
    [elements, scales]
}

/// A product in MX blocks on the tensor cores and by the definition's entries.
fn check_block_product(
    module: &Module,
    on: Composites<'_>,
    types: [Type; 2],
    data: (Codes, Scales),
    [m, n, k]: [usize; 3],
    (how, mode, to): (Accumulation, Mode, Type),
    from: usize,
) -> usize {
    let gpu = module.gpu();
    let there = |rows: usize, right: bool| {
        let ty = types[usize::from(right)];
        let [mut codes, scales] = in_blocks(types, data, [rows, k], right);
        codes.splice(0..0, (0..from).map(|_| 0));
        [(ty, codes), (Type::E8m0, scales)].map(|(ty, codes)| gpu.upload_bits(ty, &codes).unwrap())
    };
    let (a, b) = (there(m, false), there(n, true));
    let before: Vec<u64> = words(m * n + 2).map(|word| word & 0xFFFF).collect();
    let product = |on: Composites<'_>| -> Vec<u64> {
        let mut out = gpu.upload_bits(to, &before).unwrap();
        let [x, y] = [(&a, m), (&b, n)].map(|([elements, scales], rows)| {
            let elements = elements.slice(from..from + rows * k).unwrap();
            let scales = scales.slice(0..rows * k.div_ceil(32)).unwrap();
            BlockMatrix::new(elements, scales, [rows, k], 32).unwrap()
        });
        let mut part = out.slice_mut(1..1 + m * n).unwrap();
        on.block_gemm(&x, &y, how, mode, &mut part, None).unwrap();
        gpu.download_bits(&out.view()).unwrap()
    };
    let (fast, due) = (product(on), product(module.composites().by_definition()));
    same(&fast, &due, || {
        format!("{types:?} {to:?} {how:?} {mode:?} {data:?} {m} {n} {k} from {from}")
    });
    m * n
}

fn check_block_products(module: &Module, types: [Type; 2]) -> usize {
    let (best, mut count, mut turn) = (module.composites(), 0, 0);
    let modes: Vec<Mode> = Rounding::ALL
        .iter()
        .flat_map(|rounding| {
            [
                Mode::ieee(*rounding),
                Mode::ieee(*rounding).saturating_all(),
            ]
        })
        .collect();
    let mut check = |on: Composites<'_>, data, shape| {
        turn += 1;
        let (mode, to) = (
            modes[turn % modes.len()],
            [Type::F32, Type::Bf16][turn / 3 % 2],
        );
        let even = Mode::TIES_TO_EVEN;
        [
            (SEQUENTIAL, even, Type::F32),
            (Accumulation::Exact, even, Type::F32),
            (Accumulation::Exact, mode, to),
        ]
        .into_iter()
        .map(|how| check_block_product(module, on, types, data, shape, how, turn % 3))
        .sum::<usize>()
    };
    // Each kind of data, over blocks and a rest; fewer of two types, and a few where a sanitizer
    // watches.
    let step = match types {
        _ if watched() => 7,
        [a, b] if a != b && reduced(module) => 3,
        _ => 1,
    };
    let kinds = || {
        CODES
            .into_iter()
            .flat_map(|codes| SCALES.map(|scales| (codes, scales)))
            .step_by(step)
    };
    for data in kinds() {
        count += check(best, data, [19, 21, 75]);
        count += check(best, data, [9, 70, 64]);
    }
    for k in [0, 1, 31, 32, 33, 63, 64, 65, 96, 128, 300] {
        count += check(best, (Codes::Finite, Scales::Near), [1, 1, k]);
        count += check(best, (Codes::MinusZero, Scales::Near), [3, 5, k]);
        count += check(best, (Codes::Any, Scales::Apart), [6, 17, k]);
    }
    // Both ends of each domain, and sizes that fill no tile.
    count += check(best, (Codes::Finite, Scales::Rows), [129, 67, 33]);
    count += check(best, (Codes::Largest, Scales::Rows), [131, 130, 32]);
    count += check(best, (Codes::Growing, Scales::Rows), [131, 130, 64]);
    count += check(best, (Codes::Largest, Scales::Ones), [3, 2, 4096]);
    count += check(best, (Codes::Cancelling, Scales::Near), [2, 3, 4096]);
    for blocks in [1, 2] {
        count += check(
            best.in_blocks(blocks),
            (Codes::Finite, Scales::Near),
            [140, 70, 96],
        );
    }
    if !reduced(module) {
        for data in kinds() {
            count += check(best, data, [300, 257, 1024]);
            count += check(best, data, [129, 65, 4099]);
        }
        for scales in [Scales::Ones, Scales::Near, Scales::Apart] {
            count += check(best, (Codes::Finite, scales), [1000, 1016, 2048]);
            count += check(best, (Codes::Largest, scales), [128, 130, 70_000]);
        }
        count += check(best, (Codes::Finite, Scales::Near), [2048, 2048, 4096]);
    }
    count
}

const MULTIPLIED: [Type; 6] = [
    Type::E2m1,
    Type::E2m3,
    Type::Mxint8,
    Type::E3m2,
    Type::E4m3fn,
    Type::E5m2,
];

/// Some of these products, for each pair of types.
fn check_few_block_products(module: &Module, types: [Type; 2]) -> usize {
    let ways = [
        (SEQUENTIAL, Mode::TIES_TO_EVEN, Type::F32),
        (
            Accumulation::Exact,
            Mode::ieee(Rounding::TowardNegative),
            Type::Bf16,
        ),
    ];
    [
        ((Codes::Any, Scales::Near), [7, 9, 65]),
        ((Codes::Finite, Scales::Any), [13, 5, 96]),
        ((Codes::Largest, Scales::Rows), [30, 31, 32]),
        ((Codes::Midpoints, Scales::Ones), [12, 6, 224]),
        ((Codes::MinusZero, Scales::Near), [5, 3, 31]),
        ((Codes::Special, Scales::Ends), [9, 8, 33]),
    ]
    .into_iter()
    .flat_map(|(data, shape)| ways.map(|how| (data, shape, how)))
    .map(|(data, shape, how)| {
        check_block_product(module, module.composites(), types, data, shape, how, 1)
    })
    .sum()
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn block_products_on_tensor_cores() {
    let module = module();
    let alike = MULTIPLIED.map(|ty| check_block_products(module, [ty; 2]));
    // Of each two numbers of digits, and both turned.
    let mixed = [
        [Type::E5m2, Type::Mxint8],
        [Type::E3m2, Type::E5m2],
        [Type::E5m2, Type::E4m3fn],
        [Type::E2m1, Type::E4m3fn],
        [Type::E4m3fn, Type::E3m2],
        [Type::Mxint8, Type::E3m2],
        [Type::Mxint8, Type::E2m3],
    ]
    .map(|types| check_block_products(module, types));
    let pairs = MULTIPLIED
        .into_iter()
        .flat_map(|a| MULTIPLIED.map(|b| [a, b]));
    let few = pairs.map(|types| check_few_block_products(module, types));
    let count = alike.into_iter().chain(mixed).chain(few).sum();
    report(
        module,
        "elements of products in MX blocks on tensor cores",
        count,
    );
    // They are made there: what has no blocks is refused.
    let gpu = module.gpu();
    let scale = gpu.upload_bits(Type::E8m0, &[127]).unwrap();
    let mut out = gpu.zeros::<f32>(1).unwrap();
    for (types, how) in [
        ([Type::E2m1; 2], Accumulation::Exact),
        ([Type::E2m1; 2], SEQUENTIAL),
        ([Type::E2m1, Type::E4m3fn], SEQUENTIAL),
        ([Type::E2m1, Type::E4m3fn], Accumulation::Exact),
        ([Type::Mxint8, Type::E3m2], Accumulation::Exact),
        ([Type::E5m2; 2], SEQUENTIAL),
        ([Type::Mxint8, Type::E5m2], SEQUENTIAL),
        ([Type::E5m2; 2], Accumulation::Exact),
        ([Type::Mxint8, Type::E5m2], Accumulation::Exact),
    ] {
        let elements = types.map(|ty| gpu.upload_bits(ty, &[1; 32]).unwrap());
        let [x, y] = elements
            .each_ref()
            .map(|x| BlockMatrix::new(x.view(), scale.view(), [1, 32], 32).unwrap());
        let on = module.composites().in_blocks(0);
        let refused = on.block_gemm(&x, &y, how, Mode::TIES_TO_EVEN, &mut out.view_mut(), None);
        assert!(refused.is_err(), "not on tensor cores: {types:?} {how:?}");
    }
}
