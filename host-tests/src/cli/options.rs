//! Options that would have no effect are refused: who gives one believes that it has.

use super::args::{
    BackendArgs, BackendName, DumpArgs, OracleName, RunArgs, TininessName, VerifyArgs,
};
use super::{Failure, Outcome};
use crate::number;
use crate::row::{Row, Ty};

fn refuse(why: impl Into<String>) -> Outcome<()> {
    Err(Failure::Usage(why.into()))
}

/// The first of these options that was given, which only a back end has a use for.
fn only_for(backend: &str, options: &[(bool, &str)]) -> Outcome<()> {
    match options.iter().find(|(given, _)| *given) {
        Some((_, name)) => refuse(format!("`{name}` is for `--backend {backend}` only")),
        None => Ok(()),
    }
}

fn backend(args: &BackendArgs) -> Outcome<()> {
    if args.backend != BackendName::Cuda {
        only_for(
            "cuda",
            &[
                (args.ptx.is_some(), "--ptx"),
                (args.device.is_some(), "--device"),
            ],
        )?;
    }
    if args.backend != BackendName::HostSimd {
        only_for(
            "host-simd",
            &[
                (!args.level.is_empty(), "--level"),
                (!args.fpu.is_empty(), "--fpu"),
            ],
        )?;
    }
    Ok(())
}

/// The options of `run`, except those that depend on the rows ([`golden`]).
pub fn run(args: &RunArgs) -> Outcome<()> {
    let name = args.backend.backend;
    if name == BackendName::Qemu {
        // What a microcontroller's run cannot do, whether another back end could or not.
        let other_oracle = !matches!(args.oracle, OracleName::Auto | OracleName::Golden);
        for (given, option) in [
            (args.exhaustive, "--exhaustive"),
            (args.shard.is_some(), "--shard"),
            (args.shard_from_0.is_some(), "--shard-from-0"),
            (args.out.is_some(), "--out"),
            (args.checkpoint.is_some(), "--checkpoint"),
            (args.restart, "--restart"),
            (args.backend.ptx.is_some(), "--ptx"),
            (args.backend.device.is_some(), "--device"),
            (!args.backend.level.is_empty(), "--level"),
            (!args.backend.fpu.is_empty(), "--fpu"),
            (other_oracle, "--oracle"),
        ] {
            if given {
                return refuse(format!("`{option}` does not go with `--backend qemu`"));
            }
        }
        return Ok(());
    }
    only_for(
        "qemu",
        &[
            (!args.target.is_empty(), "--target"),
            (args.first.is_some(), "--first"),
            (args.hostile_fpu, "--hostile-fpu"),
            (args.settings.is_some(), "--settings"),
        ],
    )?;
    backend(&args.backend)?;
    if name == BackendName::HostSimd
        && !matches!(args.oracle, OracleName::Auto | OracleName::Golden)
    {
        return refuse(
            "`--oracle` does not go with `--backend host-simd`: the slices are compared with the kernels, \
             and these with the golden digests",
        );
    }
    if args.restart && args.checkpoint.is_none() && args.out.is_none() && !args.exhaustive {
        return refuse(
            "`--restart` has no effect: without `--checkpoint`, `--exhaustive` or `--out` nothing is resumed",
        );
    }
    let same = |json| args.checkpoint.as_ref().is_some_and(|file| file == json);
    if args.json.as_ref().is_some_and(same) {
        return refuse("`--json` and `--checkpoint` name the same file");
    }
    Ok(())
}

/// `--golden`, where it is known whether any row is compared with the recorded digests.
pub fn golden(args: &RunArgs, used: bool) -> Outcome<()> {
    if args.golden.is_some() && !used {
        return refuse(
            "`--golden` has no effect: with this back end and oracle no row is compared with recorded digests",
        );
    }
    Ok(())
}

/// The options of `dump`.
pub fn dump(args: &DumpArgs) -> Outcome<()> {
    backend(&args.backend)?;
    if args.backend.backend == BackendName::HostSimd {
        return refuse("`--backend host-simd` compares whole rows: it is for `run` only");
    }
    Ok(())
}

/// The options of `verify`.
pub fn verify(row: &Row, args: &VerifyArgs) -> Outcome<()> {
    if args.no_flags && args.tininess == TininessName::Before {
        return refuse("`--tininess before` changes only flags, which `--no-flags` ignores");
    }
    let has = |of: fn(Ty) -> bool| row.results.iter().any(|ty| of(*ty));
    let floats = has(|ty| number::float(ty).is_some());
    for (given, used, option) in [
        (
            args.tininess == TininessName::Before,
            floats && row.takes_rounding,
            "--tininess before",
        ),
        (args.check_nans, floats, "--check-nans"),
        (
            args.any_invalid_integer,
            has(is_integer),
            "--any-invalid-integer",
        ),
    ] {
        if given && !used {
            let name = row.name;
            return refuse(format!(
                "`{option}` has no effect on {name}: it has no such result"
            ));
        }
    }
    Ok(())
}

fn is_integer(ty: Ty) -> bool {
    use Ty::{I8, I16, I32, I64, U8, U16, U32, U64};
    matches!(ty, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
}
