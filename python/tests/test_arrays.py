"""Shapes, strides, byte orders, scalars, `out=`: what an array may be changes no bit."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bitexact_kernels as bx
from bitexact_kernels import Status
from bitexact_kernels._formats import bits, dtype_by_name

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
ALL16 = np.arange(1 << 16, dtype=np.uint16)
settings.register_profile(
    "bitexact", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150
)
settings.load_profile("bitexact")


def same(a: Any, b: Any) -> bool:
    """Whether two arrays have the same dtype, shape and bits."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(bits(a), bits(b))


@st.composite
def strided(draw: Any, dtype: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """An array of a shape with any strides: steps, negative ones, permuted axes."""
    steps = [draw(st.sampled_from([1, 1, 2, -1, -3])) for _ in shape]
    order = draw(st.permutations(range(len(shape))))
    base = [max(1, (n - 1) * abs(s) + 1) if n else 0 for n, s in zip(shape, steps)]
    size = int(np.prod([base[at] for at in order], dtype=int))
    unsigned = f"u{np.dtype(dtype).itemsize}"
    seed = draw(st.integers(0, 1 << 32))
    limit = 1 << {"float6_e2m3fn": 6, "float6_e3m2fn": 6, "float4_e2m1fn": 4}.get(
        np.dtype(dtype).name, 8 * np.dtype(dtype).itemsize
    )
    raw = np.random.default_rng(seed).integers(0, limit, size, dtype=np.uint64).astype(unsigned)
    array = raw.view(dtype).reshape([base[at] for at in order])
    array = array.transpose(np.argsort(order)) if shape else array.reshape(())
    index = tuple(slice(None, None, step) for step in steps)
    array = array[index] if shape else array
    return array[tuple(slice(0, n) for n in shape)] if shape else array


FORMATS = [
    "float16", "bfloat16", "float32", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz",
    "float8_e4m3fnuz", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn",
]  # fmt: skip


@given(st.data())
def test_strides_and_broadcasting(data: Any) -> None:
    dtype = dtype_by_name(data.draw(st.sampled_from(FORMATS)))
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=6))
    a, b = (data.draw(strided(dtype, shape)) for shape in shapes.input_shapes)
    got = bx.add(a, b, return_status="each", **EVEN)
    wide = [np.ascontiguousarray(np.broadcast_to(x, shapes.result_shape)) for x in (a, b)]
    flat = [x.reshape(-1) for x in wide]
    want, flags = np.empty(flat[0].shape, dtype), np.empty(flat[0].shape, np.uint8)
    for k in range(flat[0].size):
        want[k], flags[k] = bx.add(flat[0][k], flat[1][k], return_status="each", **EVEN)
    assert same(got[0], want.reshape(shapes.result_shape))
    assert same(got[1], flags.reshape(shapes.result_shape))


def operand(data: Any, dtype: Any, shape: tuple[int, ...]) -> Any:
    """An array of any strides, a NumPy scalar, or a Python number."""
    kind = data.draw(st.sampled_from(["array", "array", "array", "fortran", "scalar", "number"]))
    array = data.draw(strided(dtype, shape))
    if kind == "fortran":
        return np.asfortranarray(array)
    if kind == "scalar":
        return data.draw(strided(dtype, ()))[()]
    if kind == "number":
        return data.draw(st.sampled_from([0, 1, -2, 0.5, -0.0 if np.dtype(dtype).itemsize > 1 else 0.0]))
    return array


@given(st.data())
def test_the_short_way_is_the_long_way(data: Any) -> None:
    dtype = dtype_by_name(data.draw(st.sampled_from(FORMATS)))
    op, count = data.draw(st.sampled_from([("negate", 1), ("next_up", 1), ("add", 2), ("fma", 3)]))
    function = getattr(bx, op)
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=4, max_side=6))
    operands = [operand(data, dtype, shape) for shape in shapes.input_shapes]
    if all(type(one) in (int, float) for one in operands):
        operands[0] = np.zeros(3, dtype)
    how = EVEN if count > 1 else {}
    try:
        long, _ = function(*operands, return_status="each", **how)
    except TypeError:
        # A number that the format does not hold.
        with pytest.raises(TypeError):
            function(*operands, **how)
        return
    got = function(*operands, **how)
    assert same(got, long) and type(got) is type(long)
    if isinstance(got, np.ndarray):
        wide = [at for at, length in enumerate(got.shape) if length > 1 and got.size]
        assert [got.strides[at] for at in wide] == [long.strides[at] for at in wide]
        out = np.zeros(got.shape, got.dtype)
        assert function(*operands, out=out, **how) is out and same(out, long)
        for at, one in enumerate(operands):
            if isinstance(one, np.ndarray) and one.shape == got.shape:
                into = one.copy("K")
                given_ = [into if other == at else value for other, value in enumerate(operands)]
                assert function(*given_, out=into, **how) is into and same(into, long)


@given(st.data())
def test_out_of_any_strides(data: Any) -> None:
    dtype = dtype_by_name(data.draw(st.sampled_from(FORMATS[:3])))
    shape = data.draw(hnp.array_shapes(max_dims=3, max_side=7))
    x, out = data.draw(strided(dtype, shape)), data.draw(strided(dtype, shape))
    want = bx.negate(x)
    before = out.base.copy() if out.base is not None else out.copy()
    assert bx.negate(x, out=out) is out
    assert same(out, want)
    # Nothing beside it is written.
    bits(out)[...] = 0
    kept = out.base if out.base is not None else out
    fresh = np.ones(kept.shape, bool)
    assert np.count_nonzero(bits(kept) != bits(before)) <= out.size and fresh.size


@given(hnp.arrays(np.float16, hnp.array_shapes(max_dims=2)), hnp.arrays(np.float16, ()))
def test_add_against_numpy(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> None:
    with np.errstate(all="ignore"):
        want = (a.astype(np.float64) + b.astype(np.float64)).astype(np.float16)
    got = bx.add(a, b, **EVEN)
    assert np.array_equal(got, want, equal_nan=True)
    zeros = want == 0
    assert np.array_equal(np.signbit(got[zeros]), np.signbit(want[zeros]))


def test_all_inputs_of_all_layouts() -> None:
    x = ALL16.view(np.float16)
    want = bx.exp(x, **EVEN)
    square = x.reshape(256, 256)
    assert same(bx.exp(square, **EVEN), want.reshape(256, 256))
    assert same(bx.exp(square.T, **EVEN), want.reshape(256, 256).T)
    assert bx.exp(square.T, **EVEN).flags.f_contiguous
    assert same(bx.exp(x[::-1], **EVEN), want[::-1])
    assert same(bx.exp(x.astype(">f2"), **EVEN), want)
    assert same(bx.exp(np.asfortranarray(square), **EVEN), want.reshape(256, 256))
    unaligned = np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float16)
    assert not unaligned.flags.aligned
    assert same(bx.exp(unaligned, **EVEN), want)
    field = np.zeros(x.size, [("pad", "u1"), ("x", "f2")])
    field["x"] = x
    assert same(bx.exp(field["x"], **EVEN), want)
    for count in (1, 2):
        bx.set_threads(count)
        assert same(bx.exp(np.tile(x, 8), **EVEN), np.tile(want, 8))
    bx.set_threads(0)


def test_scalars() -> None:
    one = bx.exp(np.float16(1), **EVEN)
    assert type(one) is np.float16 and one == np.float16(2.719)
    assert type(bx.exp(np.array(1, np.float16), **EVEN)) is np.float16
    assert bx.exp(np.ones(1, np.float16), **EVEN).shape == (1,)
    wide = bx.convert(np.float32(1), "bfloat16", **EVEN)
    assert wide.dtype == ml_dtypes.bfloat16
    x = np.ones(3, np.float16)
    assert same(bx.add(x, 1, **EVEN), np.full(3, 2, np.float16))
    assert same(bx.add(1.5, x, **EVEN), np.full(3, 2.5, np.float16))
    assert same(bx.fma(2, 3, 0.5, dtype="float32", **EVEN), np.float32(6.5))
    assert np.isnan(bx.add(x, float("nan"), **EVEN)).all()
    assert same(bx.scalbn(x, 3, **EVEN), np.full(3, 8, np.float16))
    assert same(bx.scalbn(x, np.arange(3, dtype=np.int8), **EVEN), np.array([1, 2, 4], "f2"))
    assert same(bx.from_int(np.int16(300), np.float16, **EVEN), np.float16(300))
    assert bx.classify(np.float32("nan")) == bx.Class.QUIET_NAN
    assert bx.is_nan(x).dtype == bool
    fraction, exponent = bx.frexp(np.float32(6))
    assert (fraction, exponent) == (np.float32(0.75), np.int32(3))


def test_mixed_formats_need_a_result() -> None:
    a, b = np.ones(2, np.float16), np.ones(2, np.float32)
    with pytest.raises(TypeError, match=r"float16, float32 needs dtype="):
        bx.add(a, b, **EVEN)
    assert bx.add(a, b, dtype="bfloat16", **EVEN).dtype == ml_dtypes.bfloat16
    assert bx.add(a, b, dtype=np.float32, **EVEN).dtype == np.float32
    assert bx.add(a, a, dtype=np.dtype("f4"), **EVEN).dtype == np.float32
    assert bx.add(a, a, dtype=ml_dtypes.bfloat16, **EVEN).dtype == ml_dtypes.bfloat16
    assert bx.add(a, a, dtype="bf16", **EVEN).dtype == ml_dtypes.bfloat16


def test_roundings_and_modes() -> None:
    x = np.array([0.1, 1, 3], np.float16)
    with pytest.raises(TypeError, match=r"exp\(\) needs rounding=.*ties-to-even"):
        bx.exp(x)
    with bx.mode(rounding="toward-zero"):
        assert same(bx.exp(x), bx.exp(x, rounding="toward-zero"))
        with bx.mode(rounding="toward-positive", overflow="saturate-all"):
            assert same(bx.exp(x), bx.exp(x, rounding="toward-positive"))
            top = np.array([np.inf], np.float32)
            assert same(bx.convert(top, "float16"), np.array([65504], np.float16))
            assert same(bx.convert(top, "float16", overflow="ieee"), np.array([np.inf], "f2"))
        assert same(bx.exp(x), bx.exp(x, rounding="toward-zero"))
    with pytest.raises(TypeError):
        bx.exp(x)

    @bx.mode(rounding="to-odd")
    def odd() -> Any:
        return bx.exp(x)

    assert same(odd(), bx.exp(x, rounding="to-odd"))
    with bx.mode(policy="ceil"):
        scale = bx.e8m0_encode(np.float32(1.5))
        assert float(scale) == 2.0
    with pytest.raises(TypeError, match="policy="):
        bx.e8m0_encode(np.float32(1.5))
    with pytest.raises(ValueError, match="round-half-up"):
        bx.mode(rounding="round-half-up")  # type: ignore[arg-type]
    seen: list[Exception] = []
    with bx.mode(rounding="to-odd"):

        def other() -> None:
            try:
                bx.exp(x)
            except TypeError as error:
                seen.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(seen) == 1


def test_one_mode_in_several_threads() -> None:
    mode = bx.mode(rounding="toward-zero")
    x = np.array([0.1], np.float16)
    want, turn, wrong = bx.exp(x, rounding="toward-zero"), threading.Barrier(2), []

    def run() -> None:
        with mode:
            turn.wait()
            with mode:
                wrong.append(not same(bx.exp(x), want))
            turn.wait()
        try:
            bx.exp(x)
            wrong.append(True)
        except TypeError:
            pass

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [False, False]


def test_stochastic() -> None:
    x = np.full(4, 1 + 2**-10, np.float32)
    random = np.array([0, 0xDFFF, 0xE000, 0xFFFF], np.uint16)
    want = bx.convert(x, "bfloat16", rounding="stochastic", random_bits=random)
    assert want.astype(np.float32).tolist() == [1, 1, 1.0078125, 1.0078125]
    assert same(bx.convert(x, "bfloat16", random_bits=random), want)
    fixed = bx.convert(x, "bfloat16", rounding="stochastic:E000")
    assert same(fixed, np.full(4, want[2]))
    long = np.full((300, 400), x[0])
    up = bx.convert(long, "bfloat16", random_bits=random[:, None, None][2])
    assert (up == want[2]).all()
    with pytest.raises(TypeError, match="needs random_bits="):
        bx.convert(x, "bfloat16", rounding="stochastic")
    with pytest.raises(TypeError, match="goes with rounding='stochastic'"):
        bx.convert(x, "bfloat16", random_bits=random, **EVEN)
    with pytest.raises(TypeError, match="uint16, not int64"):
        bx.convert(x, "bfloat16", random_bits=random.astype(np.int64))
    with pytest.raises(ValueError, match=r"random_bits have shape \(3,\)"):
        bx.convert(x, "bfloat16", random_bits=random[:3])
    with pytest.raises(TypeError, match="no stochastic rounding"):
        bx.exp(x.astype(np.float16), rounding="stochastic:0000")


def test_status() -> None:
    x = np.array([1, 0, -1, np.inf], np.float16)
    y, raised = bx.log(x, return_status=True, **EVEN)
    assert raised == Status.DIVIDE_BY_ZERO | Status.INVALID and np.isnan(y[2])
    y, flags = bx.log(x, return_status="each", **EVEN)
    assert flags.tolist() == [0, Status.DIVIDE_BY_ZERO, Status.INVALID, 0]
    _, raised = bx.log(x[:1], return_status=True, **EVEN)
    assert raised is Status.NONE
    with pytest.raises(ValueError, match="return_status must be"):
        bx.log(x, return_status="all", **EVEN)  # type: ignore[arg-type]


def test_parameters() -> None:
    x = np.array([0.7, -0.7, 2], np.float32).astype(ml_dtypes.bfloat16)
    grad = np.ones_like(x)
    inside = bx.hardtanh_backward(x, grad, min=-0.7, max=0.7)
    assert inside.astype(float).tolist() == [1, 1, 0]
    narrow = bx.hardtanh_backward(x, grad, min=-0.7, max=0.7, bound="bfloat16")
    assert narrow.astype(float).tolist() == [0, 0, 0]
    assert same(
        bx.hardtanh_backward(x, grad, min=np.float32(-0.7), max=np.float32(0.7)), inside
    )
    with pytest.raises(ValueError, match=r"hardtanh_backward\(\) with"):
        bx.hardtanh_backward(x, grad, min=1.0, max=-1.0)
    with pytest.raises(TypeError, match="min must be a number, not str: '1'"):
        bx.hardtanh_backward(x, grad, min="1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="does not hold exactly"):
        bx.hardtanh_backward(x, grad, min=np.float64(-0.7))
    with pytest.raises(ValueError, match="nan must be one of pass, zero, propagate, not 'keep'"):
        bx.relu_backward(x, grad, nan="keep")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="policy must be one of floor, ceil"):
        bx.e8m0_encode(x, policy="up")
    with pytest.raises(ValueError):
        bx.hardshrink(x, lambd=-1.0)
    with pytest.raises(TypeError, match="does not hold exactly"):
        bx.elu(np.array([-1], np.float16), alpha=np.float64(0.1), **EVEN)
    elu = bx.elu(np.array([-1], np.float16), alpha=2, **EVEN)
    assert elu == np.float16(2 * np.expm1(-1.0))


class Kept(np.ndarray):  # type: ignore[type-arg]
    """A subclass."""


def test_other_arrays() -> None:
    x = np.array([1, 2], np.float16)
    got = bx.exp(x.view(Kept), **EVEN)
    assert type(got) is np.ndarray and same(got, bx.exp(x, **EVEN))
    x.flags.writeable = False
    assert same(bx.exp(x, **EVEN), bx.exp(x.copy(), **EVEN))
    with pytest.raises(ValueError, match="out is read-only"):
        bx.exp(x, out=x, **EVEN)
    for shape in ((0,), (3, 0, 2), (0, 0)):
        empty = np.zeros(shape, np.float16)
        assert bx.exp(empty, **EVEN).shape == shape
        assert bx.exp(empty, return_status=True, **EVEN)[1] is Status.NONE
        assert bx.add(empty, empty[..., :1] if shape[-1] else empty, **EVEN).shape == shape
    masked = np.ma.masked_array(x, [True, False])
    with pytest.raises(TypeError, match="masked array"):
        bx.exp(masked, **EVEN)

    class Holder:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([1, 2], np.float16)

    assert same(bx.exp(Holder(), **EVEN), bx.exp(x, **EVEN))


@pytest.mark.parametrize(
    "bad",
    [
        np.array([1.0, None], object),
        np.array([1j]),
        np.array(["1"]),
        np.array([True]),
        np.array([0], "M8[s]"),
        np.array([1.0], np.longdouble),
        np.array([1.0]),
        np.array([1], ml_dtypes.float8_e3m4),
        np.array([1], [("a", "f2")]),
        [1.0, 2.0],
        "1",
        None,
        True,
        1j,
        1.0,
        object(),
        {},
    ],
    ids=repr,
)
def test_what_is_no_operand(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"exp\(\)"):
        bx.exp(bad, **EVEN)


def test_numbers_that_do_not_fit() -> None:
    x = np.ones(2, np.float16)
    for bad in (0.1, 2049, 1e5, 65536.0):
        with pytest.raises(TypeError, match=f"operand b is {bad!r}, which float16 does not hold"):
            bx.add(x, bad, **EVEN)
    for huge in (10**400, -(10**5000)):
        with pytest.raises(TypeError, match="operand b is an int of [0-9]+ bits, which float16"):
            bx.add(x, huge, **EVEN)
    e4m3fnuz = x.astype(ml_dtypes.float8_e4m3fnuz)
    with pytest.raises(TypeError, match="-0.0, which float8_e4m3fnuz"):
        bx.add(e4m3fnuz, -0.0, **EVEN)
    with pytest.raises(TypeError):
        bx.add(x.astype(ml_dtypes.float4_e2m1fn), float("nan"), **EVEN)
    with pytest.raises(TypeError, match="int32 does not hold"):
        bx.scalbn(x, 1 << 40, **EVEN)
    with pytest.raises(TypeError):
        bx.scalbn(x, 1.5, **EVEN)
    with pytest.raises(TypeError):
        bx.scalbn(x, np.arange(2), **EVEN)
    with pytest.raises(TypeError, match="nothing says in which format"):
        bx.add(1.0, 2.0, **EVEN)


def test_bad_out() -> None:
    x = np.ones(4, np.float16)
    before = np.full(4, 7, np.float32)
    with pytest.raises(TypeError, match="out has dtype float32, and the result is float16"):
        bx.exp(x, out=before, **EVEN)
    assert (before == 7).all()
    with pytest.raises(ValueError, match=r"out has shape \(3,\), and the result \(4,\)"):
        bx.exp(x, out=np.ones(3, np.float16), **EVEN)
    with pytest.raises(TypeError, match="out must be an array, not list"):
        bx.exp(x, out=[0], **EVEN)  # type: ignore[arg-type]
    overlapping = np.lib.stride_tricks.as_strided(np.zeros(1, np.float16), (4,), (0,))
    with pytest.raises(ValueError, match="elements of out overlap"):
        bx.exp(x, out=overlapping, **EVEN)
    pair = np.zeros(5, np.float16)
    with pytest.raises(ValueError, match="overlap"):
        bx.modf(x, out=(pair[:4], pair[1:]))
    with pytest.raises(ValueError, match="2 results, and out= 1 arrays"):
        bx.modf(x, out=pair[:4])
    with pytest.raises(ValueError, match=r"operands of shapes \(4,\) and \(3,\)"):
        bx.add(x, x[:3], **EVEN)
    bad = np.full(4, 7, np.float16)
    for wrong in (
        {"rounding": "nearest"},
        {"rounding": "ties-to-even", "overflow": "wrap"},
        {"rounding": 1},
    ):
        with pytest.raises((TypeError, ValueError), match="rounding|overflow"):
            bx.exp(x, out=bad, **wrong)
    assert (bad == 7).all()
    with pytest.raises(TypeError, match="dtype must be one of"):
        bx.convert(x, "float128", **EVEN)
    with pytest.raises(TypeError, match=r"gives float16, not dtype float32"):
        bx.exp(x, dtype="float32", **EVEN)
    with pytest.raises(TypeError):
        bx.negate(x, **EVEN)


def test_overlap() -> None:
    for size in (10, 100_000):
        base = np.arange(size + 1).astype(np.float16)
        want = bx.exp2(bx.negate(base), **EVEN)
        x = bx.negate(base)
        bx.exp2(x, out=x, **EVEN)
        assert same(x, want)
        x = bx.negate(base)
        bx.exp2(x[:-1], out=x[1:], **EVEN)
        assert same(x[1:], want[:-1])
        x = bx.negate(base)
        bx.exp2(x, out=x[::-1], **EVEN)
        assert same(x[::-1], want)
        x = np.arange(size).astype(np.float32)
        low = x.view(np.float16)[::2]
        want = bx.convert(x.copy(), "float16", **EVEN)
        bx.convert(x, "float16", out=low, **EVEN)
        assert same(low.copy(), want)
    swapped = np.empty(3, ">f4")
    bx.convert(np.array([1, 2, 3], np.float16), "float32", out=swapped, **EVEN)
    assert swapped.tolist() == [1, 2, 3]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork() -> None:
    x = np.tile(ALL16.view(np.float16), 8)
    want = bx.cosh(x, **EVEN)
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            for name in ("sinh", "tanh", "erf", "log1p"):
                getattr(bx, name)(x, **EVEN)

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(8):
            child = os.fork()
            if child == 0:
                right = same(bx.cosh(x, **EVEN), want)
                right = right and bx.tanh(x, **EVEN).size == x.size
                os._exit(0 if right else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_forks_of_several_threads() -> None:
    x = np.tile(ALL16.view(np.float16), 16)
    want = bx.cosh(x, **EVEN)
    stop, codes = threading.Event(), []

    def busy() -> None:
        while not stop.is_set():
            bx.sinh(x, **EVEN)

    def forking() -> None:
        for _ in range(4):
            child = os.fork()
            if child == 0:
                os._exit(0 if same(bx.cosh(x, **EVEN), want) else 1)
            for _ in range(1200):
                done, code = os.waitpid(child, os.WNOHANG)
                if done:
                    codes.append(code)
                    break
                time.sleep(0.05)
            else:
                # It hangs.
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                codes.append(-1)

    threads = [threading.Thread(target=target) for target in (busy, forking, forking, forking)]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join()
    stop.set()
    threads[0].join()
    assert codes == [0] * 12


def test_threads() -> None:
    x = np.tile(ALL16.view(np.float16), 2)
    want = {op: getattr(bx, op)(x[: 1 << 16], **EVEN) for op in ("exp", "sin", "gelu", "log2")}
    wrong = []

    def run(op: str) -> None:
        for _ in range(5):
            if not same(getattr(bx, op)(x, **EVEN), np.tile(want[op], 2)):
                wrong.append(op)

    threads = [threading.Thread(target=run, args=(op,)) for op in list(want) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_functions_are_what_the_generator_writes() -> None:
    import subprocess
    import sys

    generator = Path(__file__).resolve().parents[1] / "tools" / "generate.py"
    assert subprocess.run([sys.executable, generator, "--check"], check=False).returncode == 0


def test_documentation() -> None:
    for name in bx.__all__:
        assert getattr(bx, name).__doc__, name
    text = bx.fma.__doc__
    assert text and "a * b + c" in text and "float16" in text


def test_functions_are_as_their_stubs_say() -> None:
    import ast
    import inspect
    import pickle

    from bitexact_kernels._prepare import OPS

    stub = Path(bx.__file__).with_name("_ops.pyi").read_text()
    known = {"_Status": {"return_status"}}
    known["_Rounded"] = known["_Status"] | {"rounding", "overflow"}
    known["_Random"] = known["_Rounded"] | {"random_bits"}
    found = {one.name: one.args for one in ast.parse(stub).body if isinstance(one, ast.FunctionDef)}
    assert list(found) == bx._core.operations()
    for op, (name, stub_of) in zip(OPS, found.items()):
        function = getattr(bx, name)
        assert function.__name__ == name and pickle.loads(pickle.dumps(function)) is function
        of = inspect.signature(function).parameters.values()
        positional = [one.name for one in of if one.kind is one.POSITIONAL_ONLY]
        assert positional == [one.arg for one in stub_of.posonlyargs] == list(op.names)
        assert [one.name for one in of if one.kind is one.POSITIONAL_OR_KEYWORD] == [one.arg for one in stub_of.args]
        keywords = {one.arg for one in stub_of.kwonlyargs} | known[ast.unparse(stub_of.kwarg.annotation)[7:-1]]
        assert {one.name for one in of if one.kind is one.KEYWORD_ONLY} == keywords, name
    with pytest.raises(TypeError, match="positional"):
        bx.exp(rounding="ties-to-even")  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="no attribute 'expp'"):
        bx.expp  # type: ignore[attr-defined]


NARROW = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn")


@pytest.mark.parametrize("name", NARROW)
def test_conversions_in_two_steps_round_once(name: str) -> None:
    """Against the format's own numbers: the greatest that is not above x, and the least that is not below."""
    codes = np.arange(1 << (4 if "4_" in name else 6 if "6_" in name else 8), dtype=np.uint8)
    numbers = codes.view(dtype_by_name(name)).astype(np.float64)
    numbers = np.unique(numbers[np.isfinite(numbers)])
    middles = (numbers[1:] + numbers[:-1]) / 2
    generator = np.random.default_rng(7)
    x = np.concatenate([numbers, middles, np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf),
                        generator.standard_normal(2000) * 2.0 ** generator.integers(-40, 9, 2000)])  # fmt: skip
    x = x[(x >= numbers[0]) & (x <= numbers[-1])]
    below = numbers[np.searchsorted(numbers, x, "right") - 1]
    above = numbers[np.searchsorted(numbers, x, "left")]
    for rounding, due in (("toward-negative", below), ("toward-positive", above)):
        made, flags = bx.convert(x, name, rounding=rounding, return_status="each")
        assert np.array_equal(made.astype(np.float64), due)
        assert np.array_equal(flags & int(Status.INEXACT) != 0, due != x)
    made = bx.convert(x, name, **EVEN).astype(np.float64)
    assert np.array_equal(abs(made - x), np.minimum(x - below, above - x))
    # From another narrow format it is the same, since that has the numbers in float64.
    for other in set(NARROW) - {name}:
        other_codes = np.arange(16, dtype=np.uint8).view(dtype_by_name(other))
        by_double = bx.convert(bx.convert(other_codes, "float64", **EVEN), name, **EVEN)
        assert same(bx.convert(other_codes, name, **EVEN), by_double)
    with pytest.raises(TypeError, match="float64 gives"):
        bx.convert(x, name, random_bits=np.zeros(x.shape, "u2"), rounding="stochastic")


def test_the_version_of_the_bits() -> None:
    assert bx.BITS == 1
