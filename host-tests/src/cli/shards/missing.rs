//! `sweep missing`: the shards to submit again.

use super::folder;
use crate::cli::args::MissingArgs;
use crate::cli::{Console, Failure, Outcome};

pub fn missing(args: &MissingArgs, console: &mut Console) -> Outcome {
    let (collected, problems) = folder::read(&args.dir, folder::ANY)?.collect(&args.dir)?;
    for problem in &problems {
        console.note(format_args!("{problem}"));
    }
    let Some(collected) = collected else {
        let why = "no result can be read, so nothing says how many shards there are";
        return Err(Failure::Usage(format!("{}: {why}", args.dir.display())));
    };
    let missing = collected.missing();
    if !missing.is_empty() {
        console.print(format_args!("{}\n", folder::array(&missing)))?;
    } else if !problems.is_empty() {
        let why = "every shard has a result, but `sweep merge` will not take them as they are";
        return Err(Failure::Usage(format!("{}: {why}", args.dir.display())));
    }
    Ok(0)
}
