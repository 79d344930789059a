//! Products in the order of a matrix unit: the vector loops give the kernel's bits.

use bitexact::format::{Arithmetic, E4M3FN, E5M2, Format};
use bitexact::reduce::{Unit, UnitParameters};
use bitexact::{Mode, bf16, f16, tensor};
use bitexact_slices::Level;
use bitexact_slices::tensor::{Accumulation, Operand, Order, View, ViewMut, by};

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// A small generator of words.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
}

/// Kinds of data: of few exponents, of all, with cancelling neighbours, with zeros, any codes.
const KINDS: usize = 5;

fn elements<T: Format>(random: &mut Random, kind: usize, count: usize) -> Vec<T> {
    let fraction = T::PRECISION - 1;
    let bias = T::BIAS as u64;
    let fields = T::MAX_FINITE >> fraction;
    let mut made: Vec<T> = Vec::with_capacity(count);
    for i in 0..count {
        let any = u64::from(random.next()) << 16 ^ u64::from(random.next());
        let field = match kind {
            0 => bias.saturating_sub(u64::from(random.next() % 6)),
            _ => any >> 20 & (2 * fields - 1),
        };
        let mut code = any & (T::SIGN | ((1 << fraction) - 1)) | field.min(fields) << fraction;
        if kind == 3 && random.next().is_multiple_of(3) {
            code &= T::SIGN;
        }
        if kind == 4 {
            code = any & (2 * T::SIGN - 1);
        } else if code & (T::SIGN - 1) > T::MAX_FINITE {
            code = code & T::SIGN | T::MAX_FINITE;
        }
        if kind == 2 && i % 2 == 1 {
            code = made[i - 1].to_bits() ^ T::SIGN;
        }
        made.push(T::from_bits(code));
    }
    made
}

fn check<T: Operand>(unit: Unit, sizes: [usize; 3], kind: usize) {
    let [m, k, n] = sizes;
    let random = &mut Random((m * 1000 + k * 10 + n + kind) as u64);
    // Every other column of a, and b transposed.
    let a = elements::<T>(random, kind, m * k * 2);
    let a = View::new(&a, [m, k], [2 * k as isize, 2], 0).unwrap();
    let b = elements::<T>(random, kind, n * k);
    let b = View::contiguous(&b, [n, k])
        .unwrap()
        .transpose(0, 1)
        .unwrap();
    let order = Accumulation::Declared(Order::Unit(unit));
    let mut expected = vec![0f32; m * n];
    let mut out = ViewMut::contiguous(&mut expected, [m, n]).unwrap();
    tensor::gemm(&a, &b, order, EVEN, &mut out).unwrap();
    let expected: Vec<_> = expected.iter().map(|x| x.to_bits()).collect();
    for level in Level::available() {
        let how = by::How {
            level: *level,
            threads: false,
        };
        let mut found = vec![0f32; m * n];
        let mut out = ViewMut::contiguous(&mut found, [m, n]).unwrap();
        by::gemm(how, &a, &b, order, EVEN, &mut out).unwrap();
        let found: Vec<_> = found.iter().map(|x| x.to_bits()).collect();
        assert_eq!(
            found,
            expected,
            "{sizes:?} {} kind {kind} {}",
            T::NAME,
            level.name()
        );
    }
}

/// The shapes around those of the loops: steps, columns, rows and pieces of k.
const SIZES: [[usize; 3]; 12] = [
    [1, 1, 1],
    [1, 40, 17],
    [17, 40, 1],
    [2, 16, 16],
    [3, 15, 5],
    [4, 17, 31],
    [5, 128, 33],
    [7, 129, 3],
    [9, 260, 16],
    [1, 1000, 2],
    [33, 64, 32],
    [6, 500, 18],
];

fn all<T: Operand>(unit: Unit) {
    for sizes in SIZES {
        for kind in 0..KINDS {
            check::<T>(unit, sizes, kind);
        }
    }
}

#[test]
fn sixteen_bits() {
    all::<bf16>(Unit::HOPPER_BF16);
    all::<f16>(Unit::HOPPER_F16);
    all::<bf16>(Unit::AMPERE_16);
    all::<f16>(Unit::VOLTA_F16);
}

#[test]
fn eight_bits_and_tf32() {
    all::<E4M3FN>(Unit::HOPPER_FP8_WGMMA);
    all::<E5M2>(Unit::HOPPER_FP8_WGMMA);
    all::<E4M3FN>(Unit::BLACKWELL_FP8);
    all::<f32>(Unit::HOPPER_TF32);
    all::<f32>(Unit::HOPPER_TF32_NEAREST);
}

/// Those that differ in more than numbers, and others of free parameters.
#[test]
fn other_units() {
    all::<bf16>(Unit::CDNA3_16);
    all::<E5M2>(Unit::HOPPER_FP8_MMA);
    all::<f16>(Unit::HOPPER_F16_F16);
    all::<bf16>(Unit::HOPPER_BF16.promote(2).unwrap());
    all::<bf16>(Unit::HOPPER_BF16.segments(3).unwrap());
    for (terms, fraction_bits, precision) in [(64, 25, 24), (64, 22, 20), (63, 1, 2), (1, 30, 24)] {
        let unit = Unit::new(UnitParameters {
            terms,
            fraction_bits,
            precision,
            ..UnitParameters::HOPPER
        });
        all::<bf16>(unit.unwrap());
    }
    // The first one is that of every step here, the last one of none of the vector loops'.
    for least in [Some(300), Some(0), Some(-101), None] {
        let unit = Unit::new(UnitParameters {
            least_exponent: least,
            ..UnitParameters::HOPPER
        });
        all::<bf16>(unit.unwrap());
    }
}

/// A result of another format is the accumulator, rounded once in the mode.
#[test]
fn narrow_results() {
    fn rounded<A: Arithmetic + bitexact::catalog::Element>(mode: Mode) {
        let random = &mut Random(7);
        let (a, b) = (
            elements::<bf16>(random, 0, 320),
            elements::<bf16>(random, 0, 320),
        );
        let a = View::contiguous(&a, [4, 80]).unwrap();
        let b = View::contiguous(&b, [80, 4]).unwrap();
        let order = Accumulation::Declared(Order::Unit(Unit::HOPPER_BF16));
        let (mut expected, mut found) = ([A::from_bits(0); 16], [A::from_bits(0); 16]);
        let mut out = ViewMut::contiguous(&mut expected, [4, 4]).unwrap();
        tensor::gemm(&a, &b, order, mode, &mut out).unwrap();
        let mut out = ViewMut::contiguous(&mut found, [4, 4]).unwrap();
        bitexact_slices::tensor::gemm(&a, &b, order, mode, &mut out).unwrap();
        assert_eq!(found.map(Format::to_bits), expected.map(Format::to_bits));
    }
    for mode in [EVEN, Mode::TOWARD_POSITIVE, Mode::TO_ODD] {
        rounded::<bf16>(mode);
        rounded::<f16>(mode);
        rounded::<f32>(mode);
    }
}

/// A bias is added to the accumulator in f32, to nearest in every mode.
#[test]
fn a_bias_is_added_to_nearest() {
    use bitexact_slices::tensor::{Epilogue, gemm_epilogue};
    let (a, b) = ([bf16::ONE], [bf16::ONE]);
    let a = View::contiguous(&a, [1, 1]).unwrap();
    let b = View::contiguous(&b, [1, 1]).unwrap();
    let order = Accumulation::Declared(Order::Unit(Unit::HOPPER_BF16));
    // 1 + 2^-24 is a tie, to 1; toward positive it would be 1 + 2^-23.
    let bias = [f32::EPSILON / 2.0];
    let epilogue = Epilogue::new().bias(&bias);
    let mut to = [0f32];
    let mut out = ViewMut::contiguous(&mut to, [1, 1]).unwrap();
    gemm_epilogue(&a, &b, order, Mode::TOWARD_POSITIVE, &epilogue, &mut out).unwrap();
    assert_eq!(to, [1.0]);
}
