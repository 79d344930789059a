//! Pairs and triples whose exact result lies at, next to, or halfway between two results.
//!
//! Random operands rarely come near a tie or a threshold when rounding discards more than a few
//! bits. So each function here constructs operands backwards from such a result.

use super::random::SplitMix64;
use super::shape::{Float, Target};
use super::values::{digits, exponent, near_cut};

fn sign(rng: &mut SplitMix64, float: Float) -> u64 {
    if rng.one_in(2) { float.sign_bit() } else { 0 }
}

/// A code moved by up to two units, mostly not at all.
fn nudge(rng: &mut SplitMix64, float: Float, magnitude: u64) -> u64 {
    let moved = match rng.below(6) {
        0 => magnitude + 1,
        1 => magnitude.saturating_sub(1),
        2 if rng.one_in(2) => magnitude + 2,
        _ => magnitude,
    };
    moved & float.magnitude_mask()
}

fn packed(rng: &mut SplitMix64, float: Float, significand: u64, exponent: i32) -> u64 {
    float.pack(significand as u128, exponent) | sign(rng, float)
}

/// An exponent of a result, mostly at the target's thresholds, within the reach of the operands.
fn result_exponent(rng: &mut SplitMix64, target: Target, low: i32, high: i32) -> i32 {
    let p = target.precision as i32;
    let wanted = match rng.below(4) {
        0 => rng.between(target.emax - 1, target.emax + 1),
        1 => rng.between(target.emin - p - 1, target.emin + 1),
        2 => rng.between(target.emin - 1, target.emin),
        _ => rng.between(target.emin - p - 1, target.emax + 1),
    };
    if low <= wanted && wanted <= high {
        wanted
    } else {
        rng.between(low, high)
    }
}

/// The power of two that a result is just below: the smallest normal number, from which on nothing
/// is tiny, or the first number beyond the largest.
fn brink(rng: &mut SplitMix64, target: Target, low: i32, high: i32) -> i32 {
    let wanted = if rng.one_in(4) {
        target.emax + 1
    } else {
        target.emin
    };
    if low <= wanted && wanted <= high {
        wanted
    } else {
        rng.between(low, high)
    }
}

/// An exponent `e` of `a` for which `total - e` is one of `b`'s, if there is any.
fn share(rng: &mut SplitMix64, a: Float, b: Float, total: i32) -> i32 {
    let low = a.emin.max(total - b.emax());
    let high = a.emax().min(total - b.emin);
    rng.between(low, high.max(low))
        .clamp(a.emin - a.precision as i32, a.emax())
}

/// Sums: exponents within reach of each other, cancellation, ties, the overflow threshold.
pub fn sum(rng: &mut SplitMix64, a: Float, b: Float, target: Target) -> [u64; 2] {
    let (pa, pb) = (a.precision as i32, b.precision as i32);
    let reach = target.precision as i32 + 3;
    match rng.below(8) {
        // Cancellation: b is the value of a, truncated to the precision of b, off by up to two
        // units.
        0 | 1 => {
            let e = exponent(rng, a, target);
            let x = near_cut(rng, a, target, e);
            let (significand, scale) = a.unpack(x & a.magnitude_mask());
            let y = b.pack(significand as u128, scale);
            [x, nudge(rng, b, y) | sign(rng, b)]
        }
        // A tie: a has only kept bits; b is half a unit of the last of them, or slightly more or
        // less.
        2 | 3 => {
            let e = exponent(rng, a, target);
            let kept = target.digits(e).clamp(1, pa);
            let x = (digits(rng, kept as u32, kept as u32) as u128, e + 1 - kept);
            let half = e - target.digits(e);
            let y = b.pack(1 + 2 * u128::from(rng.one_in(4)), half);
            [
                a.pack(x.0, x.1) | sign(rng, a),
                nudge(rng, b, y) | sign(rng, b),
            ]
        }
        // At the overflow threshold: all ones, and about half a unit.
        4 => {
            let x = a.pack((1u128 << pa) - 1, target.emax + 1 - pa);
            let e = target.emax - target.precision as i32 + rng.between(-2, 2);
            let width = 1 + rng.below(pb as u32);
            let y = digits(rng, width, width);
            let s = sign(rng, a);
            let t = if rng.one_in(4) {
                sign(rng, b)
            } else if s == 0 {
                0
            } else {
                b.sign_bit()
            };
            [
                nudge(rng, a, x) | s,
                b.pack(u128::from(y), e + 1 - width as i32) | t,
            ]
        }
        _ => {
            let e = exponent(rng, a, target);
            let f = (e + rng.between(-reach, reach)).clamp(b.emin - pb, b.emax());
            [near_cut(rng, a, target, e), near_cut(rng, b, target, f)]
        }
    }
}

/// Products: exact ties from two odd factors, and thresholds.
pub fn product(rng: &mut SplitMix64, a: Float, b: Float, target: Target) -> [u64; 2] {
    let (pa, pb) = (a.precision, b.precision);
    let (low, high) = (a.emin + b.emin, a.emax() + b.emax());
    if rng.one_in(8) {
        // Just below a power of two: y, and that power divided by y, truncated to the precision of
        // x.
        let total = brink(rng, target, low, high);
        let e = share(rng, a, b, total);
        let v = 1 + rng.below(pb);
        let y = digits(rng, v, v) | 1;
        let power = pa + v;
        let x = (1u128 << power) / u128::from(y);
        let y_exponent = total - e + 1 - v as i32;
        let x = a.pack(x, total - y_exponent - power as i32);
        let y = b.pack(u128::from(y), y_exponent);
        return [x | sign(rng, a), nudge(rng, b, y) | sign(rng, b)];
    }
    let result = result_exponent(rng, target, low, high);
    let e = share(rng, a, b, result);
    let f = result - e;
    if rng.one_in(2) {
        let f = f.clamp(b.emin - pb as i32, b.emax());
        return [
            near_cut(rng, a, Target::of(a), e),
            near_cut(rng, b, target, f),
        ];
    }
    // A product of w and v bits has w + v or w + v - 1 bits; with one bit more than are kept it is
    // a tie.
    let digits_wanted = target.digits(result) as u32 + 1;
    let w = 1 + rng.below(pa.min(digits_wanted));
    let v = (digits_wanted + rng.below(2))
        .saturating_sub(w)
        .clamp(1, pb);
    let x = digits(rng, w, w) | 1;
    let y = digits(rng, v, v) | 1;
    let x = a.pack(u128::from(x), e + 1 - w as i32);
    let y = b.pack(u128::from(y), f + 1 - v as i32);
    [x | sign(rng, a), nudge(rng, b, y) | sign(rng, b)]
}

/// Quotients: x is a tie (or a result) times y, truncated to the precision of x, off by up to two
/// units.
pub fn quotient(rng: &mut SplitMix64, a: Float, b: Float, target: Target) -> [u64; 2] {
    let reach = (a.emin - b.emax(), a.emax() - b.emin);
    let short = rng.one_in(8);
    let result = if short {
        brink(rng, target, reach.0, reach.1) - 1
    } else {
        result_exponent(rng, target, reach.0, reach.1)
    };
    let (low, high) = (
        (a.emin - result).max(b.emin),
        (a.emax() - result).min(b.emax()),
    );
    let f = rng.between(low, high.max(low)).clamp(b.emin, b.emax());
    if short {
        // Just below a power of two: all ones, a few more than are kept, times y.
        let w = target.precision + 1 + rng.below(3);
        let v = 1 + rng.below(b.precision);
        let y = digits(rng, v, v);
        let (q, unit) = ((1u128 << w) - 1, f + 1 - v as i32);
        let x = a.pack(q * u128::from(y), result + 1 - w as i32 + unit);
        return [x | sign(rng, a), packed(rng, b, y, unit)];
    }
    if rng.one_in(3) {
        let e = (f + result).clamp(a.emin - a.precision as i32, a.emax());
        return [
            near_cut(rng, a, target, e),
            near_cut(rng, b, Target::of(b), f),
        ];
    }
    let kept = target.digits(result).clamp(0, 62) as u32;
    let q = digits(rng, kept + 1, kept);
    let v = 1 + rng.below(b.precision);
    let y = digits(rng, v, v);
    let scale = (result - kept as i32) + (f + 1 - v as i32);
    let x = a.pack(u128::from(q) * u128::from(y), scale);
    [
        nudge(rng, a, x) | sign(rng, a),
        packed(rng, b, y, f + 1 - v as i32),
    ]
}

/// Remainders: multiples and halves of y, off by up to two units, with quotients of every size.
pub fn remainder(rng: &mut SplitMix64, a: Float, b: Float) -> [u64; 2] {
    let own = Target::of(b);
    let f = exponent(rng, b, own).clamp(b.emin - b.precision as i32, b.emax());
    let y = near_cut(rng, b, own, f);
    if rng.one_in(4) {
        let e = exponent(rng, a, own);
        return [near_cut(rng, a, own, e), y];
    }
    let (significand, scale) = b.unpack(y & b.magnitude_mask());
    let width = 1 + rng.below(a.precision);
    let n = digits(rng, width, width);
    let n = if rng.one_in(3) {
        u64::from(rng.below(8))
    } else {
        n
    };
    let gap = if rng.one_in(3) {
        rng.between(0, a.emax() - a.emin)
    } else {
        0
    };
    let x = a.pack(
        u128::from(n) * u128::from(significand),
        scale.saturating_add(gap - 1),
    );
    [nudge(rng, a, x) | sign(rng, a), y]
}

/// Values to compare: equal, neighbours, of equal or opposite sign, and the pairs for sums.
pub fn close(rng: &mut SplitMix64, a: Float, b: Float, target: Target) -> [u64; 2] {
    if a != b || rng.one_in(2) {
        return sum(rng, a, b, target);
    }
    let e = exponent(rng, a, target);
    let x = near_cut(rng, a, target, e);
    let y = nudge(rng, b, x & a.magnitude_mask());
    [
        x,
        y | if rng.one_in(2) {
            x & a.sign_bit()
        } else {
            sign(rng, b)
        },
    ]
}

/// x * 2^n with the result at a threshold, and extreme n.
pub fn scaled(rng: &mut SplitMix64, a: Float, bits: u32, target: Target) -> [u64; 2] {
    let e = rng.between(a.emin - a.precision as i32, a.emax());
    let result = result_exponent(rng, target, i32::MIN / 2, i32::MAX / 2);
    let n = match rng.below(8) {
        0 => rng.next() as i64,
        1 => i64::from(rng.between(-40, 40)),
        _ => i64::from(result - e),
    };
    // The bits are those discarded at the result's exponent, not at x's.
    let kept = target.digits(result) as u32;
    let significand = digits(rng, a.precision, kept.min(a.precision));
    let x = packed(rng, a, significand, e + 1 - a.precision as i32);
    [x, (n as u64) & (u64::MAX >> (64 - bits))]
}

/// Square roots: the square of a tie (or of a result), off by up to two units.
pub fn square(rng: &mut SplitMix64, a: Float, target: Target) -> u64 {
    let root = exponent(rng, a, target).clamp(a.emin / 2, a.emax() / 2);
    if rng.one_in(4) {
        let negative = if rng.one_in(16) { a.sign_bit() } else { 0 };
        let e = 2 * root + rng.between(0, 1);
        let x = near_cut(rng, a, Target::of(a), e);
        return (x & a.magnitude_mask()) | negative;
    }
    let kept = target.digits(root).clamp(1, 60) as u32;
    let r = digits(rng, kept + 1, kept);
    let x = a.pack(u128::from(r) * u128::from(r), 2 * (root - kept as i32));
    nudge(rng, a, x)
}

/// a * b + c: cancellation to the last bit, ties, an addend far away, thresholds.
pub fn fused(rng: &mut SplitMix64, [a, b, c]: [Float; 3], target: Target) -> [u64; 3] {
    let [x, y] = if rng.one_in(2) {
        product(rng, a, b, target)
    } else {
        let total = exponent(rng, c, target) + rng.between(-2, 2);
        let e = share(rng, a, b, total);
        let f = (total - e).clamp(b.emin - b.precision as i32, b.emax());
        [
            near_cut(rng, a, Target::of(a), e),
            near_cut(rng, b, Target::of(b), f),
        ]
    };
    let finite = |x: u64, float: Float| (x & float.magnitude_mask()).min(float.max);
    let (sx, ex) = a.unpack(finite(x, a));
    let (sy, ey) = b.unpack(finite(y, b));
    let product = u128::from(sx) * u128::from(sy);
    let scale = ex + ey;
    let top = scale + 127 - product.leading_zeros() as i32;
    let pc = c.precision as i32;
    let negative = ((x & a.sign_bit()) != 0) != ((y & b.sign_bit()) != 0);
    let z = match rng.below(6) {
        // The product truncated to the precision of c, mostly with the opposite sign.
        0 | 1 => {
            let z = c.pack(product, scale);
            let s = if rng.one_in(4) == negative {
                c.sign_bit()
            } else {
                0
            };
            nudge(rng, c, z) | s
        }
        // Half a unit of the product's last kept bit, or slightly off.
        2 => {
            let half = top - target.digits(top);
            let z = c.pack(1 + 2 * u128::from(rng.one_in(4)), half);
            nudge(rng, c, z) | sign(rng, c)
        }
        // The product is a small tail on c, which itself has only kept bits, or is
        // halfway between two results.
        3 => {
            let e = top + target.precision as i32 + rng.between(-1, 4);
            let kept = target.digits(e).clamp(1, pc);
            let wanted = kept + i32::from(rng.one_in(2)).min(pc - kept);
            let z = digits(rng, wanted as u32, kept as u32);
            packed(rng, c, z, e + 1 - wanted)
        }
        4 => {
            let reach = target.precision as i32 + pc + 3;
            let e = (top + rng.between(-reach, reach)).clamp(c.emin - pc, c.emax());
            near_cut(rng, c, target, e)
        }
        _ => {
            let e = exponent(rng, c, target);
            near_cut(rng, c, target, e)
        }
    };
    [x, y, z]
}
