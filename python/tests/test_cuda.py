"""bitexact_kernels.torch on a GPU: the CPU's bits, for every row. Skipped where there is none, or no code for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels as bx  # noqa: E402
import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels import _adopted, _core, _cuda, _verdicts  # noqa: E402
from bitexact_kernels._formats import bits, dtype_by_name  # noqa: E402
from bitexact_kernels._prepare import ROWS  # noqa: E402
from exact_cases import CASES, HOW, same, same_all  # noqa: E402

pytestmark = pytest.mark.skipif(not _cuda.available(), reason="no GPU, or no code for it")

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
ALL = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)
IN_TORCH = [row for row in ROWS if row["on_gpu"] and all(name in bt.ops._TO_TORCH for name in row["operands"] + row["results"])]


@pytest.mark.parametrize("row", IN_TORCH, ids=lambda row: row["name"])
def test_rows(row: dict[str, Any]) -> None:
    """The sweep's inputs in every rounding, by the row's own path and, shifted by one, by the short one."""
    _, count = _core.input_domain(row["at"])
    arrays = [np.empty(count, dtype_by_name(name)) for name in row["operands"]]
    _core.fill_inputs(row["at"], [bits(array) for array in arrays])
    operands = [bt.ops._tensor(array) for array in arrays]
    names = [name for name in row["takes"] if name not in ("rounding", "stochastic")]
    formats = len(operands) + ("projection" in names)
    p3109 = {"formats": ":".join(["Binary8p4se"] * formats), "projection": "ToOdd:SatNone"}
    some = {"policy": "ceil", "value": 0.5, **p3109}
    given = {name: some.get(name, bt.ops._DEFAULTS.get(name)) for name in names}
    modes = [{}]
    if "rounding" in row["takes"]:
        modes = [{"rounding": rounding} for rounding in bx.ROUNDINGS]
        modes.append({"rounding": "ties-to-even", "overflow": "saturate-finite"})
    if "stochastic" in row["takes"]:
        random = torch.randint(-(1 << 15), 1 << 15, (count,), dtype=torch.int16)
        modes.append({"random_bits": random})
    function = getattr(bt, row["op"])
    for mode in modes:
        there = {name: one.cuda() if name == "random_bits" else one for name, one in mode.items()}
        wants = function(*operands, dtype=row["results"][0], **given, **mode)
        gots = function(*(one.cuda() for one in operands), dtype=row["results"][0], **given, **there)
        for want, got in zip(wants, gots) if len(row["results"]) == 2 else [(wants, gots)]:
            assert got.is_cuda and same(want, got), mode


def test_status() -> None:
    x = ALL.view(torch.float16)
    for op in ("log", "exp", "sqrt"):
        for kind in ("each", True):
            want = getattr(bt, op)(x, return_status=kind, dtype=torch.float16, **EVEN)
            got = getattr(bt, op)(x.cuda(), return_status=kind, dtype=torch.float16, **EVEN)
            assert all(same(one, other) for one, other in zip(want, got, strict=True))


def test_shapes() -> None:
    a = torch.randn(5, 1, 4).half().transpose(0, 2)
    b = torch.randn(3, 1).half()
    assert same(bt.add(a.cuda(), b.cuda(), **EVEN), bt.add(a, b, **EVEN))
    assert same(bt.add(a.cuda(), 1, **EVEN), bt.add(a, 1, **EVEN))
    assert bt.exp(a[:0].cuda(), **EVEN).shape == a[:0].shape
    long = ALL.repeat(40).view(torch.bfloat16)
    for x in (long, long[1:], long[::3]):
        assert same(bt.exp(x.cuda(), **EVEN), bt.exp(x, **EVEN))
    with pytest.raises(TypeError, match="operands on"):
        bt.add(a.cuda(), b, **EVEN)
    with pytest.raises(TypeError, match="needs rounding="):
        bt.exp(b.cuda())


def chain(x: Any) -> Any:
    return bt.convert(bt.gelu(bt.hardtanh(x, min=-0.7, max=0.7, **EVEN), **EVEN), torch.float32, **EVEN)


def same_gradients(function: Any) -> None:
    x = torch.randn(1000).bfloat16()
    gradients = []
    for use, where in ((chain, "cpu"), (function, "cuda")):
        leaf = x.detach().clone().to(where).requires_grad_()
        made = use(leaf)
        assert same(made.detach(), chain(x))
        made.sum().backward()
        gradients.append(leaf.grad)
    assert same(*gradients)


def test_gradients() -> None:
    same_gradients(chain)


@pytest.mark.usefixtures("traced")
def test_compiling() -> None:
    same_gradients(torch.compile(chain, fullgraph=True))


def test_streams_and_graphs() -> None:
    x = torch.randn(1 << 22, device="cuda").bfloat16()
    want = bt.exp(x.cpu(), rounding="toward-zero")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        got = bt.exp(x, rounding="toward-zero")
    stream.synchronize()
    assert same(got, want)
    bt.add(x, 1, **EVEN)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = bt.exp(x, rounding="toward-zero")
        total = bt.add(made, 1, **EVEN)
    for shift in (0, 1, 2):
        x.copy_(torch.randn(1 << 22, device="cuda").bfloat16() + shift)
        graph.replay()
        torch.cuda.synchronize()
        want = bt.exp(x.cpu(), rounding="toward-zero")
        assert same(made, want) and same(total, bt.add(want, 1, **EVEN))


def test_check_on_the_device() -> None:
    found = bx.check(lambda x: bt.exp(x, **EVEN), "exp", "float16", framework="torch", device="cuda")
    assert found.ok


@pytest.mark.parametrize("name", CASES)
def test_exact(name: str) -> None:
    for how in HOW:
        made = []
        for where in ("cpu", "cuda"):
            with bt.exact(**how):
                made.append(CASES[name](lambda x, where=where: x.to(where)))
        assert all(one.is_cuda for one in made[1]) and same_all(*made), how


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_random_numbers_by_counters(dtype: Any) -> None:
    """The CPU's draws, samples, dropout (that of attention too) and a step of training with it."""

    def made(where: str) -> list[Any]:
        random = bt.Random(11)
        random.calls = 2**32 - 3
        torch.manual_seed(0)
        layers = [torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Dropout(0.3), torch.nn.Linear(32, 16)]
        model = torch.nn.Sequential(*layers).to(where, dtype)
        optimiser = torch.optim.AdamW(model.parameters(), lr=0.01)
        x = torch.linspace(-2, 2, 5 * 7 * 16).reshape(5, 7, 16).to(where, dtype)
        shares = torch.linspace(0, 1, 5 * 1001).reshape(5, 1001).to(where)
        with bt.exact(rounding="ties-to-even", accumulation="exact", random=random):
            draws = [torch.rand(1025, device=where, dtype=dtype), torch.rand_like(x), x.clone().uniform_(-3, 0.5)]
            draws += [x.clone().exponential_(1.5), torch.bernoulli(shares), x.clone().bernoulli_(0.3)]
            draws += [torch.multinomial(shares, 1), torch.multinomial(shares, 4, replacement=False)]
            query, key, value = (x.reshape(5, 2, 7, 8) * scale for scale in (1.0, 0.5, 0.25))
            attention = torch.nn.functional.scaled_dot_product_attention(query, key, value, dropout_p=0.25)
            for _ in range(3):
                optimiser.zero_grad()
                loss = model(x).float().square().mean()
                loss.backward()
                optimiser.step()
        assert random.calls == 2**32 + 9
        return [*draws, attention, loss, *(one for weight in model.parameters() for one in (weight, weight.grad))]

    here, there = made("cpu"), made("cuda")
    assert all(one.is_cuda for one in there) and same_all(here, there)


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(("kind", "size"), [("Seed2", 32), ("Seed5", 64)])
def test_networks_of_the_seeds(kind: str, size: int) -> None:
    """The CPU's results; eager and compiled, a batch of 4 and 4 of 1."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
    import torch_seeds

    torch.manual_seed(0)
    model = getattr(torch_seeds, kind)().eval()
    batch = torch.randn(4, 3, size, size)
    with torch.no_grad():
        want = torch_seeds.in_exact(model)(batch)
        model, batch = model.cuda(), batch.cuda()
        run = torch_seeds.in_exact(model)
        compiled = torch_seeds.compiled(model, backend=bt.backend(**torch_seeds.EXACT))
        gots = [run(batch), torch.cat([run(image[None]) for image in batch]), compiled(batch)]
    different = [torch_seeds.differ(got.cpu(), want) for got in gots]
    print(f"{kind}, of {want.numel():,}: eager, batches of 1, compiled on the GPU against the CPU differ in {different}")
    assert different == [0, 0, 0]


@pytest.mark.parametrize(("unit", "dtype"), [("hopper-bf16/1", torch.bfloat16), ("ampere-f16/1", torch.float16)])
@pytest.mark.parametrize("adopt", ["0", "1"])
def test_products_in_the_order_of_a_unit(unit: str, dtype: Any, adopt: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The CPU's bits, by PyTorch's own product where it was found to have them and by this library's kernel."""
    monkeypatch.setenv("BITEXACT_KERNELS_ADOPT", adopt)
    monkeypatch.setenv("BITEXACT_KERNELS_CACHE", str(tmp_path))
    monkeypatch.setattr(_verdicts, "_known", None)
    monkeypatch.setattr(_adopted, "_calls", {})
    monkeypatch.setattr(_adopted, "AFTER", 0)
    layer = torch.nn.Linear(200, 130).to(dtype)
    with bt.exact(accumulation=unit, rounding="ties-to-even"), torch.no_grad():
        for rows in (1, 7, 70):
            x = (torch.randn(rows, 200) * 30).to(dtype)
            want = [layer.cpu()(x), x @ x.mT, torch.stack([x, x]) @ torch.stack([x, -x]).mT]
            there = x.cuda()
            got = [layer.cuda()(there), there @ there.mT, torch.stack([there, there]) @ torch.stack([there, -there]).mT]
            assert same_all(got, want), rows
    assert bool(_verdicts.every()) == (adopt == "1")


@pytest.mark.parametrize(
    ("dtype", "rounding", "overflow"),
    [
        (torch.bfloat16, "ties-to-even", "ieee"),
        (torch.bfloat16, "toward-zero", "ieee"),
        (torch.float16, "ties-to-even", "ieee"),
        (torch.float16, "ties-to-even", "saturate-finite"),
    ],
)
@pytest.mark.parametrize("adopt", ["0", "1"])
def test_layers_in_the_order_of_a_unit(
    adopt: str, dtype: Any, rounding: str, overflow: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Linear layers with infinities, NaNs and what overflows, convolutions in groups, and attention, with their gradients:
    the CPU's bits."""
    monkeypatch.setenv("BITEXACT_KERNELS_ADOPT", adopt)
    monkeypatch.setenv("BITEXACT_KERNELS_CACHE", str(tmp_path))
    monkeypatch.setattr(_verdicts, "_known", None)
    monkeypatch.setattr(_adopted, "_calls", {})
    monkeypatch.setattr(_adopted, "AFTER", 0)
    torch.manual_seed(3)
    x, image = torch.randn(6, 64).to(dtype), torch.randn(2, 24, 9, 8).to(dtype)
    x[1, 3], x[2, 5], x[3], x[4] = torch.inf, torch.nan, 0, 60000
    heads = torch.randn(3, 2, 4, 40, 32).to(dtype)
    present = (torch.arange(40) >= torch.tensor([0, 7])[:, None])[:, None, None]
    linear = torch.nn.Linear(64, 48).to(dtype)
    convolutions = [torch.nn.Conv2d(24, 16, 3, padding=1, groups=groups).to(dtype) for groups in (1, 8)]
    attention = torch.nn.functional.scaled_dot_product_attention
    made = []
    for device in ("cpu", "cuda"):
        given = [one.detach().to(device).requires_grad_() for one in (x, image, *heads)]
        layers = [linear.to(device), *(one.to(device) for one in convolutions)]
        for layer in layers:
            layer.zero_grad()
        unit = "hopper-bf16/1" if dtype == torch.bfloat16 else "hopper-f16/1"
        with bt.exact(accumulation=unit, rounding=rounding, overflow=overflow):
            results = [linear(given[0]), *(one(given[1]) for one in layers[1:]), attention(*given[2:])]
            results.append(attention(*given[2:], attn_mask=present.to(device)))
            for one in results:
                one.backward(torch.ones_like(one))
        parameters = [one for layer in layers for one in layer.parameters()]
        made.append([one.detach().cpu() for one in (*results, *(one.grad for one in (*given, *parameters)))])
    assert all(same(one, other) for one, other in zip(*made))
    assert bool(_verdicts.every()) == (adopt == "1")


def test_an_adopted_product_that_differs_is_dropped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BITEXACT_KERNELS_CACHE", str(tmp_path))
    monkeypatch.setattr(_verdicts, "_known", None)
    monkeypatch.setattr(_adopted, "_calls", {})
    monkeypatch.setattr(_adopted, "CHECKED", 2)
    monkeypatch.setattr(_adopted, "AFTER", 0)
    x = torch.randn(64, 64, device="cuda").bfloat16()

    def call() -> torch.Tensor:
        with bt.exact(accumulation="hopper-bf16/1", rounding="ties-to-even"):
            return x @ x

    monkeypatch.setenv("BITEXACT_KERNELS_ADOPT", "0")
    want = call()
    monkeypatch.delenv("BITEXACT_KERNELS_ADOPT")
    # One that was equal when it was tried, and is not any more.
    monkeypatch.setattr(_adopted, "_equal", lambda *given: True)
    monkeypatch.setattr(_adopted, "_vendor", lambda unit, a, b, dtype, bias: torch.bmm(a, b) * 1.0625)
    assert not same(call(), want)
    with pytest.raises(bt.AdoptedError):
        call()
    assert not any(_verdicts.every().values())
    assert same(call(), want)


def test_f32_functions_by_doubles() -> None:
    """Entries by the hardware's f64 are taken where they give the integer kernel's results for all operands."""
    x = torch.arange(-(1 << 31), 1 << 31, 4093, dtype=torch.int64).to(torch.int32).view(torch.float32)
    device = _cuda.on(0)
    for op in ("exp", "log", "sin", "tanh", "gelu"):
        for rounding in ("ties-to-even", "toward-positive"):
            want = getattr(bt, op)(x, rounding=rounding)
            assert same(getattr(bt, op)(x.cuda(), rounding=rounding), want), (op, rounding)
    assert any(device.proofs.values())


def test_a_graph_of_products() -> None:
    a, b = torch.randn(64, 32, device="cuda"), torch.randn(32, 16, device="cuda")
    with bt.exact(**HOW[0]):
        torch.softmax(a @ b, -1)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            made = torch.softmax(a @ b, -1)
        a.copy_(torch.randn(64, 32, device="cuda"))
        graph.replay()
        assert same(made, torch.softmax(a.cpu() @ b.cpu(), -1))


def test_a_call_loads_its_own_group() -> None:
    device = _cuda.Device(torch.cuda.current_device())
    if device.codes[0].packed != ".zip":
        pytest.skip("the code is not in groups")
    assert device.entry("exp_bf16") is device.entry("exp_bf16")
    assert [group for _, group in device.modules] == ["exp"]
    with pytest.raises(_cuda.CudaError, match="exp_none"):
        device.entry("exp_none")


def test_a_group_is_loaded_during_a_capture() -> None:
    """Without a table, which cannot be made then."""
    _cuda._devices.clear()
    x = torch.randn(1000, device="cuda").half()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = bt.lgamma(x, rounding="to-odd")
    graph.replay()
    assert same(made, bt.lgamma(x.cpu(), rounding="to-odd"))
