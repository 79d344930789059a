//! Rows that a backend checks by itself, over all inputs: a GPU, from which nothing comes back but
//! counts and the first mismatch, and this machine's vector unit.

use super::args::{BackendName, OracleName, RoundingName, RunArgs};
use super::report::Report;
use super::run::Sweep;
use super::{Console, Failure, Outcome};
use crate::backend::Backend;
use crate::backend::cuda::{Cuda, oracle_name};
#[cfg(feature = "slices")]
use crate::backend::simd::pairs;
use crate::domain::Domain;
use crate::engine::{Filter, Plan, Tally};
use crate::row::{RoundingArg, Row};
use bitexact::Mode;
use cuda_shim::{Against, checkable};

/// Inputs in each mode between two looks at the clock: less than a second's work of a GPU.
const BLOCK: u64 = 1 << 32;
/// And of this machine.
#[cfg(feature = "slices")]
const BLOCK_HERE: u64 = 1 << 27;

/// Which plans are the backend's own to check. They lose their stochastic modes, and on a GPU fma of
/// 16-bit operands, where it is asked for, gets all its triples for inputs.
pub fn choose(args: &RunArgs, plans: &mut Vec<Plan>) -> Outcome<impl Fn(&Plan) -> bool + use<>> {
    let asked = args.oracle == OracleName::Device;
    let backend = args.backend.backend;
    let cuda = backend == BackendName::Cuda;
    let unasked = args.exhaustive && args.oracle == OracleName::Auto;
    let wanted = cuda && asked || unasked;
    let named = !args.op.is_empty();
    let stochastic = args.rounding.contains(&RoundingName::Stochastic);
    if asked && !args.exhaustive {
        let why = "`--oracle device` needs `--exhaustive`";
        return Err(Failure::Usage(why.into()));
    }
    if asked && cuda {
        plans.retain(|plan| covers(backend, &plan.row));
        if plans.is_empty() || stochastic {
            let why = "`--oracle device` covers add, sub, mul, div and fma of f16 and of bf16, and of f32 \
                       the conversions to narrower formats and to MXINT8, in the six fixed roundings";
            return Err(Failure::Usage(why.into()));
        }
    }
    let own = move |plan: &Plan| {
        let all = matches!(plan.domain, Domain::All(_));
        wanted && all && !stochastic && covers(backend, &plan.row)
    };
    for plan in plans {
        if wanted && cuda && named && !stochastic && covers(backend, &plan.row) {
            let widths = [0, 1, 2].map(|k| plan.row.operands.get(k).map_or(0, |ty| ty.bits()));
            plan.domain = Domain::All(widths);
        }
        if own(plan) {
            plan.modes
                .retain(|(rounding, _)| matches!(rounding, RoundingArg::Fixed(_)));
        } else if backend == BackendName::HostSimd && unasked {
            // The digests that are recorded are those of the default run.
            plan.domain = Plan::new(&plan.row, false, &Filter::default(), None).domain;
        }
    }
    Ok(own)
}

fn covers(backend: BackendName, row: &Row) -> bool {
    match backend {
        BackendName::Cuda => checkable(row.name, Against::Reference, Mode::TIES_TO_EVEN),
        #[cfg(feature = "slices")]
        BackendName::HostSimd => pairs::covers(row),
        _ => false,
    }
}

impl Sweep {
    /// A row checked by its backend.
    pub fn own(
        &mut self,
        plan: Plan,
        oracle: OracleName,
        console: &mut Console,
    ) -> Outcome<Report> {
        let (tally, seconds, oracle) = match plan.backend.clone() {
            Backend::Cuda(cuda) => self.on_device(&plan, &cuda, oracle, console)?,
            #[cfg(feature = "slices")]
            Backend::Simd(levels) => {
                let block = (BLOCK_HERE / plan.cells().max(1) as u64).next_power_of_two();
                let (tally, seconds) = self.walk(&plan, block, console, |span, done| {
                    Ok(pairs::check(&plan, &levels, span, done))
                })?;
                (tally, seconds, pairs::ORACLE.to_owned())
            }
            Backend::Host => {
                let why = "only a GPU and the slice forms check by themselves";
                return Err(Failure::Usage(why.into()));
            }
        };
        let span = self.shard.span(plan.inputs());
        Ok(Report::checked(plan, tally, span, oracle, seconds))
    }

    /// On a GPU: what was seen, in how many seconds, and who judged.
    fn on_device(
        &mut self,
        plan: &Plan,
        cuda: &Cuda,
        oracle: OracleName,
        console: &mut Console,
    ) -> Outcome<(Tally, f64, String)> {
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
        let (tally, seconds) = self.walk(plan, block, console, |span, done| {
            let inputs = span.end - span.start;
            let checked = cuda.check(plan, &against, span);
            done(inputs);
            Ok(checked.map_err(|error| format!("{name}: {error}"))?)
        })?;
        Ok((tally, seconds, names.join("+")))
    }
}
