//! Bandwidth of the device side, relative to a copy in the same run.
//!
//! `speed [--outputs FOLDER] PTX-FILE-OR-FOLDER [ROW...]`: without rows those of one 16-bit operand
//! and one result, conversions and square roots of f32 and the encoders, and P3109's conversions
//! and functions of 8-bit formats (of codes in words of 32 bits); each by its own entry and by its
//! fast path. 2^28 elements, the median of 15 runs, bytes read and written, on N(0,1) data and on
//! uniformly random bits. Then, and alone if the row is `lengths`, the time of a call in a graph on
//! 2^16 to 2^24 elements of N(0,1) data, of the functions that PyTorch has (`benches/gpu/graphs.py`
//! puts its times beside them), and from each source of some functions' results. Into the folder go
//! the fast paths' results for all 65,536 operands, as in a long slice, where operands and results
//! have 16 bits.

use bitexact::activation::Bounds;
use bitexact::catalog::Arguments as _;
use bitexact::p3109::codes::{FunctionSpecialisation, Specialisation};
use bitexact::p3109::{FormatSpec, Projection, RoundingMode, SaturationMode};
use bitexact::scale::ScalePolicy;
use bitexact::{Mode, Rounding, bf16, convert, f16};
use cuda_shim::{
    Arguments, Buffer, Error, Fast, Gpu, Image, Module, Path, Row, Source, Type, View, ViewMut,
    row, rows,
};
use std::path::Path as FilePath;
use sweep_inputs::domain::SplitMix64;

const N: usize = 1 << 28;
const TILE: usize = 1 << 22;
const RUNS: usize = 15;

fn main() {
    if let Err(error) = run() {
        eprintln!("speed: {error}");
        std::process::exit(2);
    }
}

fn run() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1).peekable();
    let outputs = arguments
        .next_if(|first| first == "--outputs")
        .and_then(|_| arguments.next());
    let path = arguments.next().unwrap_or_else(|| "ptx".into());
    let wanted: Vec<String> = arguments.collect();
    let gpu = Gpu::open(0)?;
    let path = FilePath::new(&path);
    let image = if path.is_dir() {
        Image::find(path, gpu.architecture())?
    } else {
        Image::read(path)?
    };
    let module = gpu.load(&image)?;
    println!(
        "{}, driver for CUDA {}, {}; 2^28 elements, median of {RUNS}",
        gpu.name(),
        gpu.driver(),
        image.name()
    );
    let codes = gpu.upload_repeated(Type::U16, &tile(Data::Uniform, Type::U16), N)?;
    let mut out = gpu.zeros_of(Type::U16, N)?;
    let driver = bandwidth(&module, 4, || gpu.copy(&codes.view(), &mut out.view_mut()))?;
    let ours = bandwidth(&module, 4, || {
        module.copy(&codes.view(), &mut out.view_mut())
    })?;
    let copy = driver.max(ours);
    println!("copy of 16-bit data: {driver:.0} GB/s by the driver, {ours:.0} GB/s by our entry");
    println!("shares are of the faster one");
    drop(codes);
    if wanted.is_empty() || wanted.iter().any(|name| name == "lengths") {
        lengths(&module)?;
    }
    println!("| row | path | N(0,1) GB/s | of copy | uniform bits GB/s | of copy |");
    println!("|---|---|---|---|---|---|");
    for ty in [Type::F16, Type::Bf16, Type::F32] {
        let chosen: Vec<&Row> = rows()
            .iter()
            .filter(|row| chosen(row, ty, &wanted))
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let normal = gpu.upload_repeated(ty, &tile(Data::Normal, ty), N)?;
        let uniform = gpu.upload_repeated(ty, &tile(Data::Uniform, ty), N)?;
        for row in chosen {
            let results = measure(&module, row, None, [&normal, &uniform], copy)?;
            if let Some(folder) = &outputs {
                let file = FilePath::new(folder).join(row.name);
                std::fs::write(&file, results).map_err(|error| Error::Unreadable {
                    file: file.display().to_string(),
                    why: error.to_string(),
                })?;
            }
        }
    }
    let named = |row: &&Row| wanted.is_empty() || wanted.iter().any(|name| name == row.name);
    let normal = gpu.upload_repeated(Type::U32, &tile(Data::Normal, Type::F32), N)?;
    let uniform = gpu.upload_repeated(Type::U32, &tile(Data::Uniform, Type::U32), N)?;
    for (name, formats, projection) in P3109 {
        let Some(row) = rows().iter().find(|row| row.name == name).filter(named) else {
            continue;
        };
        measure(
            &module,
            row,
            Some((formats, projection)),
            [&normal, &uniform],
            copy,
        )?;
    }
    Ok(())
}

const REQUIRED: Projection = Projection::REQUIRED;
const DOWN: Projection = Projection::new(RoundingMode::TowardNegative, SaturationMode::SatNone);
/// Rows of P3109, the formats of the operand and of the result, and a projection.
const P3109: [(&str, [&str; 2], Projection); 12] = [
    ("p3109_convert", ["binary32", "Binary8p4se"], REQUIRED),
    ("p3109_convert", ["binary32", "Binary8p3se"], DOWN),
    ("p3109_convert", ["binary32", "Binary8p1uf"], REQUIRED),
    ("p3109_convert", ["binary32", "Binary4p2sf"], REQUIRED),
    ("p3109_convert", ["Binary8p4se", "binary32"], REQUIRED),
    ("p3109_convert", ["BFloat16", "Binary8p3se"], REQUIRED),
    ("p3109_convert", ["Binary8p3se", "BFloat16"], REQUIRED),
    ("p3109_exp", ["Binary8p4se", "Binary8p4se"], REQUIRED),
    ("p3109_tanh", ["Binary8p3se", "Binary8p3se"], DOWN),
    ("p3109_log2", ["Binary8p4se", "BFloat16"], REQUIRED),
    ("p3109_recip", ["Binary8p4se", "Binary8p4se"], DOWN),
    ("p3109_sqrt", ["Binary4p2sf", "Binary4p2sf"], REQUIRED),
];

fn chosen(row: &Row, ty: Type, wanted: &[String]) -> bool {
    let ([operand], [_]) = (row.operands, row.results) else {
        return false;
    };
    let takes = row.forms[0].takes.choices;
    let plain =
        takes == "a mode" && matches!(row.forms[0].takes.parameters, None | Some(("bounds", _)));
    let by_default = (plain || takes == "a policy")
        && !row.name.starts_with("to_int")
        && (ty != Type::F32
            || takes == "a policy"
            || ["convert", "sqrt"]
                .iter()
                .any(|op| row.name.starts_with(op)));
    *operand == ty
        && if wanted.is_empty() {
            by_default
        } else {
            wanted.iter().any(|name| name == row.name)
        }
}

/// Prints a row's lines, and returns its 65,536 results.
fn measure(
    module: &Module,
    row: &Row,
    p3109: Option<([&str; 2], Projection)>,
    data: [&Buffer; 2],
    copy: f64,
) -> Result<Vec<u8>, Error> {
    let gpu = module.gpu();
    let mode = Mode::TIES_TO_EVEN;
    let Ok(bounds) = Bounds::new(-1.0f32, 1.0) else {
        return Ok(Vec::new());
    };
    let takes = row.forms[0].takes;
    let specialised = p3109.and_then(|(names, projection)| {
        let [x, result] = names.map(FormatSpec::from_name);
        Specialisation::new(&[x?], result?, projection)
    });
    let name = match p3109 {
        Some(([x, result], projection)) => {
            format!("{} {x} to {result} {:?}", row.name, projection.rounding)
        }
        None => row.name.into(),
    };
    let function = specialised.and_then(FunctionSpecialisation::new);
    let arguments: Arguments = match (takes.parameters, takes.choices) {
        _ if takes == FunctionSpecialisation::TAKES => match function {
            Some(function) => function.into(),
            None => return Ok(Vec::new()),
        },
        _ if takes == Specialisation::TAKES => match specialised {
            Some(specialised) => specialised.into(),
            None => return Ok(Vec::new()),
        },
        (None, "a mode") => mode.into(),
        (None, "a policy") => ScalePolicy::CEIL.into(),
        (Some(_), "a mode") => (bounds, mode).into(),
        _ => ().into(),
    };
    let mut out = gpu.zeros_of(row.results[0], N)?;
    let bytes = row.operands[0].bytes() + row.results[0].bytes();
    let mut line = |path: &str, run: &dyn Fn(&View, &mut ViewMut) -> Result<(), Error>| {
        let mut figures = String::new();
        for data in data {
            let speed = bandwidth(module, bytes, || run(&data.view(), &mut out.view_mut()))?;
            figures += &format!(" {speed:.0} | {:.0} % |", 100.0 * speed / copy);
        }
        println!("| {name} | {path} |{figures}");
        Ok(())
    };
    line("core", &|x, out| {
        let mut out = [out.reborrow()];
        module.launch(row.name, &[*x], &mut out, None, arguments)
    })?;
    let fast = module.fast(row.name, arguments)?;
    // Slices of this length come from the table.
    let path = match fast.path() {
        Path::Enclosed => Path::Table,
        path => path,
    };
    line(path.name(), &|x, out| module.run_fast(&fast, x, out))?;
    // A table is equally fast in every mode; other paths are measured in one more mode.
    if path != Path::Table && takes.to_string() == "a mode" {
        let down = Mode::ieee(Rounding::TowardNegative);
        let fast = module.fast(row.name, down)?;
        let name = format!("{}, downward", fast.path().name());
        line(&name, &|x, out| module.run_fast(&fast, x, out))?;
    }
    if [row.operands[0].bytes(), row.results[0].bytes()] != [2, 2] {
        return Ok(Vec::new());
    }
    let mut operands = gpu.zeros_of(row.operands[0], Fast::LONG)?;
    module.operands(0, &mut [operands.view_mut()], &[16])?;
    let mut out = gpu.zeros_of(row.results[0], Fast::LONG)?;
    module.run_fast(&fast, &operands.view(), &mut out.view_mut())?;
    let words = gpu.download_bits(&out.view())?;
    let last = words.iter().skip(Fast::LONG - (1 << 16));
    Ok(last.flat_map(|word| (*word as u16).to_le_bytes()).collect())
}

/// Functions of a 16-bit number that PyTorch has, too.
const FUNCTIONS: [&str; 37] = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "lgamma",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sigmoid",
    "silu",
    "gelu",
    "gelu_tanh",
    "mish",
    "relu",
    "relu6",
    "hardswish",
    "hardsigmoid",
    "softsign",
    "tanhshrink",
    "logsigmoid",
];
/// Those that are measured from each source of their results.
const BY_SOURCE: [&str; 5] = ["exp", "gelu", "sigmoid", "silu", "tanh"];

/// Prints microseconds a call, of calls that a graph holds; and of calls that are queued one by
/// one.
fn lengths(module: &Module) -> Result<(), Error> {
    const LENGTHS: [u32; 5] = [16, 18, 20, 22, 24];
    let gpu = module.gpu();
    println!("| row | source | 2^16 elements, us in a graph | 2^18 | 2^20 | 2^22 | 2^24 |");
    println!("|---|---|---|---|---|---|---|");
    for ty in [Type::Bf16, Type::F16] {
        let most = 1 << 24;
        let x = gpu.upload_repeated(ty, &tile(Data::Normal, ty), most)?;
        let mut out = gpu.zeros_of(ty, most)?;
        let mut line = |name: &str, run: &dyn Fn(&View, &mut ViewMut) -> Result<(), Error>| {
            let mut figures = String::new();
            for log in LENGTHS {
                let n = 1 << log;
                let (Some(x), Some(mut out)) = (x.slice(0..n), out.slice_mut(0..n)) else {
                    continue;
                };
                let calls = 1 << (28 - log).min(7);
                // The first call loads the entry.
                run(&x, &mut out)?;
                let graph = module.record(|| (0..calls).try_for_each(|_| run(&x, &mut out)))?;
                // SAFETY: `x` and `out` are there until all is measured.
                let seconds = median(gpu, || unsafe { graph.launch() })?;
                figures += &format!(" {:.2} |", 1e6 * seconds / f64::from(calls));
            }
            println!("| {name} |{figures}");
            Ok::<_, Error>(())
        };
        line(&format!("copy.{} | ", ty.name()), &|x, out| {
            module.copy(x, out)
        })?;
        for kernel in FUNCTIONS {
            let name = format!("{kernel}.{}", ty.name());
            let arguments: Arguments = match row(&name).map(|row| row.forms[0].takes.choices) {
                Some("a mode") => Mode::TIES_TO_EVEN.into(),
                _ => ().into(),
            };
            let fast = module.fast(&name, arguments)?;
            line(&format!("{name} | chosen"), &|x, out| {
                module.run_fast(&fast, x, out)
            })?;
            for source in [Source::Enclosure, Source::Global, Source::Shared] {
                // Without an approximation that gave the row's results there is no such source.
                let none = source == Source::Enclosure && fast.path() != Path::Enclosed;
                if none || !BY_SOURCE.contains(&kernel) {
                    continue;
                }
                let fast = module.fast(&name, arguments)?.from_source(source);
                line(&format!("{name} | {source:?}"), &|x, out| {
                    module.run_fast(&fast, x, out)
                })?;
            }
        }
    }
    let x = gpu.zeros_of(Type::Bf16, 1 << 10)?;
    let mut out = gpu.zeros_of(Type::Bf16, 1 << 10)?;
    let fast = module.fast("exp.bf16", Mode::TIES_TO_EVEN)?;
    let calls = 1000;
    let mut run = || module.run_fast(&fast, &x.view(), &mut out.view_mut());
    let seconds = median(gpu, || (0..calls).try_for_each(|_| run()))? / f64::from(calls);
    println!(
        "exp.bf16 of 2^10 elements, calls one by one: {:.2} us a call",
        1e6 * seconds
    );
    Ok(())
}

/// The median of some runs' seconds.
fn median(gpu: &Gpu, mut run: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    run()?;
    gpu.wait()?;
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let timer = gpu.timer()?;
        run()?;
        seconds.push(timer.seconds()?);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[RUNS / 2])
}

/// GB/s.
fn bandwidth(
    module: &Module,
    bytes: usize,
    run: impl FnMut() -> Result<(), Error>,
) -> Result<f64, Error> {
    Ok((N * bytes) as f64 / median(module.gpu(), run)? / 1e9)
}

#[derive(Clone, Copy)]
enum Data {
    Normal,
    Uniform,
}

/// Repeated data.
fn tile(data: Data, ty: Type) -> Vec<u64> {
    let mut random = SplitMix64::seeded(1);
    let mut next = || random.next();
    (0..TILE)
        .map(|_| match data {
            Data::Uniform => next(),
            Data::Normal => {
                let unit = |word: u64| ((word >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
                let (u, v) = (unit(next()), unit(next()));
                let x = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
                match ty {
                    Type::F16 => {
                        let x: f16 = convert::convert(x, Mode::TIES_TO_EVEN);
                        x.to_bits().into()
                    }
                    Type::Bf16 => {
                        let x: bf16 = convert::convert(x, Mode::TIES_TO_EVEN);
                        x.to_bits().into()
                    }
                    _ => (x as f32).to_bits().into(),
                }
            }
        })
        .collect()
}
