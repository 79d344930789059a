from collections.abc import Callable
from typing import Any

Mode = tuple[str | None, str | None]

def set_up(
    general: Callable[..., Any], mode: Callable[[], Any], status: Any, scalar: Callable[..., Any]
) -> None: ...
def know_dtype(dtype: Any, name: str) -> None: ...
def catalog() -> list[dict[str, Any]]: ...
def names() -> tuple[list[str], list[str], list[str], list[str]]: ...
def composite_names() -> tuple[list[str], list[str]]: ...
def operations() -> list[str]: ...
def row(op: int, operands: list[str | None], result: str | None) -> tuple[bool, int]: ...
def call(
    op: int,
    operands: tuple[Any, ...],
    out: Any,
    dtype: Any,
    rounding: Any,
    overflow: Any,
    random_bits: Any,
    parameters: tuple[Any, ...] | None,
    return_status: Any,
) -> Any: ...
def verify(row: int, rounding: Any, overflow: Any, parameters: tuple[Any, ...] | None) -> None: ...
def gpu_entry(
    row: int, rounding: Any, overflow: Any, parameters: tuple[Any, ...] | None, stochastic: bool
) -> tuple[str, list[int]]: ...
def gpu_hardware(row: int) -> str | None: ...
def gpu_packs(row: int) -> str | None: ...
def run(
    row: int,
    inputs: list[Any],
    outputs: list[Any],
    random: Any,
    rounding: Any,
    overflow: Any,
    parameters: tuple[Any, ...] | None,
    status: bool,
    each: Any,
) -> int: ...
def set_threads(count: int) -> None:
    """Sets how many threads a call may use beside the caller's; 0 stands for as many as there are processors, 1 for the caller's alone."""

def threads() -> int:
    """How many threads a call may use: 1 is the caller's alone."""

def share_threads(parallel: int, number: int, members: int, count: int) -> None: ...
def before_fork() -> None: ...
def after_fork_in_parent() -> None: ...
def after_fork_in_child() -> None: ...
def input_domain(row: int) -> tuple[str, int]: ...
def fill_inputs(row: int, arrays: list[Any]) -> None: ...
def time_row(row: int, inputs: list[Any], output: Any, rounding: str | None, calls: int) -> float: ...
def reduce_lanes(
    what: str,
    accumulation: str,
    dtype: str,
    result: str,
    values: Any,
    others: Any,
    length: int,
    missing: int,
    mode: Any,
    out: Any,
    beside: int | None,
) -> int: ...
def cumulative(what: str, dtype: str, result: str, values: Any, length: int, mode: Any, out: Any) -> None: ...
def gemm(
    accumulation: str,
    dtype: str,
    result: str,
    a: Any,
    b: Any,
    sizes: tuple[int, int, int, int],
    mode: Any,
    out: Any,
    status: bool,
) -> int: ...
BITS: int

def unit_table() -> list[tuple[str, list[str], int, int, str, int, bool, bool, str]]: ...
def unit_known(name: str) -> tuple[str, list[str], int, int, str, int, bool, bool, str]: ...
def unit_gemm(
    unit: str,
    dtype: str,
    result: str,
    a: Any,
    b: Any,
    sizes: tuple[int, int, int, int],
    mode: Any,
    out: Any,
) -> None: ...
def unit_steps(
    unit: str, dtype: str, a: Any, b: Any, length: int, c: Any, out: Any
) -> None: ...
def softmax(
    log: bool, dtype: str, result: str, values: Any, length: int, mode: Any, out: Any
) -> None: ...
def conv2d(
    x: Any,
    weights: Any,
    bias: Any,
    input: tuple[int, int, int],
    channels: int,
    kernel: tuple[int, ...],
    stride: tuple[int, int],
    padding: tuple[int, int],
    out: Any,
) -> None: ...
def linear(x: Any, weights: Any, bias: Any, length: int, outputs: int, out: Any) -> None: ...
def norm_statistics(
    dtype: str, values: Any, length: int, centred: bool, epsilon: float, out: Any
) -> None: ...
def batch_norm(x: Any, image: int, parameters: list[Any], epsilon: float) -> None: ...
def avg_pool2d(
    x: Any, input: tuple[int, ...], kernel: tuple[int, int], stride: Any, out: Any
) -> None: ...
def mx_quantise(
    dtype: str,
    element: str,
    values: Any,
    length: int,
    block: int,
    recipe: Any,
    random: Any,
    elements: Any,
    scales: Any,
) -> None: ...
def mx_dequantise(
    element: str,
    dtype: str,
    elements: Any,
    scales: Any,
    length: int,
    block: int,
    mode: Any,
    values: Any,
) -> None: ...
def mx_gemm(
    accumulation: str,
    formats: tuple[str, str],
    result: str,
    a: tuple[Any, Any],
    b: tuple[Any, Any],
    sizes: tuple[int, int, int, int, int],
    mode: Any,
    out: Any,
) -> int: ...
def random_bits(generator: str, seed: int, first: int, out: Any) -> None: ...
def scaled_gemm(
    result: str, a: Any, b: Any, sizes: tuple[int, int, int, int], scales: tuple[float, float], mode: Any, out: Any
) -> int: ...
def to_fixed(
    dtype: str, integer: str, values: Any, fraction: int, mode: Any, random: Any, out: Any
) -> int: ...
def from_fixed(
    integer: str, dtype: str, values: Any, fraction: int, mode: Any, random: Any, out: Any
) -> int: ...
def widen(dtype: str, values: Any, out: Any) -> int: ...
def to_unlisted(dtype: str, values: Any, mode: Any, random: Any, out: Any) -> int: ...
def dense(x: Any, length: int, outputs: int, layer: Any, result: str, out: Any) -> None: ...
def convolve(
    x: Any, input: tuple[int, int, int], channels: int, windows: Any, groups: int, layer: Any, result: str, out: Any
) -> None: ...
def nvfp4_tensor_scale(amax: float) -> float: ...
def nvfp4_quantise(
    dtype: str,
    values: Any,
    length: int,
    tensor_scale: float,
    least_scale: int,
    quotient: str,
    random: Any,
    elements: Any,
    scales: Any,
) -> None: ...
def nvfp4_dequantise(
    dtype: str,
    elements: Any,
    scales: Any,
    length: int,
    tensor_scale: float,
    mode: Any,
    values: Any,
) -> int: ...
def recipes() -> list[tuple[str, Any]]: ...
def recipe_quantise(
    formats: tuple[str, str, str], values: Any, columns: int, factor: float, how: Any, elements: Any, scales: Any
) -> None: ...
def recipe_dequantise(
    formats: tuple[str, str, str],
    elements: Any,
    columns: int,
    factor: float,
    scales: Any,
    how: Any,
    mode: Any,
    values: Any,
) -> None: ...
def recipe_factor(formats: tuple[str, str], amax: float, how: Any) -> float: ...
def hadamard(dtype: str, values: Any, negated: int, mode: Any) -> None: ...
def pack(element: str, from_: Any, to: Any, back: bool) -> None: ...
def parse(text: str, dtype: str, mode: Any) -> tuple[int, int]: ...
def format(
    bits: int,
    dtype: str,
    style: str,
    digits: int | None,
    places: int | None,
    scientific: bool,
    rounding: Any,
) -> str: ...
def accumulator_words(dtype: str) -> int: ...
def mode_word(rounding: str, overflow: str | None) -> int: ...

class Prepared:
    entry: str
    last: tuple[int, ...]
    def __new__(
        cls, row: int, rounding: Any, overflow: Any, parameters: tuple[Any, ...] | None
    ) -> Prepared: ...
    def run(self, count: int, *addresses: int) -> bool: ...

class Tensors:
    @staticmethod
    def of(
        table: Any,
        types: tuple[type, type],
        followers: list[Callable[[], Any]],
        forward: Any,
        gradients: Callable[[], bool],
        empty_like: Callable[..., Any],
        maker: tuple[tuple[int, int, int], int] | None = None,
        state: tuple[int, int, int, int, int] | None = None,
    ) -> Tensors | None: ...

class CallCache:
    def __new__(cls, tensors: Tensors, operands: int) -> CallCache: ...
    def call(
        self,
        operands: tuple[Any, ...],
        dtype: Any,
        rounding: Any,
        overflow: Any,
        mode: Any,
        parameters: dict[str, Any],
    ) -> Any: ...
    def keep(
        self,
        operands: tuple[Any, ...],
        dtype: Any,
        rounding: Any,
        overflow: Any,
        mode: Any,
        parameters: dict[str, Any],
        call: Prepared,
        plan: Any,
        results: list[tuple[dict[str, Any] | None, int | None]],
    ) -> None: ...

#: An entry, its words, and blocks, threads and bytes of memory.
Launched = tuple[str, list[int], int, int, int]

def gemm_plan(
    name: str,
    sizes: tuple[int, int, int, int],
    a: tuple[int, tuple[int, ...]],
    b: tuple[int, tuple[int, ...]],
    out: tuple[int, tuple[int, ...]],
    mode: int,
) -> Launched | None: ...
def gemm_definition(
    name: str, sizes: tuple[int, int], a: int, b: int, out: int, walk: int, how: int, mode: int, processors: int
) -> Launched: ...
def sum_plan(
    name: str, x: int, n: int, slots: int, out: int, mode: int, processors: int
) -> list[Launched] | None: ...
def slot_words() -> int: ...
def pool_plan(
    x: int,
    batch: int,
    input: tuple[int, ...],
    results: tuple[int, ...],
    windows: tuple[tuple[int, int], tuple[int, int]] | None,
    out: int,
    processors: int,
) -> Launched: ...
def batch_norm_plan(
    sizes: tuple[int, int, int], x: int, parameters: tuple[int, int, int, int], epsilon: float, processors: int
) -> Launched: ...

class RowsPlan:
    def __new__(
        cls,
        what: str,
        name: str,
        address: int,
        length: int,
        count: int,
        out: int,
        mode: int,
        processors: int,
        missing: int,
        epsilon: float,
        weight: tuple[int, str] | None,
        bias: int,
    ) -> RowsPlan: ...
    @staticmethod
    def weights(
        name: str,
        address: int,
        sizes: tuple[int, int, int, int],
        out: int,
        scale: float,
        mask: tuple[int, bool] | None,
        strides: tuple[int, int, int],
        processors: int,
    ) -> RowsPlan: ...
    @staticmethod
    def batch_norm(
        name: str,
        addresses: tuple[int, int, int, int, int],
        sizes: tuple[int, int],
        channels: int,
        mode: int,
        processors: int,
    ) -> RowsPlan: ...
    def memory(self) -> int | None: ...
    def launches(self, memory: int) -> list[Launched]: ...
    def definition(self) -> Launched: ...

class BlocksPlan:
    def __new__(
        cls, name: str, n: int, block: int, addresses: tuple[int, int, int], processors: int
    ) -> BlocksPlan: ...
    def quantise(self, how: Any, random: int | None) -> list[Launched]: ...
    def nvfp4_quantise(
        self, tensor_scale: float, least_scale: int, quotient: str, random: int | None
    ) -> list[Launched]: ...
    def dequantise(self, mode: int) -> list[Launched]: ...
    def nvfp4_dequantise(self, tensor_scale: float, mode: int) -> list[Launched]: ...

def mx_gemm_definition(
    name: str,
    result: str,
    sizes: tuple[int, int, int, int],
    a: tuple[int, int],
    b: tuple[int, int],
    out: int,
    how: int,
    mode: int,
    processors: int,
) -> Launched: ...
def pack_plan(
    element: str, n: int, elements: int, bytes: int, unpack: bool, processors: int
) -> list[Launched]: ...

class UnitProduct:
    PROBE: tuple[int, int, int]
    def __new__(
        cls,
        name: str,
        ty: str,
        sizes: tuple[int, int, int, int],
        a: tuple[int, tuple[int, ...]],
        b: tuple[int, tuple[int, ...]],
    ) -> UnitProduct: ...
    def probe(self) -> tuple[list[int], list[int], list[int]] | None: ...
    def memory(self) -> int | None: ...
    def launches(self, memory: int, out: tuple[int, tuple[int, ...]], processors: int) -> list[Launched]: ...
    def definition(self, out: int, walk: int, processors: int) -> Launched: ...

class ExactProduct:
    def __new__(
        cls,
        name: str,
        sizes: tuple[int, int, int, int],
        a: tuple[int, tuple[int, ...]],
        b: tuple[int, tuple[int, ...]],
        out: tuple[int, tuple[int, ...]],
        mode: int,
        processors: int,
    ) -> ExactProduct: ...
    def at_once(self) -> int | None: ...
    def part(self, first: int, count: int) -> ExactProduct: ...
    def small(self) -> tuple[int, int]: ...
    def find(self, small: int) -> list[Launched]: ...
    def needs(self, found: bytes) -> int | None: ...
    def multiply(self, found: bytes, small: int, large: int) -> list[Launched]: ...

class CudaError(RuntimeError): ...

class Module:
    def __new__(cls, device: int, image: bytes) -> Module: ...
    def entry(self, name: str, shared: int) -> Entry: ...

class Entry:
    def launch(
        self, stream: int, blocks: int, threads: int, shared: int, words: tuple[int, ...]
    ) -> None: ...
def p3109_names() -> tuple[list[tuple[str, int]], list[str]]: ...
def p3109_format(
    name: str,
) -> tuple[
    tuple[int, int, bool, bool, int, int, int | None, int, int], tuple[int, int, int, int, int]
]: ...
def p3109_evaluate(
    operation: str,
    formats: list[str],
    operands: list[Any],
    result: str,
    rounding: str,
    bits: int,
    random: Any,
    saturation: str,
    revision: str,
) -> Any: ...
def p3109_compare(comparison: str, formats: tuple[str, str], x: Any, y: Any) -> Any: ...
def p3109_values(format: str, codes: Any) -> Any: ...
