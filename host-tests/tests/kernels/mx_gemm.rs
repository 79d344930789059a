//! Dot products of many MX blocks and products of matrices of them, against sums of integers of any
//! length or, for a declared order, against the oracle's steps.

use crate::common::dot::{Pair, general, model_of_all, pairs};
use crate::common::steps::{Steps, expected};
use crate::common::{Code, value};
use bitexact::format::{Arithmetic, Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::reduce::{Accumulation, Lanes, Order, ReduceError};
use bitexact::scale::{
    BlockAccumulator, BlockError, BlockMatrix, E8M0, MxInt8, dot_general, dot_general_status,
    dot_status, gemm, gemv,
};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use host_tests::domain::SplitMix64;
use host_tests::oracle::Format;
use host_tests::row::Ty;

const WAYS: [Accumulation; 5] = [
    Accumulation::Exact,
    Accumulation::Declared(Order::Sequential),
    Accumulation::Declared(Order::Pairwise),
    Accumulation::Declared(Order::Neumaier),
    Accumulation::Declared(Order::Lanes(Lanes::new(2).unwrap())),
];

fn modes() -> impl Iterator<Item = Mode> {
    let of = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(of)
}

fn typed<E: Code>(codes: &[u8]) -> Vec<E> {
    codes.iter().map(|code| E::of(*code)).collect()
}

fn scales(codes: &[u8]) -> Vec<E8M0> {
    codes.iter().map(|code| E8M0::from_bits(*code)).collect()
}

/// A slice in blocks, as codes.
#[derive(Clone, Debug)]
struct Blocks {
    codes: Vec<u8>,
    scales: Vec<u8>,
}

/// Two slices of equal length.
#[derive(Clone, Debug)]
struct Slices {
    a: Blocks,
    b: Blocks,
    block: usize,
}

impl Slices {
    fn pairs(&self) -> Vec<Pair<'_>> {
        let (a, b) = (&self.a, &self.b);
        pairs(&a.codes, &a.scales, &b.codes, &b.scales, self.block)
    }

    fn agree<A: Code, B: Code, R: Arithmetic>(&self, steps: &Steps, to: Ty) {
        let due = general::<A, B>(&self.pairs(), Format::of(to).unwrap(), steps);
        let (a, b) = (typed::<A>(&self.a.codes), typed::<B>(&self.b.codes));
        let (x, y) = (scales(&self.a.scales), scales(&self.b.scales));
        for (mode, how) in modes().flat_map(|mode| WAYS.map(|how| (mode, how))) {
            let (sum, status): (R, _) =
                dot_general_status(&a, &x, &b, &y, self.block, how, mode).unwrap();
            let name = (A::TY, B::TY, to, self, how, mode);
            assert_eq!((sum.to_bits(), status), due(how, mode), "{name:?}");
            let same: R = dot_general(&a, &x, &b, &y, self.block, how, mode).unwrap();
            assert_eq!(same.to_bits(), sum.to_bits(), "{name:?}");
        }
    }
}

/// Codes of one kind: any (0), finite ones of the least (1) or of every magnitude.
fn codes<E: Code>(rng: &mut SplitMix64, kind: u32, length: usize) -> Vec<u8> {
    let all = u8::MAX >> (8 - E::TY.bits());
    let sign = all ^ (all >> 1);
    let mut draw = || loop {
        let code = rng.next() as u8 & if kind == 1 { sign | 3 } else { all };
        if kind == 0 || value::<E>(code).is_finite() {
            return code;
        }
    };
    (0..length).map(|_| draw()).collect()
}

/// Scales: of 1, near ones, the ends, such that the product with `other`'s is near 1, any (NaN
/// too).
fn some_scales(rng: &mut SplitMix64, kind: u32, other: Option<&[u8]>, blocks: usize) -> Vec<u8> {
    (0..blocks)
        .map(|k| match (kind, other) {
            (0, _) => 127,
            (1, None) => 100 + rng.below(54) as u8,
            (1, Some(_)) => 120 + rng.below(14) as u8,
            (2, _) => [0, 254, 127, 1][rng.below(4) as usize],
            (3, Some(other)) => 254u8.saturating_sub(other[k]).max(rng.below(6) as u8),
            _ => rng.next() as u8,
        })
        .collect()
}

fn slices<A: Code, B: Code>(rng: &mut SplitMix64, index: usize) -> Slices {
    let block = [1, 3, 5, 16, 32, 100][rng.below(6) as usize];
    let length = match index {
        0 => 0,
        _ => rng.below(2 + 4 * block.min(12) as u32) as usize,
    };
    let blocks = length.div_ceil(block);
    let (kind, how) = (rng.below(5), rng.below(5));
    let a = Blocks {
        codes: codes::<A>(rng, kind, length),
        scales: some_scales(rng, how, None, blocks),
    };
    let b = Blocks {
        codes: codes::<B>(rng, kind, length),
        scales: some_scales(rng, how, Some(&a.scales), blocks),
    };
    let mut slices = Slices { a, b, block };
    if index % 3 == 1 && length % block == 0 && A::TY != Ty::Mxint8 {
        // All of them with the opposite sign, in different blocks, and a small one.
        let sign = 1 << (A::TY.bits() - 1);
        let opposite: Vec<u8> = slices.a.codes.iter().map(|code| code ^ sign).collect();
        slices.a.codes.extend(opposite);
        slices.b.codes.extend(slices.b.codes.clone());
        slices.a.scales.extend(slices.a.scales.clone());
        slices.b.scales.extend(slices.b.scales.clone());
        if index % 2 == 1 {
            slices.a.codes.push(1);
            slices.b.codes.push(1);
            slices.a.scales.push(rng.below(255) as u8);
            slices.b.scales.push(rng.below(255) as u8);
        }
    }
    slices
}

fn pair<A: Code, B: Code>() {
    let steps = [Ty::F32, Ty::Bf16, Ty::F16, Ty::E4m3fn].map(|to| Steps::new(to, to));
    for index in 0..400 {
        let slices = slices::<A, B>(&mut SplitMix64::at(0x6E33, index), index as usize);
        slices.agree::<A, B, f32>(&steps[0], Ty::F32);
        slices.agree::<A, B, bf16>(&steps[1], Ty::Bf16);
        slices.agree::<A, B, f16>(&steps[2], Ty::F16);
        slices.agree::<A, B, E4M3FN>(&steps[3], Ty::E4m3fn);
    }
}

#[test]
fn general_dots_are_exact_or_the_declared_steps() {
    pair::<E5M2, E5M2>();
    pair::<E4M3FN, E4M3FN>();
    pair::<E5M2FNUZ, E5M2FNUZ>();
    pair::<E4M3FNUZ, E4M3FNUZ>();
    pair::<E3M2, E3M2>();
    pair::<E2M3, E2M3>();
    pair::<E2M1, E2M1>();
    pair::<MxInt8, MxInt8>();
    pair::<E4M3FN, E5M2>();
    pair::<MxInt8, E5M2FNUZ>();
    pair::<E2M1, E4M3FNUZ>();
}

/// Zeros, infinities, NaNs, one and NaN scales: all pairs of blocks of one product.
#[test]
fn special_cases_over_blocks_by_the_table() {
    let steps = Steps::new(Ty::F32, Ty::F32);
    let codes = [0x00, 0x80, 0x7C, 0xFC, 0x7D, 0x7E, 0x3C, 0xBC];
    let blocks = codes.iter().flat_map(|a| codes.map(|b| [*a, b]));
    for ([a, b], [c, d]) in blocks
        .clone()
        .flat_map(|first| blocks.clone().map(move |second| (first, second)))
    {
        for nan in [127, 0xFF] {
            let slices = Slices {
                a: Blocks {
                    codes: vec![a, c],
                    scales: vec![127, 254],
                },
                b: Blocks {
                    codes: vec![b, d],
                    scales: vec![nan, 0],
                },
                block: 1,
            };
            slices.agree::<E5M2, E5M2, f32>(&steps, Ty::F32);
        }
    }
}

/// One block is [`dot_status`], by any accumulation.
#[test]
fn one_block_is_a_dot() {
    let mut rng = SplitMix64::at(0x0E, 0);
    for mode in modes().flat_map(|mode| [mode; 20]) {
        let (a, b) = (codes::<E5M2>(&mut rng, 0, 9), codes::<E2M3>(&mut rng, 0, 9));
        let (a, b) = (typed::<E5M2>(&a), typed::<E2M3>(&b));
        let [x, y] = [rng.next(), rng.next()].map(|code| E8M0::from_bits(code as u8));
        let due: (Binary32, Status) = dot_status(&a, x, &b, y, mode).unwrap();
        for how in WAYS {
            let got = dot_general_status(&a, &[x], &b, &[y], 32, how, mode).unwrap();
            assert_eq!(got, due);
        }
    }
}

/// Rows, columns, blocks, partial and empty ones: each element by the reference.
fn matrices<A: Code, B: Code, R: Arithmetic>(to: Ty) {
    let steps = Steps::new(to, to);
    let shapes: [([usize; 2], usize, usize); 10] = [
        ([3, 4], 70, 32),
        ([2, 3], 64, 32),
        ([4, 1], 7, 3),
        ([3, 1], 70, 32),
        ([2, 1], 0, 32),
        ([1, 5], 5, 9),
        ([2, 2], 0, 32),
        ([0, 3], 8, 4),
        ([3, 0], 8, 4),
        ([2, 2], 3, 1),
    ];
    for (index, ([m, n], k, block)) in shapes.into_iter().enumerate() {
        let mut rng = SplitMix64::at(0x6E34, index as u64);
        let blocks = k.div_ceil(block);
        let kind = 1 - u32::from(rng.one_in(3));
        let (a, b) = (
            codes::<A>(&mut rng, 2 * kind, m * k),
            codes::<B>(&mut rng, 2 * kind, n * k),
        );
        let x = some_scales(&mut rng, 1 + index as u32 % 4, None, m * blocks);
        let y = some_scales(&mut rng, 1, Some(&[]), n * blocks);
        let (left, right) = (typed::<A>(&a), typed::<B>(&b));
        let (left_scales, right_scales) = (scales(&x), scales(&y));
        let left = BlockMatrix::new(&left, &left_scales, [m, k], block).unwrap();
        let right = BlockMatrix::new(&right, &right_scales, [n, k], block).unwrap();
        assert_eq!((left.shape(), left.block()), ([m, k], block));
        let due: Vec<_> = (0..m * n)
            .map(|at| {
                let (i, j) = (at / n, at % n);
                let row = |codes: &[u8], i: usize| codes[i * k..][..k].to_vec();
                let scales = |scales: &[u8], i: usize| scales[i * blocks..][..blocks].to_vec();
                let (a, x, b, y) = (row(&a, i), scales(&x, i), row(&b, j), scales(&y, j));
                let pairs = pairs(&a, &x, &b, &y, block);
                general::<A, B>(&pairs, Format::of(to).unwrap(), &steps)
            })
            .collect();
        for (mode, how) in modes().flat_map(|mode| WAYS.map(|how| (mode, how))) {
            let mut out = vec![R::from_bits(1); m * n];
            let status = gemm(&left, &right, how, mode, &mut out).unwrap();
            let mut union = Status::NONE;
            for (due, got) in due.iter().zip(&out) {
                let (due, status) = due(how, mode);
                assert_eq!(got.to_bits(), due, "{m} {k} {n} {block} {how:?} {mode:?}");
                union |= status;
            }
            assert_eq!(status, union, "{m} {k} {n} {block} {how:?} {mode:?}");
            if n == 1 {
                let mut vector = vec![R::from_bits(1); m];
                let (x, scales) = (right.elements(), right.scales());
                let again = gemv(&left, x, scales, how, mode, &mut vector).unwrap();
                assert_eq!(again, union, "{m} {k} {block} {how:?} {mode:?}");
                for (due, got) in due.iter().zip(&vector) {
                    let (due, _) = due(how, mode);
                    assert_eq!(got.to_bits(), due, "{m} {k} {block} {how:?} {mode:?}");
                }
            }
        }
    }
}

#[test]
fn gemm_is_a_dot_general_an_element() {
    matrices::<E4M3FN, E4M3FN, f32>(Ty::F32);
    matrices::<E5M2, E4M3FN, bf16>(Ty::Bf16);
    matrices::<E5M2FNUZ, E5M2FNUZ, f16>(Ty::F16);
    matrices::<E2M1, E2M1, E4M3FN>(Ty::E4m3fn);
    matrices::<MxInt8, MxInt8, f32>(Ty::F32);
    matrices::<E3M2, E2M3, bf16>(Ty::Bf16);
}

/// Vectors of a wrong length are refused, and nothing is written.
#[test]
fn gemv_checks_its_lengths() {
    let (elements, ones) = ([E2M1::from_bits(2); 12], [E8M0::ONE; 6]);
    let a = BlockMatrix::new(&elements, &ones, [3, 4], 2).unwrap();
    let mut out = [1.0f32; 4];
    let cases = [
        (3, 2, 3, "x", 4, 3),
        (5, 2, 3, "x", 4, 5),
        (4, 1, 3, "x_scales", 2, 1),
        (4, 3, 3, "x_scales", 2, 3),
        (4, 2, 2, "out", 3, 2),
        (4, 2, 4, "out", 3, 4),
    ];
    for (x, scales, length, which, expected, found) in cases {
        let (x, scales, out) = (&elements[..x], &ones[..scales], &mut out[..length]);
        let got = gemv(&a, x, scales, WAYS[0], Mode::TIES_TO_EVEN, out);
        let error = BlockError::LengthMismatch {
            which,
            expected,
            found,
        };
        assert_eq!(got, Err(error));
    }
    assert_eq!(out, [1.0; 4]);
    gemv(
        &a,
        &elements[..4],
        &ones[..2],
        WAYS[0],
        Mode::TIES_TO_EVEN,
        &mut out[..3],
    )
    .unwrap();
    assert_eq!(out, [4.0, 4.0, 4.0, 1.0]);
}

/// In any order of the blocks, in any parts, merged in any order.
#[test]
fn neither_order_nor_parts_are_seen() {
    let mode = Mode::TOWARD_NEGATIVE;
    for index in 0..400 {
        let mut rng = SplitMix64::at(0x9A27, index);
        let slices = slices::<E5M2, E4M3FN>(&mut rng, index as usize);
        let mut pairs = slices.pairs();
        let answer = model_of_all::<E5M2, E4M3FN>(&pairs, Format::of(Ty::F32).unwrap());
        let (due, raised) = expected(&answer, mode);
        for _ in 0..20 {
            for i in (1..pairs.len()).rev() {
                pairs.swap(i, rng.below(i as u32 + 1) as usize);
            }
            let mut parts = [BlockAccumulator::new(); 4];
            for (a, x, b, y) in &pairs {
                let [x, y] = [*x, *y].map(E8M0::from_bits);
                let part = &mut parts[rng.below(4) as usize];
                part.add_dot(&typed::<E5M2>(a), x, &typed::<E4M3FN>(b), y)
                    .unwrap();
            }
            let mut sum = BlockAccumulator::default();
            for part in parts {
                sum.merge(&part).unwrap();
            }
            assert_eq!(sum.terms(), slices.a.codes.len() as u64);
            let (bits, status) = sum.round_status::<f32>(mode);
            assert_eq!(
                (u64::from(bits.to_bits()), status),
                (due, raised),
                "{slices:?}"
            );
            assert_eq!(sum.round::<f32>(mode).to_bits(), bits.to_bits());
        }
    }
}

/// Blocks of several types in one accumulator: FP4's and FP6's numbers are E4M3FN's too.
#[test]
fn one_accumulator_takes_every_type() {
    let same = |x: f64| -> u8 {
        (0..=u8::MAX)
            .find(|code| value::<E4M3FN>(*code).to_bits() == x.to_bits())
            .unwrap()
    };
    for index in 0..200 {
        let mut rng = SplitMix64::at(0xA11, index);
        let (a, b) = (codes::<E2M1>(&mut rng, 2, 6), codes::<E3M2>(&mut rng, 2, 6));
        let (c, d) = (
            codes::<E4M3FN>(&mut rng, 2, 6),
            codes::<E4M3FN>(&mut rng, 2, 6),
        );
        let [x, y, z] = [127, 120 + rng.below(14) as u8, rng.below(255) as u8];
        let one = E8M0::from_bits;
        let mut sum = BlockAccumulator::new();
        sum.add_dot(&typed::<E2M1>(&a), one(x), &typed::<E3M2>(&b), one(y))
            .unwrap();
        sum.add_dot(&typed::<E4M3FN>(&c), one(z), &typed::<E4M3FN>(&d), one(y))
            .unwrap();
        let a: Vec<u8> = a.iter().map(|code| same(value::<E2M1>(*code))).collect();
        let b: Vec<u8> = b.iter().map(|code| same(value::<E3M2>(*code))).collect();
        let pairs = [(&a[..], x, &b[..], y), (&c[..], z, &d[..], y)];
        let answer = model_of_all::<E4M3FN, E4M3FN>(&pairs, Format::of(Ty::Bf16).unwrap());
        for mode in modes() {
            let (bits, status) = sum.round_status::<bf16>(mode);
            assert_eq!(
                (u64::from(bits.to_bits()), status),
                expected(&answer, mode),
                "{index} {mode:?}"
            );
        }
    }
}

/// The largest products as often as allowed, of both signs, and one of the smallest, which is the
/// remainder.
#[test]
fn the_room_is_enough() {
    let most = [E5M2FNUZ::from_bits(0x7F); 8];
    let minus = [E5M2FNUZ::from_bits(0xFF); 8];
    let least = [E5M2FNUZ::from_bits(0x01)];
    let of = |block: &[E5M2FNUZ]| {
        let mut sum = BlockAccumulator::new();
        sum.add_dot(block, E8M0::MAX, &most, E8M0::MAX).unwrap();
        for _ in 0..58 {
            let same = sum;
            sum.merge(&same).unwrap();
        }
        assert_eq!(sum.terms(), 1 << 61);
        sum
    };
    let (mut sum, down) = (of(&most), of(&minus));
    assert_eq!(sum.round::<f32>(Mode::TIES_TO_EVEN), f32::INFINITY);
    assert_eq!(down.round::<f32>(Mode::TIES_TO_EVEN), f32::NEG_INFINITY);
    sum.merge(&down).unwrap();
    let zero = sum.round_status::<f32>(Mode::TOWARD_NEGATIVE);
    assert_eq!((zero.0.to_bits(), zero.1), (0x8000_0000, Status::NONE));
    let before = sum;
    let one_more = {
        let mut sum = BlockAccumulator::new();
        sum.add_dot(&least, E8M0::ONE, &least, E8M0::ONE).unwrap();
        sum
    };
    let terms = (1 << 62) + 1;
    assert_eq!(
        sum.merge(&one_more),
        Err(ReduceError::TooManyTerms { terms })
    );
    assert_eq!(sum.terms(), before.terms());
    sum.add_dot(&least, E8M0::ONE, &least, E8M0::ONE).unwrap();
    assert_eq!(sum.round::<f32>(Mode::TIES_TO_EVEN), 2f32.powi(-34));
    sum.add_dot(&least, E8M0::MIN, &least, E8M0::MIN).unwrap();
    assert_eq!(
        sum.round_status::<f32>(Mode::TOWARD_POSITIVE),
        (2f32.powi(-34).next_up(), Status::INEXACT)
    );
}

#[test]
fn wrong_shapes_are_errors() {
    let codes = [E2M1::from_bits(1); 12];
    let ones = [E8M0::ONE; 4];
    let (mode, how) = (Mode::TIES_TO_EVEN, Accumulation::Exact);
    let length = |which, expected, found| BlockError::LengthMismatch {
        which,
        expected,
        found,
    };
    let matrix = |shape, block| BlockMatrix::new(&codes, &ones, shape, block).map(|_| ());
    assert_eq!(matrix([2, 6], 0), Err(BlockError::BlockSizeZero));
    assert_eq!(matrix([2, 5], 3), Err(length("elements", 10, 12)));
    assert_eq!(matrix([2, 6], 6), Err(length("scales", 2, 4)));
    assert_eq!(
        matrix([usize::MAX, 2], 6),
        Err(length("elements", usize::MAX, 12))
    );
    let a = BlockMatrix::new(&codes, &ones, [2, 6], 3).unwrap();
    let blocks = BlockMatrix::new(&codes, &ones, [2, 6], 5).unwrap();
    let columns = BlockMatrix::new(&codes, &ones, [4, 3], 3).unwrap();
    let mut out = [7.0f32; 4];
    let operand = |what, expected, found| {
        Err(BlockError::OperandMismatch {
            what,
            expected,
            found,
        })
    };
    assert_eq!(
        gemm(&a, &blocks, how, mode, &mut out),
        operand("block size", 3, 5)
    );
    assert_eq!(
        gemm(&a, &columns, how, mode, &mut out),
        operand("columns", 6, 3)
    );
    assert_eq!(
        gemm(&a, &a, how, mode, &mut out[..3]),
        Err(length("out", 4, 3))
    );
    assert_eq!(out, [7.0; 4]);
    // As many empty rows as possible.
    let none = BlockMatrix::<E2M1>::new(&[], &[], [usize::MAX, 0], 32).unwrap();
    assert_eq!(
        gemm(&none, &none, how, mode, &mut out),
        Err(length("out", usize::MAX, 4))
    );

    let dot = |a: usize, x: usize, b: usize, y: usize, block| {
        let (a, x, b, y) = (&codes[..a], &ones[..x], &codes[..b], &ones[..y]);
        dot_general::<_, _, f32>(a, x, b, y, block, how, mode)
    };
    assert_eq!(dot(4, 1, 4, 1, 0), Err(BlockError::BlockSizeZero));
    assert_eq!(dot(4, 1, 4, 2, 2), Err(length("a_scales", 2, 1)));
    assert_eq!(dot(4, 2, 5, 2, 2), Err(length("b", 4, 5)));
    assert_eq!(dot(4, 2, 4, 1, 2), Err(length("b_scales", 2, 1)));
    assert_eq!(dot(4, 2, 4, 2, 2), Ok(1.0));
    let mut sum = BlockAccumulator::new();
    assert_eq!(
        sum.add_dot(&codes[..2], E8M0::NAN, &codes, E8M0::ONE),
        Err(length("b", 2, 12))
    );
    assert_eq!(sum.round::<f32>(mode).to_bits(), 0);
}
