"""Terms of the SMT-LIB theory of bit-vectors: built once each, folded where constant, printed and evaluated.

`sort` is the width of a bit-vector, or BOOL. The semantics of `evaluate` are those of SMT-LIB, so that a term's value
can be compared with what the compiled function returns.
"""

BOOL = 0

COMPARISONS = {"=", "bvult", "bvule", "bvslt", "bvsle"}


class Term:
    __slots__ = ("op", "args", "sort", "value", "number")

    def __init__(self, op, args, sort, value, number):
        self.op, self.args, self.sort, self.value, self.number = op, args, sort, value, number


_known = {}


def _intern(op, args, sort, value=None):
    key = (op, tuple(a.number if isinstance(a, Term) else a for a in args), sort, value)
    if key not in _known:
        _known[key] = Term(op, args, sort, value, len(_known))
    return _known[key]


def number(value, width):
    return _intern("number", (), width, value % (1 << width))


def truth(value):
    return _intern("number", (), BOOL, bool(value))


TRUE, FALSE = truth(True), truth(False)


def variable(name, sort):
    return _intern("variable", (name,), sort)


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) & 1 else value


def _divide(x, y, width):
    return (1 << width) - 1 if y == 0 else x // y


VALUES = {
    "bvadd": lambda w, x, y: x + y,
    "bvsub": lambda w, x, y: x - y,
    "bvmul": lambda w, x, y: x * y,
    "bvudiv": lambda w, x, y: _divide(x, y, w),
    "bvurem": lambda w, x, y: x if y == 0 else x % y,
    "bvand": lambda w, x, y: x & y,
    "bvor": lambda w, x, y: x | y,
    "bvxor": lambda w, x, y: x ^ y,
    "bvshl": lambda w, x, y: x << y if y < w else 0,
    "bvlshr": lambda w, x, y: x >> y,
    "bvashr": lambda w, x, y: signed(x, w) >> min(y, w),
    "=": lambda w, x, y: x == y,
    "bvult": lambda w, x, y: x < y,
    "bvule": lambda w, x, y: x <= y,
    "bvslt": lambda w, x, y: signed(x, w) < signed(y, w),
    "bvsle": lambda w, x, y: signed(x, w) <= signed(y, w),
    "and": lambda w, x, y: x and y,
    "or": lambda w, x, y: x or y,
    "xor": lambda w, x, y: x != y,
    "not": lambda w, x: not x,
    "ite": lambda w, c, x, y: x if c else y,
    "concat": None,  # below: it needs the width of its second argument
    "extract": None,
    "sign_extend": None,
}


def _value(term, args):
    """The value of a term with these values of its arguments."""
    if term.op == "concat":
        return args[0] << term.args[1].sort | args[1]
    if term.op == "extract":
        return args[0] >> term.value[1] & ((1 << term.sort) - 1)
    if term.op == "sign_extend":
        return signed(args[0], term.args[0].sort) % (1 << term.sort)
    result = VALUES[term.op](term.args[-1].sort, *args)
    return bool(result) if term.sort == BOOL else result % (1 << term.sort)


def _make(op, args, sort, value=None):
    term = _intern(op, args, sort, value)
    if all(a.op == "number" for a in args):
        folded = _value(term, [a.value for a in args])
        return truth(folded) if sort == BOOL else number(folded, sort)
    return term


def binary(op, x, y):
    assert x.sort == y.sort, (op, x.sort, y.sort)
    if op == "and" or op == "or":
        absorbing = FALSE if op == "and" else TRUE
        for one, other in ((x, y), (y, x)):
            if one is absorbing or one is other:
                return one
            if one.op == "number":
                return other
    if op == "=" and x is y:
        return TRUE
    return _make(op, (x, y), BOOL if op in COMPARISONS else x.sort)


def conjunction(*terms):
    result = TRUE
    for term in terms:
        result = binary("and", result, term)
    return result


def disjunction(*terms):
    result = FALSE
    for term in terms:
        result = binary("or", result, term)
    return result


def negation(x):
    return x.args[0] if x.op == "not" else _make("not", (x,), BOOL)


def choice(condition, x, y):
    assert x.sort == y.sort
    if condition.op == "number":
        return x if condition.value else y
    return x if x is y else _make("ite", (condition, x, y), x.sort)


def extract(x, high, low):
    if low == 0 and high == x.sort - 1:
        return x
    return _make("extract", (x,), high - low + 1, (high, low))


def zero_extend(x, width):
    return x if width == x.sort else _make("concat", (number(0, width - x.sort), x), width)


def sign_extend(x, width):
    return x if width == x.sort else _make("sign_extend", (x,), width)


def in_order(roots):
    """All terms below the roots, arguments first."""
    seen, order, stack = set(), [], [(root, False) for root in roots]
    while stack:
        term, done = stack.pop()
        if done:
            order.append(term)
        elif term.number not in seen:
            seen.add(term.number)
            stack.append((term, True))
            stack += [(a, False) for a in term.args if isinstance(a, Term)]
    return order


def with_argument(term, index, argument):
    """The term with another argument."""
    return _make(term.op, (*term.args[:index], argument, *term.args[index + 1:]), term.sort, term.value)


def substitute(roots, replacements):
    """The roots with terms replaced by others."""
    new = {}
    for term in in_order(roots):
        if term in replacements:
            new[term] = replacements[term]
        elif term.op in ("number", "variable"):
            new[term] = term
        else:
            new[term] = _make(term.op, tuple(new[a] for a in term.args), term.sort, term.value)
    return [new[root] for root in roots]


def evaluate(roots, variables):
    """The values of the roots, for values of the variables by name."""
    values = {}
    for term in in_order(roots):
        if term.op == "number":
            value = term.value
        elif term.op == "variable":
            value = variables[term.args[0]]
        else:
            value = _value(term, [values[a.number] for a in term.args])
        values[term.number] = value
    return [values[root.number] for root in roots]


def sort_text(sort):
    return "Bool" if sort == BOOL else f"(_ BitVec {sort})"


def name(term):
    if term.op == "number":
        if term.sort == BOOL:
            return "true" if term.value else "false"
        return f"(_ bv{term.value} {term.sort})"
    return term.args[0] if term.op == "variable" else f"t{term.number}"


def definitions(roots):
    """SMT-LIB definitions of everything below the roots; variables are declared elsewhere."""
    lines = []
    for term in in_order(roots):
        if term.op in ("number", "variable"):
            continue
        op = term.op
        if op == "extract":
            op = f"(_ extract {term.value[0]} {term.value[1]})"
        elif op == "sign_extend":
            op = f"(_ sign_extend {term.sort - term.args[0].sort})"
        text = " ".join(name(a) for a in term.args)
        lines.append(f"(define-fun {name(term)} () {sort_text(term.sort)} ({op} {text}))")
    return lines
