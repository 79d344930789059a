//! `arith::compare` against the host's own comparison of the same values.

use bitexact::arith::compare;
use bitexact::{bf16, f16};

/// Every 16-bit code against codes over the whole range: 2^16 * 257 pairs.
#[test]
fn compare_is_the_hosts_order_of_the_values() {
    for x in 0..=u16::MAX {
        for y in (0..=u16::MAX).step_by(255) {
            let (a, b) = (f16::from_bits(x), f16::from_bits(y));
            assert_eq!(
                compare(a, b),
                a.to_f32().partial_cmp(&b.to_f32()),
                "{x:04X} {y:04X}"
            );
            let (a, b) = (bf16::from_bits(x), bf16::from_bits(y));
            assert_eq!(
                compare(a, b),
                a.to_f32().partial_cmp(&b.to_f32()),
                "{x:04X} {y:04X}"
            );
        }
    }
}
