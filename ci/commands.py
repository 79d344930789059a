#!/usr/bin/env python3
"""Runs the commands of the guides' shell blocks; ci/commands.sh calls it. `--list` only prints them.

Every line of every block ```sh is run verbatim, or stands in NOT_RUN with the reason. A line that names a file of the
repository runs in its root; another one (`sweep ...`) in an empty folder, with `sweep` on PATH. An entry of NOT_RUN
that no guide shows is an error.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [
    "README.md", "CONTRIBUTING.md", "ci/README.md", "cuda-shim/README.md", "firmware/README.md", "firmware/capi/README.md",
    "python/README.md", *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/src/*.md")),
]

RELEASE = "the crates are not on crates.io yet; step `publish` builds their packages"
GPU = "needs a GPU"
SLURM = "needs a cluster, and stands for names of your own; step `slurm` runs these on a cluster of its own"
CI = "it is CI itself"
NOT_RUN = {
    "cargo add bitexact": RELEASE,
    "cargo add bitexact-slices": RELEASE,
    "pip install bitexact-kernels": "the package is not on PyPI yet; step `python` installs its wheel in a fresh environment",
    "cargo run --release": "minutes: the whole sweep; step `sweep` is this command",
    "cargo test --workspace": "step `test` is this command",
    "sweep run --op add.f16 --exhaustive": "all 2^32 pairs take half an hour or more",
    "testfloat_gen -rminMag f16_mul | sweep verify f16_mul --rounding toward-zero":
        "no package has `testfloat_gen`; step `softfloat` runs `sweep verify`",
    "sweep run --shard 3/16 --out DIR ...": SLURM,
    "sweep missing DIR": SLURM,
    "sweep merge DIR": SLURM,
    'run="host-tests/cluster/array.sbatch 256 DIR --backend cuda --exhaustive --op fma.bf16 --rounding ties-to-even --overflow ieee"': SLURM,
    "sbatch --array=1-256 --gres=gpu:1 $run": SLURM,
    'sbatch --array="$(sweep missing DIR)" --gres=gpu:1 $run': SLURM,
    "sweep run --backend cuda --device all ...": GPU,
    "BITEXACT_PTX=target/ptx cargo test -p cuda-shim --features device --test gpu -- digits --include-ignored --nocapture": GPU,
    "ci/gpu-bundle.sh /tmp/gpu": "builds the GPU's bundle: minutes; the steps `ptx-*` build its parts",
    "/tmp/gpu/run.sh reports compare": GPU,
    "ci/ptx.sh sm_90": "step `ptx` is this command",
    "ci/fatbin.sh": "compiles the entries for six architectures: minutes; the steps `ptx-*` build its parts",
    "ci/ptx-callers.sh sm_90": "step `ptx-callers` is this command",
    "ci/gpu-bundle.sh OUTDIR": "as `ci/gpu-bundle.sh /tmp/gpu`",
    "ci/gpu-emulated.sh": "step `gpu-emulated` of `whole` is this command",
    "nvcc -arch=sm_90 -dc bitexact_callers_sm_90.cubin -o bitexact.o": "step `ptx-callers` runs these two, on a program of its own",
    "nvcc -arch=sm_90 -rdc=true yours.cu bitexact.o -o yours": "as above",
    "sweep run --exhaustive --backend cuda --oracle device --op add.f16,add.bf16,mul.f16,div.bf16": GPU,
    "sweep run --exhaustive --backend cuda --oracle device --op 'convert.f32.*16,convert.f32.e*,mxint8_encode*.f32'": GPU,
    "sweep run --exhaustive --backend cuda --op fma.f16 --rounding ties-to-even --overflow ieee --shard 61/256": GPU,
    "git config core.hooksPath ci/hooks": "changes the configuration of the clone",
    "cargo xtask ci": CI,
    "cargo xtask ci clippy firmware": CI,
    "cargo xtask whole --due": "fails while anything is due",
    "cargo xtask whole": "hours",
    "cargo xtask whole mpfr pow": "minutes of many cores",
    "ci/gpu-bundle.sh FOLDER": "as `ci/gpu-bundle.sh /tmp/gpu`",
    "FOLDER/run.sh FOLDER | tee LOG": GPU,
    "cargo xtask whole --take gpu LOG": "takes the log of a run on a GPU",
    "cargo run --release --features report -- report target/report --open": "opens a window; step `site` writes the site and looks at it in a browser",
    "python docs/site/results.py torch-compiled --device cuda results.npz": "needs PyTorch and a GPU",
    "python docs/site/compare.py results.npz": "takes the results of the line above",
}


def commands(page):
    """The commands of a page: its lines, without comments, with continued lines joined."""
    text = (ROOT / page).read_text()
    for block in re.findall(r"^ *```(?:sh|bash|shell|console)\b[^\n]*\n(.*?)^ *```", text, re.M | re.S):
        for line in re.sub(r"\\\n", "", block).splitlines():
            line = re.sub(r"(^|\s)#.*$", "", line).strip()
            if line:
                yield line


def in_repository(command):
    first = [word for word in shlex.split(command) if "=" not in word][0]
    return first in ("cargo", "git", "cmake", "pip") or "/" in first


def main():
    shown = [(page, command) for page in PAGES if (ROOT / page).is_file() for command in commands(page)]
    if unknown := set(NOT_RUN) - {command for _, command in shown}:
        sys.exit(f"ci/commands.py: no guide shows {sorted(unknown)}")
    run, done = 0, set()
    for page, command in shown:
        if command in NOT_RUN:
            print(f"not run  {page}: {command}\n         ({NOT_RUN[command]})")
            continue
        print(f"run      {page}: {command}", flush=True)
        if "--list" in sys.argv or command in done:
            continue
        done.add(command)
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as empty:
            folder = ROOT if in_repository(command) else empty
            ran = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "OUT": empty},
            )
        if ran.returncode:
            sys.stdout.buffer.write(ran.stdout[-4000:])
            sys.exit(f"{page}: `{command}` gave exit status {ran.returncode}")
        run += 1
        print(f"         {time.monotonic() - start:.1f} s", flush=True)
    print(f"\n-- {run} commands ran, {len(NOT_RUN)} are listed as not run")


main()
