#!/usr/bin/env python3
"""The constants of src/math/cbrt.rs: a cubic for cbrt on [1, 2), and the cube roots of 1, 2, 4.

    python3 kernels/constants/cbrt.py --check kernels/src/math/cbrt.rs    # exit 1 where it differs
    python3 kernels/constants/cbrt.py --write kernels/src/math/cbrt.rs    # rewrite the generated block
"""
import emit
import mpmath

mpmath.mp.prec = 100
# The polynomial's error bound, added so that the result is never below the true root.
BIAS = mpmath.mpf("1.3e-4")


def text():
    cubic = mpmath.chebyfit(lambda f: mpmath.cbrt(1 + f), [0, 1], 4)
    cubic[3] += BIAS
    cubic = [int(mpmath.nint(c * 2**16)) for c in cubic]
    scale = [int(mpmath.nint(mpmath.cbrt(2**r) * 2**14)) for r in range(3)] + [0]
    return "\n".join([
        "const CUBIC: [i32; 4] = [%s];" % ", ".join(map(str, cubic)),
        "const SCALE: [u32; 4] = [%s];" % ", ".join(map(str, scale)),
    ])


emit.main("cbrt", [text()])
