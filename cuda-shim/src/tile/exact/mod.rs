//! Exact products of matrices, rounded once, on the tensor cores for integers.
//!
//! Method (Ozaki's scheme): a *line* is a row of the first operand or a column of the second one.
//! The elements of a line are integers times a power of two: the unit of the line. Each is cut into
//! signed 8-bit digits, three of which are a *group*. The products of digits are added up by
//! `mma.m16n8k32` in s32, which cannot round. So a sum of products is exact, and it is rounded once
//! at the end.
//!
//! As many groups are made as the lines need: the most bits from the highest bit of a line's
//! greatest element to the lowest bit of any of its elements. N(0,1) in bf16 has up to 46 of them,
//! which are two groups. The highest group comes first, aligned to the greatest element: in most
//! lines the lower groups are nearly all zeros. Digits that are zero in 32 steps of 16 lines are
//! marked and not multiplied. Where there are two groups, elements with other digits than zeros in
//! the lower one are taken out of lines that have few of them, and added one by one
//! ([`exact_low`](super::exact_low)).
//!
//! The launches: [`ranges`] finds each line's bits, and [`choice`] the most bits of all, for the
//! host; [`low`](super::exact_low::low) lists the elements that are taken out, [`digits`] cuts
//! lines into digits, in the order in which the tensor cores take them, [`multiply`] makes the sums
//! of tiles of [`ROWS`] by [`COLUMNS`], and [`round`] adds what was taken out and rounds the sums.
//! Where all lines of a side have few elements to take out, its lower group is neither made nor
//! read.
//!
//! Why nothing overflows or is lost:
//!
//! - A line has at most 24 g - 2 bits for g groups, so its elements are integers below 2^(24 g -
//!   2). A digit is from -128 to 127, and so many of them hold anything below 0.498 * 2^(24 g).
//! - In s32, products of the same weight are added together, at most three pairs of digits of two
//!   groups. A step of 32 adds at most 3 * 32 * 2^14, so [`FULL`] = 1,365 of them stay below 2^31;
//!   then the sums are emptied.
//! - The five weights of two groups then make an s64: below 1,365 * 32 * (2^23.01)^2 < 2^62.
//! - Pairs of groups are done from the lowest weight up. Each output has a 128-bit total in memory,
//!   whose lowest 48 bits are a fraction. Before the next weight it is divided by 2^24; if a bit is
//!   lost, the lowest bit is set instead. At one weight it is below k g 2^47 * 2^48, and k g is
//!   below 2^31. With two groups that divides the lowest weight by 2^48 in all, so no bit is lost,
//!   and the total is the sum. A tile whose sums are those of the highest weight alone, never
//!   emptied, has them in memory as 64-bit integers (*short* totals).
//! - Where the lowest bit is set and the total is below 2^40, a lost bit could matter: then, and if
//!   there is an infinity in one of the lines, the output is computed by the definition. Else a total
//!   has at least 40 bits, of which the last may stand for others, and no result more than 24.
//!
//! Integers have no -0: where the sum is 0, its sign is found from the signs of all products.

mod digits;
mod multiply;
mod ranges;
mod round;

pub use digits::digits;
pub use multiply::{corner, multiply};
pub use ranges::{choice, ranges};
pub use round::{Target, round};
