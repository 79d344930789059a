//! Recorded calls: they run at each launch, on what memory then holds, with the results of calls
//! one by one.

use super::{open, words};
use bitexact::activation::gelu;
use bitexact::format::E4M3FN;
use bitexact::nn::{self, Conv2d};
use bitexact::tensor::{Accumulation, View, ViewMut, gemm};
use bitexact::{Mode, bf16};
use cuda_shim::{Buffer, Error, Module, Tensor, TensorMut, Type};
use std::panic::{AssertUnwindSafe, catch_unwind};

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// A module with a stream of its own: other tests' requests are not recorded.
fn module() -> Module {
    match open() {
        Ok(module) => module,
        Err(why) => panic!("no GPU to test: {why}"),
    }
}

fn numbers(n: usize, seed: usize) -> Vec<bf16> {
    let words = words(n + seed).skip(seed);
    words.map(|word| bf16::from_bits(word as u16)).collect()
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn run_on_what_memory_holds() {
    let module = module();
    let gpu = module.gpu();
    for n in [1, 7, 4096, 65_537] {
        let mut x = gpu.zeros::<bf16>(n).unwrap();
        let mut y = gpu.upload(&vec![bf16::ONE; n]).unwrap();
        let mut z = gpu.upload(&vec![bf16::ONE; n]).unwrap();
        let mut w = gpu.upload(&vec![bf16::ONE; n]).unwrap();
        let fast = module.fast("gelu.bf16", EVEN).unwrap();
        let graph = module
            .record(|| {
                module.run_fast(&fast, &x.view(), &mut y.view_mut())?;
                module.launch("relu.bf16", &[y.view()], &mut [z.view_mut()], None, ())?;
                gpu.clear(&mut w.slice_mut(0..n / 2).unwrap())?;
                gpu.copy(
                    &z.slice(n / 2..n).unwrap(),
                    &mut w.slice_mut(n / 2..n).unwrap(),
                )
            })
            .unwrap();
        // Nothing has run.
        assert!(
            gpu.download::<bf16>(&w.view())
                .unwrap()
                .iter()
                .all(|w| *w == bf16::ONE)
        );
        for seed in [1, 2] {
            let data = numbers(n, seed);
            let new = gpu.upload(&data).unwrap();
            gpu.copy(&new.view(), &mut x.view_mut()).unwrap();
            // SAFETY: all buffers and the function are there.
            unsafe { graph.launch().unwrap() };
            let got = gpu.download_bits(&w.view()).unwrap();
            for (i, x) in data.into_iter().enumerate() {
                let y: bf16 = gelu(x, EVEN);
                let y: bf16 = bitexact::activation::relu(y);
                let due = if i < n / 2 { 0 } else { y.to_bits() };
                assert_eq!(got[i], u64::from(due), "{n} {seed} {i}");
            }
        }
    }
    let graph = module.record(|| Ok(())).unwrap();
    // SAFETY: it has no calls.
    unsafe { graph.launch().unwrap() };
    gpu.wait().unwrap();
}

/// Of calls that need more memory than their operands, after a larger call took more.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn keep_the_memory_of_composites() {
    let module = module();
    let gpu = module.gpu();
    const LENGTH: usize = 2048;
    let of_rows = |rows: usize| {
        let x = gpu.upload(&numbers(rows * LENGTH, 1)).unwrap();
        (x, gpu.zeros_of(Type::F32, rows).unwrap())
    };
    let run = |(x, out): &mut (Buffer, Buffer)| {
        let (on, x) = (module.composites(), x.view());
        on.mean_rows(&x, LENGTH, EVEN, &mut out.view_mut(), None)?;
        on.norm_rows(&x, LENGTH, EVEN, &mut out.view_mut(), None)
    };
    let mut small = of_rows(3);
    run(&mut small).unwrap();
    let due = gpu.download_bits(&small.1.view()).unwrap();
    let graph = module.record(|| run(&mut small)).unwrap();
    run(&mut of_rows(100)).unwrap();
    gpu.clear(&mut small.1.view_mut()).unwrap();
    // SAFETY: all buffers are there.
    unsafe { graph.launch().unwrap() };
    assert!(gpu.download_bits(&small.1.view()).unwrap() == due);
}

/// An exact product of E4M3FN needs nothing that the host would read between its launches.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn hold_exact_products_of_e4m3fn() {
    const M: usize = 40;
    const N: usize = 70;
    const K: usize = 100;
    let module = module();
    let gpu = module.gpu();
    let codes = |count: usize, salt: usize| -> Vec<E4M3FN> {
        let words = words(count + salt).skip(salt);
        words.map(|word| E4M3FN::from_bits(word as u8)).collect()
    };
    let (a, b) = (codes(M * K, 3), codes(K * N, 5));
    let (left, right) = (gpu.upload(&a).unwrap(), gpu.upload(&b).unwrap());
    let mut out = gpu.zeros_of(Type::F32, M * N).unwrap();
    let run = |out: &mut Buffer| {
        let a = Tensor::contiguous(left.view(), [M, K])?;
        let b = Tensor::contiguous(right.view(), [K, N])?;
        let mut out = TensorMut::contiguous(out.view_mut(), [M, N])?;
        let on = module.composites();
        on.gemm(&a, &b, Accumulation::Exact, EVEN, &mut out, None)
    };
    run(&mut out).unwrap();
    let graph = module.record(|| run(&mut out)).unwrap();
    let mut due = vec![0f32; M * N];
    let (a, b) = (View::contiguous(&a, [M, K]), View::contiguous(&b, [K, N]));
    let mut to = ViewMut::contiguous(&mut due, [M, N]).unwrap();
    let _ = gemm(&a.unwrap(), &b.unwrap(), Accumulation::Exact, EVEN, &mut to).unwrap();
    for _ in 0..2 {
        gpu.clear(&mut out.view_mut()).unwrap();
        // SAFETY: all buffers are there.
        unsafe { graph.launch().unwrap() };
        let got = gpu.download_bits(&out.view()).unwrap();
        assert!(
            got.iter()
                .zip(&due)
                .all(|(got, due)| *got == u64::from(due.to_bits()))
        );
    }
}

/// Their sizes are the launches' own: nothing is uploaded.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn hold_layers_of_networks() {
    let module = module();
    let gpu = module.gpu();
    let sizes = Conv2d {
        input: [3, 9, 8],
        channels: 5,
        kernel: [3, 3],
        stride: [1, 1],
        padding: [1, 1],
    };
    let plane = 5 * 9 * 8;
    let numbers = |n: usize, seed: usize| -> Vec<f32> {
        let words = words(n + seed).skip(seed);
        words.map(|word| (word >> 40) as f32 / 1e6 - 8.0).collect()
    };
    let [weights, bias, last] = [5 * 27, 5, 7 * 30].map(|n| gpu.upload(&numbers(n, n)).unwrap());
    for on in [module.composites(), module.composites().by_definition()] {
        let mut x = gpu.zeros::<f32>(2 * 216).unwrap();
        let mut y = gpu.zeros::<f32>(2 * plane).unwrap();
        let mut means = gpu.zeros::<f32>(2 * 30).unwrap();
        let mut whole = gpu.zeros::<f32>(2 * 5).unwrap();
        let mut out = gpu.zeros::<f32>(2 * 7).unwrap();
        let graph = module
            .record(|| {
                let (weights, bias) = (weights.view(), bias.view());
                on.conv2d(&x.view(), &weights, Some(&bias), &sizes, &mut y.view_mut())?;
                let (input, y) = ([5, 9, 8], y.view());
                on.avg_pool2d(&y, input, [4, 3], [5, 2], &mut means.view_mut())?;
                on.adaptive_avg_pool2d(&y, input, [1, 1], &mut whole.view_mut())?;
                on.linear(
                    &means.view(),
                    &last.view(),
                    None,
                    [30, 7],
                    &mut out.view_mut(),
                )
            })
            .unwrap();
        for seed in [1, 2] {
            let images = numbers(2 * 216, seed);
            let new = gpu.upload(&images).unwrap();
            gpu.copy(&new.view(), &mut x.view_mut()).unwrap();
            // SAFETY: all buffers are there.
            unsafe { graph.launch().unwrap() };
            for (image, x) in images.chunks_exact(216).enumerate() {
                let (weights, bias) = (numbers(5 * 27, 5 * 27), numbers(5, 5));
                let mut y = vec![0.0; plane];
                nn::conv2d(x, &weights, Some(&bias), &sizes, &mut y).unwrap();
                let mut due = [vec![0.0; 30], vec![0.0; 5], vec![0.0; 7]];
                let [means_due, whole_due, out_due] = &mut due;
                nn::avg_pool2d(&y, [5, 9, 8], [4, 3], [5, 2], means_due).unwrap();
                nn::adaptive_avg_pool2d(&y, [5, 9, 8], [1, 1], whole_due).unwrap();
                nn::linear(means_due, &numbers(210, 210), None, out_due).unwrap();
                for (buffer, due) in [&means, &whole, &out].into_iter().zip(due) {
                    let got: Vec<f32> = gpu.download(&buffer.view()).unwrap();
                    let part = &got[image * due.len()..][..due.len()];
                    let same = part
                        .iter()
                        .zip(&due)
                        .all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same, "{seed} {image}: {part:?} in place of {due:?}");
                }
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn what_cannot_be_recorded_is_an_error() {
    let module = module();
    let gpu = module.gpu();
    let x = gpu.upload(&[bf16::ONE; 100]).unwrap();
    let mut y = gpu.zeros::<bf16>(100).unwrap();
    let timer = gpu.timer().unwrap();
    let empty = module.record(|| Ok(())).unwrap();
    let refused = |what: &str, calls: &dyn Fn() -> Result<(), Error>| {
        let error = module.record(calls).unwrap_err();
        assert!(matches!(error, Error::Recording { .. }), "{what}: {error}");
    };
    refused("upload", &|| gpu.upload(&[bf16::ONE]).map(drop));
    refused("zeros", &|| gpu.zeros::<bf16>(1).map(drop));
    refused("download", &|| gpu.download_bits(&x.view()).map(drop));
    refused("wait", &|| gpu.wait());
    refused("timer", &|| gpu.timer().map(drop));
    refused("seconds", &|| timer.seconds().map(drop));
    refused("prepare", &|| module.fast("gelu.f16", EVEN).map(drop));
    refused("record", &|| module.record(|| Ok(())).map(drop));
    // SAFETY: it has no calls.
    refused("launch", &|| unsafe { empty.launch() });
    let error = module.record(|| {
        module.launch("relu.bf16", &[x.view()], &mut [y.view_mut()], None, ())?;
        module.launch("no.such", &[], &mut [], None, ())
    });
    assert!(matches!(error, Err(Error::UnknownRow(_))));
    let panics = AssertUnwindSafe(|| {
        let _ = module.record(|| panic!("on purpose"));
    });
    assert!(catch_unwind(|| (panics.0)()).is_err());
    // Nothing of these ran or is recorded now.
    assert!(
        gpu.download_bits(&y.view())
            .unwrap()
            .iter()
            .all(|y| *y == 0)
    );
    module
        .launch("relu.bf16", &[x.view()], &mut [y.view_mut()], None, ())
        .unwrap();
    assert!(gpu.download::<bf16>(&y.view()).unwrap() == [bf16::ONE; 100]);
}
