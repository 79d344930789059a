//! The approximations in f64 against the kernels: in six directions, of operands in even steps,
//! next to the ends of binades, and those whose results are nearest to a rounding boundary. With WHOLE=1, or WHOLE=exp, of all 2^32, to nearest and toward zero:
//! the results of the other directions change at the same places as those toward zero.

use bitexact::{Mode, Overflow, Rounding};
use enclosures::double::{self, Approximated, Rounder};

/// The canonical NaN.
const NAN: u32 = 0x7FC0_0000;

/// Results, and those that are open: of operands from 1/64 to 2, which have one in every function.
#[derive(Default)]
struct Count {
    compared: u64,
    moderate: u64,
    open: u64,
}

fn compare<K: Approximated>(x: u32, roundings: &[Rounding], count: &mut Count) {
    let x = f32::from_bits(x);
    for &rounding in roundings {
        let mode = Mode::ieee(rounding);
        let rounder = Rounder::new(mode);
        let mut made = [
            rounder.decide::<K>(x),
            rounder.decide_in::<K, true, false>(x),
            (0, 1),
            (0, 1),
        ];
        if rounder.is_nearest() {
            made[2] = rounder.decide_in::<K, false, true>(x);
            made[3] = rounder.decide_in::<K, true, true>(x);
        }
        count.compared += 1;
        if (1.0 / 64.0..2.0).contains(&x) {
            count.moderate += 1;
            count.open += u64::from(made[0].1);
        }
        let due = K::exactly(x, mode).to_bits();
        for (made, open) in made {
            assert!(!x.is_infinite() || open == 1 || due == NAN);
            assert!(
                open == 1 || made == due,
                "{x:e} {rounding:?}: {made:08X}, not {due:08X}"
            );
        }
    }
}

/// The operands whose results are nearest to a rounding boundary, as the oracle found them.
fn hardest(name: &str) -> Vec<u32> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../host-tests/oracles/tests/hardest"
    );
    let text = std::fs::read_to_string(format!("{folder}/{name}.f32.hard.txt"));
    let text = text.expect("the hardest operands");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let codes = lines.map(|line| u32::from_str_radix(&line[..8], 16).expect("an operand"));
    codes.collect()
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
        let hardest = hardest(name);
        assert_eq!(hardest.len(), 1000, "{name}");
        for x in hardest {
            let mut aside = Count::default();
            compare::<K>(x, &Rounding::ALL, &mut aside);
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
