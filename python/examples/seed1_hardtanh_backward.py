"""hardtanh's gradient at a narrow bound.

The bound 0.7 is no bfloat16 number. A compiler that rounds it to bfloat16 before it compares it with x
gives x = bfloat16(0.7) = 0.69921875 the gradient 0, although 0.69921875 < 0.7.
"""

import ml_dtypes
import numpy as np

import bitexact_kernels as bx

every = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
ones = np.ones_like(every)
wrong_bounds = wrong_inputs = 0
for hundredths in range(1, 1000):
    bound = hundredths / 100

    # As reported: the bound is rounded to the tensor's format.
    narrow = np.float32(ml_dtypes.bfloat16(bound))
    wide = every.astype(np.float32)
    reported = np.where((wide <= -narrow) | (wide >= narrow), 0, 1).astype(every.dtype)

    # One line: the bound is a float32, as the call says.
    right = bx.hardtanh_backward(every, ones, min=-bound, max=bound, bound="float32")

    differ = int((reported.view("u2") != right.view("u2")).sum())
    wrong_bounds += differ > 0
    wrong_inputs += differ

x = np.array(0.7, ml_dtypes.bfloat16)
gradient = bx.hardtanh_backward(x, np.ones_like(x), min=-0.7, max=0.7)
print(f"gradient at x = {x}, bound 0.7: {gradient}")
print(f"with the bound rounded first, {wrong_bounds} of 999 bounds give a wrong gradient")
print(f"({wrong_inputs} inputs); with bitexact none")
assert gradient == 1 and (wrong_bounds, wrong_inputs) == (477, 954)
