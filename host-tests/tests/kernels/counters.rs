//! Generators by counters: the known answers that Random123 publishes (`kat_vectors`), and JAX's bits.

use bitexact::counter::{philox_bits, philox4x32, threefry_bits, threefry2x32};

#[test]
fn known_answers() {
    let ones = u32::MAX;
    let pi = [0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344];
    for (counter, key, due) in [
        (
            [0; 4],
            [0; 2],
            [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8],
        ),
        (
            [ones; 4],
            [ones; 2],
            [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD],
        ),
        (
            pi,
            [0xA409_3822, 0x299F_31D0],
            [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1],
        ),
    ] {
        assert_eq!(philox4x32(counter, key), due);
    }
    for (counter, key, due) in [
        ([0; 2], [0; 2], [0x6B20_0159, 0x99BA_4EFE]),
        ([ones; 2], [ones; 2], [0x1CB9_96FC, 0xBB00_2BE7]),
        ([pi[0], pi[1]], [pi[2], pi[3]], [0xC492_3A9C, 0x483D_F7A0]),
    ] {
        assert_eq!(threefry2x32(counter, key), due);
    }
}

/// Eight elements share four words, the low half of the first word first.
#[test]
fn elements_of_philox() {
    let zeros = (0..8).map(|index| philox_bits(0, index));
    assert!(zeros.eq([
        0xE8D5, 0x6627, 0xC58D, 0xE169, 0xAC4C, 0xBC57, 0xDBD8, 0x9B00
    ]));
    let (seed, counter) = (0x299F_31D0_A409_3822, 0x05A3_08D3_243F_6A88);
    let words = philox4x32([0x243F_6A88, 0x05A3_08D3, 0, 0], [0xA409_3822, 0x299F_31D0]);
    for at in 0..8 {
        let word = words[at as usize / 2] >> (16 * (at % 2));
        assert_eq!(philox_bits(seed, 8 * counter + at), word as u16);
    }
}

/// What JAX 0.10.2 gives: `jax.random.bits(key, shape, numpy.uint16)`.
#[test]
fn bits_of_jax() {
    for (seed, due) in [
        (0, [0x4FA7, 0x3692, 0x0E28, 0xA835, 0x3BB7, 0x6943]),
        (0x2A, [0x13A2, 0x30D9, 0xF9F9, 0xC1D7, 0x7315, 0x4ED8]),
        (
            0xFFFF_FFFF,
            [0xC06F, 0x439D, 0x4FAB, 0x58CD, 0xB998, 0xC9A1],
        ),
    ] {
        assert!((0..6).map(|index| threefry_bits(seed, index)).eq(due));
    }
    // A key of two words, and the shape (3, 1000).
    for (index, due) in [(0, 0x70BA), (999, 0x47FD), (2999, 0x1CC1)] {
        assert_eq!(threefry_bits(0x1234_5678_9ABC_DEF0, index), due);
    }
}
