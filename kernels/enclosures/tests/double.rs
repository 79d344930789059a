//! The approximations in f64 against the kernels: in six directions, of operands in even steps and
//! next to the ends of binades. With WHOLE=1, or WHOLE=exp, of all 2^32, to nearest and toward zero:
//! the results of the other directions change at the same places as those toward zero.

use bitexact::{Mode, Overflow, Rounding};
use enclosures::double::{self, Approximated, Rounder};

/// Results, and those that are open: of operands from 1/64 to 2, which have one in every function.
#[derive(Default)]
struct Count {
    compared: u64,
    moderate: u64,
    open: u64,
}

fn compare<K: Approximated>(x: u32, roundings: &[Rounding], count: &mut Count) {
    let x = f32::from_bits(x);
    let special = !x.is_finite();
    for &rounding in roundings {
        let mode = Mode::ieee(rounding);
        let (made, open) = Rounder::new(mode).decide::<K>(x);
        count.compared += 1;
        if (1.0 / 64.0..2.0).contains(&x) {
            count.moderate += 1;
            count.open += u64::from(open);
        }
        assert!(!special || open == 1);
        if open == 0 {
            let due = K::exactly(x, mode).to_bits();
            assert_eq!(made, due, "{x:e} {rounding:?}: {made:08X}, not {due:08X}");
        }
    }
}

fn saturated<K: Approximated>(x: f32) {
    let mode = Mode {
        overflow: Overflow::SaturateAll,
        ..Mode::TIES_TO_EVEN
    };
    let made = Rounder::new(mode).one::<K>(mode, x).to_bits();
    assert_eq!(made, K::exactly(x, mode).to_bits(), "{x:e} saturated");
}

fn function<K: Approximated>(name: &str) {
    let mut count = Count::default();
    if std::env::var_os("WHOLE").is_some_and(|whole| whole == "1" || whole == name) {
        let two = [Rounding::TiesToEven, Rounding::TowardZero];
        (0..=u32::MAX).for_each(|x| compare::<K>(x, &two, &mut count));
    } else {
        let ends = (0..512u32)
            .flat_map(|field| (0..4).map(move |low| (field << 23 | low).wrapping_sub(2)));
        for x in (0..=u32::MAX).step_by(80_021).chain(ends) {
            compare::<K>(x, &Rounding::ALL, &mut count);
            saturated::<K>(f32::from_bits(x));
        }
    }
    println!(
        "{name}: {} compared; {} of {} open",
        count.compared, count.open, count.moderate
    );
    // Exact results are always open, of exp2's integers and the reciprocals of powers of two.
    assert!(
        count.open * 50 <= count.moderate,
        "{name}: {} of {} open",
        count.open,
        count.moderate
    );
}

macro_rules! functions {
    ($($test:ident $function:ident;)*) => {$(
        #[test]
        fn $test() {
            function::<double::$function>(stringify!($test));
        }
    )*};
}

functions! {
    exp Exp;
    exp2 Exp2;
    expm1 Expm1;
    log Log;
    log2 Log2;
    log1p Log1p;
    sin Sin;
    cos Cos;
    tanh Tanh;
    erf Erf;
    rsqrt Rsqrt;
    reciprocal Reciprocal;
    sigmoid Sigmoid;
    silu Silu;
    gelu Gelu;
    gelu_tanh GeluTanh;
    sigmoid_derivative SigmoidDerivative;
    tanh_derivative TanhDerivative;
    silu_derivative SiluDerivative;
    gelu_derivative GeluDerivative;
    gelu_tanh_derivative GeluTanhDerivative;
}
