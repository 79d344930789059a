//! Packing and unpacking by words are the kernel's, at every level and on threads.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{E2M1, E2M3, E3M2};
use bitexact::scale::{self, Int2, Int4, UInt4};
use bitexact_slices::Level;
use bitexact_slices::mx::{BlockError, Packed, pack_at, unpack_at};
use common::Draw;

/// Lengths of no word, of parts of words, and of many.
fn lengths() -> impl Iterator<Item = usize> {
    (0..80).chain([255, 256, 1000, 4099])
}

fn codes<F: Packed>(elements: &[F]) -> Vec<u64> {
    elements.iter().map(|x| x.to_bits()).collect()
}

/// The kernel, every level, and threads if there are any: on codes in one place or bits in one
/// place, and on random ones.
fn compare<F: Packed + Send + Sync>(name: &str) {
    let mut draw = Draw::new(name, 0);
    for length in lengths() {
        let single = length.min(64 * 6);
        for kind in 0..3 + single {
            let elements: Vec<F> = (0..length)
                .map(|i| match kind {
                    0 => F::from_bits(draw.word()),
                    1 => F::from_bits(u64::MAX),
                    2 => F::from_bits(0),
                    kind => F::from_bits(u64::from(i + 3 == kind) * u64::MAX),
                })
                .collect();
            let mut due = vec![0xA5; F::packed_len(length)];
            scale::pack(&elements, &mut due).unwrap();
            // The bits after the last element are ignored.
            let mut padded = due.clone();
            let used = length * F::BITS as usize % 8;
            if let (Some(last), true) = (padded.last_mut(), used > 0) {
                *last |= 0xFF << used;
            }
            let check = |who: &str, bytes: &[u8], back: &[F]| {
                assert_eq!(bytes, due, "{name}, {length} packed by {who}");
                assert_eq!(codes(back), codes(&elements), "{name}, {length} by {who}");
            };
            let (mut bytes, mut back) = (due.clone(), elements.clone());
            for level in Level::available() {
                bytes.fill(0x5A);
                back.fill(F::from_bits(0b10));
                pack_at(*level, &elements, &mut bytes).unwrap();
                unpack_at(*level, &padded, &mut back).unwrap();
                check(level.name(), &bytes, &back);
            }
        }
    }
    for (elements, bytes) in [
        (3, F::packed_len(3) + 1),
        (16, F::packed_len(16) - 1),
        (0, 1),
    ] {
        let due = Err(BlockError::LengthMismatch {
            which: "bytes",
            expected: F::packed_len(elements),
            found: bytes,
        });
        let (mut bytes, mut elements) = (vec![7; bytes], vec![F::from_bits(1); elements]);
        let level = Level::best();
        assert_eq!(pack_at(level, &elements, &mut bytes), due, "{name}");
        assert_eq!(unpack_at(level, &bytes, &mut elements), due, "{name}");
        assert!(bytes.iter().all(|byte| *byte == 7));
        assert!(elements.iter().all(|x| x.to_bits() == 1));
    }
    #[cfg(feature = "rayon")]
    for length in [10, 1 << 23, (1 << 23) + 5] {
        use bitexact_slices::par::mx::{pack, unpack};
        let elements: Vec<F> = (0..length).map(|_| F::from_bits(draw.word())).collect();
        let mut due = vec![0; F::packed_len(length)];
        scale::pack(&elements, &mut due).unwrap();
        let (mut bytes, mut back) = (due.clone(), elements.clone());
        bytes.fill(0x5A);
        back.fill(F::from_bits(0b10));
        common::on_threads(|| {
            pack(&elements, &mut bytes).unwrap();
            unpack(&due, &mut back).unwrap();
            assert!(pack(&elements, &mut bytes[1..]).is_err());
            assert!(unpack(&due[1..], &mut back).is_err());
        });
        assert!(bytes == due, "{name}, {length} packed on threads");
        assert!(
            codes(&back) == codes(&elements),
            "{name}, {length} unpacked on threads"
        );
    }
}

#[test]
fn every_type() {
    compare::<E2M1>("e2m1");
    compare::<E2M3>("e2m3");
    compare::<E3M2>("e3m2");
    compare::<Int2>("int2");
    compare::<Int4>("int4");
    compare::<UInt4>("uint4");
}
