//! All operands of all functions, with the approximate instructions perturbed.

use super::{
    Bfloat, Direction, Downward, Format, Function, Half, Machine, Moved, Nearest, TowardZero,
    Upward, exactly, one, pair,
};
use bitexact::{bf16, f16};

const MIDDLE: Moved = Moved([0; 3]);

fn machines() -> impl Iterator<Item = Moved> {
    (-2..=2).flat_map(|power| (-1..=1).map(move |reciprocal| Moved([power, reciprocal, power])))
}

/// The upper tail of the normal distribution, for a that is at least 0: its series, or from 3 on
/// its continued fraction.
fn tail(a: f64) -> f64 {
    let density = (-0.5 * a * a).exp() / std::f64::consts::TAU.sqrt();
    if a < 3.0 {
        let (mut term, mut sum) = (a, a);
        for k in 1..80 {
            term *= a * a / f64::from(2 * k + 1);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    density / (1..400).rev().fold(a, |below, k| a + f64::from(k) / below)
}

/// The angle between -pi / 2 and pi / 2 that has the same sine as `pi x`, and is exact where x is
/// small.
fn half_turn(x: f64) -> f64 {
    let rest = x - 2.0 * (x * 0.5).round();
    let rest = if rest.abs() > 0.5 {
        rest.signum() - rest
    } else {
        rest
    };
    rest * std::f64::consts::PI
}

/// Lanczos's approximation of the gamma function, of `g = 7` and 9 terms, for a positive a: its
/// logarithm.
fn lanczos(a: f64) -> f64 {
    let terms = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let each = |(k, term): (usize, f64)| term / (a + k as f64);
    let sum = 0.999_999_999_999_809_9 + terms.into_iter().enumerate().map(each).sum::<f64>();
    let t = a + 6.5;
    (a - 0.5) * t.ln() - t + (std::f64::consts::TAU.sqrt() * sum).ln()
}

/// `-pi / (x sin(pi x))`.
fn reflected(x: f64) -> f64 {
    -std::f64::consts::PI / (x * half_turn(x).sin())
}

fn log_gamma(x: f64) -> f64 {
    if x < 0.0 {
        reflected(-x).abs().ln() - log_gamma(-x)
    } else {
        lanczos(x + 1.0) - x.ln()
    }
}

fn gamma(x: f64) -> f64 {
    if x < 0.0 {
        reflected(-x) / gamma(-x)
    } else {
        lanczos(x + 1.0).exp() / x
    }
}

/// The functions in f64, of finite operands.
fn value(kernel: &str, x: f64) -> f64 {
    let sigmoid = |z: f64| {
        if z < 0.0 {
            z.exp() / (1.0 + z.exp())
        } else {
            1.0 / (1.0 + (-z).exp())
        }
    };
    match kernel {
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "tanh" => x.tanh(),
        "sigmoid" => sigmoid(x),
        "silu" => x * sigmoid(x),
        "gelu_tanh" => {
            x * sigmoid((8.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x))
        }
        "gelu" => x * if x < 0.0 { tail(-x) } else { 1.0 - tail(x) },
        "erf" if x.abs() < 0.01 => {
            2.0 / std::f64::consts::PI.sqrt() * (x - x * x * x / 3.0 + x.powi(5) / 10.0)
        }
        "erf" => (1.0 - 2.0 * tail(x.abs() * std::f64::consts::SQRT_2)).copysign(x),
        "mish" => {
            let e = (-x.abs()).exp();
            x * if x < 0.0 {
                (e * e + 2.0 * e) / (e * e + 2.0 * e + 2.0)
            } else {
                (1.0 + 2.0 * e) / (1.0 + 2.0 * e + 2.0 * e * e)
            }
        }
        "softplus" => x.max(0.0) + (-x.abs()).exp().ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "rsqrt" => 1.0 / x.sqrt(),
        "reciprocal" => 1.0 / x,
        "sqrt" => x.sqrt(),
        "expm1" => x.exp_m1(),
        "log1p" => x.ln_1p(),
        "log10" => x.log10(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "erfc" => {
            let upper = 2.0 * tail(x.abs() * std::f64::consts::SQRT_2);
            if x < 0.0 { 2.0 - upper } else { upper }
        }
        "softsign" => x / (1.0 + x.abs()),
        "logsigmoid" => x.min(0.0) - (-x.abs()).exp().ln_1p(),
        "tanhshrink" if x.abs() < 0.01 => {
            x * x * x / 3.0 - 2.0 / 15.0 * x.powi(5) + 17.0 / 315.0 * x.powi(7)
        }
        "tanhshrink" => x - x.tanh(),
        "selu" if x < 0.0 => 1.050_700_987_355_480_5 * 1.673_263_242_354_377_2 * x.exp_m1(),
        "selu" => 1.050_700_987_355_480_5 * x,
        "exp10" => 10f64.powf(x),
        "exp2m1" => (x * std::f64::consts::LN_2).exp_m1(),
        "exp10m1" => (x * std::f64::consts::LN_10).exp_m1(),
        "log2p1" => x.ln_1p() * std::f64::consts::LOG2_E,
        "log10p1" => x.ln_1p() * std::f64::consts::LOG10_E,
        "sinpi" => half_turn(x).sin(),
        "cospi" => half_turn(0.5 - (x % 2.0).abs()).sin(),
        "tanpi" => half_turn(x).sin() / half_turn(0.5 - (x % 2.0).abs()).sin(),
        "asinpi" => x.asin() * std::f64::consts::FRAC_1_PI,
        "acospi" => x.acos() * std::f64::consts::FRAC_1_PI,
        "atanpi" => x.atan() * std::f64::consts::FRAC_1_PI,
        "cbrt" => x.cbrt(),
        "hardsigmoid" => (x + 3.0).clamp(0.0, 6.0) / 6.0,
        "hardswish" => x * (x + 3.0).clamp(0.0, 6.0) / 6.0,
        "elu" | "celu" => {
            if x < 0.0 {
                x.exp_m1()
            } else {
                x
            }
        }
        // It is 0, of which a bound in ulps says nothing.
        "lgamma" if x == 1.0 || x == 2.0 => f64::NAN,
        "lgamma" => log_gamma(x),
        "tgamma" => gamma(x),
        _ => panic!("{kernel}"),
    }
}

/// How many ulps of f32 an approximation is off at most, in so far as there is one, and the
/// operand: a GPU's and a host's.
fn error<K: Function, F: Format>(kernel: &str) -> (f64, u16) {
    let mut worst = (0.0, 0);
    // The farthest are enough here.
    let far = |Moved([power, reciprocal, _]): &Moved| power.abs() == 2 && *reciprocal != 0;
    for machine in machines().filter(far).map(Some).chain([None]) {
        for code in 0..=u16::MAX {
            let [x, _] = F::widen(code.into());
            let near = match machine {
                Some(machine) => K::near::<F, _>(machine, x),
                None => K::on_host::<F>(x, K::of_exponent::<F>(x)),
            };
            let mut due = value(kernel, x.into());
            if K::SIGN == super::Sign::OfOperand {
                due = due.abs();
            }
            let largest = f64::from(f32::MAX);
            // What rounds to 0 or infinity by far has no other bound.
            let [least, most] = if F::WIDE {
                [-135.0, 129.0]
            } else {
                [-26.0, 17.0]
            }
            .map(f64::exp2);
            let both = [due.abs(), near.abs().into()];
            if both.iter().all(|value| *value < least) || both.iter().all(|value| *value > most) {
                continue;
            }
            if x.is_finite() && near.is_finite() && due.is_finite() && due < largest {
                let ulp = f64::from(near)
                    .abs()
                    .max(f64::from(f32::MIN_POSITIVE))
                    .log2()
                    .floor()
                    .exp2()
                    * 2f64.powi(-23);
                let off = (f64::from(near) - due).abs() / ulp;
                if off > worst.0 {
                    worst = (off, code);
                }
            }
        }
    }
    worst
}

/// How often a number of N(0, 1) rounds to this operand, roughly: by the density there and the
/// distance to the next code.
fn probability<F: Format>(code: u16) -> f64 {
    let [x, next] =
        F::widen(u32::from(code) | u32::from(code.wrapping_add(1)) << 16).map(f64::from);
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    if next.is_finite() {
        density * (next - x).abs()
    } else {
        0.0
    }
}

/// What a sweep found, with the worst machine.
#[derive(Default)]
struct Found {
    /// Decided results that are not the kernel's.
    wrong: usize,
    /// The share of N(0, 1) operands that have an approximation and are not decided.
    open: f64,
}

/// All operands, alone and in both halves of a pair.
fn sweep<K: Function, F: Format, D: Direction>(machines: &[Moved], exact: &[u16]) -> Found {
    let approximated = |code| {
        let [x, _] = F::widen(code);
        x.is_finite() && !K::near::<F, _>(MIDDLE, x).is_nan()
    };
    let mut worst = Found::default();
    for &machine in machines {
        let mut here = Found::default();
        for word in (0..=u16::MAX).map(|x| u32::from(x) | u32::from(!x) << 16) {
            let made = pair::<K, F, D, _>(machine, word);
            for half in [0, 16] {
                let [x, got, open] = [word, made[0], made[1]].map(|word| (word >> half) as u16);
                if open == 0 {
                    here.wrong += usize::from(got != exact[usize::from(x)]);
                } else if half == 0 && approximated(x.into()) {
                    here.open += probability::<F>(x);
                }
            }
            // Alone it is the same as in the low half. Of what is open neither word has a meaning:
            // a NaN's sign is the processor's choice, and the compiler's.
            let low = made.map(|word| word as u16);
            let alone = one::<K, F, D, _>(machine, word as u16);
            if low[1] == 0 {
                assert_eq!(alone, low, "{word:08x}");
            } else {
                assert_ne!(alone[1], 0, "{word:08x}");
            }
        }
        worst.wrong = worst.wrong.max(here.wrong);
        worst.open = worst.open.max(here.open);
    }
    worst
}

macro_rules! exact {
    ($kernel:ident $format:ident $parameters:tt $direction:ident) => {
        (0..=u16::MAX).map(|x| exactly!($kernel $format, x, $parameters, $direction::MODE)).collect::<Vec<u16>>()
    };
}

macro_rules! all_operands {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        /// Every decided result is the kernel's, and few of N(0, 1) operands, of f16 and of bf16,
        /// are not decided.
        fn decided_results_are_the_kernels<D: Direction>(machines: &[Moved], most: [f64; 2]) {
            let mut bad = Vec::new();
            $({
                let half = sweep::<super::$function, Half, D>(machines, &exact!($kernel f16 $parameters D));
                let bfloat = sweep::<super::$function, Bfloat, D>(machines, &exact!($kernel bf16 $parameters D));
                for (found, format, most) in [(half, "f16", most[0]), (bfloat, "bf16", most[1])] {
                    let (wrong, open) = (found.wrong, found.open);
                    println!(
                        concat!(stringify!($kernel), " {} {:?}: {} wrong, {:.3} % undecided"), format, D::ROUNDING, wrong, 100.0 * open
                    );
                    if wrong > 0 || open > most {
                        bad.push((stringify!($kernel), format, wrong, open));
                    }
                }
            })*
            assert!(bad.is_empty(), "{:?}: {bad:?}", D::ROUNDING);
        }
    };
}

super::for_each_enclosed!(all_operands);

#[test]
fn to_nearest() {
    decided_results_are_the_kernels::<Nearest>(&machines().collect::<Vec<_>>(), [0.005, 0.003]);
}

macro_rules! all_directly {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        /// The same: NaNs, -0 and the smallest numbers may be left open.
        #[test]
        fn directly() {
            $({
                let half = sweep::<super::$function, Half, Nearest>(&[MIDDLE], &exact!($kernel f16 $parameters Nearest));
                let bfloat = sweep::<super::$function, Bfloat, Nearest>(&[MIDDLE], &exact!($kernel bf16 $parameters Nearest));
                for (found, format) in [(half, "f16"), (bfloat, "bf16")] {
                    let (wrong, open) = (found.wrong, found.open);
                    println!(concat!(stringify!($kernel), " {}: {} wrong, {} open"), format, wrong, open);
                    assert!(wrong == 0 && open < 1e-6, concat!(stringify!($kernel), " {}: {} wrong, {} open"), format, wrong, open);
                }
            })*
        }
    };
}

super::for_each_direct!(all_directly);

/// The machines that are the farthest off, and none: the rest is the same as to nearest.
const FEW: [Moved; 3] = [Moved([-2, -1, -2]), MIDDLE, Moved([2, 1, 2])];

#[test]
fn toward_zero() {
    decided_results_are_the_kernels::<TowardZero>(&FEW, [0.007, 0.017]);
}

#[test]
fn upward() {
    decided_results_are_the_kernels::<Upward>(&FEW, [0.007, 0.017]);
}

#[test]
fn downward() {
    decided_results_are_the_kernels::<Downward>(&FEW, [0.007, 0.017]);
}

macro_rules! all_bounds {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        #[test]
        fn bounds_hold() {
            let mut bad = Vec::new();
            $({
                let name = stringify!($kernel);
                let [half, bfloat] = [error::<enclosure::$function, Half>(name), error::<enclosure::$function, Bfloat>(name)];
                let bounds = <enclosure::$function as enclosure::Function>::ULPS;
                for ((off, x), bound) in [half, bfloat].into_iter().zip(bounds) {
                    println!("{name}: {off:.2} of {bound} ulps, at {x:04x}");
                    if off > f64::from(bound) {
                        bad.push((name, off, bound));
                    }
                }
            })*
            assert!(bad.is_empty(), "{bad:?}");
        }
    };
}

/// Next to values of f64, no approximation is off by more than its bound.
mod of_all {
    use super::{super as enclosure, Bfloat, Half, error};

    enclosure::for_each_enclosed!(all_bounds);
}

/// The same of the functions that only hosts have.
mod of_hosts {
    use super::{super as enclosure, Bfloat, Half, error};

    enclosure::for_each_on_hosts_only!(all_bounds);
}

/// A wrong coefficient is found: sigmoid with a reciprocal that is off by more than its bound.
#[test]
fn a_wrong_approximation_is_found() {
    struct Wrong;
    impl Function for Wrong {
        const SIGN: super::Sign = super::Sigmoid::SIGN;
        const ULPS: [u32; 2] = super::Sigmoid::ULPS;
        fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
            super::Sigmoid::near::<F, M>(m, x) * (1.0 + 1.0 / 32768.0)
        }
    }
    assert!(sweep::<Wrong, Half, Nearest>(&FEW, &exact!(sigmoid f16 [] Nearest)).wrong > 100);
    assert!(sweep::<Wrong, Bfloat, Upward>(&FEW, &exact!(sigmoid bf16 [] Upward)).wrong > 20);
}
