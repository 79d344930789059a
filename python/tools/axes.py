"""One answer over every axis: logits of a causal model of transformers in `exact`, however they are computed.

    python tools/axes.py [--model Llama] [--dtypes float32] [--accumulations exact] [--logits 100000000] [--device cuda] [--write FILE]

64 rows of 128 tokens are one batch, eager, without a cache, on one thread; then the same logits are computed in each of the
ways below, and those whose bits differ are counted. Then the tokens that `generate` adds to 64 prompts of different lengths, in
batches of 1 to 64, against all 64 at once. Each way is run once more with a planted fault in two products of the first layer,
whose last bits (for tokens: signs) are flipped: the count must not be 0 then.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import datetime
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import models
import torch

import bitexact_kernels as bx
import bitexact_kernels.torch as bt
from bitexact_kernels.torch import aten

WORDS, ROWS, LENGTH, NEW = 4096, 64, 128, 8
SIZES = (1, 3, 33)
PRODUCT = aten._product
Way = Callable[[Any, torch.Tensor], torch.Tensor]


def whole(model: Any, words: torch.Tensor, **given: Any) -> torch.Tensor:
    made: torch.Tensor = model(input_ids=words, use_cache=False, **given).logits
    return made


def batches(size: int) -> Way:
    return lambda model, words: torch.cat([whole(model, one) for one in words.split(size)])


def padded(left: bool) -> Way:
    """Every row has another number of words of padding, from 1 to 9."""

    def way(model: Any, words: torch.Tensor) -> torch.Tensor:
        more = torch.arange(len(words), device=words.device) % 9 + 1
        at = torch.arange(words.shape[1], device=words.device) + (more[:, None] if left else 0)
        longer = words.new_zeros(len(words), words.shape[1] + 9)
        rows = torch.arange(len(words), device=words.device)[:, None]
        # A row ends with padding too, up to the longest.
        longer[rows, at], mask = words, torch.zeros_like(longer)
        mask[rows, at] = 1
        positions = (mask.cumsum(1) - 1).clamp(0)
        return whole(model, longer, attention_mask=mask, position_ids=positions)[rows, at]

    return way


def chunks(size: int, static: bool) -> Way:
    """Prefill in pieces, whose keys and values are in a cache."""

    def way(model: Any, words: torch.Tensor) -> torch.Tensor:
        from transformers import DynamicCache, StaticCache

        config = model.config
        cache = StaticCache(config=config, max_cache_len=LENGTH + 9) if static else DynamicCache(config=config)
        made, first = [], 0
        for part in words.split(size, 1):
            at = torch.arange(first, first + part.shape[1], device=words.device)
            made.append(model(input_ids=part, past_key_values=cache, use_cache=True, position_ids=at[None]).logits)
            first += part.shape[1]
        return torch.cat(made, 1)

    return way


def threads(count: int) -> Way:
    def way(model: Any, words: torch.Tensor) -> torch.Tensor:
        on(count)
        try:
            return whole(model, words)
        finally:
            on(1)

    return way


def on(count: int) -> None:
    torch.set_num_threads(count)
    bx.set_threads(count)


def compiled(how: dict[str, Any]) -> Way:
    def way(model: Any, words: torch.Tensor) -> torch.Tensor:
        torch.compiler.reset()
        return whole(torch.compile(model, backend=bt.backend(**how)), words)

    return way


def on_the_cpu(model: Any, words: torch.Tensor) -> torch.Tensor:
    """By all threads, of another device's model."""
    on(len(os.sched_getaffinity(0)))
    try:
        return whole(copy.deepcopy(model).cpu(), words.cpu()).to(words.device)
    finally:
        on(1)


def as_a_graph(model: Any, words: torch.Tensor) -> torch.Tensor:
    """As a CUDA graph, which is played twice."""

    def warm() -> None:
        with products_by(PRODUCT):
            whole(model, words)

    replay, made = models.recorded(lambda: whole(model, words), warm)
    made.zero_()
    replay()
    replay()
    return made.clone()


def ways(how: dict[str, Any], device: str) -> dict[str, Way]:
    return {
        "batches of 1": batches(1),
        "batches of 5": batches(5),
        "padding on the left": padded(True),
        "padding on the right": padded(False),
        "prefill in chunks of 17, dynamic cache": chunks(17, False),
        "prefill of one token at a time, dynamic cache": chunks(1, False),
        "static cache": chunks(LENGTH, True),
        "prefill in chunks of 17, static cache": chunks(17, True),
        **({"2 threads": threads(2)} if device == "cpu" else {"a CUDA graph": as_a_graph, "the CPU": on_the_cpu}),
        "compiled": compiled(how),
    }


def bits(x: torch.Tensor) -> torch.Tensor:
    return x.contiguous().view(torch.int32 if x.element_size() == 4 else torch.int16)


@contextlib.contextmanager
def products_by(product: Any) -> Iterator[None]:
    before, aten._product = aten._product, product
    try:
        yield
    finally:
        aten._product = before


def planted(mask: int) -> contextlib.AbstractContextManager[None]:
    """Bits of the third and the fourth product of all are flipped: values are one of them, after queries, keys and, of more
    than one position, the rotary embedding's."""
    calls = 0

    def wrong(*given: Any) -> torch.Tensor:
        nonlocal calls
        made: torch.Tensor = PRODUCT(*given)
        calls += 1
        if calls in (3, 4):
            bits(made).bitwise_xor_(mask)
        return made

    return products_by(wrong)


def generated(model: Any, prompts: list[torch.Tensor], size: int) -> torch.Tensor:
    """The tokens that follow the prompts, which are padded on the left, in batches of a size."""
    made = []
    for first in range(0, len(prompts), size):
        some = prompts[first : first + size]
        longest = max(map(len, some))
        words = torch.stack([torch.nn.functional.pad(one, (longest - len(one), 0)) for one in some])
        mask = torch.stack([torch.nn.functional.pad(torch.ones_like(one), (longest - len(one), 0)) for one in some])
        how = {"max_new_tokens": NEW, "min_new_tokens": NEW, "do_sample": False}
        made.append(model.generate(input_ids=words, attention_mask=mask, **how)[:, -NEW:])
    return torch.cat(made)


def lines(name: str, dtype: torch.dtype, accumulation: str, count: int, device: str) -> Iterator[tuple[str, bool]]:
    """The rows of the table, each with whether nothing differs and the fault is found."""
    how: dict[str, Any] = {"rounding": "ties-to-even", "accumulation": tuple(accumulation.split(","))}
    torch.manual_seed(0)
    # Weights of this size make the tokens depend on every bit sooner.
    model = models.tiny(name, vocab_size=WORDS, max_position_embeddings=2 * LENGTH, initializer_range=0.2).to(device, dtype).eval()
    on(1)
    totals: dict[str, list[Any]] = {key: [0, 0, 0, 0.0] for key in ways(how, device)}
    for block in range(-(-count // (ROWS * LENGTH * WORDS))):
        words = torch.randint(3, WORDS, (ROWS, LENGTH), generator=torch.Generator().manual_seed(block)).to(device)
        # A compiled graph enters `exact` itself.
        with torch.no_grad(), bt.exact(**how):
            due = bits(whole(model, words))
        for key, way in ways(how, device).items():
            total, began = totals[key], time.monotonic()
            with torch.no_grad(), contextlib.nullcontext() if key == "compiled" else bt.exact(**how):
                total[0] += due.numel()
                total[1] += int((bits(way(model, words)) != due).sum())
                total[3] += time.monotonic() - began
                if block == 0:
                    with planted(1):
                        total[2] = int((bits(way(model, words[:6])) != due[:6]).sum())
    about = f"{name} | {str(dtype).removeprefix('torch.')} | {accumulation}"
    for key, (all_, wrong, found, seconds) in totals.items():
        yield f"| {key} | {about} | {all_:,} | {wrong:,} | {found:,} | {seconds:.0f} |", found > 0 == wrong
    prompts = [
        torch.randint(3, WORDS, (3 + row % 13,), generator=torch.Generator().manual_seed(row)).to(device) for row in range(ROWS)
    ]
    with torch.no_grad(), bt.exact(**how):
        due, began = generated(model, prompts, ROWS), time.monotonic()
        wrong = sum(int((generated(model, prompts, size) != due).sum()) for size in SIZES)
        seconds = time.monotonic() - began
        with planted(-(2 ** (8 * dtype.itemsize - 1))):
            found = int((generated(model, prompts[:6], 3) != due[:6]).sum())
    sizes, all_ = ", ".join(map(str, SIZES)), due.numel() * len(SIZES)
    yield f"| tokens in batches of {sizes} | {about} | {all_:,} | {wrong:,} | {found:,} | {seconds:.0f} |", found > 0 == wrong


def main() -> None:
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="Llama")
    parser.add_argument("--dtypes", nargs="*", default=["float32"])
    parser.add_argument("--accumulations", nargs="*", default=["exact", "sequential"])
    parser.add_argument("--logits", type=int, default=10**8)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--write")
    given = parser.parse_args()
    import transformers

    transformers.logging.set_verbosity_error()
    text = [
        "# One answer over every axis",
        "",
        f"Written by `python tools/{' '.join(sys.argv[0].split('/')[-1:] + sys.argv[1:])}` on {datetime.date.today()}. "
        f"PyTorch {torch.__version__}, transformers {transformers.__version__}, Python {platform.python_version()}, "
        f"{platform.machine()}, {torch.cuda.get_device_name() if given.device == 'cuda' else 'CPU'}.",
        "",
        *(__doc__ or "").split("\n\n")[2].splitlines(),
        "",
        "| axis | model | format | accumulation | logits or tokens | of them differ | with a planted fault | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(text), flush=True)
    failed = False
    for accumulation in given.accumulations:
        for dtype in given.dtypes:
            for line, right in lines(given.model, getattr(torch, dtype), accumulation, given.logits, given.device):
                print(line, flush=True)
                text.append(line)
                failed |= not right
    if given.write:
        with open(given.write, "w") as file:
            file.write("\n".join(text) + "\n")
    sys.exit("logits differ, or a planted fault is not found" if failed else 0)


if __name__ == "__main__":
    main()
