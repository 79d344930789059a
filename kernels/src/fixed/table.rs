//! Tables that are read without a bounds check.

/// The entry at `i`, taken modulo the length, which is a power of two.
#[inline]
#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index in range, and the compiler sees it"
)]
pub(crate) const fn lookup<T: Copy, const N: usize>(table: &[T; N], i: u32) -> T {
    debug_assert!(N.is_power_of_two());
    table[i as usize & (N - 1)]
}
