#!/usr/bin/env python3
"""Conversions by PyPI's gfloat 0.5 as lines for `sweep p3109 verify --revision 2026-07`.

    python3 -m pip install gfloat
    python3 host-tests/tests/p3109/gfloat_lines.py SEED COUNT | sweep p3109 verify --revision 2026-07

gfloat has the later rule that SatNone gives NaN beyond a finite domain. It differs from both texts where a negative
value, or -Inf, is converted to an unsigned format: it neither rounds first nor clamps to zero, takes -Inf for +Inf
where there are infinities, or raises an error. `--all` writes those lines too. COUNT is per format.
"""

import math
import random
import struct
import sys

from gfloat import RoundMode, encode_float, round_float
from gfloat.formats import format_info_p3109
from gfloat.types import Domain, Signedness

ROUNDINGS = {
    "TowardZero": RoundMode.TowardZero,
    "TowardNegative": RoundMode.TowardNegative,
    "TowardPositive": RoundMode.TowardPositive,
    "NearestTiesToEven": RoundMode.TiesToEven,
    "NearestTiesToAway": RoundMode.TiesToAway,
}
everything = "--all" in sys.argv
seed, count = [int(x) for x in sys.argv[1:] if x != "--all"]
rng = random.Random(seed)


def operand(bias):
    """A binary32 near the format's range, often of few bits."""
    if rng.random() < 0.05:
        return rng.choice([0.0, math.inf, -math.inf, math.nan])
    exponent = rng.choice([rng.randint(-bias - 8, bias + 6), rng.randint(-6, 6)])
    significand = 1 + rng.randrange(512) / 512 if rng.random() < 0.7 else 1 + rng.random()
    value = math.ldexp(significand, max(-126, min(126, exponent)))
    return struct.unpack("f", struct.pack("f", -value if rng.random() < 0.4 else value))[0]


for k in range(3, 9):
    for p in range(1, k + 1):
        for s in "su" if p < k else "u":
            for d in "ef":
                name = f"Binary{k}p{p}{s}{d}"
                signedness = Signedness.Signed if s == "s" else Signedness.Unsigned
                info = format_info_p3109(k, p, signedness, Domain.Extended if d == "e" else Domain.Finite)
                for _ in range(count):
                    value = operand(2 ** (k - p - (s == "s")))
                    if s == "u" and value < 0 and not everything:
                        continue
                    bits = struct.unpack("I", struct.pack("f", value))[0]
                    for rounding, mode in ROUNDINGS.items():
                        for saturation in ("SatFinite", "SatNone"):
                            try:
                                code = encode_float(info, round_float(info, value, mode, saturation == "SatFinite"))
                            except ValueError as error:
                                print(f"{name} {value}: {error}", file=sys.stderr)
                                continue
                            print(f"Convert binary32 {name} {rounding} {saturation} : {bits:x} : {code:x}")
