//! The real constants of the definitions.

use crate::enclosure::number::Real;

const TEN_TO_31: i128 = 10_i128.pow(31);

/// selu's alpha, 1.6732632423543772848170429916717, exactly this decimal.
pub(super) fn alpha<R: Real>(like: &R) -> R {
    like.ratio(16_732_632_423_543_772_848_170_429_916_717, TEN_TO_31)
}

/// selu's scale, 1.0507009873554804934193349852946, exactly this decimal.
pub(super) fn scale<R: Real>(like: &R) -> R {
    like.ratio(10_507_009_873_554_804_934_193_349_852_946, TEN_TO_31)
}

/// `2 sqrt(2/pi)`.
pub(super) fn twice_root_2_over_pi<R: Real>(like: &R) -> R {
    (like.int(8) / like.pi()).sqrt()
}

/// 0.044715, exactly this decimal, times `n`.
pub(super) fn cubic<R: Real>(like: &R, n: i128) -> R {
    like.ratio(44_715 * n, 1_000_000)
}
