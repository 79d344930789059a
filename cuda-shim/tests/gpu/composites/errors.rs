//! Arguments that do not match.

use super::*;
use cuda_shim::{View, ViewMut};

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn wrong_composites_are_errors() {
    let module = module();
    let (gpu, on, mode) = (module.gpu(), module.composites(), Mode::TIES_TO_EVEN);
    let x = gpu.upload(&[1f32; 12]).unwrap();
    let x = x.view();
    let narrow = gpu.zeros::<f16>(12).unwrap();
    let codes = gpu.zeros::<E8M0>(2).unwrap();
    let (mut one, mut many) = (gpu.zeros::<f32>(1).unwrap(), gpu.zeros::<f32>(12).unwrap());
    let mut scales = gpu.zeros::<E8M0>(2).unwrap();
    let mut small = gpu.zeros::<E4M3FN>(12).unwrap();
    let mismatch = |result: Result<(), Error>| matches!(result, Err(Error::Mismatch { .. }));
    let to = &mut one.view_mut();
    let all = &mut many.view_mut();

    assert!(mismatch(on.sum_exact(&codes.view(), mode, to, None)));
    assert!(mismatch(on.sum_exact(&x, mode, all, None)));
    assert!(mismatch(on.in_grid(0, 32).sum_exact(&x, mode, to, None)));
    assert!(mismatch(on.in_grid(1, 1025).sum_exact(&x, mode, to, None)));
    assert!(mismatch(on.dot_exact(&x, &narrow.view(), mode, to, None)));
    let short = gpu.zeros::<f32>(5).unwrap();
    assert_eq!(
        on.dot_exact(&x, &short.view(), mode, to, None),
        Err(Error::Reduce(ReduceError::LengthMismatch {
            expected: 12,
            found: 5
        }))
    );
    let few = |needed, found| Err(Error::Reduce(ReduceError::TooFew { needed, found }));
    assert_eq!(on.mean_rows(&x, 0, mode, to, None), few(1, 0));
    assert_eq!(on.variance_rows(&x, 1, 1, mode, to, None), few(2, 1));
    assert!(mismatch(on.norm_rows(&x, 5, mode, to, None)));
    assert!(mismatch(on.softmax_rows(&x, 5, mode, all)));
    assert!(mismatch(on.softmax_rows(&narrow.view(), 12, mode, to)));
    let wide = gpu.zeros::<f64>(12).unwrap();
    assert!(mismatch(on.log_softmax_rows(&wide.view(), 12, mode, all)));

    let row = |x: &View, weight: &View, bias: &View, all: &mut ViewMut| {
        [
            on.layer_norm_rows(x, weight, bias, 1e-5, mode, all),
            on.rms_norm_rows(x, weight, 1e-5, mode, all),
        ]
    };
    let layer = |error| [Err(Error::Layer(error)), Err(Error::Layer(error))];
    let sized = |which, expected, found| NnError::Length {
        which,
        expected,
        found,
    };
    assert_eq!(
        row(&x, &short.view(), &short.view(), all),
        layer(sized("x", 10, 12))
    );
    let none = gpu.zeros::<f32>(0).unwrap();
    let zero = NnError::Zero { which: "x" };
    assert_eq!(row(&x, &none.view(), &none.view(), all), layer(zero));
    assert_eq!(row(&x, &x, &x, to), layer(sized("out", 12, 1)));
    assert_eq!(
        on.layer_norm_rows(&x, &x, &short.view(), 1e-5, mode, all),
        Err(Error::Layer(sized("bias", 12, 5)))
    );
    for result in row(&x, &narrow.view(), &narrow.view(), all) {
        assert!(mismatch(result));
    }
    assert!(mismatch(on.layer_norm_rows(
        &x,
        &x,
        &narrow.view(),
        1e-5,
        mode,
        all
    )));
    for result in row(&wide.view(), &x, &x, all) {
        assert!(mismatch(result));
    }

    let dialect = Dialect::PTX;
    let (elements, scales) = (&mut small.view_mut(), &mut scales.view_mut());
    let length = |which, expected, found| {
        Err(Error::Block(BlockError::LengthMismatch {
            which,
            expected,
            found,
        }))
    };
    assert_eq!(
        on.quantise(&x, 0, &dialect, elements, scales, None),
        Err(Error::Block(BlockError::BlockSizeZero))
    );
    assert_eq!(
        on.quantise(&x, 12, &dialect, elements, scales, None),
        length("scales", 1, 2)
    );
    assert_eq!(
        on.quantise(&short.view(), 3, &dialect, elements, scales, None),
        length("elements", 5, 12)
    );
    assert!(mismatch(on.quantise(&x, 6, &dialect, all, scales, None)));
    let drawn = [&short.view(), &x];
    assert!(mismatch(on.quantise_stochastic(
        drawn, 3, &dialect, elements, scales, None
    )));
    let few_bits = gpu.zeros_of(Type::U16, 4).unwrap();
    assert_eq!(
        on.quantise_stochastic([&x, &few_bits.view()], 6, &dialect, elements, scales, None),
        length("random bits", 12, 4)
    );
    let fp8 = gpu.zeros::<E4M3FN>(12).unwrap();
    let matrix = |shape, block| BlockMatrix::new(fp8.view(), codes.view(), shape, block);
    let refused = |shape, block| matrix(shape, block).map(|_| ());
    assert_eq!(refused([3, 4], 5), length("scales", 3, 2));
    assert_eq!(refused([1, 5], 5), length("elements", 5, 12));
    let zero = Err(Error::Block(BlockError::BlockSizeZero));
    assert_eq!(refused([2, 6], 0), zero);
    let (a, b) = (matrix([2, 6], 8).unwrap(), matrix([1, 12], 6).unwrap());
    let (ones, how) = (matrix([2, 6], 9).unwrap(), Accumulation::Exact);
    let operand = |what, expected, found| {
        Err(Error::Block(BlockError::OperandMismatch {
            what,
            expected,
            found,
        }))
    };
    assert_eq!(
        on.block_gemm(&a, &b, how, mode, to, None),
        operand("columns", 6, 12)
    );
    assert_eq!(
        on.block_gemm(&a, &ones, how, mode, to, None),
        operand("block size", 8, 9)
    );
    assert_eq!(
        on.block_gemm(&a, &a, how, mode, to, None),
        length("out", 4, 1)
    );
    let wide = BlockMatrix::new(x, codes.view(), [2, 6], 8).unwrap();
    assert!(mismatch(on.block_gemm(&wide, &wide, how, mode, all, None)));
    for scale in [0.0, -1.0, f32::INFINITY, f32::NAN] {
        let mut fours = gpu.zeros::<E2M1>(12).unwrap();
        let mut eights = gpu.zeros::<E4M3FN>(1).unwrap();
        let recipe = Nvfp4::EXACT;
        let (fours, eights) = (&mut fours.view_mut(), &mut eights.view_mut());
        assert_eq!(
            on.nvfp4_quantise(&x, scale, &recipe, fours, eights, None),
            Err(Error::Block(BlockError::TensorScale {
                bits: scale.to_bits()
            }))
        );
        let drawn = [&x, &few_bits.view()];
        assert_eq!(
            on.nvfp4_quantise_stochastic(drawn, 1.0, &recipe, fours, eights, None),
            length("random bits", 12, 4)
        );
        let drawn = [&x, &x];
        assert!(mismatch(on.nvfp4_quantise_stochastic(
            drawn, 1.0, &recipe, fours, eights, None
        )));
    }

    let batch = |shape: [usize; 3]| Tensor::contiguous(x, shape).unwrap();
    let (left, wider) = (batch([3, 2, 2]), narrow.view());
    let mut products = |a: &Tensor<3>, b: &Tensor<3>, shape, flags| {
        let mut out = TensorMut::new(all.reborrow(), shape, [4, 2, 1], 0).unwrap();
        on.gemm_batched(a, b, how, mode, &mut out, flags)
    };
    let shapes = |which, dim, expected, found| {
        Err(Error::Tensor(tensor::TensorError::ShapeMismatch {
            which,
            dim,
            expected,
            found,
        }))
    };
    assert_eq!(
        products(&left, &batch([2, 2, 3]), [3, 2, 2], None),
        shapes("b", 0, 3, 2)
    );
    assert_eq!(
        products(&left, &left, [2, 2, 2], None),
        shapes("out", 0, 3, 2)
    );
    let halves = Tensor::contiguous(wider, [3, 2, 2]).unwrap();
    assert!(mismatch(products(&left, &halves, [3, 2, 2], None)));
    let mut few_flags = gpu.zeros::<u8>(4).unwrap();
    let few_flags = Some(few_flags.view_mut());
    assert!(mismatch(products(&left, &left, [3, 2, 2], few_flags)));

    let sizes = Conv2d {
        input: [1, 3, 4],
        channels: 1,
        kernel: [2, 2],
        stride: [1, 1],
        padding: [0, 0],
    };
    let layer = |which, expected, found| {
        Err(Error::Layer(NnError::Length {
            which,
            expected,
            found,
        }))
    };
    assert_eq!(
        on.conv2d(&x, &x, None, &sizes, all),
        layer("weights", 4, 12)
    );
    let taps = gpu.zeros::<f32>(4).unwrap();
    assert_eq!(
        on.conv2d(&x, &taps.view(), None, &sizes, all),
        layer("out", 6, 12)
    );
    assert_eq!(
        on.conv2d(&short.view(), &taps.view(), None, &sizes, all),
        layer("x", 0, 5)
    );
    let wide = Conv2d {
        kernel: [9, 2],
        ..sizes
    };
    assert!(matches!(
        on.conv2d(&x, &taps.view(), None, &wide, all),
        Err(Error::Layer(NnError::Window { .. }))
    ));
    assert_eq!(
        on.linear(&x, &x, None, [12, 2], all),
        layer("weights", 24, 12)
    );
    assert!(matches!(
        on.adaptive_avg_pool2d(&x, [1, 3, 4], [0, 1], all),
        Err(Error::Layer(NnError::Zero { which: "output" }))
    ));
    assert_eq!(there(module, &one), [0], "something was written");
    assert_eq!(there(module, &many), [0; 12], "something was written");
}
