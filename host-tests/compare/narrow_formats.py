#!/usr/bin/env python3
"""Compares the narrow formats' conversions with ml_dtypes, where the rule is the same.

Needs numpy and ml_dtypes (made with numpy 2.4.6, ml_dtypes 0.6.0) and a built `sweep`:

    cargo build --release -p host-tests
    python3 host-tests/compare/narrow_formats.py target/release/sweep [--exhaustive]

Of each format: every code to f32, f16 and bf16; all 65,536 f16 and bf16 to it; and of f32 every tie
between two of its numbers with both neighbours, and more: all upper halves of a code, with the lower
halves 0000, 0001, 8000 and FFFF. With `--exhaustive`, all 2^32. Ties to even, IEEE overflow, which is ml_dtypes'
only rule. Two differences of rule are left out and counted: it keeps a NaN's sign (ours is the one
canonical NaN, and a NaN from overflow or an infinity is compared as a NaN), and into formats without
NaN it makes a NaN a zero of the other sign (ours is the largest number, with invalid).
"""
import subprocess
import sys

import ml_dtypes
import numpy as np

FORMATS = {
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3fn": ml_dtypes.float8_e4m3fn,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
}
BITS = {"e2m3": 6, "e3m2": 6, "e2m1": 4}
WIDE = {
    "f32": (np.float32, np.uint32, 32),
    "f16": (np.float16, np.uint16, 16),
    "bf16": (ml_dtypes.bfloat16, np.uint16, 16),
}
CHUNK = 1 << 24
LOWER = (0x0000, 0x0001, 0x8000, 0xFFFF)


def run(sweep, command, row, *arguments, text=None):
    command = [sweep, command, row, "--rounding", "ties-to-even", "--overflow", "ieee", *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=text).stdout


def dump(sweep, row, begin, end):
    """The kernel's outputs for these codes."""
    return run(sweep, "dump", row, "--range", f"{begin}..{end}")


def inputs(sweep, row, bits, exhaustive):
    """Codes and the kernel's outputs, in parts."""
    if bits == 16:
        codes = np.arange(1 << 16, dtype=np.uint16)
        yield codes, np.frombuffer(dump(sweep, row, 0, 1 << 16), dtype=np.uint8)
    elif exhaustive:
        for begin in range(0, 1 << 32, CHUNK):
            codes = np.arange(begin, begin + CHUNK, dtype=np.uint64).astype(np.uint32)
            yield codes, np.frombuffer(dump(sweep, row, begin, begin + CHUNK), dtype=np.uint8)
    else:
        upper = np.arange(1 << 16, dtype=np.uint32) << 16
        codes = (upper[:, None] | np.array(LOWER, dtype=np.uint32)).reshape(-1)
        text = "".join(f"{code:08X}\n" for code in codes).encode()
        lines = run(sweep, "eval", row, text=text).split(b"\n")[:-1]
        yield codes, np.array([int(line.split()[1], 16) for line in lines], dtype=np.uint8)


def is_nan(values):
    return np.isnan(values.astype(np.float32))


def to_narrow(name, wide, codes, ours):
    x = codes.view(WIDE[wide][0])
    with np.errstate(all="ignore"):
        theirs = x.astype(FORMATS[name])
    same = ours == theirs.view(np.uint8)
    same |= is_nan(ours.view(FORMATS[name])) & is_nan(theirs)
    ruled_out = is_nan(x) & (name in BITS)
    return len(x), int(ruled_out.sum()), codes[~same & ~ruled_out]


def from_narrow(sweep, name, wide):
    dtype, word, _ = WIDE[wide]
    codes = np.arange(1 << BITS.get(name, 8), dtype=np.uint8)
    with np.errstate(all="ignore"):
        theirs = codes.view(FORMATS[name]).astype(np.float32).astype(dtype)
    ours = np.frombuffer(dump(sweep, f"convert.{name}.{wide}", 0, len(codes)), dtype=word)
    same = ours == theirs.view(word)
    same |= is_nan(ours.view(dtype)) & is_nan(theirs)
    return len(codes), 0, codes[~same]


def main():
    sweep, exhaustive = sys.argv[1], "--exhaustive" in sys.argv[2:]
    bad = 0
    print(f"ml_dtypes {ml_dtypes.__version__}, numpy {np.__version__}")
    print(f"{'row':24} {'inputs':>11} {'left out':>9} {'different':>9}")
    for name in FORMATS:
        for wide, (_, _, bits) in WIDE.items():
            compared, ruled_out, different = 0, 0, []
            row = f"convert.{wide}.{name}"
            for codes, ours in inputs(sweep, row, bits, exhaustive):
                n, out, wrong = to_narrow(name, wide, codes, ours)
                compared, ruled_out = compared + n, ruled_out + out
                different.extend(wrong)
            rows = [(row, compared, ruled_out, different),
                    (f"convert.{name}.{wide}", *from_narrow(sweep, name, wide))]
            for row, n, out, wrong in rows:
                print(f"{row:24} {n:11} {out:9} {len(wrong):9}", flush=True)
                for code in wrong[:4]:
                    print(f"    {int(code):X}")
                bad += len(wrong)
    print("all equal" if bad == 0 else f"{bad} different")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
