//! Hostile calls of the command `sweep`: every one ends with the status and the word that are due,
//! and none with a panic. What a status means is in `sweep --help`.

use host_tests::engine::checkpoint::sealed;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Where standard output goes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum To {
    /// A pipe that is read.
    Us,
    /// A pipe whose reader is gone before anything is written.
    Nobody,
    /// A full disk.
    Full,
    /// It is closed.
    Closed,
    /// It and standard error are closed.
    BothClosed,
}

use To::{BothClosed, Closed, Full, Nobody, Us};

/// Arguments between blanks, standard input, where the output goes, the exit status, and what
/// standard output and error must say between them. `DIR` is the folder of [`files`].
type Call = (&'static str, &'static str, To, i32, &'static str);

const SWEEP: &str = env!("CARGO_BIN_EXE_sweep");

/// A row with 256 inputs; its digests are in DIR/good, wrong ones in DIR/wrong.
const DECODE: &str = "e8m0_decode.f32";

/// A true status, whoever reads.
#[rustfmt::skip]
const STREAMS: &[Call] = &[
    ("golden --op e8m0_decode.f32 --golden DIR/wrong", "", Us, 1, "recorded digest is not"),
    ("golden --op e8m0_decode.f32 --golden DIR/wrong", "", Nobody, 1, ""),
    ("golden --op e8m0_decode.f32 --golden DIR/wrong", "", Closed, 1, ""),
    ("golden --op e8m0_decode.f32 --golden DIR/wrong", "", BothClosed, 1, ""),
    ("golden --op e8m0_decode.f32 --golden DIR/wrong", "", Full, 2, "cannot write to standard output"),
    ("golden --op e8m0_decode.f32 --golden DIR/good", "", Us, 0, "0 wrong, 0 stale"),
    ("golden --op e8m0_decode.f32 --golden DIR/good", "", Nobody, 0, ""),
    ("golden --op e8m0_decode.f32 --golden DIR/good", "", Full, 2, "cannot write"),
    ("run --op e8m0_decode.f32", "", Nobody, 0, ""),
    ("run --op e8m0_decode.f32", "", Closed, 0, ""),
    ("run --op e8m0_decode.f32", "", BothClosed, 0, ""),
    ("run --op e8m0_decode.f32", "", Full, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --json -", "", Nobody, 0, ""),
    ("run --op e8m0_decode.f32 --json -", "", Full, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/wrong", "", Us, 1, "out of date"),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/wrong", "", Nobody, 1, ""),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/wrong", "", Closed, 1, ""),
    ("verify negate.f16", "3C00 BC01 00\n", Nobody, 1, ""),
    ("verify negate.f16", "3C00 BC01 00\n", Closed, 1, ""),
    ("verify negate.f16", "3C00 BC01 00\n", Full, 2, "cannot write"),
    ("verify negate.f16", "3C00 BC00 00\n", Nobody, 0, ""),
    ("verify negate.f16", "3C00 BC00 00\nx\n", Nobody, 2, "line 2"),
    ("eval negate.f16", "3C00\n", Nobody, 0, ""),
    ("eval negate.f16", "3C00\n", Closed, 0, ""),
    ("eval negate.f16", "3C00\n", Full, 2, "cannot write"),
    ("eval negate.f16", "3C00\nx\n", Nobody, 2, "line 2"),
    ("dump negate.f16", "", Nobody, 0, ""),
    ("dump negate.f16", "", Full, 2, "cannot write"),
    ("dump negate.f32 --range 0..0x100000000", "", Nobody, 0, ""),
    ("list", "", Nobody, 0, ""),
    ("list", "", Full, 2, "cannot write"),
    ("list --json", "", Full, 2, "cannot write"),
    #[cfg(feature = "peers")]
    ("peers --op sqrt.f16", "", Nobody, 0, ""),
    #[cfg(feature = "peers")]
    ("peers --op sqrt.f16", "", Full, 2, "cannot write"),
    ("p3109 verify", "CompareLess Binary8p4se Binary8p4se - - - : 41 3F : 1\n", Nobody, 1, ""),
    ("p3109 verify", "CompareLess Binary8p4se Binary8p4se - - - : 41 3F : 1\n", Full, 2, "cannot write"),
    ("p3109 eval", "CompareLess Binary8p4se Binary8p4se - - - : 41 3F : ?\n", Nobody, 0, ""),
    ("p3109 eval", "CompareLess Binary8p4se Binary8p4se - - - : 41 3F : ?\nx\n", Nobody, 2, "line 2"),
    ("p3109 eval", "CompareLess Binary8p4se Binary8p4se - - - : 41 3F : ?\n", Full, 2, "cannot write"),
    ("p3109 declare", "", Nobody, 0, ""),
    ("p3109 declare", "", Full, 2, "cannot write"),
    ("--help", "", Nobody, 0, ""),
    ("--help", "", Full, 2, "cannot write"),
];

/// What was not compared is not equal.
#[rustfmt::skip]
const NOT_COMPARED: &[Call] = &[
    ("run --op convert.e2m1.f16 --shard 1/32", "", Us, 0, "this shard has no input of it"),
    ("run --op convert.e2m1.f16 --shard 1/32", "", Us, 0, "0 rows, 0 inputs, 0 checks (0 again by a second oracle), 0 mismatches, 1 rows not compared"),
    ("run --op convert.e2m1.f16 --shard 1/32 --json -", "", Us, 0, r#""verdict":"not compared","version""#),
    ("run --op convert.e2m1.f16 --shard 1/18446744073709551615", "", Us, 0, "not compared"),
    ("run --op convert.e2m1.f16 --shard 18446744073709551615/18446744073709551615", "", Us, 0, "1 rows, 1 inputs"),
    ("run --op convert.e2m1.f16 --shard 1/18446744073709551616", "", Us, 2, "1/18446744073709551616"),
    ("run --op convert.e2m1.f16 --shard 0/0", "", Us, 2, "0/0"),
    ("run --op convert.e2m1.f16 --shard -1/2", "", Us, 2, "-1"),
    ("run --op convert.e2m1.f16,is_nan.f16 --shard 1/32", "", Us, 0, "1 rows not compared"),
    ("run --op e8m0_decode.f32 --oracle eft", "", Us, 2, "not compared: e8m0_decode.f32: the oracle eft does not cover"),
    ("run --op e8m0_decode.f32,sqrt.f16 --oracle eft", "", Us, 2, "not compared: e8m0_decode.f32"),
    ("run --op e8m0_decode.f32,sqrt.f16 --oracle eft --rounding to-odd --json -", "", Us, 2, r#""verdict":"not compared","version""#),
    ("run --op e8m0_decode.f32 --oracle eft --json -", "", Us, 2, r#""verdict":"not compared","version""#),
    // A name of several rows, of which some are compared.
    ("run --op *sqrt.f16 --oracle eft --rounding to-odd --overflow ieee", "", Us, 0, "sqrt.f16"),
    ("run --op sqrt.f16 --rounding stochastic", "", Us, 0, "1 rows, 65536 inputs"),
    ("run --op exp.f16 --rounding stochastic", "", Us, 2, "none of these rows has such a rounding"),
    ("run --op exp.f16,sqrt.f16 --rounding stochastic", "", Us, 2, "not compared: exp.f16: it has no stochastic rounding"),
    ("run --op exp.f16 --rounding stochastic,to-odd", "", Us, 0, "exp.f16: it has no stochastic rounding"),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/empty", "", Us, 2, "not compared: e8m0_decode.f32: no golden digest"),
    // Recording would not help.
    ("run --op sqrt.f16 --rounding stochastic --bits 1234 --oracle golden", "", Us, 2, "such modes or settings are not recorded: `--oracle auto` judges them"),
    ("run --op fma.f32 --exhaustive", "", Us, 2, "--exhaustive"),
    ("golden --op fma.f32 --exhaustive", "", Us, 2, "--exhaustive"),
    #[cfg(feature = "peers")]
    ("peers --op sqrt.f16,negate.f16", "", Us, 2, "not compared: no peer has a function for `negate.f16`"),
    #[cfg(feature = "peers")]
    ("peers --op negate.f16", "", Us, 2, "no peer"),
    ("verify negate.f16", "# no vector\n", Us, 2, "no vectors"),
    ("p3109 verify", "# no line\n", Us, 2, "no line"),
];

/// Options without an effect, and values without a meaning.
#[rustfmt::skip]
const OPTIONS: &[Call] = &[
    ("run --op sqrt.f16 --ptx x", "", Us, 2, "`--ptx` is for `--backend cuda` only"),
    ("run --op sqrt.f16 --device 0", "", Us, 2, "`--device` is for `--backend cuda` only"),
    ("run --op sqrt.f16 --backend host-simd --device 0", "", Us, 2, "`--device` is for `--backend cuda` only"),
    ("run --op sqrt.f16 --backend host-simd --oracle rational", "", Us, 2, "`--oracle` does not go with `--backend host-simd`"),
    ("run --op sqrt.f16 --level avx2", "", Us, 2, "`--level` is for `--backend host-simd` only"),
    ("run --op sqrt.f16 --backend cuda --level avx2", "", Us, 2, "`--level` is for `--backend host-simd` only"),
    ("run --op sqrt.f16 --fpu all", "", Us, 2, "`--fpu` is for `--backend host-simd` only"),
    ("run --op sqrt.f16 --target m0", "", Us, 2, "`--target` is for `--backend qemu` only"),
    ("run --op sqrt.f16 --backend cuda --target m0", "", Us, 2, "`--target` is for `--backend qemu` only"),
    ("run --op sqrt.f16 --first 1", "", Us, 2, "`--first` is for `--backend qemu` only"),
    ("run --op sqrt.f16 --settings 1", "", Us, 2, "`--settings` is for `--backend qemu` only"),
    ("run --op sqrt.f16 --hostile-fpu", "", Us, 2, "`--hostile-fpu` is for `--backend qemu` only"),
    ("run --op sqrt.f16 --backend qemu --first 0", "", Us, 2, "--first"),
    ("run --op sqrt.f16 --backend qemu --settings 0", "", Us, 2, "--settings"),
    ("run --op sqrt.f16 --backend qemu --device 0", "", Us, 2, "`--device` does not go with `--backend qemu`"),
    ("run --op sqrt.f16 --backend qemu --ptx x", "", Us, 2, "`--ptx` does not go with"),
    ("run --op sqrt.f16 --backend qemu --level avx2", "", Us, 2, "`--level` does not go with"),
    ("run --op sqrt.f16 --backend qemu --fpu all", "", Us, 2, "`--fpu` does not go with"),
    ("run --op sqrt.f16 --backend qemu --oracle rational", "", Us, 2, "`--oracle` does not go with"),
    ("run --op sqrt.f16 --backend qemu --exhaustive", "", Us, 2, "`--exhaustive` does not go with"),
    ("run --op sqrt.f16 --backend qemu --shard 1/2", "", Us, 2, "`--shard` does not go with"),
    ("run --op sqrt.f16 --backend qemu --checkpoint x", "", Us, 2, "`--checkpoint` does not go with"),
    ("run --op sqrt.f16 --backend qemu --restart", "", Us, 2, "`--restart` does not go with"),
    ("run --op sqrt.f16 --backend qemu --target m0 --hostile-fpu", "", Us, 2, "m0 has no FPU"),
    ("run --op sqrt.f16 --backend qemu --target m0,m4f --hostile-fpu", "", Us, 2, "m0 has no FPU"),
    ("run --op sqrt.f16 --backend qemu --target m5", "", Us, 2, "`m5`"),
    ("run --op sqrt.f16 --golden DIR/good", "", Us, 2, "`--golden` has no effect"),
    ("run --op sqrt.f16 --golden DIR/good --oracle rational", "", Us, 2, "`--golden` has no effect"),
    ("run --op sqrt.f16 --golden DIR/good --oracle rational --backend cuda", "", Us, 2, "`--golden` has no effect"),
    ("run --op add.f16 --golden DIR/good --exhaustive --backend cuda", "", Us, 2, "`--golden` has no effect"),
    ("run --op sqrt.f16 --oracle golden --golden DIR/file", "", Us, 2, "is a file, not a folder"),
    ("run --op sqrt.f16 --oracle golden --shard 1/2", "", Us, 2, "--shard"),
    ("run --op sqrt.f16 --restart", "", Us, 2, "`--restart` has no effect"),
    ("run --op sqrt.f16 --bits 1", "", Us, 2, "`--bits` is for `--rounding stochastic` only"),
    ("run --op sqrt.f16 --rounding stochastic --bits 10000", "", Us, 2, "10000"),
    #[cfg(not(feature = "cuda"))]
    ("run --op sqrt.f16 --backend cuda", "", Us, 2, "built without the GPU: `cargo run --release --features cuda -- --backend cuda"),
    #[cfg(not(feature = "cuda"))]
    ("run --op fma.f16 --exhaustive --backend cuda", "", Us, 2, "built without the GPU"),
    #[cfg(not(feature = "slices"))]
    ("run --op sqrt.f16 --backend host-simd", "", Us, 2, "--features slices"),
    #[cfg(not(feature = "peers"))]
    ("peers", "", Us, 2, "--features peers"),
    #[cfg(not(feature = "report"))]
    ("report DIR/site", "", Us, 2, "--features report"),
    ("run --op sqrt.f16 --oracle device", "", Us, 2, "`--oracle device` is for `--backend cuda` only"),
    ("run --op sqrt.f16 --show -1", "", Us, 2, "-1"),
    ("run --op ,", "", Us, 2, "an empty name: a comma too many"),
    ("run --op sqrt.f16,", "", Us, 2, "an empty name: a comma too many"),
    ("run --op negate.f16 --rounding to-odd", "", Us, 2, "`--rounding` has no effect"),
    ("run --op negate.f16 --overflow ieee", "", Us, 2, "`--overflow` has no effect"),
    ("verify negate.f16 --any-invalid-integer", "", Us, 2, "`--any-invalid-integer` has no effect"),
    ("verify is_nan.f16 --check-nans", "", Us, 2, "`--check-nans` has no effect"),
    ("verify is_nan.f16 --tininess before", "", Us, 2, "`--tininess before` has no effect"),
    ("verify negate.f16 --rounding to-odd", "", Us, 2, "`--rounding` has no effect on negate.f16"),
    ("eval negate.f16 --bits 1 3C00", "", Us, 2, "`--bits` has no effect on negate.f16"),
    ("eval e8m0_encode.f32 --policy floor --rounding to-odd 3F800000", "", Us, 2, "`--rounding` has no effect"),
    ("dump negate.f16 --overflow ieee", "", Us, 2, "`--overflow` has no effect on negate.f16"),
    ("run --op sqrt.f16 --json DIR/x --checkpoint DIR/x", "", Us, 2, "the same file"),
    ("dump sqrt.f16 --rounding to-odd --ptx x", "", Us, 2, "`--ptx` is for `--backend cuda` only"),
    ("dump sqrt.f16 --rounding to-odd --device 0", "", Us, 2, "`--device` is for `--backend cuda` only"),
    ("dump sqrt.f16 --rounding to-odd --level avx2", "", Us, 2, "`--level` is for `--backend host-simd` only"),
    ("dump sqrt.f16 --rounding to-odd --fpu up", "", Us, 2, "`--fpu` is for `--backend host-simd` only"),
    ("dump sqrt.f16 --rounding to-odd --backend host-simd", "", Us, 2, "it is for `run` only"),
    ("dump sqrt.f16 --rounding to-odd --backend qemu", "", Us, 2, "it is for `run` only"),
    ("dump sqrt.f16 --rounding to-odd --bits 1", "", Us, 2, "`--bits` is for `--rounding stochastic` only"),
    ("dump negate.f16 --range 5..4", "", Us, 2, "the end is below the start"),
    ("dump negate.f16 --range 0..340282366920938463463374607431768211456", "", Us, 2, "is not a number"),
    ("verify sqrt.f16 --rounding to-odd --tininess before --no-flags", "", Us, 2, "`--no-flags` ignores"),
    ("p3109 prove --revision 2026-07", "", Us, 2, "`--revision` is for"),
    ("p3109 declare --revision 2026-07", "", Us, 2, "`--revision` is for"),
];

/// The operations of P3109, whose formats and projection are parameters.
#[rustfmt::skip]
const P3109: &[Call] = &[
    // As golden files and messages write a specialisation.
    ("eval p3109_exp --param formats=Binary8p4se:Binary8p4se,projection=NearestTiesToEven:SatNone 00000050", "", Us, 0, "00000050 0000006E 00"),
    ("eval p3109_exp --param formats=Binary8p4se:Binary8p4se,projection=NearestTiesToEven:SatNone:4.0 00000050", "", Us, 0, "0000006E"),
    ("eval p3109_tan_pi --param formats=Binary8p4se:Binary8p4se,projection=NearestTiesToEven:SatNone:2026-07 00000038", "", Us, 0, "0000007F"),
    ("eval p3109_exp --rounding to-odd --param formats=Binary8p4se:Binary8p4se,projection=ToOdd:SatNone 00000050", "", Us, 2, "`--rounding` is not for p3109_exp"),
    ("eval p3109_exp --overflow saturate-all --param formats=Binary8p4se:Binary8p4se,projection=ToOdd:SatNone 00000050", "", Us, 2, "`--overflow` is not for p3109_exp"),
    ("eval p3109_exp --overflow ieee --param formats=Binary8p4se:Binary8p4se,projection=ToOdd:SatNone 00000050", "", Us, 2, "`--overflow` is not for p3109_exp"),
    ("eval p3109_exp --bits 1 --param formats=Binary8p4se:Binary8p4se,projection=ToOdd:SatNone 00000050", "", Us, 2, "`--bits` is not for p3109_exp"),
    ("run --op p3109_exp --rounding to-odd", "", Us, 2, "`--rounding` is not for p3109_exp: its rounding and its saturation are in `--param projection="),
    ("run --op p3109_exp,p3109_is_nan --overflow saturate-all", "", Us, 2, "`--overflow` is not for p3109_exp"),
    ("eval p3109_exp --param formats=Binary8p4se:Binary8p4se,projection=ToOdd:SatNone 00000150", "", Us, 2, "150 is no code of Binary8p4se, whose codes have 8 bits"),
    ("eval p3109_add --param formats=binary16:Binary5p2ue:binary32,projection=ToOdd:SatNone 0000FFFF 00000020", "", Us, 2, "20 is no code of Binary5p2ue, whose codes have 5 bits"),
    ("eval p3109_is_nan --param formats=Binary8p4se", "00000080\n00000100\n", Us, 2, "line 2"),
    ("verify p3109_is_nan --param formats=Binary8p4se", "00000080 1 00\n00000180 1 00\n", Us, 2, "180 is no code of Binary8p4se"),
    ("eval p3109_exp --param formats=Binary9p4se:Binary8p4se,projection=ToOdd:SatNone 00000050", "", Us, 2, "p3109_exp does not take `Binary9p4se`: functions take operands with K up to 8"),
    ("run --op p3109_exp --param formats=Binary8p4se:binary32,projection=ToOdd:SatNone", "", Us, 2, "p3109_exp does not take `binary32`: functions take operands with K up to 8"),
    ("run --op p3109_exp --param formats=Binary8p4se,projection=ToOdd:SatNone", "", Us, 2, "`Binary8p4se` names 1 format where 2 are needed"),
    ("run --op p3109_sqrt --param formats=Binary8p4se:Binary8p9se,projection=ToOdd:SatNone", "", Us, 2, "`Binary8p9se` is no format"),
    ("run --op p3109_sqrt --param formats=Binary8p4se:binary32,projection=ToOdd:SatNone:0/0", "", Us, 2, "only a stochastic rounding takes N/R, so not `0/0`"),
    ("run --op p3109_sqrt --param formats=Binary8p4se:binary32,projection=ToOdd:SatNone:2026-08", "", Us, 2, "`2026-08` is no revision; one of: 4.0, 2026-07"),
    ("run --op p3109_sqrt --param formats=Binary8p4se:binary32,projection=ToOdd:SatNone:", "", Us, 2, "`` is no revision; one of: 4.0, 2026-07"),
    ("run --op p3109_sqrt --param formats=Binary8p4se:binary32,projection", "", Us, 2, "`--param projection` is not NAME=VALUE"),
    ("golden --op p3109_exp --exhaustive", "", Us, 2, "other than P3109's"),
    ("dump p3109_exp --param formats=Binary8p4se:Binary8p4se,projection=ToOdd:SatNone", "", Us, 2, "p3109_exp has 2^32 inputs, in words whose bits above a format's code are ignored"),
    ("p3109 eval --revision 2026-06", "", Us, 2, "4.0"),
];

/// Golden digests that are damaged or of nothing.
#[rustfmt::skip]
const GOLDEN: &[Call] = &[
    ("golden --op e8m0_decode.f32 --golden DIR/stale", "", Us, 1, "stale: `nosuch.f16 all 65536 - - -`"),
    ("golden --op e8m0_decode.f32 --golden DIR/stale", "", Us, 1, "0 wrong, 1 stale"),
    ("golden --op e8m0_decode.f32 --golden DIR/misplaced", "", Us, 1, "stale: `sqrt.f16 all 65536 "),
    ("golden --op e8m0_decode.f32 --golden DIR/plus", "", Us, 2, "16 hexadecimal digits"),
    ("golden --op e8m0_decode.f32 --golden DIR/lower", "", Us, 2, "16 hexadecimal digits"),
    ("golden --op e8m0_decode.f32 --golden DIR/short", "", Us, 2, "16 hexadecimal digits"),
    ("golden --op e8m0_decode.f32 --golden DIR/twice", "", Us, 2, "was given before"),
    ("golden --op e8m0_decode.f32 --golden DIR/fields", "", Us, 2, "seven fields"),
    ("golden --op e8m0_decode.f32 --golden DIR/folder", "", Us, 2, "is a folder, not a file"),
    ("golden --op e8m0_decode.f32 --golden DIR/empty", "", Us, 1, "no digest recorded"),
    ("golden --op e8m0_decode.f32 --golden DIR/nosuch", "", Us, 2, "there is no folder"),
    ("golden --op e8m0_decode.f32 --write --golden DIR/file", "", Us, 2, "file` is a file, not a folder"),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/plus", "", Us, 2, "16 hexadecimal digits"),
];

/// Files that cannot be written, or are none of ours.
#[rustfmt::skip]
const FILES: &[Call] = &[
    ("run --op e8m0_decode.f32 --json DIR", "", Us, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --json DIR/nosuch/", "", Us, 2, "names a folder, not a file"),
    ("run --op e8m0_decode.f32 --json DIR/x --checkpoint DIR/folder/../x", "", Us, 2, "names the checkpoint or its lock"),
    ("run --op e8m0_decode.f32 --json DIR/x.lock --checkpoint DIR/x", "", Us, 2, "names the checkpoint or its lock"),
    ("run --op e8m0_decode.f32 --json DIR/dangling --checkpoint DIR/target.json", "", Us, 2, "names the checkpoint or its lock"),
    ("run --op e8m0_decode.f32 --json DIR/nosuch/x.json", "", Us, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --json DIR/file/x.json", "", Us, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --json /dev/full", "", Us, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --json /dev/null", "", Us, 0, "equal"),
    ("run --op e8m0_decode.f32 --json DIR/dangling", "", Us, 0, "equal"),
    ("run --op e8m0_decode.f32 --json DIR/loop", "", Us, 2, "cannot write"),
    ("run --op e8m0_decode.f32 --checkpoint DIR", "", Us, 2, "not a regular file"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/nosuch/", "", Us, 2, "names a folder, not a file"),
    ("run --op e8m0_decode.f32 --checkpoint /dev/null", "", Us, 2, "not a regular file"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/file", "", Us, 2, "is not a checkpoint"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/file --restart", "", Us, 2, "is not a checkpoint"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/binary", "", Us, 2, "is not a checkpoint of `sweep`: name another file"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/foreign", "", Us, 2, "another run or of another build"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/infinite", "", Us, 2, "is damaged (wrong checksum or counts): `--restart` replaces it"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/unsealed", "", Us, 2, "is damaged (wrong checksum or counts): `--restart` replaces it"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/unsealed --restart", "", Us, 0, "equal"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/nothing", "", Us, 0, "equal"),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/good --json DIR/good/e8m0_decode.txt", "", Us, 2, "names recorded digests"),
    ("run --op e8m0_decode.f32 --oracle golden --golden DIR/good --json DIR/good/new.txt", "", Us, 2, "names recorded digests"),
    ("run --op e8m0_decode.f32 --out DIR/file", "", Us, 2, "file` is a file, not a folder"),
    ("golden --op e8m0_decode.f32 --write --golden DIR/comments", "", Us, 2, "is not as `sweep golden --write` writes it"),
    ("golden --op e8m0_decode.f32 --write --golden DIR/crlf", "", Us, 2, "e8m0_decode.txt"),
    ("golden --op e8m0_decode.f32 --write --golden DIR/folder", "", Us, 2, "is a folder, not a file"),
    ("golden --op e8m0_decode.f32 --write --golden DIR/dead", "", Us, 0, "digests of 1 rows written"),
    ("missing DIR/nosuch", "", Us, 2, "there is no folder"),
    ("missing DIR/file", "", Us, 2, "is a file, not a folder"),
    ("merge DIR/nosuch", "", Us, 2, "there is no folder"),
    #[cfg(feature = "report")]
    ("report DIR", "", Us, 2, "is neither empty nor a site"),
    #[cfg(feature = "report")]
    ("report DIR/file", "", Us, 2, "is a file, not a folder"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/file/x", "", Us, 2, "cannot"),
    ("run --op e8m0_decode.f32 --checkpoint DIR/fresh", "", Us, 0, "equal"),
];

/// A folder that is removed.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn scratch(name: &str) -> Scratch {
    let folder = std::env::temp_dir().join(format!("sweep-hostile-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    Scratch(folder)
}

/// The folder of the calls.
fn files(name: &str) -> Scratch {
    let scratch = scratch(name);
    let folder = &scratch.0;
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/e8m0_decode.txt");
    let golden = fs::read_to_string(golden).unwrap();
    let mut lines = golden.lines().filter(|line| line.starts_with(DECODE));
    let line = lines.next_back().unwrap();
    let (key, digest) = line.rsplit_once(' ').unwrap();
    let other = |digest: &str| golden.replace(line, &format!("{key} {digest}"));
    for (name, text) in [
        ("good", golden.clone()),
        ("wrong", other("0123456789ABCDEF")),
        ("plus", other("+123456789ABCDEF")),
        ("lower", other("0123456789abcdef")),
        ("short", other("123456789ABCDEF")),
        ("twice", format!("{golden}{key} {digest}\n")),
        ("fields", format!("{golden}{DECODE} all\n")),
        ("comments", format!("# mine\n{golden}")),
        ("crlf", golden.replace('\n', "\r\n")),
        (
            "stale",
            format!("{golden}nosuch.f16 all 65536 - - - {digest}\n"),
        ),
        (
            "misplaced",
            format!("{golden}sqrt.f16 all 65536 to-odd ieee - {digest}\n"),
        ),
    ] {
        fs::create_dir(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("e8m0_decode.txt"), text).unwrap();
    }
    fs::create_dir(folder.join("empty")).unwrap();
    fs::create_dir_all(folder.join("folder/e8m0_decode.txt")).unwrap();
    let row = |seconds: &str| {
        let cells = r#"[[0,0,0,null]]"#;
        format!(
            r#"{{"run":"abc","rows":{{"{DECODE}":{{"next":1,"seconds":{seconds},"seen":1,"checks":1,"second_checks":0,"cells":{cells}}}}}}}"#
        )
    };
    for (name, text) in [
        ("file", b"hello\n".to_vec()),
        ("binary", vec![0xFF, 0xFE, 0]),
        ("foreign", sealed(&row("1.5")).into_bytes()),
        ("nothing", Vec::new()),
        ("infinite", sealed(&row("1e999")).into_bytes()),
        (
            "unsealed",
            sealed(&row("1.5")).replace("1.5", "2.5").into_bytes(),
        ),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("target.json", folder.join("dangling")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        // A link to a link to digests that are not there yet.
        fs::create_dir(folder.join("dead")).unwrap();
        symlink("second", folder.join("dead/e8m0_decode.txt")).unwrap();
        symlink("third.txt", folder.join("dead/second")).unwrap();
    }
    scratch
}

/// Runs a script in a folder; `$0` is the command. Returns its status, what it wrote to standard
/// error, and the folder.
#[cfg(unix)]
fn script(name: &str, script: &str) -> (Option<i32>, String, Scratch) {
    let scratch = scratch(name);
    let script = format!("cd \"$1\"; {script}");
    let output = Command::new("timeout")
        .args(["120", "bash", "-c", &script, SWEEP])
        .arg(&scratch.0)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), err, scratch)
}

/// A file that the shell has open keeps what was written to it, and is written behind it.
#[cfg(unix)]
#[test]
fn a_report_goes_through_open_descriptors() {
    let json = |line: &str| line.starts_with(r#"{"backend":"host","#) && line.ends_with('}');
    for (name, line) in [
        ("same", r#""$0" run --op e8m0_decode.f32 --json f >>f"#),
        (
            "stdout",
            r#""$0" run --op e8m0_decode.f32 --json /dev/stdout >>f"#,
        ),
        (
            "stderr",
            r#""$0" run --op e8m0_decode.f32 --json /dev/stderr 2>>f >/dev/null"#,
        ),
        (
            "three",
            r#"exec 3>>f; "$0" run --op e8m0_decode.f32 --json /dev/fd/3 >/dev/null"#,
        ),
        (
            "named",
            r#"exec 3>>f; "$0" run --op e8m0_decode.f32 --json f >/dev/null"#,
        ),
        (
            "link",
            r#"ln -s f g; "$0" run --op e8m0_decode.f32 --json g >>f"#,
        ),
    ] {
        let line = format!("echo before >f; {line}; status=$?; echo after >>f; exit $status");
        let (status, err, folder) = script(name, &line);
        let text = fs::read_to_string(folder.0.join("f")).unwrap();
        let lines: Vec<_> = text.lines().collect();
        let (first, last) = (lines.first().copied(), lines.last().copied());
        assert_eq!(
            (status, first, last),
            (Some(0), Some("before"), Some("after")),
            "{name}: {err}{text}"
        );
        assert_eq!(
            lines.iter().filter(|line| json(line)).count(),
            1,
            "{name}: {text}"
        );
    }
    // Not behind what was written before: the descriptor's offset is the shell's.
    let line = r#"exec 3>f; echo one >&3; "$0" run --op e8m0_decode.f32 --json /dev/fd/3 >/dev/null; echo two >&3"#;
    let (_, err, folder) = script("offset", line);
    let text = fs::read_to_string(folder.0.join("f")).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert!(
        lines.len() == 3 && lines[0] == "one" && json(lines[1]) && lines[2] == "two",
        "{err}{text}"
    );
}

/// What is replaced keeps its mode, its owner and its other names.
#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode_and_names() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let (_, _, folder) = script("modes", "echo old >f; chmod 640 f; echo old >g; ln g h");
    let file = |name: &str| folder.0.join(name);
    // Only root can give a file away.
    let owner = chown(file("f"), Some(12), Some(34)).map_or_else(|_| None, |()| Some((12, 34)));
    for name in ["f", "g"] {
        let json = file(name).to_str().unwrap().to_owned();
        let args = ["run", "--op", "e8m0_decode.f32", "--json", &json].map(String::from);
        assert_eq!(call(&args, "", Us).status.code(), Some(0));
        assert!(fs::read_to_string(file(name)).unwrap().starts_with('{'));
    }
    let f = fs::metadata(file("f")).unwrap();
    assert_eq!(f.permissions().mode() & 0o777, 0o640);
    assert!(owner.is_none_or(|owner| owner == (f.uid(), f.gid())));
    assert_eq!(fs::read(file("g")).unwrap(), fs::read(file("h")).unwrap());
}

/// Limits of the process are errors with a sentence.
#[cfg(unix)]
#[test]
fn limits_are_named() {
    for (name, line, says) in [
        (
            "size",
            r#"ulimit -f 0; "$0" run --op e8m0_decode.f32 --json f"#,
            "cannot write f: ",
        ),
        (
            "many",
            r#"RAYON_NUM_THREADS=100000 "$0" run --op e8m0_decode.f32"#,
            "RAYON_NUM_THREADS=100000: a number of threads from 1 to",
        ),
        (
            "none",
            r#"RAYON_NUM_THREADS=-1 "$0" run --op e8m0_decode.f32"#,
            "RAYON_NUM_THREADS=-1: a number of threads from 1 to",
        ),
        (
            "digests",
            r#"mkdir g; mkfifo g/e8m0_decode.txt; "$0" golden --op e8m0_decode.f32 --golden g"#,
            "not a file",
        ),
    ] {
        let (status, err, _folder) = script(name, line);
        assert_eq!(status, Some(2), "{name}: {err}");
        assert!(
            err.contains(says) && !err.contains("panicked"),
            "{name}: {err}"
        );
    }
}

/// Processes that write digests of one operation at the same time lose none.
#[cfg(unix)]
#[test]
fn golden_digests_of_two_processes_are_kept() {
    let rows = [
        "convert.e2m1.f16",
        "convert.e2m1.bf16",
        "convert.e2m1.f32",
        "convert.e2m3.f16",
    ];
    let mut line = String::from("mkdir g; ");
    for row in rows {
        line += &format!(r#""$0" golden --write --golden g --op {row} >/dev/null & "#);
    }
    let (_, err, folder) = script("digests-of-all", &(line + "wait"));
    let text = fs::read_to_string(folder.0.join("g/convert.txt")).unwrap_or_default();
    for row in rows {
        assert!(
            text.contains(&format!("\n{row} all ")),
            "{row}: {err}{text}"
        );
    }
    assert_eq!(
        fs::read_dir(folder.0.join("g")).unwrap().count(),
        1,
        "only the digests are left"
    );
}

/// A site is written into its own folder only, and through no link out of it.
#[cfg(all(unix, feature = "report"))]
#[test]
fn a_site_stays_in_its_folder() {
    let line = r#""$0" report site >/dev/null && "$0" report site >/dev/null || exit 3
        mkdir out; rm -r site/functions; ln -s ../out site/functions; "$0" report site"#;
    let (status, err, folder) = script("site", line);
    assert_eq!(status, Some(2), "{err}");
    assert!(err.contains("site/functions is a link"), "{err}");
    assert_eq!(fs::read_dir(folder.0.join("out")).unwrap().count(), 0);
}

/// The order in which modes are named makes no other run.
#[test]
fn the_order_of_modes_makes_no_other_run() {
    let folder = scratch("order");
    let out = folder.0.join("out");
    let run = |modes: &str| {
        let line = format!(
            "run --op convert.e2m1.f16 {modes} --shard 1/2 --out {}",
            out.display()
        );
        let args: Vec<_> = line.split(' ').map(String::from).collect();
        let output = call(&args, "", Us);
        assert_eq!(output.status.code(), Some(0), "{modes}");
        String::from_utf8(output.stderr).unwrap()
    };
    run("--rounding to-odd,stochastic,ties-to-even --bits 1,0 --overflow ieee,saturate-all");
    let again =
        run("--rounding ties-to-even,to-odd,stochastic --bits 0,1,1 --overflow saturate-all,ieee");
    assert!(again.contains("nothing to run"), "{again}");
}

/// A pipe is opened once: its reader gets the report, and is not asked for again.
#[cfg(unix)]
#[test]
fn a_report_goes_into_a_pipe() {
    let scratch = scratch("pipe");
    let script = "cd \"$1\"; mkfifo pipe; cat pipe >copy & \"$0\" run --op e8m0_decode.f32 --json pipe; wait";
    let output = Command::new("timeout")
        .args(["60", "sh", "-c", script, SWEEP])
        .arg(&scratch.0)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let copy = fs::read_to_string(scratch.0.join("copy")).unwrap();
    assert!(copy.contains(r#""verdict":"equal""#), "{copy}");
}

fn call(args: &[String], stdin: &str, to: To) -> Output {
    let mut command = Command::new(SWEEP);
    if matches!(to, Closed | BothClosed) {
        let closed = if to == Closed { ">&-" } else { ">&- 2>&-" };
        command = Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" \"$@\" {closed}"), SWEEP]);
    }
    let out = match to {
        Nobody => std::io::pipe().unwrap().1.into(),
        Full => fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
            .into(),
        _ => Stdio::piped(),
    };
    let mut child = command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .expect("sweep starts");
    // The command may not read its input.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().expect("sweep ends")
}

/// Makes the calls; panics with all that went wrong.
fn all(name: &str, calls: &[Call]) {
    let folder = files(name);
    let mut wrong = Vec::new();
    for (line, stdin, to, status, says) in calls {
        let line = line.replace("DIR", folder.0.to_str().unwrap());
        let args: Vec<String> = line.split(' ').map(String::from).collect();
        let output = call(&args, stdin, *to);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let right = output.status.code() == Some(*status) && text.contains(says);
        // An error is one line, except clap's.
        if !right || text.contains("panicked") {
            wrong.push(format!(
                "{line} ({to:?}): {status} and {says:?} expected: {}\n{text}",
                output.status
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        calls.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_status_is_true_whoever_reads() {
    all("streams", STREAMS);
}

#[test]
fn what_was_not_compared_is_not_equal() {
    all("not-compared", NOT_COMPARED);
}

#[test]
fn options_without_an_effect_are_refused() {
    all("options", OPTIONS);
}

#[test]
fn specialisations_of_p3109_are_checked() {
    all("p3109", P3109);
}

#[test]
fn golden_digests_of_nothing_are_named() {
    all("golden", GOLDEN);
}

#[test]
fn files_of_others_are_left_alone() {
    all("files", FILES);
    // Checked again, with what is left of them.
    let folder = files("left");
    let left = |name: &str, args: &str| {
        let path = folder.0.join(name);
        let before = fs::read(&path).unwrap();
        let args = args.replace("FILE", path.to_str().unwrap());
        let args: Vec<String> = args.split(' ').map(String::from).collect();
        assert_eq!(call(&args, "", Us).status.code(), Some(2), "{args:?}");
        assert_eq!(fs::read(&path).unwrap(), before, "{args:?}");
    };
    for name in ["file", "binary", "foreign", "infinite", "unsealed"] {
        left(name, "run --op e8m0_decode.f32 --checkpoint FILE");
    }
    for name in ["file", "binary"] {
        left(name, "run --op e8m0_decode.f32 --checkpoint FILE --restart");
    }
    for name in ["comments", "crlf", "fields", "plus"] {
        let golden = folder.0.join(name);
        let args = format!(
            "golden --op e8m0_decode --write --golden {}",
            golden.display()
        );
        left(&format!("{name}/e8m0_decode.txt"), &args);
    }
    // A report of before stays until there is a new one.
    left("file", "run --op nosuch --json FILE");
    left(
        "file",
        "run --op e8m0_decode.f32 --backend qemu --restart --json FILE",
    );
}

/// Commands that are given a place, `AT`, in the folder of [`bait`].
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "run --op e8m0_decode.f32 --json AT",
    "run --op e8m0_decode.f32 --checkpoint AT",
    "run --op e8m0_decode.f32 --checkpoint AT --restart",
    "run --op e8m0_decode.f32 --exhaustive --json report --checkpoint AT",
    "run --op e8m0_decode.f32 --out AT",
    "run --op e8m0_decode.f32 --shard 2/3 --out AT --restart",
    "run --op e8m0_decode.f32 --oracle golden --golden AT",
    "run --op e8m0_decode.f32 --oracle golden --golden digests --json AT",
    "golden --op e8m0_decode.f32 --golden AT",
    "golden --op e8m0_decode.f32 --golden AT --write",
    "merge AT",
    "merge results --json AT",
    "merge results --golden AT",
    "missing AT",
    #[cfg(feature = "report")]
    "report AT",
    #[cfg(feature = "report")]
    "report new --repository AT",
];

/// Places where a user may have something, or nothing can be.
#[cfg(unix)]
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "notes", "binary", "part.aB3dEf.sweep-part", "folder", "folder/", "folder/notes", "folder/../notes",
    "to-notes", "to-to-notes", "to-folder", "to-folder/notes", "to-nothing", "loop", "one-of-two", "socket",
    "notes/x", "no-folder/x", "no-folder/", "no-file", ".", "/dev/null", "/dev/full", "/proc/version", "",
    "digests", "digests/e8m0_decode.txt", "links", "results", "RESULT", "damaged", "checkpoint",
];

/// Files of a user, and of the command.
#[cfg(unix)]
fn bait(folder: &Path) -> String {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    for name in [
        "notes",
        "folder/notes",
        "folder/deep/notes",
        "one-of-two",
        "checkpoint.lock",
        "digests/README",
    ] {
        put(name, b"of the user\n");
    }
    put("part.aB3dEf.sweep-part", b"of the user\n");
    put("binary", &[0xFF, 0, 0xFE]);
    put(
        "checkpoint",
        sealed(r#"{"run":"abc","rows":{}}"#).as_bytes(),
    );
    let digests = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/e8m0_decode.txt");
    put("digests/e8m0_decode.txt", &fs::read(digests).unwrap());
    fs::create_dir(folder.join("links")).unwrap();
    for (to, name) in [
        ("notes", "to-notes"),
        ("to-notes", "to-to-notes"),
        ("folder", "to-folder"),
        ("nothing", "to-nothing"),
        ("loop", "loop"),
        ("../notes", "links/e8m0_decode.txt"),
    ] {
        symlink(to, folder.join(name)).unwrap();
    }
    fs::hard_link(folder.join("one-of-two"), folder.join("two-of-two")).unwrap();
    fs::set_permissions(folder.join("binary"), fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap();
    let line = "run --op e8m0_decode.f32 --shard 1/2 --out";
    let args: Vec<_> = line
        .split(' ')
        .chain([folder.join("results").to_str().unwrap()])
        .map(String::from)
        .collect();
    assert_eq!(call(&args, "", Us).status.code(), Some(0));
    let result = fs::read_dir(folder.join("results"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let name = format!("results/{}", result.file_name().to_str().unwrap());
    put(
        &name.replace("results", "damaged"),
        &fs::read(result.path()).unwrap()[1..],
    );
    name
}

/// Every file below a folder: its mode, and its bytes or where it leads.
#[cfg(unix)]
fn contents(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    use std::os::unix::fs::MetadataExt;
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        let bytes = if metadata.is_symlink() {
            fs::read_link(&path)
                .unwrap()
                .into_os_string()
                .into_encoded_bytes()
        } else if metadata.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        if metadata.is_dir() {
            found.extend(contents(&path));
        }
        found.insert(path, (metadata.mode(), bytes));
    }
    found
}

/// Every command at every place: none loses a file, a link or a mode, panics, or ends with another
/// status than 0, 1 and 2. Only what `--json` names is replaced, by a report; what is refused, and
/// all that a run has a use for, is left.
#[cfg(unix)]
#[test]
fn no_command_at_any_place_loses_a_file() {
    let scratch = scratch("places");
    let (first, folder) = (scratch.0.join("first"), scratch.0.join("folder"));
    let result = bait(&first);
    let (mut calls, mut wrong) = (0, Vec::new());
    for command in COMMANDS {
        for place in PLACES {
            let copied = Command::new("cp")
                .arg("-a")
                .args([&first, &folder])
                .status();
            assert!(copied.unwrap().success());
            let place = if *place == "RESULT" { &result } else { *place };
            let args = command
                .split(' ')
                .map(|arg| if arg == "AT" { place } else { arg });
            let before = contents(&folder);
            let output = Command::new("timeout")
                .args(["60", SWEEP])
                .args(args)
                .current_dir(&folder)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let (status, err) = (
                output.status.code(),
                String::from_utf8_lossy(&output.stderr),
            );
            let after = contents(&folder);
            let named = fs::canonicalize(folder.join(place)).ok();
            let read = |path: &Path| {
                command.contains("digests") && path.ends_with("digests/e8m0_decode.txt")
                    || command.contains("results") && path.ends_with(&result)
            };
            let report = |path: &Path| {
                let whole = |bytes: &[u8]| bytes.starts_with(b"{") && bytes.ends_with(b"}\n");
                let linked = path.ends_with("two-of-two") && place == "one-of-two";
                command.ends_with("--json AT")
                    && (named.as_deref() == Some(path) || linked)
                    && !read(path)
                    && matches!(status, Some(0 | 1))
                    && after
                        .get(path)
                        .is_some_and(|(mode, bytes)| *mode == before[path].0 && whole(bytes))
            };
            let lost: Vec<_> = before
                .iter()
                .filter(|(path, was)| after.get(*path) != Some(was) && !report(path))
                // It is the command's own, and begins anew.
                .filter(|(path, _)| {
                    !(path.ends_with("checkpoint") && command.ends_with("AT --restart"))
                })
                .map(|(path, _)| path.strip_prefix(&folder).unwrap())
                .collect();
            calls += 1;
            if !lost.is_empty() || !matches!(status, Some(0..=2)) || err.contains("panicked") {
                wrong.push(format!(
                    "{command} ({place}): {status:?}, lost {lost:?}: {err}"
                ));
            }
            fs::remove_dir_all(&folder).unwrap();
        }
    }
    assert!(
        calls >= 400 && wrong.is_empty(),
        "{} of {calls}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A checkpoint that is reached through links: they stay, and at their end nothing is left.
#[cfg(unix)]
#[test]
fn links_to_a_checkpoint_stay() {
    let line = r#"ln -s second first; ln -s file second; "$0" run --op e8m0_decode.f32 --checkpoint first"#;
    let (status, err, folder) = script("links", line);
    assert_eq!(status, Some(0), "{err}");
    let is_link = |name: &str| folder.0.join(name).is_symlink();
    assert!(is_link("first") && is_link("second") && !folder.0.join("file").exists());
}

/// A run that takes minutes, with its checkpoint.
fn long(checkpoint: &Path) -> Command {
    let mut command = Command::new(SWEEP);
    command
        .args([
            "run",
            "--exhaustive",
            "--op",
            "mul.bf16",
            "--rounding",
            "to-odd",
        ])
        .args([
            "--overflow",
            "ieee",
            "--oracle",
            "rational",
            "--shard",
            "1/64",
            "--checkpoint",
        ])
        .arg(checkpoint)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// Waits until a condition holds.
fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(300), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Two processes cannot use a checkpoint at once; one that is killed leaves it whole, and what it
/// had not finished is removed by the next.
#[test]
fn a_checkpoint_is_for_one_process_and_survives_a_kill() {
    let folder = scratch("kill");
    let file = folder.0.join("checkpoint");
    let mut first = long(&file).spawn().unwrap();
    let begun = || fs::read_to_string(&file).is_ok_and(|text| text.contains("mul.bf16"));
    wait("no checkpoint of the first process", begun);
    let second = long(&file).output().unwrap();
    let err = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(2), "{err}");
    assert!(
        err.contains("another process that is still running"),
        "{err}"
    );
    // SIGKILL: nothing can be tidied up.
    first.kill().unwrap();
    first.wait().unwrap();
    let part = folder.0.join("checkpoint.a1B2c3.sweep-part");
    fs::write(&part, "half").unwrap();
    let mut third = long(&file).spawn().unwrap();
    let lines = BufReader::new(third.stderr.take().unwrap()).lines();
    let resumed = lines
        .map_while(Result::ok)
        .any(|line| line.contains("resuming from"));
    third.kill().unwrap();
    third.wait().unwrap();
    assert!(resumed && !part.exists());
    // Another row, oracle or shard has no use for it.
    let mut other = long(&file);
    let other = other.args(["--overflow", "saturate-all"]).output().unwrap();
    let err = String::from_utf8_lossy(&other.stderr).into_owned();
    assert_eq!(other.status.code(), Some(2), "{err}");
    assert!(err.contains("another run"), "{err}");
}

/// Without a terminal a long row says every ten seconds how far it is.
#[test]
fn a_long_row_tells_its_progress() {
    let folder = scratch("progress");
    let mut run = long(&folder.0.join("checkpoint")).spawn().unwrap();
    let start = Instant::now();
    let lines = BufReader::new(run.stderr.take().unwrap()).lines();
    let line = lines.map_while(Result::ok).find(|line| line.contains('%'));
    run.kill().unwrap();
    run.wait().unwrap();
    let line = line.expect("a line of progress");
    assert!(
        line.starts_with("mul.bf16: ") && line.ends_with(" s left"),
        "{line}"
    );
    assert!(start.elapsed() >= Duration::from_secs(10), "{line}");
}
