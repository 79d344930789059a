//! Checks on the device: that they count, that they find errors, and that there are none.

use super::module;
use bitexact::{Mode, Overflow, Rounding};
use cuda_shim::{Against, Error, checkable, input_count, reference_answer, rows};

/// Every bit of an operand, of each operand in turn, in a span that begins and ends anywhere.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn nothing_is_wrong_where_nothing_is() {
    let module = module();
    let mut covered = 0;
    for row in rows() {
        if !checkable(row.name, Against::Reference, Mode::TIES_TO_EVEN) {
            continue;
        }
        covered += 1;
        let end = input_count(row.name);
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                let mode = Mode::new(rounding, overflow);
                for start in [0, end / 3, end - 70_001] {
                    let span = start..start + 70_001;
                    let checked = module.check_row(row.name, mode, Against::Reference, span);
                    let checked = checked.unwrap();
                    assert_eq!(
                        (checked.seen, checked.first),
                        (70_001, None),
                        "{}",
                        row.name
                    );
                    assert_eq!(checked.wrong, 0);
                }
            }
        }
    }
    assert_eq!(covered, 29);
    for row in ["fma.f16", "fma.bf16"] {
        for start in [0x3C00_0001_0000, 0x1234_5678_9ABC, 0] {
            let span = start..start + (1 << 26) + 5;
            let mode = Mode::TIES_TO_EVEN;
            match module.check_row(row, mode, Against::Hardware, span) {
                Ok(checked) => {
                    assert_eq!(
                        (checked.seen, checked.first),
                        ((1 << 26) + 5, None),
                        "{row}"
                    );
                }
                // Before sm_80 there is no such instruction.
                Err(Error::NoEntry { .. }) if module.gpu().architecture() < 80 => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// The kernel in one mode against the reference in another: as many mismatches as on the host, with
/// the same first one.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn what_is_wrong_is_found_and_counted() {
    let module = module();
    let modes = [
        Mode::TIES_TO_EVEN,
        Mode::ieee(Rounding::TowardZero).saturating(),
    ];
    for (row, span) in [
        ("add.f16", 0x3C00_3011..0x3C01_4711),
        ("div.bf16", 0x3F81_0000..0x3F82_0001),
        ("fma.f16", 0x3C01_3C01_0000..0x3C01_3C02_0100),
        ("convert.f32.e4m3fn", 0x43DF_FFF0..0x43F0_0010),
        ("mxint8_encode.f32", 0xBFFF_0000..0xC000_0010),
    ] {
        let checked = module
            .check_row_as(row, modes, Against::Reference, span.clone())
            .unwrap();
        let operands = rows()
            .iter()
            .find(|r| r.name == row)
            .unwrap()
            .operands
            .len();
        let answers = |index: u64| {
            let x = match operands {
                1 => [index, 0, 0],
                2 => [index >> 16, index & 0xFFFF, 0],
                _ => [index >> 32, index >> 16 & 0xFFFF, index & 0xFFFF],
            };
            modes.map(|mode| reference_answer(row, x, mode).unwrap())
        };
        let wrong: Vec<u64> = span
            .clone()
            .filter(|index| {
                let [kernel, due] = answers(*index);
                kernel != due
            })
            .collect();
        assert!(wrong.len() > 100, "{row}");
        assert_eq!(checked.seen, span.end - span.start, "{row}");
        assert_eq!(checked.wrong, wrong.len() as u64, "{row}");
        let first = checked.first.unwrap();
        assert_eq!(first.index, wrong[0], "{row}");
        assert_eq!([first.got, first.expected], answers(wrong[0]), "{row}");
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn what_cannot_be_checked_is_an_error() {
    let module = module();
    let mode = Mode::TIES_TO_EVEN;
    let ask = |row: &str, mode: Mode, against, span| module.check_row(row, mode, against, span);
    let down = Mode::ieee(Rounding::TowardNegative);
    assert!(ask("sqrt.f16", mode, Against::Reference, 0..1).is_err());
    assert!(ask("add.f16", mode, Against::Hardware, 0..1).is_err());
    assert!(ask("fma.f16", down, Against::Hardware, 0..1).is_err());
    assert!(ask("add.f16", mode, Against::Reference, 0..(1 << 32) + 1).is_err());
    let nothing = ask("add.f16", mode, Against::Reference, 7..7).unwrap();
    assert_eq!((nothing.seen, nothing.wrong, nothing.first), (0, 0, None));
}
