//! From an index to a coordinate, and from there to positions.

use crate::abi::RANK;

/// The coordinate numbered `j` of a shape, row-major.
#[inline(always)]
pub fn coordinate(shape: &[u64; RANK], j: usize) -> [u64; RANK] {
    let [_, b, c, d] = *shape;
    let j = j as u64;
    // A shape without elements has no indices, so there is no division by a length of 0.
    let (j, last) = (j / d.max(1), j % d.max(1));
    let (j, third) = (j / c.max(1), j % c.max(1));
    [j / b.max(1), j % b.max(1), third, last]
}

/// Its position relative to the element at coordinate 0.
#[inline(always)]
pub fn position(strides: &[i64; RANK], at: [u64; RANK]) -> isize {
    // One by one: an iterator over the array would keep it in memory.
    let ([a, b, c, d], [i, j, k, l]) = (*strides, at.map(|index| index as i64));
    let (first, second) = (a.wrapping_mul(i), b.wrapping_mul(j));
    let (third, last) = (c.wrapping_mul(k), d.wrapping_mul(l));
    let sum = first.wrapping_add(second);
    sum.wrapping_add(third).wrapping_add(last) as isize
}
