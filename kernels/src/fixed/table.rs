//! Tables that cannot be read out of their bounds.

/// The entry at an index, whose digits above the table's length, a power of two, are ignored.
#[inline]
#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index below the length"
)]
pub(crate) const fn lookup<T: Copy, const N: usize>(table: &[T; N], index: u32) -> T {
    const { assert!(N.is_power_of_two()) };
    table[index as usize & (N - 1)]
}
