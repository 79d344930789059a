//! `tensor_speed [PTX FILE OR FOLDER] [NAME...]`: times of the composites on tensors, a line each:
//! the name, the seconds of the median run, and what one run does (its operations, or the bytes
//! that it must read and write). `benches/gpu/tensors.py` puts PyTorch's times of the same work
//! beside them. Data: N(0,1), and uniformly random finite bits where it says so.

use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2};
use bitexact::nn::Conv2d;
use bitexact::reduce::{Lanes, Order};
use bitexact::scale::{self, BlockError, Dialect, E8M0, MxInt8, Nvfp4};
use bitexact::tensor::{Accumulation, Slice};
use bitexact::{Mode, bf16, convert, f16};
use cuda_shim::{
    BlockMatrix, Buffer, Composites, Epilogue, Error, Gpu, Image, Module, Tensor, TensorMut, Type,
    View, ViewMut,
};
use networks::{GeluNet, ReluNet, SEED};
use std::path::Path;
use sweep_inputs::domain::SplitMix64;

#[path = "../tests/gpu/networks/device.rs"]
mod device;
use device::OnDevice;

const RUNS: usize = 15;
const TILE: usize = 1 << 22;
const EVEN: Mode = Mode::TIES_TO_EVEN;

fn main() {
    if let Err(error) = run() {
        eprintln!("tensor_speed: {error}");
        std::process::exit(2);
    }
}

struct Bench {
    module: Module,
    wanted: Vec<String>,
}

impl Bench {
    /// Prints a line, or why there is none.
    fn line(&self, name: &str, work: f64, unit: &str, mut run: impl FnMut() -> Result<(), Error>) {
        if !self.wanted.is_empty() && !self.wanted.iter().any(|wanted| name.contains(wanted)) {
            return;
        }
        match self.seconds(&mut run) {
            Ok(seconds) => println!(
                "{name}\t{seconds:.9}\t{work}\t{unit}\t{:.1} G{unit}/s",
                work / seconds / 1e9
            ),
            Err(error) => println!("{name}\tno figure: {error}"),
        }
    }

    fn seconds(&self, run: &mut impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
        for _ in 0..2 {
            run()?;
        }
        self.module.gpu().wait()?;
        let mut seconds = Vec::new();
        for _ in 0..RUNS {
            let timer = self.module.gpu().timer()?;
            run()?;
            seconds.push(timer.seconds()?);
        }
        seconds.sort_by(f64::total_cmp);
        Ok(seconds[RUNS / 2])
    }

    fn normal(&self, ty: Type, n: usize) -> Result<Buffer, Error> {
        self.module
            .gpu()
            .upload_repeated(ty, &tile(ty, true, n.min(TILE)), n)
    }

    fn uniform(&self, ty: Type, n: usize) -> Result<Buffer, Error> {
        self.module
            .gpu()
            .upload_repeated(ty, &tile(ty, false, n.min(TILE)), n)
    }
}

fn run() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "ptx".into());
    let gpu = Gpu::open(0)?;
    let path = Path::new(&path);
    let image = if path.is_dir() {
        Image::find(path, gpu.architecture())?
    } else {
        Image::read(path)?
    };
    println!(
        "# {}, driver for CUDA {}, {}, median of {RUNS}",
        gpu.name(),
        gpu.driver(),
        image.name()
    );
    let bench = Bench {
        module: gpu.load(&image)?,
        wanted: arguments.collect(),
    };
    type Section = fn(&Bench) -> Result<(), Error>;
    let sections: [(&str, Section); 11] = [
        ("copies", copies),
        ("products", products),
        ("products of blocks", block_products),
        ("sums", sums),
        ("blocks", blocks),
        ("rows", rows),
        ("slices", slices),
        ("packing", packing),
        ("layers", layers),
        ("network gelu", |bench| {
            network(bench, "gelu", GeluNet::FULL)
        }),
        ("network relu", |bench| {
            network(bench, "relu", ReluNet::FULL)
        }),
    ];
    // A module may have some of the entries only.
    for (name, section) in sections {
        match section(&bench) {
            Err(Error::NoEntry { .. }) => println!("{name}\tno figure: entries are missing"),
            other => other?,
        }
    }
    Ok(())
}

/// Half of a square tensor's rows or columns replaced by another tensor, and both gradients; sums
/// along each dim. Bytes: what is read and written once.
fn slices(bench: &Bench) -> Result<(), Error> {
    let (gpu, side) = (bench.module.gpu(), 1usize << 14);
    for (ty, name) in [(Type::Bf16, "bf16"), (Type::F32, "f32")] {
        let n = side * side;
        let (x, src) = (bench.normal(ty, n)?, bench.normal(ty, n / 2)?);
        let (mut out, mut part) = (gpu.zeros_of(ty, n)?, gpu.zeros_of(ty, n / 2)?);
        let half = Slice::new(side / 4, side / 4 + side / 2);
        let size = ty.bytes() as f64 * n as f64;
        for (dim, shape) in [(0, [side / 2, side]), (1, [side, side / 2])] {
            let x = Tensor::contiguous(x.view(), [side; 2])?;
            let src = Tensor::contiguous(src.view(), shape)?;
            bench.line(
                &format!("slice_scatter {name} 2^28 dim {dim}"),
                2.0 * size,
                "B",
                || {
                    let mut out = TensorMut::contiguous(out.view_mut(), [side; 2])?;
                    bench.module.slice_scatter(&x, &src, dim, half, &mut out)
                },
            );
            // The gradient of x reads half of its operand, that of src the other half.
            let name = format!("slice_scatter_backward {name} 2^28 dim {dim}");
            bench.line(&name, 2.5 * size, "B", || {
                let mut out = TensorMut::contiguous(out.view_mut(), [side; 2])?;
                let mut part = TensorMut::contiguous(part.view_mut(), shape)?;
                bench
                    .module
                    .slice_scatter_backward(&x, dim, half, &mut out, &mut part)
            });
        }
        let mut sums = gpu.zeros_of(Type::F32, side)?;
        const WARP: Lanes = Lanes::new(32).unwrap();
        for (dim, shape, order, how) in [
            (0, [1, side], Order::Sequential, "sequential"),
            (1, [side, 1], Order::Lanes(WARP), "32 lanes"),
        ] {
            let x = Tensor::contiguous(x.view(), [side; 2])?;
            bench.line(
                &format!("sum_dim {how} {name} 2^28 dim {dim}"),
                size,
                "B",
                || {
                    let mut sums = TensorMut::contiguous(sums.view_mut(), shape)?;
                    bench.module.sum_dim(&x, dim, order, EVEN, &mut sums, None)
                },
            );
        }
    }
    Ok(())
}

/// Elements of FP4 and FP6 in bytes, and back.
fn packing(bench: &Bench) -> Result<(), Error> {
    let (on, gpu, n) = (bench.module.composites(), bench.module.gpu(), 1usize << 28);
    for (ty, name, bits) in [(Type::E2m1, "e2m1", 4), (Type::E2m3, "e2m3", 6)] {
        let bytes = n / 8 * bits;
        let mut elements = bench.uniform(ty, n)?;
        let mut packed = gpu.zeros_of(Type::U8, bytes)?;
        let work = (n + bytes) as f64;
        bench.line(&format!("pack {name} 2^28"), work, "B", || {
            on.pack(&elements.view(), &mut packed.view_mut())
        });
        bench.line(&format!("unpack {name} 2^28"), work, "B", || {
            on.unpack(&packed.view(), &mut elements.view_mut())
        });
    }
    Ok(())
}

/// A convolution of a usual size, one with few results, a large fully connected layer and one with
/// few results, all in f32.
fn layers(bench: &Bench) -> Result<(), Error> {
    let (on, gpu) = (bench.module.composites(), bench.module.gpu());
    for (batch, channels, side) in [(32usize, 64usize, 56usize), (1, 512, 7)] {
        let sizes = Conv2d {
            input: [channels, side, side],
            channels,
            kernel: [3; 2],
            stride: [1; 2],
            padding: [1; 2],
        };
        let n = batch * channels * side * side;
        let x = bench.normal(Type::F32, n)?;
        let weights = bench.normal(Type::F32, 9 * channels * channels)?;
        let bias = bench.normal(Type::F32, channels)?;
        let mut out = gpu.zeros_of(Type::F32, n)?;
        let work = (2 * 9 * n * channels) as f64;
        let name = format!("conv2d f32 3x3 {channels} channels {side}x{side} batch {batch}");
        bench.line(&name, work, "FLOP", || {
            let (weights, bias) = (weights.view(), bias.view());
            on.conv2d(
                &x.view(),
                &weights,
                Some(&bias),
                &sizes,
                &mut out.view_mut(),
            )
        });
    }
    for [rows, inputs, outputs] in [[2048usize; 3], [4, 4096, 10]] {
        let x = bench.normal(Type::F32, rows * inputs)?;
        let weights = bench.normal(Type::F32, inputs * outputs)?;
        let bias = bench.normal(Type::F32, outputs)?;
        let mut out = gpu.zeros_of(Type::F32, rows * outputs)?;
        let work = (2 * rows * inputs * outputs) as f64;
        let name = format!("linear f32 {rows} rows {inputs} to {outputs}");
        bench.line(&name, work, "FLOP", || {
            let (weights, bias, sizes) = (weights.view(), bias.view(), [inputs, outputs]);
            on.linear(&x.view(), &weights, Some(&bias), sizes, &mut out.view_mut())
        });
    }
    Ok(())
}

/// A reference network on a batch of 4 images.
fn network(bench: &Bench, name: &str, network: impl OnDevice) -> Result<(), Error> {
    let (gpu, sizes) = (bench.module.gpu(), network.sizes());
    let mut weights = vec![0.0f32; sizes.weights];
    network.fill_weights(SEED, &mut weights);
    let mut images = vec![0.0f32; networks::BATCH * sizes.image];
    for (n, image) in images.chunks_exact_mut(sizes.image).enumerate() {
        networks::fill_image(SEED, n as u64, image);
    }
    let (weights, images) = (gpu.upload(&weights)?, gpu.upload(&images)?);
    let on = bench.module.composites();
    let name = format!("network {name}, batch of {}", networks::BATCH);
    bench.line(&name, networks::BATCH as f64, "image", || {
        network.launch(on, gpu, &weights, &images).map(drop)
    });
    Ok(())
}

fn copies(bench: &Bench) -> Result<(), Error> {
    let gpu = bench.module.gpu();
    let n = 1 << 28;
    let x = bench.normal(Type::F32, n)?;
    let mut out = gpu.zeros_of(Type::F32, n)?;
    bench.line("copy f32 2^28", 8.0 * n as f64, "B", || {
        gpu.copy(&x.view(), &mut out.view_mut())
    });
    Ok(())
}

fn products(bench: &Bench) -> Result<(), Error> {
    let ways = [
        ("sequential", Accumulation::Declared(Order::Sequential)),
        ("exact", Accumulation::Exact),
    ];
    for (ty, name) in [
        (Type::Bf16, "bf16"),
        (Type::F16, "f16"),
        (Type::F32, "f32"),
        (Type::E4m3fn, "e4m3fn"),
    ] {
        for n in [1024usize, 2048, 4096, 8192] {
            let (a, b) = (bench.normal(ty, n * n)?, bench.normal(ty, n * n)?);
            let mut out = bench.module.gpu().zeros_of(Type::F32, n * n)?;
            for (how, way) in ways {
                let mut product = |swap: bool| -> Result<(), Error> {
                    let b = if swap {
                        Tensor::new(b.view(), [n, n], [1, n as isize], 0)?
                    } else {
                        Tensor::contiguous(b.view(), [n, n])?
                    };
                    bench.module.composites().gemm(
                        &Tensor::contiguous(a.view(), [n, n])?,
                        &b,
                        way,
                        EVEN,
                        &mut TensorMut::contiguous(out.view_mut(), [n, n])?,
                        None,
                    )
                };
                let work = 2.0 * (n as f64).powi(3);
                bench.line(&format!("gemm {how} {name} f32 {n}"), work, "FLOP", || {
                    product(false)
                });
                if way != Accumulation::Exact {
                    bench.line(
                        &format!("gemm {how} {name} f32 {n} b transposed"),
                        work,
                        "FLOP",
                        || product(true),
                    );
                }
            }
        }
    }
    epilogues(bench)?;
    batches(bench)?;
    // Exact products of data whose exponents are far apart: N(0,1) times 2^U(-16,16), and any
    // finite bits.
    for (ty, name) in [(Type::Bf16, "bf16"), (Type::F32, "f32")] {
        for (kind, n) in [("spread", 2048usize), ("spread", 4096), ("uniform", 2048)] {
            let codes = match kind {
                "spread" => spread(ty, TILE),
                _ => tile(ty, false, TILE),
            };
            let gpu = bench.module.gpu();
            let (a, b) = (
                gpu.upload_repeated(ty, &codes, n * n)?,
                gpu.upload_repeated(ty, &codes[1..], n * n)?,
            );
            let mut out = gpu.zeros_of(Type::F32, n * n)?;
            let work = 2.0 * (n as f64).powi(3);
            let composites = bench.module.composites();
            let mut line = |on: &Composites<'_>, way: &str| {
                bench.line(
                    &format!("gemm exact {name} f32 {n} {kind}{way}"),
                    work,
                    "FLOP",
                    || {
                        on.gemm(
                            &Tensor::contiguous(a.view(), [n, n])?,
                            &Tensor::contiguous(b.view(), [n, n])?,
                            Accumulation::Exact,
                            EVEN,
                            &mut TensorMut::contiguous(out.view_mut(), [n, n])?,
                            None,
                        )
                    },
                );
            };
            line(&composites, "");
            if kind == "uniform" && ty == Type::Bf16 {
                line(&composites.by_definition(), " by definition");
            }
        }
    }
    Ok(())
}

/// Products of batches in bf16: in sequential order one launch, exact ones one after the other.
fn batches(bench: &Bench) -> Result<(), Error> {
    let (on, gpu) = (bench.module.composites(), bench.module.gpu());
    for [batch, n] in [[64usize, 256usize], [16, 1024]] {
        let all = batch * n * n;
        let (a, b) = (
            bench.normal(Type::Bf16, all)?,
            bench.normal(Type::Bf16, all)?,
        );
        let mut out = gpu.zeros_of(Type::F32, all)?;
        for (how, way) in [
            ("sequential", Accumulation::Declared(Order::Sequential)),
            ("exact", Accumulation::Exact),
        ] {
            let work = 2.0 * batch as f64 * (n as f64).powi(3);
            let name = format!("gemm_batched {how} bf16 f32 {batch} of {n}");
            bench.line(&name, work, "FLOP", || {
                on.gemm_batched(
                    &Tensor::contiguous(a.view(), [batch, n, n])?,
                    &Tensor::contiguous(b.view(), [batch, n, n])?,
                    way,
                    EVEN,
                    &mut TensorMut::contiguous(out.view_mut(), [batch, n, n])?,
                    None,
                )
            });
        }
    }
    Ok(())
}

/// A layer: a product in bf16, its sums in f32 with a bias, then in bf16, then gelu of these.
fn epilogues(bench: &Bench) -> Result<(), Error> {
    let (on, gpu) = (bench.module.composites(), bench.module.gpu());
    let gelu = bench.module.fast("gelu.bf16", EVEN)?;
    let relu6 = bench.module.fast("relu6.f32", ())?;
    for n in [2048usize, 4096] {
        let (a, b) = (
            bench.normal(Type::Bf16, n * n)?,
            bench.normal(Type::Bf16, n * n)?,
        );
        let bias = bench.normal(Type::F32, n)?;
        let mut out = gpu.zeros_of(Type::Bf16, n * n)?;
        let epilogue = Epilogue {
            bias: Some(bias.view()),
            cast: Some((Type::Bf16, EVEN)),
            function: Some(&gelu),
        };
        let work = 2.0 * (n as f64).powi(3);
        bench.line(
            &format!("gemm sequential bf16 bias gelu bf16 {n}"),
            work,
            "FLOP",
            || {
                on.gemm_epilogue(
                    &Tensor::contiguous(a.view(), [n, n])?,
                    &Tensor::contiguous(b.view(), [n, n])?,
                    Accumulation::Declared(Order::Sequential),
                    EVEN,
                    &epilogue,
                    &mut TensorMut::contiguous(out.view_mut(), [n, n])?,
                )
            },
        );
        let mut wide = gpu.zeros_of(Type::F32, n * n)?;
        let epilogue = Epilogue {
            bias: Some(bias.view()),
            cast: None,
            function: Some(&relu6),
        };
        bench.line(
            &format!("gemm sequential bf16 bias relu6 f32 {n}"),
            work,
            "FLOP",
            || {
                on.gemm_epilogue(
                    &Tensor::contiguous(a.view(), [n, n])?,
                    &Tensor::contiguous(b.view(), [n, n])?,
                    Accumulation::Declared(Order::Sequential),
                    EVEN,
                    &epilogue,
                    &mut TensorMut::contiguous(wide.view_mut(), [n, n])?,
                )
            },
        );
        let mut elements = gpu.zeros_of(Type::E4m3fn, n * n)?;
        let mut scales = gpu.zeros_of(Type::E8m0, n * n.div_ceil(32))?;
        bench.line(
            &format!("gemm sequential bf16 bias mx e4m3fn {n}"),
            work,
            "FLOP",
            || {
                on.gemm_quantise(
                    &Tensor::contiguous(a.view(), [n, n])?,
                    &Tensor::contiguous(b.view(), [n, n])?,
                    Accumulation::Declared(Order::Sequential),
                    EVEN,
                    &Epilogue {
                        bias: Some(bias.view()),
                        ..Epilogue::default()
                    },
                    32,
                    &Dialect::OCP_FLOOR,
                    &mut elements.view_mut(),
                    &mut scales.view_mut(),
                )
            },
        );
    }
    Ok(())
}

/// Products in MX blocks: N(0,1), quantised.
fn block_products(bench: &Bench) -> Result<(), Error> {
    let ways = [
        ("sequential", Accumulation::Declared(Order::Sequential)),
        ("exact", Accumulation::Exact),
    ];
    for (ty, name, codes) in [
        (
            Type::E2m1,
            "e2m1",
            quantised(E2M1::from_bits(0), E2M1::to_bits),
        ),
        (
            Type::Mxint8,
            "mxint8",
            quantised(MxInt8::from_bits(0), MxInt8::to_bits),
        ),
        (
            Type::E2m3,
            "e2m3",
            quantised(E2M3::from_bits(0), E2M3::to_bits),
        ),
        (
            Type::E3m2,
            "e3m2",
            quantised(E3M2::from_bits(0), E3M2::to_bits),
        ),
        (
            Type::E4m3fn,
            "e4m3fn",
            quantised(E4M3FN::from_bits(0), E4M3FN::to_bits),
        ),
    ] {
        let codes = codes.map_err(Error::Block)?;
        for n in [1024usize, 2048, 4096, 8192] {
            let operands = [(ty, &codes), (ty, &codes)];
            for (how, way) in ways {
                block_product(bench, &format!("{how} {name}"), operands, n, way)?;
            }
        }
    }
    // Of E5M2, and of two formats.
    let five = quantised(E5M2::from_bits(0), E5M2::to_bits).map_err(Error::Block)?;
    let four = quantised(E4M3FN::from_bits(0), E4M3FN::to_bits).map_err(Error::Block)?;
    let two = quantised(E2M1::from_bits(0), E2M1::to_bits).map_err(Error::Block)?;
    let (four, two) = ((Type::E4m3fn, &four), (Type::E2m1, &two));
    let five = (Type::E5m2, &five);
    let [(ordered, sequential), (exact, exactly)] = ways;
    for n in [2048usize, 4096] {
        for (how, way, operands) in [
            (format!("{exact} e5m2"), exactly, [five, five]),
            (format!("{exact} e5m2 e4m3fn"), exactly, [five, four]),
            (format!("{exact} e4m3fn e2m1"), exactly, [four, two]),
            (format!("{ordered} e5m2"), sequential, [five, five]),
            (format!("{ordered} e5m2 e4m3fn"), sequential, [five, four]),
            (format!("{ordered} e4m3fn e2m1"), sequential, [four, two]),
        ] {
            block_product(bench, &how, operands, n, way)?;
        }
    }
    Ok(())
}

/// A product of square matrices in MX blocks: of which formats, codes and scales.
fn block_product(
    bench: &Bench,
    name: &str,
    operands: [(Type, &[Vec<u64>; 2]); 2],
    n: usize,
    way: Accumulation,
) -> Result<(), Error> {
    let (on, gpu) = (bench.module.composites(), bench.module.gpu());
    // The second one begins elsewhere.
    let upload = |from: usize| -> Result<[Buffer; 2], Error> {
        let (ty, [elements, scales]) = operands[from];
        let elements = gpu.upload_repeated(ty, &elements[32 * from..], n * n)?;
        let scales = gpu.upload_repeated(Type::E8m0, &scales[from..], n * n / 32)?;
        Ok([elements, scales])
    };
    let (a, b) = (upload(0)?, upload(1)?);
    let [a, b] = [&a, &b].map(|[x, scales]| BlockMatrix::new(x.view(), scales.view(), [n, n], 32));
    let (a, b) = (a?, b?);
    let mut out = gpu.zeros_of(Type::F32, n * n)?;
    let work = 2.0 * (n as f64).powi(3);
    let name = format!("block_gemm {name} f32 {n}");
    bench.line(&name, work, "FLOP", || {
        on.block_gemm(&a, &b, way, EVEN, &mut out.view_mut(), None)
    });
    Ok(())
}

fn sums(bench: &Bench) -> Result<(), Error> {
    let on = bench.module.composites();
    for (ty, name) in [(Type::Bf16, "bf16"), (Type::F16, "f16"), (Type::F32, "f32")] {
        for (log, n) in [(20, 1usize << 20), (26, 1 << 26), (28, 1 << 28)] {
            for kind in ["normal", "uniform"] {
                let x = if kind == "normal" {
                    bench.normal(ty, n)?
                } else {
                    bench.uniform(ty, n)?
                };
                let mut out = bench.module.gpu().zeros_of(Type::F32, 1)?;
                let bytes = (n * ty.bytes()) as f64;
                bench.line(
                    &format!("sum_exact {name} 2^{log} {kind}"),
                    bytes,
                    "B",
                    || on.sum_exact(&x.view(), EVEN, &mut out.view_mut(), None),
                );
                let y = if kind == "normal" {
                    bench.normal(ty, n)?
                } else {
                    bench.uniform(ty, n)?
                };
                bench.line(
                    &format!("dot_exact {name} 2^{log} {kind}"),
                    2.0 * bytes,
                    "B",
                    || on.dot_exact(&x.view(), &y.view(), EVEN, &mut out.view_mut(), None),
                );
            }
        }
    }
    Ok(())
}

fn blocks(bench: &Bench) -> Result<(), Error> {
    let (on, gpu, n) = (bench.module.composites(), bench.module.gpu(), 1usize << 28);
    for (ty, name) in [(Type::F32, "f32"), (Type::Bf16, "bf16")] {
        let (x, random) = (bench.normal(ty, n)?, bench.uniform(Type::U16, n)?);
        let mut back = gpu.zeros_of(ty, n)?;
        for (element, element_name) in [
            (Type::E4m3fn, "e4m3fn"),
            (Type::E5m2, "e5m2"),
            (Type::E2m1, "e2m1"),
            (Type::Mxint8, "mxint8"),
        ] {
            let mut elements = gpu.zeros_of(element, n)?;
            let mut scales = gpu.zeros_of(Type::E8m0, n / 32)?;
            let bytes = n as f64 * (ty.bytes() as f64 + 1.0 + 1.0 / 32.0);
            bench.line(
                &format!("quantise {name} {element_name} 2^28"),
                bytes,
                "B",
                || {
                    let (elements, scales) = (&mut elements.view_mut(), &mut scales.view_mut());
                    on.quantise(&x.view(), 32, &Dialect::OCP_FLOOR, elements, scales, None)
                },
            );
            bench.line(
                &format!("quantise stochastic {name} {element_name} 2^28"),
                bytes + 2.0 * n as f64,
                "B",
                || {
                    let (elements, scales) = (&mut elements.view_mut(), &mut scales.view_mut());
                    let x = [&x.view(), &random.view()];
                    on.quantise_stochastic(x, 32, &Dialect::OCP_FLOOR, elements, scales, None)
                },
            );
            bench.line(
                &format!("dequantise {element_name} {name} 2^28"),
                bytes,
                "B",
                || {
                    on.dequantise(
                        &elements.view(),
                        &scales.view(),
                        32,
                        EVEN,
                        &mut back.view_mut(),
                        None,
                    )
                },
            );
        }
        let mut elements = gpu.zeros_of(Type::E2m1, n)?;
        let mut scales = gpu.zeros_of(Type::E4m3fn, n / 16)?;
        let bytes = n as f64 * (ty.bytes() as f64 + 1.0 + 1.0 / 16.0);
        bench.line(&format!("nvfp4 quantise {name} 2^28"), bytes, "B", || {
            let (elements, scales) = (&mut elements.view_mut(), &mut scales.view_mut());
            on.nvfp4_quantise(&x.view(), 1.0, &Nvfp4::EXACT, elements, scales, None)
        });
        bench.line(
            &format!("nvfp4 quantise stochastic {name} 2^28"),
            bytes + 2.0 * n as f64,
            "B",
            || {
                let (elements, scales) = (&mut elements.view_mut(), &mut scales.view_mut());
                let x = [&x.view(), &random.view()];
                on.nvfp4_quantise_stochastic(x, 1.0, &Nvfp4::EXACT, elements, scales, None)
            },
        );
        bench.line(&format!("nvfp4 dequantise {name} 2^28"), bytes, "B", || {
            on.nvfp4_dequantise(
                &elements.view(),
                &scales.view(),
                1.0,
                EVEN,
                &mut back.view_mut(),
                None,
            )
        });
    }
    Ok(())
}

/// A function of rows of so many elements.
type Rows<'a> = fn(&Composites<'a>, &View, usize, Mode, &mut ViewMut) -> Result<(), Error>;

fn rows(bench: &Bench) -> Result<(), Error> {
    let (on, n) = (bench.module.composites(), 1usize << 26);
    let x = bench.normal(Type::F32, n)?;
    let narrow = bench.normal(Type::Bf16, n)?;
    let mut out = bench.module.gpu().zeros_of(Type::F32, n)?;
    for length in [1024, 16384, 131_072] {
        let bytes = 8.0 * n as f64;
        for (what, run) in [
            ("softmax", Composites::softmax_rows as Rows),
            ("log_softmax", Composites::log_softmax_rows),
        ] {
            bench.line(
                &format!("{what} f32 2^26 rows of {length}"),
                bytes,
                "B",
                || run(&on, &x.view(), length, EVEN, &mut out.view_mut()),
            );
        }
        let mut means = bench.module.gpu().zeros_of(Type::F32, n / length)?;
        bench.line(
            &format!("mean f32 2^26 rows of {length}"),
            bytes / 2.0,
            "B",
            || on.mean_rows(&x.view(), length, EVEN, &mut means.view_mut(), None),
        );
        bench.line(
            &format!("norm f32 2^26 rows of {length}"),
            bytes / 2.0,
            "B",
            || on.norm_rows(&x.view(), length, EVEN, &mut means.view_mut(), None),
        );
        bench.line(
            &format!("variance f32 2^26 rows of {length}"),
            bytes / 2.0,
            "B",
            || on.variance_rows(&x.view(), length, 1, EVEN, &mut means.view_mut(), None),
        );
        bench.line(
            &format!("norm bf16 2^26 rows of {length}"),
            bytes / 4.0,
            "B",
            || on.norm_rows(&narrow.view(), length, EVEN, &mut means.view_mut(), None),
        );
    }
    drop(out);
    for (x, ty) in [(x, Type::F32), (narrow, Type::Bf16)] {
        let mut out = bench.module.gpu().zeros_of(ty, n)?;
        for length in [1024usize, 4096, 16384] {
            let work = (2 * ty.bytes() * n) as f64;
            let [weight, bias] = [bench.normal(ty, length)?, bench.normal(ty, length)?];
            let (weight, bias) = (weight.view(), bias.view());
            let name = |what| format!("{what} {} 2^26 rows of {length}", ty.name());
            bench.line(&name("layer_norm"), work, "B", || {
                let to = &mut out.view_mut();
                on.layer_norm_rows(&x.view(), &weight, &bias, 1e-5, EVEN, to)
            });
            bench.line(&name("rms_norm"), work, "B", || {
                on.rms_norm_rows(&x.view(), &weight, 1e-5, EVEN, &mut out.view_mut())
            });
        }
    }
    Ok(())
}

/// N(0,1) in MX blocks of 32: codes and scales.
fn quantised<E: scale::Element>(zero: E, bits: fn(E) -> u8) -> Result<[Vec<u64>; 2], BlockError> {
    let values: Vec<f32> = tile(Type::F32, true, TILE)
        .into_iter()
        .map(|code| f32::from_bits(code as u32))
        .collect();
    let (mut elements, mut scales) = (vec![zero; TILE], vec![E8M0::ONE; TILE / 32]);
    scale::quantise(&values, 32, &Dialect::OCP_FLOOR, &mut elements, &mut scales)?;
    let scales = scales.into_iter().map(|scale| scale.to_bits().into());
    Ok([
        elements.into_iter().map(bits).map(u64::from).collect(),
        scales.collect(),
    ])
}

/// N(0,1) times a power of two from 2^-16 to 2^16.
fn spread(ty: Type, n: usize) -> Vec<u64> {
    let one = if ty == Type::Bf16 { 1 << 7 } else { 1 << 23 };
    let mut codes = tile(ty, true, n);
    for (i, code) in codes.iter_mut().enumerate() {
        let by = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        *code = (*code + 16 * one).wrapping_sub((by % 33) * one);
    }
    codes
}

/// Data that is repeated: N(0,1), or any finite bits.
fn tile(ty: Type, normal: bool, n: usize) -> Vec<u64> {
    let mut random = SplitMix64::seeded(1);
    let mut next = || random.next();
    let exponents = match ty {
        Type::F16 => 0x7C00,
        Type::Bf16 => 0x7F80,
        _ => 0x7F80_0000,
    };
    (0..n)
        .map(|_| {
            if !normal {
                let word = next();
                return if word & exponents == exponents {
                    word & !exponents
                } else {
                    word
                };
            }
            let unit = |word: u64| ((word >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let (u, v) = (unit(next()), unit(next()));
            let x = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
            match ty {
                Type::F16 => convert::convert::<f64, f16>(x, EVEN).to_bits().into(),
                Type::Bf16 => convert::convert::<f64, bf16>(x, EVEN).to_bits().into(),
                Type::E4m3fn => convert::convert::<f64, bitexact::format::E4M3FN>(x, EVEN)
                    .to_bits()
                    .into(),
                _ => (x as f32).to_bits().into(),
            }
        })
        .collect()
}
