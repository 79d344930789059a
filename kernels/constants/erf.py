#!/usr/bin/env python3
"""The constants of src/math/erf.rs: erf(x) / x as a polynomial in x^2, below 1/4.

    python3 kernels/constants/erf.py --check kernels/src/math/erf.rs    # exit 1 where it differs
    python3 kernels/constants/erf.py --write kernels/src/math/erf.rs    # rewrite the generated block
"""
import emit
import mpmath

mpmath.mp.prec = 140


def text():
    def f(s):
        x = mpmath.sqrt(s)
        return mpmath.erf(x) / x if s else 2 / mpmath.sqrt(mpmath.pi)

    c = mpmath.chebyfit(f, [0, 0.25], 6)
    c = [int(mpmath.nint(k * 2**31)) for k in c]
    return "\n".join([
        "const LEADING: u32 = %d;" % c[-1],
        "const SERIES: [i32; 5] = [%s];" % ", ".join(map(str, c[:-1])),
    ])


emit.main("erf", [text()])
