//! The steps of CI and of `cargo xtask whole`: two lists, in the order in which they run.

/// What a step uses alone. Steps run beside each other, but no two that wait for the same build
/// folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// `target`: builds for this machine.
    Host,
    /// `target/cross`: builds for other targets, and QEMU.
    Cross,
    /// A build folder of its own, or none.
    Own,
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub name: &'static str,
    /// What it verifies.
    pub what: &'static str,
    pub lane: Lane,
    /// A line of bash. Empty where the step runs on another machine: `what` says how.
    pub command: &'static str,
    /// The steps of the same list that must have ended before.
    pub needs: &'static [&'static str],
    /// The paths whose change makes it due again; of steps of `whole`.
    pub paths: &'static [&'static str],
}

impl Step {
    const fn after(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }
}

const fn step(
    lane: Lane,
    name: &'static str,
    what: &'static str,
    command: &'static str,
    paths: &'static [&'static str],
) -> Step {
    Step {
        name,
        what,
        lane,
        command,
        needs: &[],
        paths,
    }
}

const fn host(name: &'static str, what: &'static str, command: &'static str) -> Step {
    step(Lane::Host, name, what, command, &[])
}

const fn cross(name: &'static str, what: &'static str, command: &'static str) -> Step {
    step(Lane::Cross, name, what, command, &[]).after(&["setup"])
}

const fn own(name: &'static str, what: &'static str, command: &'static str) -> Step {
    step(Lane::Own, name, what, command, &[])
}

/// What `.ci/run` runs: a clean clone from nothing on two cores.
#[rustfmt::skip]
pub const CI: &[Step] = &[
    own("format", "every crate is formatted; scripts, lock files and planted faults fit the tree", "bash ci/fmt.sh"),
    own("setup",
        "installs the toolchain for microcontrollers and GPUs",
        "bash ci/setup-cross.sh && bash ci/setup-qemu.sh"),
    host("sweep", "every kernel against the oracles, as the README's first command does", "bash ci/sweep.sh run"),
    cross("firmware-m0", "the sweep on Cortex-M0 in QEMU", "bash ci/firmware.sh m0").after(&["setup", "sweep"]),
    host("test", "the tests of all crates", "cargo test --workspace --locked --no-fail-fast"),
    cross("firmware-m4f", "the sweep on Cortex-M4F in QEMU", "bash ci/firmware.sh m4f").after(&["setup", "sweep"]),
    cross("firmware-rv32", "the sweep on RV32IMAC in QEMU", "bash ci/firmware.sh rv32").after(&["setup", "sweep"]),
    // It builds for this machine too.
    cross("firmware-application",
        "the example application logs on three targets what it logs here",
        "bash ci/firmware.sh application").after(&["setup", "test"]),
    cross("firmware-c",
        "the C headers match the catalog, C programs get the golden values, and the examples run",
        "bash firmware/capi/test.sh"),
    host("systemverilog",
        "vectors through readers in C and SystemVerilog, and a unit with the C library, in Verilator",
        "bash ci/systemverilog.sh").after(&["sweep"]),
    cross("no-panic",
        "no kernel can panic: it links without a panic handler for Cortex-M0",
        "bash ci/no-panic.sh thumbv6m-none-eabi:size"),
    cross("ptx", "PTX for sm_90: its gates, its entries, no spill", "bash ci/ptx.sh sm_90"),
    host("checked", "a sample of the sweep with overflow checks and assertions", "bash ci/checked.sh sample"),
    host("gpu-emulated",
        "the GPU's composites on a driver that runs their bodies here: a sample",
        "bash ci/gpu-emulated.sh sample"),
    own("python", "the Python package: its wheel, and its tests with NumPy", "bash ci/python.sh"),
    own("cocotb",
        "vectors through a reader in Python, and a unit in Icarus Verilog under cocotb, with the Python package",
        "bash ci/systemverilog.sh cocotb").after(&["python", "systemverilog"]),
    host("clippy", "clippy finds nothing", "bash ci/clippy.sh"),
    host("documentation", "the documentation builds without a warning", "bash ci/docs.sh"),
    own("book", "the book builds, and no link in the Markdown is dead", "bash ci/book.sh"),
    host("site",
        "the report site in a browser, and its kernels as WebAssembly",
        "bash ci/site.sh").after(&["sweep"]),
    own("api", "the public items are those of ci/api", "bash ci/api.sh").after(&["documentation"]),
    own("features", "the library builds without a warning with no feature and with all", "bash ci/features.sh"),
    own("msrv", "the library builds with its oldest compiler", "bash ci/msrv.sh"),
    host("publish", "the public crates can be packaged", "bash ci/publish.sh"),
    own("deny", "licences, advisories and duplicates of dependencies", "bash ci/deny.sh"),
    own("constants", "the generators reproduce every constant", "bash ci/constants.sh"),
];

/// What every step of `whole` that runs kernels depends on.
const KERNELS: &[&str] = &["kernels/src", "cases/inputs/src", "host-tests/golden"];
const SWEEP: &[&str] = &[
    "kernels/src",
    "cases/inputs/src",
    "host-tests/golden",
    "host-tests/catalog/src",
    "host-tests/engine/src",
    "host-tests/oracles/src",
];
const SLICES: &[&str] = &[
    "kernels/src",
    "kernels/enclosures/src",
    "slices",
    "host-tests/simd/src",
    "host-tests/src/backend/simd",
    "host-tests/golden",
];
const FIRMWARE: &[&str] = &[
    "kernels/src",
    "cases",
    "firmware",
    "host-tests/catalog/src",
    "host-tests/golden",
];
const GPU: &[&str] = &[
    "kernels/src",
    "kernels/enclosures/src",
    "cuda-shim",
    "host-tests/src/backend/cuda.rs",
];
const PYTHON: &[&str] = &[
    "kernels/src",
    "kernels/enclosures/src",
    "slices/src",
    "python",
];

const fn board(name: &'static str, what: &'static str, command: &'static str) -> Step {
    step(Lane::Cross, name, what, command, FIRMWARE)
}

/// All 2^32 inputs of a row against the oracle, in the modes that follow `--op NAME`.
macro_rules! exhaustive {
    ($row:literal, $modes:literal) => {
        step(
            Lane::Host,
            $row,
            concat!("all 2^32 inputs of ", $row, " against the oracle"),
            concat!("bash ci/sweep.sh run --exhaustive --op ", $row, $modes),
            SWEEP,
        )
    };
}
macro_rules! arithmetic {
    ($row:literal) => {
        exhaustive!($row, " --rounding ties-to-even,toward-zero --overflow ieee")
    };
}
macro_rules! function {
    ($row:literal) => {
        exhaustive!($row, " --overflow ieee")
    };
}
macro_rules! conversion {
    ($row:literal) => {
        exhaustive!(
            $row,
            " --rounding ties-to-even,ties-to-away,toward-zero,toward-positive,toward-negative,to-odd"
        )
    };
}

/// What takes longer: once an issue and before a release, on as many cores as there are.
#[rustfmt::skip]
pub const WHOLE: &[Step] = &[
    board("firmware-m0", "the sweep on Cortex-M0, hard sets whole", "WHOLE=1 bash ci/firmware.sh m0"),
    board("firmware-m3", "on Cortex-M3", "WHOLE=1 bash ci/firmware.sh m3"),
    board("firmware-m4", "on Cortex-M4", "WHOLE=1 bash ci/firmware.sh m4"),
    board("firmware-m4f", "on Cortex-M4F", "WHOLE=1 bash ci/firmware.sh m4f"),
    board("firmware-m7", "on Cortex-M7", "WHOLE=1 bash ci/firmware.sh m7"),
    board("firmware-m7f", "on Cortex-M7F", "WHOLE=1 bash ci/firmware.sh m7f"),
    board("firmware-m33", "on Cortex-M33", "WHOLE=1 bash ci/firmware.sh m33"),
    board("firmware-m55", "on Cortex-M55", "WHOLE=1 bash ci/firmware.sh m55"),
    board("firmware-rv32", "on RV32IMAC", "WHOLE=1 bash ci/firmware.sh rv32"),
    board("firmware-fpu",
        "arithmetic by a Cortex-M's FPU has the kernels' bits, and wrong paths are detected",
        "bash ci/firmware.sh fpu"),
    board("firmware-faults",
        "the FPU's modes change nothing, and wrong digests are detected",
        "bash ci/firmware.sh faults"),
    board("firmware-application",
        "the example application logs the same on every target",
        "WHOLE=1 bash ci/firmware.sh application"),
    board("firmware-c", "the C library, and the worst data of its calls", "WHOLE=1 bash firmware/capi/test.sh"),
    board("costs", "instructions, flash and stack on microcontrollers", "bash firmware/costs.sh"),
    step(Lane::Cross, "no-panic",
        "no kernel can panic, here and for Cortex-M0 and Cortex-M4",
        "bash ci/no-panic.sh", &["kernels/src", "cases", "firmware/src", "ci/no-panic"]),
    step(Lane::Cross, "cross-builds",
        "the library builds for every target, with all features and none",
        "bash ci/cross-builds.sh", &["kernels"]),
    step(Lane::Own, "features",
        "the library builds without a warning with each feature alone",
        "WHOLE=1 bash ci/features.sh", &["kernels", "slices"]),
    step(Lane::Host, "publish",
        "the public crates build from their packages alone",
        "WHOLE=1 bash ci/publish.sh", &["kernels", "slices", "cuda-shim", "Cargo.toml"]),
    step(Lane::Cross, "commands",
        "the commands of the README and the guides run as they stand",
        "bash ci/commands.sh", &[ "*.md", "ci/commands.py", "host-tests/src", "firmware/examples", ]),
    step(Lane::Cross, "ptx-sm_75", "PTX for sm_75 passes its gates", "bash ci/ptx.sh sm_75", GPU),
    step(Lane::Cross, "ptx-sm_80", "for sm_80", "bash ci/ptx.sh sm_80", GPU),
    step(Lane::Cross, "ptx-sm_100", "for sm_100", "bash ci/ptx.sh sm_100", GPU),
    step(Lane::Cross, "ptx-reproducible",
        "PTX depends only on the source",
        "bash ci/ptx.sh sm_90 && bash ci/ptx-reproducible.sh", GPU),
    step(Lane::Cross, "ptx-callers",
        "other GPU code calls the kernels",
        "bash ci/ptx-callers.sh", &[ "kernels", "cuda-shim/cpp", "cuda-shim/example", "cuda-shim/functions", "firmware/capi", ]),
    step(Lane::Host, "gpu-emulated",
        "all of the GPU's composites on a driver that runs their bodies here",
        "bash ci/gpu-emulated.sh", GPU),
    step(Lane::Host, "checked", "the sweep with overflow checks and assertions", "bash ci/checked.sh", SWEEP),
    step(Lane::Host, "test-features",
        "the tests that need the GPU's host side or other libraries, and gradients at every setting",
        "WHOLE=1 cargo test --locked -p host-tests --features cuda,peers",
        &["kernels/src", "host-tests", "cuda-shim/src", "cuda-shim/plans/src"]),
    step(Lane::Host, "f32-functions",
        "the functions of f32 over all 2^32 operands, in all modes with flags, against the oracle",
        "WHOLE=1 cargo test --release --locked -p host-tests --test kernels singles -- --nocapture",
        &["kernels/src", "host-tests/oracles/src", "host-tests/tests/kernels/singles.rs"]),
    step(Lane::Host, "f32-by-f64",
        "the approximations in f64 of functions of f32, over all 2^32 operands, against the kernels",
        "WHOLE=1 cargo test --release --locked -p bitexact-enclosures --test double -- --nocapture",
        &["kernels/src", "kernels/enclosures"]),
    step(Lane::Host, "fuzz",
        "no text and no shape causes a panic: ten million of each",
        "bash ci/fuzz.sh 10000000", &[ "kernels/src", "slices/src", "host-tests/src", "host-tests/tests/fuzz", ]),
    step(Lane::Host, "mpfr", "MPFR as second oracle", "bash ci/mpfr.sh", SWEEP),
    step(Lane::Host, "p3109",
        "P3109: all codes of all formats with K up to 8, and two peers in Python",
        "bash ci/p3109.sh", &[ "kernels/src", "host-tests/src/cli/p3109", "host-tests/oracles/src/rational", "host-tests/tests/p3109", ]),
    step(Lane::Host, "slurm",
        "rows as an array of Slurm jobs, with a killed task and a drained node",
        "bash ci/slurm.sh", &[ "host-tests/cluster", "host-tests/src", "host-tests/engine/src", ]),
    step(Lane::Host, "vectors",
        "all packs of vectors: their sizes, the kernels, both forms in NumPy, their digests",
        "bash ci/systemverilog.sh whole", SWEEP),
    step(Lane::Host, "softfloat", "vectors of Berkeley SoftFloat", "bash ci/softfloat.sh", KERNELS),
    step(Lane::Host, "host-simd",
        "every implementation of every slice form, at every level of this processor",
        "WHOLE=1 bash ci/simd.sh", SLICES),
    step(Lane::Host, "states",
        "every way of the slice forms in all 16 states of the floating-point unit",
        "bash ci/simd.sh states", SLICES),
    step(Lane::Host, "slices",
        "the vectorised conversions over all 2^32 operands",
        "cargo test --locked --release -p bitexact-slices --test slices -- --ignored --test-threads=1", SLICES),
    step(Lane::Own, "vectorised",
        "the branch-free loops are vectorised",
        "bash ci/vectorised.sh", &["slices", "kernels/enclosures/src"]),
    step(Lane::Own, "neon", "the slices on 64-bit Arm, in QEMU", "bash ci/neon.sh", SLICES),
    step(Lane::Own, "zero-cost",
        "operators of `Rounded` are the functions' instructions",
        "bash ci/zero-cost.sh", &["kernels/src", "cases/generic"]),
    step(Lane::Own, "networks",
        "the reference networks do not depend on the build",
        "bash ci/networks.sh", &["kernels/src", "cases/networks"]),
    step(Lane::Own, "python", "the Python package with all golden digests, and with the oldest NumPy", "WHOLE=1 bash ci/python.sh", PYTHON),
    step(Lane::Own, "python-torch",
        "the Python package with PyTorch, which TORCH_PYTHON has",
        "bash ci/python-torch.sh", PYTHON),
    step(Lane::Own, "miri",
        "the examples run under Miri on three architectures, and every unsafe block",
        "bash ci/miri.sh", &["kernels/src", "kernels/enclosures/src", "slices"]),
    step(Lane::Own, "proofs",
        "conversions of f64 and comparisons of f32, by SMT solvers",
        "bash ci/proofs.sh", &["kernels/src", "host-tests/proofs"]),
    step(Lane::Own, "proofs-arithmetic",
        "the same, and sums, products and quotients of f32: hours",
        "WHOLE=1 bash ci/proofs.sh", &["kernels/src", "host-tests/proofs"]),
    step(Lane::Own, "mutants",
        "every planted fault is found",
        "bash ci/mutants.sh", &[ "kernels", "slices", "cuda-shim", "firmware", "host-tests", "python", "ci/mutants", ]),
    step(Lane::Host, "peers",
        "how often other libraries round wrongly: host-tests/evidence/peers.txt",
        "bash ci/sweep.sh peers >host-tests/evidence/peers.txt && tail -n 1 host-tests/evidence/peers.txt", &["host-tests/peers", "host-tests/src/peers.rs"]),
    step(Lane::Host, "ml_dtypes",
        "conversions of all 2^32 f32 against ml_dtypes' results",
        "cargo test --locked --release -p bitexact --test narrow -- --ignored --nocapture", &["kernels/src", "kernels/tests"]),
    arithmetic!("add.bf16"),
    arithmetic!("add.f16"),
    arithmetic!("div.bf16"),
    arithmetic!("div.f16"),
    arithmetic!("mul.bf16"),
    arithmetic!("mul.f16"),
    conversion!("convert.f32.bf16"),
    conversion!("convert.f32.f16"),
    exhaustive!("convert.f32.e2m1", " --rounding ties-to-even"),
    exhaustive!("convert.f32.e4m3fn", " --rounding ties-to-even"),
    exhaustive!("convert.f32.e4m3fnuz", " --rounding ties-to-even"),
    exhaustive!("convert.f32.e5m2", " --rounding ties-to-even"),
    exhaustive!("e8m0_encode.f32", ""),
    exhaustive!("mxint8_encode.f32", " --rounding ties-to-even --overflow ieee" ),
    function!("atan2.bf16"),
    function!("atan2.f16"),
    function!("compound.bf16"),
    function!("compound.f16"),
    function!("hypot.bf16"),
    function!("hypot.f16"),
    function!("logaddexp.bf16"),
    function!("logaddexp.f16"),
    function!("logaddexp2.bf16"),
    function!("logaddexp2.f16"),
    function!("pow.bf16"),
    function!("pow.f16"),
    function!("xlog1py.bf16"),
    function!("xlog1py.f16"),
    function!("xlogy.bf16"),
    function!("xlogy.f16"),
    step(Lane::Own, "gpu",
        "the sweep, the tests and compute-sanitizer on a GPU: ci/gpu-bundle.sh FOLDER; there FOLDER/run.sh FOLDER | tee LOG; here cargo xtask whole --take gpu LOG",
        "", GPU),
    step(Lane::Own, "gpu-exhaustive",
        "all pairs of arithmetic and all f32 operands of conversions on a GPU: as gpu, with FOLDER/run.sh FOLDER exhaustive",
        "", GPU),
];

#[cfg(test)]
mod tests {
    use super::{CI, Step, WHOLE};
    use std::collections::BTreeSet;
    use std::path::Path;

    fn all() -> impl Iterator<Item = &'static Step> {
        CI.iter().chain(WHOLE)
    }

    #[test]
    fn names_are_unique_and_needs_stand_before() {
        for list in [CI, WHOLE] {
            let mut seen = BTreeSet::new();
            for step in list {
                assert!(
                    step.needs.iter().all(|name| seen.contains(name)),
                    "{}",
                    step.name
                );
                assert!(seen.insert(step.name), "{} is twice in its list", step.name);
            }
        }
    }

    #[test]
    fn every_path_of_a_step_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .unwrap();
        for step in all() {
            for path in step.paths.iter().filter(|path| !path.contains('*')) {
                assert!(root.join(path).exists(), "{}: {path}", step.name);
            }
        }
    }

    #[test]
    fn every_script_is_named_by_a_step_a_page_or_another_script() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .unwrap();
        let steps = all().map(|step| format!("{}\n", step.command));
        let mut texts = vec![("steps".to_string(), steps.collect::<String>())];
        let folder = std::fs::read_dir(root.join("ci")).unwrap();
        let scripts = folder.map(|entry| format!("ci/{}", entry.unwrap().file_name().display()));
        for name in scripts.chain([".ci/run".into(), "ci/hooks/pre-push".into()]) {
            if let Ok(text) = std::fs::read_to_string(root.join(&name)) {
                texts.push((name, text));
            }
        }
        for (script, _) in texts.iter().filter(|(name, _)| name.ends_with(".sh")) {
            let name = script.trim_start_matches("ci/");
            let named = |(other, text): &(String, String)| other != script && text.contains(name);
            assert!(texts.iter().any(named), "nothing names {script}");
        }
    }
}
