//! Kernels with parameters and with random bits in constant code: the same as their functions.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use bitexact::activation::{self, Bounds, Lambda, NanGradient, Threshold};
use bitexact::format::{Format, bf16, f16};
use bitexact::scale::{self, E8M0};
use bitexact::{Mode, Overflow, Status, arith, convert};

const MODE: Mode = Mode::TOWARD_POSITIVE;
const NAN: NanGradient = NanGradient::Pass;
const GRAD: u64 = 0x3555;

/// Operands on both sides of the parameters, with specials: the codes of f16.
const CODES: [u64; 12] = [
    0, 0x8000, 0x3800, 0xB800, 0x4000, 0xC000, 0x4900, 0xC900, 0x7C00, 0xFC00, 0x7E00, 0x7D01,
];

type Results = [(u64, Status); 12];

/// A constant of what a `_bits` function makes of every code.
macro_rules! all {
    (|$x:ident| $result:expr) => {{
        let (mut results, mut i): (Results, usize) = ([(0, Status::NONE); 12], 0);
        while i < 12 {
            let $x = CODES[i];
            results[i] = $result;
            i += 1;
        }
        results
    }};
}

fn same<R: Format>(constant: Results, function: impl Fn(f16) -> (R, Status)) {
    let expected = CODES.map(|code| {
        let (y, status) = function(f16::from_bits(code as u16));
        (y.to_bits(), status)
    });
    assert_eq!(constant, expected);
}

const fn bits(x: f32) -> u64 {
    x.to_bits() as u64
}

#[test]
fn kernels_with_parameters() {
    use activation as a;
    const LOW: u64 = bits(-0.7);
    const HIGH: u64 = bits(3.3);
    let bounds = Bounds::new(-0.7f32, 3.3).unwrap();
    let threshold = Threshold::new(0.3f32, 20.1).unwrap();
    let lambda = Lambda::new(0.7f32).unwrap();
    let grad = f16::from_bits(GRAD as u16);

    const HARDTANH: Results = all!(|x| a::hardtanh_bits::<f16, f32>(x, LOW, HIGH, MODE));
    same(HARDTANH, |x| a::hardtanh_status(x, bounds, MODE));
    const HARDTANH_BACKWARD: Results =
        all!(|x| a::hardtanh_backward_bits::<f16, f32>(x, GRAD, LOW, HIGH, NAN));
    same(HARDTANH_BACKWARD, |x| {
        a::hardtanh_backward_status(x, grad, bounds, NAN)
    });
    const THRESHOLD: Results =
        all!(|x| a::threshold_bits::<f16, f32>(x, bits(0.3), bits(20.1), MODE));
    same(THRESHOLD, |x| a::threshold_status(x, threshold, MODE));
    const THRESHOLD_BACKWARD: Results =
        all!(|x| a::threshold_backward_bits::<f16, f32>(x, GRAD, bits(0.3), NAN));
    same(THRESHOLD_BACKWARD, |x| {
        a::threshold_backward_status(x, grad, threshold, NAN)
    });
    const LEAKY: Results = all!(|x| a::leaky_relu_bits::<f16, f32>(x, bits(0.01), MODE));
    same(LEAKY, |x| a::leaky_relu_status(x, 0.01f32, MODE));
    const LEAKY_BACKWARD: Results =
        all!(|x| a::leaky_relu_backward_bits::<f16, f32>(x, GRAD, bits(0.01), NAN, MODE));
    same(LEAKY_BACKWARD, |x| {
        a::leaky_relu_backward_status(x, grad, 0.01f32, NAN, MODE)
    });
    const HARDSHRINK: Results = all!(|x| a::hardshrink_bits::<f16, f32>(x, bits(0.7)));
    same(HARDSHRINK, |x| a::hardshrink_status(x, lambda));
    const HARDSHRINK_BACKWARD: Results =
        all!(|x| a::hardshrink_backward_bits::<f16, f32>(x, GRAD, bits(0.7), NAN));
    same(HARDSHRINK_BACKWARD, |x| {
        a::hardshrink_backward_status(x, grad, lambda, NAN)
    });
    const SOFTSHRINK: Results = all!(|x| a::softshrink_bits::<f16, f32>(x, bits(0.7), MODE));
    same(SOFTSHRINK, |x| a::softshrink_status(x, lambda, MODE));
    const SOFTSHRINK_BACKWARD: Results =
        all!(|x| a::softshrink_backward_bits::<f16, f32>(x, GRAD, bits(0.7), NAN));
    same(SOFTSHRINK_BACKWARD, |x| {
        a::softshrink_backward_status(x, grad, lambda, NAN)
    });
    const HARDSIGMOID: Results = all!(|x| a::hardsigmoid_backward_bits::<f16>(x, GRAD, NAN, MODE));
    same(HARDSIGMOID, |x| {
        a::hardsigmoid_backward_status(x, grad, NAN, MODE)
    });
    const HARDSWISH: Results = all!(|x| a::hardswish_backward_bits::<f16>(x, GRAD, NAN, MODE));
    same(HARDSWISH, |x| {
        a::hardswish_backward_status(x, grad, NAN, MODE)
    });
    const RELU: Results = all!(|x| a::relu_backward_bits::<f16>(x, GRAD, NAN));
    same(RELU, |x| a::relu_backward_status(x, grad, NAN));
    const RELU6: Results = all!(|x| a::relu6_backward_bits::<f16>(x, GRAD, NAN));
    same(RELU6, |x| a::relu6_backward_status(x, grad, NAN));
    const REMQUO: ((u64, i32), Status) = arith::remquo_bits::<f16>(0x4900, 0x4200);
    let ((remainder, quotient), status) =
        arith::remquo_status(f16::from_bits(0x4900), f16::from_bits(0x4200));
    assert_eq!(REMQUO, ((remainder.to_bits().into(), quotient), status));
}

#[test]
fn kernels_with_random_bits() {
    const R: u16 = 0xA5A5;
    const IEEE: Overflow = Overflow::Ieee;
    let other = f16::from_bits(GRAD as u16);
    const ADD: Results = all!(|x| arith::add_stochastic_bits::<f16, f16, bf16>(x, GRAD, R, IEEE));
    same(ADD, |x| {
        arith::add_stochastic_status::<_, _, bf16>(x, other, R, IEEE)
    });
    const SUB: Results = all!(|x| arith::sub_stochastic_bits::<f16, f16, bf16>(x, GRAD, R, IEEE));
    same(SUB, |x| {
        arith::sub_stochastic_status::<_, _, bf16>(x, other, R, IEEE)
    });
    const MUL: Results = all!(|x| arith::mul_stochastic_bits::<f16, f16, bf16>(x, GRAD, R, IEEE));
    same(MUL, |x| {
        arith::mul_stochastic_status::<_, _, bf16>(x, other, R, IEEE)
    });
    const DIV: Results = all!(|x| arith::div_stochastic_bits::<f16, f16, bf16>(x, GRAD, R, IEEE));
    same(DIV, |x| {
        arith::div_stochastic_status::<_, _, bf16>(x, other, R, IEEE)
    });
    const FMA: Results =
        all!(|x| arith::fma_stochastic_bits::<f16, f16, f16, bf16>(x, GRAD, GRAD, R, IEEE));
    same(FMA, |x| {
        arith::fma_stochastic_status::<_, _, _, bf16>(x, other, other, R, IEEE)
    });
    const SQRT: Results = all!(|x| arith::sqrt_stochastic_bits::<f16, bf16>(x, R, IEEE));
    same(SQRT, |x| {
        arith::sqrt_stochastic_status::<_, bf16>(x, R, IEEE)
    });
    const SCALBN: Results =
        all!(|x| arith::scalbn_stochastic_bits::<f16>(x, -20i32 as u32 as u64, R, IEEE));
    same(SCALBN, |x| arith::scalbn_stochastic_status(x, -20, R, IEEE));
    const WHOLE: Results = all!(|x| arith::round_to_integral_stochastic_bits::<f16>(x, R, IEEE));
    same(WHOLE, |x| {
        arith::round_to_integral_stochastic_status(x, R, IEEE)
    });
    const CONVERT: Results = all!(|x| convert::convert_stochastic_bits::<f16, bf16>(x, R, IEEE));
    same(CONVERT, |x| {
        convert::convert_stochastic_status::<_, bf16>(x, R, IEEE)
    });
    const INTEGER: (u64, Status) = convert::to_int_stochastic_bits::<f16, i8>(0x3E00, R, IEEE);
    let (n, status): (i8, _) = convert::to_int_stochastic_status(f16::from_bits(0x3E00), R, IEEE);
    assert_eq!(INTEGER, (n as u8 as u64, status));
    const FLOAT: (u64, Status) = convert::from_int_stochastic_bits::<u16, bf16>(0xFFF1, R, IEEE);
    let (x, status): (bf16, _) = convert::from_int_stochastic_status(0xFFF1u16, R, IEEE);
    assert_eq!(FLOAT, (x.to_bits().into(), status));
    const SCALE: (u64, Status) = scale::decode_stochastic_bits::<f16>(101, R, IEEE);
    let (x, status): (f16, _) = scale::decode_stochastic_status(E8M0::from_bits(101), R, IEEE);
    assert_eq!(SCALE, (x.to_bits().into(), status));
    const ELEMENT: (scale::MxInt8, Status) =
        scale::mxint8_encode_stochastic_bits::<f16>(GRAD, R, IEEE);
    assert_eq!(
        ELEMENT,
        scale::mxint8_encode_stochastic_status(other, R, IEEE)
    );
    const LEAST: (scale::MxInt8, Status) =
        scale::mxint8_encode_symmetric_stochastic_bits::<f16>(0xC000, R, IEEE);
    assert_eq!(
        LEAST,
        scale::mxint8_encode_symmetric_stochastic_status(f16::from_bits(0xC000), R, IEEE)
    );
}
