//! The composites on the device, against the same kernels on the host, in many launch
//! configurations; all memory is compared.

mod blocks;
mod errors;
mod layers;
mod mixed;
mod nvfp4;
mod reductions;

use super::{module, tiles::reduced, words};
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::nn::{self, BatchNorm, Conv2d, NnError};
use bitexact::reduce::{self, Accumulable, Lanes, Order, ReduceError};
use bitexact::scale::{
    self, BlockError, BlockSpecials, DIALECTS, Dialect, E8M0, MxInt8, Nvfp4, Packed, ScalePolicy,
};
use bitexact::tensor::{self, Accumulation};
use bitexact::{Mode, Overflow, Rounding, Status, arith, bf16, convert, f16};
use cuda_shim::{
    BlockMatrix, Buffer, Composites, Element, Error, Module, Normalisation, Tensor, TensorMut, Type,
};
use std::io::Write;

/// The default launch configuration, and some unusual ones. (A block of 1,024 threads has 64
/// registers per thread; some entries need more.)
const GRIDS: [Option<[u32; 2]>; 5] = [
    None,
    Some([1, 1]),
    // As many threads as the entries with most registers have room for.
    Some([1, 256]),
    Some([7, 33]),
    Some([200, 64]),
];

/// Every accumulation of a product of matrices.
const WAYS: [Accumulation; 6] = [
    Accumulation::Exact,
    Accumulation::Declared(Order::Sequential),
    Accumulation::Declared(Order::Pairwise),
    Accumulation::Declared(Order::Neumaier),
    Accumulation::Declared(Order::Lanes(Lanes::new(4).unwrap())),
    Accumulation::Declared(Order::Lanes(Lanes::new(32).unwrap())),
];

fn in_grid(module: &Module, grid: Option<[u32; 2]>) -> Composites<'_> {
    match grid {
        None => module.composites(),
        Some([blocks, threads]) => module.composites().in_grid(blocks, threads),
    }
}

/// Written past the test harness: what was compared, and that it matched.
fn report(what: &str, count: usize) {
    assert!(count > 0, "{what}: nothing was compared");
    let device = module().gpu().name();
    let _ = writeln!(
        std::io::stderr(),
        "{what}: {count} compared, 0 differ ({device})"
    );
}

fn modes() -> impl Iterator<Item = Mode> + Clone {
    let overflows = Overflow::ALL.into_iter().cycle();
    Rounding::ALL
        .into_iter()
        .zip(overflows)
        .map(|(rounding, overflow)| Mode::new(rounding, overflow))
}

/// The kind of numbers in a slice.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Any bits, NaNs and infinities included.
    Any,
    /// Finite ones of any magnitude.
    Finite,
    /// Near 1.
    Moderate,
    /// Finite ones, each with its opposite somewhere, and one subnormal number.
    Cancelling,
    /// Only -0.
    MinusZero,
}

const KINDS: [Kind; 5] = [
    Kind::Any,
    Kind::Finite,
    Kind::Moderate,
    Kind::Cancelling,
    Kind::MinusZero,
];

fn numbers<F: Format>(kind: Kind, n: usize, salt: usize) -> Vec<F> {
    let sign = F::SIGN;
    let one = (F::BIAS as u64) << (F::PRECISION - 1);
    let finite = |word: u64| (word % (F::MAX_FINITE + 1)) | ((word >> 63) * sign);
    let half = n / 2;
    let codes: Vec<u64> = match kind {
        Kind::Cancelling => {
            // The generator restarts in the middle.
            let first: Vec<u64> = words(salt + half).skip(salt).map(finite).collect();
            let second = first.iter().map(|code| code ^ sign);
            let mut all: Vec<u64> = first.iter().copied().chain(second).collect();
            all.resize(n, 1);
            all
        }
        _ => words(salt + n)
            .skip(salt)
            .map(|word| match kind {
                Kind::Finite => finite(word),
                Kind::Moderate => (one ^ (word & ((1 << F::PRECISION) - 1))) | ((word & 1) * sign),
                Kind::MinusZero => sign,
                _ => word & (sign | (sign - 1)),
            })
            .collect(),
    };
    codes.into_iter().map(F::from_bits).collect()
}

/// Random bits of stochastic rounding.
fn random_words(n: usize, salt: usize) -> Vec<u64> {
    (words(n + salt).skip(salt))
        .map(|word| word & 0xFFFF)
        .collect()
}

fn bits<F: Format>(values: &[F]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// A buffer whose bits differ from what will be written.
fn dirty(module: &Module, ty: Type, n: usize) -> Buffer {
    let other: Vec<u64> = words(n).map(|word| !word).collect();
    module.gpu().upload_bits(ty, &other).unwrap()
}

fn there(module: &Module, buffer: &Buffer) -> Vec<u64> {
    module.gpu().download_bits(&buffer.view()).unwrap()
}
