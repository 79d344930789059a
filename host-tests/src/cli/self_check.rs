//! Rows that a backend checks itself, over all inputs: a GPU, which returns only counts and the
//! first mismatch, and this machine's vector unit.

use super::args::{BackendName, OracleName, RoundingName, RunArgs};
use super::{Failure, Outcome};
#[cfg(feature = "cuda")]
use crate::backend::cuda;
#[cfg(feature = "slices")]
use crate::backend::simd::pairs;
use crate::domain::Domain;
use crate::engine::{Filter, Plan};
use crate::row::{RoundingArg, Row};

/// The plans that the backend checks itself. They lose their stochastic modes; on a GPU, fma of
/// 16-bit operands, if requested, gets all triples as inputs.
pub fn choose(args: &RunArgs, plans: &mut [Plan]) -> Outcome<impl Fn(&Plan) -> bool + use<>> {
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
    let none = || plans.iter().all(|plan| !covers(backend, &plan.row));
    if asked && cuda && (stochastic || none()) {
        let why = "`--oracle device` covers add, sub, mul, div and fma of f16 and of bf16, and of f32 \
                   the conversions to narrower formats and to MXINT8, in the six fixed roundings";
        return Err(Failure::Usage(why.into()));
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
            // The recorded digests are those of the default run.
            plan.domain = Plan::new(&plan.row, false, &Filter::default(), None).domain;
        }
    }
    Ok(own)
}

fn covers(backend: BackendName, row: &Row) -> bool {
    match (backend, row) {
        #[cfg(feature = "cuda")]
        (BackendName::Cuda, row) => cuda::covers(row),
        // Whatever the row is, it is refused where the back end is chosen.
        #[cfg(not(feature = "cuda"))]
        (BackendName::Cuda, _) => true,
        #[cfg(feature = "slices")]
        (BackendName::HostSimd, row) => pairs::covers(row),
        _ => false,
    }
}
