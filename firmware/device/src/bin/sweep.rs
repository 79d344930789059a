//! Runs the jobs in the file `jobs.bin` (`cases/inputs/src/job.rs`), compares their digests with
//! the expected ones, logs, and writes the outcome of each to `answers.bin`.
#![no_std]
#![no_main]

use device::board::{self, read, write};
use device::job::{Answer, HEAD, Job, MAGIC, Names};
use device::rows;
use heapless::Vec;
use semihosting::fs::File;

/// How many differing jobs are kept to be logged at the end.
const KEPT: usize = 16;

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    match board::end(sweep()) {}
}

fn sweep() -> Result<bool, &'static str> {
    #[cfg(all(feature = "hostile-fpu", target_abi = "eabihf"))]
    board::fpu::set_hostile();
    let rows = rows::all().ok_or("the catalog has more rows than there is room for")?;
    let mut jobs = File::open(c"jobs.bin").map_err(|_| "cannot open jobs.bin")?;
    let mut answers = File::create(c"answers.bin").map_err(|_| "cannot create answers.bin")?;
    let [magic, count, names, total] =
        read::<HEAD>(&mut jobs).map_err(|_| "jobs.bin has no head")?;
    let own = rows
        .iter()
        .fold(Names::NONE, |names, row| names.and(row.name));
    if magic != MAGIC || count != rows.len() as u64 || names != own.0 {
        return Err("jobs.bin was made for another catalog");
    }
    defmt::info!("{=usize} rows, {=u64} jobs", rows.len(), total);
    write(&mut answers, [MAGIC]).map_err(|_| "cannot write answers.bin")?;
    let mut different: Vec<(Job, Answer), KEPT> = Vec::new();
    let (mut wrong, mut inputs, mut last) = (0u64, 0u64, u32::MAX);
    for _ in 0..total {
        let job = Job::of(&read(&mut jobs).map_err(|_| "jobs.bin ends before its last job")?);
        let row = rows.get(job.row as usize).ok_or("a job of no row")?;
        if job.row != last {
            last = job.row;
            defmt::debug!("{=str}", row.name);
        }
        let answer = row
            .job(&job)
            .ok_or("a job with arguments that its row does not have")?;
        inputs += answer.count;
        if answer.sum != job.expected || answer.count != job.end - job.start {
            wrong += 1;
            let _ = different.push((job, answer));
        }
        write(&mut answers, answer.words()).map_err(|_| "cannot write answers.bin")?;
    }
    for (job, answer) in &different {
        let name = rows.get(job.row as usize).map_or("?", |row| row.name);
        defmt::error!(
            "{=str} form {=u8} arguments {}: digest {=u64:016X}, expected {=u64:016X}",
            name,
            job.form,
            job.numbers,
            answer.sum,
            job.expected
        );
    }
    #[cfg(all(feature = "hostile-fpu", target_abi = "eabihf"))]
    if !board::fpu::is_hostile() {
        return Err("the FPU's modes are not those that were set");
    }
    defmt::info!(
        "{=u64} jobs, {=u64} inputs, {=u64} different",
        total,
        inputs,
        wrong
    );
    Ok(wrong == 0)
}
