//! The fast paths of the composites against their definition, on one device: the same call with the
//! definition's entries. Whole memory is compared, over data that a fast path could get wrong.

use super::{module, words};
use bitexact::format::Format;
use cuda_shim::{Composites, Module};
use std::io::Write;
mod block_products;
mod column_sums;
mod exact_products;
mod exact_sums;
mod f32_layers;
mod lane_sums;
mod layer_norms;
mod means;
mod mx_blocks;
mod norms;
mod nvfp4;
mod packing;
mod products;
mod softmax;
mod units;

/// Whether the device is a host's emulation, or [watched](watched): the large cases would take
/// hours there.
pub fn reduced(module: &Module) -> bool {
    module.gpu().name().starts_with("no GPU") || watched()
}

/// Whether a sanitizer watches each access (`BITEXACT_REDUCED`), which takes a hundred times as
/// long. Which accesses there are depends on shapes and not on numbers.
pub fn watched() -> bool {
    std::env::var_os("BITEXACT_REDUCED").is_some()
}

/// All kinds of data, but few where a sanitizer watches.
pub fn kinds() -> impl Iterator<Item = Data> + Clone {
    DATA.into_iter()
        .filter(|data| !watched() || matches!(data, Data::Any | Data::Normal))
}

/// The definition's entries, which take a row by one thread; where a sanitizer watches and there is
/// much to do, the fast ones once more.
fn definition(module: &Module, elements: usize) -> Composites<'_> {
    if watched() && elements > 5000 {
        module.composites()
    } else {
        module.composites().by_definition()
    }
}

/// Fails if two outputs differ, and says what they belong to, how many words differ and the first
/// of them.
pub fn same(fast: &[u64], due: &[u64], what: impl FnOnce() -> String) {
    assert_eq!(fast.len(), due.len(), "another number of words");
    let differ: Vec<usize> = (0..due.len()).filter(|&at| fast[at] != due[at]).collect();
    if let [first, ..] = differ[..] {
        let (many, got, right) = (differ.len(), fast[first], due[first]);
        panic!(
            "{}: {many} differ; {got:#x} in place of {right:#x} at {first}",
            what()
        );
    }
}

/// Compares what fast entries make of so many elements, in all blocks and in two, with what the
/// definition's make.
fn same_by_all(
    module: &Module,
    elements: usize,
    make: impl Fn(Composites<'_>) -> Vec<u64>,
    what: impl Fn() -> String,
) {
    let due = make(definition(module, elements));
    for on in [module.composites(), module.composites().in_blocks(2)] {
        same(&make(on), &due, &what);
    }
}

/// Written past the test harness: what was compared, and that it was equal.
pub fn report(module: &Module, what: &str, count: usize) {
    assert!(count > 0, "{what}: nothing was compared");
    let _ = writeln!(
        std::io::stderr(),
        "{what}: {count} compared, 0 differ ({})",
        module.gpu().name()
    );
}

/// What the numbers of a slice are like.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Any bits.
    Any,
    /// Finite ones of any exponent.
    Finite,
    /// About N(0,1): exponents fall off as a normal distribution's do.
    Normal,
    /// N(0,1) times powers of two from 2^-16 to 2^16.
    Spread,
    /// Subnormal numbers and zeros of both signs.
    Subnormal,
    /// -0 and +0.
    Zeros,
    /// -0 alone.
    MinusZero,
    /// Each number followed by its opposite, and small ones at odd places.
    Cancelling,
    /// The largest finite numbers.
    Largest,
    /// N(0,1) with an infinity here and there.
    Infinities,
    /// N(0,1) with a NaN here and there, signalling ones too.
    Nans,
}

pub const DATA: [Data; 11] = [
    Data::Any,
    Data::Finite,
    Data::Normal,
    Data::Spread,
    Data::Subnormal,
    Data::Zeros,
    Data::MinusZero,
    Data::Cancelling,
    Data::Largest,
    Data::Infinities,
    Data::Nans,
];

/// `n` numbers; others for another salt.
pub fn numbers<F: Format>(data: Data, n: usize, salt: u64) -> Vec<F> {
    let (sign, digits) = (F::SIGN, F::PRECISION - 1);
    let fraction = |word: u64| word & ((1 << digits) - 1);
    let signed = |word: u64, code: u64| code | if word >> 63 == 1 { sign } else { 0 };
    // Of a number with the exponent of 1 less `down`, as far as there are exponents.
    let scaled = |word: u64, down: i64| {
        let field = (F::BIAS as i64 - down).clamp(0, (F::MAX_FINITE >> digits) as i64);
        signed(
            word,
            ((field as u64) << digits | fraction(word)).min(F::MAX_FINITE),
        )
    };
    // Half of the numbers have the exponent of 1, a quarter that of 1/2, and so on.
    let normal = |word: u64| scaled(word, i64::from((word >> 24).trailing_zeros()) - 1);
    let one = |i: usize, word: u64| match data {
        Data::Any => word & (sign | (sign - 1)),
        Data::Finite => signed(word, (word >> 8) % (F::MAX_FINITE + 1)),
        Data::Normal => normal(word),
        Data::Spread => scaled(
            word,
            i64::from((word >> 24).trailing_zeros()) + (word >> 50) as i64 % 33 - 16,
        ),
        Data::Subnormal => signed(word, fraction(word) & (word >> 30)),
        Data::Zeros => signed(word, 0),
        Data::MinusZero => sign,
        Data::Cancelling if i % 3 == 2 => scaled(word, 20),
        Data::Cancelling => normal(word),
        Data::Largest => signed(word, F::MAX_FINITE - (word & 3)),
        Data::Infinities if word.is_multiple_of(97) => signed(word, F::MAX_FINITE + 1),
        Data::Nans if word.is_multiple_of(97) => {
            F::MAX_FINITE + 1 + (word >> 40) % (sign - F::MAX_FINITE - 1)
        }
        Data::Infinities | Data::Nans => normal(word),
    };
    let stream: Vec<u64> = words(n + 1)
        .skip(1)
        .map(|word| {
            (word ^ salt.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0xA076_1D64_78BD_642F)
        })
        .map(|word| word ^ word >> 32)
        .collect();
    let mut codes: Vec<u64> = stream
        .iter()
        .enumerate()
        .map(|(i, word)| one(i, *word))
        .collect();
    if matches!(data, Data::Cancelling) {
        for i in (0..n.saturating_sub(1)).step_by(3) {
            codes[i + 1] = codes[i] ^ sign;
        }
    }
    codes.into_iter().map(F::from_bits).collect()
}

/// Where the results begin: aligned or not, apart from where the values do.
const fn from_of(k: usize) -> usize {
    if k.is_multiple_of(5) { 1 } else { 0 }
}

/// Two neighbouring numbers, in equal parts if the length is even; some rows have one more of one
/// of them, or a number that is far smaller.
fn halves<T: Format>(row: usize, values: &mut [T]) {
    let (half, one) = (values.len() / 2, 1u64 << (T::PRECISION - 1));
    let top = T::MAX_FINITE / one;
    let sign = if row % 2 == 1 { T::SIGN } else { 0 };
    // From the subnormal numbers to the largest ones.
    let place = [top / 2, 0, 1, top - 1, top / 2 + 3][row / 2 % 5];
    let low = place * one + words(row + 1).last().unwrap_or(0) % (one - 1);
    for (i, value) in values.iter_mut().enumerate() {
        *value = T::from_bits(sign | (low + u64::from(i < half)));
    }
    match row / 3 % 4 {
        0 => values[half] = values[0],
        1 => values[0] = values[values.len() - 1],
        2 => values[half] = T::from_bits((place.saturating_sub(8) * one + 1) | sign),
        _ => {}
    }
}

/// Shape, strides and offset of a matrix, and how long its data is.
#[derive(Clone, Copy, Debug)]
pub struct Layout(pub [usize; 2], pub [isize; 2], pub usize, pub usize);

impl Layout {
    pub fn rows(m: usize, n: usize) -> Self {
        Self([m, n], [n as isize, 1], 0, m * n)
    }
    /// Column after column.
    pub fn columns(m: usize, n: usize) -> Self {
        Self([m, n], [1, m as isize], 0, m * n)
    }
    /// Rows in the other order, from a place that is not aligned, with gaps.
    pub fn backwards(m: usize, n: usize) -> Self {
        let row = n + 3;
        Self(
            [m, n],
            [-(row as isize), 1],
            1 + m.saturating_sub(1) * row,
            1 + m * row,
        )
    }
    /// One row for all, every other element.
    fn repeated(m: usize, n: usize) -> Self {
        Self([m, n], [0, 2], 1, 2 * n + 1)
    }
    /// Every third column, downwards.
    pub fn gaps(m: usize, n: usize) -> Self {
        Self([m, n], [3 * n as isize + 1, 3], 2, m * (3 * n + 1) + 3)
    }
}

/// Rows that windows of exponents could get wrong: one huge number above tiny ones; every exponent;
/// numbers at a window's edges; one subnormal number among zeros.
fn hostile<T: Format>(row: usize, values: &mut [T]) {
    let last = values.len().saturating_sub(1);
    let one = 1u64 << (T::PRECISION - 1);
    let top = T::MAX_FINITE / one;
    let random: Vec<u64> = words(last + 1).collect();
    match row % 8 {
        1 => {
            for (value, word) in values.iter_mut().zip(&random) {
                *value = T::from_bits(word % (4 * one));
            }
            values[last] = T::from_bits(T::MAX_FINITE);
        }
        2 => {
            for (i, value) in values.iter_mut().enumerate() {
                let fraction = random[i] % one;
                *value = T::from_bits(i as u64 % (top + 1) * one + fraction);
            }
        }
        3 => {
            // The largest fraction from the top down to some exponents below it.
            for (i, value) in values.iter_mut().enumerate() {
                let field = (top / 2 + 1).saturating_sub(20 + i as u64 % 5);
                *value = T::from_bits((field * one + one - 1) | (random[i] & T::SIGN));
            }
            values[last / 2] = T::from_bits(top / 2 * one + one - 1);
        }
        4 => {
            values.fill(T::from_bits(T::SIGN));
            values[last / 2] = T::from_bits(1);
        }
        5 => values.fill(T::from_bits(T::MAX_FINITE)),
        6 => values.fill(T::from_bits(if row % 16 == 6 { 0 } else { T::SIGN })),
        7 => {
            // Pairs that cancel but for their last bits, about a large mean.
            for (i, value) in values.iter_mut().enumerate() {
                *value = T::from_bits(top / 2 * one + random[i] % 4);
            }
        }
        0 if row % 16 == 8 && last > 0 => {
            // Three and four times an odd number: the norm is five times that, midway between two
            // numbers; or next to it.
            let odd = (3 * one / 8 + one / 32 + random[0] % (one / 16)) | 1;
            let of = |x: u64| T::from_bits((top / 2 + 2) * one + x - one);
            values.fill(T::from_bits(0));
            values[last] = of(3 * odd);
            values[0] = of(4 * odd);
            if last > 1 && row % 32 == 8 {
                values[1] = T::from_bits((top / 4) * one + 1);
            }
        }
        _ => {}
    }
}
