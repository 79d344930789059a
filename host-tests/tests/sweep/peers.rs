//! `sweep peers`: the kernels' own counts are 0, and the peers' counts are the known ones. Only
//! peers in pure Rust, whose versions the lockfile pins: `std` calls the platform's functions.

use bitexact::Rounding;
use host_tests::peers::{self, Count};
use host_tests::rows;

#[test]
fn our_counts_are_zero_and_the_peers_are_the_known_ones() {
    let counts = peers::compare(rows::all()).expect("an oracle for every function");
    let wrong = |row: &str, peer: &str| {
        let found = counts.iter().find(|c| c.row.name == row && c.peer == peer);
        found
            .map(|counts| counts.modes.map(|count| count.wrong))
            .expect("counts")
    };
    for counts in counts.iter().filter(|counts| counts.peer == "bitexact") {
        assert_eq!(counts.modes, [Count::default(); 6], "{}", counts.row.name);
    }
    let listed: std::collections::BTreeSet<_> = peers::PEERS.iter().map(|peer| peer.op).collect();
    let compared: std::collections::BTreeSet<_> = counts.iter().map(|c| c.row.op).collect();
    assert_eq!(listed, compared, "a peer is named after no kernel");

    assert_eq!(Rounding::ALL[0], Rounding::TiesToEven);
    for (row, peer, expected) in [
        ("exp.f16", "libm", 2),
        ("exp2.f16", "libm", 1),
        ("log.f16", "libm", 1),
        ("sin.f16", "libm", 4),
        ("cos.f16", "libm", 2),
        ("tan.f16", "libm", 6),
        ("erf.f16", "libm", 2),
        ("cbrt.f16", "libm", 20),
        ("expm1.f16", "libm", 1),
        ("sinh.f16", "libm", 2),
        ("exp.bf16", "libm", 0),
        ("sin.bf16", "libm", 0),
        ("exp.bf16", "micromath", 366),
        ("exp.f16", "micromath", 4857),
        ("sqrt.bf16", "micromath", 26673),
        ("sqrt.f16", "micromath", 29696),
        ("cbrt.f16", "pxfm", 20),
    ] {
        assert_eq!(
            wrong(row, peer)[0],
            expected,
            "{row} by {peer}, ties to even"
        );
    }
    // f32 has lost the inexactness, so directed roundings fail by thousands.
    assert!(
        wrong("exp.f16", "libm")[1..]
            .iter()
            .any(|wrong| *wrong > 3000)
    );
}
