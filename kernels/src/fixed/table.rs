//! Tables read without a check that could panic.

/// The entry at `i`, reduced to the table's length, a power of two.
#[inline]
#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index in range, which the compiler sees"
)]
pub(crate) const fn lookup<T: Copy, const N: usize>(table: &[T; N], i: u32) -> T {
    const { assert!(N.is_power_of_two()) };
    table[i as usize & (N - 1)]
}
