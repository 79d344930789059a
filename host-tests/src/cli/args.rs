//! The arguments, as clap reads them.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

const CODES: &str = "\
Exit status: 0 if all results match, 1 if any differs, 2 if the command could not be carried out. A \
row that a name of --op stands for and that was not compared at all is such a failure; a shard \
without inputs is not. Output that cannot be written is one too, but not a pipe that its reader has \
closed, nor a standard output that is closed: both are like /dev/null.";

const RUN_HELP: &str = "\
A run with a checkpoint (--exhaustive or --checkpoint) that is killed loses what it did since its \
last write: two seconds of work and one block more (2^20 inputs of a row, on a GPU 2^32; less than a \
minute with the slowest oracle). Started again with the same arguments, it resumes there; the \
mismatches found before are kept. A row of --backend host-simd or cuda that is compared by its digests \
begins anew. A run without a checkpoint begins anew. The report and the JSON file are written at the \
end: a kill leaves no part of them, and the JSON file of an earlier run as it was. Only one process \
at a time can use a checkpoint.

Without a terminal a line on standard error tells the progress every 10 seconds.

Exit status: as for `sweep --help`.";

/// Runs every kernel over every input in every mode, and compares it with exact oracles.
#[derive(Parser, Debug)]
#[command(name = "sweep", version, after_help = CODES)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Compare rows with an oracle (the default command).
    #[command(after_help = RUN_HELP)]
    Run(Box<RunArgs>),
    /// List every row: its name, TestFloat's name, its types and arguments.
    List(ListArgs),
    /// Write a kernel's raw little-endian outputs to standard output.
    #[command(after_help = DUMP_HELP)]
    Dump(DumpArgs),
    /// Compute operands, given as arguments or line by line on standard input, in TestFloat's
    /// format.
    #[command(after_help = EVAL_HELP)]
    Eval(EvalArgs),
    /// Check vectors in TestFloat's format (`operands expected flags`) from standard input.
    #[command(after_help = VERIFY_HELP)]
    Verify(VerifyArgs),
    /// Write packs of vectors for tests of hardware and simulators, from the oracles alone.
    #[command(after_help = VECTORS_HELP)]
    Vectors(VectorsArgs),
    /// Compare the golden digests with the oracle's, or record them.
    #[command(after_help = GOLDEN_HELP)]
    Golden(GoldenArgs),
    /// Add up the shards that `run --out` left in a folder, and compare their digests with the
    /// recorded ones.
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
    /// Print the shards to submit again.
    #[command(after_help = MISSING_HELP)]
    Missing(MissingArgs),
    /// Count wrong results of other libraries: `std` with `half`, `libm`, `micromath`, `pxfm`.
    #[command(after_help = PEERS_HELP)]
    Peers(PeersArgs),
    /// Write the recorded evidence as a static site, which needs no network and no server.
    Report(ReportArgs),
    /// Carry out operations of IEEE P3109 Interim Report 4.0, or check them, line by line.
    #[command(after_help = P3109_HELP)]
    P3109(P3109Args),
}

/// The arguments of `sweep p3109`.
#[derive(Args, Debug)]
pub struct P3109Args {
    #[command(subcommand)]
    pub command: P3109Command,
    /// The text of the standard.
    #[arg(long, value_enum, default_value = "4.0", global = true)]
    pub revision: RevisionName,
}

#[derive(Subcommand, Clone, Copy, Debug)]
pub enum P3109Command {
    /// Complete each line of standard input.
    Eval,
    /// Check that each line of standard input is right.
    Verify,
    /// Compare the operations of one, two and three operands with oracles, over all codes of
    /// formats with K up to 8 (two operands: also up to 6, three: up to 5), in all saturations and
    /// all roundings that are not stochastic, by the rules of Interim Report 4.0.
    Prove,
    /// Write the declaration of what is implemented, which the report asks for.
    Declare,
}

/// A text of the standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RevisionName {
    /// Interim Report 4.0.
    #[value(name = "4.0")]
    Interim4,
    /// The formal specification of July 2026, where it changed four rules.
    #[value(name = "2026-07")]
    July2026,
}

impl RevisionName {
    pub fn revision(self) -> bitexact::p3109::Revision {
        match self {
            Self::Interim4 => bitexact::p3109::Revision::Interim4,
            Self::July2026 => bitexact::p3109::Revision::July2026,
        }
    }
}

const P3109_HELP: &str = "\
A line has three parts between colons, blanks around them are free: the operation with its formats, \
rounding and saturation; the operands' codes; the results' codes, which for eval are `?`, empty or missing. \
Codes, integers and random bits R are hexadecimal without prefix, block sizes B and numbers of random bits N \
(1 to 16) decimal. N/R follows the saturation of a stochastic rounding, and no other. Empty lines and lines \
that begin with # are left out. A line has at most 16 MiB.

  Add fx fy fr ROUNDING SATURATION : x y : r
  ArcTan2 fy fx fr ROUNDING SATURATION : y x : r
  Clamp fx flo fhi fr ROUNDING SATURATION : x low high : r
  CompareLess fx fy - - - : x y : 0 or 1          (IsNaN and the like of one operand alike)
  Class f - - - : x : ClsZero                     NextGreaterThan f - - - : x : code
  MaxFiniteOf f - - - :  : code                   (integers hexadecimal too; Signed, Finite .. in words)
  ScaledAdd fs1 fx1 fs2 fx2 fr ROUNDING SATURATION : s1 x1 s2 x2 : r
  BlockAdd B fs1 fx1 fs2 fx2 fs fr ROUNDING SATURATION : s1 x11 .. / s2 x21 .. / sr : r1 ..
  ConvertFromBlock B fs fx fr ROUNDING SATURATION : s x1 .. : r1 ..
  ConvertToBlock B fx fs fr ROUNDING SATURATION : x1 .. / s : r1 ..
  ConvertToBlockMaxAbsFinite B fx fs fr ROUNDING_S SATURATION_S ROUNDING SATURATION : x1 .. : s / r1 ..
                     (the scale's N/R directly behind its saturation, or at the end before the other N/R)
  BlockReduceAdd B fs fx fr ROUNDING SATURATION : s x1 .. : r       (BlockReduceMultiply alike)
  BlockDotProduct B fsx fx fsy fy fr ROUNDING SATURATION : sx x1 .. / sy y1 .. : r

  Add Binary8p4se Binary8p4se binary32 NearestTiesToEven SatNone : 41 3F : ?
  Exp Binary8p3se Binary8p4se StochasticA SatFinite 5/1F : 41 : ?
  CompareLess Binary8p4se binary16 - - - : 41 3C00 : ?

Exit status: 0 if all lines are right (verify) or completed (eval), 1 if one is wrong, 2 if one \
cannot be read or is not implemented, with its number, or if verify has no line.";

const DUMP_HELP: &str = "\
Each output is the result (both results, one after the other, of a row that has two), each in the \
whole bytes that its type needs (one for bool, class, e2m1), little-endian; with --flags one more \
byte. Inputs are counted by their bits: an input's number is its operands' bits put together, the \
first operand in the high bits. Rows whose operands have at most 16 bits together need no --range.

Exit status: 0 if all was written or the reader closed the pipe, 2 otherwise.";

const GOLDEN_HELP: &str = "\
Exit status: 0 if all digests are equal, 1 if one differs, is missing, or is stale (it is of a row, \
mode, setting or set of inputs that does not exist), 2 if the command could not be carried out. A \
reader that closes the pipe changes nothing about it.";

const PEERS_HELP: &str = "\
Exit status: 0 if all was counted, 2 otherwise: also if a name of --op stands for no row that a peer \
has a function for.";

const EVAL_HELP: &str = "\
Each answer is a line: operands, results, flags, in uppercase hex of each type's width. The flags \
are 10 invalid, 08 divide by zero, 04 overflow, 02 underflow, 01 inexact. Operands need every digit \
of their type's width (an f16 has four); 0x is accepted.

Exit status: 0 if all lines were answered or the reader closed the pipe, 2 otherwise.";

const MERGE_HELP: &str = "\
The last line is the verdict. `equal`: all shards of one plan ran in one build, each over all of its \
inputs, and all results match. `mismatch`: something differs. `incomplete`: shards are missing, or a \
result is corrupt, of another plan or build, or disagrees with another one of the same shard. `not \
compared`: no oracle, and no recorded digest.

Exit status: 0 equal, 1 anything else, 2 a usage error (no such folder, or no result in it).";

const MISSING_HELP: &str = "\
One line as `sbatch --array` takes it (3,7-9), counted from 1; nothing if every shard has a result. \
A shard whose results differ has a result.

Exit status: 0, or 2 if no result in the folder can be read.";

const VERIFY_HELP: &str = "\
A line is: operands, expected results, expected flags. Any NaN equals any NaN unless --check-nans. \
Round-to-integral and float-to-integer kernels raise inexact: for TestFloat's own vectors generate \
them with its option -exact.

Exit status: 0 all equal, 1 mismatches, 2 a line is not a vector, or there was none.";

const VECTORS_HELP: &str = "\
Each pack is a folder DIR/NAME: a file of text for each operation and mode, of lines `operands \
results flags` in hexadecimal as TestFloat's; NAME.npz with the same as structured arrays of NumPy, \
not compressed; and manifest.json with the types of all columns, the digests of all files and, for \
operations that are rows, the arguments of `sweep verify`. The line of a pack has the digest of its \
manifest. The same version gives the same bytes on every machine.

Packs: sample, conversions, arithmetic, fma, functions, blocks, p3109, stochastic, units.

Exit status: 0 if all was written, 2 otherwise.";

/// A rounding's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RoundingName {
    TiesToEven,
    TiesToAway,
    TowardZero,
    TowardPositive,
    TowardNegative,
    ToOdd,
    /// With 16 random bits from --bits.
    Stochastic,
}

/// An overflow rule's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OverflowName {
    Ieee,
    SaturateFinite,
    SaturateAll,
}

/// Which oracle judges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum OracleName {
    /// The fastest exact oracle that covers the row; part of the inputs also go through the
    /// reference.
    #[default]
    Auto,
    /// Integers of any length.
    Rational,
    /// Error-free transformations in f64.
    Eft,
    /// Enclosures on integers of any length (for functions that are not rational).
    Real,
    /// Enclosures in f64; where they are too wide to decide, `real`.
    Filter,
    /// MPFR (needs the cargo feature `mpfr`).
    Mpfr,
    /// The recorded digests; on a mismatch, falls back to `auto`.
    Golden,
    /// With --backend cuda: a simple reference on wide integers that runs on the device itself.
    Device,
}

/// What runs the kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum BackendName {
    /// This machine.
    #[default]
    Host,
    /// This machine, and also every slice implementation of each kernel: the kernel in a loop,
    /// tables, branch-free loops at every level of the processor (`run` only). All must give the
    /// golden digests. With --exhaustive, the loops of add, sub, mul and div of 16-bit operands run
    /// over all pairs in the fixed roundings; only their results are compared, with the host's f64.
    HostSimd,
    /// An NVIDIA GPU. `--oracle auto` then means the golden digests, and an oracle for rows that
    /// differ from them; a row without recorded digests is compared with this machine's results.
    /// With --exhaustive, add, sub, mul, div and fma of 16-bit operands, and conversions of f32 to
    /// narrower formats and to MXINT8, are checked on the device: fma in ties-to-even against the
    /// hardware's fma, everything else as with `--oracle device`.
    Cuda,
    /// Microcontrollers in QEMU, as firmware (`run` only), compared with the golden digests.
    Qemu,
}

/// GPUs of this host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeviceNumbers {
    All,
    /// At least one, each once.
    These(Vec<usize>),
}

impl FromStr for DeviceNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        let mut numbers = Vec::new();
        for number in text.split(',') {
            let number = number
                .parse()
                .map_err(|_| format!("`{number}` is neither a number nor `all`"))?;
            if numbers.contains(&number) {
                return Err(format!("{number} is given twice"));
            }
            numbers.push(number);
        }
        Ok(Self::These(numbers))
    }
}

/// Where kernels run.
#[derive(Args, Debug, Clone, Default)]
pub struct BackendArgs {
    /// What runs the kernels.
    #[arg(long, value_enum, default_value_t)]
    pub backend: BackendName,
    /// The kernels for the GPU: a PTX file, a cubin, a fat binary, or a folder with a fat binary or
    /// with PTX files, of which the best one for the device is used. Default: the folder `ptx` next
    /// to this program.
    #[arg(long, value_name = "PATH")]
    pub ptx: Option<PathBuf>,
    /// With --backend host-simd: only the loops of these levels (baseline, avx2, avx512).
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub level: Vec<String>,
    /// With --backend host-simd: run the slices in these states of the floating-point unit, or in
    /// `all`: a direction (nearest, down, up, zero) and what is flushed to zero, as in up+ftz+daz
    /// (x86-64: ftz results, daz operands; 64-bit ARM: fz both, fz16 those of f16). Default:
    /// nearest.
    #[arg(long, value_name = "STATE", value_delimiter = ',')]
    pub fpu: Vec<String>,
    /// The GPU's number, or numbers (0,1), or `all`: several share the inputs of each row. Default: 0.
    #[arg(long, value_name = "N")]
    pub device: Option<DeviceNumbers>,
}

/// When underflow's tininess is detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum TininessName {
    Before,
    #[default]
    After,
}

/// A kernel's own arguments.
#[derive(Args, Debug, Clone, Default)]
pub struct ParamArgs {
    /// E8M0 policy or dialect (the same as --param policy=NAME).
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
    /// A kernel's own argument; repeatable, or several between commas, as golden digests name them.
    /// Numbers are decimal (rounded once to the format, ties to even), raw bits (0x3F333333),
    /// hexadecimal (0x1.8p-3), or inf.
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    pub param: Vec<String>,
}

/// One mode and the kernel's own arguments.
#[derive(Args, Debug, Clone, Default)]
pub struct ModeArgs {
    /// The rounding, which a row that rounds needs.
    #[arg(long, value_name = "ROUNDING")]
    pub rounding: Option<RoundingName>,
    /// The 16 random bits of stochastic rounding.
    #[arg(long, value_name = "HEX")]
    pub bits: Option<String>,
    /// The result beyond the largest finite number.
    #[arg(long, value_name = "RULE")]
    pub overflow: Option<OverflowName>,
    #[command(flatten)]
    pub params: ParamArgs,
}

#[derive(Args, Debug, Clone, Default)]
pub struct RunArgs {
    /// Rows: a name, TestFloat's name, an operation (`add`: all its rows) or a pattern (`*.bf16`);
    /// repeatable, or separated by commas. With --backend qemu also composites (`sum_exact`,
    /// `quantise.f32.*`) and reference networks (`*_net.small.*`), which have digests of their own.
    #[arg(long, value_name = "OP", value_delimiter = ',')]
    pub op: Vec<String>,
    /// Only these roundings; rows that do not round run as usual, and rows without stochastic
    /// rounding are not compared in it.
    #[arg(long, value_name = "ROUNDING", value_delimiter = ',')]
    pub rounding: Vec<RoundingName>,
    /// Only these random bits for stochastic rounding.
    #[arg(long, value_name = "HEX", value_delimiter = ',')]
    pub bits: Vec<String>,
    /// Only these overflow rules; rows that take none run as usual.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub overflow: Vec<OverflowName>,
    #[command(flatten)]
    pub params: ParamArgs,
    #[command(flatten)]
    pub backend: BackendArgs,
    /// With --backend qemu: only these targets (m0, m3, m4, m4f, m7, m7f, m33, m55, rv32).
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub target: Vec<String>,
    /// With --backend qemu: only the first N inputs of rows whose operands have more than 16 bits,
    /// beside the pairs nearest to a rounding boundary, which always run; the oracle then computes
    /// the expected digests.
    #[arg(long, value_name = "N")]
    pub first: Option<NonZeroU64>,
    /// With --backend qemu: only the first N settings of a row's parameters.
    #[arg(long, value_name = "N")]
    pub settings: Option<NonZeroUsize>,
    /// With --backend qemu: set the FPU, if any, to flush to zero and round towards zero.
    #[arg(long)]
    pub hostile_fpu: bool,
    /// The oracle that results are compared with.
    #[arg(long, value_enum, default_value_t)]
    pub oracle: OracleName,
    /// All inputs of rows with up to 32 bits of operands (2^32 pairs of 16-bit formats; for pown,
    /// rootn and compound every n from -2^15 to 2^15 - 1), and all stated specialisations of the
    /// operations of P3109, of which --backend host otherwise takes four each. Rows with more
    /// operand bits run their hard set, except fma.f16 and fma.bf16 with --backend cuda, which run
    /// all 2^48 triples if --op names them (see --shard). An interrupted run resumes from its
    /// checkpoint when it is started again.
    #[arg(long)]
    pub exhaustive: bool,
    /// Only the i-th of n equal parts of each row's inputs, 1 <= i <= n.
    #[arg(long, value_name = "i/n")]
    pub shard: Option<String>,
    /// As --shard, counted from 0 (Kubernetes' JOB_COMPLETION_INDEX): 0 <= i < n.
    #[arg(long, value_name = "i/n", conflicts_with = "shard")]
    pub shard_from_0: Option<String>,
    /// Write the result of this shard into a folder, for `sweep merge`. If it is already there,
    /// nothing runs. A shard then need not have any inputs; with the recorded digests as oracle it
    /// is `not compared` until the merge.
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// The checkpoint file; next to it, FILE.lock. Default for --exhaustive: a separate file for
    /// each run, in the folder checkpoints/ of --out, else in bitexact-sweep/ in the user's cache
    /// folder (XDG_CACHE_HOME, else ~/.cache, else target/).
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Ignore an existing checkpoint or result and start from the beginning.
    #[arg(long)]
    pub restart: bool,
    /// Write the report as JSON, at the end and whole; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The folder of golden digests, for runs that compare with them.
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// The number of mismatching modes shown per row, each with its first input.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub show: usize,
}

#[derive(Args, Debug)]
pub struct ListArgs {
    /// Only these rows, as in `run`.
    #[arg(long, value_name = "OP", value_delimiter = ',')]
    pub op: Vec<String>,
    /// As a JSON array.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct DumpArgs {
    /// The row: its name (add.f16; `sweep list` shows all) or TestFloat's name for it (f16_add).
    pub op: String,
    #[command(flatten)]
    pub mode: ModeArgs,
    /// Inputs A to B, excluding B, decimal or 0x...; either end may be omitted.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Write one flag byte after each output.
    #[arg(long)]
    pub flags: bool,
    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args, Debug)]
pub struct EvalArgs {
    /// The row: its name (add.f16; `sweep list` shows all) or TestFloat's name for it (f16_add). Or
    /// one block of MX: quantise.f32.e4m3fn, dequantise.e4m3fn.f32 and the like.
    pub op: String,
    #[command(flatten)]
    pub mode: ModeArgs,
    /// How quantise makes a block (ocp-floor, ptx and the like).
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// Operands: as many as the row takes, or a multiple. Without any, lines of standard input. Of
    /// quantise the values of a block; of dequantise its scale and then its elements.
    #[arg(value_name = "HEX")]
    pub operands: Vec<String>,
}

#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The row: its name (add.f16; `sweep list` shows all) or TestFloat's name for it (f16_add).
    pub op: String,
    #[command(flatten)]
    pub mode: ModeArgs,
    /// Require NaNs to be equal bit by bit.
    #[arg(long)]
    pub check_nans: bool,
    /// Ignore the flags; lines may omit them.
    #[arg(long)]
    pub no_flags: bool,
    /// When the vectors detect tininess for underflow; the kernels do so after rounding.
    #[arg(long, value_enum, default_value_t)]
    pub tininess: TininessName,
    /// Accept any integer where the operation is invalid (implementations differ there).
    #[arg(long)]
    pub any_invalid_integer: bool,
    /// The number of mismatches shown.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub show: usize,
}

#[derive(Args, Debug)]
pub struct VectorsArgs {
    /// The folder, which is made if there is none.
    pub dir: PathBuf,
    /// Only these packs.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub pack: Vec<String>,
}

#[derive(Args, Debug)]
pub struct GoldenArgs {
    /// Write the files instead of comparing them with the oracle.
    #[arg(long)]
    pub write: bool,
    /// Only these rows, as in `run`.
    #[arg(long, value_name = "OP", value_delimiter = ',')]
    pub op: Vec<String>,
    /// The exhaustive inputs of rows with up to 32 bits of operands.
    #[arg(long)]
    pub exhaustive: bool,
    /// The folder.
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// The folder of `run --out`.
    pub dir: PathBuf,
    /// Write the report as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The folder of golden digests.
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// The number of mismatching modes shown per row, each with its first input.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub show: usize,
}

#[derive(Args, Debug)]
pub struct MissingArgs {
    /// The folder of `run --out`.
    pub dir: PathBuf,
}

#[derive(Args, Debug)]
pub struct PeersArgs {
    /// Only these rows, as in `run`.
    #[arg(long, value_name = "OP", value_delimiter = ',')]
    pub op: Vec<String>,
}

/// The arguments of `sweep report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The folder, which is made if there is none; it begins with index.html.
    pub folder: PathBuf,
    /// Show it in the desktop's browser.
    #[arg(long)]
    pub open: bool,
    /// The repository whose evidence is shown, if not the one that this program was built in.
    #[arg(long, value_name = "FOLDER")]
    pub repository: Option<PathBuf>,
}
