//! The stated generator of the inputs.
//!
//! Item `i` of a case draws from `SplitMix64::at` of `cases/inputs/src/domain/random.rs` with the
//! stream "FNV-1a of the case's name, xor the seed" and the index `i`: first its mode (rounding,
//! then overflow rule), then the draws of its fill. Elements are random bits of one of eight kinds,
//! which take turns, so that hostile ones are as frequent as any.

use crate::code::Codes;
use crate::{Item, LENGTH, Words};
use bitexact::{Mode, Overflow, Rounding};
use sweep_inputs::domain::SplitMix64;

/// The kind of an item's elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Any bits, NaNs and infinities included.
    Any,
    /// Any finite numbers.
    Finite,
    /// Numbers within some binades of each other.
    Near,
    /// Every second one is the negative of the one before, except for the last few.
    Cancelling,
    /// The largest numbers of both signs among small ones: overflow in the middle.
    Largest,
    /// Subnormal numbers and the first normal ones.
    Subnormal,
    /// Zeros of both signs, and now and then the least number.
    Zeros,
    /// Near numbers, with any bits among them.
    Spoilt,
}

const KINDS: [Kind; 8] = [
    Kind::Any,
    Kind::Finite,
    Kind::Near,
    Kind::Cancelling,
    Kind::Largest,
    Kind::Subnormal,
    Kind::Zeros,
    Kind::Spoilt,
];

/// Elements of one kind.
struct Elements {
    codes: Codes,
    kind: Kind,
    /// The least exponent field of near numbers, and how many.
    field: u32,
    fields: u32,
    last: u32,
}

impl Elements {
    fn new(random: &mut SplitMix64, codes: Codes, kind: Kind) -> Self {
        let top = codes.largest >> codes.fraction;
        let fields = 1 + random.below(12);
        Self {
            codes,
            kind,
            field: random.below(top.saturating_sub(fields) + 1),
            fields: fields.min(top + 1),
            last: 0,
        }
    }

    /// The kind for this item.
    fn of(random: &mut SplitMix64, codes: Codes, index: u32) -> Self {
        let kind = KINDS.get(index as usize % KINDS.len());
        Self::new(random, codes, kind.copied().unwrap_or(Kind::Any))
    }

    fn next(&mut self, random: &mut SplitMix64) -> u32 {
        let Codes {
            bits,
            fraction,
            largest,
            ..
        } = self.codes;
        let any = random.next() as u32;
        let sign = random.below(2) << (bits - 1);
        let normal = 1 << fraction;
        let near = |random: &mut SplitMix64| {
            let field = self.field + random.below(self.fields);
            // Few bits or many.
            let digits = match random.below(4) {
                0 => 0,
                1 => any & (normal - 1) & (normal - 1) << (fraction / 2),
                _ => any & (normal - 1),
            };
            (field << fraction | digits).min(largest)
        };
        match self.kind {
            Kind::Any => any & (u32::MAX >> (32 - bits)),
            Kind::Finite => sign | below(random, largest),
            Kind::Near => sign | near(random),
            Kind::Cancelling if self.last != 0 => core::mem::take(&mut self.last),
            Kind::Cancelling => {
                let code = near(random);
                if random.below(8) != 0 {
                    self.last = code | (sign ^ 1 << (bits - 1));
                }
                sign | code
            }
            Kind::Largest => match random.below(4) {
                0 => sign | below(random, normal),
                1 => sign | (largest - random.below(4).min(largest)),
                _ => sign | largest,
            },
            Kind::Subnormal => sign | below(random, (normal + normal / 2).min(largest)),
            Kind::Zeros => sign | u32::from(random.one_in(16)),
            Kind::Spoilt if random.one_in(6) => any & (u32::MAX >> (32 - bits)),
            Kind::Spoilt => sign | near(random),
        }
    }

    fn fill(mut self, random: &mut SplitMix64, length: usize, words: &mut Words) {
        words.length = 0;
        for _ in 0..length {
            words.push(self.next(random));
        }
    }
}

/// From 0 to `last`.
fn below(random: &mut SplitMix64, last: u32) -> u32 {
    random.below(last.saturating_add(1))
}

/// A length from `low` to `high`.
fn length(random: &mut SplitMix64, low: u32, high: u32) -> usize {
    (low + random.below(high - low + 1)) as usize
}

fn codes(formats: &[Codes], place: usize) -> Codes {
    const NONE: Codes = Codes {
        bits: 1,
        fraction: 0,
        largest: 0,
        one: 0,
    };
    formats.get(place).copied().unwrap_or(NONE)
}

/// The draws that begin every item.
pub(crate) fn begin(random: &mut SplitMix64, index: u32, item: &mut Item) {
    let rounding = Rounding::ALL.get(random.below(6) as usize);
    let overflow = Overflow::ALL.get(random.below(3) as usize);
    item.index = index;
    item.mode = Mode::new(
        rounding.copied().unwrap_or(Rounding::TiesToEven),
        overflow.copied().unwrap_or(Overflow::Ieee),
    );
    [item.a, item.b, item.c] = [Words::NONE; 3];
    item.sizes = [0; 8];
}

/// The size at an index.
fn set(item: &mut Item, place: usize, size: usize) {
    if let Some(old) = item.sizes.get_mut(place) {
        *old = size;
    }
}

/// `a`: 0 to 40 values. `sizes[0]`: a choice of three, as of an order.
pub(crate) fn values(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    slice(random, formats, item, 0);
}

/// The same of 2 values at least.
pub(crate) fn several(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    slice(random, formats, item, 2);
}

fn slice(random: &mut SplitMix64, formats: &[Codes], item: &mut Item, least: u32) {
    let length = length(random, least, 40);
    set(item, 0, random.below(3) as usize);
    Elements::of(random, codes(formats, 0), item.index).fill(random, length, &mut item.a);
}

/// `a`: one value.
pub(crate) fn one_value(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    for place in 0..4 {
        set(item, place, random.next() as usize & 0xFF);
    }
    Elements::of(random, codes(formats, 0), item.index).fill(random, 1, &mut item.a);
}

/// `a` and `b`: 0 to 40 values each, of one kind or, every second time, of two. `sizes[0]` as in
/// `values`.
pub(crate) fn pairs(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    values(random, formats, item);
    let turn = item.index / 8 % 2 * item.index / 16;
    let elements = Elements::of(random, codes(formats, 0), item.index + turn);
    elements.fill(random, item.a.length, &mut item.b);
}

/// `sizes`: m, k, n (1 to 4, 0 to 12, 1 to 4), how sums are computed (0 exactly, otherwise an order
/// plus 1), and whether `a` is transposed in its storage. `a`: m by k values; `b`: k by n.
pub(crate) fn matrices(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let (m, k, n) = (
        length(random, 1, 4),
        length(random, 0, 12),
        length(random, 1, 4),
    );
    let how = random.below(4) as usize;
    let transposed = random.below(2) as usize;
    item.sizes = [m, k, n, how, transposed, 0, 0, 0];
    let other = item.index + item.index / 8;
    Elements::of(random, codes(formats, 0), item.index).fill(random, m * k, &mut item.a);
    Elements::of(random, codes(formats, 0), other).fill(random, k * n, &mut item.b);
}

/// `sizes`: a shape (1 to 3, 1 to 5, 1 to 4), a dim below 3, the start, end and step of a slice of
/// it, an order. `a`: as many values, row-major; `b`: as many as the slice has.
pub(crate) fn tensor(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let shape = [
        length(random, 1, 3),
        length(random, 1, 5),
        length(random, 1, 4),
    ];
    let [x, y, z] = shape;
    let dim = random.below(3) as usize;
    let along = shape.get(dim).copied().unwrap_or(1);
    let start = length(random, 0, along as u32);
    let end = length(random, start as u32, along as u32);
    let step = length(random, 1, 3);
    let order = random.below(3) as usize;
    item.sizes = [x, y, z, dim, start, end, step, order];
    let across: usize = (0..3)
        .zip(shape)
        .map(|(d, n)| if d == dim { 1 } else { n })
        .product();
    let part = across * (end - start).div_ceil(step.max(1));
    let format = codes(formats, 0);
    Elements::of(random, format, item.index).fill(random, x * y * z, &mut item.a);
    Elements::of(random, format, item.index / 8).fill(random, part, &mut item.b);
}

/// Numbers whose products and sums stay in range, one in sixteen any bits.
fn moderate(random: &mut SplitMix64, format: Codes, length: usize, words: &mut Words) {
    let Codes {
        bits,
        fraction,
        largest,
        one,
    } = format;
    words.length = 0;
    for _ in 0..length {
        let any = random.next() as u32 & (u32::MAX >> (32 - bits));
        let field = (one + random.below(20)).saturating_sub(12) << fraction;
        let number = field | any & ((1 << fraction) - 1) | any & 1 << (bits - 1);
        let fits = field + (1 << fraction) <= largest + 1;
        words.push(if random.one_in(16) || !fits {
            any
        } else {
            number
        });
    }
}

/// `a`: 1 to 12 numbers, moderate or of every kind in turn.
pub(crate) fn logits(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let length = length(random, 1, 12);
    let format = codes(formats, 0);
    if item.index.is_multiple_of(2) {
        moderate(random, format, length, &mut item.a);
    } else {
        Elements::of(random, format, item.index / 2).fill(random, length, &mut item.a);
    }
}

/// `sizes`: channels (1 to 2), rows and columns of the image, filters (1 to 2), rows and columns of
/// a filter (1 to 3), the stride (1 to 2, both ways) and the padding (0, or 1 if both of the
/// filter's sizes are more, both ways). `a`: the image, `b`: the filters, `c`: the bias, or
/// nothing.
pub(crate) fn convolution(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let format = codes(formats, 0);
    let (channels, filters) = (length(random, 1, 2), length(random, 1, 2));
    let (down, across) = (length(random, 1, 3), length(random, 1, 3));
    let rows = down + length(random, 0, 2);
    let columns = across + length(random, 0, 2);
    let stride = length(random, 1, 2);
    let padding = random.below(down.min(across).min(2) as u32) as usize;
    item.sizes = [
        channels, rows, columns, filters, down, across, stride, padding,
    ];
    moderate(random, format, channels * rows * columns, &mut item.a);
    moderate(
        random,
        format,
        filters * channels * down * across,
        &mut item.b,
    );
    let bias = if random.one_in(4) { 0 } else { filters };
    moderate(random, format, bias, &mut item.c);
}

/// `sizes`: channels (1 to 4) and the elements of each (1 to 9). `a`: the elements; `b`: mean,
/// variance, weight and bias of the channels, one after the other, and at last the epsilon.
pub(crate) fn normalisation(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let (channels, plane) = (length(random, 1, 4), length(random, 1, 9));
    set(item, 0, channels);
    set(item, 1, plane);
    moderate(random, codes(formats, 0), channels * plane, &mut item.a);
    moderate(random, codes(formats, 0), 4 * channels, &mut item.b);
    item.b.push(0x3727_C5AC);
}

/// `a`: 1 to 12 inputs; `c`: the bias of 1 to 5 outputs, or nothing; `b`: a row of weights for each
/// output. `sizes[0]`: the outputs.
pub(crate) fn connection(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let format = codes(formats, 0);
    let (inputs, outputs) = (length(random, 1, 12), length(random, 1, 5));
    set(item, 0, outputs);
    moderate(random, format, inputs, &mut item.a);
    moderate(random, format, inputs * outputs, &mut item.b);
    let bias = if random.one_in(4) { 0 } else { outputs };
    moderate(random, format, bias, &mut item.c);
}

/// Numbers that are moderate every second time, otherwise of every kind in turn.
fn mixed(random: &mut SplitMix64, format: Codes, turn: u32, length: usize, words: &mut Words) {
    if turn.is_multiple_of(2) {
        moderate(random, format, length, words);
    } else {
        Elements::of(random, format, turn / 2).fill(random, length, words);
    }
}

/// `b`: rows of weights; `c`: an E8M0 scale for each block, of codes near 127 (one in 32 any), and
/// then the bias, or nothing. Returns the length of a block, 0 for weights without.
fn weights(
    random: &mut SplitMix64,
    formats: &[Codes],
    [rows, length]: [usize; 2],
    item: &mut Item,
) -> usize {
    let weights = codes(formats, 1);
    // No other type of weights has scales.
    let block = match weights.bits {
        16.. => 0,
        _ => [0, 2, 5, 32]
            .get(random.below(4) as usize)
            .copied()
            .unwrap_or(0),
    };
    mixed(random, weights, item.index / 3, rows * length, &mut item.b);
    let bias = if random.one_in(4) { 0 } else { rows };
    let blocks = if block == 0 {
        0
    } else {
        length.div_ceil(block)
    };
    let mut biases = Words::NONE;
    mixed(random, codes(formats, 2), item.index / 5, bias, &mut biases);
    for _ in 0..rows * blocks {
        let any = random.below(256);
        let near = 120 + any % 16;
        item.c.push(if random.one_in(32) { any } else { near });
    }
    for &bias in biases.get() {
        item.c.push(bias);
    }
    block
}

/// `a`: 1 to 12 inputs. `sizes`: 1 to 5 outputs, the length of a block or 0, how sums are computed
/// (0 exactly, otherwise an order plus 1). `b` and `c`: weights, scales and bias.
pub(crate) fn rows_of_weights(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let (inputs, outputs) = (length(random, 1, 12), length(random, 1, 5));
    let how = random.below(6).saturating_sub(2) as usize;
    mixed(random, codes(formats, 0), item.index, inputs, &mut item.a);
    let block = weights(random, formats, [outputs, inputs], item);
    item.sizes = [outputs, block, how, 0, 0, 0, 0, 0];
}

/// `sizes`: as of `convolution`, but for the last: the padding, the groups times 16, the length of
/// a block (or 0) times 256, how sums are computed times 65536. `a`: the image; `b` and `c`:
/// weights, scales and bias.
pub(crate) fn filters_of_weights(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let (channels, filters) = (length(random, 1, 2), length(random, 1, 2));
    let groups = if channels == filters && random.one_in(2) {
        channels
    } else {
        1
    };
    let (down, across) = (length(random, 1, 3), length(random, 1, 3));
    let rows = down + length(random, 0, 2);
    let columns = across + length(random, 0, 2);
    let stride = length(random, 1, 2);
    let padding = random.below(down.min(across).min(2) as u32) as usize;
    let how = random.below(6).saturating_sub(2) as usize;
    let image = channels * rows * columns;
    mixed(random, codes(formats, 0), item.index, image, &mut item.a);
    let row = channels / groups.max(1) * down * across;
    let block = weights(random, formats, [filters, row], item);
    let packed = padding | groups << 4 | block << 8 | how << 16;
    item.sizes = [
        channels, rows, columns, filters, down, across, stride, packed,
    ];
}

/// `a`: 1 to 12 numbers; `b` and `c`: a weight and a bias for each.
pub(crate) fn normalised(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let length = length(random, 1, 12);
    mixed(random, codes(formats, 0), item.index, length, &mut item.a);
    moderate(random, codes(formats, 1), length, &mut item.b);
    moderate(random, codes(formats, 1), length, &mut item.c);
}

/// `a`: 40 numbers; `b`: 40 words of any bits; `sizes[0]`: fraction bits, plus 64.
pub(crate) fn fixed_point(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    mixed(random, codes(formats, 0), item.index, 40, &mut item.a);
    for _ in 0..40 {
        let word = random.next() as u32;
        let shift = random.below(32);
        item.b.push(word >> shift);
    }
    set(item, 0, length(random, 50, 100));
}

/// `a` and `b`: 1 to 40 numbers each, of the first two formats; `c`: one of the last.
pub(crate) fn factors(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let length = length(random, 1, 40);
    mixed(random, codes(formats, 0), item.index, length, &mut item.a);
    mixed(
        random,
        codes(formats, 1),
        item.index / 4,
        length,
        &mut item.b,
    );
    mixed(
        random,
        codes(formats, formats.len().saturating_sub(1)),
        item.index / 3,
        1,
        &mut item.c,
    );
}

/// `sizes`: channels (1 to 2), rows (1 to 5) and columns (1 to 6) of the image, rows and columns of
/// the window (of the result, if that is what is given), both at most the image's, and the stride
/// (1 to 2). `a`: the image.
pub(crate) fn pool(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let (channels, rows, columns) = (
        length(random, 1, 2),
        length(random, 1, 5),
        length(random, 1, 6),
    );
    let (down, across) = (
        length(random, 1, rows as u32),
        length(random, 1, columns as u32),
    );
    let stride = length(random, 1, 2);
    item.sizes = [channels, rows, columns, down, across, stride, 0, 0];
    let area = channels * rows * columns;
    moderate(random, codes(formats, 0), area, &mut item.a);
}

/// `a`: 0 to 40 values. `sizes`: the length of a block (16, 32, 5 or 40), the dialect's index in
/// `DIALECTS` (in turn), whether NaNs and infinities stay in the elements, and a scale.
pub(crate) fn block(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let block = [16, 32, 5, 40].get(random.below(4) as usize).copied();
    let dialect = item.index as usize % 10;
    let specials = usize::from(random.one_in(4));
    let length = length(random, 0, 40);
    let format = codes(formats, 0);
    let elements = Elements::of(random, format, item.index / 10 + item.index);
    // A suitable scale: the exponent of near values, minus a few.
    let exponent = elements.field as i32 - format.one as i32;
    let scale = match random.below(4) {
        0 => random.below(256) as i32,
        _ => (exponent + 127 + random.below(24) as i32 - 12).clamp(0, 254),
    };
    let block = block.unwrap_or(32);
    item.sizes = [block, dialect, specials, scale as usize, 0, 0, 0, 0];
    elements.fill(random, length, &mut item.a);
}

/// `a`: 0 to 40 elements, any codes. `sizes[0]`: the length of a block; `b`: its scales, any bytes
/// or near that of 1.
pub(crate) fn scaled(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let block = [16, 32, 5, 40].get(random.below(4) as usize).copied();
    let block = block.unwrap_or(32);
    set(item, 0, block);
    let length = length(random, 0, 40);
    any(random, codes(formats, 0), length, &mut item.a);
    for _ in 0..length.div_ceil(block) {
        item.b.push(scale(random));
    }
}

fn scale(random: &mut SplitMix64) -> u32 {
    match random.below(4) {
        0 => random.below(256),
        _ => 107 + random.below(40),
    }
}

/// Any codes.
fn any(random: &mut SplitMix64, format: Codes, length: usize, words: &mut Words) {
    Elements::new(random, format, Kind::Any).fill(random, length, words);
}

/// `a` and `b`: 0 to 40 elements each, any codes or, three times in four, finite ones; `sizes`: two
/// scales whose product is any, or of a result that is in range.
pub(crate) fn two_blocks(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let length = length(random, 0, 40);
    let kind = if random.one_in(4) {
        0
    } else {
        1 + random.below(6)
    };
    let [left, right] = [0, 1].map(|place| codes(formats, place));
    Elements::of(random, left, kind).fill(random, length, &mut item.a);
    Elements::of(random, right, kind).fill(random, length, &mut item.b);
    let first = scale(random);
    let second = match random.below(4) {
        0 => random.below(256),
        _ => (254 - first.min(254) + random.below(40)).min(254),
    };
    set(item, 0, first as usize);
    set(item, 1, second as usize);
}

/// `sizes`: the length of a block (1 to 16), how sums are computed (as in `matrices`). `a` and `b`:
/// 0 to 40 elements each, as in `two_blocks`; `c`: the scales of `a`, then those of `b`, of 1, near
/// 1, such that the products are, or any.
pub(crate) fn slices_in_blocks(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let block = length(random, 1, 16);
    let how = random.below(4) as usize;
    item.sizes = [block, how, 0, 0, 0, 0, 0, 0];
    // All scales have to fit.
    let most = (LENGTH / 2 * block).min(40);
    let elements = length(random, 0, most as u32);
    in_blocks(
        random,
        formats,
        item,
        [elements; 2],
        [elements.div_ceil(block); 2],
    );
}

/// `sizes`: m, k, n (1 to 4, 0 to 12, 1 to 4), the length of a block (2 to 8, or 32), how sums are
/// computed. `a`: m by k elements; `b`: n by k; `c`: scales as in `slices_in_blocks`, of each row.
pub(crate) fn matrices_in_blocks(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let (m, k, n) = (
        length(random, 1, 4),
        length(random, 0, 12),
        length(random, 1, 4),
    );
    let block = if random.one_in(4) {
        32
    } else {
        length(random, 2, 8)
    };
    let how = random.below(4) as usize;
    item.sizes = [m, k, n, block, how, 0, 0, 0];
    let blocks = k.div_ceil(block);
    in_blocks(
        random,
        formats,
        item,
        [m * k, n * k],
        [m * blocks, n * blocks],
    );
}

fn in_blocks(
    random: &mut SplitMix64,
    formats: &[Codes],
    item: &mut Item,
    [left, right]: [usize; 2],
    [left_blocks, right_blocks]: [usize; 2],
) {
    let kind = if random.one_in(4) {
        0
    } else {
        1 + random.below(6)
    };
    Elements::of(random, codes(formats, 0), kind).fill(random, left, &mut item.a);
    Elements::of(random, codes(formats, 1), kind).fill(random, right, &mut item.b);
    let choice = random.below(4);
    let mut put = |middle: u32, spread: u32| {
        item.c.push(match choice {
            0 => 127,
            3 if random.one_in(4) => random.below(256),
            _ => (middle + random.below(spread)).min(254),
        });
    };
    // Products near 1, of scales near 1 or of scales that are each other's reciprocal.
    let first = if choice == 2 { 1 } else { 117 };
    for _ in 0..left_blocks {
        put(first, 20);
    }
    for _ in 0..right_blocks {
        put(244 - first, 20);
    }
}

/// `a`: 0 to 40 values. `sizes[0]`: the recipe's quotient, `sizes[1]`: whether scales are at least
/// 2^-6. `c[0]`: the tensor scale, 1 or any f32 between 2^-40 and 2^40.
pub(crate) fn nvfp4_values(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    slice(random, formats, item, 0);
    set(item, 1, random.below(2) as usize);
    item.c.push(tensor_scale(random));
}

fn tensor_scale(random: &mut SplitMix64) -> u32 {
    if random.one_in(3) {
        return 0x3F80_0000;
    }
    (87 + random.below(80)) << 23 | random.next() as u32 & 0x007F_FFFF
}

/// `a`: 0 to 40 codes of E2M1; `b`: a code of E4M3FN for each sixteen; `c[0]`: the tensor scale.
pub(crate) fn nvfp4_blocks(random: &mut SplitMix64, _: &[Codes], item: &mut Item) {
    let length = length(random, 0, 40);
    for _ in 0..length {
        item.a.push(random.below(16));
    }
    for _ in 0..length.div_ceil(16) {
        item.b.push(random.below(256));
    }
    item.c.push(tensor_scale(random));
}

/// `a`: 0 to 40 codes.
pub(crate) fn codes_of(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let length = length(random, 0, 40);
    any(random, codes(formats, 0), length, &mut item.a);
}

/// `sizes[0]`: 0 to 40 elements; `a`: the bytes that hold them, any bits.
pub(crate) fn bytes(random: &mut SplitMix64, formats: &[Codes], item: &mut Item) {
    let length = length(random, 0, 40);
    set(item, 0, length);
    for _ in 0..(length * codes(formats, 0).bits as usize).div_ceil(8) {
        item.a.push(random.below(256));
    }
}

/// `a`: the bytes of a decimal text of 1 to 24 digits, with a sign, a point and an exponent or
/// without.
pub(crate) fn decimal(random: &mut SplitMix64, _: &[Codes], item: &mut Item) {
    text(random, item, b"", 10, b'e', 50);
}

/// `a`: the bytes of a hexadecimal text of 1 to 24 digits, with a sign and a point or without.
pub(crate) fn hexadecimal(random: &mut SplitMix64, _: &[Codes], item: &mut Item) {
    text(random, item, b"0x", 16, b'p', 170);
}

fn text(
    random: &mut SplitMix64,
    item: &mut Item,
    prefix: &[u8],
    base: u32,
    marker: u8,
    reach: u32,
) {
    let mut put = |byte: u8| item.a.push(byte.into());
    match random.below(3) {
        0 => put(b'-'),
        1 => put(b'+'),
        _ => {}
    }
    prefix.iter().for_each(|&byte| put(byte));
    let digits = 1 + random.below(24);
    let point = random.below(digits + 8);
    // Mostly zeros, now and then: ties and exact values.
    let sparse = random.one_in(3);
    for place in 0..digits {
        if place == point {
            put(b'.');
        }
        let digit = random.below(base);
        let digit = if sparse && place > 3 && place + 1 < digits {
            0
        } else {
            digit
        };
        put(char::from_digit(digit, base).unwrap_or('0') as u8);
    }
    if base == 10 && random.one_in(4) {
        return;
    }
    put(marker);
    // Any, or one that brings the number near 1.
    let whole = point.min(digits) * if base == 16 { 4 } else { 1 };
    let exponent = match random.below(3) {
        0 => random.below(2 * reach) as i32 - reach as i32,
        _ => 6 - random.below(12) as i32 - whole as i32,
    };
    match exponent < 0 {
        true => put(b'-'),
        false if random.one_in(2) => put(b'+'),
        false => {}
    }
    let exponent = exponent.unsigned_abs();
    let mut unit = 100;
    while unit > 0 {
        put(b'0' + (exponent / unit % 10) as u8);
        unit /= 10;
    }
}

const _: () = assert!(LENGTH >= 60);
