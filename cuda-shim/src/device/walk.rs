//! From a number to a coordinate, and from there to positions.

use crate::abi::RANK;

/// The coordinate numbered `j` of a shape, row-major.
#[inline(always)]
pub fn coordinate(shape: &[u64; RANK], j: usize) -> [u64; RANK] {
    let [_, b, c, d] = *shape;
    let j = j as u64;
    // A shape without elements has no numbers; its lengths are never divided by.
    let (j, last) = (j / d.max(1), j % d.max(1));
    let (j, third) = (j / c.max(1), j % c.max(1));
    [j / b.max(1), j % b.max(1), third, last]
}

/// Its position from the element at coordinate 0 on.
#[inline(always)]
pub fn position(strides: &[i64; RANK], at: [u64; RANK]) -> isize {
    let mut sum = 0i64;
    for (stride, index) in strides.iter().zip(at) {
        sum = sum.wrapping_add(stride.wrapping_mul(index as i64));
    }
    sum as isize
}
