#!/usr/bin/env python3
"""The constants of src/fixed/erfc.rs: exp(y^2) erfc(y) in pieces, and 2^x.

    python3 kernels/constants/erfc.py --check kernels/src/fixed/erfc.rs    # exit 1 where it differs
    python3 kernels/constants/erfc.py --write kernels/src/fixed/erfc.rs    # rewrite the generated block
"""
import emit
import mpmath

mpmath.mp.prec = 140
DEGREE = 6
# The last one begins below 11.
ROWS = 14


def piece(row):
    """Coefficients, constant term first, of 2^e exp(y^2) erfc(y), scaled by 2^32."""
    e, part = divmod(row, 4)
    centre = 1 + mpmath.mpf(2 * part + 1) / 8
    # u in [-1/2, 1/2): y + 1 = 2^e (centre + u / 4)
    y = lambda u: 2**e * (centre + u / 4) - 1
    f = lambda u: 2**e * mpmath.exp(y(u) ** 2) * mpmath.erfc(y(u))
    c = mpmath.chebyfit(f, [-0.5, 0.5], DEGREE + 1)[::-1]
    c = [int(mpmath.nint(k * 2**32)) for k in c]
    # The constant term is unsigned, kept in the bits of a signed word.
    c[0] -= 2**32 if c[0] >= 2**31 else 0
    assert all(-(2**31) <= k < 2**31 for k in c)
    return c


def text():
    lines = ["#[rustfmt::skip]", "const PIECES: [[i32; %d]; %d] = [" % (DEGREE + 1, ROWS)]
    for row in range(ROWS):
        lines.append("    [%s]," % ", ".join(map(str, piece(row))))
    lines.append("];")
    lines.append("#[rustfmt::skip]")
    lines.append("const EXP2: [u32; 16] = [")
    roots = [int(mpmath.nint(mpmath.mpf(2) ** (mpmath.mpf(i) / 16) * 2**31)) for i in range(16)]
    for i in range(0, 16, 8):
        lines.append("    %s," % ", ".join(map(str, roots[i : i + 8])))
    lines.append("];")
    f = lambda r: (mpmath.mpf(2) ** (r / 16) - 1) / r if r else mpmath.log(2) / 16
    c = mpmath.chebyfit(f, [0, 1], 3)
    lines.append(
        "const EXP2_CUBIC: [u32; 3] = [%s];"
        % ", ".join(str(int(mpmath.nint(k * 2**36))) for k in c)
    )
    return "\n".join(lines)


emit.main("erfc", [text()])
