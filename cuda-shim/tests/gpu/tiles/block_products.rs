//! Products in MX blocks on the tensor cores.

use super::{reduced, report, same, watched};
use crate::{module, words};
use bitexact::reduce::Order;
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Rounding};
use cuda_shim::{BlockMatrix, Composites, Module, Type};

const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);

/// What the elements of a matrix in MX blocks are like.
#[derive(Clone, Copy, Debug)]
pub(super) enum Codes {
    /// Any codes, NaNs too.
    Any,
    /// Numbers of any magnitude.
    Finite,
    /// Numbers, and blocks of zeros.
    Sparse,
    /// The largest numbers, whose signs agree within a block: they add up to the largest dot
    /// products.
    Largest,
    /// The largest numbers, half of them in the first block, whose dot product has the other sign:
    /// the second one may be beyond f32 where the sum of both is not.
    Growing,
    /// Each number followed by its opposite, with a partner that is the same; and a small one.
    Cancelling,
    /// Zeros of both signs.
    Zeros,
    /// Rows of -0, of MXINT8 0, against columns of one sign: every product is -0.
    MinusZero,
    /// Numbers, and in some rows an infinity, or a NaN where there are none.
    Special,
    /// A large number, half of the last bit that 24 bits have beside it, a whole one in some rows,
    /// and in some the least number that there is: midpoints, and what lies next to them.
    Midpoints,
}

const CODES: [Codes; 10] = [
    Codes::Any,
    Codes::Finite,
    Codes::Sparse,
    Codes::Largest,
    Codes::Growing,
    Codes::Cancelling,
    Codes::Zeros,
    Codes::MinusZero,
    Codes::Special,
    Codes::Midpoints,
];

/// What their scales are like.
#[derive(Clone, Copy, Debug)]
enum Scales {
    /// All are 1.
    Ones,
    /// Within 2^8.
    Near,
    /// As far apart as exact sums of one digit allow, and a bit further.
    Apart,
    /// One for each row, any: their products reach both ends of each domain.
    Rows,
    /// The least, the greatest, and 1.
    Ends,
    /// Any, NaNs too.
    Any,
    /// 1, and one block's is the greatest, beside which values leave f32's range; those of the
    /// other operand are small.
    Peak,
}

const SCALES: [Scales; 7] = [
    Scales::Ones,
    Scales::Near,
    Scales::Apart,
    Scales::Rows,
    Scales::Ends,
    Scales::Any,
    Scales::Peak,
];

/// The code of 2^exponent times the least number of a type, and the greatest exponent that there
/// is.
fn power_of_two(ty: Type, exponent: u32) -> (u64, u32) {
    let (digits, most) = match ty {
        Type::E2m1 => (1, 3),
        Type::E2m3 => (3, 5),
        Type::E3m2 => (2, 8),
        Type::E4m3fn => (3, 17),
        Type::E5m2 => (2, 31),
        _ => (7, 6),
    };
    let exponent = exponent.min(most);
    let code = match exponent.checked_sub(digits) {
        None => 1 << exponent,
        Some(above) => u64::from(above + 1) << digits,
    };
    (code, most)
}

/// What an element of [`Codes::Midpoints`] is, at this place of this block: products of the second
/// and the third place have exponents that are 24 and 23 less than that of the first.
fn midpoint(types: [Type; 2], right: bool, [row, block, place]: [usize; 3], sign: u64) -> u64 {
    let [own, other] = if right { [types[1], types[0]] } else { types };
    let most = [own, other].map(|ty| power_of_two(ty, 0).1);
    // How far the exponents of the first place are below the greatest ones, and those of others
    // below these.
    let high = most.map(|most| most - (block as u32 % 7).min(most / 3));
    let share = if right {
        12.min(high[0])
    } else {
        24 - 12.min(high[1])
    };
    let share = if right { share } else { share.min(high[0]) };
    let exponent = match place {
        0 => high[0],
        5 => high[0] - share,
        9 if row % 3 != 0 => high[0] - share + u32::from(right && share > 0),
        17 if row % 4 != 0 => 0,
        _ => return 0,
    };
    let minus = place == 17 && row % 2 == 1 || place == 0 && row % 5 == 4;
    let code = power_of_two(own, exponent).0;
    match (own, minus) {
        (_, false) => code,
        (Type::Mxint8, true) => code.wrapping_neg() & 0xFF,
        _ => code | sign,
    }
}

/// Codes and scales of a matrix in blocks of 32; `right` for the second operand.
fn in_blocks(
    types: [Type; 2],
    (codes, scales): (Codes, Scales),
    [rows, k]: [usize; 2],
    right: bool,
) -> [Vec<u64>; 2] {
    let ty = types[usize::from(right)];
    let (all, sign, most) = match ty {
        Type::E2m1 => (0xF, 0x8, 0x7),
        Type::E2m3 | Type::E3m2 => (0x3F, 0x20, 0x1F),
        Type::E4m3fn => (0xFF, 0x80, 0x7E),
        Type::E5m2 => (0xFF, 0x80, 0x7B),
        _ => (0xFF, 0x80, 0x7F),
    };
    let integer = ty == Type::Mxint8;
    let mix = |word: u64| {
        let word = (word ^ if right { 0x5DEE_CE66_D1A4_F087 } else { 0 })
            .wrapping_mul(0xA076_1D64_78BD_642F);
        word ^ word >> 32
    };
    let opposite = |code: u64| match (integer, code) {
        (true, 0x80) => 0x7F,
        (true, code) => code.wrapping_neg() & 0xFF,
        (false, code) => code ^ sign,
    };
    let finite = |word: u64| {
        let code = word & all;
        if !integer && code & (sign - 1) > most {
            code - (sign - 1 - most)
        } else {
            code
        }
    };
    let stream: Vec<u64> = words(rows * k + 1).skip(1).map(mix).collect();
    let mut elements: Vec<u64> = stream
        .iter()
        .enumerate()
        .map(|(i, &word)| match codes {
            // A NaN in few rows, so that the others are compared too.
            Codes::Any if word >> 40 & 0x3F != 0 => finite(word),
            Codes::Any => word & all,
            Codes::Special if !integer && (i / k.max(1)) % 5 == 2 && word >> 40 & 0x1F == 0 => {
                (most + 1).min(sign - 1) | word & sign
            }
            Codes::Midpoints => {
                let (row, at) = (i / k.max(1), i % k.max(1));
                midpoint(types, right, [row, at / 32, at % 32], sign)
            }
            Codes::Finite | Codes::Special => finite(word),
            Codes::Sparse if (i / 32) % 3 == 1 => 0,
            Codes::Sparse => finite(word & (word >> 8)),
            Codes::Largest if integer && i / k.max(1) % 2 == 0 => 0x80,
            Codes::Largest if integer => [0x80, 0x7F][i % k.max(1) / 32 % 2],
            // Rows of one sign, and rows whose blocks have both in turn.
            Codes::Largest => {
                let (row, at) = (i / k.max(1), i % k.max(1));
                most | [0, sign, [0, sign][at / 32 % 2]][row % 3]
            }
            Codes::Growing => match i % k.max(1) {
                at if at < 32 && at % 2 == 1 => 0,
                at if at < 32 && !right => most,
                _ if integer => 0x80,
                _ => most | sign,
            },
            Codes::Cancelling => finite(word),
            Codes::Zeros if integer => {
                [0, 0x81][(word >> 9) as usize % 2] & if right { 0 } else { 0xFF }
            }
            Codes::Zeros => word & sign,
            Codes::MinusZero if right => finite(word) & !sign & all | 1,
            Codes::MinusZero if integer => 0,
            Codes::MinusZero => sign,
        })
        .collect();
    if matches!(codes, Codes::MinusZero) && integer {
        // A product of 0 and a negative number is -0; one row has +0, too.
        if right {
            elements = elements.iter().map(|code| code | sign).collect();
        }
    } else if matches!(codes, Codes::MinusZero) && !right && rows > 2 {
        elements[k * 2..k * 3]
            .iter_mut()
            .skip(k / 2)
            .take(1)
            .for_each(|code| *code = 0);
    }
    if matches!(codes, Codes::Cancelling) {
        for row in elements.chunks_mut(k.max(1)) {
            for i in (0..row.len().saturating_sub(1)).step_by(2) {
                row[i + 1] = if right { row[i] } else { opposite(row[i]) };
            }
            if let Some(last) = row.last_mut().filter(|_| k % 5 != 0) {
                *last = 1;
            }
        }
    }
    let blocks = k.div_ceil(32);
    let some: Vec<u64> = words(rows * blocks + 7).skip(7).map(mix).collect();
    let scales = some
        .iter()
        .enumerate()
        .map(|(i, word)| {
            let row = i / blocks.max(1);
            match scales {
                Scales::Ones => 127,
                Scales::Near => 119 + word % 17,
                Scales::Apart => 90 + word % [8, 12, 13, 31, 33, 60][row % 6],
                // Among them neighbours of each other.
                Scales::Rows => (mix(row as u64 / 3) >> 7) % 253 + row as u64 % 3,
                Scales::Ends => [0, 254, 127, 1, 253][(word % 5) as usize],
                Scales::Any => word & 0xFF,
                Scales::Peak if right => 20,
                Scales::Peak => [127, 254][usize::from(i == 0)],
            }
        })
        .collect();
    [elements, scales]
}

/// A product in MX blocks on the tensor cores and by the definition's entries.
fn check_block_product(
    module: &Module,
    on: Composites<'_>,
    types: [Type; 2],
    data: (Codes, Scales),
    [m, n, k]: [usize; 3],
    (how, mode, to): (Accumulation, Mode, Type),
    from: usize,
) -> usize {
    let gpu = module.gpu();
    let there = |rows: usize, right: bool| {
        let ty = types[usize::from(right)];
        let [mut codes, scales] = in_blocks(types, data, [rows, k], right);
        codes.splice(0..0, (0..from).map(|_| 0));
        [(ty, codes), (Type::E8m0, scales)].map(|(ty, codes)| gpu.upload_bits(ty, &codes).unwrap())
    };
    let (a, b) = (there(m, false), there(n, true));
    let before: Vec<u64> = words(m * n + 2).map(|word| word & 0xFFFF).collect();
    let product = |on: Composites<'_>| -> Vec<u64> {
        let mut out = gpu.upload_bits(to, &before).unwrap();
        let [x, y] = [(&a, m), (&b, n)].map(|([elements, scales], rows)| {
            let elements = elements.slice(from..from + rows * k).unwrap();
            let scales = scales.slice(0..rows * k.div_ceil(32)).unwrap();
            BlockMatrix::new(elements, scales, [rows, k], 32).unwrap()
        });
        let mut part = out.slice_mut(1..1 + m * n).unwrap();
        on.block_gemm(&x, &y, how, mode, &mut part, None).unwrap();
        gpu.download_bits(&out.view()).unwrap()
    };
    let (fast, due) = (product(on), product(module.composites().by_definition()));
    same(&fast, &due, || {
        format!("{types:?} {to:?} {how:?} {mode:?} {data:?} {m} {n} {k} from {from}")
    });
    m * n
}

fn check_block_products(module: &Module, types: [Type; 2]) -> usize {
    let (best, mut count, mut turn) = (module.composites(), 0, 0);
    let modes: Vec<Mode> = Rounding::ALL
        .iter()
        .flat_map(|rounding| {
            [
                Mode::ieee(*rounding),
                Mode::ieee(*rounding).saturating_all(),
            ]
        })
        .collect();
    let mut check = |on: Composites<'_>, data, shape| {
        turn += 1;
        let (mode, to) = (
            modes[turn % modes.len()],
            [Type::F32, Type::Bf16][turn / 3 % 2],
        );
        let even = Mode::TIES_TO_EVEN;
        [
            (SEQUENTIAL, even, Type::F32),
            (Accumulation::Exact, even, Type::F32),
            (Accumulation::Exact, mode, to),
        ]
        .into_iter()
        .map(|how| check_block_product(module, on, types, data, shape, how, turn % 3))
        .sum::<usize>()
    };
    // Each kind of data, over blocks and a rest; fewer of two types, and a few where a sanitizer
    // watches.
    let step = match types {
        _ if watched() => 7,
        [a, b] if a != b && reduced(module) => 3,
        _ => 1,
    };
    let kinds = || {
        CODES
            .into_iter()
            .flat_map(|codes| SCALES.map(|scales| (codes, scales)))
            .step_by(step)
    };
    for data in kinds() {
        count += check(best, data, [19, 21, 75]);
        count += check(best, data, [9, 70, 64]);
    }
    for k in [0, 1, 31, 32, 33, 63, 64, 65, 96, 128, 300] {
        count += check(best, (Codes::Finite, Scales::Near), [1, 1, k]);
        count += check(best, (Codes::MinusZero, Scales::Near), [3, 5, k]);
        count += check(best, (Codes::Any, Scales::Apart), [6, 17, k]);
    }
    // Both ends of each domain, and sizes that fill no tile.
    count += check(best, (Codes::Finite, Scales::Rows), [129, 67, 33]);
    count += check(best, (Codes::Largest, Scales::Rows), [131, 130, 32]);
    count += check(best, (Codes::Growing, Scales::Rows), [131, 130, 64]);
    count += check(best, (Codes::Largest, Scales::Ones), [3, 2, 4096]);
    count += check(best, (Codes::Cancelling, Scales::Near), [2, 3, 4096]);
    for blocks in [1, 2] {
        count += check(
            best.in_blocks(blocks),
            (Codes::Finite, Scales::Near),
            [140, 70, 96],
        );
    }
    if !reduced(module) {
        for data in kinds() {
            count += check(best, data, [300, 257, 1024]);
            count += check(best, data, [129, 65, 4099]);
        }
        for scales in [Scales::Ones, Scales::Near, Scales::Apart] {
            count += check(best, (Codes::Finite, scales), [1000, 1016, 2048]);
            count += check(best, (Codes::Largest, scales), [128, 130, 70_000]);
        }
        count += check(best, (Codes::Finite, Scales::Near), [2048, 2048, 4096]);
    }
    count
}

const MULTIPLIED: [Type; 6] = [
    Type::E2m1,
    Type::E2m3,
    Type::Mxint8,
    Type::E3m2,
    Type::E4m3fn,
    Type::E5m2,
];

/// Some of these products, for each pair of types.
fn check_few_block_products(module: &Module, types: [Type; 2]) -> usize {
    let ways = [
        (SEQUENTIAL, Mode::TIES_TO_EVEN, Type::F32),
        (
            Accumulation::Exact,
            Mode::ieee(Rounding::TowardNegative),
            Type::Bf16,
        ),
    ];
    [
        ((Codes::Any, Scales::Near), [7, 9, 65]),
        ((Codes::Finite, Scales::Any), [13, 5, 96]),
        ((Codes::Largest, Scales::Rows), [30, 31, 32]),
        ((Codes::Midpoints, Scales::Ones), [12, 6, 224]),
        ((Codes::MinusZero, Scales::Near), [5, 3, 31]),
        ((Codes::Special, Scales::Ends), [9, 8, 33]),
    ]
    .into_iter()
    .flat_map(|(data, shape)| ways.map(|how| (data, shape, how)))
    .map(|(data, shape, how)| {
        check_block_product(module, module.composites(), types, data, shape, how, 1)
    })
    .sum()
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn block_products_on_tensor_cores() {
    let module = module();
    let alike = MULTIPLIED.map(|ty| check_block_products(module, [ty; 2]));
    // Of each two numbers of digits, and both turned.
    let mixed = [
        [Type::E5m2, Type::Mxint8],
        [Type::E3m2, Type::E5m2],
        [Type::E5m2, Type::E4m3fn],
        [Type::E2m1, Type::E4m3fn],
        [Type::E4m3fn, Type::E3m2],
        [Type::Mxint8, Type::E3m2],
        [Type::Mxint8, Type::E2m3],
    ]
    .map(|types| check_block_products(module, types));
    let pairs = MULTIPLIED
        .into_iter()
        .flat_map(|a| MULTIPLIED.map(|b| [a, b]));
    let few = pairs.map(|types| check_few_block_products(module, types));
    let count = alike.into_iter().chain(mixed).chain(few).sum();
    report(
        module,
        "elements of products in MX blocks on tensor cores",
        count,
    );
    // They are made there: what has no blocks is refused.
    let gpu = module.gpu();
    let scale = gpu.upload_bits(Type::E8m0, &[127]).unwrap();
    let mut out = gpu.zeros::<f32>(1).unwrap();
    for (types, how) in [
        ([Type::E2m1; 2], Accumulation::Exact),
        ([Type::E2m1; 2], SEQUENTIAL),
        ([Type::E2m1, Type::E4m3fn], SEQUENTIAL),
        ([Type::E2m1, Type::E4m3fn], Accumulation::Exact),
        ([Type::Mxint8, Type::E3m2], Accumulation::Exact),
        ([Type::E5m2; 2], SEQUENTIAL),
        ([Type::Mxint8, Type::E5m2], SEQUENTIAL),
        ([Type::E5m2; 2], Accumulation::Exact),
        ([Type::Mxint8, Type::E5m2], Accumulation::Exact),
    ] {
        let elements = types.map(|ty| gpu.upload_bits(ty, &[1; 32]).unwrap());
        let [x, y] = elements
            .each_ref()
            .map(|x| BlockMatrix::new(x.view(), scale.view(), [1, 32], 32).unwrap());
        let on = module.composites().in_blocks(0);
        let refused = on.block_gemm(&x, &y, how, Mode::TIES_TO_EVEN, &mut out.view_mut(), None);
        assert!(refused.is_err(), "not on tensor cores: {types:?} {how:?}");
    }
}
