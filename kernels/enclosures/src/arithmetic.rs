//! Sums, differences, products and quotients of 16-bit floats, and the conversion of f32 to them,
//! by f32's own operations.
//!
//! Nothing is approximated here, and nothing is left open: an operation of f32 in the direction of
//! the result, and then a conversion in that direction, give what one rounding gives.
//!
//! - In a directed mode, since every 16-bit number is a number of f32: the last number of the
//!   16-bit format before a value is also the last one before the value's f32.
//! - To nearest, sums, differences and quotients have at least 24 = 2 * 11 + 2 bits in f32, with
//!   which a second rounding does no harm (S. A. Figueroa, When is double rounding innocuous?, ACM
//!   SIGNUM Newsletter 30(3), 1995). Products of f16 are exact in f32. A subnormal quotient of f16
//!   has a shorter format, whose midpoints are M times a power of two with M below 2^11: one that
//!   is not a midpoint differs from it by at least 1 / (M B) of itself, with a divisor B below
//!   2^11; that is more than 2^-22.
//! - The signs of zeros and where NaNs come from are those of f32's operation in that direction.
//!
//! That leaves the results of bf16 near 0, to nearest, where f32 has fewer bits. Between two
//! numbers of bf16 lies a midpoint `M * 2^-134` with an odd M; f32's numbers have the distance
//! 2^-149 there. Operands are `A * 2^a` and `B * 2^b`, with A and B below 2^8.
//!
//! - Sums and differences of numbers of bf16 are multiples of 2^-133, so they are exact in f32
//!   there.
//! - The product `A B * 2^e` is exact if `e >= -149`. Otherwise f32's result is a midpoint, although the product is not, only if `A B` differs
//!   from `M * 2^(-134 - e)` by at most `2^(-150 - e)`. Then `A B` is at least `2^(-150 - e) * (2^16 - 1)`; but it is at most 255 * 255.
//! - A quotient q that is not the midpoint m differs from it by
//!   `|A * 2^a - M B * 2^(b - 134)| / (B * 2^b)`. If the numerator is at least `2^(b - 134)`, that
//!   is at least 2^-134 / B, more than 2^-142. Otherwise the numerator is at least `2^a`, and the
//!   difference more than 2^-8 of q. Either is more than 2^-150, so f32's quotient is on the same
//!   side of m as q.
//!
//! Every pair of operands was compared with the integer kernels on a GPU
//! (`cuda-shim/cpp/example_arithmetic.cu`).

use crate::Switch;
use crate::enclosure::{Direction, Format, toward};
use bitexact::Rounding;

/// An operation of f32.
pub trait Operation {
    /// The result, rounded in the direction.
    fn of<D: Direction>(x: f32, y: f32) -> f32;
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $function:ident $instruction:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Operation for $name {
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn of<D: Direction>(x: f32, y: f32) -> f32 {
                macro_rules! by {
                    ($direction:literal) => {{
                        let made: u32;
                        // SAFETY: it computes one register from others.
                        unsafe {
                            core::arch::asm!(
                                concat!($instruction, ".", $direction, ".f32 {d}, {x}, {y};"), d = out(reg32) made,
                                x = in(reg32) x.to_bits(), y = in(reg32) y.to_bits(), options(pure, nomem, nostack)
                            );
                        }
                        f32::from_bits(made)
                    }};
                }
                match D::ROUNDING {
                    Rounding::TowardZero => by!("rz"),
                    Rounding::TowardPositive => by!("rp"),
                    Rounding::TowardNegative => by!("rm"),
                    _ => by!("rn"),
                }
            }

            #[cfg(not(target_arch = "nvptx64"))]
            #[inline(never)]
            fn of<D: Direction>(x: f32, y: f32) -> f32 {
                bitexact::arith::$function(x, y, D::MODE)
            }
        }
    )*};
}

operations! {
    /// `x + y`.
    Sum add "add";
    /// `x - y`.
    Difference sub "sub";
    /// `x * y`.
    Product mul "mul";
    /// `x / y`.
    Quotient div "div";
}

/// Two numbers of f32 in the format, the first in the low half, each rounded once in the direction;
/// NaNs become the canonical one.
#[inline(always)]
pub fn converted<F: Format, D: Direction>(pair: [f32; 2]) -> u32 {
    let cut = toward::<F, D>(pair);
    let back = F::widen(cut);
    // A number that lies beyond the one it was cut to.
    let beyond = |half: usize| {
        u32::from(match D::ROUNDING {
            Rounding::TowardPositive => back[half] < pair[half],
            Rounding::TowardNegative => back[half] > pair[half],
            _ => false,
        })
    };
    let made = cut.wrapping_add(beyond(0) | beyond(1) << 16);
    let mask = |half: usize, mask: u32| if pair[half].is_nan() { mask } else { 0 };
    let nans = mask(0, 0xFFFF) | mask(1, 0xFFFF_0000);
    made & !nans | F::NANS & nans
}

/// The results of two pairs of operands, the first pair in the low halves.
#[inline(always)]
pub fn combined<O: Operation, F: Format, D: Direction>(x: u32, y: u32) -> u32 {
    let ([a, b], [c, d]) = (F::widen(x), F::widen(y));
    converted::<F, D>([O::of::<D>(a, c), O::of::<D>(b, d)])
}

/// What is computed of the halves of two words, by f32 where it is verified: an [`Operation`] of
/// two numbers of the format, or [`Conversion`] of an f32, of which the first word has the upper
/// bits.
pub trait Verified<F: Format> {
    /// The integer kernel.
    fn exactly<D: Direction>(x: u16, y: u16) -> u16;
    /// The results of two pairs.
    fn near<D: Direction>(x: u32, y: u32) -> u32;
    /// Whether it was verified on this device.
    fn switch() -> &'static Switch;
}

/// The conversion of f32.
pub struct Conversion;

/// `verified! { Operation kernel }`: [`Verified`] for an operation of this kernel, in both formats.
#[macro_export]
macro_rules! verified {
    ($operation:ty, $kernel:ident) => {
        $crate::verified! { @ $operation, f16 Half, $crate::arithmetic::combined::<$operation, Half, D>, |x, y| {
            let [x, y] = [x, y].map($crate::bitexact::f16::from_bits);
            $crate::bitexact::arith::$kernel(x, y, D::MODE)
        } }
        $crate::verified! { @ $operation, bf16 Bfloat, $crate::arithmetic::combined::<$operation, Bfloat, D>, |x, y| {
            let [x, y] = [x, y].map($crate::bitexact::bf16::from_bits);
            $crate::bitexact::arith::$kernel(x, y, D::MODE)
        } }
    };
    (@ $operation:ty, $ty:ident $format:ident, $near:expr, |$x:ident, $y:ident| $exactly:expr) => {
        const _: () = {
            use $crate::enclosure::{Direction, $format};
            impl $crate::arithmetic::Verified<$format> for $operation {
                #[inline(never)]
                fn exactly<D: Direction>($x: u16, $y: u16) -> u16 {
                    let result: $crate::bitexact::$ty = $exactly;
                    result.to_bits()
                }
                #[inline(always)]
                fn near<D: Direction>(x: u32, y: u32) -> u32 {
                    $near(x, y)
                }
                fn switch() -> &'static $crate::Switch {
                    static SWITCH: $crate::Switch = $crate::Switch::off();
                    &SWITCH
                }
            }
        };
    };
}

verified! { Sum, add }
verified! { Difference, sub }
verified! { Product, mul }
verified! { Quotient, div }

macro_rules! conversion {
    ($($ty:ident $format:ident)*) => {$(
        verified! { @ Conversion, $ty $format, of_halves::<$format, D>, |x, y| {
            bitexact::convert::convert(f32_of(x.into(), y.into()), D::MODE)
        } }
    )*};
}
conversion! { f16 Half bf16 Bfloat }

/// The results of two pairs, of an operation that is on or off.
#[inline(always)]
pub fn two_by<K: Verified<F>, F: Format, D: Direction>(verified: bool, x: u32, y: u32) -> u32 {
    if verified {
        return K::near::<D>(x, y);
    }
    let exactly = |shift: u32| u32::from(K::exactly::<D>((x >> shift) as u16, (y >> shift) as u16));
    exactly(0) | exactly(16) << 16
}

/// Whether a result, in either half beside another pair, is not the one that is due.
#[inline(always)]
pub fn differs<K: Verified<F>, F: Format, D: Direction>(x: u16, y: u16, due: u16) -> bool {
    let [x, y] = [x, y].map(|half| u32::from(half) | u32::from(!half) << 16);
    let low = K::near::<D>(x, y) as u16;
    let high = (K::near::<D>(x.rotate_left(16), y.rotate_left(16)) >> 16) as u16;
    low != due || high != due
}

/// What a verification compares: of every number of `1 << step` neighbours among the second
/// operands, one, which depends on the first. So 0 compares all pairs.
pub const fn pair(index: u32, step: u32) -> [u16; 2] {
    let [x, group] = [index & 0xFFFF, index >> 16];
    let place = (x ^ group.wrapping_mul(0x9E37)).wrapping_mul(0x9E37_79B1) >> 16;
    [x as u16, (group << step | place & ((1 << step) - 1)) as u16]
}

/// The results of an operation of the numbers in both halves of two words.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn two<K: Verified<F>, F: Format, D: Direction>(x: u32, y: u32) -> u32 {
    two_by::<K, F, D>(K::switch().is_on::<D>(), x, y)
}

/// The result of an operation.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn one<K: Verified<F>, F: Format, D: Direction>(x: u16, y: u16) -> u16 {
    two::<K, F, D>(x.into(), y.into()) as u16
}

/// Two numbers of f32 in the format, the first in the low half.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn narrow_two<F: Format, D: Direction>(pair: [f32; 2]) -> u32
where
    Conversion: Verified<F>,
{
    let [low, high] = pair.map(f32::to_bits);
    let (upper, lower) = (high & 0xFFFF_0000 | low >> 16, high << 16 | low & 0xFFFF);
    two::<Conversion, F, D>(upper, lower)
}

/// A number of f32 in the format.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn narrow_one<F: Format, D: Direction>(x: f32) -> u16
where
    Conversion: Verified<F>,
{
    narrow_two::<F, D>([x, 0.0]) as u16
}

/// The f32 with these upper and lower bits.
#[inline(always)]
fn f32_of(upper: u32, lower: u32) -> f32 {
    f32::from_bits(upper << 16 | lower & 0xFFFF)
}

/// [`converted`], of two numbers' upper halves and their lower halves.
#[inline(always)]
fn of_halves<F: Format, D: Direction>(upper: u32, lower: u32) -> u32 {
    converted::<F, D>([f32_of(upper, lower), f32_of(upper >> 16, lower >> 16)])
}

#[cfg(test)]
mod tests {
    use super::{
        Conversion, Difference, Operation, Product, Quotient, Sum, Verified, differs, pair, two_by,
    };
    use crate::enclosure::{
        Bfloat, Direction, Downward, Format, Half, Nearest, TowardZero, Upward,
    };

    /// Pairs of a verification, far fewer than on a device, and each special number with each.
    fn pairs() -> impl Iterator<Item = [u16; 2]> {
        let some = (0..1u32 << 20).step_by(13).map(|index| pair(index, 12));
        let near = |x: u16| [x.wrapping_sub(1), x, x.wrapping_add(1)];
        let special = [
            0, 0x0400, 0x0080, 0x3C00, 0x3F80, 0x7BFF, 0x7C00, 0x7F7F, 0x7F80,
        ]
        .into_iter()
        .flat_map(near)
        .flat_map(|x| [x, x | 0x8000]);
        let each = special.clone();
        some.chain(special.flat_map(move |x| each.clone().map(move |y| [x, y])))
    }

    fn differences<K: Verified<F>, F: Format, D: Direction>() -> usize {
        pairs()
            .filter(|[x, y]| differs::<K, F, D>(*x, *y, K::exactly::<D>(*x, *y)))
            .count()
    }

    fn in_all_directions<K: Verified<F>, F: Format>(name: &str) {
        let found = [
            differences::<K, F, Nearest>(),
            differences::<K, F, TowardZero>(),
            differences::<K, F, Upward>(),
            differences::<K, F, Downward>(),
        ];
        assert_eq!(found, [0; 4], "{name}");
    }

    macro_rules! every_operation {
        ($($name:ident)*) => {
            #[test]
            fn every_operation_is_verified() {
                $(
                    in_all_directions::<$name, Half>(stringify!($name));
                    in_all_directions::<$name, Bfloat>(stringify!($name));
                )*
            }
        };
    }
    every_operation! { Sum Difference Product Quotient Conversion }

    /// A quotient with an error of 16 ulps: most results are right.
    struct Faulty;
    impl Operation for Faulty {
        fn of<D: Direction>(x: f32, y: f32) -> f32 {
            x / y * (1.0 + 16.0 * f32::EPSILON)
        }
    }
    crate::verified! { Faulty, div }

    #[test]
    fn a_wrong_operation_is_refused() {
        let wrong = differences::<Faulty, Half, Nearest>();
        assert!(wrong > 10, "{wrong}");
        assert!(differences::<Faulty, Bfloat, Upward>() > 10);
        for [x, y] in pairs() {
            let due = <Faulty as Verified<Half>>::exactly::<Nearest>(x, y);
            let [x, y] = [x, y].map(|half| u32::from(half) << 16 | 0x3C00);
            let off = two_by::<Faulty, Half, Nearest>(false, x, y);
            assert_eq!(off, u32::from(due) << 16 | 0x3C00);
        }
    }

    /// A sum to nearest and a conversion in another direction are not the result.
    #[test]
    fn both_steps_need_the_direction() {
        struct Mixed;
        impl Operation for Mixed {
            fn of<D: Direction>(x: f32, y: f32) -> f32 {
                x + y
            }
        }
        crate::verified! { Mixed, add }
        assert_eq!(differences::<Mixed, Bfloat, Nearest>(), 0);
        assert!(differences::<Mixed, Bfloat, Upward>() > 100);
        assert!(differences::<Mixed, Half, Downward>() > 100);
    }

    #[test]
    fn a_verification_meets_every_pair_or_a_part_of_each_neighbourhood() {
        let all: Vec<[u16; 2]> = (0..4u32).map(|k| pair(k << 16 | 7, 0)).collect();
        assert_eq!(all, [[7, 0], [7, 1], [7, 2], [7, 3]]);
        for group in 0..1u32 << 4 {
            let [x, y] = pair(group << 16 | 0x1234, 12);
            assert_eq!((x, u32::from(y) >> 12), (0x1234, group));
        }
        let mut seen: Vec<u16> = (0..1 << 16).map(|x| pair(x, 4)[1]).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 16);
    }
}
