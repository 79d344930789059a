//! The steps of CI: the command of each, its budget, and the inputs of its verdict.

use crate::tree::{Compiler, Compilers, Inputs, Key, Result, Tree, View};

/// The resource that a step uses exclusively. Two steps run at a time, but no two that wait for the same build folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// Builds for this machine.
    Host,
    /// Builds for other targets, and QEMU, which keeps all cores busy.
    Cross,
    /// A separate build folder, or none.
    Own,
}

/// A longer form of a check than CI can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Long {
    No,
    /// `WHOLE=1` runs more of it, and has a separate record.
    Whole,
    /// It runs on another machine; the text says what to do there.
    Elsewhere(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub name: &'static str,
    pub what: &'static str,
    pub lane: Lane,
    /// Its budget in processor seconds.
    pub budget: u32,
    /// Steps that must run first.
    pub needs: &'static [&'static str],
    /// A line of bash.
    pub command: &'static str,
    /// The inputs that its record depends on; a step without inputs always runs.
    pub inputs: Option<Inputs>,
    pub long: Long,
}

impl Step {
    /// Prepares the machine.
    pub fn is_setup(&self) -> bool {
        self.name.ends_with("-setup")
    }

    /// The digests of what its record depends on.
    pub fn key(&self, tree: &Tree, compilers: &Compilers) -> Option<Result<Key>> {
        let inputs = self.inputs.as_ref()?;
        Some(tree.key(self.command, inputs, compilers))
    }
}

const fn step(
    lane: Lane,
    budget: u32,
    name: &'static str,
    what: &'static str,
    command: &'static str,
) -> Step {
    Step {
        name,
        what,
        lane,
        budget,
        needs: &[],
        command,
        inputs: None,
        long: Long::No,
    }
}

const fn inputs(
    crates: &'static [&'static str],
    files: &'static [&'static str],
    compiler: Compiler,
) -> Option<Inputs> {
    Some(Inputs {
        crates,
        files,
        compiler,
        view: View::Tokens,
    })
}

const fn seen(view: View, inputs: Option<Inputs>) -> Option<Inputs> {
    match inputs {
        Some(inputs) => Some(Inputs { view, ..inputs }),
        None => None,
    }
}

/// The sweep on a microcontroller: its program, and the host's part that sends jobs and checks the answers. The oracles
/// are only used for the first inputs of hard sets; other steps compare them with the golden digests.
const SWEEP_IN_QEMU: Option<Inputs> = inputs(
    &["firmware/device", "host-tests/catalog"],
    &[
        "host-tests/engine/src/**",
        "host-tests/golden/**",
        "host-tests/src/backend/qemu.rs",
        "host-tests/src/cli/programs.rs",
        "host-tests/src/cli/qemu.rs",
        "host-tests/src/composites.rs",
    ],
    Compiler::Cross,
);

/// The sweep on a board that runs another board's program: its processor is tested with fewer
/// inputs.
const fn board(name: &'static str, what: &'static str, budget: u32, command: &'static str) -> Step {
    Step {
        needs: &["cross-setup", "sweep"],
        inputs: SWEEP_IN_QEMU,
        long: Long::Whole,
        ..step(Lane::Cross, budget, name, what, command)
    }
}

const fn cross(
    name: &'static str,
    what: &'static str,
    budget: u32,
    command: &'static str,
    inputs: Option<Inputs>,
) -> Step {
    Step {
        needs: &["cross-setup"],
        inputs,
        ..step(Lane::Cross, budget, name, what, command)
    }
}

const SWEEP: Option<Inputs> = inputs(&["host-tests"], &["host-tests/golden/**"], Compiler::Host);
/// The Python package: the extension module, and what is Python in it.
const PYTHON_FILES: &[&str] = &[
    "docs/src/python.md",
    "host-tests/golden/**",
    "python/README.md",
    "python/bitexact/**",
    "python/examples/**",
    "python/pyproject.toml",
    "python/tests/**",
    "python/tools/**",
];
const PYTHON: Option<Inputs> = inputs(&["python"], PYTHON_FILES, Compiler::Host);
const PYTHON_TORCH: Option<Inputs> = inputs(
    &["python", "cuda-shim/emulator"],
    PYTHON_FILES,
    Compiler::Host,
);
const LINKED: Option<Inputs> = inputs(&["ci/no-panic"], &[], Compiler::Cross);
/// The device's side, and what the host's side lists as its entries.
const PTX: Option<Inputs> = seen(
    View::Without("host"),
    inputs(
        &["cuda-shim"],
        &[
            "cuda-shim/examples/entries.rs",
            "cuda-shim/src/host/bodies.rs",
            "cuda-shim/src/host/check.rs",
            "cuda-shim/src/host/fast.rs",
            "cuda-shim/src/host/rows.rs",
        ],
        Compiler::Cross,
    ),
);

pub const STEPS: &[Step] = &[
    step(
        Lane::Own,
        120,
        "host-setup",
        "installs what the host's builds and tests need",
        "bash ci/setup-host.sh",
    ),
    step(
        Lane::Own,
        400,
        "cross-setup",
        "installs the toolchain for microcontrollers and GPUs",
        "bash ci/setup-cross.sh && bash ci/setup-qemu.sh",
    ),
    step(
        Lane::Own,
        20,
        "format",
        "every crate is formatted",
        "bash ci/fmt.sh",
    ),
    step(
        Lane::Host,
        1310,
        "sweep",
        "the optimised sweep is built, once for all steps that use it",
        "bash ci/sweep.sh",
    ),
    Step {
        needs: &["cross-setup"],
        inputs: inputs(&["ci/no-panic"], &[], Compiler::Host),
        ..step(
            Lane::Cross,
            300,
            "no-panic-host",
            "no kernel can panic: links for this machine",
            "bash ci/no-panic.sh host",
        )
    },
    cross(
        "no-panic-thumbv7em",
        "the same for Cortex-M4",
        550,
        "bash ci/no-panic.sh thumbv7em-none-eabi",
        LINKED,
    ),
    cross(
        "no-panic-thumbv6m",
        "the same for Cortex-M0",
        520,
        "bash ci/no-panic.sh thumbv6m-none-eabi",
        LINKED,
    ),
    step(
        Lane::Host,
        2210,
        "test",
        "the tests of all crates",
        "cargo test --workspace --locked --no-fail-fast",
    ),
    board(
        "firmware-m0",
        "the sweep on Cortex-M0 in QEMU",
        1470,
        "bash ci/firmware.sh m0",
    ),
    board("firmware-m3", "on Cortex-M3", 600, "bash ci/firmware.sh m3"),
    board("firmware-m4", "on Cortex-M4", 600, "bash ci/firmware.sh m4"),
    board(
        "firmware-m4f",
        "on Cortex-M4F",
        600,
        "bash ci/firmware.sh m4f",
    ),
    board("firmware-m7", "on Cortex-M7", 400, "bash ci/firmware.sh m7"),
    board(
        "firmware-m7f",
        "on Cortex-M7F",
        400,
        "bash ci/firmware.sh m7f",
    ),
    board(
        "firmware-m33",
        "on Cortex-M33",
        600,
        "bash ci/firmware.sh m33",
    ),
    board(
        "firmware-m55",
        "on Cortex-M55",
        400,
        "bash ci/firmware.sh m55",
    ),
    board(
        "firmware-rv32",
        "on RV32IMAC",
        600,
        "bash ci/firmware.sh rv32",
    ),
    cross(
        "firmware-fpu",
        "arithmetic by a Cortex-M's FPU has the kernels' bits, and wrong paths are detected",
        // Alone in a fresh clone, where it builds for two targets and the logs' decoder: about 400 s.
        600,
        "bash ci/firmware.sh fpu",
        inputs(&["firmware/device", "firmware/tools"], &[], Compiler::Cross),
    ),
    Step {
        needs: &["cross-setup", "sweep"],
        inputs: SWEEP_IN_QEMU,
        ..step(
            Lane::Cross,
            400,
            "firmware-faults",
            "the FPU's modes change nothing, and wrong digests are detected",
            "bash ci/firmware.sh faults",
        )
    },
    cross(
        "firmware-application",
        "the example application logs the same on every target",
        // Alone in a fresh clone it builds for all nine targets: 573 s.
        1430,
        "bash ci/firmware.sh application",
        inputs(
            &["firmware/device", "firmware/tools", "firmware/template"],
            &[
                "firmware/digits/**",
                "firmware/examples/**",
                "firmware/template/**",
                "host-tests/golden/composites.txt",
            ],
            Compiler::Cross,
        ),
    ),
    Step {
        needs: &["cross-setup", "sweep"],
        inputs: inputs(
            &["firmware/device", "firmware/tools", "host-tests"],
            &[
                "CONTRIBUTING.md",
                "README.md",
                "ci/README.md",
                "ci/commands.py",
                "cuda-shim/README.md",
                "docs/src/**",
                "firmware/**/README.md",
                "firmware/examples/**",
                "host-tests/golden/**",
                "python/README.md",
            ],
            Compiler::Cross,
        ),
        ..step(
            Lane::Cross,
            900,
            "commands",
            "the commands of the README and the guides run as they stand",
            "bash ci/commands.sh",
        )
    },
    cross(
        "firmware-c",
        "the C headers match the catalog, C programs get the golden values, and the examples run",
        800,
        "bash firmware/capi/test.sh",
        inputs(
            &["firmware/capi", "firmware/tools"],
            &[
                "firmware/capi/test/**",
                "firmware/capi/bitexact.h",
                "firmware/capi/cmake/**",
                "firmware/capi/examples/**",
                "host-tests/golden/**",
            ],
            Compiler::Cross,
        ),
    ),
    cross(
        "costs",
        "instructions, flash and stack on microcontrollers",
        800,
        "bash firmware/costs.sh",
        inputs(
            &["firmware/device", "firmware/tools"],
            &[
                "firmware/COSTS.md",
                "firmware/counter.c",
                "firmware/digits/**",
            ],
            Compiler::Cross,
        ),
    ),
    cross(
        "ptx-sm_75",
        "PTX for sm_75: the gates, the entries, no spill",
        1_100,
        "bash ci/ptx.sh sm_75",
        PTX,
    ),
    cross("ptx-sm_80", "for sm_80", 1_100, "bash ci/ptx.sh sm_80", PTX),
    cross("ptx-sm_90", "for sm_90", 1_100, "bash ci/ptx.sh sm_90", PTX),
    cross(
        "ptx-sm_100",
        "for sm_100",
        1_100,
        "bash ci/ptx.sh sm_100",
        PTX,
    ),
    Step {
        needs: &["cross-setup", "ptx-sm_90"],
        inputs: PTX,
        ..step(
            Lane::Own,
            950,
            "ptx-reproducible",
            "PTX depends only on the source",
            "bash ci/ptx-reproducible.sh",
        )
    },
    cross(
        "ptx-callers",
        "other GPU code calls the kernels",
        300,
        "bash ci/ptx-callers.sh",
        inputs(
            &["cuda-shim/example", "cuda-shim/functions", "firmware/capi"],
            &["cuda-shim/cpp/**", "host-tests/golden/**"],
            Compiler::Cross,
        ),
    ),
    cross(
        "cross-builds",
        "the library builds for every target, with all features and none",
        950,
        "bash ci/cross-builds.sh",
        inputs(&["kernels"], &[], Compiler::Cross),
    ),
    Step {
        needs: &["test"],
        inputs: SWEEP,
        ..step(
            Lane::Host,
            700,
            "checked",
            "the sweep with overflow checks and assertions",
            "bash ci/checked.sh",
        )
    },
    Step {
        inputs: inputs(
            &["host-tests", "slices"],
            &["host-tests/tests/fuzz/**"],
            Compiler::Host,
        ),
        ..step(
            Lane::Host,
            450,
            "fuzz",
            "no text and no shape causes a panic",
            "bash ci/fuzz.sh",
        )
    },
    Step {
        inputs: inputs(
            &[
                "cuda-shim",
                "cuda-shim/emulator",
                "cases/networks",
                "firmware",
            ],
            &["cuda-shim/tests/**", "firmware/digits/images.bin"],
            Compiler::Host,
        ),
        ..step(
            Lane::Host,
            850,
            "gpu-emulated",
            "the GPU's composites on a driver that runs their bodies here",
            "bash ci/gpu-emulated.sh",
        )
    },
    Step {
        needs: &["sweep"],
        inputs: inputs(
            &["host-tests"],
            &[
                "host-tests/golden/**",
                "host-tests/tests/sweep/two_oracles.rs",
            ],
            Compiler::Host,
        ),
        ..step(
            Lane::Host,
            300,
            "mpfr",
            "MPFR as second oracle",
            "bash ci/mpfr.sh",
        )
    },
    Step {
        needs: &["sweep"],
        inputs: inputs(
            &["host-tests", "kernels"],
            &["host-tests/tests/p3109/**", "host-tests/tests/vectors/**"],
            Compiler::Host,
        ),
        ..step(
            Lane::Host,
            200,
            "p3109",
            "P3109: all codes of all formats with K up to 8, and two peers in Python",
            "bash ci/p3109.sh",
        )
    },
    Step {
        needs: &["sweep"],
        inputs: inputs(
            &["host-tests"],
            &["host-tests/cluster/array.sbatch", "host-tests/golden/**"],
            Compiler::Host,
        ),
        ..step(
            Lane::Host,
            400,
            "slurm",
            "rows as an array of Slurm jobs, with a killed task and a drained node",
            "bash ci/slurm.sh",
        )
    },
    Step {
        needs: &["sweep"],
        inputs: inputs(
            &["host-tests"],
            &["ci/softfloat_vectors.py"],
            Compiler::Host,
        ),
        ..step(
            Lane::Host,
            300,
            "softfloat",
            "vectors of Berkeley SoftFloat",
            "bash ci/softfloat.sh",
        )
    },
    Step {
        needs: &["sweep"],
        inputs: inputs(
            &["host-tests", "host-tests/simd"],
            &["host-tests/golden/**", "slices/tests/**"],
            Compiler::Host,
        ),
        long: Long::Whole,
        ..step(
            Lane::Host,
            // It took 807 s beside other work.
            2000,
            "host-simd",
            "every implementation of every slice form",
            "bash ci/simd.sh",
        )
    },
    Step {
        inputs: inputs(&["slices"], &["slices/examples/loops.rs"], Compiler::Host),
        ..step(
            Lane::Own,
            200,
            "vectorised",
            "the branch-free loops are vectorised",
            "bash ci/vectorised.sh",
        )
    },
    Step {
        inputs: inputs(
            &["cases/generic"],
            &["cases/generic/examples/**", "ci/zero_cost.py"],
            Compiler::Host,
        ),
        ..step(
            Lane::Own,
            300,
            "zero-cost",
            "operators of `Rounded` are the functions' instructions",
            "bash ci/zero-cost.sh",
        )
    },
    Step {
        inputs: inputs(
            &["slices", "cases/networks"],
            &["slices/examples/loops.rs", "slices/tests/**"],
            Compiler::Host,
        ),
        ..step(
            Lane::Own,
            800,
            "neon",
            "the same on 64-bit Arm, in QEMU",
            "bash ci/neon.sh",
        )
    },
    Step {
        inputs: inputs(
            &["cases/networks"],
            &["cases/networks/examples/**"],
            Compiler::Host,
        ),
        ..step(
            Lane::Own,
            240,
            "networks",
            "the reference networks do not depend on the build",
            "bash ci/networks.sh",
        )
    },
    Step {
        inputs: PYTHON,
        long: Long::Whole,
        ..step(
            Lane::Own,
            1000,
            "python",
            "the Python package: its wheel, and its tests with NumPy",
            "bash ci/python.sh",
        )
    },
    Step {
        inputs: PYTHON_TORCH,
        ..step(
            Lane::Own,
            1000,
            "python-torch",
            "the same with PyTorch, where it is installed",
            "bash ci/python-torch.sh",
        )
    },
    step(
        Lane::Host,
        350,
        "clippy",
        "clippy finds nothing",
        "bash ci/clippy.sh",
    ),
    step(
        Lane::Host,
        300,
        "documentation",
        "the documentation builds without a warning",
        "bash ci/docs.sh",
    ),
    step(
        Lane::Own,
        300,
        "book",
        "the book builds, and no link in the Markdown is dead",
        "bash ci/book.sh",
    ),
    Step {
        needs: &["sweep"],
        ..step(
            Lane::Host,
            260,
            "site",
            "the report site in a browser, and its kernels as WebAssembly",
            "bash ci/site.sh",
        )
    },
    step(
        Lane::Own,
        160,
        "api",
        "the public items are those of ci/api",
        "bash ci/api.sh",
    ),
    step(
        Lane::Own,
        270,
        "features",
        "the library builds without a warning with each feature alone",
        "bash ci/features.sh",
    ),
    step(
        Lane::Host,
        200,
        "msrv",
        "the library builds with its oldest compiler",
        "bash ci/msrv.sh",
    ),
    step(
        Lane::Host,
        200,
        "publish",
        "the public crates can be published",
        "bash ci/publish.sh",
    ),
    step(
        Lane::Own,
        120,
        "deny",
        "licences, advisories and duplicates of dependencies",
        "bash ci/deny.sh",
    ),
    Step {
        inputs: seen(
            View::Generated,
            inputs(
                &[],
                &[
                    "kernels/enclosures/src/**",
                    "kernels/src/**",
                    "kernels/constants/**",
                ],
                Compiler::None,
            ),
        ),
        ..step(
            Lane::Own,
            150,
            "constants",
            "the generators reproduce every constant",
            "bash ci/constants.sh",
        )
    },
    Step {
        inputs: seen(
            View::Whole,
            inputs(
                &["kernels", "slices"],
                &["slices/tests/common/**", "slices/tests/unsafe_blocks.rs"],
                Compiler::Host,
            ),
        ),
        ..step(
            Lane::Own,
            850,
            "miri",
            "the examples run under Miri on three architectures, and every unsafe block",
            "bash ci/miri.sh",
        )
    },
    Step {
        inputs: inputs(&["proofs"], &["host-tests/proofs/*.py"], Compiler::Host),
        long: Long::Whole,
        ..step(
            Lane::Own,
            200,
            "proofs",
            "conversions of f64 and comparisons of f32, by SMT solvers",
            "bash ci/proofs.sh",
        )
    },
    Step {
        inputs: inputs(
            &["cuda-shim"],
            &[
                "cuda-shim/tests/**",
                "ci/gpu-run.sh",
                "host-tests/golden/**",
                "host-tests/src/backend/cuda.rs",
            ],
            Compiler::Cross,
        ),
        long: Long::Elsewhere(
            "ci/gpu-bundle.sh FOLDER; on a machine with a GPU FOLDER/run.sh FOLDER | tee LOG; cargo xtask record gpu LOG",
        ),
        ..step(
            Lane::Own,
            0,
            "gpu",
            "the sweep, the tests and compute-sanitizer on a GPU",
            "",
        )
    },
];
