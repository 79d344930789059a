#!/usr/bin/env python3
"""Trains the model of the example `digits`, in f32, and writes weights.safetensors and images.bin beside it.

    pip install numpy scikit-learn safetensors
    python3 firmware/digits/train.py

Data: the 1797 digits of 8 by 8 pixels, from 0 to 16, that scikit-learn ships (UCI's "Optical Recognition of Handwritten
Digits"). Every fifth image is for testing. Model: convolution of 8 filters of 3 by 3, relu, greatest elements of 2 by 2,
convolution of 16 filters of 3 by 3, relu, dense layer of 10 outputs. CI does not run this: both files are committed.
"""
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from sklearn.datasets import load_digits

SEED, EPOCHS, BATCH, RATE = 18, 60, 32, 2e-3
HERE = Path(__file__).parent


def windows(x, padding):
    """(n, c, h, w) to (n, rows, columns, c * 9): the windows of 3 by 3."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    n, c, h, w = x.shape
    parts = [x[:, :, i : h - 2 + i, j : w - 2 + j] for i in range(3) for j in range(3)]
    return np.stack(parts, axis=2).transpose(0, 3, 4, 1, 2).reshape(n, h - 2, w - 2, c * 9)


def spread(gradient, shape, padding):
    """The gradient of `windows`."""
    n, c, h, w = shape
    whole = np.zeros((n, c, h + 2 * padding, w + 2 * padding), np.float32)
    rows, columns = gradient.shape[1:3]
    gradient = gradient.reshape(n, rows, columns, c, 9).transpose(0, 3, 4, 1, 2)
    for k in range(9):
        whole[:, :, k // 3 : k // 3 + rows, k % 3 : k % 3 + columns] += gradient[:, :, k]
    return whole[:, :, padding : padding + h, padding : padding + w]


def forward(p, x):
    a = windows(x, 1)
    b = np.maximum(a @ p["conv1.weight"].T + p["conv1.bias"], 0).transpose(0, 3, 1, 2)
    n, c, h, w = b.shape
    fours = b.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    d = fours.max(axis=4)
    e = windows(d, 0)
    f = np.maximum(e @ p["conv2.weight"].T + p["conv2.bias"], 0)
    g = f.transpose(0, 3, 1, 2).reshape(n, -1)
    return g @ p["dense.weight"].T + p["dense.bias"], (a, b, fours, d, e, f, g)


def gradients(p, x, labels):
    logits, (a, b, fours, d, e, f, g) = forward(p, x)
    n = len(x)
    exp = np.exp(logits - logits.max(axis=1, keepdims=True))
    up = exp / exp.sum(axis=1, keepdims=True)
    up[np.arange(n), labels] -= 1
    up /= n
    out = {"dense.weight": up.T @ g, "dense.bias": up.sum(axis=0)}
    up = (up @ p["dense.weight"]).reshape(n, 16, 2, 2).transpose(0, 2, 3, 1) * (f > 0)
    out["conv2.weight"] = np.einsum("nyxo,nyxk->ok", up, e)
    out["conv2.bias"] = up.sum(axis=(0, 1, 2))
    up = spread(up @ p["conv2.weight"], d.shape, 0)
    first = np.arange(4) == fours.argmax(axis=4)[..., None]
    up = (up[..., None] * first).reshape(*d.shape, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(b.shape)
    up = (up * (b > 0)).transpose(0, 2, 3, 1)
    out["conv1.weight"] = np.einsum("nyxo,nyxk->ok", up, a)
    out["conv1.bias"] = up.sum(axis=(0, 1, 2))
    return out


def narrow(w):
    """Weights as MXFP8 will have them: E4M3FN, and a power of two for each 32 of a row."""
    out = np.empty_like(w)
    for first in range(0, w.shape[1], 32):
        part = w[:, first : first + 32]
        scale = 2.0 ** np.ceil(np.log2(np.abs(part).max(axis=1, keepdims=True) / 448))
        exponent = np.maximum(np.frexp(part / scale)[1] - 1, -6)
        unit = 2.0 ** (exponent - 3)
        out[:, first : first + 32] = np.rint(part / scale / unit) * unit * scale
    return out


def main():
    digits = load_digits()
    x = (digits.images[:, None] / 16).astype(np.float32)
    labels = digits.target
    test = np.arange(len(x)) % 5 == 0
    random = np.random.default_rng(SEED)
    sizes = {"conv1": (8, 9), "conv2": (16, 72), "dense": (10, 64)}
    p = {}
    for name, (rows, columns) in sizes.items():
        p[f"{name}.weight"] = random.normal(0, np.sqrt(2 / columns), (rows, columns)).astype(np.float32)
        p[f"{name}.bias"] = np.zeros(rows, np.float32)
    # Adam.
    m = {k: np.zeros_like(v) for k, v in p.items()}
    v = {k: np.zeros_like(v) for k, v in p.items()}
    steps, train = 0, np.flatnonzero(~test)
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS)
        # In the second half the gradients are those of the narrow weights, so that narrowing costs little.
        seen = narrow if epoch >= EPOCHS // 2 else np.copy
        for batch in np.array_split(random.permutation(train), len(train) // BATCH):
            steps += 1
            used = {k: seen(w) if w.ndim == 2 else w for k, w in p.items()}
            for k, g in gradients(used, x[batch], labels[batch]).items():
                m[k] = 0.9 * m[k] + 0.1 * g
                v[k] = 0.999 * v[k] + 0.001 * g * g
                step = m[k] / (1 - 0.9**steps) / (np.sqrt(v[k] / (1 - 0.999**steps)) + 1e-8)
                p[k] = (p[k] - rate * step).astype(np.float32)
    def right(p):
        return int((forward(p, x[test])[0].argmax(axis=1) == labels[test]).sum())

    rounded = {k: narrow(w) if w.ndim == 2 else w for k, w in p.items()}
    print(f"{right(p)} of {test.sum()} test images in f32, {right(rounded)} with narrow weights")
    save_file(p, HERE / "weights.safetensors")
    # 64 pixels and the label of each test image.
    images = np.concatenate([digits.data[test], labels[test][:, None]], axis=1)
    (HERE / "images.bin").write_bytes(images.astype(np.uint8).tobytes())


main()
