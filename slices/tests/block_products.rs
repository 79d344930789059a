//! Products of matrices in MX blocks are the kernel's, at every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{self, BlockError, MxInt8};
use bitexact::{Mode, Rounding, bf16, f16};
use bitexact_slices::mx::{E8M0, Element as BlockElement};
use bitexact_slices::tensor::by::{self, How};
use bitexact_slices::tensor::{Accumulation, BlockMatrix, Order};
use bitexact_slices::{Element, Level};
use common::Draw;

const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);

/// Every level, on one thread and on several.
fn ways() -> Vec<How> {
    let threads = [false, cfg!(feature = "rayon")];
    let levels = Level::available().iter();
    levels
        .flat_map(|level| {
            threads.map(|threads| How {
                level: *level,
                threads,
            })
        })
        .collect()
}

/// What elements and scales are like.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Any codes, NaNs and infinities among them; scales near 1.
    Any,
    /// Any codes; any scales, a NaN among them.
    AnyScales,
    /// Finite codes; scales far apart, but such that every value is an f32.
    Far,
    /// Each element is followed by its negative, or nearly.
    Cancelling,
    /// Zeros of both signs, where there are two.
    Zeros,
    /// The greatest element, again and again.
    Greatest,
}

const KINDS: [Kind; 6] = [
    Kind::Any,
    Kind::AnyScales,
    Kind::Far,
    Kind::Cancelling,
    Kind::Zeros,
    Kind::Greatest,
];

fn name<E>() -> &'static str {
    let name = core::any::type_name::<E>();
    name.rsplit("::").next().unwrap()
}

/// The codes' sign, and the greatest finite magnitude.
fn bits<E: BlockElement>() -> (u64, u64) {
    match name::<E>() {
        "E2M1" => (8, 7),
        "E2M3" | "E3M2" => (0x20, 0x1F),
        "E4M3FN" => (0x80, 0x7E),
        "E5M2" => (0x80, 0x7B),
        _ => (0x80, 0x7F),
    }
}

fn operand<E: BlockElement>(
    draw: &mut Draw,
    kind: Kind,
    [rows, columns]: [usize; 2],
    block: usize,
) -> (Vec<E>, Vec<E8M0>) {
    let (sign, greatest) = bits::<E>();
    let mut last = 0;
    let elements = (0..rows * columns).map(|i| {
        let word = draw.word();
        let (finite, minus) = ((word >> 8) % (greatest + 1), word & sign);
        // Of few, and of many: no sign.
        let rarely = |of: u64, minus: u64| if (word >> 9) & of == 0 { minus } else { 0 };
        let code = match kind {
            Kind::Any | Kind::AnyScales => word & (2 * sign - 1),
            Kind::Far => finite | minus,
            Kind::Cancelling if i % 2 == 1 => last ^ sign ^ u64::from(word.is_multiple_of(16)),
            Kind::Cancelling => finite | minus,
            Kind::Zeros => rarely(3, minus),
            Kind::Greatest => greatest | rarely(63, minus),
        };
        last = code;
        E::of_code(code)
    });
    let elements = elements.collect();
    let scales = (0..rows * columns.div_ceil(block)).map(|_| {
        let word = draw.word();
        let code = match kind {
            Kind::AnyScales => (word >> 8) as u8,
            Kind::Far => 27 + ((word >> 8) % 201) as u8,
            Kind::Any if word.is_multiple_of(61) => 255,
            Kind::Any => 120 + (word >> 8 & 15) as u8,
            _ => 127 - (word >> 8 & 1) as u8,
        };
        E8M0::from_bits(code)
    });
    (elements, scales.collect())
}

/// Shapes: m, n, k, and the block's size.
const SHAPES: [[usize; 4]; 12] = [
    [1, 1, 1, 32],
    [2, 3, 0, 32],
    [1, 1, 31, 32],
    [3, 5, 32, 32],
    [15, 17, 33, 32],
    [1, 70, 100, 32],
    [70, 1, 64, 16],
    [29, 35, 96, 32],
    [2, 3, 4128, 32],
    [5, 20, 45, 7],
    [4, 4, 9, 1],
    [7, 9, 70, 100],
];

fn compare<A: BlockElement, B: BlockElement, R: Arithmetic + Element>(
    draw: &mut Draw,
    kind: Kind,
    [m, n, k, block]: [usize; 4],
    accumulation: Accumulation,
    mode: Mode,
) -> usize {
    let (a, a_scales) = operand::<A>(draw, kind, [m, k], block);
    let (b, b_scales) = operand::<B>(draw, kind, [n, k], block);
    let a = BlockMatrix::new(&a, &a_scales, [m, k], block).unwrap();
    let b_matrix = BlockMatrix::new(&b, &b_scales, [n, k], block).unwrap();
    let mut due = vec![R::of_code(0x15); m * n];
    let _ = scale::gemm(&a, &b_matrix, accumulation, mode, &mut due).unwrap();
    for how in ways() {
        let mut got = vec![R::of_code(0x15); m * n];
        by::gemm_blocks(how, &a, &b_matrix, accumulation, mode, &mut got).unwrap();
        let found = got.iter().zip(&due).position(|(a, b)| a.code() != b.code());
        if let Some(at) = found {
            panic!(
                "{} by {} {kind:?} {m} {n} {k} {block} {accumulation:?} {mode:?} {how:?}: {at} is {:X}, not {:X}",
                name::<A>(),
                name::<B>(),
                got[at].code(),
                due[at].code()
            );
        }
        if n == 1 {
            let mut vector = vec![R::of_code(0x15); m];
            by::gemv_blocks(how, &a, &b, &b_scales, accumulation, mode, &mut vector).unwrap();
            assert!(vector.iter().zip(&due).all(|(a, b)| a.code() == b.code()));
        }
    }
    m * n
}

fn pairs<A: BlockElement, B: BlockElement>() {
    let mut draw = Draw::new(name::<A>(), name::<B>().len() as u64);
    let mut count = 0;
    for shape in SHAPES {
        for kind in KINDS {
            for accumulation in [SEQUENTIAL, Accumulation::Exact] {
                count +=
                    compare::<A, B, f32>(&mut draw, kind, shape, accumulation, Mode::TIES_TO_EVEN);
            }
        }
    }
    // Other modes, orders and results.
    for (i, kind) in KINDS.into_iter().enumerate() {
        for rounding in Rounding::ALL {
            let mode = Mode::ieee(rounding);
            let shape = [3, 18, 40 + i, 32];
            count += compare::<A, B, f32>(&mut draw, kind, shape, Accumulation::Exact, mode);
            count += compare::<A, B, f16>(&mut draw, kind, shape, Accumulation::Exact, mode);
            count += compare::<A, B, bf16>(&mut draw, kind, shape, SEQUENTIAL, mode);
        }
        let order = Accumulation::Declared(Order::Pairwise);
        count += compare::<A, B, f32>(&mut draw, kind, [3, 5, 70, 32], order, Mode::TIES_TO_EVEN);
    }
    assert!(count > 25_000, "{count}");
}

macro_rules! pairs {
    ($($name:ident $a:ty, $b:ty;)*) => {
        $(#[test]
        fn $name() {
            pairs::<$a, $b>();
        })*
    };
}

pairs! {
    e2m1 E2M1, E2M1;
    e2m3 E2M3, E2M3;
    e3m2 E3M2, E3M2;
    mxint8 MxInt8, MxInt8;
    e4m3fn E4M3FN, E4M3FN;
    e4m3fnuz E4M3FNUZ, E4M3FNUZ;
    e5m2 E5M2, E5M2;
    e5m2fnuz E5M2FNUZ, E2M1;
    mixed E4M3FN, E2M1;
    mixed_wide E5M2, E4M3FN;
    mixed_integer MxInt8, E4M3FN;
    mixed_infinite E2M1, E5M2;
}

/// What is compared tells the order of blocks from another, and from one rounding of all.
#[test]
fn faults_are_found() {
    let mut draw = Draw::new("faults", 0);
    let (k, mut found) = (320, [0; 2]);
    for _ in 0..20 {
        let (a, x) = operand::<E4M3FN>(&mut draw, Kind::Cancelling, [1, k], 32);
        let (b, y) = operand::<E4M3FN>(&mut draw, Kind::Cancelling, [1, k], 32);
        let dot = |i: usize| -> f32 {
            let range = 32 * i..32 * (i + 1);
            let (a, b) = (&a[range.clone()], &b[range]);
            scale::dot(a, x[i], b, y[i], Mode::TIES_TO_EVEN).unwrap()
        };
        let dots: Vec<f32> = (0..k / 32).map(dot).collect();
        let forwards: f32 = dots.iter().fold(-0.0, |sum, dot| sum + dot);
        let backwards: f32 = dots.iter().rev().fold(-0.0, |sum, dot| sum + dot);
        let a = BlockMatrix::new(&a, &x, [1, k], 32).unwrap();
        let b = BlockMatrix::new(&b, &y, [1, k], 32).unwrap();
        let product = |how| {
            let mut out = [0f32];
            by::gemm_blocks(ways()[0], &a, &b, how, Mode::TIES_TO_EVEN, &mut out).unwrap();
            out[0].to_bits()
        };
        assert_eq!(product(SEQUENTIAL), forwards.to_bits());
        found[0] += usize::from(product(SEQUENTIAL) != backwards.to_bits());
        found[1] += usize::from(product(SEQUENTIAL) != product(Accumulation::Exact));
    }
    assert!(found.iter().all(|found| *found > 0), "{found:?}");
}

#[test]
fn errors_are_the_kernels() {
    let a = [E2M1::ONE; 6];
    let scales = [E8M0::ONE; 3];
    let a3 = BlockMatrix::new(&a, &scales, [3, 2], 32).unwrap();
    let a2 = BlockMatrix::new(&a, &scales[..2], [2, 3], 32).unwrap();
    let mut out = [7f32; 9];
    let wrong = by::gemm_blocks(
        ways()[0],
        &a3,
        &a2,
        SEQUENTIAL,
        Mode::TIES_TO_EVEN,
        &mut out,
    );
    assert!(
        matches!(wrong, Err(BlockError::OperandMismatch { .. })),
        "{wrong:?}"
    );
    let wrong = by::gemm_blocks(
        ways()[0],
        &a3,
        &a3,
        SEQUENTIAL,
        Mode::TIES_TO_EVEN,
        &mut out[..8],
    );
    assert!(
        matches!(wrong, Err(BlockError::LengthMismatch { .. })),
        "{wrong:?}"
    );
    assert_eq!(out, [7.0; 9]);
}
