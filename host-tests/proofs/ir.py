"""LLVM IR of functions on integers, without loops and without memory, as terms.

Whatever is not known is refused. A value is a pair: its term, and the condition under which it is poison. What is
undefined (a branch on poison, a division by zero, an `unreachable` that is reached) is collected with the condition
under which it happens. So a proof that neither occurs covers every flag (`nuw`, `exact`, `range` ...) on which LLVM's
code generator may rely.
"""

import re
from functools import reduce

from terms import (BOOL, FALSE, TRUE, binary, choice, conjunction, disjunction, extract, negation, number, sign_extend,
                   truth, zero_extend)

NAME = r'[%@](?:"[^"]*"|[\w.$-]+)'
PREDICATES = {"eq": ("=", False), "ult": ("bvult", False), "ule": ("bvule", False), "ugt": ("bvult", True),
              "uge": ("bvule", True), "slt": ("bvslt", False), "sle": ("bvsle", False), "sgt": ("bvslt", True),
              "sge": ("bvsle", True)}
# Attributes of parameters and results that say nothing about a value, or only what is checked anyway (`noundef`: a
# poison argument is followed into the callee).
IGNORED = {"noundef", "zeroext", "signext", "noalias"}


class Refused(Exception):
    pass


def refuse(why):
    raise Refused(why)


class Function:
    def __init__(self, header):
        match = re.match(r"define (.*?)(%s)\((.*)\)[^()]*\{$" % NAME, header) or refuse(header)
        self.name, before = match[2], match[1]
        self.range, rest = ranges(before)
        words = ("internal", "fastcc", "dso_local", "unnamed_addr", "hidden", "noundef")
        self.type = parse_type(" ".join(w for w in split_words(rest) if w not in words))
        self.parameters = []
        for text in split_commas(match[3]):
            bounds, rest = ranges(text)
            kind, *attributes, name = split_words(rest)
            set(attributes) <= IGNORED or refuse(f"attributes {attributes}")
            self.parameters.append((name, parse_type(kind), bounds))
        self.blocks = {}


class Module:
    def __init__(self, text):
        self.functions, self.tables, function = {}, {}, None
        for line in text.splitlines():
            line = re.sub(r"\s*;(?=([^\"]*\"[^\"]*\")*[^\"]*$).*", "", line).rstrip()
            if line.startswith("define "):
                function, block = line, None
                header = re.sub(r"( unnamed_addr| local_unnamed_addr)?( #\d+| align \d+)* \{$", " {", line)
                try:
                    function = Function(header)
                    self.functions[function.name] = function
                except Refused:
                    function = None  # refused where it is called
            elif line == "}":
                function = None
            elif line.startswith("@"):
                match = re.match(r'(%s) = .*constant \[\d+ x i8\] c"((?:[^"])*)"' % NAME, line)
                if match:
                    data = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), match[2])
                    self.tables[match[1]] = data.encode("latin-1")
            elif function and line:
                if not line.startswith(" "):
                    block = "%" + line[:-1]
                elif block is None:
                    block = "%" + str(len(function.parameters))
                if block not in function.blocks:
                    function.blocks[block] = []
                if line.startswith(" ") and function.blocks[block] and unfinished(function.blocks[block][-1]):
                    function.blocks[block][-1] += " " + line.strip()
                elif line.startswith(" "):
                    function.blocks[block].append(line.strip())

    def run(self, name, arguments):
        """(result, condition of poison, condition of undefined behaviour) of a function for these terms."""
        values, undefined = self.call("@" + name, [(a, FALSE) for a in arguments])
        return values[0], values[1], undefined

    def call(self, name, arguments):
        function = self.functions.get(name) or refuse(f"call of {name}")
        return Frame(self, function).run(arguments)


def unfinished(line):
    return line.startswith("switch") and "]" not in line


def split_words(text):
    """Words, brackets kept together."""
    words, depth = [""], 0
    for character in text.strip():
        depth += (character in "([{<") - (character in ")]}>")
        if character == " " and depth == 0:
            words.append("")
        else:
            words[-1] += character
    return [word for word in words if word]


def split_commas(text):
    parts, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == '"'
        depth += 0 if quoted else (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def ranges(text):
    """The bounds of a `range` attribute (half open, they may wrap), and the text without it."""
    match = re.search(r"range\(i(\d+) (-?\d+), (-?\d+)\)", text)
    if not match:
        return None, text
    return (int(match[2]), int(match[3])), text.replace(match[0], "")


def parse_type(text):
    """A width, BOOL for i1, or a list of types."""
    text = text.strip()
    if text == "i1":
        return BOOL
    if re.fullmatch(r"i\d+", text):
        return int(text[1:])
    if text.startswith("{"):
        return [parse_type(part) for part in split_commas(text[1:-1])]
    refuse(f"type {text}")


def outside(value, bounds):
    """Whether a term is outside the half-open range."""
    width = value.sort
    if width == BOOL:
        refuse("range of i1")
    low, high = (number(b, width) for b in bounds)
    at_least, below = binary("bvule", low, value), binary("bvult", value, high)
    wraps = low.value > high.value
    return negation((disjunction if wraps else conjunction)(at_least, below))


def merge(condition, x, y):
    """A value, or an aggregate of values, by condition."""
    if isinstance(x, list):
        return [merge(condition, a, b) for a, b in zip(x, y, strict=True)]
    return choice(condition, x[0], y[0]), choice(condition, x[1], y[1])


def poisoned(value, condition):
    """A value that is poison under that condition too."""
    if isinstance(value, list):
        return [poisoned(part, condition) for part in value]
    return value[0], disjunction(value[1], condition)


def poison(kind):
    if isinstance(kind, list):
        return [poison(part) for part in kind]
    return (FALSE if kind == BOOL else number(0, kind)), TRUE


def bit(value, condition_width):
    return choice(value, number(1, condition_width), number(0, condition_width))


class Frame:
    """One call of a function."""

    def __init__(self, module, function):
        self.module, self.function, self.values, self.undefined = module, function, {}, FALSE

    def run(self, arguments):
        for (name, _, bounds), (value, bad) in zip(self.function.parameters, arguments, strict=True):
            if bounds:
                bad = disjunction(bad, outside(value, bounds))
            self.values[name] = (value, bad)
        # The condition of each edge, in the order of the blocks.
        self.edges, result = {}, None
        for label in self.order():
            incoming = [c for (_, to), c in self.edges.items() if to == label]
            self.here = disjunction(*incoming) if self.edges or incoming else TRUE
            self.label = label
            for line in self.function.blocks[label]:
                returned = self.step(line)
                if returned is not None:
                    result = returned if result is None else merge(self.here, returned, result)
        if result is None:
            refuse(f"{self.function.name} does not return")
        if self.function.range:
            result = poisoned(result, outside(result[0], self.function.range))
        return result, self.undefined

    def order(self):
        """The blocks, each after all that lead to it."""
        order, state = [], {}

        def visit(label):
            if state.get(label) == "open":
                refuse(f"a loop in {self.function.name}")
            if label in state:
                return
            state[label] = "open"
            for target in re.findall(r"label (%s)" % NAME, self.function.blocks[label][-1]):
                visit(target)
            state[label] = "done"
            order.append(label)

        visit(next(iter(self.function.blocks)))
        return order[::-1]

    def fails(self, condition):
        self.undefined = disjunction(self.undefined, conjunction(self.here, condition))

    def operand(self, text, kind):
        text = text.strip()
        if text in self.values:
            return self.values[text]
        if text == "poison":
            return poison(kind)
        if kind == BOOL and text in ("true", "false"):
            return truth(text == "true"), FALSE
        if kind != BOOL and not isinstance(kind, list) and re.fullmatch(r"-?\d+", text):
            return number(int(text), kind), FALSE
        if isinstance(kind, list) and text == "zeroinitializer":
            return [self.operand("false" if k == BOOL else "0", k) for k in kind]
        if isinstance(kind, list) and text.startswith("{"):
            return [self.typed(part) for part in split_commas(text[1:-1])]
        refuse(f"operand {text}")

    def typed(self, text):
        words = split_words(text)
        words = [words[0]] + [w for w in words[1:] if w not in IGNORED]
        len(words) == 2 or refuse(text)
        return self.operand(words[1], parse_type(words[0]))

    def step(self, line):
        line = re.sub(r", !(prof|noundef) !\d+", "", line)
        match = re.match(r"(%s) = (.*)" % NAME, line)
        if match:
            self.values[match[1]] = self.value(match[2])
            return None
        return self.terminator(line)

    def edge(self, target, condition):
        key = (self.label, target)
        self.edges[key] = disjunction(self.edges.get(key, FALSE), conjunction(self.here, condition))

    def terminator(self, line):
        words = split_words(line)
        if words[0] == "ret":
            return self.typed(line[4:])
        if line == "unreachable":
            self.fails(TRUE)
        elif words[:2] == ["br", "label"]:
            self.edge(words[2], TRUE)
        elif words[0] == "br":
            condition, _, then, _, otherwise = re.fullmatch(
                r"br i1 (.*?), (label) (%s), (label) (%s)" % (NAME, NAME), line).groups()
            value, bad = self.operand(condition, BOOL)
            self.fails(bad)
            self.edge(then, value)
            self.edge(otherwise, negation(value))
        elif words[0] == "switch":
            kind, name, default, cases = re.fullmatch(r"switch (\w+) (.*?), label (%s) \[(.*)\]" % NAME, line).groups()
            kind = parse_type(kind)
            value, bad = self.operand(name, kind)
            self.fails(bad)
            others = TRUE
            for constant, target in re.findall(r"i\d+ (-?\d+), label (%s)" % NAME, cases):
                equal = binary("=", value, number(int(constant), kind))
                self.edge(target, equal)
                others = conjunction(others, negation(equal))
            self.edge(default, others)
        elif "@llvm.assume(" in line:
            value, bad = self.typed(line[line.index("(") + 1:line.rindex(")")])
            self.fails(disjunction(bad, negation(value)))
        else:
            refuse(line)
        return None

    def value(self, text):
        op, rest = text.split(" ", 1)
        if op in ("tail", "call"):
            return self.called(rest[5:] if op == "tail" else rest)
        if op == "phi":
            kind = parse_type(split_words(rest)[0])
            incoming = re.findall(r"\[ (.*?), (%s) \]" % NAME, rest)
            parts = [(self.edges.get((label, self.label), FALSE), self.operand(name, kind)) for name, label in incoming]
            return reduce(lambda other, part: merge(part[0], part[1], other), parts[1:], parts[0][1])
        if op == "select":
            condition, x, y = (self.typed(part) for part in split_commas(rest))
            return poisoned(merge(condition[0], x, y), condition[1])
        if op == "insertvalue":
            aggregate, element, index = split_commas(rest)
            result = list(self.typed(aggregate))
            result[int(index)] = self.typed(element)
            return result
        if op == "extractvalue":
            aggregate, index = split_commas(rest)
            return self.typed(aggregate)[int(index)]
        if op in ("zext", "sext", "trunc"):
            return self.cast(op, rest)
        if op == "getelementptr":
            return self.address(rest)
        if op == "load":
            return self.load(rest)
        if op == "icmp":
            return self.compared(rest)
        return self.binary(op, rest)

    def flags(self, text, known):
        words, flags = text.split(" "), set()
        while words[0] in known:
            flags.add(words.pop(0))
        return flags, " ".join(words)

    def compared(self, rest):
        flags, rest = self.flags(rest, {"samesign"})
        predicate, kind, operands = rest.split(" ", 2)
        x, y = (self.operand(part, parse_type(kind)) for part in split_commas(operands))
        bad = disjunction(x[1], y[1])
        if "samesign" in flags:
            bad = disjunction(bad, binary("xor", sign(x[0]), sign(y[0])))
        if predicate == "ne":
            return negation(binary("=", x[0], y[0])), bad
        op, swapped = PREDICATES.get(predicate) or refuse(predicate)
        if x[0].sort == BOOL and op != "=":
            refuse("order of i1")
        return binary(op, *((y[0], x[0]) if swapped else (x[0], y[0]))), bad

    def cast(self, op, rest):
        flags, rest = self.flags(rest, {"nneg", "nuw", "nsw"})
        source, target = rest.split(" to ")
        (x, bad), width = self.typed(source), parse_type(target)
        if op == "trunc":
            kept = extract(x, max(width, 1) - 1, 0)
            if "nuw" in flags:
                bad = disjunction(bad, negation(binary("=", zero_extend(kept, x.sort), x)))
            if "nsw" in flags:
                bad = disjunction(bad, negation(binary("=", sign_extend(kept, x.sort), x)))
            return (binary("=", kept, number(1, 1)) if width == BOOL else kept), bad
        if x.sort == BOOL:
            flags and refuse("flags of an extended i1")
            return choice(x, number(1 if op == "zext" else -1, width), number(0, width)), bad
        if "nneg" in flags:
            bad = disjunction(bad, sign(x))
        return (zero_extend if op == "zext" else sign_extend)(x, width), bad

    def binary(self, op, rest):
        flags, rest = self.flags(rest, {"nuw", "nsw", "exact", "disjoint"})
        kind, operands = rest.split(" ", 1)
        kind = parse_type(kind)
        (x, bad_x), (y, bad_y) = (self.operand(part, kind) for part in split_commas(operands))
        bad = disjunction(bad_x, bad_y)
        if kind == BOOL:
            op in ("and", "or", "xor") or refuse(f"{op} of i1")
            if "disjoint" in flags:
                bad = disjunction(bad, conjunction(x, y))
            return binary(op, x, y), bad
        smt = {"add": "bvadd", "sub": "bvsub", "mul": "bvmul", "udiv": "bvudiv", "urem": "bvurem", "and": "bvand",
               "or": "bvor", "xor": "bvxor", "shl": "bvshl", "lshr": "bvlshr", "ashr": "bvashr"}.get(op)
        smt or refuse(f"{op} {rest}")
        result = binary(smt, x, y)
        if op in ("udiv", "urem"):
            self.fails(disjunction(bad_y, binary("=", y, number(0, kind))))
        if op in ("shl", "lshr", "ashr"):
            bad = disjunction(bad, binary("bvule", number(kind, kind), y))
        for flag in flags:
            bad = disjunction(bad, broken(flag, op, smt, x, y, result))
        return result, bad

    def address(self, rest):
        match = re.fullmatch(r"inbounds (?:nuw )?i8, ptr (%s), (i64 .*)" % NAME, rest) or refuse(rest)
        index, bad = self.typed(match[2])
        return match[1], index, bad

    def load(self, rest):
        match = re.match(r"i8, ptr (%s), align 1$" % NAME, rest) or refuse(rest)
        name, index, bad = self.values[match[1]]
        table = self.module.tables.get(name) or refuse(f"table {name}")
        size = len(table)
        size & (size - 1) == 0 or refuse("a table's length")
        self.fails(disjunction(bad, binary("bvule", number(size, index.sort), index)))
        level = [number(byte, 8) for byte in table]
        for position in range(size.bit_length() - 1):
            upper = binary("=", extract(index, position, position), number(1, 1))
            level = [choice(upper, level[i + 1], level[i]) for i in range(0, len(level), 2)]
        return level[0], FALSE

    def called(self, rest):
        match = re.match(r"(.*?)(%s)\((.*)\)" % NAME, rest) or refuse(rest)
        bounds, _ = ranges(match[1])
        arguments = []
        for text in split_commas(match[3]):
            limits, text = ranges(text)
            value = self.typed(text)
            if limits:
                value = poisoned(value, outside(value[0], limits))
            arguments.append(value)
        if match[2].startswith("@llvm."):
            result = self.intrinsic(match[2], arguments)
        else:
            result, undefined = self.module.call(match[2], arguments)
            self.fails(undefined)
        return poisoned(result, outside(result[0], bounds)) if bounds else result

    def intrinsic(self, name, arguments):
        x, bad = arguments[0]
        base = name.split(".")[1]
        bad = disjunction(*(a[1] for a in arguments))
        if base == "ctlz":
            width = x.sort
            if arguments[1][0] is not FALSE:
                bad = disjunction(bad, conjunction(arguments[1][0], binary("=", x, number(0, width))))
            return leading_zeros(x), bad
        y = arguments[1][0] if len(arguments) > 1 else None
        less = {"umin": "bvult", "umax": "bvult", "smin": "bvslt", "smax": "bvslt"}.get(base) or refuse(name)
        first, second = (x, y) if base.endswith("min") else (y, x)
        return choice(binary(less, x, y), first, second), bad


def sign(x):
    return binary("=", extract(x, x.sort - 1, x.sort - 1), number(1, 1))


def leading_zeros(x):
    """By halves; the width where x is 0."""
    width, count, rest = x.sort, number(0, x.sort), x
    step = width // 2
    while step:
        empty = binary("=", extract(rest, width - 1, width - step), number(0, step))
        count = choice(empty, binary("bvadd", count, number(step, width)), count)
        rest = choice(empty, binary("bvshl", rest, number(step, width)), rest)
        step //= 2
    return choice(binary("=", x, number(0, width)), number(width, width), count)


def significant_bits(x):
    """How many of the low bits can be set."""
    if x.op == "number":
        return x.value.bit_length()
    zeros = x.op == "concat" and x.args[0].op == "number" and x.args[0].value == 0
    return x.args[1].sort if zeros else x.sort


def broken(flag, op, smt, x, y, result):
    """Whether an instruction's flag does not hold."""
    width = x.sort
    if flag == "disjoint" and op == "or":
        return negation(binary("=", binary("bvand", x, y), number(0, width)))
    if flag == "exact" and op in ("lshr", "ashr"):
        return negation(binary("=", binary("bvshl", result, y), x))
    if op == "shl" and flag in ("nuw", "nsw"):
        back = binary("bvlshr" if flag == "nuw" else "bvashr", result, y)
        return negation(binary("=", back, x))
    if op == "mul" and significant_bits(x) + significant_bits(y) <= width - (flag == "nsw"):
        return FALSE
    if op in ("add", "sub", "mul") and flag in ("nuw", "nsw"):
        extend = zero_extend if flag == "nuw" else sign_extend
        wide = 2 * width if op == "mul" else width + 1
        exact = binary(smt, extend(x, wide), extend(y, wide))
        return negation(binary("=", exact, extend(result, wide)))
    refuse(f"{flag} of {op}")
