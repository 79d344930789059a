"""float32 to float16 and back must round.

x.to(f16).to(f32) is a rounding that somebody wrote. A compiler that takes the pair for nothing changes
the result.
"""

import numpy as np

import bitexact_kernels as bx

x = (np.arange(20, dtype=np.float32).reshape(5, 4).T / np.float32(7)).copy()

# As reported: the pair of casts is gone.
reported = x
# One line:
y = bx.cast_chain(x, "float16", "float32", rounding="ties-to-even")

sums = bx.sum(y, axis=1, order="sequential", rounding="ties-to-even")
print("row sums:", [float(row) for row in sums])
print(f"without the casts off by up to {np.abs(reported - y).max():.6e}")
assert [float(row) for row in sums] == [5.712890625, 6.428466796875, 7.1435546875, 7.857177734375]
assert np.array_equal(sums.view("u4"), [0x40B6D000, 0x40CDB600, 0x40E49800, 0x40FB6E00])
