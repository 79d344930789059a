//! Random bits by counters: those of an element are a function of a seed and its index. So one seed
//! gives [stochastic rounding](crate::round#stochastic-rounding) the same bits on every device, in
//! any order and by any number of threads.
//!
//! [`philox4x32`] and [`threefry2x32`] are the generators of J. K. Salmon, M. A. Moraes, R. O. Dror
//! and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), with 10 and 20 rounds.
//! They are no ciphers.
//!
//! ```
//! use bitexact::{Overflow, bf16, convert, counter};
//!
//! let x = [1.01f32; 4];
//! let y: [bf16; 4] = core::array::from_fn(|index| {
//!     let bits = counter::philox_bits(42, index as u64);
//!     convert::convert_stochastic(x[index], bits, Overflow::Ieee)
//! });
//! assert_eq!(y.map(bf16::to_bits), [0x3F82, 0x3F81, 0x3F81, 0x3F81]);
//! ```

/// The four words of Philox4x32-10 for a counter and a key, in Random123's order of words.
#[must_use]
pub const fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    const fn product(a: u32, b: u32) -> (u32, u32) {
        let wide = a as u64 * b as u64;
        ((wide >> 32) as u32, wide as u32)
    }
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter, key);
    let mut round = 0;
    while round < 10 {
        let ((high_a, low_a), (high_c, low_c)) = (product(0xD251_1F53, a), product(0xCD9E_8D57, c));
        (a, b, c, d) = (high_c ^ b ^ k, low_c, high_a ^ d ^ l, low_a);
        (k, l) = (k.wrapping_add(0x9E37_79B9), l.wrapping_add(0xBB67_AE85));
        round += 1;
    }
    [a, b, c, d]
}

/// The two words of Threefry2x32-20 for a counter and a key, in Random123's order of words.
#[must_use]
pub const fn threefry2x32(counter: [u32; 2], key: [u32; 2]) -> [u32; 2] {
    const EVEN: [u32; 4] = [13, 15, 26, 6];
    const ODD: [u32; 4] = [17, 29, 16, 24];
    /// Four rounds, and a part of the key.
    const fn four(words: [u32; 2], rotations: [u32; 4], key: [u32; 2], number: u32) -> [u32; 2] {
        const fn one([a, b]: [u32; 2], rotation: u32) -> [u32; 2] {
            let a = a.wrapping_add(b);
            [a, b.rotate_left(rotation) ^ a]
        }
        let [p, q, r, s] = rotations;
        let [a, b] = one(one(one(one(words, p), q), r), s);
        let [k, l] = key;
        [a.wrapping_add(k), b.wrapping_add(l).wrapping_add(number)]
    }
    let ([a, b], [k, l]) = (counter, key);
    let m = 0x1BD1_1BDA ^ k ^ l;
    let words = four([a.wrapping_add(k), b.wrapping_add(l)], EVEN, [l, m], 1);
    let words = four(words, ODD, [m, k], 2);
    let words = four(words, EVEN, [k, l], 3);
    let words = four(words, ODD, [l, m], 4);
    four(words, EVEN, [m, k], 5)
}

const fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

/// The 16 random bits of an element by [`philox4x32`]: eight elements share a counter. The key is
/// the seed and the counter `index / 8`, the low word first in both, above which the counter is
/// zero; `index % 8` chooses the 16 bits, the low ones of the first word first.
#[must_use]
pub const fn philox_bits(seed: u64, index: u64) -> u16 {
    let [low, high] = halves(index / 8);
    let [a, b, c, d] = philox4x32([low, high, 0, 0], halves(seed));
    let word = match index % 8 / 2 {
        0 => a,
        1 => b,
        2 => c,
        _ => d,
    };
    (word >> (16 * (index % 2))) as u16
}

/// The 16 random bits of an element by [`threefry2x32`]: those of JAX, which are
/// `jax.random.bits(jax.random.key(seed), shape, numpy.uint16)` in row-major order, where JAX has
/// `jax_threefry_partitionable` (since version 0.5 by default). The key is the seed and the counter
/// the index, the high word first in both; the bits are the low ones of both words' exclusive or.
#[must_use]
pub const fn threefry_bits(seed: u64, index: u64) -> u16 {
    let ([low, high], [seed_low, seed_high]) = (halves(index), halves(seed));
    let [a, b] = threefry2x32([high, low], [seed_high, seed_low]);
    (a ^ b) as u16
}
