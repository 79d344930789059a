//! Runs the cases of the composites against the digests in `checks.bin`.
#![no_std]
#![no_main]

use composite_cases::{CASES, SEED, Scratch, run};
use device::{board, checks};

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    let mut scratch = Scratch::new();
    let names = CASES.iter().map(|case| case.name);
    match board::end(checks::run(names, |case| {
        CASES.get(case)?;
        let seen = run(case, SEED, &mut scratch);
        Some([seen.sum, seen.count])
    })) {}
}
