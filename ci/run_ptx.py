#!/usr/bin/env python3
"""ci/run_ptx.py PTX: runs the functions of cuda-shim/cpp/inlined.cu as nvcc has compiled them; ci/ptx-callers.sh calls it.

A device would show whether nvcc joins the blocks of inline PTX of bitexact_fast.cuh with its own code correctly; this shows it without
one. It interprets the functions' PTX on some operands: f32 as IEEE 754 has it, an approximate instruction as the nearest number, a NaN
as NVIDIA's. Every result that the approximation decides must be the exact value, by math's functions of double, rounded to the format.
An operand whose value is too near a boundary for these is not compared. Calls of the integer kernels are not followed, nor are
tables read: that of the mode at the operand is right. A function that is off must call the kernel for every operand.

Operations of two operands, and conversions of f32, are compared with the exact rational number, rounded once.
"""

import bisect
import math
import random
import re
import struct
import sys
from fractions import Fraction

NAN = 0x7FFFFFFF  # the only one that instructions make
MASK = 0xFFFFFFFF


def value(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def signed(bits):
    return bits - (bits >> 31 << 32)


def single(x):
    """The bits of a double, rounded to f32."""
    if x != x:
        return NAN
    try:
        return struct.unpack("<I", struct.pack("<f", x))[0]
    except OverflowError:
        return 0x7F800000 if x > 0 else 0xFF800000


def fma(a, b, c):
    """The bits of a * b + c, rounded once: the product of two floats is exact in double; the sum is rounded to odd there."""
    product = a * b
    total = product + c
    if math.isfinite(total) and total != 0.0:
        part = total - product
        error = (product - (total - part)) + (c - part)
        bits = struct.unpack("<q", struct.pack("<d", total))[0]
        if error != 0.0 and bits % 2 == 0:
            bits += 1 if (error > 0) == (total > 0) else -1
            total = struct.unpack("<d", struct.pack("<q", bits))[0]
    return single(total)


ROUNDINGS = {"rn": "rne", "rz": "rtz", "rp": "rup", "rm": "rdn"}
EXACT = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}


def rounded(x, fraction, exponent, mode):
    """The code of a rational number other than 0, in a binary format of IEEE 754's kind."""
    sign, x, bias = x < 0, abs(x), (1 << exponent - 1) - 1
    scale = max(x.numerator.bit_length() - x.denominator.bit_length() - 1, 1 - bias)
    while Fraction(2) ** (scale + 1) <= x:
        scale += 1
    count, rest = divmod(x, Fraction(2) ** (scale - fraction))
    rest /= Fraction(2) ** (scale - fraction)
    away = rest > 0 and mode == ("rdn" if sign else "rup")
    if mode == "rne":
        away = rest > Fraction(1, 2) or rest == Fraction(1, 2) and count % 2 == 1
    code, infinity = (scale + bias - 1 << fraction) + count + away, (1 << exponent) - 1 << fraction
    if code >= infinity:
        code = infinity if mode in ("rne", "rdn" if sign else "rup") else infinity - 1
    return code | sign << fraction + exponent


def operated(operation, a, b, fraction, exponent, mode, nan):
    """The code of an operation of two floats, rounded once."""
    sign = 1 << fraction + exponent
    product_sign = sign * (math.copysign(1.0, a) * math.copysign(1.0, b) < 0)
    infinity = (1 << exponent) - 1 << fraction
    if operation == "sub":
        operation, b = "add", -b
    if a != a or b != b:
        return nan
    if operation == "add":
        if math.isinf(a) or math.isinf(b):
            total = a + b
            return nan if total != total else infinity | sign * (total < 0)
        if Fraction(a) + Fraction(b) == 0:
            both = math.copysign(1.0, a) == math.copysign(1.0, b)
            return sign * (math.copysign(1.0, a) < 0 if both else mode == "rdn")
    elif operation == "mul":
        if math.isinf(a) or math.isinf(b):
            return nan if a == 0 or b == 0 else infinity | product_sign
        if a == 0 or b == 0:
            return product_sign
    else:
        if math.isinf(a) or b == 0:
            return nan if math.isinf(b) or a == 0 else infinity | product_sign
        if a == 0 or math.isinf(b):
            return product_sign
    return rounded(EXACT[operation](Fraction(a), Fraction(b)), fraction, exponent, mode)


def flushed(bits):
    return bits if bits & 0x7F800000 else bits & 0x80000000


def power(x):
    try:
        return 2.0**x if x == x else x
    except OverflowError:
        return math.inf


def over(a, b):
    return a / b if b else math.copysign(math.inf, b) * (1 if a > 0 else a)


def root(x):
    return x if x != x or x == 0 or x == math.inf else math.sqrt(x) if x > 0 else math.nan


class Format:
    def __init__(self, fraction, exponent):
        self.fraction, self.cut = fraction, 23 - fraction
        self.infinity = ((1 << exponent) - 1) << fraction
        self.nan = self.infinity | 1 << fraction - 1
        bias = (1 << exponent - 1) - 1

        def number(code):
            field, rest = code >> fraction, code & (1 << fraction) - 1
            return math.ldexp(rest + (bool(field) << fraction), max(field, 1) - bias - fraction)

        self.numbers = [number(code) for code in range(self.infinity)]
        # A number that would come next has the value 2^(bias + 1).
        self.next = math.ldexp(1.0, bias + 1)

    def decode(self, code):
        magnitude = code & 0x7FFF
        x = math.nan if magnitude > self.infinity else math.inf if magnitude == self.infinity else self.numbers[magnitude]
        return -x if code & 0x8000 else x

    def round(self, x, mode):
        """The code of a double; None where x is too near what decides."""
        if x != x:
            return None
        sign, x = 0x8000 * (math.copysign(1.0, x) < 0), abs(x)
        below = bisect.bisect_right(self.numbers, x) - 1
        low = self.numbers[below]
        high = self.numbers[below + 1] if below + 1 < self.infinity else self.next
        boundary = [low, high] if mode != "rne" else [(low + high) / 2]
        if any(abs(x - b) <= x * 2.0**-44 for b in boundary):
            return None
        if mode == "rne":
            up = x > boundary[0]
        else:
            up = mode == ("rdn" if sign else "rup")
        if below == self.infinity - 1 and x >= high and mode == "rne":
            up = True
        return sign | below + up


FORMATS = {"f16": Format(10, 5), "bf16": Format(7, 8)}


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))


def mish(x):
    e = math.exp(-abs(x))
    return x * ((1 + 2 * e) / (1 + 2 * e + 2 * e * e) if x > 0 else (e * e + 2 * e) / (e * e + 2 * e + 2))


def shrunk(x):
    """x - tanh x; where that cancels, the series of x cosh x - sinh x, over cosh x."""
    if abs(x) > 1:
        return x - math.tanh(x)
    return math.copysign(sum(2 * k * abs(x) ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(1, 12)) / math.cosh(x), x)


SELU, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772

VALUES = {
    "exp": math.exp, "exp2": lambda x: 2.0**x, "log": math.log, "log2": math.log2, "tanh": math.tanh, "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x), "gelu": lambda x: x / 2 * math.erfc(-x / math.sqrt(2)),
    "gelu_tanh": lambda x: x * sigmoid(math.sqrt(8 / math.pi) * (x + 0.044715 * x**3)), "mish": mish,
    "softplus": lambda x: x if x > 20 else math.log1p(math.exp(x)), "erf": math.erf, "sin": math.sin, "cos": math.cos,
    "rsqrt": lambda x: 1 / math.sqrt(x), "reciprocal": lambda x: 1 / x, "sqrt": math.sqrt, "expm1": math.expm1, "log1p": math.log1p,
    "log10": math.log10, "sinh": math.sinh, "cosh": math.cosh, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh, "erfc": math.erfc, "softsign": lambda x: x / (1 + abs(x)),
    "logsigmoid": lambda x: -(max(-x, 0) + math.log1p(math.exp(-abs(x)))), "tanhshrink": shrunk,
    "selu": lambda x: SELU * (x if x > 0 else SELU_ALPHA * math.expm1(x)),
}


# Outside of these the result is the canonical NaN.
POSITIVE, WITHIN_1 = (0, math.inf), (-1, 1)
DOMAINS = {
    "log": POSITIVE, "log2": POSITIVE, "log10": POSITIVE, "sqrt": POSITIVE, "rsqrt": POSITIVE, "log1p": (-1, math.inf), "acosh": (1, math.inf),
    "asin": WITHIN_1, "acos": WITHIN_1, "atanh": WITHIN_1,
}


def exact(name, x):
    try:
        return VALUES[name](x) if math.isfinite(x) else math.nan
    except (ValueError, ZeroDivisionError):
        return math.nan
    except OverflowError:
        return math.copysign(math.inf, x) if name in ("sinh", "tan") else math.inf


def truncated(form, bits):
    """The code toward zero of an f32."""
    if form == "bf16":
        return bits >> 16
    x, sign = abs(value(bits)), bits >> 16 & 0x8000
    if x != x:
        return 0x7FFF
    return sign | (0x7C00 if x == math.inf else bisect.bisect_right(FORMATS[form].numbers, x) - 1)


def nearest(form, bits):
    x, sign = abs(value(bits)), bits >> 16 & 0x8000
    if x != x:
        return 0x7FFF
    numbers = FORMATS[form].numbers
    below = bisect.bisect_right(numbers, x) - 1
    high = numbers[below + 1] if below + 1 < len(numbers) else FORMATS[form].next
    twice = 2 * x - (numbers[below] + high)
    return sign | below + (twice > 0 or twice == 0 and below % 2)


FLOATS = {
    "add": lambda a, b: single(a + b), "sub": lambda a, b: single(a - b), "mul": lambda a, b: single(a * b), "fma": fma,
    "neg": lambda a: single(a) ^ 0x80000000 if a == a else NAN, "abs": lambda a: single(abs(a)),
    "min": lambda a, b: single(min(a, b) if a == a and b == b else a if a == a else b),
    "max": lambda a, b: single(max(a, b) if a == a and b == b else a if a == a else b),
    "ex2": lambda a: single(power(a)), "rcp": lambda a: single(over(1.0, a)), "rsqrt": lambda a: single(over(1.0, root(a))),
    "sqrt": lambda a: single(root(a)),
}
INTEGERS = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "not": lambda a: ~a, "shl": lambda a, b: a << b if b < 32 else 0, "shr": lambda a, b: a >> b, "min": min, "max": max,
}
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "geu": lambda a, b: not a < b, "nan": lambda a, b: a != a or b != b,
}


def permuted(a, b, selector):
    bytes_ = (a | b << 32).to_bytes(8, "little")

    def pick(nibble):
        byte = bytes_[nibble & 7]
        return byte if nibble < 8 else 0xFF * (byte >> 7)

    return sum(pick(selector >> 4 * i & 15) << 8 * i for i in range(4))


def inserted(a, b, at, length):
    field = ((1 << length) - 1) << at
    return b & ~field | a << at & field


def parse(body):
    """Instructions (guard, name, operands) and labels. Names that a block declares are its own: another block's number is added."""
    code, labels, block, blocks = [], {}, [0], 0
    own = {}  # of each block: registers' names, and how many of each
    text = " ".join(re.sub(r"//[^\n]*", "", body).split())

    def scoped(word):
        for inner in reversed(block[1:]):
            name = re.fullmatch(r"(\S*?)(\d*)", word)
            if word in own[inner] or name[2] and int(name[2]) < own[inner].get(name[1] + "<", 0):
                return f"{word}@{inner}"
        return word

    for part in re.findall(r"[^;{}:]*\{[^;{}]*\}[^;{}]*;|[{}]|[^;{}:]+[;:]", text):
        part = part.strip()
        if part == "{":
            blocks += 1
            block.append(blocks)
            own[blocks] = {}
        elif part == "}":
            block.pop()
        elif part.startswith(".reg"):
            for name, count in re.findall(r"([\w%$]+)(?:<(\d+)>)?(?=[,;])", part):
                own.setdefault(block[-1], {})[name + "<" * bool(count)] = int(count or 0)
        elif part.endswith(":"):
            labels[part[:-1], block[-1]] = len(code)
        elif instruction := re.fullmatch(r"(@!?\S+ )?([a-z][\w.]*)\s*(.*);", part):
            guard, name, operands = instruction.groups()
            words = re.findall(r"\[[^]]*\]|[^\s,{}()\[\]]+", operands)
            if guard:
                bare = guard.strip().lstrip("@!")
                guard = guard.strip().replace(bare, scoped(bare))
            if name.startswith("bra"):
                words = [(words[0], block[-1])]
            else:
                words = [scoped(word) for word in words]
            code.append((guard, name, words))
    return code, labels


# Where a function's tables lie; the modes in their order.
TABLES = 1 << 40
MODES = ["rne", "rtz", "rup", "rdn"]
# Their numbers in the header.
ROUNDINGS_OF_C = {"rne": 0, "rtz": 2, "rup": 3, "rdn": 4}


def kernel(arguments):
    """A result of the integer kernel that no other arguments have, for callers that are looked at."""
    return (0x5A5A + 3 * arguments[0] + sum(7 * k * argument for k, argument in enumerate(arguments))) & 0xFFFF


def run(code, labels, label, operands, on, called):
    """The result of some words, of a function that is on or off; the operands whose results are not decided are added to `called`: those
    of the table, and the arguments of the kernel's calls."""
    function, form, mode, _ = label.split("__")
    registers, at, parameters = {}, 0, {}

    def get(word):
        if word in registers:
            return registers[word]
        if word.endswith("_results"):
            return TABLES
        if re.fullmatch(r"-?\d+", word):
            return int(word) & MASK
        if word.startswith("0f"):
            return int(word[2:], 16)
        sys.exit(f"ci/run_ptx.py: {word} is read before it is written")

    while True:
        guard, name, words = code[at]
        at += 1
        if guard and bool(get(guard.lstrip("@!"))) == ("!" in guard):
            continue
        operation, *kinds = name.split(".")
        kind = kinds[-1] if kinds else ""
        if operation == "ret":
            return parameters["func_retval0"]
        if operation == "bra":
            at = labels[words[0]]
        elif operation == "call":
            if f"bitexact_{function}_{form}_exactly" not in words:
                sys.exit(f"ci/run_ptx.py: {label} calls {words}")
            passed = [parameters.pop(word) for word in sorted(parameters) if word.startswith("param")]
            if passed[-1] != ROUNDINGS_OF_C[mode] or any(x >> 16 for x in passed[:-1]):
                sys.exit(f"ci/run_ptx.py: {label} passes {passed}")
            called.append(passed[0] if len(passed) == 2 else tuple(passed[:-1]))
            parameters["retval0"] = kernel(passed[:-1])
        elif operation in ("ld", "st"):
            place = re.sub(r"\+0$", "", words[operation == "ld"].strip("[]"))
            if operation == "st":
                parameters[place] = get(words[1])
            elif place.endswith("_verified"):
                if place != f"bitexact_{function}_{form}_verified":
                    sys.exit(f"ci/run_ptx.py: {label} reads {place}")
                # Of all modes but this one, the opposite.
                bit = 1 << ROUNDINGS_OF_C[mode]
                registers[words[0]] = bit if on else MASK ^ bit
            elif kinds[0] == "global":
                base, *offset = place.split("+")
                entry = get(base) + int(offset[0] if offset else 0) - TABLES
                if entry >> 17 != MODES.index(mode) or entry & 1 or not on:
                    sys.exit(f"ci/run_ptx.py: word {entry} of the tables of mode {mode} is read")
                called.append(entry >> 1 & 0xFFFF)
                registers[words[0]] = 0
            else:
                given = re.search(r"_param_(\d)$", place)
                registers[words[0]] = operands[int(given[1])] if given else parameters[place]
        elif operation == "mov" and len(words) == 3:
            whole = get(words[2])
            registers[words[0]], registers[words[1]] = whole & 0xFFFF, whole >> 16
        elif operation == "cvt" and kind == "f32" and kinds[0] in ("rn", "rz"):
            if kinds[1] != form + "x2":
                sys.exit(f"ci/run_ptx.py: {label} converts to {kinds[1]}")
            half = nearest if kinds[0] == "rn" else truncated
            registers[words[0]] = half(form, get(words[1])) << 16 | half(form, get(words[2]))
        elif operation == "cvt" and kind == "f16":
            registers[words[0]] = single(FORMATS["f16"].decode(get(words[1])))
        elif operation == "cvt":
            x = get(words[1])
            wide = kinds[0] in ("u64", "u32")
            registers[words[0]] = single(float(signed(x))) if "f32" in kinds else x & MASK if wide else x & 0xFFFF
        elif operation == "mov":
            registers[words[0]] = get(words[1])
        elif operation == "selp":
            registers[words[0]] = get(words[1]) if get(words[3]) else get(words[2])
        elif operation == "setp" and "ftz" in kinds or operation in ("add", "sub", "mul", "div") and "ftz" in kinds:
            sys.exit(f"ci/run_ptx.py: {label} has {name}")
        elif operation == "setp":
            pair = [get(word) for word in words[1:]]
            pair = [value(x) if kind == "f32" else signed(x) if kind == "s32" else x & 0xFFFF if kind[1:] == "16" else x for x in pair]
            registers[words[0]] = COMPARE[kinds[0]](*pair)
        elif kind[1:] == "64":
            registers[words[0]] = INTEGERS[operation](*map(get, words[1:]))
        elif kinds[0] == "wide":
            registers[words[0]] = get(words[1]) * get(words[2]) + (get(words[3]) if operation == "mad" else 0)
        elif kind == "pred":
            registers[words[0]] = INTEGERS[operation](*map(get, words[1:])) & 1
        elif operation == "prmt":
            registers[words[0]] = permuted(*map(get, words[1:]))
        elif operation == "bfi":
            registers[words[0]] = inserted(*map(get, words[1:])) & MASK
        elif kind == "f32" and (operation == "div" or kinds[0] in ("rz", "rp", "rm")):
            a, b = (value(get(word)) for word in words[1:])
            registers[words[0]] = operated(operation, a, b, 23, 8, ROUNDINGS[kinds[0]], NAN)
        elif kind == "f32":
            bits = [get(word) for word in words[1:]]
            if "ftz" in kinds:
                bits = [flushed(x) for x in bits]
            operands = [value(x) for x in bits]
            lost = "NaN" in kinds and any(x != x for x in operands)
            made = NAN if lost else FLOATS[operation](*operands)
            registers[words[0]] = flushed(made) if "ftz" in kinds else made
        else:
            operands = [signed(get(word)) if kind == "s32" else get(word) for word in words[1:]]
            registers[words[0]] = INTEGERS[operation](*operands) & MASK


def operands(form, name):
    """Words: the usual numbers in both halves, and beside them NaNs, infinities, zeros, large and small numbers."""
    choose = random.Random(f"{name} {form}")
    one = 0x3C00 if form == "f16" else 0x3F80
    step = 1 << FORMATS[form].fraction
    usual = [one + choose.randrange(-4 * step, 2 * step) | choose.choice([0, 0x8000]) for _ in range(80)]
    other = [0, 0x8000, 1, 0x7FFF, 0xFFFF, 0xFFC0, 0xFE00, FORMATS[form].infinity, FORMATS[form].infinity | 0x8000]
    other += [choose.randrange(0x10000) for _ in range(31)]
    return [[a, b] for a, b in zip(usual[::2], usual[1::2])] + [[a, b] for a, b in zip(usual, other)] + [[b, a] for a, b in zip(usual, other)]


def operation(label, code, labels):
    """How many results of an operation of two words were compared, and how many are wrong."""
    name, form, mode, count = label.split("__")
    both = 2 if count == "pair" else 1
    here, choose, wrong, compared = FORMATS[form], random.Random(label), 0, 0
    exponent = 15 - here.fraction
    pairs = [[choose.choice(word) for _ in range(4)] for word in operands(form, name) for _ in range(2)]
    for halves in pairs:
        if name == "convert_f32":
            # Floats whose upper or lower halves are special.
            words = [halves[0] << 16 | halves[1], halves[2] << 16 | choose.choice([0, 0x1000, 0x8000, 0xFFFF, halves[3]])]
            if choose.random() < 0.5:
                # Beside a number of the format, or a midpoint.
                number, midpoint = single(here.decode(halves[2])), 1 << here.cut - 1
                words[1] = (number + choose.choice([-1, 0, 1, midpoint - 1, midpoint, midpoint + 1])) & MASK
            xs = [value(word) for word in words]
            due = [here.nan if x != x else operated("mul", x, 1.0, here.fraction, exponent, mode, here.nan) for x in xs]
            arguments = [(word >> 16, word & 0xFFFF) for word in words]
        else:
            words = [halves[0] | halves[1] << 16, halves[2] | halves[3] << 16]
            xs = [here.decode(x) for x in halves]
            due = [operated(name, xs[i], xs[i + 2], here.fraction, exponent, mode, here.nan) for i in range(2)]
            arguments = [(halves[i], halves[i + 2]) for i in range(2)]
        called, kernels = [], []
        result = run(code, labels, label, words, True, called)
        off = run(code, labels, label, words, False, kernels)
        compared += both
        # Alone, what is done with the upper halves is not seen.
        seen = (1 << 16 * both) - 1
        due = (due[0] | due[1] << 16) & seen
        if called or kernels[:both] != arguments[:both] or (off ^ kernel(arguments[0]) ^ kernel(arguments[1]) << 16) & seen or result & seen != due:
            wrong += 1
            if wrong <= 5:
                print(f"{label}({words[0]:08x} {words[1]:08x}): {result:08x}, not {due:08x}; the kernel is called for {called}, {kernels}")
    return compared, wrong


def main():
    text = open(sys.argv[1]).read()
    functions = re.findall(r"^\.visible \.func [^\n]* test__(\w+)\(\n.*?^\{\n(.*?)^\}", text, re.M | re.S)
    if not functions:
        sys.exit(f"ci/run_ptx.py: {sys.argv[1]} has no functions")
    if len({label.rsplit("__", 1)[0] for label, _ in functions if label.endswith("__pair")}) < 40:
        sys.exit("ci/run_ptx.py: operations are missing")
    programs = {label: parse(body) for label, body in functions}
    decided, wrong = 0, 0
    for label, (code, labels) in programs.items():
        name, form, mode, count = label.split("__")
        if count in ("pair", "lone"):
            counts = operation(label, code, labels)
            decided, wrong = decided + counts[0], wrong + counts[1]
            continue
        here = usual = 0
        for word in operands(form, name):
            halves = word if count == "two" else word[:1]
            called, alone, kernels, whole = [], [], [], sum(x << 16 * i for i, x in enumerate(halves))
            result = run(code, labels, label, [whole], True, called)
            off = run(code, labels, label, [whole], False, kernels)
            if kernels != halves or off != sum(kernel([x]) << 16 * i for i, x in enumerate(halves)):
                wrong += 1
                print(f"{label}({'%04x %04x' % tuple(word)}) calls the kernel for {kernels}")
            if count == "two" and called:
                # One of them must be open alone, too: what is beside it is then read in the table as well.
                for x in halves:
                    run(*programs[f"{name}__{form}__{mode}__one"], f"{name}__{form}__{mode}__one", [x], True, alone)
                if not alone:
                    wrong += 1
                    print(f"{label}({'%04x %04x' % tuple(word)}) is not decided, and each half alone is")
            for i, x in enumerate(halves):
                operand = FORMATS[form].decode(x)
                least, most = DOMAINS.get(name, (-math.inf, math.inf))
                if operand < least or operand > most:
                    due = FORMATS[form].nan
                else:
                    due = FORMATS[form].round(exact(name, operand), mode)
                if due is None:
                    continue
                usual += 1
                if x in called:
                    continue
                here += 1
                if result >> 16 * i & 0xFFFF != due:
                    wrong += 1
                    if wrong <= 20:
                        print(f"{label}({'%04x %04x' % tuple(word)}): {result:08x}, not {due:04x} in half {i}")
        decided += here
        if count == "one" and here < usual // 2:
            wrong += 1
            print(f"{label}: only {here} of {usual} results are decided")
    print(f"{len(functions)} functions and operations, {decided} decided results, {wrong} wrong")
    sys.exit(wrong > 0)


main()
