"""E8M0 codes by bits, after a network: any ulp upstream may move one.

conv 3x3, batch norm, relu, twice, average pooling to 8x8, then the biased exponent of each value, plus one
where the fraction is not zero. As reported: the layers leave open in which order they add, and a GPU
multiplies in TF32 (10 bits of fraction) unless it is told otherwise. Here: layers that say both.
"""

import numpy as np

import bitexact_kernels as bx
from bitexact_kernels import nn

generator = np.random.default_rng(5)


def weights(*shape: int) -> np.ndarray:
    bound = 1 / np.sqrt(np.prod(shape[1:]) if len(shape) > 1 else shape[0])
    return generator.uniform(-bound, bound, shape).astype(np.float32)


filters = [weights(32, 3, 3, 3), weights(64, 32, 3, 3)]
norms = [(weights(n), 1 + np.abs(weights(n)), 1 + weights(n), weights(n)) for n in (32, 64)]
classifier = weights(10, 4096)


def by_bits(x: np.ndarray) -> np.ndarray:
    code = x.view(np.int32)
    exponent = ((code >> 23) & 0xFF) + ((code & 0x7FFFFF) != 0)
    return np.clip(exponent, 0, 255).astype(np.uint8)


def tf32(x: np.ndarray) -> np.ndarray:
    return ((np.ascontiguousarray(x).view(np.uint32) + 0x1000) & 0xFFFFE000).view(np.float32)


def as_written(images: np.ndarray, operands=np.asarray) -> np.ndarray:
    x = images
    for filter_, (mean, variance, weight, bias) in zip(filters, norms):
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
        columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(len(x), -1, filter_[0].size)
        x = operands(columns) @ operands(filter_.reshape(len(filter_), -1).T)
        x = (x - mean) / np.sqrt(variance + np.float32(1e-5)) * weight + bias
        x = np.maximum(x, 0).transpose(0, 2, 1).reshape(len(images), len(filter_), 64, 64)
    x = x.reshape(len(x), 64, 8, 8, 8, 8).mean((3, 5))
    return by_bits(np.ascontiguousarray(x, np.float32))


def declared(images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x = images
    for filter_, norm in zip(filters, norms):
        x = bx.relu(nn.batch_norm(nn.conv2d(x, filter_, padding=1), *norm))
    codes = by_bits(nn.adaptive_avg_pool2d(x, 8))
    return codes, nn.linear(codes.reshape(len(codes), -1).astype(np.float32), classifier)


batch = generator.standard_normal((4, 3, 64, 64), dtype=np.float32)
codes, logits = declared(batch)
singles = [declared(image[None]) for image in batch]
differ = int((codes != np.concatenate([code for code, _ in singles])).sum())
assert differ == 0 and np.array_equal(
    logits.view("u4"), np.concatenate([logit for _, logit in singles]).view("u4")
)
on_cpu, on_gpu = as_written(batch), as_written(batch, tf32)
split = np.concatenate([as_written(image[None]) for image in batch])
print(f"as reported, of {codes.size} codes: {(on_cpu != on_gpu).sum()} differ between float32 and TF32,")
print(f"  {(on_cpu != split).sum()} between a batch of 4 and 4 of 1, on this machine and by this NumPy")
print(f"declared: {differ} between a batch of 4 and 4 of 1, and the logits are equal bit for bit")
assert (on_cpu != on_gpu).any()
