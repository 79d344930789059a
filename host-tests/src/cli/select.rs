//! `--op`, `--shard` and the golden folder, for all commands that sweep.

#[cfg(feature = "cuda")]
use super::args::DeviceNumbers;
use super::args::{BackendArgs, BackendName, RunArgs};
#[cfg(not(all(feature = "cuda", feature = "slices")))]
use super::without;
#[cfg(feature = "slices")]
use crate::backend::simd::Simd;
#[cfg(feature = "cuda")]
use crate::backend::{cuda::Cuda, devices::Devices};
use crate::engine::{Backend, Shard, params};
use crate::names;
use crate::row::Row;
#[cfg(feature = "cuda")]
use cuda_shim::Gpu;
#[cfg(feature = "cuda")]
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "slices")]
use sweep_simd::{Level, fpu};

/// How many inputs a row has.
pub fn inputs(row: &Row) -> String {
    let width: u32 = row.operands.iter().map(|ty| ty.bits()).sum();
    let ignored = match params::takes_formats(row) {
        true => ", in words whose bits above a format's code are ignored",
        false => "",
    };
    format!("{} has 2^{width} inputs{ignored}", row.name)
}

/// Why none of the named rows is run exhaustively. `others` are those that could be.
pub fn not_exhaustive(others: &str) -> String {
    format!(
        "none of these rows has more inputs with `--exhaustive`: it is for rows with up to 32 bits of operands, other than \
         P3109's{others}"
    )
}

/// The rows that the patterns match, in the catalog's order, each once; without a pattern, all.
pub fn rows(all: &[Row], patterns: &[String]) -> Result<Vec<Row>, String> {
    if patterns.is_empty() {
        return Ok(all.to_vec());
    }
    let mut wanted = Vec::new();
    for pattern in patterns {
        wanted.extend(names::many(all, pattern)?.into_iter().map(|row| row.name));
    }
    Ok(all
        .iter()
        .filter(|row| wanted.contains(&row.name))
        .copied()
        .collect())
}

/// The patterns that match no row for which `met` holds.
pub fn unmet<'a>(
    all: &[Row],
    patterns: &'a [String],
    met: impl Fn(&Row) -> bool,
) -> Vec<&'a String> {
    let matched = |pattern: &&String| names::many(all, pattern).unwrap_or_default();
    patterns
        .iter()
        .filter(|pattern| !matched(pattern).into_iter().any(&met))
        .collect()
}

/// `--shard i/n`, or `--shard-from-0 i/n`.
pub fn shard(args: &RunArgs) -> Result<Shard, String> {
    let (option, text, first) = match (&args.shard, &args.shard_from_0) {
        (Some(text), _) => ("--shard", text, 1),
        (None, Some(text)) => ("--shard-from-0", text, 0),
        (None, None) => return Ok(Shard::WHOLE),
    };
    let parse = || {
        let (index, of) = text.split_once('/')?;
        let index: u64 = index.parse().ok()?;
        let of = of.parse().ok()?;
        let index = index.checked_sub(first)?;
        (index < of).then_some(Shard {
            index: index + 1,
            of,
        })
    };
    parse().ok_or_else(|| {
        let ends = if first == 0 {
            "0 <= i < n"
        } else {
            "1 <= i <= n"
        };
        format!("`{option} {text}` is not i/n with {ends}")
    })
}

/// Opens `--backend`, if it is not this process.
pub fn backend(args: &BackendArgs) -> Result<Option<Arc<dyn Backend>>, String> {
    match args.backend {
        BackendName::Host => Ok(None),
        #[cfg(feature = "slices")]
        BackendName::HostSimd => Ok(Some(Arc::new(Simd {
            levels: levels(&args.level)?,
            states: states(&args.fpu)?,
        }))),
        #[cfg(not(feature = "slices"))]
        BackendName::HostSimd => Err(without("slices", "slices", "--backend host-simd ...")),
        BackendName::Qemu => Err("`--backend qemu` runs whole rows: it is for `run` only".into()),
        #[cfg(not(feature = "cuda"))]
        BackendName::Cuda => Err(without("the GPU", "cuda", "--backend cuda ...")),
        #[cfg(feature = "cuda")]
        BackendName::Cuda => match gpus(args) {
            Ok(gpus) => Ok(Some(gpus)),
            Err(error) => Err(format!("`--backend cuda`: {error}")),
        },
    }
}

/// `--device`: one GPU, or several that share the inputs.
#[cfg(feature = "cuda")]
fn gpus(args: &BackendArgs) -> Result<Arc<dyn Backend>, cuda_shim::Error> {
    let numbers = match &args.device {
        None => vec![0],
        Some(DeviceNumbers::These(numbers)) => numbers.clone(),
        Some(DeviceNumbers::All) => (0..Gpu::count()?).collect(),
    };
    let open = |number| {
        let gpu = Cuda::open(number, args.ptx.as_deref())?;
        Ok(Arc::new(gpu) as Arc<dyn Backend>)
    };
    // The driver compiles the kernels for each device: for all at the same time.
    let opened = numbers.into_par_iter().map(open);
    let mut gpus = opened.collect::<Result<Vec<_>, cuda_shim::Error>>()?;
    Ok(match gpus.len() {
        1 => gpus.remove(0),
        _ => Arc::new(Devices::new(gpus)),
    })
}

/// `--level`: the named levels of this machine, or all.
#[cfg(feature = "slices")]
fn levels(names: &[String]) -> Result<Vec<Level>, String> {
    let here = Level::available();
    if let Some(name) = names
        .iter()
        .find(|name| here.iter().all(|level| level.name() != **name))
    {
        let here: Vec<_> = here.iter().map(|level| level.name()).collect();
        let here = here.join(", ");
        return Err(format!("`--level {name}`: this machine has {here}"));
    }
    let wanted = |level: &&_| names.is_empty() || names.iter().any(|n| n == Level::name(**level));
    Ok(here.iter().filter(wanted).copied().collect())
}

/// `--fpu`: the named states of this machine's floating-point unit, or all; without a name the
/// default one.
#[cfg(feature = "slices")]
fn states(names: &[String]) -> Result<Vec<u32>, String> {
    let here: Vec<_> = fpu::states().map(fpu::name).collect();
    if !names.is_empty() && here.len() == 1 {
        return Err("`--fpu`: the floating-point state of this machine cannot be set".into());
    }
    if let Some(name) = names
        .iter()
        .find(|name| *name != "all" && !here.contains(name))
    {
        let here = here.join(", ");
        return Err(format!("`--fpu {name}`: this machine has all, {here}"));
    }
    let wanted = |state: &u32| {
        let named = |name: &String| name == "all" || *name == fpu::name(*state);
        names.iter().any(named)
    };
    match names.is_empty() {
        true => Ok(fpu::states().take(1).collect()),
        false => Ok(fpu::states().filter(wanted).collect()),
    }
}

/// The folder of golden digests: the given one, which must exist, or this package's.
pub fn golden(given: Option<&Path>) -> Result<PathBuf, String> {
    match given {
        None => Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")),
        Some(folder) if folder.is_dir() => Ok(folder.to_path_buf()),
        Some(folder) if folder.exists() => {
            let folder = folder.display();
            Err(format!("`--golden {folder}` is a file, not a folder"))
        }
        Some(folder) => Err(format!(
            "`--golden`: there is no folder {}",
            folder.display()
        )),
    }
}
