//! The comparators against each other.

use super::*;

/// xorshift64*, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 32) % n
    }
}

/// Bits of a type: edges, values near 1 (so that sums and quotients interact), short significands
/// (so that ties and exact results occur), and any bits.
fn pick(ty: Ty, random: &mut Random) -> u64 {
    let mask = u64::MAX >> (64 - ty.bits());
    let Some(format) = Format::of(ty) else {
        let near_edge = random.below(5).wrapping_sub(2);
        let length = random.below(u64::from(ty.bits()) + 1);
        return mask
            & match random.below(4) {
                0 => random.next(),
                1 => (1_u64.checked_shl(length as u32).unwrap_or(0)).wrapping_add(near_edge),
                2 => (1_u64.checked_shl(length as u32).unwrap_or(0))
                    .wrapping_neg()
                    .wrapping_add(near_edge),
                _ => random.next() >> (64 - length.max(1)),
            };
    };
    let sign = random.next() & format.sign_bit();
    let edges = [
        0,
        1 << (format.precision - 1),
        format.largest,
        format.sign_bit() / 2,
    ];
    let fraction = (1_u64 << (format.precision - 1)) - 1;
    let bits = match random.below(8) {
        0 | 1 => edges[random.below(4) as usize]
            .wrapping_add(random.below(9))
            .wrapping_sub(4),
        2 | 3 => {
            let one = (format.largest / 2) & !fraction;
            let binades = random.below(31).wrapping_sub(15);
            one.wrapping_add(binades << (format.precision - 1))
                .wrapping_add(random.next() & fraction)
        }
        4 => random.next() & !(fraction >> random.below(u64::from(format.precision))),
        _ => random.next(),
    };
    (format.code(bits) | sign) & mask
}

fn modes(random: &mut Random) -> Vec<(RoundingArg, Overflow)> {
    let any = random.next() as u16;
    let fixed = Rounding::ALL.map(RoundingArg::Fixed);
    let stochastic = [0, 1, 0x7FFF, 0x8000, 0xFFFF, any].map(RoundingArg::Stochastic);
    let all = fixed.into_iter().chain(stochastic);
    all.flat_map(|rounding| Overflow::ALL.map(|overflow| (rounding, overflow)))
        .collect()
}

fn compare(op: &str, operands: &[Ty], results: &[Ty], inputs: impl Iterator<Item = Operands>) {
    let [reference, fast] = BOTH.map(|kind| oracle(kind, op, operands, results));
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for x in inputs {
        let (a, b) = (reference.answer_stochastic(&x), fast.answer_stochastic(&x));
        if let (Answer::Located(_), _) | (_, Answer::Located(_)) = (a, b) {
            assert_eq!(a, b, "{op} {operands:?} {results:?} {x:X?}");
        }
        for (rounding, overflow) in modes(&mut random) {
            assert_eq!(
                a.output(rounding, overflow),
                b.output(rounding, overflow),
                "{op} {operands:?} {results:?} {x:X?} {rounding:?} {overflow:?}"
            );
        }
    }
}

fn sampled(op: &str, operands: &[Ty], results: &[Ty], count: usize) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (count as u64) << 7);
    let inputs = std::iter::repeat_with(|| {
        let mut x = [0; 3];
        for (bits, &ty) in x.iter_mut().zip(operands) {
            *bits = pick(ty, &mut random);
        }
        x
    });
    compare(op, operands, results, inputs.take(count));
}

const MAIN: [Ty; 3] = [Ty::F16, Ty::Bf16, Ty::F32];
const NARROW: [Ty; 4] = [Ty::E5m2, Ty::E4m3fn, Ty::E5m2fnuz, Ty::E2m1];

#[test]
fn conversions() {
    for from in MAIN.into_iter().chain(NARROW).chain([Ty::F64]) {
        for to in MAIN.into_iter().chain(NARROW) {
            if from.bits() <= 16 {
                let all = (0..1_u64 << from.bits()).map(|bits| [bits, 0, 0]);
                compare("convert", &[from], &[to], all);
            } else {
                sampled("convert", &[from], &[to], 40_000);
            }
        }
    }
}

#[test]
fn binary_operations() {
    for op in ["add", "sub", "mul", "div"] {
        for a in MAIN {
            for b in MAIN {
                for result in MAIN {
                    sampled(op, &[a, b], &[result], 4_000);
                }
            }
        }
        for narrow in NARROW {
            let all = (0..1_u64 << narrow.bits())
                .flat_map(|a| (0..1_u64 << narrow.bits()).map(move |b| [a, b, 0]));
            compare(op, &[narrow; 2], &[narrow], all);
            sampled(op, &[Ty::F32; 2], &[narrow], 4_000);
        }
    }
}

#[test]
fn square_roots() {
    for from in MAIN {
        for to in MAIN.into_iter().chain(NARROW) {
            sampled("sqrt", &[from], &[to], 20_000);
        }
    }
}

#[test]
fn fused_multiply_adds() {
    for a in MAIN {
        for b in MAIN {
            for c in MAIN {
                for result in MAIN {
                    sampled("fma", &[a, b, c], &[result], 2_000);
                }
            }
        }
    }
    for narrow in NARROW {
        sampled("fma", &[narrow; 3], &[narrow], 20_000);
    }
}

/// Addends at and next to the decisive values: c = b - a*b for rounding boundaries b of the format.
#[test]
fn fused_multiply_adds_at_ties() {
    let mut random = Random(77);
    let inputs = std::iter::repeat_with(|| {
        // Powers of two times odd significands of 4 bits: products have 8, so sums with
        // addends of near exponents are often ties; tiny addends move them off.
        let short = |random: &mut Random, low: u64, span: u64| {
            (low + random.below(span)) << 7 | (random.below(16) << 3) | random.next() << 15 & 0x8000
        };
        let (a, b) = (short(&mut random, 110, 30), short(&mut random, 110, 30));
        let c = if random.below(2) == 0 {
            short(&mut random, 100, 50)
        } else {
            short(&mut random, 1, 60) | random.below(128)
        };
        [a, b, c]
    });
    compare("fma", &[Ty::Bf16; 3], &[Ty::Bf16], inputs.take(200_000));
}

const INTEGERS: [Ty; 8] = [
    Ty::I8,
    Ty::I16,
    Ty::I32,
    Ty::I64,
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
];

#[test]
fn integers() {
    for integer in INTEGERS {
        for format in MAIN {
            sampled("from_int", &[integer], &[format], 20_000);
        }
        for format in MAIN.into_iter().chain([Ty::F64]) {
            sampled("to_int", &[format], &[integer], 20_000);
        }
    }
    for format in MAIN {
        sampled("round_to_integral", &[format], &[format], 40_000);
    }
}

#[test]
fn encoders() {
    for policy in oracles::policies() {
        for from in MAIN {
            let params = [("policy", ParamValue::Name(policy.name.as_str()))];
            let [reference, fast] = BOTH
                .map(|kind| for_row(kind, "e8m0_encode", &[from], &[Ty::E8m0], &params).unwrap());
            let mut random = Random(99);
            for _ in 0..20_000 {
                let x = [pick(from, &mut random), 0, 0];
                assert_eq!(
                    reference.answer(&x),
                    fast.answer(&x),
                    "{} {x:X?}",
                    policy.name
                );
            }
        }
    }
}
