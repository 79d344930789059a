#!/usr/bin/env python3
"""Lines for `sweep p3109 verify`, written from Interim Report 4.0 alone.

    python3 host-tests/tests/p3109/oracle.py SEED COUNT [KIND] [--revision 2026-07] | sweep p3109 verify

It shares nothing with the kernels: values are fractions, the formats up to K = 8 are read from the working group's
tables, an irrational result is enclosed by mpmath between two fractions that must project to the same code (else the
precision grows), and each rule is written as the report states it. KIND is one of KINDS below; all of them otherwise.
"""

import csv
import math
import pathlib
import random
import sys
from fractions import Fraction

import mpmath
from mpmath import libmp, mp

NAN, PINF, NINF = "NaN", "+Inf", "-Inf"
TABLE = pathlib.Path(__file__).parent.parent / "vectors" / "p3109_values_k3_k8.csv"
REVISED = False


def power(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def log2_floor(x):
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if power(e) <= x else e - 1


# Formats (sections 3 and 4.8).

class Format:
    tables = {}

    def __init__(self, name):
        self.name = name
        self.external = name in EXTERNAL
        if self.external:
            self.K, self.P, self.B = EXTERNAL[name]
            self.signed = self.extended = True
        else:
            k, p = name[6:-2].split("p")
            self.K, self.P = int(k), int(p)
            self.signed, self.extended = name[-2] == "s", name[-1] == "e"
            self.B = 2 ** (self.K - self.P - 1) if self.signed else 2 ** (self.K - self.P)
        self.cache = {}
        if name in Format.tables:
            self.cache = Format.tables[name]
        self.codes = {v: c for c, v in self.cache.items()} if name in Format.tables else None
        # The largest and the least finite values, from the codes of 4.14.
        if self.external:
            self.hi_code = ((1 << (self.K - 1)) - (1 << (self.P - 1))) - 1
            self.inf_code = self.hi_code + 1
            self.nan_code = self.inf_code + (1 << (self.P - 2))
        elif self.signed:
            self.hi_code = 2 ** (self.K - 1) - (2 if self.extended else 1)
            self.inf_code = 2 ** (self.K - 1) - 1
            self.nan_code = 2 ** (self.K - 1)
        else:
            self.hi_code = 2 ** self.K - (3 if self.extended else 2)
            self.inf_code = 2 ** self.K - 2
            self.nan_code = 2 ** self.K - 1
        self.M_hi = self.decode(self.hi_code)
        self.M_lo = -self.M_hi if self.signed else Fraction(0)

    def decode(self, code):
        if code not in self.cache:
            self.cache[code] = self.compute(code)
        return self.cache[code]

    def compute(self, x):
        half = 2 ** (self.K - 1)
        if self.external:
            magnitude = x % half
            if magnitude > self.inf_code:
                return NAN
            if magnitude == self.inf_code:
                return NINF if x >= half else PINF
        else:
            if x == self.nan_code:
                return NAN
            if self.extended and x == self.inf_code:
                return PINF
            if self.extended and self.signed and x == 2 ** self.K - 1:
                return NINF
        if self.signed and x >= half:
            return -self.finite(x - half)
        return self.finite(x)

    def finite(self, m):
        T, E = m % 2 ** (self.P - 1), m // 2 ** (self.P - 1)
        if E == 0:
            return T * power(2 - self.P - self.B)
        return (2 ** (self.P - 1) + T) * power(E - self.B + 1 - self.P)

    def encode(self, v):
        """The code of a value of the format."""
        if v == NAN:
            return self.nan_code
        if v == PINF:
            assert self.extended
            return self.inf_code
        if v == NINF:
            assert self.extended and self.signed
            return self.inf_code + 2 ** (self.K - 1)
        if self.codes is not None:
            return self.codes[v]
        if v < 0:
            assert self.signed
            return self.encode(-v) + 2 ** (self.K - 1)
        if v == 0:
            return 0
        e = log2_floor(v)
        if self.P > 1 and e < 1 - self.B:
            code = v / power(2 - self.P - self.B)
        else:
            code = (v / power(e - self.P + 1) - 2 ** (self.P - 1)) + (e + self.B) * 2 ** (self.P - 1)
        assert code.denominator == 1 and self.compute(int(code)) == v, (self.name, v)
        return int(code)


EXTERNAL = {"binary64": (64, 53, 1023), "binary32": (32, 24, 127), "binary16": (16, 11, 15), "BFloat16": (16, 8, 127)}


def read_tables():
    with open(TABLE, newline="") as file:
        for row in csv.DictReader(file):
            text = row["value"]
            if text in ("NaN", "Inf", "-Inf"):
                value = {"NaN": NAN, "Inf": PINF, "-Inf": NINF}[text]
            else:
                value = Fraction(float.fromhex(text))
            Format.tables.setdefault(row["format"], {})[int(row["code"], 16)] = value


read_tables()
FORMATS = {}


def fmt(name):
    if name not in FORMATS:
        FORMATS[name] = Format(name)
    return FORMATS[name]


# Projection (4.7).

def round_to_precision(X, P, B, mode, N, R):
    """The rounded value; X is a fraction other than 0."""
    A = abs(X)
    Q = max(log2_floor(A), 1 - B) - P + 1
    s = A / power(Q)
    n = s.numerator // s.denominator
    v = s - n
    even = n % 2 == 0 if P > 1 else (n == 0 or (Q + B) % 2 == 0)
    half = Fraction(1, 2)
    if mode == "TowardZero":
        away = False
    elif mode == "TowardPositive":
        away = v > 0 and X > 0
    elif mode == "TowardNegative":
        away = v > 0 and X < 0
    elif mode == "NearestTiesToAway":
        away = v >= half
    elif mode == "NearestTiesToEven":
        away = v > half or (v == half and not even)
    elif mode == "ToOdd":
        away = v > 0 and even
    elif mode == "StochasticA":
        away = math.floor(v * 2**N) + R >= 2**N
    elif mode == "StochasticB":
        away = math.floor(v * 2 ** (N + 1)) + 2 * R + 1 >= 2 ** (N + 1)
    else:
        assert mode == "StochasticC"
        away = round(v * 2**N) + R >= 2**N  # Python rounds a fraction's ties to even
    Z = (n + away) * power(Q)
    return Z if X > 0 else -Z


def saturate(Z, f, mode, sat):
    """A value of the format, or NaN."""
    if Z not in (PINF, NINF) and f.M_lo <= Z <= f.M_hi:
        return Z
    above = Z == PINF or (Z != NINF and Z > f.M_hi)
    infinite = Z in (PINF, NINF)
    if sat == "SatFinite":
        return f.M_hi if above else f.M_lo
    if sat == "SatPropagate":
        if Z == PINF:
            return PINF if f.extended else f.M_hi
        if Z == NINF:
            return NINF if f.extended and f.signed else f.M_lo
        return f.M_hi if above else f.M_lo
    assert sat == "SatNone"
    if REVISED and not f.extended:
        # Every value beyond the range is NaN, except those that a direction clamps.
        clamped = not infinite and (
            mode == "TowardZero" or (mode == "TowardPositive" and not above) or (mode == "TowardNegative" and above)
        )
        return (f.M_hi if above else f.M_lo) if clamped else NAN
    if Z == PINF:
        return PINF if f.extended else f.M_hi
    if Z == NINF:
        if not f.signed:
            return NAN
        return NINF if f.extended else f.M_lo
    table = {
        #                 above ext   above fin  below s.e.  below s.f.  below unsigned
        "TowardZero":     (f.M_hi,    f.M_hi,    f.M_lo,     f.M_lo,     Fraction(0)),
        "TowardPositive": (PINF,      f.M_hi,    f.M_lo,     f.M_lo,     Fraction(0)),
        "TowardNegative": (f.M_hi,    f.M_hi,    NINF,       f.M_lo,     NAN),
        "ToOdd":          (PINF if f.signed or REVISED else f.M_hi, f.M_hi, NINF, f.M_lo, NAN),
    }
    row = table.get(mode, (PINF, f.M_hi, NINF, f.M_lo, NAN))
    if above:
        return row[0] if f.extended else row[1]
    if not f.signed:
        return row[4]
    return row[2] if f.extended else row[3]


class Irrational:
    """A number that no rational one equals on any rounding boundary; `enclose(bits)` gives fractions around it."""

    def __init__(self, enclose):
        self.enclose = enclose

    def over(self, S):
        def enclose(bits):
            a, b = self.enclose(bits)
            return tuple(sorted((a / S, b / S)))
        return Irrational(enclose)


def project(z, f, rho):
    mode, sat, N, R = rho
    if z == NAN:
        return f.nan_code
    if isinstance(z, Irrational):
        bits = 120
        while True:
            low, high = z.enclose(bits)
            if low * high > 0:
                codes = {project(low, f, rho), project(high, f, rho)}
                if len(codes) == 1:
                    return codes.pop()
            bits *= 3
            assert bits < 10**6, "no decision"
    if z not in (PINF, NINF) and z != 0:
        z = round_to_precision(z, f.P, f.B, mode, N, R)
    return f.encode(saturate(z, f, mode, sat))


# Operations on closed extended reals.

def infinite(x):
    return x == PINF or x == NINF


def sign(x):
    if infinite(x):
        return 1 if x == PINF else -1
    return (x > 0) - (x < 0)


def signed_infinity(s):
    return PINF if s > 0 else NINF


def neg(x):
    if infinite(x):
        return signed_infinity(-sign(x))
    return -x


def key(x):
    """For the order of closed extended reals."""
    return (sign(x), 0) if infinite(x) else (0, x)


def magnitude(x):
    return PINF if infinite(x) else abs(x)


def op_add(x, y):
    if infinite(x) and infinite(y):
        return x if x == y else NAN
    if infinite(x) or infinite(y):
        return x if infinite(x) else y
    return x + y


def op_multiply(x, y):
    if infinite(x) or infinite(y):
        s = sign(x) * sign(y)
        return signed_infinity(s) if s else NAN
    return x * y


def op_divide(x, y):
    if infinite(x) and infinite(y):
        return NAN
    if not infinite(y) and y == 0:
        return NAN
    if infinite(x):
        return signed_infinity(sign(x) * sign(y))
    if infinite(y):
        return Fraction(0)
    return x / y


def op_fma(x, y, z):
    product = op_multiply(x, y)
    return NAN if product == NAN else op_add(product, z)


def op_faa(x, y, z):
    infinities = {v for v in (x, y, z) if infinite(v)}
    if len(infinities) == 2:
        return NAN
    return infinities.pop() if infinities else x + y + z


def root(x):
    """Of a fraction that is not negative."""
    n, d = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if n * n == x.numerator and d * d == x.denominator:
        return Fraction(n, d)

    def enclose(bits):
        shift = bits - log2_floor(x) // 2 + 2
        scaled = x * power(2 * shift)
        low = math.isqrt(scaled.numerator // scaled.denominator)
        return low / power(shift), (low + 1) / power(shift)
    return Irrational(enclose)


def op_sqrt(x):
    if x == PINF:
        return PINF
    return NAN if x == NINF or x < 0 else root(x)


def op_recip(x):
    if infinite(x):
        return Fraction(0)
    return NAN if x == 0 else 1 / x


def op_rsqrt(x):
    if x == PINF:
        return Fraction(0)
    return NAN if x == NINF or x <= 0 else root(1 / x)


BEYOND = 400000  # an exponent beyond those of all formats and their scales


def to_mpf(x):
    shift = x.denominator.bit_length() - 1
    assert x.denominator == 1 << shift
    return mp.make_mpf(libmp.from_man_exp(x.numerator, -shift))


def to_fraction(y):
    s, man, exp, _ = y._mpf_
    if man == 0:
        return Fraction(0)
    if exp > BEYOND or exp < -2 * BEYOND:
        exp = BEYOND if exp > 0 else -2 * BEYOND
        man = 1
    value = int(man) * power(int(exp))
    return -value if s else value


def approximated(function, *operands):
    """The function by mpmath, with an error below 2^(12 - bits) of the result."""
    numbers = [to_mpf(x) for x in operands]

    def enclose(bits):
        with mp.workprec(bits + 400):
            y = function(*numbers)
            exponent = mp.mag(y)
            if abs(exponent) > BEYOND:
                a = power(BEYOND if exponent > 0 else -2 * BEYOND)
                return tuple(sorted((y.__class__(mp.sign(y)) < 0 and (-a, -2 * a) or (a, 2 * a))))
            y = to_fraction(y)
        error = abs(y) * power(12 - bits)
        return y - error, y + error
    return Irrational(enclose)


def between(low, high):
    low, high = sorted((low, high))
    return Irrational(lambda bits: (low, high))


TINY = power(-60)


def near(x, low, high):
    """x (1 + c x^2) for c from low to high: known bounds of the series' second term."""
    return between(x * (1 + Fraction(low) * x * x), x * (1 + Fraction(high) * x * x))


# Functions: of NaN-free operands. Each (at -Inf, at +Inf, at a fraction).

def unary(at_ninf, at_pinf, finite):
    def operation(x):
        if x == NINF:
            return at_ninf
        if x == PINF:
            return at_pinf
        return finite(x)
    return operation


def pi_times(q):
    """q pi."""
    if q == 0:
        return Fraction(0)

    def enclose(bits):
        with mp.workprec(bits + 20):
            pi = to_fraction(+mp.pi)
        e = power(4 - bits)
        return tuple(sorted((q * (pi - e), q * (pi + e))))
    return Irrational(enclose)


def f_exp(x):
    if x == 0:
        return Fraction(1)
    if abs(x) < TINY:
        return between(1 + x / 2, 1 + 2 * x)
    if abs(x) > power(30):
        return between(power(BEYOND), power(BEYOND + 1)) if x > 0 else between(power(-2 * BEYOND), power(1 - 2 * BEYOND))
    return approximated(mp.exp, x)


def f_exp2(x):
    if x.denominator == 1:
        if abs(x) > 300000:
            x = Fraction(300000 if x > 0 else -600000)
        return power(int(x))
    if abs(x) < TINY:
        return between(1 + x / 2, 1 + x)
    return approximated(lambda v: mp.power(2, v), x)


def f_expm1(x):
    if x == 0:
        return x
    if abs(x) < TINY:
        return between(x + x * x / 3, x + x * x)
    if x > power(30):
        return between(power(BEYOND), power(BEYOND + 1))
    if x < -power(18):
        return between(-1 + power(-BEYOND), -1 + power(-200000))
    return approximated(mp.expm1, x)


def f_log(x):
    if x == 0:
        return NINF
    if x < 0:
        return NAN
    if x == 1:
        return Fraction(0)
    return approximated(mp.log, x)


def f_log2(x):
    if x == 0:
        return NINF
    if x < 0:
        return NAN
    e = log2_floor(x)
    if x == power(e):
        return Fraction(e)
    return approximated(lambda v: mp.log(v) / mp.log(2), x)


def f_log1p(x):
    if x == -1:
        return NINF
    if x < -1:
        return NAN
    if x == 0:
        return x
    if abs(x) < TINY:
        return between(x - x * x / 3, x - x * x)
    return approximated(mp.log1p, x)


def odd(function, low, high):
    """x + c x^3 + ... where x is tiny."""
    def f(x):
        if x == 0:
            return x
        if abs(x) < TINY:
            return near(x, low, high)
        return approximated(function, x)
    return f


def even(function, low, high):
    """1 + c x^2 + ... where x is tiny."""
    def f(x):
        if x == 0:
            return Fraction(1)
        if abs(x) < TINY:
            return between(1 + Fraction(low) * x * x, 1 + Fraction(high) * x * x)
        return approximated(function, x)
    return f


def large(function, at_large):
    def f(x):
        if abs(x) > power(16):
            return at_large(x)
        return function(x)
    return f


def beyond(s):
    return between(s * power(BEYOND), s * power(BEYOND + 1))


F_SIN, F_TAN = odd(mp.sin, "-1/5", "-1/7"), odd(mp.tan, "1/4", "1/2")
F_COS = even(mp.cos, "-2/3", "-1/3")
F_SINH = large(odd(mp.sinh, "1/7", "1/5"), lambda x: beyond(sign(x)))
F_COSH = large(even(mp.cosh, "1/3", "2/3"), lambda x: beyond(1))
F_TANH = large(odd(mp.tanh, "-1/2", "-1/4"),
               lambda x: between(sign(x) * (1 - power(-100000)), sign(x) * (1 - power(-BEYOND))))
F_ATAN = odd(mp.atan, "-1/2", "-1/4")
F_ASINH = odd(lambda v: mp.sign(v) * mp.log1p(abs(v) + v * v / (1 + mp.sqrt(1 + v * v))), "-1/5", "-1/7")


def leg(v):
    return mp.sqrt((1 - v) * (1 + v))


def f_asin(x):
    if abs(x) > 1:
        return NAN
    if abs(x) == 1:
        return pi_times(x / 2)
    return odd(lambda v: mp.atan2(v, leg(v)), "1/7", "1/5")(x)


def f_acos(x):
    if abs(x) > 1:
        return NAN
    if x == 1:
        return Fraction(0)
    if x in (0, -1):
        return pi_times(Fraction(1) if x else Fraction(1, 2))
    return approximated(lambda v: mp.atan2(leg(v), v), x)


def f_asinpi(x):
    if abs(x) > 1:
        return NAN
    if abs(x) == 1 or x == 0:
        return x / 2
    if abs(x) == Fraction(1, 2):
        return x / 3
    return approximated(lambda v: mp.atan2(v, leg(v)) / mp.pi, x)


def f_acospi(x):
    if abs(x) > 1:
        return NAN
    exact = {1: Fraction(0), Fraction(1, 2): Fraction(1, 3), 0: Fraction(1, 2), Fraction(-1, 2): Fraction(2, 3), -1: Fraction(1)}
    if x in exact:
        return exact[x]
    return approximated(lambda v: mp.atan2(leg(v), v) / mp.pi, x)


def f_atanpi(x):
    if x == 0:
        return x
    if abs(x) == 1:
        return x / 4
    return approximated(lambda v: mp.atan(v) / mp.pi, x)


def reduced(x):
    """x modulo 2, from -1 up to 1."""
    return (x + 1) % 2 - 1


def f_sinpi(x):
    x = reduced(x)
    if (2 * x).denominator == 1:
        return {0: Fraction(0), 1: Fraction(1), -1: Fraction(-1), -2: Fraction(0)}[int(2 * x)]
    return approximated(lambda v: mp.sin(mp.pi * v), x)


def f_cospi(x):
    x = reduced(x)
    if (2 * x).denominator == 1:
        return {0: Fraction(1), 1: Fraction(0), -1: Fraction(0), -2: Fraction(-1)}[int(2 * x)]
    if abs(x) < TINY:
        return between(1 - 4 * x * x, 1 - 5 * x * x)
    return approximated(lambda v: mp.sin(mp.pi * (mp.mpf(1) / 2 - abs(v))), x)


def f_tanpi(x):
    x = reduced(x)
    if (4 * x).denominator == 1:
        quarter = int(4 * x)
        if quarter % 2:
            return Fraction(1) if quarter % 4 == 1 else Fraction(-1)
        if quarter % 4 == 0:
            return Fraction(0)
        if REVISED:
            return PINF if quarter == 2 else NINF
        return NAN
    return approximated(lambda v: mp.sin(mp.pi * v) / mp.sin(mp.pi * (mp.mpf(1) / 2 - abs(v))), x)


def f_acosh(x):
    if x < 1:
        return NAN
    if x == 1:
        return Fraction(0)
    return approximated(lambda v: mp.log1p((v - 1) + mp.sqrt((v - 1) * (v + 1))), x)


def f_atanh(x):
    if abs(x) == 1:
        return signed_infinity(sign(x))
    if abs(x) > 1:
        return NAN
    return odd(lambda v: mp.log1p(2 * v / (1 - v)) / 2, "1/4", "1/2")(x)


def f_softplus(x):
    if x > power(18):
        return between(x + power(-BEYOND), x + power(-200000))
    if x < -power(30):
        return between(power(-2 * BEYOND), power(1 - 2 * BEYOND))
    if x > 0:
        return approximated(lambda v: v + mp.log1p(mp.exp(-v)), x)
    return approximated(lambda v: mp.log1p(mp.exp(v)), x)


def op_hypot(x, y):
    if infinite(x) or infinite(y):
        return PINF
    return root(x * x + y * y)


def angle(y, x, over_pi):
    """By the table of ArcTan2; half turns are exact over pi."""
    def turns(q):
        q = Fraction(q)
        return q if over_pi else pi_times(q)
    half, quarter = Fraction(1), Fraction(1, 2)
    if not infinite(x) and not infinite(y) and x == 0 and y == 0:
        return NAN
    if infinite(x) and infinite(y):
        return NAN
    if x == PINF:
        return Fraction(0)
    if x == NINF:
        return turns(-half) if REVISED and y < 0 else turns(half)
    if infinite(y):
        return turns(quarter if y == PINF else -quarter)
    if y == 0:
        return Fraction(0) if x > 0 else turns(half)
    if x == 0:
        return turns(quarter if y > 0 else -quarter)
    if over_pi and abs(x) == abs(y):
        q = Fraction(1, 4) if x > 0 else Fraction(3, 4)
        return q if y > 0 else -q
    r = y / x
    if x > 0 and abs(r) < TINY and not over_pi:
        return near(r, "-1/2", "-1/4")
    divisor = (lambda: mp.pi) if over_pi else (lambda: mp.mpf(1))

    def function(v, w):
        a = mp.atan(v / w)
        if w < 0:
            a = a + (mp.pi if v > 0 else -mp.pi)
        return a / divisor()
    return approximated(function, y, x)


def op_minimum(x, y):
    return x if key(x) <= key(y) else y


def op_maximum(x, y):
    return x if key(x) >= key(y) else y


def op_minimum_magnitude(x, y):
    a, b = key(magnitude(x)), key(magnitude(y))
    return x if a < b else y if b < a else op_minimum(x, y)


def op_maximum_magnitude(x, y):
    a, b = key(magnitude(x)), key(magnitude(y))
    return x if a > b else y if b > a else op_maximum(x, y)


def number(operation):
    def f(x, y):
        if x == NAN:
            return y
        if y == NAN:
            return x
        return operation(x, y)
    return f


def finite_first(operation):
    def f(x, y):
        if infinite(x) and not infinite(y):
            return y
        if infinite(y) and not infinite(x):
            return x
        return operation(x, y)
    return number(f)


def op_clamp(x, lo, hi):
    if key(lo) > key(hi):
        return NAN
    if key(x) <= key(lo):
        return lo
    if key(x) >= key(hi):
        return hi
    return x


def op_copysign(x, y):
    m = magnitude(x)
    return m if key(y) >= (0, 0) else neg(m)


def strict(operation):
    """NaN for a NaN operand."""
    return lambda *operands: NAN if NAN in [o for o in operands if isinstance(o, str)] else operation(*operands)


ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
OPS = {
    "Convert": (1, strict(lambda x: x)),
    "Abs": (1, strict(magnitude)),
    "Negate": (1, strict(neg)),
    "CopySign": (2, strict(op_copysign)),
    "Add": (2, strict(op_add)),
    "Subtract": (2, strict(lambda x, y: op_add(x, neg(y)))),
    "Multiply": (2, strict(op_multiply)),
    "Divide": (2, strict(op_divide)),
    "FMA": (3, strict(op_fma)),
    "FAA": (3, strict(op_faa)),
    "Sqrt": (1, strict(op_sqrt)),
    "Recip": (1, strict(op_recip)),
    "RSqrt": (1, strict(op_rsqrt)),
    "Exp": (1, strict(unary(ZERO, PINF, f_exp))),
    "Exp2": (1, strict(unary(ZERO, PINF, f_exp2))),
    "Log": (1, strict(unary(NAN, PINF, f_log))),
    "Log2": (1, strict(unary(NAN, PINF, f_log2))),
    "LogOnePlus": (1, strict(unary(NAN, PINF, f_log1p))),
    "ExpMinusOne": (1, strict(unary(-ONE, PINF, f_expm1))),
    "Sin": (1, strict(unary(NAN, NAN, F_SIN))),
    "Cos": (1, strict(unary(NAN, NAN, F_COS))),
    "Tan": (1, strict(unary(NAN, NAN, F_TAN))),
    "ArcSin": (1, strict(unary(NAN, NAN, f_asin))),
    "ArcCos": (1, strict(unary(NAN, NAN, f_acos))),
    "ArcTan": (1, strict(unary(pi_times(-HALF), pi_times(HALF), F_ATAN))),
    "Sinh": (1, strict(unary(NINF, PINF, F_SINH))),
    "Cosh": (1, strict(unary(PINF, PINF, F_COSH))),
    "Tanh": (1, strict(unary(-ONE, ONE, F_TANH))),
    "ArcSinh": (1, strict(unary(NINF, PINF, F_ASINH))),
    "ArcCosh": (1, strict(unary(NAN, PINF, f_acosh))),
    "ArcTanh": (1, strict(unary(NAN, NAN, f_atanh))),
    "SinPi": (1, strict(unary(NAN, NAN, f_sinpi))),
    "CosPi": (1, strict(unary(NAN, NAN, f_cospi))),
    "TanPi": (1, strict(unary(NAN, NAN, f_tanpi))),
    "ArcSinPi": (1, strict(unary(NAN, NAN, f_asinpi))),
    "ArcCosPi": (1, strict(unary(NAN, NAN, f_acospi))),
    "ArcTanPi": (1, strict(unary(-HALF, HALF, f_atanpi))),
    "Softplus": (1, strict(unary(ZERO, PINF, f_softplus))),
    "Hypot": (2, strict(op_hypot)),
    "ArcTan2": (2, strict(lambda y, x: angle(y, x, False))),
    "ArcTan2Pi": (2, strict(lambda y, x: angle(y, x, True))),
    "Minimum": (2, strict(op_minimum)),
    "Maximum": (2, strict(op_maximum)),
    "MinimumNumber": (2, number(op_minimum)),
    "MaximumNumber": (2, number(op_maximum)),
    "MinimumMagnitude": (2, strict(op_minimum_magnitude)),
    "MaximumMagnitude": (2, strict(op_maximum_magnitude)),
    "MinimumMagnitudeNumber": (2, number(op_minimum_magnitude)),
    "MaximumMagnitudeNumber": (2, number(op_maximum_magnitude)),
    "MinimumFinite": (2, finite_first(op_minimum)),
    "MaximumFinite": (2, finite_first(op_maximum)),
    "Clamp": (3, strict(op_clamp)),
}
FUNCTIONS = [name for name in OPS if list(OPS).index("Exp") <= list(OPS).index(name) <= list(OPS).index("Softplus")]
FUNCTIONS += ["Hypot", "ArcTan2", "ArcTan2Pi", "Sqrt", "RSqrt"]
ARITHMETIC = [name for name in OPS if name not in FUNCTIONS] + ["Sqrt", "RSqrt", "Hypot"]


# Blocks (clause 5).

def scaled_value(fs, s, fx, x):
    return strict(op_multiply)(fs.decode(s), fx.decode(x))


def over_scale(z, S):
    if S == NAN or z == NAN:
        return NAN
    irrational = isinstance(z, Irrational)
    if not infinite(S) and S == 0:
        return ZERO
    if infinite(S):
        if irrational:
            low, _ = z.enclose(120)
            s = sign(low)
        else:
            s = sign(z)
        return Fraction(s * sign(S))
    if irrational:
        return z.over(S)
    if infinite(z):
        return signed_infinity(sign(z) * sign(S))
    return z / S


# Lines.

MODES = ["NearestTiesToEven", "NearestTiesToAway", "TowardPositive", "TowardNegative", "TowardZero", "ToOdd",
         "StochasticA", "StochasticB", "StochasticC"]
SATURATIONS = ["SatFinite", "SatPropagate", "SatNone"]


class Lines:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, items):
        return self.random.choice(items)

    def binary(self, low, high):
        while True:
            k = self.random.randint(low, high)
            p = self.random.randint(1, k)
            s = self.choose("su")
            if p < k or s == "u":
                return fmt(f"Binary{k}p{p}{s}{self.choose('ef')}")

    def any_format(self, low=3, high=16, external=0.15):
        if self.random.random() < external:
            return fmt(self.choose(list(EXTERNAL)))
        return self.binary(low, high)

    def code(self, f):
        """A code: any, or a special one, or one of a value near 1 or near the ends."""
        top = 2 ** f.K - 1
        kind = self.random.random()
        if kind < 0.5:
            return self.random.randint(0, top)
        half = 2 ** (f.K - 1)
        one = {True: f.B << (f.P - 1), False: f.B << (f.P - 1)}[f.signed]
        centres = [0, half, f.hi_code, f.inf_code, one, one, one + (1 << f.P - 1), one - (1 << f.P - 1), 1 << (f.P - 1), top,
                   half + one if f.signed else one, half + f.hi_code if f.signed else f.hi_code]
        return (self.choose(centres) + self.random.randint(-2, 2)) % (top + 1)

    def projection(self):
        mode, sat = self.choose(MODES), self.choose(SATURATIONS)
        if not mode.startswith("Stochastic"):
            return f"{mode} {sat}", (mode, sat, 0, 0)
        N = self.random.randint(1, 16)
        R = self.choose([0, 1, 2**N - 1, 2 ** (N - 1), self.random.randrange(2**N), self.random.randrange(2**N)]) % 2**N
        return f"{mode} {sat} {N}/{R:x}", (mode, sat, N, R)

    def scalar(self, name, formats, fr):
        codes = [self.code(f) for f in formats]
        text, rho = self.projection()
        result = project(OPS[name][1](*[f.decode(c) for f, c in zip(formats, codes)]), fr, rho)
        names = " ".join(f.name for f in [*formats, fr])
        return f"{name} {names} {text} : {' '.join(f'{c:x}' for c in codes)} : {result:x}"

    def arithmetic(self):
        name = self.choose(ARITHMETIC)
        formats = [self.any_format() for _ in range(OPS[name][0])]
        if self.random.random() < 0.3:
            formats = [formats[0]] * len(formats)
        return self.scalar(name, formats, self.any_format())

    def required(self):
        name = self.choose(["Convert", "Recip", "Add", "Subtract", "Multiply", "FMA", "FAA", "Minimum", "Divide"])
        narrow = ["Binary8p4se", "Binary8p3se", "Binary4p2sf"]
        formats = [fmt(self.choose(narrow)) for _ in range(OPS[name][0])]
        fr = fmt(self.choose([*narrow, *EXTERNAL]))
        if name in ("FMA", "FAA"):
            formats[2] = fmt(self.choose(list(EXTERNAL)))
        return self.scalar(name, formats, fr)

    def function(self):
        name = self.choose(FUNCTIONS)
        formats = [self.any_format(3, 8, 0.05) for _ in range(OPS[name][0])]
        if self.random.random() < 0.1:
            formats = [self.any_format(9, 16, 0) for _ in range(OPS[name][0])]
            if name in ("Sin", "Cos", "Tan") and any(f.M_hi > power(1536) for f in formats):
                formats = [self.binary(3, 8)]
        return self.scalar(name, formats, self.any_format(3, 16 if self.random.random() < 0.3 else 8, 0.1))

    def comparison(self):
        name = self.choose(["CompareLess", "CompareLessEqual", "CompareEqual", "CompareGreater", "CompareGreaterEqual", "TotalOrder"])
        fx, fy = self.any_format(), self.any_format()
        if self.random.random() < 0.5:
            fy = fx
        x, y = self.code(fx), self.code(fy)
        a, b = fx.decode(x), fy.decode(y)
        if name == "TotalOrder":
            result = a == NAN or (b != NAN and key(a) <= key(b))
        elif NAN in (str(a), str(b)):
            result = False
        else:
            a, b = key(a), key(b)
            result = {"CompareLess": a < b, "CompareLessEqual": a <= b, "CompareEqual": a == b, "CompareGreater": a > b,
                      "CompareGreaterEqual": a >= b}[name]
        return f"{name} {fx.name} {fy.name} - - - : {x:x} {y:x} : {int(result)}"

    def predicate(self):
        name = self.choose(["IsZero", "IsOne", "IsNaN", "IsInfinite", "IsFinite", "IsSignMinus", "IsNormal", "IsSubnormal", "Class"])
        f = self.any_format()
        x = self.code(f)
        v = f.decode(x)
        number_ = v not in (NAN, PINF, NINF)
        normal = number_ and abs(v) >= power(1 - f.B)
        sub = number_ and v != 0 and not normal
        if name == "Class":
            if v == NAN:
                result = "ClsNaN"
            elif v == 0:
                result = "ClsZero"
            else:
                what = "Infinity" if infinite(v) else "Normal" if normal else "Subnormal"
                result = f"Cls{'Positive' if key(v) > (0, 0) else 'Negative'}{what}"
        else:
            result = int({"IsZero": number_ and v == 0, "IsOne": number_ and v == 1, "IsNaN": v == NAN,
                          "IsInfinite": infinite(v), "IsFinite": number_,
                          "IsSignMinus": v == NINF or (number_ and v < 0), "IsNormal": normal, "IsSubnormal": sub}[name])
        return f"{name} {f.name} - - - : {x:x} : {result}"

    def step(self):
        """By the order of all the format's values."""
        f = self.binary(3, 10)
        if not hasattr(f, "ordered"):
            values = [(c, f.decode(c)) for c in range(2**f.K)]
            f.ordered = [c for c, v in sorted(((c, v) for c, v in values if v != NAN), key=lambda cv: key(cv[1]))]
        x = self.code(f)
        up = self.choose([True, False])
        if f.decode(x) == NAN:
            result = x
        else:
            place = f.ordered.index(x) + (1 if up else -1)
            result = f.ordered[place] if 0 <= place < len(f.ordered) else f.nan_code
        return f"Next{'GreaterThan' if up else 'LessThan'} {f.name} - - - : {x:x} : {result:x}"

    def query(self):
        f = self.any_format()
        exponent_bits = {"binary64": 11, "binary32": 8, "binary16": 5, "BFloat16": 8}.get(f.name, f.K - f.P + (not f.signed))
        answers = {
            "BitwidthOf": f"{f.K:x}", "PrecisionOf": f"{f.P:x}", "ExponentBitwidthOf": f"{exponent_bits:x}",
            "TrailingSignificandBitwidthOf": f"{f.P - 1:x}", "ExponentBiasOf": f"{f.B:x}",
            "SignednessOf": "Signed" if f.signed else "Unsigned", "DomainOf": "Extended" if f.extended else "Finite",
            "MaxFiniteOf": f"{f.hi_code:x}", "MinFiniteOf": f"{f.hi_code + 2 ** (f.K - 1) if f.signed else 0:x}",
            "MinPositiveOf": "1", "MaxSubnormalOf": f"{2 ** (f.P - 1) - 1 if f.P > 1 else f.nan_code:x}",
            "MinNormalOf": f"{2 ** (f.P - 1):x}",
        }
        name = self.choose(list(answers))
        return f"{name} {f.name} - - - :  : {answers[name]}"

    def block_format(self, functions=False):
        high = 8 if functions or self.random.random() < 0.7 else 16
        return self.any_format(3, high, 0 if functions else 0.05)

    def scaled(self, function):
        name = self.choose(FUNCTIONS if function else ARITHMETIC)
        pairs = [(self.block_format(function), self.block_format(function)) for _ in range(OPS[name][0])]
        fr = self.block_format(function)
        text, rho = self.projection()
        codes = [(self.code(fs), self.code(fx)) for fs, fx in pairs]
        values = [scaled_value(fs, s, fx, x) for (fs, fx), (s, x) in zip(pairs, codes)]
        result = project(OPS[name][1](*values), fr, rho)
        formats = " ".join(f"{fs.name} {fx.name}" for fs, fx in pairs)
        given = " ".join(f"{s:x} {x:x}" for s, x in codes)
        return f"Scaled{name} {formats} {fr.name} {text} : {given} : {result:x}"

    def block(self, function):
        name = self.choose(FUNCTIONS if function else ARITHMETIC)
        B = self.random.randint(1, 4)
        pairs = [(self.block_format(function), self.block_format(function)) for _ in range(OPS[name][0])]
        fs, fr = self.block_format(function), self.block_format(function)
        text, rho = self.projection()
        operands = [(self.code(fs_), [self.code(fx) for _ in range(B)]) for fs_, fx in pairs]
        s = self.code(fs)
        results = []
        for i in range(B):
            values = [scaled_value(fs_, so, fx, xs[i]) for (fs_, fx), (so, xs) in zip(pairs, operands)]
            results.append(project(over_scale(OPS[name][1](*values), fs.decode(s)), fr, rho))
        formats = " ".join(f"{a.name} {b.name}" for a, b in pairs)
        given = " / ".join(" ".join(f"{c:x}" for c in [so, *xs]) for so, xs in operands)
        return (f"Block{name} {B} {formats} {fs.name} {fr.name} {text} : {given} / {s:x} : "
                f"{' '.join(f'{r:x}' for r in results)}")

    def convert_block(self):
        B = self.random.randint(1, 6)
        fs, fx, fr = self.block_format(), self.block_format(), self.block_format()
        xs = [self.code(fx) for _ in range(B)]
        text, rho = self.projection()
        kind = self.random.randint(0, 2)
        hexes = lambda codes: " ".join(f"{c:x}" for c in codes)
        if kind == 0:
            s = self.code(fs)
            results = [project(scaled_value(fs, s, fx, x), fr, rho) for x in xs]
            return f"ConvertFromBlock {B} {fs.name} {fx.name} {fr.name} {text} : {s:x} {hexes(xs)} : {hexes(results)}"
        if kind == 1:
            s = self.code(fs)
            results = [project(over_scale(fx.decode(x), fs.decode(s)), fr, rho) for x in xs]
            return f"ConvertToBlock {B} {fx.name} {fs.name} {fr.name} {text} : {hexes(xs)} / {s:x} : {hexes(results)}"
        text_s, rho_s = self.projection()
        S = NAN
        for x in xs:
            S = OPS["MaximumFinite"][1](S, strict(magnitude)(fx.decode(x)))
        s = project(S, fs, rho_s)
        results = [project(over_scale(fx.decode(x), fs.decode(s)), fr, rho) for x in xs]
        return (f"ConvertToBlockMaxAbsFinite {B} {fx.name} {fs.name} {fr.name} {text_s} {text} : {hexes(xs)} : "
                f"{s:x} / {hexes(results)}")

    def reduction(self):
        B = self.choose([1, 2, 3, 4, 8, 32, 100])
        fs, fx, fr = self.block_format(), self.block_format(), self.block_format()
        text, rho = self.projection()
        hexes = lambda codes: " ".join(f"{c:x}" for c in codes)
        few = self.random.random() < 0.5

        def elements(f):
            # Often such as cancel, and without NaN and infinities, which decide everything.
            codes = [self.code(f) for _ in range(B)]
            if few:
                codes = [c if f.decode(c) not in (NAN, PINF, NINF) else 1 for c in codes]
                if f.signed and B > 1 and self.random.random() < 0.7:
                    half = 2 ** (f.K - 1)
                    for i in range(0, B - 1, 2):
                        if codes[i] not in (0, half):
                            codes[i + 1] = codes[i] ^ half
                    codes[-1] = self.random.randrange(1, 4)
                    self.random.shuffle(codes)
            return codes
        s, xs = self.code(fs), elements(fx)
        if few and fs.decode(s) in (NAN, PINF, NINF):
            s = 1
        zs = [scaled_value(fs, s, fx, x) for x in xs]
        kind = self.random.randint(0, 2)
        if kind == 0:
            total = ZERO
            for z in zs:
                total = strict(op_add)(total, z)
            return f"BlockReduceAdd {B} {fs.name} {fx.name} {fr.name} {text} : {s:x} {hexes(xs)} : {project(total, fr, rho):x}"
        if kind == 1:
            total = ONE
            for z in zs:
                total = strict(op_multiply)(total, z)
            return f"BlockReduceMultiply {B} {fs.name} {fx.name} {fr.name} {text} : {s:x} {hexes(xs)} : {project(total, fr, rho):x}"
        fsy, fy = self.block_format(), self.block_format()
        t, ys = self.code(fsy), elements(fy)
        ws = [scaled_value(fsy, t, fy, y) for y in ys]
        total = ZERO
        for z, w in zip(zs, ws):
            total = strict(op_add)(total, strict(op_multiply)(z, w))
        return (f"BlockDotProduct {B} {fs.name} {fx.name} {fsy.name} {fy.name} {fr.name} {text} : {s:x} {hexes(xs)} / "
                f"{t:x} {hexes(ys)} : {project(total, fr, rho):x}")


KINDS = {
    "arithmetic": Lines.arithmetic,
    "required": Lines.required,
    "function": Lines.function,
    "comparison": Lines.comparison,
    "predicate": Lines.predicate,
    "step": Lines.step,
    "query": Lines.query,
    "scaled": lambda lines: lines.scaled(False),
    "scaled-function": lambda lines: lines.scaled(True),
    "block": lambda lines: lines.block(False),
    "block-function": lambda lines: lines.block(True),
    "convert-block": Lines.convert_block,
    "reduction": Lines.reduction,
}


def main():
    global REVISED
    arguments = sys.argv[1:]
    if "--revision" in arguments:
        at = arguments.index("--revision")
        REVISED = arguments[at + 1] == "2026-07"
        del arguments[at:at + 2]
    seed, count = int(arguments[0]), int(arguments[1])
    kinds = arguments[2:] or list(KINDS)
    lines = Lines(seed)
    for i in range(count):
        print(KINDS[kinds[i % len(kinds)]](lines))


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    mpmath.mp.prec = 200
    main()
