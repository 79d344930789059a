//! Numbers as `sweep` reads them, from its command line and from vectors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweep_row::{Ty, number};

fuzz_target!(|data: (u8, &str)| {
    let (choice, text) = data;
    let ty = Ty::ALL[usize::from(choice) % Ty::ALL.len()];
    for bits in [
        number::parse(text, ty).ok(),
        number::parse_hex(text, ty).ok(),
    ]
    .into_iter()
    .flatten()
    {
        assert_eq!(bits & !number::mask(ty), 0);
        let hex = number::hex(ty, bits);
        assert_eq!(number::parse_hex(&hex, ty), Ok(bits));
        assert!(!number::value(ty, bits).is_empty());
    }
});
