//! Codes of P3109 in words: long slices of one operand take a table of the codes' results, made for
//! the call.

use bitexact::p3109::codes::{self, OperandFormats, Specialisation};
use bitexact::p3109::{FormatSpec, Projection, RoundingMode, SaturationMode};
use bitexact_slices::{p3109_class, p3109_is_normal, p3109_sqrt, status, tables};

/// Every code of 16 bits or fewer, with bits above those of any format, and words of binary32.
fn words(count: usize) -> Vec<u32> {
    (0..count as u32)
        .map(|k| k.wrapping_mul(0x9E37_79B1))
        .collect()
}

#[test]
fn tables_of_codes_have_the_kernels_results() {
    let before = tables();
    for name in [
        "Binary3p1uf",
        "Binary8p4se",
        "Binary9p4se",
        "BFloat16",
        "binary32",
    ] {
        let format = FormatSpec::from_name(name).unwrap();
        let operands = OperandFormats::new(&[format]).unwrap();
        let rounding = RoundingMode::StochasticB {
            bits: 8,
            random: 0x55,
        };
        let projection = Projection::new(rounding, SaturationMode::SatNone);
        let with = Specialisation::new(&[format], FormatSpec::BINARY16, projection).unwrap();
        // On both sides of four times a table of 256 results, and of one of 65,536.
        for count in [0, 1, 1023, 1024, 5000, (1 << 18) - 1, 1 << 18] {
            let x = words(count);
            let (mut roots, mut classes, mut normal) =
                (vec![0u32; count], vec![0u32; count], vec![false; count]);
            p3109_sqrt(&x, &mut roots, with).unwrap();
            p3109_class(&x, &mut classes, operands).unwrap();
            p3109_is_normal(&x, &mut normal, operands).unwrap();
            for (at, &x) in x.iter().enumerate() {
                assert_eq!(roots[at], codes::sqrt(x, with), "{name} {x:X}");
                assert_eq!(classes[at], codes::class(x, operands), "{name} {x:X}");
                assert_eq!(normal[at], codes::is_normal(x, operands), "{name} {x:X}");
            }
            let mut again = vec![0u32; count];
            let flags = status::p3109_sqrt(&x, &mut again, with).unwrap();
            assert!(flags == bitexact::Status::NONE && again == roots);
        }
    }
    assert_eq!(tables(), before, "none is kept");
}
