#!/usr/bin/env python3
"""guides.py [--write]: the figures of firmware/COSTS.md that the guides repeat, in README.md and docs/src/firmware.md.
Fails where one differs; with --write, writes them. firmware/costs.sh runs it."""

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


def costs():
    """The cells of every row of the table."""
    lines = (ROOT / "firmware/COSTS.md").read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| m4 |")]


def digits(rows):
    """The digits model, a row for each kind of weights and opt-level."""
    for _, what, weights, level, flash, stack, _, mean, _, wrong, of_f32, of_int8 in (r for r in rows if len(r) == 12):
        assert what == "digits"
        name = WEIGHTS[weights]
        figures = f"{int(flash):,} | {int(stack):,} | {int(mean):,} | {of_f32} | {of_int8} | {IMAGES - int(wrong)}"
        yield f"| {name} | {level} | {figures} |\n"


def main():
    rows = costs()
    exp = next(row for row in rows if row[1:4] == ["exp.f16", "ne", "3"])
    found = {
        "README.md": (r"(?<=\| \[exp\.f16, one call\]\(firmware/COSTS\.md\) \| )\d+(?= instructions)", exp[8]),
        "docs/src/firmware.md": (r"(?:\| (?:bf16|MXFP8|f32|int8), .*\| [3s] \|.*\n)+", "".join(digits(rows))),
    }
    differ = []
    for name, (pattern, figures) in found.items():
        text = (ROOT / name).read_text()
        new, times = re.subn(pattern, lambda _: figures, text)
        assert times == 1, f"{name}: the figures of COSTS.md are not there, or twice"
        if new != text and "--write" in sys.argv:
            (ROOT / name).write_text(new)
        elif new != text:
            differ.append(name)
    if differ:
        sys.exit(f"{', '.join(differ)}: not the figures of firmware/COSTS.md; run firmware/guides.py --write")


main()
