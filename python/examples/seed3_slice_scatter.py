"""slice_scatter(x, y).sum(): the gradient through a view of stride 0.

The sum's gradient arrives expanded along the summed axis, with stride 0. A compiler that keeps that
layout for the result writes one row for all positions.
"""

import numpy as np

import bitexact_kernels as bx

generator = np.random.default_rng(3)
cases = [((4, 13, 33), 0, 6), ((2, 8, 16), 0, 4), ((1, 6, 100), 0, 3), ((3, 20, 7), 5, 12)]
for shape, start, end in cases:
    batch, length, width = shape
    g = generator.standard_normal((batch, width), dtype=np.float32)
    upstream = np.broadcast_to(g[:, None, :], shape)
    assert upstream.strides[1] == 0

    # As reported: the layout of `upstream` is kept, so that all positions are one.
    kept = np.lib.stride_tricks.as_strided(g.copy(), shape, upstream.strides, writeable=True)
    if start == 0:
        kept[:, start:end] = 0

    # One line:
    to_x, to_y = bx.slice_scatter_backward(upstream, 1, start, end)

    inside = (np.arange(length) >= start) & (np.arange(length) < end)
    expected = np.where(inside[:, None], np.float32(0), g[:, None, :])
    assert np.array_equal(to_x, expected) and 0 not in to_x.strides
    assert np.array_equal(to_y, upstream[:, start:end])
    print(f"{shape}[{start}:{end}]: sum of the gradient {kept.sum():.5f} as reported, {to_x.sum():.5f} right")
