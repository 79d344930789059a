#!/usr/bin/env python3
"""The constants of src/fixed/gamma.rs and src/fixed/log/ln.rs, and of src/math/lgamma.rs.

    python3 kernels/constants/gamma.py --check kernels/src/fixed/gamma.rs    # exit 1 where it differs
    python3 kernels/constants/gamma.py --write kernels/src/fixed/gamma.rs    # rewrite the generated block
"""
import emit
import mpmath

mpmath.mp.prec = 140


def rounded(x, digits):
    return int(mpmath.nint(x * mpmath.mpf(2) ** digits))


def gamma():
    """gamma(1 + f) in eighths of [0, 1), constant term first, in 2^-31."""
    lines = ["#[rustfmt::skip]", "const PIECES: [[i32; 7]; 8] = ["]
    for row in range(8):
        f = lambda u: mpmath.gamma(1 + (row + mpmath.mpf(1) / 2 + u) / 8)
        c = mpmath.chebyfit(f, [-0.5, 0.5], 7)[::-1]
        c = [rounded(k, 31) for k in c]
        assert all(-(2**31) <= k < 2**31 for k in c)
        lines.append("    [%s]," % ", ".join(map(str, c)))
    lines.append("];")
    return lines


def ln():
    """By sixteenth of [1, 2): its reciprocal in 2^-16, and that one's -ln in 2^-36."""
    parts = [rounded(1 / (1 + mpmath.mpf(2 * part + 1) / 32), 16) for part in range(16)]
    logs = [rounded(-mpmath.log(mpmath.mpf(r) / 2**16), 36) for r in parts]
    lines = ["#[rustfmt::skip]", "const RECIPROCALS: [u16; 16] = ["]
    lines.append("    %s," % ", ".join(map(str, parts)))
    lines += ["];", "#[rustfmt::skip]", "const LOGS: [i64; 16] = ["]
    for i in range(0, 16, 4):
        lines.append("    %s," % ", ".join(map(str, logs[i : i + 4])))
    lines.append("];")
    # ln(1 + z) = z + z^2 P(z), |z| < 2^-5 + 2^-10
    f = lambda z: (mpmath.log(1 + z) - z) / z**2 if abs(z) > 1e-12 else mpmath.mpf(-1) / 2
    c = mpmath.chebyfit(f, [mpmath.mpf(-33) / 1024, mpmath.mpf(33) / 1024], 4)
    lines.append("const SERIES: [i32; 4] = [%s];" % ", ".join(str(rounded(k, 31)) for k in c))
    lines.append("const LN_2: i64 = %d;" % rounded(mpmath.log(2), 36))
    return lines


def lgamma():
    """ln(pi / sin(pi k / 16)), k = 1 to 8, in 2^-28; ln(2 pi) / 2 in 2^-36."""
    logs = [mpmath.log(mpmath.pi / mpmath.sinpi(mpmath.mpf(k) / 16)) for k in range(1, 9)]
    return [
        "#[rustfmt::skip]",
        "const REFLECTED: [u32; 8] = [%s];" % ", ".join(str(rounded(v, 28)) for v in logs),
        "const HALF_LN_2_PI: i64 = %d;" % rounded(mpmath.log(2 * mpmath.pi) / 2, 36),
    ]


emit.main("gamma", {"fixed/gamma.rs": gamma, "log/ln.rs": ln, "math/lgamma.rs": lgamma})
