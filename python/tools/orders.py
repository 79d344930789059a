"""What products PyTorch's GPU kernels compute, and what the order of a matrix unit costs: `python tools/orders.py [PART...]`.

Parts: `units` (which units the card has), `host` (products of random sizes and strides, compared with the host), `shapes`
(PyTorch's products against the orders: whole results of data that tells orders apart), `speed`, and `errors` (what each order
loses, by the length of its sums; on the CPU). Each prints a table in Markdown. `--shapes N` and `--host N` say how many.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import Any

import numpy as np
import torch

import bitexact_kernels as bx
import bitexact_kernels.torch as bt
from bitexact_kernels import _adopted, _cuda, _cuda_composites, units
from bitexact_kernels.torch.ops import _array

BF16, F16, F32 = torch.bfloat16, torch.float16, torch.float32
E4M3 = torch.float8_e4m3fn
#: Accumulators are asked for.
PLAIN = (lambda sums, _: sums, F32, None)


def composites() -> _cuda_composites.Composites:
    return _cuda_composites.Composites(_cuda.on(0))


def kernel(unit: str, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The accumulators by this library's entries."""
    out = torch.empty((*a.shape[:2], b.shape[2]), dtype=F32, device=a.device)
    return composites().unit_kernel(unit, a, b, out)


def hostile(shape: tuple[int, ...], dtype: torch.dtype, lines: int, salt: int) -> torch.Tensor:
    return _adopted._hostile(torch.empty(shape, dtype=dtype, device="cuda"), lines, salt)


def table(head: str, *rows: tuple[Any, ...]) -> None:
    names = head.split(" | ")
    print("| " + " | ".join(names) + " |\n|" + " --- |" * len(names))
    for row in rows:
        print("| " + " | ".join(str(one) for one in row) + " |")
    print(flush=True)


def has() -> None:
    rows = []
    for unit in units.ALL:
        for name in unit.operands:
            dtype = getattr(torch, name, None)
            if dtype in (BF16, F16, F32):
                rows.append((f"`{unit.name}`", name, "yes" if composites().has_unit(unit.name, dtype) else "no"))
    print("## Units that the card's tensor cores have\n")
    table("unit | operands | this card", *rows)


def against_the_host(count: int) -> None:
    """Products of 1 to 300 rows, columns and terms, in any strides, on the card and on the host."""
    random.seed(5)
    names = {"hopper-bf16/1": BF16, "hopper-f16/1": F16, "hopper-tf32/1": F32, "hopper-tf32-nearest/1": F32}
    wrong: Counter[str] = Counter()
    elements = 0
    for at in range(count):
        unit, dtype = list(names.items())[at % len(names)]
        m, n, k = (random.randint(1, 300) for _ in range(3))
        sides = []
        for rows, columns, lines in ((m, k, 1), (k, n, 2)):
            whole = hostile((1, columns, 2 * rows), dtype, 3 - lines, at).transpose(1, 2) if random.random() < 0.5 else None
            if whole is not None:
                sides.append(whole[:, ::2])
            else:
                sides.append(hostile((1, rows, columns + 3), dtype, lines, at)[:, :, 3:])
        a, b = sides
        got = kernel(unit, a, b)[0].cpu().view(torch.int32)
        left, right = (one[0].cpu().contiguous() for one in (a, b))
        left, right = _array(left), _array(right)
        due = bx.matmul(left, right, accumulation=unit, dtype="float32", rounding="ties-to-even")
        differ = got.numpy() != np.asarray(due).view(np.int32)
        wrong[unit] += int(differ.sum())
        elements += got.numel()
        for row, column in np.argwhere(differ)[:2]:
            sums = np.zeros((), np.float32)
            x, y = left[row], np.ascontiguousarray(right[:, column])
            terms = units.find(unit).terms
            for first in range(0, k, terms):
                sums = units.step(x[first : first + terms], y[first : first + terms], sums, unit=unit)
            again = kernel(unit, a, b)[0, row, column].item()
            defined = kernel(unit + "+promote65535", a, b)[0, row, column].item()
            what = f"the card {got[row, column]:08X}, again {again!r}, its definition {defined!r}"
            print(f"{unit} {m} x {n} x {k} [{row}, {column}]: {what}; the host {np.asarray(due)[row, column]!r}, its steps {sums!r}", file=sys.stderr)
    print(f"## {count} products of 1 to 300 rows, columns and terms, against the host\n")
    table("unit | elements that differ", *((f"`{unit}`", wrong[unit]) for unit in names))
    print(f"{elements} elements in all.\n", flush=True)


def vendor_calls() -> dict[str, Any]:
    """PyTorch's products by name: the unit, the operands' format, the call of stacks (1, m, k) and (1, k, n)."""
    one = torch.ones((), device="cuda")

    def scaled(a: torch.Tensor, b: torch.Tensor, fast: bool) -> torch.Tensor:
        return torch._scaled_mm(a[0], b[0].t().contiguous().t(), one, one, out_dtype=F32, use_fast_accum=fast)

    def tf32(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        with _adopted._settings(True):
            return torch.mm(a[0], b[0])

    def unsplit(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        with _adopted._settings(False):
            return torch.mm(a[0], b[0], out_dtype=F32)

    return {
        "mm bf16": ("hopper-bf16/1", BF16, lambda a, b: torch.mm(a[0], b[0])),
        "mm bf16, results in f32": ("hopper-bf16/1", BF16, lambda a, b: torch.mm(a[0], b[0], out_dtype=F32)),
        "the same, reductions not allowed": ("hopper-bf16/1", BF16, unsplit),
        "mm f16, results in f32": ("hopper-f16/1", F16, lambda a, b: torch.mm(a[0], b[0], out_dtype=F32)),
        "mm f32 with allow_tf32": ("hopper-tf32-nearest/1", F32, tf32),
        "_scaled_mm E4M3, use_fast_accum": ("hopper-e4m3-wgmma/1", E4M3, lambda a, b: scaled(a, b, True)),
        "_scaled_mm E4M3": ("hopper-e4m3-wgmma/1+promote4", E4M3, lambda a, b: scaled(a, b, False)),
    }


def same(x: torch.Tensor, y: torch.Tensor) -> bool:
    word = {2: torch.int16, 4: torch.int32}[x.element_size()]
    nan = torch.isnan(x) & torch.isnan(y)
    return bool(((x.view(word) == y.view(word)) | nan).all())


def against_pytorch(count: int) -> None:
    calls = vendor_calls()
    random.seed(7)
    sizes = [1, 2, 8, 16, 33, 64, 128, 256, 1000, 2048, 4096]
    results: dict[str, Counter[str]] = {name: Counter() for name in calls}
    others: list[tuple[str, ...]] = []
    begin = time.perf_counter()
    for at in range(count):
        name = list(calls)[at % len(calls)]
        unit, dtype, call = calls[name]
        m, n, k = random.choice(sizes), random.choice(sizes[3:]), random.choice(sizes[4:])
        if dtype == E4M3:
            m, n, k = max(16, m // 16 * 16), max(16, n // 16 * 16), max(16, k // 16 * 16)
            while m * n * k > 1 << 30:
                m //= 2
            m = max(16, m // 16 * 16)
        a, b = hostile((1, m, k), dtype, 1, at), hostile((1, k, n), dtype, 2, at + 1)
        try:
            got = call(a, b)
        except RuntimeError as error:
            results[name]["refused by PyTorch"] += 1
            others.append((name, f"{m} x {n} x {k}", "refused", str(error).splitlines()[0][:100]))
            continue
        if same(got, kernel(unit, a, b)[0].to(got.dtype)):
            results[name]["equal"] += 1
            continue
        rule = "unknown"
        if m * n * k <= 1 << 28 and "+" not in unit:
            for parts in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16):
                if same(got, kernel(f"{unit}+segments{parts}", a, b)[0].to(got.dtype)):
                    rule = f"k in {parts} parts"
                    break
        results[name][rule] += 1
        due = kernel(unit, a, b)[0].to(got.dtype)
        differ = (got != due) & ~(torch.isnan(got) & torch.isnan(due))
        row, column = (int(one) for one in differ.nonzero()[0]) if differ.any() else (0, 0)
        example = f"{int(differ.sum())} elements, [{row}, {column}]: {got[row, column].item()!r}, in the order {due[row, column].item()!r}"
        others.append((name, f"{m} x {n} x {k}", rule, example))
    print(f"## PyTorch's products in {count} shapes against the orders, whole results of hostile data\n")
    rows = []
    for name, found in results.items():
        rest = ", ".join(f"{rule}: {many}" for rule, many in sorted(found.items()) if rule != "equal")
        rows.append((name, f"`{calls[name][0]}`", sum(found.values()), found["equal"], rest or "-"))
    table("call | order | shapes | equal | others", *rows)
    print("The others (m x n x k):\n")
    table("call | shape | rule | elements that differ, and the first of them", *others[:200])
    print(f"{time.perf_counter() - begin:.0f} s.\n", flush=True)


def seconds(call: Any) -> float:
    """The least time of a call, of several runs."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(5):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(5):
            call()
        end.record()
        torch.cuda.synchronize()
        best = min(best, start.elapsed_time(end) / 5e3)
    return best


def speed() -> None:
    gpu = composites()
    rows = []
    shapes = [(8192, 8192, 8192), (4096, 4096, 4096), (4095, 4090, 4097), (2048, 2048, 2048)]
    shapes += [(lines, 4096, 4096) for lines in (1, 8, 64)]
    for m, n, k in shapes:
        x = torch.randn((1, m, k), device="cuda").to(BF16)
        # As a linear layer has it: rows of weights.
        weights = torch.randn((n, k), device="cuda").to(BF16)
        y = weights.t()[None]
        unit = "hopper-bf16/1"
        base = seconds(lambda x=x, weights=weights: torch.nn.functional.linear(x[0], weights))
        wide = seconds(lambda x=x, y=y: torch.mm(x[0], y[0], out_dtype=F32))
        out = torch.empty((1, m, n), dtype=F32, device="cuda")
        own = seconds(lambda x=x, y=y, out=out: gpu.unit_kernel(unit, x, y, out))
        adopted = _adopted.product(gpu, unit, x, y, *PLAIN) is not None
        taken = seconds(lambda x=x, y=y: gpu.by_unit(unit, x, y))
        with bt.exact(rounding="ties-to-even", accumulation=unit), torch.no_grad():
            for _ in range(_adopted.AFTER):
                torch.nn.functional.linear(x[0], weights)
            layer = seconds(lambda x=x, weights=weights: torch.nn.functional.linear(x[0], weights))
        share = [f"{base / one:.0%}" for one in (layer, wide, taken, own)]
        flops = 2 * m * n * k / base / 1e12
        rows.append((f"{m} x {n} x {k}", f"{flops:.0f}", *share, "yes" if adopted else "no"))
    print("## bf16, of the speed of PyTorch's linear layer (weights n by k, results in bf16)\n")
    table(
        "m x n x k | PyTorch, TFLOP/s | the same layer in `exact` | PyTorch, results in f32 | `hopper-bf16/1`, in f32"
        " | by this library's kernel | adopted",
        *rows,
    )
    rows = []
    for m, n, k in ((4096, 4096, 4096), (8192, 8192, 8192)):
        one = torch.ones((), device="cuda")
        a, b = (torch.randn(shape, device="cuda").to(E4M3) for shape in ((m, k), (n, k)))
        for fast, unit in ((True, "hopper-e4m3-wgmma/1"), (False, "hopper-e4m3-wgmma/1+promote4")):

            def scaled(fast: bool = fast, a: Any = a, b: Any = b) -> Any:
                return torch._scaled_mm(a, b.t(), one, one, out_dtype=BF16, use_fast_accum=fast)

            base = seconds(scaled)
            begin = time.perf_counter()
            adopted = _adopted.product(gpu, unit, a[None], b.t()[None], *PLAIN) is not None
            tried = time.perf_counter() - begin
            taken = seconds(lambda a=a, b=b, unit=unit: gpu.by_unit(unit, a[None], b.t()[None])) if adopted else float("nan")
            rows.append((f"{m} x {n} x {k}", f"`{unit}`", f"{2 * m * n * k / base / 1e12:.0f}", f"{base / taken:.0%}", f"{tried:.1f} s"))
    print("## E4M3, of the speed of `_scaled_mm`\n")
    table("m x n x k | order | PyTorch, TFLOP/s | in the order | the first call", *rows)
    # Another device's unit, in integers.
    x = torch.randn((1, 1024, 1024), device="cuda").to(BF16)
    out = torch.empty((1, 1024, 1024), dtype=F32, device="cuda")
    foreign = [(unit, 2 * 1024**3 / seconds(lambda unit=unit: gpu.unit_kernel(unit, x, x, out)) / 1e12) for unit in ("ampere-bf16/1", "blackwell-bf16/1+promote4")]
    print("## Other units, in integers, 1024 x 1024 x 1024\n")
    table("unit | TFLOP/s", *((f"`{unit}`", f"{rate:.2f}") for unit, rate in foreign))


def errors() -> None:
    """What 64 x 64 results lose, in units of 2^-24 of the root of the mean square of the exact ones: the mean error, of terms of one
    sign, and the root of the mean square error, of N(0,1)."""
    lengths, rows = [2**power for power in range(7, 15)], []
    orders = [("exact", "bfloat16"), ("sequential", "bfloat16"), ("lanes16", "bfloat16"), ("hopper-bf16/1", "bfloat16")]
    orders += [("ampere-bf16/1", "bfloat16"), ("hopper-e4m3-wgmma/1", "float8_e4m3fn"), ("hopper-e4m3-wgmma/1+promote4", "float8_e4m3fn")]
    for order, dtype in orders:
        for what in ("one sign", "N(0,1)"):
            cells = []
            for k in lengths:
                rng = np.random.default_rng(k)
                sides = [rng.standard_normal(shape).astype(np.float32) for shape in ((64, k), (k, 64))]
                if what == "one sign":
                    sides = [abs(one) for one in sides]
                a, b = (bx.convert(one, dtype, rounding="ties-to-even") for one in sides)
                due = np.matmul(*(bx.convert(one, "float32", rounding="ties-to-even").astype(np.float64) for one in (a, b)))
                off = bx.matmul(a, b, accumulation=order, dtype="float32", rounding="ties-to-even") - due
                off /= np.sqrt((due**2).mean()) * 2.0**-24
                cells.append(f"{off.mean():+.2f}" if what == "one sign" else f"{np.sqrt((off**2).mean()):.2f}")
            rows.append((f"`{order}`", dtype, what, *cells))
    print("## Errors by the length of sums, in units of 2^-24 of the results' root mean square\n")
    print("Of terms of one sign the mean error, otherwise the root of the mean square error. Results in float32.\n")
    table(" | ".join(["order", "operands", "terms", *(f"k = {k:,}" for k in lengths)]), *rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parts", nargs="*", choices=[[], "units", "host", "shapes", "speed", "errors"])
    parser.add_argument("--shapes", type=int, default=1000)
    parser.add_argument("--host", type=int, default=10000)
    given = parser.parse_args()
    name = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "CPU"
    print(f"{name}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}, {time.strftime('%Y-%m-%d')}.\n")
    parts = {
        "units": has,
        "host": lambda: against_the_host(given.host),
        "shapes": lambda: against_pytorch(given.shapes),
        "speed": speed,
        "errors": errors,
    }
    for part in given.parts or parts:
        parts[part]()


if __name__ == "__main__":
    main()
