"""Threads where a process has its parent's number, and where the system has no more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux's name spaces and limits")

IN_A_NAMESPACE = """
import ctypes, os, signal, time
import numpy as np, bitexact_kernels as bx

bx.set_threads(2)
x = np.ones(1 << 20, np.float32)
bx.add(x, x, rounding="ties-to-even")
assert os.getpid() == 1
# The next child begins a name space.
assert ctypes.CDLL(None).unshare(0x20000000) == 0
child = os.fork()
if child == 0:
    right = os.getpid() == 1 and (bx.add(x, x, rounding="ties-to-even") == 2).all()
    os._exit(0 if right else 1)
for _ in range(600):
    done, status = os.waitpid(child, os.WNOHANG)
    if done:
        break
    time.sleep(0.1)
else:
    os.kill(child, signal.SIGKILL)
    raise SystemExit("the child hangs")
assert status == 0
"""


@LINUX
def test_a_child_with_its_parents_number_has_threads_of_its_own() -> None:
    program = shutil.which("unshare")
    unshare = [program or "unshare", "--pid", "--fork", *(["--user", "--map-root-user"] if os.geteuid() else [])]
    if program is None or subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        pytest.skip("no name spaces of processes here")
    done = subprocess.run([*unshare, sys.executable, "-c", IN_A_NAMESPACE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


WITHOUT_THREADS = """
import os, resource
import numpy as np, bitexact_kernels as bx
from bitexact_kernels import mx

x = np.ones(1 << 20, np.float32)

def run():
    assert (bx.add(x, x, rounding="ties-to-even") == 2).all()
    assert bx.sum_exact(x, rounding="ties-to-even") == 1 << 20
    assert (bx.sum_exact(x.reshape(1 << 10, -1), axis=1, rounding="ties-to-even") == 1 << 10).all()
    mx.quantise(x.reshape(-1, 32), "float8_e4m3fn", dialect="ocp-floor")

bx.set_threads(2)
# What is imported late may not be readable for nobody.
run()
if os.geteuid() == 0:
    # Root has no such limit.
    os.setuid(65534)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
bx.set_threads(3)
run()
run()
"""


@LINUX
def test_everything_runs_without_threads() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_THREADS], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
