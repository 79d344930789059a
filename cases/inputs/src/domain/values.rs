//! Single values: the listed special ones, and random ones close to a rounding boundary.

use super::random::SplitMix64;
use super::shape::{Float, Shape, Target};

/// Magnitude codes at the ends of a float's ranges, in addition to powers of two.
const ENDS: u32 = 20;
/// The listed powers of two, each with its two neighbours and 1.5 times itself.
const POWERS: u32 = 14;

/// The number of listed values of a type.
pub const fn count(shape: Shape) -> u32 {
    match shape {
        Shape::Absent => 1,
        Shape::Float(_) => 2 * (ENDS + 4 * POWERS),
        Shape::Integer { bits, .. } => 4 + 6 * bits,
    }
}

/// A listed value; some small formats have duplicates.
pub const fn listed(shape: Shape, k: u32) -> u64 {
    match shape {
        Shape::Absent => 0,
        Shape::Float(float) => {
            let magnitude = if k / 2 < ENDS {
                end(float, k / 2)
            } else {
                power(float, k / 2 - ENDS)
            };
            magnitude | if k % 2 == 1 { float.sign_bit() } else { 0 }
        }
        Shape::Integer { bits, .. } => integer(bits, k),
    }
}

/// Zero, both ends of the subnormals and of the normals, infinity, and every kind of NaN.
const fn end(float: Float, k: u32) -> u64 {
    let normal = float.min_normal();
    let all = float.magnitude_mask();
    let quiet = normal >> 1;
    (match k {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 3,
        4 => normal >> 1,
        5 => (normal >> 1) + 1,
        6 => normal - 2,
        7 => normal - 1,
        8 => normal,
        9 => normal + 1,
        10 => normal + 2,
        11 => float.max - 2,
        12 => float.max - 1,
        13 => float.max,
        // The codes above: infinity and NaNs where the format has them.
        14 => float.max + 1,
        15 => float.max + 2,
        16 => all & !quiet,
        17 => (float.max + 1) | quiet,
        18 => (float.max + 1) | quiet | 1,
        _ => all,
    }) & all
}

/// Powers of two that matter in arithmetic, and their neighbours.
const fn power(float: Float, k: u32) -> u64 {
    let p = float.precision as i32;
    let (emin, emax) = (float.emin, float.emax());
    let exponent = match k / 4 {
        0 => 0,
        1 => 1,
        2 => -1,
        3 => p - 2,
        4 => p - 1,
        5 => p,
        6 => -p,
        7 => -p - 1,
        8 => emax,
        9 => emax - 1,
        10 => emin + p,
        11 => emin + 1,
        12 => emax / 2,
        _ => emin / 2,
    };
    let code = float.pack(1, exponent);
    let one_and_a_half = float.pack(3, exponent - 1);
    match k % 4 {
        0 => code,
        1 => code.saturating_sub(1),
        2 => code + 1,
        _ => one_and_a_half,
    }
}

/// The ends of an integer type, then powers of two with their neighbours, of both signs.
const fn integer(bits: u32, k: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    (match k {
        0 => 0,
        1 => mask,
        2 => mask >> 1,
        3 => (mask >> 1) + 1,
        _ => {
            let (power, which) = ((k - 4) / 6, (k - 4) % 6);
            let magnitude = (1u64 << power)
                .wrapping_add((which / 2) as u64)
                .wrapping_sub(1);
            if which % 2 == 1 {
                magnitude.wrapping_neg()
            } else {
                magnitude
            }
        }
    }) & mask
}

/// The short list from which triples are built.
pub const CORE: u32 = 26;

/// A value of the short list.
pub const fn core_value(shape: Shape, k: u32) -> u64 {
    let Shape::Float(float) = shape else {
        return listed(shape, k);
    };
    let normal = float.min_normal();
    let one = float.pack(1, 0);
    let magnitude = match k / 2 {
        0 => 0,
        1 => 1,
        2 => normal - 1,
        3 => normal,
        4 => normal + 1,
        5 => one - 1,
        6 => one,
        7 => one + 1,
        8 => float.max,
        9 => end(float, 14),
        10 => end(float, 15),
        11 => end(float, 18),
        _ => float.pack(1, float.precision as i32),
    };
    magnitude | if k % 2 == 1 { float.sign_bit() } else { 0 }
}

/// A random value of any type, mostly near a rounding boundary of `target`.
pub fn random(rng: &mut SplitMix64, shape: Shape, target: Target) -> u64 {
    let mask = match shape.bits() {
        0 => return 0,
        bits => u64::MAX >> (64 - bits),
    };
    match (rng.below(16), shape) {
        (0 | 1, _) => rng.next() & mask,
        (2 | 3, _) => {
            let k = rng.below(count(shape));
            listed(shape, k)
        }
        (4, Shape::Float(float)) => anchor(rng, float),
        _ => match shape {
            Shape::Absent => 0,
            Shape::Float(float) => {
                let exponent = exponent(rng, float, target);
                near_cut(rng, float, target, exponent)
            }
            Shape::Integer { bits, .. } => {
                let width = 1 + rng.below(bits);
                let kept = if rng.one_in(4) {
                    1 + rng.below(width)
                } else {
                    target.precision
                };
                let magnitude = digits(rng, width, kept);
                let negate = rng.one_in(2);
                (if negate {
                    magnitude.wrapping_neg()
                } else {
                    magnitude
                }) & mask
            }
        },
    }
}

/// The corners of the activations, and the limits of f16 and bf16 as values of other formats: f64
/// codes.
const ANCHORS: [u64; 16] = [
    0x3FE6_6666_6666_6666, // 0.7
    0x3FE6_6666_6000_0000, // 0.7 in f32
    0x3FE6_6800_0000_0000, // 0.7 in f16
    0x3FE6_6000_0000_0000, // 0.7 in bf16
    0x3FB9_9999_9999_9999, // 0.1
    0x3FB9_9999_A000_0000, // 0.1 in f32
    0x3FE0_0000_0000_0000, // 0.5
    0x3FF0_0000_0000_0000, // 1
    0x3FF8_0000_0000_0000, // 1.5
    0x4008_0000_0000_0000, // 3
    0x4018_0000_0000_0000, // 6
    0x40EF_FC00_0000_0000, // f16's largest
    0x40EF_FE00_0000_0000, // f16's overflow threshold
    0x3E70_0000_0000_0000, // f16's smallest
    0x3F0F_F800_0000_0000, // f16's largest subnormal
    0x47EF_F000_0000_0000, // bf16's overflow threshold
];

/// A corner, off by up to two units, of either sign.
fn anchor(rng: &mut SplitMix64, float: Float) -> u64 {
    let (significand, exponent) = Float::F64.unpack(ANCHORS[(rng.next() & 15) as usize]);
    let code = float.pack(significand as u128, exponent);
    let moved = (code + u64::from(rng.below(5))).saturating_sub(2) & float.magnitude_mask();
    moved | if rng.one_in(2) { float.sign_bit() } else { 0 }
}

/// An exponent, mostly within the target's range or at its ends.
pub fn exponent(rng: &mut SplitMix64, float: Float, target: Target) -> i32 {
    let p = target.precision as i32;
    let wanted = match rng.below(8) {
        0 | 1 => rng.between(float.emin - float.precision as i32, float.emax()),
        2 => rng.between(target.emin - 2, target.emin + 2),
        3 => rng.between(target.emax - 2, target.emax + 1),
        4 => rng.between(target.emin - p - 1, target.emin),
        5 => rng.between(-3, 3),
        _ => rng.between(target.emin - p - 2, target.emax + 2),
    };
    wanted.clamp(float.emin - float.precision as i32, float.emax())
}

/// A value of either sign with this exponent, at, next to, or halfway between two results of the
/// target.
pub fn near_cut(rng: &mut SplitMix64, float: Float, target: Target, exponent: i32) -> u64 {
    let kept = if rng.one_in(8) {
        rng.below(float.precision + 1)
    } else {
        target.digits(exponent) as u32
    };
    let significand = digits(rng, float.precision, kept);
    let magnitude = float.pack(significand as u128, exponent + 1 - float.precision as i32);
    magnitude | if rng.one_in(2) { float.sign_bit() } else { 0 }
}

/// `width` bits, the first one set: `kept` bits of any pattern, then a tail close to a rounding
/// boundary.
pub fn digits(rng: &mut SplitMix64, width: u32, kept: u32) -> u64 {
    let all = u64::MAX >> (64 - width);
    let first = 1 << (width - 1);
    let tail_width = width.saturating_sub(kept);
    let head = match rng.below(8) {
        0 => all,
        1 => 0,
        // A long run of ones or zeros above the discarded bits, so that the carry goes far.
        2 => all << (rng.below(width)),
        _ => rng.next(),
    };
    if tail_width == 0 {
        return (head & all) | first;
    }
    let tail_mask = u64::MAX >> (64 - tail_width);
    let half = 1u64 << (tail_width - 1);
    let tail = match rng.below(8) {
        0 => 0,
        1 => 1,
        2 => half - 1,
        3 => half,
        4 => half + 1,
        5 => tail_mask,
        6 => half >> rng.below(tail_width),
        _ => rng.next(),
    } & tail_mask;
    ((head & all) & !tail_mask) | tail | if tail_width == width { 0 } else { first }
}
