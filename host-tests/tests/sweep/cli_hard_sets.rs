//! The hard sets are as documented: counted, within their types, reproducible, and full of the
//! cases that random operands miss.

use host_tests::domain::{Domain, Hard};
use host_tests::engine::domain;
use host_tests::oracle::{Answer, OracleKind, Place, Tiny, for_row};
use host_tests::row::Row;
use host_tests::{digest::Digest, rows};

fn row(name: &str) -> &'static Row {
    rows::all()
        .iter()
        .find(|row| row.name == name)
        .unwrap_or_else(|| panic!("no row {name}"))
}

#[test]
fn operands_fit_their_types() {
    for row in rows::all() {
        let domain = domain(row, false);
        let len = domain.len().unwrap();
        for index in (0..len).step_by(7) {
            let operands = domain.get(index);
            for (k, bits) in operands.into_iter().enumerate() {
                let width = row.operands.get(k).map_or(0, |ty| ty.bits());
                assert!(
                    width == 64 || bits >> width == 0,
                    "{} {index} {bits:X}",
                    row.name
                );
            }
            assert_eq!(operands, domain.get(index), "{} {index}", row.name);
        }
    }
}

#[test]
fn all_inputs_are_all_inputs() {
    let domain = domain(row("convert.f16.bf16"), false);
    assert_eq!(domain.len(), Some(65_536));
    let mut seen = vec![false; 65_536];
    for index in 0..65_536 {
        seen[domain.get(index)[0] as usize] = true;
    }
    assert!(seen.into_iter().all(|seen| seen));
    let pairs = host_tests::engine::domain(row("add.f16"), true);
    assert_eq!(pairs.len(), Some(1 << 32));
    assert_eq!(pairs.get(0x1234_5678), [0x1234, 0x5678, 0]);
}

/// Statistics of the inputs of a row.
#[derive(Debug, Default)]
struct Kinds {
    ties: u32,
    edges: u32,
    tiny: u32,
    beyond: u32,
    near: u32,
    nan: u32,
    cancelled: u32,
}

fn kinds(name: &str) -> Kinds {
    let row = row(name);
    let oracle =
        for_row(OracleKind::Rational, row.op, row.operands, row.results, &[]).expect("an oracle");
    let domain = domain(row, false);
    assert!(
        matches!(domain, Domain::Hard(Hard { .. })),
        "{name} is not a hard set"
    );
    let mut kinds = Kinds::default();
    for index in 0..domain.len().unwrap() {
        match oracle.answer_stochastic(&domain.get(index)) {
            Answer::Located(located) => {
                kinds.ties += u32::from(located.place == Some(Place::Middle));
                kinds.edges += u32::from(matches!(located.tiny, Tiny::Edge(_)));
                kinds.tiny += u32::from(located.tiny == Tiny::Yes);
                kinds.beyond += u32::from(located.place.is_none());
                let gap = located.fractions.map_or(0, |fractions| fractions.gap);
                kinds.near += u32::from(matches!(gap, 0x7FFF | 0x8000 | 0x0000 | 0xFFFF));
            }
            Answer::Nan { .. } => kinds.nan += 1,
            Answer::Cancelled { .. } => kinds.cancelled += 1,
            _ => {}
        }
    }
    println!("{name}: {kinds:?}");
    kinds
}

#[test]
fn sums_products_and_fma_are_full_of_ties() {
    for name in [
        "add.f16",
        "add.bf16",
        "add.f32",
        "sub.f16",
        "add.f32.f32.f16",
        "mul.f16",
        "mul.bf16",
        "mul.f32",
        "mul.bf16.bf16.f16",
        "fma.f16",
        "fma.bf16",
        "fma.f32",
        "fma.bf16.bf16.f32.f16",
        "scalbn.f16",
        "scalbn.f32",
        "convert.f32.f16",
        "convert.f64.bf16",
        "convert.f64.f32",
    ] {
        let kinds = kinds(name);
        assert!(kinds.ties > 1_500, "{name}: {kinds:?}");
        assert!(kinds.beyond > 500, "{name}: {kinds:?}");
        assert!(kinds.nan > 100, "{name}: {kinds:?}");
    }
}

#[test]
fn quotients_and_roots_come_near_to_ties() {
    for name in [
        "div.f16",
        "div.bf16",
        "div.f32",
        "div.f32.f32.bf16",
        "sqrt.f32",
        "sqrt.f32.f16",
    ] {
        let kinds = kinds(name);
        assert!(kinds.near > 5_000, "{name}: {kinds:?}");
    }
}

#[test]
fn results_fall_around_the_smallest_normal_number() {
    // A quotient of two numbers of the result's own format is never that close to it.
    for name in [
        "mul.f16",
        "div.f32.f32.bf16",
        "fma.f16",
        "scalbn.f32",
        "convert.f32.f16",
        "mul.f32",
    ] {
        let kinds = kinds(name);
        assert!(
            name.starts_with("scalbn") || kinds.edges > 200,
            "{name}: {kinds:?}"
        );
        assert!(kinds.tiny > 3_000, "{name}: {kinds:?}");
    }
}

#[test]
fn sums_cancel() {
    for name in ["add.f16", "sub.bf16", "add.f32", "fma.f16", "fma.f32"] {
        let kinds = kinds(name);
        assert!(kinds.cancelled > 100, "{name}: {kinds:?}");
    }
}

/// The domain's name in golden files, and the digest of the inputs of these rows.
fn inputs(name: &str, rows: &[&str]) -> String {
    let mut digest = Digest::EMPTY;
    for row_name in rows {
        let domain = domain(row(row_name), false);
        assert_eq!(domain.name(), name);
        for index in 0..domain.len().unwrap() {
            let [a, b, c] = domain.get(index);
            digest.add(index, [a, b.wrapping_add(c.rotate_left(32))], 0);
        }
    }
    format!("{:016X} {}", digest.sum, digest.count)
}

/// A change of the input at any index must raise the number in the name, since golden digests
/// depend on it.
#[test]
fn versions_1_and_2_are_what_they_were() {
    let first = [
        "add.f16",
        "mul.bf16",
        "div.f32",
        "fma.f16",
        "sqrt.f32",
        "scalbn.f16",
        "hardtanh_backward.f16",
        "remainder.f16",
        "convert.f64.bf16",
        "from_int.i64.f16",
        "compare_quiet_less.f32",
    ];
    assert_eq!(inputs("hard1", &first), "09F61E5CAEF295A0 983040");
    let second = [
        "atan2.f16",
        "atan2.bf16",
        "atan2pi.bf16",
        "pow.f16",
        "pown.bf16",
        "rootn.f16",
        "compound.bf16",
    ];
    assert_eq!(inputs("hard2", &second), "4D56C814A184707E 462336");
}

/// A part of a hard set has all of its nearest pairs, and as many of the others as asked for.
#[test]
fn prefixes_of_hard_sets() {
    let prefix = |name, first| match domain(row(name), false) {
        Domain::Hard(hard) => hard.prefix(first),
        _ => panic!("{name} is not a hard set"),
    };
    assert_eq!(prefix("pow.f16", 64), 512 + 64);
    assert_eq!(prefix("add.f16", 64), 64);
    assert_eq!(prefix("pow.f16", u64::MAX), 512 + (1 << 16));
}
