//! The upper words of 64-bit products. A target of 64 bits has an instruction for them. Elsewhere
//! each is four multiplies (on a small core four calls), and out of line, as on GPUs.

/// The upper word of `a * b`.
#[cfg_attr(all(target_pointer_width = "64", not(target_arch = "nvptx64")), inline)]
#[cfg_attr(
    not(all(target_pointer_width = "64", not(target_arch = "nvptx64"))),
    inline(never)
)]
pub(crate) const fn mul_high_wide(a: u64, b: u64) -> u64 {
    if cfg!(target_pointer_width = "64") {
        return ((a as u128 * b as u128) >> 64) as u64;
    }
    let (a1, a0) = (a >> 32, a as u32 as u64);
    let (b1, b0) = (b >> 32, b as u32 as u64);
    let low = a1 * b0 + ((a0 * b0) >> 32);
    let middle = a0 * b1 + low as u32 as u64;
    a1 * b1 + (low >> 32) + (middle >> 32)
}

/// The upper word of `a * b`, rounded down.
#[cfg_attr(all(target_pointer_width = "64", not(target_arch = "nvptx64")), inline)]
#[cfg_attr(
    not(all(target_pointer_width = "64", not(target_arch = "nvptx64"))),
    inline(never)
)]
pub(crate) const fn mul_high_wide_signed(a: i64, b: i64) -> i64 {
    let product = mul_high_wide(a as u64, b as u64) as i64;
    product
        .wrapping_sub((a >> 63) & b)
        .wrapping_sub((b >> 63) & a)
}
