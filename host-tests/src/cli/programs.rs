//! `sweep run --backend qemu`, besides the rows: the composites' cases and the reference networks
//! on microcontrollers, compared with the recorded digests.

use super::args::RunArgs;
use super::{Console, Outcome, select};
use crate::backend::qemu::{self, Target};
use crate::composites::{self as recorded, Recorded};
use crate::digest::Digest;
use crate::names;
use crate::row::Row;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::time::Instant;
use sweep_inputs::job::Check;

/// A program of `firmware/device` that is a list of named things, each with a digest.
pub struct Program {
    name: &'static str,
    names: Vec<&'static str>,
    /// Those that were requested by name; otherwise the target decides what is run.
    asked: Vec<bool>,
}

/// The requirements of a program, which decide where it can run.
struct Needs {
    /// KiB of memory.
    memory: u32,
    /// The processor's f32 in its default state.
    native: bool,
    /// Some seconds with an FPU, minutes without.
    long: bool,
}

fn needs(name: &str) -> Needs {
    let native = composite_cases::CASES
        .iter()
        .any(|case| case.native && case.name == name);
    let full = name.contains("_net.full.");
    Needs {
        memory: match full {
            true => 4096,
            false if name.contains("_net.") => 32,
            false => 16,
        },
        native: native || name.ends_with(".native"),
        long: full,
    }
}

/// Whether a pattern names a program.
fn matches(pattern: &str, name: &str) -> bool {
    name.split('.').next() == Some(pattern) || names::glob(pattern.as_bytes(), name.as_bytes())
}

/// The programs that the patterns name, and the patterns left for rows; without a pattern, all
/// programs.
pub fn chosen(rows: &[Row], patterns: &[String]) -> (Vec<Program>, Vec<String>) {
    let cases = composite_cases::CASES
        .iter()
        .map(|case| case.name)
        .collect();
    let mut programs = [
        ("composites", cases),
        ("networks", networks::NAMES.to_vec()),
    ]
    .map(|(name, names): (_, Vec<_>)| Program {
        name,
        asked: vec![false; names.len()],
        names,
    });
    let mut rest = Vec::new();
    for pattern in patterns {
        let mut found = false;
        for program in &mut programs {
            for (name, asked) in program.names.iter().zip(&mut program.asked) {
                if matches(pattern, name) {
                    (*asked, found) = (true, true);
                }
            }
        }
        if !found || names::many(rows, pattern).is_ok() {
            rest.push(pattern.clone());
        }
    }
    let wanted = |program: &Program| patterns.is_empty() || program.asked.contains(&true);
    (programs.into_iter().filter(wanted).collect(), rest)
}

impl Program {
    /// The programs that run on a target.
    fn places(&self, target: &Target, hostile_fpu: bool) -> Vec<usize> {
        let named = self.asked.contains(&true);
        let runs = |place: &usize| {
            let needs = needs(self.names[*place]);
            let wanted = if named {
                self.asked[*place]
            } else {
                !needs.long || needs.native && target.fpu
            };
            wanted && needs.memory <= target.memory && !(needs.native && hostile_fpu)
        };
        (0..self.names.len()).filter(runs).collect()
    }

    /// Runs some of them on a target.
    fn ask(
        &self,
        target: &Target,
        places: &[usize],
        hostile_fpu: bool,
        digests: &Recorded,
    ) -> Result<Vec<(&'static str, Digest, Digest)>, String> {
        let elf = qemu::build(target, self.name, hostile_fpu)?;
        let check = |&place: &usize| {
            let name = self.names[place];
            let digest = digests
                .get(name)
                .ok_or_else(|| format!("no digest of {name} is recorded"))?;
            Ok(Check {
                place: place as u64,
                sum: digest.sum,
                count: digest.count,
            })
        };
        let checks = places
            .iter()
            .map(check)
            .collect::<Result<Vec<_>, String>>()?;
        let folder = qemu::folder(&format!(
            "{}-{}-{}",
            target.name,
            self.name,
            std::process::id()
        ));
        let answers = qemu::check(target, &elf, &self.names, &checks, &folder)?;
        let _ = std::fs::remove_dir_all(&folder);
        Ok(checks
            .iter()
            .zip(answers)
            .map(|(check, got)| {
                let expected = Digest {
                    sum: check.sum,
                    count: check.count,
                };
                (self.names[check.place as usize], expected, got)
            })
            .collect())
    }
}

/// The outcome of a program on a target.
pub struct Ran {
    program: &'static str,
    target: &'static str,
    /// Name, expected digest, the target's digest.
    checks: Vec<(&'static str, Digest, Digest)>,
    seconds: f64,
}

impl Ran {
    fn wrong(&self) -> impl Iterator<Item = &(&'static str, Digest, Digest)> {
        self.checks
            .iter()
            .filter(|(_, expected, got)| expected != got)
    }

    pub fn differs(&self) -> bool {
        self.wrong().next().is_some()
    }

    fn outputs(&self) -> u64 {
        self.checks.iter().map(|(_, _, got)| got.count).sum()
    }

    pub fn json(&self) -> Value {
        let check = |(name, expected, got): &(&str, Digest, Digest)| {
            json!({
                "name": name, "outputs": got.count, "digest": format!("{:016X}", got.sum),
                "verdict": if expected == got { "equal" } else { "mismatch" },
            })
        };
        json!({
            "program": self.program, "target": self.target, "seconds": self.seconds,
            "checks": self.checks.iter().map(check).collect::<Vec<_>>(),
        })
    }
}

/// The recorded digests.
pub fn digests(args: &RunArgs) -> Result<Recorded, String> {
    recorded::read(&select::golden(args.golden.as_deref())?)
}

/// Runs the programs on every target, as many at a time as there are threads.
pub fn run(
    programs: &[Program],
    targets: &[Target],
    args: &RunArgs,
    console: &mut Console,
) -> Outcome<Vec<Ran>> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let digests = digests(args)?;
    let all: Vec<_> = targets
        .iter()
        .flat_map(|target| programs.iter().map(move |program| (target, program)))
        .collect();
    let one = |(target, program): &(&Target, &Program)| -> Result<Option<Ran>, String> {
        let places = program.places(target, args.hostile_fpu);
        if places.is_empty() {
            return Ok(None);
        }
        let start = Instant::now();
        let checks = program.ask(target, &places, args.hostile_fpu, &digests)?;
        Ok(Some(Ran {
            program: program.name,
            target: target.name,
            checks,
            seconds: start.elapsed().as_secs_f64(),
        }))
    };
    let ran = all
        .par_iter()
        .with_max_len(1)
        .map(one)
        .collect::<Result<Vec<_>, _>>()?;
    let ran: Vec<_> = ran.into_iter().flatten().collect();
    for ran in &ran {
        console.note(format_args!(
            "{} on {}: {} checks, {} outputs, {} differ, {:.1} s with the build",
            ran.program,
            ran.target,
            ran.checks.len(),
            ran.outputs(),
            ran.wrong().count(),
            ran.seconds,
        ));
    }
    Ok(ran)
}

/// The first pattern that names programs of which none runs on any of these targets.
pub fn left_out<'a>(
    patterns: &'a [String],
    programs: &[Program],
    targets: &[Target],
    hostile_fpu: bool,
) -> Option<&'a String> {
    patterns.iter().find(|pattern| {
        let named = |program: &Program, place: usize| matches(pattern, program.names[place]);
        let runs = |program: &Program, place: usize| {
            let on = |target| program.places(target, hostile_fpu).contains(&place);
            named(program, place) && targets.iter().any(on)
        };
        let any = |holds: &dyn Fn(&Program, usize) -> bool| {
            let holds = |program: &Program| (0..program.names.len()).any(|at| holds(program, at));
            programs.iter().any(holds)
        };
        any(&named) && !any(&runs)
    })
}

/// Prints what differs, and the totals.
pub fn tell(ran: &[Ran], console: &mut Console) -> Outcome<()> {
    if ran.is_empty() {
        return Ok(());
    }
    for ran in ran {
        for (name, expected, got) in ran.wrong() {
            console.tell(format_args!(
                "{name} on {}: digest {:016X} of {}, expected {:016X} of {}",
                ran.target, got.sum, got.count, expected.sum, expected.count
            ))?;
        }
    }
    let sum = |of: fn(&Ran) -> u64| ran.iter().map(of).sum::<u64>();
    console.tell(format_args!(
        "composites and networks: {} checks, {} outputs, {} digests differ",
        sum(|ran| ran.checks.len() as u64),
        sum(Ran::outputs),
        sum(|ran| ran.wrong().count() as u64),
    ))
}
