"""Records how a library errs over all inputs, to nearest, from the results that it gave.

    python docs/site/compare.py FILE.npz...          what `docs/site/results.py` wrote
    python docs/site/compare.py --rust FOLDER        what `cargo run --release -p sweep-site --example results FOLDER` wrote
    python docs/site/compare.py --own                this library's own error, for the plots

Each writes docs/site/peers/NAME.json, which `sweep report` reads. It needs the Python package `bitexact_kernels`, whose results the sweep
verifies, and SciPy. The file has `peer`, `version`, `device`, `date`, `command`, and `results`; for each row

| field | what |
|---|---|
| wrong, nan, zero | results that differ; of these, NaN on one side only; only the sign of a zero |
| overflow | of a conversion: the overflow rule (see `bx.convert`) with which the fewest results are wrong |
| max_ulp | the largest distance from the correctly rounded result, in codes of the result's format |
| worst | the first input with that distance, the correctly rounded result, the given one |
| buckets | of 512 ranges of the inputs in the order of their values, those with a wrong result: index, wrong results, NaN faults, and the least and the largest error in hundredths of an ulp |
| points | at most 256 wrong results, the largest errors first: input, correctly rounded, given, 4 hexadecimal digits each |

An error is the distance from the exact value in ulp of the result's format. The exact value lies between the results toward
zero and away from it; where between them, is computed in float64. No verdict depends on that, only the plots.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

import bitexact_kernels as bx
from bitexact_kernels._check import _FIELDS, _ordered
from bitexact_kernels._formats import SHORT, bits, dtype_by_name

BUCKETS = 512
POINTS = 256
FORMATS = {"f16": "float16", "bf16": "bfloat16"}
INFINITY = {"f16": 0x7C00, "bf16": 0x7F80}
HERE = Path(__file__).resolve().parent

Array = np.ndarray[Any, Any]


def of_pi(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A trigonometric function of pi x, whose argument is reduced exactly."""
    return lambda x: function(np.pi * np.fmod(x, 2))


def gelu_tanh(x: Array) -> Array:
    return x * special.expit(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


#: The functions in float64, to a small fraction of an ulp of a 16-bit format.
FLOAT64: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp, "exp2": np.exp2, "exp10": special.exp10, "expm1": np.expm1,
    "exp2m1": lambda x: np.expm1(x * np.log(2)), "exp10m1": lambda x: np.expm1(x * np.log(10)),
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "log2p1": lambda x: np.log1p(x) / np.log(2), "log10p1": lambda x: np.log1p(x) / np.log(10),
    "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "sinpi": of_pi(np.sin), "cospi": of_pi(np.cos), "tanpi": of_pi(np.tan),
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinpi": lambda x: np.arcsin(x) / np.pi, "acospi": lambda x: np.arccos(x) / np.pi, "atanpi": lambda x: np.arctan(x) / np.pi,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "reciprocal": lambda x: 1 / x,
    "erf": special.erf, "erfc": special.erfc, "tgamma": special.gamma, "lgamma": special.gammaln,
    "sigmoid": special.expit, "silu": lambda x: x * special.expit(x), "gelu": lambda x: x * special.ndtr(x),
    "gelu_tanh": gelu_tanh, "mish": lambda x: x * np.tanh(np.logaddexp(0, x)), "softsign": lambda x: x / (1 + np.abs(x)),
    "logsigmoid": special.log_expit, "tanhshrink": lambda x: x - np.tanh(x),
    "hardsigmoid": lambda x: np.clip(x + 3, 0, 6) / 6, "hardswish": lambda x: x * (np.clip(x + 3, 0, 6) / 6),
    "selu": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
    "convert": lambda x: x,
}  # fmt: skip


class Exact:
    """Where the exact results of a row lie."""

    def __init__(self, row: str, overflow: str = "ieee") -> None:
        self.op, source, *rest = row.split(".")
        self.source, self.result = FORMATS[source], SHORT[rest[0] if rest else source]
        self.width = _FIELDS[self.result][0]
        codes = np.arange(1 << 16, dtype=np.uint16)
        values = codes.view(dtype_by_name(self.source))
        #: Of 512 ranges from the least input to the largest one; -1 for a NaN.
        order, infinity = _ordered(codes, 16), INFINITY[source]
        self.bucket = np.where(np.abs(order) > infinity, -1, (order + infinity) * BUCKETS // (2 * infinity + 1))

        def call(rounding: str) -> tuple[Array, Array, Array]:
            given = [self.result] if self.op == "convert" else []
            found = getattr(bx, self.op)(values, *given, rounding=rounding, overflow=overflow)
            return bits(found), _ordered(bits(found), self.width), found.astype(np.float64)

        self.nearest, nearest, value = call("ties-to-even")
        _, low, least = call("toward-negative")
        _, high, most = call("toward-positive")
        with np.errstate(all="ignore"):
            exact = FLOAT64[self.op](values.astype(np.float64))
            part = np.clip((exact - least) / (most - least), 0, 1)
        # Next to an infinity and where the result is exact there is nothing between the neighbours.
        between = np.isfinite(least) & np.isfinite(most) & (least < most) & np.isfinite(part)
        self.at = np.where(between, low + np.where(between, part, 0) * (high - low), nearest)
        # What float64 places on the wrong side of a midpoint is on it.
        self.at = np.clip(self.at, nearest - 0.5, nearest + 0.5)
        self.defined = (self.bucket >= 0) & ~np.isnan(value)

    def error(self, codes: Array, where: Array) -> Array:
        """Of results at these inputs, in hundredths of an ulp."""
        return np.rint(100 * (_ordered(codes, self.width) - self.at[where])).astype(np.int64)

    def band(self) -> list[int]:
        """The least and the largest error of the correctly rounded results in each bucket, one after the other."""
        errors = self.error(self.nearest, np.arange(1 << 16))
        band = []
        for bucket in range(BUCKETS):
            of = errors[self.defined & (self.bucket == bucket)]
            band += [int(of.min()), int(of.max())] if of.size else [0, 0]
        return band


def describe(row: str, codes: Array) -> dict[str, Any]:
    """A row of the file."""
    op, source, *rest = row.split(".")
    result = SHORT[rest[0] if rest else source]
    given_values = codes.view(dtype_by_name(result))
    how = {"result": result} if rest else {}

    def check(overflow: str) -> bx.CheckResult:
        return bx.check(
            lambda x: given_values, op=op, dtype=FORMATS[source], rounding="ties-to-even", overflow=overflow, **how
        )

    # What a conversion does beyond the largest number is a choice: the rule that fits best.
    rules = ("ieee", "saturate-finite", "saturate-all") if rest else ("ieee",)
    found, overflow = min(((check(rule), rule) for rule in rules), key=lambda pair: pair[0].wrong)
    exact = Exact(row, overflow)
    record: dict[str, Any] = {"wrong": found.wrong, "nan": found.nan, "zero": found.zero, "max_ulp": found.max_ulp}
    if rest:
        record["overflow"] = overflow
    if found.ok:
        return record
    wrong = found.records()
    x, expected, given = (np.array([int(one[key], 16) for one in wrong]) for key in ("x", "expected", "given"))
    nan = np.array([one["what"] == "nan" for one in wrong])
    ulp = np.array([one["ulp"] for one in wrong])
    first = int(np.argmax(ulp if found.max_ulp else nan))
    record["worst"] = [f"{int(of[first]):04X}" for of in (x, expected, given)]
    errors = np.where(nan, 0, exact.error(given, x))
    buckets = []
    for bucket in np.unique(exact.bucket[x]):
        here = exact.bucket[x] == bucket
        of = errors[here & ~nan]
        ends = [int(of.min()), int(of.max())] if of.size else [0, 0]
        buckets.append([int(bucket), int(here.sum()), int((here & nan).sum()), *ends])
    record["buckets"] = buckets
    order = np.argsort(np.where(nan, -(1 << 30), -np.abs(errors)), kind="stable")[:POINTS]
    record["points"] = "".join(f"{int(x[at]):04X}{int(expected[at]):04X}{int(given[at]):04X}" for at in order)
    return record


def write(out: Path, head: dict[str, str], results: dict[str, Any]) -> None:
    """The file."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items() if key != "name"]
    compact = [f"  {json.dumps(row)}: {json.dumps(found, separators=(',', ':'))}" for row, found in results.items()]
    lines.append(' "results": {\n' + ",\n".join(compact) + "\n }")
    (out / f"{head['name']}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{head['name']}: {len(results)} rows")


def known(row: str) -> bool:
    """The catalog has the row."""
    op, source, *rest = row.split(".")
    if not hasattr(bx, op) or op not in FLOAT64:
        print(f"{row}: not compared: there is no such operation")
        return False
    return True


def rust(folder: Path, out: Path, head: dict[str, str]) -> None:
    """The Rust crates."""
    import tomllib

    lock = tomllib.loads((HERE.parent.parent / "Cargo.lock").read_text())
    versions = {package["name"]: package["version"] for package in lock["package"]}
    half = f"half {versions['half']}"
    for peer in sorted({path.stem.split(".")[2] for path in folder.glob("*.bin")}):
        files = {path.stem.removesuffix(f".{peer}"): path for path in sorted(folder.glob(f"*.{peer}.bin"))}
        results = {row: describe(row, np.fromfile(path, "<u2")) for row, path in files.items() if known(row)}
        version = f"{versions.get(peer, ' '.join(platform.libc_ver()))}, {half}"
        name = "Rust std" if peer == "std" else peer
        write(out, {**head, "name": f"rust-{peer}", "peer": name, "version": version}, results)


def processor() -> str:
    """This machine's."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {platform.system()} {platform.machine()}"
    return platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.npz")
    parser.add_argument("--rust", type=Path, metavar="FOLDER")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--out", type=Path, default=HERE / "peers")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    head = {"device": processor(), "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat()}
    for file in given.files:
        with np.load(file) as archive:
            of_file = json.loads(str(archive["head"]))
            rows = {row: archive[row] for row in archive.files if row != "head"}
        write(given.out, of_file, {row: describe(row, codes) for row, codes in rows.items() if known(row)})
    if given.rust:
        command = "cargo run --release -p sweep-site --example results FOLDER"
        rust(given.rust, given.out, {**head, "command": command})
    if given.own:
        rows = [f"{op}.{source}" for op in FLOAT64 if op != "convert" and hasattr(bx, op) for source in FORMATS]
        rows += [f"convert.{source}.{result}" for source in FORMATS for result in SHORT if result in TO and result != source]
        of = {"name": "own", "peer": "bitexact", "version": bx.__version__, "command": "python docs/site/compare.py --own"}
        write(given.out, {**of, **head}, {row: {"band": Exact(row).band()} for row in rows})


TO = ("f16", "bf16", "e5m2", "e4m3fn", "e5m2fnuz", "e4m3fnuz", "e2m3", "e3m2", "e2m1")

if __name__ == "__main__":
    main()
