//! A program that is a list of named checks, each with a digest: reads the requested ones and their
//! expected digests from `checks.bin`, runs them, logs, and writes their digests to `answers.bin`.

use crate::board::{read, write};
use crate::job::{CHECK, Check, HEAD, MAGIC, Names, SEEN};
use semihosting::fs::File;

/// Runs the requested checks, each of which returns the sum and count of its digest (zero if there
/// is no such check, or no memory for it). Returns whether all match.
pub fn run<'a>(
    names: impl ExactSizeIterator<Item = &'a str> + Clone,
    mut check: impl FnMut(usize) -> Option<[u64; SEEN]>,
) -> Result<bool, &'static str> {
    #[cfg(all(feature = "hostile-fpu", target_abi = "eabihf"))]
    crate::board::fpu::set_hostile();
    let mut checks = File::open(c"checks.bin").map_err(|_| "cannot open checks.bin")?;
    let mut answers = File::create(c"answers.bin").map_err(|_| "cannot create answers.bin")?;
    let [magic, count, hash, total] =
        read::<HEAD>(&mut checks).map_err(|_| "checks.bin has no head")?;
    let own = names.clone().fold(Names::NONE, Names::and);
    if magic != MAGIC || count != names.len() as u64 || hash != own.0 {
        return Err("checks.bin was made for another program");
    }
    write(&mut answers, [MAGIC]).map_err(|_| "cannot write answers.bin")?;
    let (mut wrong, mut outputs) = (0u64, 0u64);
    for _ in 0..total {
        let words = read::<CHECK>(&mut checks).map_err(|_| "checks.bin ends before its last")?;
        let expected = Check::of(&words);
        let place = expected.place as usize;
        let [sum, count] = check(place).ok_or("a check that there is not, or no memory for it")?;
        outputs += count;
        if (sum, count) != (expected.sum, expected.count) {
            wrong += 1;
            defmt::error!(
                "{=str}: digest {=u64:016X} of {=u64}, expected {=u64:016X} of {=u64}",
                names.clone().nth(place).unwrap_or("?"),
                sum,
                count,
                expected.sum,
                expected.count
            );
        }
        write(&mut answers, [sum, count]).map_err(|_| "cannot write answers.bin")?;
    }
    #[cfg(all(feature = "hostile-fpu", target_abi = "eabihf"))]
    if !crate::board::fpu::is_hostile() {
        return Err("the FPU's modes are not those that were set");
    }
    defmt::info!(
        "{=u64} checks, {=u64} outputs, {=u64} different",
        total,
        outputs,
        wrong
    );
    Ok(wrong == 0)
}
