//! Criterion benches, in `benches/`: `cargo bench -p benches`.
