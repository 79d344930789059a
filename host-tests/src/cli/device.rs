//! Rows that a GPU checks by itself, over all inputs: nothing comes back but counts and the first
//! mismatch.

use super::args::{BackendName, OracleName, RoundingName, RunArgs};
use super::report::{Report, Verdict};
use super::run::Sweep;
use super::{Console, Failure, Outcome};
use crate::backend::Backend;
use crate::backend::cuda::oracle_name;
use crate::domain::Domain;
use crate::engine::Plan;
use crate::row::{RoundingArg, Row};
use bitexact::Mode;
use cuda_shim::{Against, checkable};

/// Inputs in each mode between two looks at the clock: less than a second's work.
const BLOCK: u64 = 1 << 32;

/// Which plans are the device's own to check. They lose their stochastic modes, and fma of 16-bit
/// operands, where it is asked for, gets all its triples for inputs.
pub fn choose(args: &RunArgs, plans: &mut Vec<Plan>) -> Outcome<impl Fn(&Plan) -> bool + use<>> {
    let asked = args.oracle == OracleName::Device;
    let cuda = args.backend.backend == BackendName::Cuda;
    let wanted = cuda && (asked || args.exhaustive && args.oracle == OracleName::Auto);
    let named = !args.op.is_empty();
    let stochastic = args.rounding.contains(&RoundingName::Stochastic);
    if asked && !args.exhaustive {
        let why = "`--oracle device` needs `--exhaustive`";
        return Err(Failure::Usage(why.into()));
    }
    if asked && cuda {
        plans.retain(|plan| covers(&plan.row));
        if plans.is_empty() || stochastic {
            let why = "`--oracle device` covers add, sub, mul, div and fma of f16 and of bf16, and of f32 \
                       the conversions to narrower formats and to MXINT8, in the six fixed roundings";
            return Err(Failure::Usage(why.into()));
        }
    }
    let own = move |plan: &Plan| {
        let all = matches!(plan.domain, Domain::All(_));
        wanted && all && !stochastic && covers(&plan.row)
    };
    for plan in plans {
        if wanted && named && !stochastic && covers(&plan.row) {
            let widths = [0, 1, 2].map(|k| plan.row.operands.get(k).map_or(0, |ty| ty.bits()));
            plan.domain = Domain::All(widths);
        }
        if own(plan) {
            plan.modes
                .retain(|(rounding, _)| matches!(rounding, RoundingArg::Fixed(_)));
        }
    }
    Ok(own)
}

fn covers(row: &Row) -> bool {
    checkable(row.name, Against::Reference, Mode::TIES_TO_EVEN)
}

impl Sweep {
    /// A row checked on the device.
    pub fn on_device(
        &mut self,
        plan: Plan,
        oracle: OracleName,
        console: &mut Console,
    ) -> Outcome<Report> {
        let Backend::Cuda(cuda) = plan.backend.clone() else {
            return Err(Failure::Usage("only a GPU checks by itself".into()));
        };
        let against: Vec<_> = plan
            .modes
            .iter()
            .filter_map(|(rounding, overflow)| match rounding {
                RoundingArg::Fixed(fixed) => Some(Mode::new(*fixed, *overflow)),
                RoundingArg::Stochastic(_) => None,
            })
            .map(|mode| {
                let hardware =
                    oracle == OracleName::Auto && checkable(plan.row.name, Against::Hardware, mode);
                let against = if hardware {
                    Against::Hardware
                } else {
                    Against::Reference
                };
                (mode, against)
            })
            .collect();
        let mut names: Vec<_> = against
            .iter()
            .map(|(_, against)| oracle_name(*against))
            .collect();
        names.dedup();
        let block = (BLOCK / against.len().max(1) as u64).next_power_of_two();
        let name = plan.row.name;
        let (tally, seconds) = self.walk(&plan, block, console, |span, done| {
            let inputs = span.end - span.start;
            let checked = cuda.check(&plan, &against, span);
            done(inputs);
            Ok(checked.map_err(|error| format!("{name}: {error}"))?)
        })?;
        let span = self.shard.span(plan.inputs());
        let due = span.end - span.start;
        let mut notes = Vec::new();
        let verdict = if tally.seen != due || tally.checks != due * plan.cells() as u64 {
            notes.push(format!(
                "{} inputs and {} checks were made where {due} and {} were due",
                tally.seen,
                tally.checks,
                due * plan.cells() as u64
            ));
            Verdict::Miscounted
        } else if tally.mismatches() > 0 {
            Verdict::Mismatch
        } else {
            Verdict::Equal
        };
        Ok(Report {
            plan,
            tally,
            due,
            oracle: names.join("+"),
            seconds,
            verdict,
            notes,
        })
    }
}
