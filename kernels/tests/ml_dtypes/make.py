#!/usr/bin/env python3
"""What ml_dtypes makes of all 2^32 codes of f32, in three formats: writes FORMAT.csv next to this script.

A line `START,CODE` (hexadecimal) says that the f32s from code START up to the next line's START become CODE. Run with
ml_dtypes 0.6.0 (Apache-2.0) and NumPy; it takes some minutes.
"""

from pathlib import Path

import ml_dtypes
import numpy as np

CHUNK = 1 << 24

for name in ["float8_e4m3", "float8_e3m4", "float8_e4m3b11fnuz"]:
    lines, last = [], None
    for start in range(0, 1 << 32, CHUNK):
        x = np.arange(start, start + CHUNK, dtype=np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            y = x.astype(getattr(ml_dtypes, name)).view(np.uint8)
        changes = [0, *(np.flatnonzero(y[1:] != y[:-1]) + 1).tolist()]
        for at in changes:
            if y[at] != last:
                last = y[at]
                lines.append(f"{start + at:08X},{last:02X}\n")
    Path(__file__).with_name(f"{name}.csv").write_text("".join(lines), encoding="ascii")
    print(f"{name}: {len(lines)} runs")
