#!/usr/bin/env python3
"""guides.py [--write]: the figures of firmware/COSTS.md and firmware/capi/COSTS.md that README.md, docs/src/firmware.md and
firmware/capi/README.md repeat. Fails where one differs; with --write, writes them. firmware/costs.sh and firmware/capi/test.sh
run it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = {
    "bf16": "bf16, exact sums",
    "mxfp8": "MXFP8, exact sums",
    "f32": "f32, the compiler's software arithmetic",
    "int8": "int8, by SMLAD",
}
IMAGES = 360
# The calls from C that the guide shows.
CALLS = "exp_bf16_rne fma_bf16_rne dot_bf16_64 softmax_bf16_64 dense_f32_e4m3fn_16x8 dense_f32_e4m3fn_256x32".split()


def costs(name, target):
    """The cells of every row of a target in a table."""
    lines = (ROOT / name).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith(f"| {target} |")]


def calls():
    """Some calls from C: flash, instructions (usual, the most that was found), stack."""
    rows = {row[1]: row for row in costs("firmware/capi/COSTS.md", "m4f")}
    for call in CALLS:
        _, _, flash, usual, _, _, _, most, stack = rows[call]
        yield f"| `{call}` | {int(flash):,} | {int(usual):,} | {int(most):,} | {int(stack):,} |\n"


def digits(rows):
    """The digits model, a row for each kind of weights and opt-level."""
    for _, what, weights, level, flash, stack, _, mean, _, wrong, of_f32, of_int8 in (r for r in rows if len(r) == 12):
        assert what == "digits"
        name = WEIGHTS[weights]
        figures = f"{int(flash):,} | {int(stack):,} | {int(mean):,} | {of_f32} | {of_int8} | {IMAGES - int(wrong)}"
        yield f"| {name} | {level} | {figures} |\n"


def main():
    rows = costs("firmware/COSTS.md", "m4")
    exp = next(row for row in rows if row[1:4] == ["exp.f16", "ne", "3"])
    found = {
        "README.md": (r"(?<=\| \[exp\.f16, one call\]\(firmware/COSTS\.md\) \| )\d+(?= instructions)", exp[8]),
        "docs/src/firmware.md": (r"(?:\| (?:bf16|MXFP8|f32|int8), .*\| [3s] \|.*\n)+", "".join(digits(rows))),
        "firmware/capi/README.md": (r"(?:\| `[a-z0-9_]+` \| [\d,]+ \| .*\n)+", "".join(calls())),
    }
    differ = []
    for name, (pattern, figures) in found.items():
        text = (ROOT / name).read_text()
        new, times = re.subn(pattern, lambda _: figures, text)
        assert times == 1, f"{name}: the figures are not there, or twice"
        if new != text and "--write" in sys.argv:
            (ROOT / name).write_text(new)
        elif new != text:
            differ.append(name)
    if differ:
        sys.exit(f"{', '.join(differ)}: not the figures of COSTS.md; run firmware/guides.py --write")


main()
