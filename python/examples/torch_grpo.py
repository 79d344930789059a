"""GRPO on a tiny causal model: the log-probabilities that the sampler computed, and those that the trainer recomputes.

Needs PyTorch. The sampler decodes token by token with a cache, all rollouts in one batch. The trainer takes whole sequences,
some at a time, padded to the longest. In the first update of a round the weights are the same, so that every ratio of
probabilities should be 1. The table counts those that are not: PyTorch's, and within `exact`, where there are none.
"""

from __future__ import annotations

import contextlib
import math
import sys

import torch
from torch import nn
from torch.nn import functional as F

import bitexact_kernels.torch as bt

Tensor = torch.Tensor
Cache = list[tuple[Tensor, Tensor]]
EXACT = {"rounding": "ties-to-even", "accumulation": "exact"}
WORDS, WIDTH, HEADS, LAYERS, END = 40, 32, 4, 2, 0
PROMPTS, GROUP, NEW, ROUNDS, AT_ONCE = 3, 6, 12, 2, 5


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.RMSNorm(WIDTH, eps=1e-6), nn.RMSNorm(WIDTH, eps=1e-6)
        self.inputs, self.outputs = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, past: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        heads = self.inputs(self.first(x)).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        query, key, value = heads
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        # A query sees the keys up to its own place.
        mask = torch.ones(query.shape[2], key.shape[2], dtype=torch.bool).tril(key.shape[2] - query.shape[2])
        seen = F.scaled_dot_product_attention(query, key, value, mask)
        x = x + self.outputs(seen.transpose(1, 2).flatten(2))
        return x + self.down(F.silu(self.up(self.second(x)))), (key, value)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(64, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.last, self.head = nn.RMSNorm(WIDTH, eps=1e-6), nn.Linear(WIDTH, WORDS)

    def forward(self, words: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        first = cache[0][0].shape[2] if cache else 0
        x, made = self.words(words) + self.places(torch.arange(first, first + words.shape[1])), []
        for number, block in enumerate(self.blocks):
            x, pair = block(x, cache[number] if cache else None)
            made.append(pair)
        return F.log_softmax(self.head(self.last(x)).float(), -1), made


@torch.no_grad()
def sampled(model: Model, prompts: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens that follow the prompts and their log-probabilities, one token at a time."""
    chances, cache = model(prompts)
    tokens, found = [], []
    for number in range(NEW):
        last = chances[:, -1]
        tokens.append(torch.multinomial(last.exp(), 1))
        found.append(last.gather(1, tokens[-1]))
        if number < NEW - 1:
            chances, cache = model(tokens[-1], cache)
    return torch.cat(tokens, 1), torch.cat(found, 1)


def recomputed(model: Model, prompts: Tensor, tokens: Tensor) -> Tensor:
    """The same log-probabilities of whole sequences."""
    chances, _ = model(torch.cat([prompts, tokens[:, :-1]], 1))
    return chances[:, prompts.shape[1] - 1 :].gather(2, tokens[..., None])[..., 0]


def training(dtype: torch.dtype, right: bool) -> tuple[int, int, float, Tensor]:
    """Tokens, those whose log-probability is another one in the trainer, the ratio that is farthest from 1, and the weights."""
    torch.manual_seed(0)
    model = Model().to(dtype)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    count = differ = 0
    farthest = 1.0
    with bt.exact(**EXACT) if right else contextlib.nullcontext():
        for _ in range(ROUNDS):
            prompts = torch.randint(1, WORDS, (PROMPTS, 5)).repeat_interleave(GROUP, 0)
            tokens, old = sampled(model, prompts)
            # A sequence ends with its first END; the reward is its share of even tokens.
            kept = (tokens == END).cumsum(1).cumsum(1) <= 1
            rewards = ((tokens % 2 == 0) & kept).sum(1) / kept.sum(1)
            groups = rewards.reshape(PROMPTS, GROUP)
            advantages = ((groups - groups.mean(1, True)) / (groups.std(1, keepdim=True) + 1e-4)).reshape(-1, 1)
            lengths = kept.sum(1)
            for update in range(2):
                optimiser.zero_grad()
                for rows in lengths.argsort().split(AT_ONCE):
                    longest = int(lengths[rows].max())
                    some, mask = tokens[rows, :longest], kept[rows, :longest]
                    new = recomputed(model, prompts[rows], some.where(mask, END))
                    before = old[rows, :longest]
                    ratio = (new - before).exp()
                    if update == 0:
                        count += int(mask.sum())
                        differ += int((new.view(torch.int32) != before.view(torch.int32))[mask].sum())
                        farthest = max([farthest, *ratio[mask].tolist()], key=lambda one: abs(math.log(one)))
                    gain = torch.minimum(ratio * advantages[rows], ratio.clamp(0.8, 1.2) * advantages[rows])
                    (-(gain * mask).sum() / kept.sum()).backward()
                optimiser.step()
    return count, differ, farthest, torch.cat([one.detach().flatten() for one in model.parameters()])


def main() -> None:
    wrong = False
    for dtype in (torch.float32, torch.bfloat16):
        for right in (False, True):
            count, differ, farthest, weights = training(dtype, right)
            wrong |= right and (differ > 0 or farthest != 1 or not weights.isfinite().all())
            name = "exact" if right else "PyTorch"
            print(f"{dtype!s:<15} {name:<8} {differ:>4} of {count} differ; the ratio farthest from 1: {farthest!r}")
    sys.exit("log-probabilities differ within exact" if wrong else 0)


if __name__ == "__main__":
    main()
