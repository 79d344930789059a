//! Bugs that compiler stacks shipped, each tested against an independent expectation.
//! (`slice_scatter.rs` has the gradient through a stride-0 view, `casts_and_sums.rs` the dropped
//! cast.)

use crate::common::whole;
use bitexact::activation::{Bounds, NanGradient, hardtanh_backward};
use bitexact::arith::fma;
use bitexact::convert::convert;
use bitexact::format::{Arithmetic, Format};
use bitexact::scale::{ScalePolicy, encode};
use bitexact::{Mode, bf16, f16};
use rayon::prelude::*;

/// `i / 100`, as a float64 scalar reaches an f32 kernel.
fn bound(i: u32) -> f32 {
    (f64::from(i) / 100.0) as f32
}

/// A 16-bit format, with what a test needs of the host's arithmetic.
trait Host: Format + Send + Sync {
    fn of(bits: u16) -> Self;
    fn bits(self) -> u16;
    fn value(self) -> f32;
    fn nearest(x: f32) -> Self;
}

macro_rules! host {
    ($($ty:ty),*) => {
        $(impl Host for $ty {
            fn of(bits: u16) -> Self {
                Self::from_bits(bits)
            }
            fn bits(self) -> u16 {
                self.to_bits()
            }
            fn value(self) -> f32 {
                self.to_f32()
            }
            fn nearest(x: f32) -> Self {
                Self::from_f32(x)
            }
        })*
    };
}
host!(f16, bf16);

/// For the symmetric bounds 0.01 to 9.99: how many the format cannot represent, for how many of
/// them narrowing the bound to the format first changes a gradient, and for how many inputs in all.
/// Also compares every input's gradient at the f32 bound with the host's comparison.
fn narrowed_bounds<F: Host + Arithmetic>() -> (usize, usize, usize) {
    let grad = F::of(0x3C01);
    let counts = |i: u32| {
        let h = bound(i);
        let narrow = F::nearest(h);
        let wide_bounds = Bounds::new(-h, h).unwrap();
        let narrow_bounds = Bounds::new(F::nearest(-h), narrow).unwrap();
        let mut differ = 0;
        for bits in 0..=u16::MAX {
            let x = F::of(bits);
            let wide = hardtanh_backward(x, grad, wide_bounds, NanGradient::Pass);
            let value = x.value();
            let passes = !(value <= -h || value >= h);
            assert_eq!(
                wide.bits(),
                if passes { grad.bits() } else { 0 },
                "{bits:04X} at {h}"
            );
            let narrowed = hardtanh_backward(x, grad, narrow_bounds, NanGradient::Pass);
            differ += usize::from(narrowed.bits() != wide.bits());
        }
        let held = narrow.value() == h;
        (usize::from(!held), usize::from(differ > 0), differ)
    };
    (1..=999)
        .into_par_iter()
        .map(counts)
        .reduce(|| (0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2))
}

#[test]
fn hardtanh_backward_keeps_the_bound_wide() {
    assert_eq!(narrowed_bounds::<bf16>(), (960, 477, 954));
    assert_eq!(narrowed_bounds::<f16>(), (960, 480, 960));
}

/// The gradients that the vectors' f32 comparison has at +h, and PyTorch's CPU at +h and -h.
#[test]
fn hardtanh_backward_equals_the_measured_sweep() {
    let rows = include_str!("../vectors/hardtanh_bound_sweep.csv");
    let mut seen = 0;
    for row in rows.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let h = fields[1].parse::<f64>().unwrap() as f32;
        let bits = u64::from_str_radix(fields[2], 16).unwrap();
        let bounds = Bounds::new(-h, h).unwrap();
        fn at<F: Arithmetic>(bits: u64, bounds: Bounds<f32>) -> [bool; 2] {
            let one = F::from_bits(1);
            [bits, bits ^ F::SIGN].map(|x| {
                let x = F::from_bits(x);
                hardtanh_backward(x, one, bounds, NanGradient::Pass).to_bits() == 1
            })
        }
        let passes = match fields[0] {
            "float32" => at::<f32>(bits, bounds),
            "bfloat16" => at::<bf16>(bits, bounds),
            "float16" => at::<f16>(bits, bounds),
            other => panic!("unknown dtype {other}"),
        };
        let expected = [fields[3], fields[4]].map(|field| field == "1");
        assert_eq!(passes, expected, "{row}");
        assert_eq!(passes[0], fields[6] == "1", "{row}");
        seen += 1;
    }
    assert_eq!(seen, 2997);
}

/// ceil(log2 x) over every f32 of every eighth exponent, and of the lowest and highest (with
/// `WHOLE=1` of every exponent), by stepping upward through the positive ones past exact powers of
/// two.
#[test]
fn e8m0_ceil_is_the_true_ceiling_of_an_f32() {
    let (wrong, field_differs) = (0u32..=255)
        .into_par_iter()
        .filter(|exponent| whole() || exponent % 8 == 0 || !(2..254).contains(exponent))
        .map(|exponent| {
            let field = ScalePolicy::preset("inductor_bitpattern_clamp255").unwrap();
            let (mut wrong, mut field_differs) = (0u64, 0u64);
            let mut code = 0;
            for bits in exponent << 23..(exponent << 23) + (1 << 23) {
                let x = f32::from_bits(bits);
                let expected = if exponent == 255 {
                    255 // infinity and NaN
                } else {
                    while code < 255 && f64::from(x) > 2f64.powi(code - 127) {
                        code += 1;
                    }
                    code
                };
                for sign in [0, 1 << 31] {
                    let x = f32::from_bits(bits | sign);
                    let got = encode(x, &ScalePolicy::CEIL).to_bits();
                    wrong += u64::from(i32::from(got) != expected);
                }
                field_differs += u64::from(i32::from(encode(x, &field).to_bits()) != expected);
            }
            (wrong, field_differs)
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    assert_eq!(wrong, 0);
    // Every non-zero magnitude up to 2^-127, and no other.
    assert_eq!(field_differs, 4_194_304);
}

/// The formula that ships: log2 rounded once to f32, then the ceiling. Rounding is monotone, so in
/// each binade it is wrong from just above the power of two up to some fraction.
#[test]
fn e8m0_by_a_rounded_log2_is_wrong_just_above_powers_of_two() {
    let mut wrong = 0;
    for field in 1..=254u32 {
        let mut fraction = 1;
        loop {
            let x = f32::from_bits(field << 23 | fraction);
            let log2 = f64::from(x).log2() as f32;
            let code = (log2.ceil().clamp(-127.0, 127.0) + 127.0) as u32;
            let exact = field.saturating_add(1).min(254);
            if code == exact {
                break;
            }
            assert_eq!(code, field, "one too small");
            let ours = encode(x, &ScalePolicy::preset("cuda_rp_sat").unwrap());
            assert_eq!(u32::from(ours.to_bits()), exact);
            wrong += 1;
            fraction += 1;
        }
        assert!(fraction <= 23, "only just above 2^{}", field as i32 - 127);
    }
    // In the top binade the clamp hides it: 22 fewer than the ceiling alone has.
    assert_eq!(wrong, 3676 - 22);
}

#[test]
fn fma_in_sixteen_bits_is_not_the_f64_computation() {
    let [a, b, c] = [0x7208, 0x42D8, 0x84B5].map(bf16::from_bits);
    let fused: bf16 = fma(a, b, c, Mode::TIES_TO_EVEN);
    assert_eq!(fused.to_bits(), 0x7565);
    let exact: bf16 = convert(a.to_f64() * b.to_f64() + c.to_f64(), Mode::TIES_TO_EVEN);
    assert_eq!(
        exact.to_bits(),
        0x7566,
        "f64 has lost the addend, and sees a tie"
    );
}

/// One f64 ulp to either side of every midpoint between neighbours: (inputs, wrong by `convert`,
/// wrong by `other`).
fn beside_ties<F: Host>(largest: u16, value: fn(F) -> f64, other: fn(f64) -> F) -> [usize; 3] {
    let mut counts = [0; 3];
    for code in 0..largest {
        let [low, high] = [code, code + 1].map(|code| value(F::of(code)));
        let middle = (low + high) / 2.0;
        let below = f64::from_bits(middle.to_bits() - 1);
        let above = f64::from_bits(middle.to_bits() + 1);
        for (x, expected) in [(below, code), (above, code + 1)] {
            counts[0] += 1;
            let ours: F = convert(x, Mode::TIES_TO_EVEN);
            counts[1] += usize::from(ours.bits() != expected);
            counts[2] += usize::from(other(x).bits() != expected);
        }
    }
    counts
}

#[test]
#[expect(clippy::disallowed_methods, reason = "to show that they misround")]
fn f64_to_sixteen_bits_is_right_beside_every_tie() {
    let f16 = beside_ties::<f16>(0x7BFF, f16::to_f64, f16::from_f64_const);
    let bf16 = beside_ties::<bf16>(0x7F7F, bf16::to_f64, bf16::from_f64_const);
    assert_eq!((f16[1], bf16[1]), (0, 0));
    // The usual function, which is wrong near about a quarter of the ties.
    assert!(
        f16[2] > 15_000 && bf16[2] > 16_000,
        "half: {f16:?} {bf16:?}"
    );
}
