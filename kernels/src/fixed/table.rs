//! Table reads that cannot panic.

/// The entry at `i` modulo the table's length, which is a power of two.
#[inline]
#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index in range, which the compiler sees"
)]
pub(crate) const fn lookup<T: Copy, const N: usize>(table: &[T; N], i: u32) -> T {
    const { assert!(N.is_power_of_two()) };
    table[i as usize & (N - 1)]
}

/// The entry at `i`, or the last entry if `i` is beyond it.
#[inline]
#[allow(
    clippy::indexing_slicing,
    reason = "the minimum keeps the index in range, which the compiler sees"
)]
pub(crate) const fn lookup_or_last<T: Copy, const N: usize>(table: &[T; N], i: u32) -> T {
    const { assert!(N > 0) };
    let i = i as usize;
    table[if i < N { i } else { N - 1 }]
}
