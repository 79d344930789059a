"""Drives fp8_fma.sv under cocotb with operands of its own; the Python package says what is right.

BITEXACT_CASES is the number of operands. With `python3 test_fp8_fma.py [MISTAKE]` the module builds the unit with Icarus Verilog
and runs itself; the exit status is 1 if results differ.
"""

import os
import pathlib
import sys

import bitexact_kernels as bx
import cocotb
import ml_dtypes
import numpy as np
from cocotb.triggers import Timer


def expected(a, b, c):
    """a * b + c rounded once to f16: E4M3's numbers and f16's are f16's, so its fma is asked."""
    a, b = (bx.convert(x.view(ml_dtypes.float8_e4m3fn), "float16", rounding="ties-to-even") for x in (a, b))
    return bx.fma(a, b, c.view(np.float16), rounding="ties-to-even").view(np.uint16)


@cocotb.test()
async def every_result_is_the_packages(unit):
    rng = np.random.default_rng(1)
    cases = int(os.environ.get("BITEXACT_CASES", "20000"))
    a, b = (rng.integers(0, 256, cases).astype(np.uint8) for _ in range(2))
    c = rng.integers(0, 65536, cases).astype(np.uint16)
    # A quarter of the sums cancels in part: c is near the product's opposite.
    product = expected(a, b, np.zeros_like(c)) ^ 0x8000
    c[::4] = (product + rng.integers(-2, 3, cases))[::4] & 0xFFFF
    wrong = 0
    for x, y, z, right in zip(a, b, c, expected(a, b, c)):
        unit.a.value, unit.b.value, unit.c.value = int(x), int(y), int(z)
        await Timer(1, "step")
        got = int(unit.r.value)
        if got != right:
            wrong += 1
            if wrong <= 3:
                unit._log.info(f"{x:02X} * {y:02X} + {z:04X}: {got:04X}, right is {right:04X}")
    assert wrong == 0, f"{wrong} of {cases} differ"


if __name__ == "__main__":
    from cocotb_tools.runner import get_results, get_runner

    here = pathlib.Path(__file__).parent
    mistake = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    runner = get_runner("icarus")
    build = pathlib.Path(os.environ.get("BUILD", "sim_build")) / str(mistake)
    runner.build(sources=[here / "fp8_fma.sv"], hdl_toplevel="fp8_fma", parameters={"MISTAKE": mistake}, build_args=["-g2012"],
                 build_dir=build, always=True)
    results = runner.test(hdl_toplevel="fp8_fma", test_module="test_fp8_fma", test_dir=build, build_dir=build)
    tests, failed = get_results(results)
    sys.exit(1 if failed or not tests else 0)
