//! The host side on a real device, against the same kernels on the host.
//!
//! The tests that need a device are ignored. `--include-ignored` runs them; then they fail without
//! a device or without a module (`BITEXACT_PTX`: a file or a folder).

use bitexact::activation::{self, Bounds, NanGradient};
use bitexact::format::E4M3FN;
use bitexact::p3109::codes::{self, FunctionSpecialisation, Specialisation};
use bitexact::p3109::{FormatSpec, Projection, RoundingMode, SaturationMode};
use bitexact::scale::{self, ScalePolicy};
use bitexact::{Mode, Rounding, arith, bf16, convert, f16};
use cuda_shim::{
    Arguments, Buffer, Element, Error, Fast, Gpu, Image, Module, Path, Row, Source, Type,
    is_enclosed, rows,
};
use std::path::PathBuf;
use std::sync::LazyLock;

mod check;
mod composites;
mod digits;
mod epilogues;
mod graphs;
mod networks;
mod tensor;
mod tiles;

/// The device and the module.
fn module() -> &'static Module {
    static OPENED: LazyLock<Result<Module, String>> = LazyLock::new(open);
    match &*OPENED {
        Ok(module) => module,
        Err(why) => panic!("no GPU to test: {why}"),
    }
}

fn open() -> Result<Module, String> {
    Gpu::open(0)
        .map_err(|error| error.to_string())
        .and_then(|gpu| {
            let path = std::env::var_os("BITEXACT_PTX").map(PathBuf::from);
            let path = path.ok_or("BITEXACT_PTX names no PTX file or folder")?;
            let image = if path.is_dir() {
                Image::find(&path, gpu.architecture())
            } else {
                Image::read(&path)
            };
            image
                .and_then(|image| gpu.load(&image))
                .map_err(|error| error.to_string())
        })
}

/// Numbers of all kinds, the same in every run.
fn words(n: usize) -> impl Iterator<Item = u64> {
    (0..n as u64).map(|i| {
        let mut z = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^ (z >> 27)
    })
}

const LENGTHS: [usize; 12] = [0, 1, 7, 8, 9, 15, 16, 17, 255, 4096, 65_537, 1_100_003];

/// What a launch on elements `offset..offset + n` of longer buffers writes, checking that it
/// writes nothing else.
fn apart<X: Element, R: Element>(
    module: &Module,
    row: &str,
    x: &[X],
    [from, to]: [usize; 2],
    arguments: Arguments,
    fast: bool,
) -> Vec<u64> {
    let gpu = module.gpu();
    let mut padded = vec![x.first().copied(); from];
    padded.extend(x.iter().copied().map(Some));
    let padded: Vec<X> = padded.into_iter().flatten().collect();
    let from = padded.len() - x.len();
    let source = gpu.upload(&padded).unwrap();
    let total = to + x.len() + 24;
    let before: Vec<u64> = words(total).map(|word| word | 1).collect();
    let mut out: Buffer = gpu.upload_bits(R::TYPE, &before).unwrap();
    let before = gpu.download_bits(&out.view()).unwrap();
    let view = source.slice(from..from + x.len()).unwrap();
    {
        let mut target = out.slice_mut(to..to + x.len()).unwrap();
        if fast {
            let fast = module.fast(row, arguments).unwrap();
            module.run_fast(&fast, &view, &mut target).unwrap();
        } else {
            module
                .launch(row, &[view], &mut [target], None, arguments)
                .unwrap();
        }
    }
    let after = gpu.download_bits(&out.view()).unwrap();
    assert_eq!(after[..to], before[..to], "{row}: wrote before its slice");
    let end = to + x.len();
    assert_eq!(after[end..], before[end..], "{row}: wrote after its slice");
    after[to..end].to_vec()
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn any_length_and_alignment() {
    let module = module();
    let even = Mode::TIES_TO_EVEN;
    let down = Mode::ieee(Rounding::TowardNegative);
    for n in LENGTHS {
        let wide: Vec<f32> = words(n).map(|word| f32::from_bits(word as u32)).collect();
        let narrow: Vec<f16> = words(n).map(|word| f16::from_bits(word as u16)).collect();
        let offsets = [[0, 0], [1, 0], [0, 1], [3, 5], [8, 16]];
        for (offsets, fast) in offsets.into_iter().flat_map(|at| [(at, false), (at, true)]) {
            for mode in [even, down] {
                let got = apart::<f32, bf16>(
                    module,
                    "convert.f32.bf16",
                    &wide,
                    offsets,
                    Arguments::from(mode),
                    fast,
                );
                let due = wide.iter().map(|x| {
                    let y: bf16 = convert::convert(*x, mode);
                    u64::from(y.to_bits())
                });
                assert!(got.into_iter().eq(due), "convert {n} {offsets:?} {mode:?}");
                let got = apart::<f16, f16>(
                    module,
                    "sqrt.f16",
                    &narrow,
                    offsets,
                    Arguments::from(mode),
                    fast,
                );
                let due = narrow.iter().map(|x| {
                    let y: f16 = arith::sqrt(*x, mode);
                    u64::from(y.to_bits())
                });
                assert!(got.into_iter().eq(due), "sqrt {n} {offsets:?} {mode:?}");
            }
            let policy = ScalePolicy::CEIL;
            let got = apart::<f32, scale::E8M0>(
                module,
                "e8m0_encode.f32",
                &wide,
                offsets,
                Arguments::from(policy),
                fast,
            );
            let due = wide
                .iter()
                .map(|x| u64::from(scale::encode_status(*x, &policy).0.to_bits()));
            assert!(got.into_iter().eq(due), "encode {n} {offsets:?}");
        }
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn paths_are_the_stated_ones() {
    let module = module();
    let even = Arguments::from(Mode::TIES_TO_EVEN);
    let down = Arguments::from(Mode::ieee(Rounding::TowardNegative));
    let saturating = Arguments::from(Mode::TIES_TO_EVEN.saturating());
    let policy = |policy: ScalePolicy| Arguments::from(policy);
    let odd = ScalePolicy {
        infinity: scale::E8M0::from_bits(7),
        ..ScalePolicy::CEIL
    };
    let below = ScalePolicy {
        below_minimum: scale::BelowMinimum::Code(scale::E8M0::from_bits(100)),
        ..ScalePolicy::FLOOR
    };
    // From 254 to 5, just above 2^127, is not a step up by one.
    let down_again = ScalePolicy {
        overflow: scale::E8M0::from_bits(5),
        ..ScalePolicy::CEIL
    };
    let p3109 = |names, rounding| Arguments::from(specialisation(names, rounding));
    let function = FunctionSpecialisation::new(specialisation(
        ["Binary8p4se", "BFloat16"],
        RoundingMode::ToOdd,
    ));
    let stochastic = RoundingMode::StochasticB { bits: 4, random: 9 };
    let to_8 = ["binary32", "Binary8p4se"];
    for (row, arguments, due) in [
        ("p3109_exp", Arguments::from(function.unwrap()), Path::Table),
        (
            "p3109_convert",
            p3109(["BFloat16", "Binary8p4se"], stochastic),
            Path::Table,
        ),
        (
            "p3109_convert",
            p3109(to_8, RoundingMode::ToOdd),
            Path::Prefix,
        ),
        ("p3109_convert", p3109(to_8, stochastic), Path::Core),
        (
            "p3109_convert",
            p3109(["binary32", "binary16"], RoundingMode::ToOdd),
            Path::Core,
        ),
        ("p3109_sqrt", p3109(to_8, RoundingMode::ToOdd), Path::Core),
        ("convert.f32.e4m3fn", even, Path::Prefix),
        ("convert.f32.e5m2", down, Path::Prefix),
        ("convert.f32.e2m1", saturating, Path::Prefix),
        ("mxint8_encode.f32", down, Path::Prefix),
        ("exp.f16", even, Path::Enclosed),
        ("gelu.bf16", even, Path::Enclosed),
        ("sqrt.bf16", even, Path::Enclosed),
        ("hardswish.f16", even, Path::Enclosed),
        ("hardswish.f16", down, Path::Table),
        ("relu.bf16", ().into(), Path::Enclosed),
        ("gelu.bf16", saturating, Path::Table),
        ("lgamma.bf16", even, Path::Table),
        ("softplus.f16", softplus(1.0, 20.0), Path::Enclosed),
        ("softplus.f16", softplus(2.0, 20.0), Path::Table),
        ("exp.bf16", down, Path::Table),
        ("e8m0_encode.f16", policy(below), Path::Table),
        ("convert.f32.f16", even, Path::Hardware),
        ("convert.f32.bf16", even, Path::Hardware),
        ("convert.f32.bf16", down, Path::Hardware),
        ("convert.f32.f16", down, Path::Hardware),
        ("convert.f64.bf16", down, Path::Core),
        ("convert.f32.bf16", saturating, Path::Core),
        ("convert.f16.f32", even, Path::Hardware),
        ("convert.f16.f32", down, Path::Hardware),
        ("sqrt.f16.f32", down, Path::Table),
        ("sqrt.bf16.f32", even, Path::Hardware),
        ("convert.f64.f32", even, Path::Vector),
        ("e8m0_encode.f32", policy(ScalePolicy::CEIL), Path::Steps),
        ("e8m0_encode.f32", policy(odd), Path::Steps),
        ("e8m0_encode.f32", policy(below), Path::Steps),
        ("e8m0_encode.f32", policy(down_again), Path::Vector),
    ] {
        let fast = module.fast(row, arguments).unwrap();
        assert_eq!(fast.path(), due, "{row}");
    }
}

fn softplus(beta: f32, threshold: f32) -> Arguments<'static> {
    Arguments::from(((beta, threshold), Mode::TIES_TO_EVEN))
}

/// Compares an enclosed function with the row's own entry: in a slice of every operand, and in
/// others; from every source. Whether its approximation gave this device's results.
fn enclosed(module: &Module, row: &Row, lengths: &[usize], sources: &[Option<Source>]) -> bool {
    let gpu = module.gpu();
    let arguments = match row.kernel {
        "softplus" => softplus(1.0, 20.0),
        "relu" | "relu6" => Arguments::from(()),
        _ => Arguments::from(Mode::TIES_TO_EVEN),
    };
    let most = lengths.iter().copied().max().unwrap_or(0);
    // First every operand, then some.
    let operands: Vec<u64> = (0..1 << 16).chain(words(most)).take(most + 16).collect();
    let x = gpu.upload_bits(row.operands[0], &operands).unwrap();
    let mut due = gpu.zeros_of(row.results[0], most + 16).unwrap();
    module
        .launch(
            row.name,
            &[x.view()],
            &mut [due.view_mut()],
            None,
            arguments,
        )
        .unwrap();
    let due = gpu.download_bits(&due.view()).unwrap();
    let before: Vec<u64> = words(most + 16).map(|word| word & 0xFFFF).collect();
    for source in sources {
        let fast = module.fast(row.name, arguments).unwrap();
        let fast = match source {
            Some(source) => fast.from_source(*source),
            None => fast,
        };
        for &n in lengths {
            let mut out = gpu.upload_bits(row.results[0], &before).unwrap();
            let view = x.slice(8..8 + n).unwrap();
            module
                .run_fast(&fast, &view, &mut out.slice_mut(8..8 + n).unwrap())
                .unwrap();
            let got = gpu.download_bits(&out.view()).unwrap();
            assert!(
                got[8..8 + n] == due[8..8 + n],
                "{} {n} {source:?}",
                row.name
            );
            assert!(
                got[..8] == before[..8] && got[8 + n..] == before[8 + n..],
                "{} {n} {source:?}: wrote outside of its slice",
                row.name
            );
        }
    }
    module.fast(row.name, arguments).unwrap().path() == Path::Enclosed
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn enclosed_functions() {
    let module = module();
    let lengths = [0, 1, 7, 8, 9, 2047, 2053, (1 << 16) + 13, 1_100_003];
    let sources = [Source::Enclosure, Source::Global, Source::Shared].map(Some);
    let sources = [&[None], &sources[..]].concat();
    let all: Vec<&Row> = rows().iter().filter(|row| is_enclosed(row)).collect();
    assert_eq!(all.len(), 76);
    let is_not = |row: &&&Row| !enclosed(module, row, &lengths, &sources);
    let not: Vec<_> = all.iter().filter(is_not).map(|row| row.name).collect();
    // From the approximation, and from the table.
    for (name, most) in [
        ("tanh.bf16", Fast::LONG),
        ("gelu.bf16", 1 << 21),
        ("log.f16", 1 << 22),
    ] {
        let row = cuda_shim::row(name).unwrap();
        let lengths = [most - 3, most, most + 3, Fast::LONG, Fast::LONG + 8];
        assert!(enclosed(module, row, &lengths, &[None]), "{name}");
    }
    assert!(not.is_empty(), "not by approximation: {not:?}");
}

/// The same of functions that an emulated device has; one of them has parameters.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn enclosed_on_any_device() {
    let lengths = [0, 1, 7, 8, 9, 2047, 2053, (1 << 16) + 13];
    for name in [
        "gelu.f16",
        "gelu.bf16",
        "softplus.f16",
        "softplus.bf16",
        "relu.f16",
        "relu6.bf16",
    ] {
        let row = cuda_shim::row(name).unwrap();
        let sources = [None, Some(Source::Enclosure)];
        assert!(enclosed(module(), row, &lengths, &sources), "{name}");
    }
    let others = softplus(2.0, 20.0);
    let fast = module().fast("softplus.bf16", others).unwrap();
    assert_eq!(fast.path(), Path::Table);
}

fn specialisation(names: [&str; 2], rounding: RoundingMode) -> Specialisation {
    let [x, result] = names.map(|name| FormatSpec::from_name(name).unwrap());
    let projection = Projection::new(rounding, SaturationMode::SatNone);
    Specialisation::new(&[x], result, projection).unwrap()
}

/// Words of codes, some with bits above the code; and conversions of f32 to 8 bits: in short and
/// long slices, aligned or not.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn codes_in_words_by_tables() {
    let module = module();
    let rounding = RoundingMode::NearestTiesToEven;
    for n in [0, 1, 7, 1003, Fast::LONG, Fast::LONG + 5] {
        let wide: Vec<u32> = words(n).map(|word| word as u32).collect();
        let floats: Vec<f32> = wide.iter().map(|word| f32::from_bits(*word)).collect();
        for offsets in [[0, 0], [1, 0], [0, 1], [4, 8]] {
            for (names, due) in [
                (["Binary3p2se", "Binary8p4se"], Path::Table),
                (["Binary8p4se", "binary32"], Path::Table),
                (["Binary8p4se", "Binary12p5se"], Path::Table),
                (["Binary16p8se", "Binary16p7uf"], Path::Table),
                (["BFloat16", "binary32"], Path::Table),
                (["binary32", "Binary8p3se"], Path::Prefix),
                (["binary32", "Binary8p7uf"], Path::Prefix),
                // A midpoint has 9 bits.
                (["binary32", "Binary8p8uf"], Path::Core),
            ] {
                let s = specialisation(names, rounding);
                let arguments = Arguments::from(s);
                let fast = module.fast("p3109_convert", arguments).unwrap();
                assert_eq!(fast.path(), due, "{names:?}");
                let got =
                    apart::<u32, u32>(module, "p3109_convert", &wide, offsets, arguments, true);
                let due = wide.iter().map(|x| u64::from(codes::convert(*x, s)));
                assert!(got.into_iter().eq(due), "{names:?} {n} {offsets:?}");
            }
            let even = Arguments::from(Mode::TIES_TO_EVEN);
            let got =
                apart::<f32, E4M3FN>(module, "convert.f32.e4m3fn", &floats, offsets, even, true);
            let due = floats.iter().map(|x| {
                let code: E4M3FN = convert::convert(*x, Mode::TIES_TO_EVEN);
                u64::from(code.to_bits())
            });
            assert!(got.into_iter().eq(due), "e4m3fn {n} {offsets:?}");
        }
    }
}

/// Without a check over all operands: short enough for a tool that watches shared memory.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn tables_in_shared_memory() {
    let module = module();
    let mode = Mode::ieee(Rounding::TowardPositive);
    let narrow: Vec<f16> = words(Fast::LONG + 5)
        .map(|word| f16::from_bits(word as u16))
        .collect();
    let arguments = Arguments::from(mode);
    let got = apart::<f16, f16>(module, "sqrt.f16", &narrow, [0, 0], arguments, true);
    let due = narrow.iter().map(|x| {
        let y: f16 = arith::sqrt(*x, mode);
        u64::from(y.to_bits())
    });
    assert!(got.into_iter().eq(due));
    let policy = ScalePolicy::CEIL;
    let arguments = Arguments::from(policy);
    let got =
        apart::<f16, scale::E8M0>(module, "e8m0_encode.f16", &narrow, [0, 0], arguments, true);
    let due = narrow
        .iter()
        .map(|x| u64::from(scale::encode(*x, &policy).to_bits()));
    assert!(got.into_iter().eq(due));
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn results_flags_and_arguments() {
    let module = module();
    let gpu = module.gpu();
    let n = 100_003;
    let a: Vec<bf16> = words(n).map(|word| bf16::from_bits(word as u16)).collect();
    let b: Vec<bf16> = words(n)
        .map(|word| bf16::from_bits((word >> 16) as u16))
        .collect();
    let c: Vec<f32> = words(n)
        .map(|word| f32::from_bits((word >> 32) as u32))
        .collect();
    let random: Vec<u16> = words(n).map(|word| (word >> 48) as u16).collect();
    let [a_, b_] = [&a, &b].map(|x| gpu.upload(x).unwrap());
    let (c_, random_) = (gpu.upload(&c).unwrap(), gpu.upload(&random).unwrap());
    let mut flags = gpu.zeros::<u8>(n).unwrap();

    let mut out = gpu.zeros::<f32>(n).unwrap();
    let mode = Mode::ieee(Rounding::ToOdd);
    let operands = [a_.view(), b_.view(), c_.view()];
    module
        .launch(
            "fma.bf16.bf16.f32.f32",
            &operands,
            &mut [out.view_mut()],
            Some(flags.view_mut()),
            Arguments::from(mode),
        )
        .unwrap();
    let (results, raised) = (
        gpu.download_bits(&out.view()).unwrap(),
        gpu.download::<u8>(&flags.view()).unwrap(),
    );
    for i in 0..n {
        let (due, status): (f32, _) = arith::fma_status(a[i], b[i], c[i], mode);
        let got = (results[i], raised[i]);
        assert_eq!(got, (due.to_bits().into(), status.bits()), "fma {i}");
    }

    let mut out = gpu.zeros::<bf16>(n).unwrap();
    module
        .launch(
            "add.bf16",
            &[a_.view(), b_.view()],
            &mut [out.view_mut()],
            None,
            Arguments::stochastic(random_.view(), bitexact::Overflow::SaturateFinite),
        )
        .unwrap();
    let results = gpu.download::<bf16>(&out.view()).unwrap();
    for i in 0..n {
        let overflow = bitexact::Overflow::SaturateFinite;
        let due: bf16 = arith::add_stochastic(a[i], b[i], random[i], overflow);
        assert_eq!(results[i].to_bits(), due.to_bits(), "stochastic add {i}");
    }

    let mut exponents = gpu.zeros::<i32>(n).unwrap();
    module
        .launch(
            "frexp.bf16",
            &[a_.view()],
            &mut [out.view_mut(), exponents.view_mut()],
            None,
            Arguments::from(()),
        )
        .unwrap();
    let results = gpu.download::<bf16>(&out.view()).unwrap();
    let exponents = gpu.download::<i32>(&exponents.view()).unwrap();
    for i in 0..n {
        let (fraction, exponent) = arith::frexp(a[i]);
        let due = (fraction.to_bits(), exponent);
        assert_eq!((results[i].to_bits(), exponents[i]), due, "frexp {i}");
    }

    let bounds = Bounds::new(-0.7f32, 0.7).unwrap();
    module
        .launch(
            "hardtanh_backward.bf16",
            &[a_.view(), b_.view()],
            &mut [out.view_mut()],
            None,
            Arguments::from((bounds, NanGradient::Propagate)),
        )
        .unwrap();
    let results = gpu.download::<bf16>(&out.view()).unwrap();
    for i in 0..n {
        let due = activation::hardtanh_backward(a[i], b[i], bounds, NanGradient::Propagate);
        assert_eq!(results[i].to_bits(), due.to_bits(), "hardtanh_backward {i}");
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn more_elements_than_an_i32_counts() {
    let module = module();
    let gpu = module.gpu();
    let n = (1usize << 31) + 3;
    let mut x = gpu.zeros_of(Type::E8m0, n).unwrap();
    let mut y = gpu.zeros_of(Type::E8m0, n).unwrap();
    module.operands(0, &mut [x.view_mut()], &[8]).unwrap();
    module
        .launch(
            "e8m0_reciprocal",
            &[x.view()],
            &mut [y.view_mut()],
            None,
            Arguments::from(()),
        )
        .unwrap();
    let windows = || [0, (1 << 30) - 500, (1 << 31) - 500, n - 1000].map(|k| k..n.min(k + 1000));
    for window in windows() {
        let got = gpu.download_bits(&y.slice(window.clone()).unwrap());
        for (i, got) in window.zip(got.unwrap()) {
            let due = scale::E8M0::from_bits(i as u8).reciprocal();
            assert_eq!(got, u64::from(due.to_bits()), "{i}");
        }
    }
    drop((x, y));
    // More bytes than a u32 counts, through a table.
    let mode = Mode::ieee(Rounding::TowardPositive);
    let mut x = gpu.zeros_of(Type::F16, n).unwrap();
    let mut y = gpu.zeros_of(Type::F16, n).unwrap();
    module.operands(0, &mut [x.view_mut()], &[16]).unwrap();
    let table = module.fast("sqrt.f16", Arguments::from(mode)).unwrap();
    assert_eq!(table.path(), cuda_shim::Path::Table);
    module
        .run_fast(&table, &x.view(), &mut y.view_mut())
        .unwrap();
    for window in windows() {
        let got = gpu.download_bits(&y.slice(window.clone()).unwrap());
        for (i, got) in window.zip(got.unwrap()) {
            let due: f16 = arith::sqrt(f16::from_bits(i as u16), mode);
            assert_eq!(got, u64::from(due.to_bits()), "{i}");
        }
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn digests_are_the_stated_ones() {
    let module = module();
    let gpu = module.gpu();
    let n = 70_001;
    let [first, second, flags] = [0, 1, 2].map(|k| words(n).map(|w| w >> k).collect::<Vec<_>>());
    let first_ = gpu.upload_bits(Type::I64, &first).unwrap();
    let second_ = gpu.upload_bits(Type::U16, &second).unwrap();
    let flags_ = gpu.upload_bits(Type::U8, &flags).unwrap();
    let mut sums = module.sums(3).unwrap();
    let views = [first_.view(), second_.view()];
    let start = u64::MAX - 5;
    module
        .digest(&mut sums, 1, start, &views, Some(flags_.view()))
        .unwrap();
    let mut due = 0u64;
    for i in 0..n {
        let index = start.wrapping_add(i as u64);
        due = due.wrapping_add(mix(index, [first[i], second[i] & 0xFFFF], flags[i] as u8));
    }
    assert_eq!(module.read(&sums).unwrap(), [0, due, 0]);
}

use sweep_inputs::digest::mix;

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn what_does_not_fit_is_an_error() {
    let module = module();
    let gpu = module.gpu();
    let x = gpu.zeros::<f16>(8).unwrap();
    let short = gpu.zeros::<f16>(7).unwrap();
    let other = gpu.zeros::<bf16>(8).unwrap();
    let mut y = gpu.zeros::<f16>(8).unwrap();
    let mode = Arguments::from(Mode::TIES_TO_EVEN);
    let mut add = |a: &Buffer, b: &Buffer, row: &str, arguments: Arguments| {
        module.launch(
            row,
            &[a.view(), b.view()],
            &mut [y.view_mut()],
            None,
            arguments,
        )
    };
    assert_eq!(add(&x, &x, "add.f16", mode), Ok(()));
    assert!(matches!(
        add(&x, &x, "ad.f16", mode),
        Err(Error::UnknownRow(_))
    ));
    assert!(matches!(
        add(&x, &short, "add.f16", mode),
        Err(Error::Mismatch { .. })
    ));
    assert!(matches!(
        add(&x, &other, "add.f16", mode),
        Err(Error::Mismatch { .. })
    ));
    assert!(matches!(
        add(&x, &x, "sqrt.f16", mode),
        Err(Error::Mismatch { .. })
    ));
    let none = Arguments::from(());
    assert!(matches!(
        add(&x, &x, "add.f16", none),
        Err(Error::WrongArguments { .. })
    ));
    assert!(matches!(
        gpu.zeros::<f16>(1 << 50),
        Err(Error::OutOfMemory { .. })
    ));
    assert!(gpu.download::<bf16>(&x.view()).is_err());
    // The device still works.
    assert_eq!(add(&x, &x, "add.f16", mode), Ok(()));
    gpu.wait().unwrap();
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn a_wrong_module_is_an_error() {
    let module = module();
    let gpu = module.gpu();
    let load = |text: &str| {
        let image = Image::new("test.ptx".into(), text.into())?;
        gpu.load(&image).map(drop)
    };
    let error = load(".version 7.8\n.target sm_75\n.address_size 64\nnonsense;\n").unwrap_err();
    eprintln!("{error}");
    assert!(matches!(error, Error::BadModule { .. }));
    let error = load(".version 7.8\n.target sm_999\n.address_size 64\n").unwrap_err();
    eprintln!("{error}");
    assert!(matches!(error, Error::WrongArchitecture { .. }));
    let error = load(".version 99.9\n.target sm_75\n.address_size 64\n").unwrap_err();
    eprintln!("{error}");
    assert!(matches!(
        error,
        Error::DriverTooOld { .. } | Error::BadModule { .. }
    ));
    let error = Image::new("x.cubin".into(), b"\x7FELF, and nothing more".to_vec())
        .and_then(|image| gpu.load(&image).map(drop))
        .unwrap_err();
    eprintln!("{error}");
    let empty = Image::new(
        "empty.ptx".into(),
        ".version 7.8\n.target sm_75\n.address_size 64\n".into(),
    );
    let empty = gpu.load(&empty.unwrap()).unwrap();
    let x = gpu.zeros::<f16>(8).unwrap();
    let mut y = gpu.zeros::<f16>(8).unwrap();
    let error = empty.launch(
        "abs.f16",
        &[x.view()],
        &mut [y.view_mut()],
        None,
        Arguments::from(()),
    );
    assert!(matches!(error, Err(Error::NoEntry { .. })));
    let error = Gpu::open(99).unwrap_err();
    assert!(matches!(error, Error::NoDevice { ordinal: 99, .. }));
}
