"""E8M0 scales by ceil(log2 x), after a network: a step at every power of two.

log2 in float32 rounds 2^e + 1 ulp to exactly e, so the ceiling is one too small; and any ulp that the
network in front of it computes otherwise moves a code.
"""

import numpy as np

import bitexact_kernels as bx
from bitexact_kernels import nn

# 1. The encoder alone, next to all powers of two.
powers = np.arange(1, 255, dtype=np.uint32) << 23
above = (powers[:, None] + np.arange(1, 9, dtype=np.uint32)).view(np.float32).reshape(-1)
by_log2 = np.clip(np.ceil(np.log2(above)), -127, 127).astype(np.int32) + 127
right = bx.e8m0_encode(above, policy="ceil").view(np.uint8).astype(np.int32)
print(f"ceil(log2 x) is wrong for {(by_log2 != right)[right < 255].sum()} of {right.size} inputs")
assert (by_log2 != right)[right < 255].any()

# 2. The reporter's network: conv 3x3, conv 1x1, batch norm, gelu by erf, twice; |x| + 1e-7 encoded.
generator = np.random.default_rng(2)


def weights(*shape: int) -> np.ndarray:
    bound = 1 / np.sqrt(np.prod(shape[1:]) if len(shape) > 1 else shape[0])
    return generator.uniform(-bound, bound, shape).astype(np.float32)


layers = [weights(32, 3, 3, 3), weights(64, 32, 1, 1), weights(128, 64, 1, 1)]
norms = [
    (weights(n), 1 + np.abs(weights(n)), 1 + weights(n), weights(n)) for n in (64, 128)
]


def network(images: np.ndarray) -> np.ndarray:
    x = nn.conv2d(images, layers[0], padding=1)
    x = bx.gelu(nn.batch_norm(nn.conv2d(x, layers[1]), *norms[0]), rounding="ties-to-even")
    x = bx.gelu(nn.batch_norm(nn.conv2d(x, layers[2]), *norms[1]), rounding="ties-to-even")
    x = bx.add(bx.abs(x), np.float32(1e-7), rounding="ties-to-even")
    return bx.e8m0_encode(x, policy="ceil").view(np.uint8)


batch = generator.standard_normal((4, 3, 32, 32), dtype=np.float32)
together = network(batch)
one_by_one = np.concatenate([network(image[None]) for image in batch])
bx.set_threads(1)
alone = network(batch)
bx.set_threads(0)
differ = [int((together != other).sum()) for other in (one_by_one, alone)]
print(f"codes: {together.size}; a batch of 4 against 4 of 1: {differ[0]} differ; threads: {differ[1]}")
assert differ == [0, 0]
