"""The queries that prove one function: what must be unsatisfiable."""

import spec
from ir import refuse
from terms import binary, definitions, in_order, name, number, sort_text, substitute, variable, with_argument, zero_extend


class Query:
    def __init__(self, claim, text, solver="z3"):
        self.claim, self.text, self.solver = claim, text, solver


class Function:
    """A function's result as terms over `a`, `b`, `c`."""

    def __init__(self, module, symbol):
        parameters = module.functions["@" + symbol].parameters
        self.symbol, self.module = symbol, module
        self.operands = [variable("abc"[i], kind) for i, (_, kind, _) in enumerate(parameters)]
        self.result, self.poison, self.undefined = module.run(symbol, self.operands)

    def query(self, claim, body, roots, variables=(), assumptions=(), solver="z3"):
        """The query that refutes the negated claim; `body` is its definitions and its text."""
        lines, text = body
        declared = [f"(declare-const {v.args[0]} {sort_text(v.sort)})" for v in (*self.operands, *variables)]
        text = "\n".join(["(set-logic QF_BVFP)", *declared, *definitions(roots), *lines,
                          *(f"(assert {a})" for a in assumptions), f"(assert (not {text}))"])
        return Query(claim, text, solver)

    def of_result(self, claim, specification, names, result=None, variables=(), assumptions=(), solver="z3"):
        """The same for claims of a specification on the result."""
        result = result or self.result
        lines, texts = [], []
        for one in names:
            more, text = specification.text(one)
            lines += [line for line in more if line not in lines]
            texts.append(text)
        head = [spec.define("code", "(_ BitVec 32)", f"((_ extract 31 0) {name(result)})"),
                spec.define("status", "(_ BitVec 5)", f"((_ extract 36 32) {name(result)})")]
        return self.query(claim, (head + lines, spec.both(*texts)), [result], variables,
                          [*specification.assumptions, *assumptions], solver)

    def upper(self, result):
        """Nothing stands above the status."""
        return self.query("upper", ([], f"(= ((_ extract 63 37) {name(result)}) (_ bv0 27))"), [result])

    def defined(self, replaced=None, variables=(), assumptions=()):
        """Neither poison nor undefined behaviour, and nothing above the status."""
        roots = substitute([self.poison, self.undefined, self.result], replaced or {})
        poison, undefined, result = (name(root) for root in roots)
        text = f"(and (not {poison}) (not {undefined}) (= ((_ extract 63 37) {result}) (_ bv0 27)))"
        return self.query("defined", ([], text), roots, variables, assumptions)


def rebuilt(function, term, index, argument):
    """The result with one argument of one term replaced."""
    return substitute([function.result], {term: with_argument(term, index, argument)})[0]


def direct(function):
    """One query for the value, one for the flags, one for definedness."""
    specification = spec.of(function.symbol)
    flags = [claim for claim in specification.claims if claim != "value"]
    yield function.defined()
    yield function.of_result("value", specification, ["value"])
    yield function.of_result("flags", specification, flags)


def nodes(function, op):
    return [t for t in in_order([function.result]) if t.op == op]


FLAGS = ["invalid", "divide_by_zero", "inexact", "range"]


def staged(function, op, mode, operands, result, variables):
    """The stage's operands, the rounding of what the stage gives, and the operands that it does not serve; `result` has
    the stage replaced by variables."""
    finite = spec.staged(op, mode)
    unpacking = spec.Specification(finite.lines, finite.assumptions[:-1], operands=operands)
    yield function.query("operands of the stage", unpacking.text("operands"), [function.result],
                         assumptions=unpacking.assumptions)
    special = spec.arithmetic(op, mode)
    special.assumptions.append(spec.either(*(f"(not {spec.FINITE.format(n)})" for n in "ab")))
    for kind, specification in (("", finite), ("special operands: ", special)):
        yield function.of_result(f"{kind}value", specification, ["value"], result, variables)
        yield function.of_result(f"{kind}flags", specification, FLAGS, result, variables)


def shared_product(function):
    """The result with the product of the significands as a variable, which the specification shares; the variable; and
    what the factors must be."""
    (product,) = [t for t in nodes(function, "bvmul") if t.sort == 64] or refuse("no product")
    given = variable("product", 48)
    shifted = binary("bvshl", zero_extend(given, 64), number(16, 64))
    (result,) = substitute([function.result], {product: shifted})

    def are(first, second):
        pairs = zip(product.args, (first, second))
        return spec.both(*(f"(= {name(x)} (concat #x00000000 {s} #x00))" for x, s in pairs))

    return result, given, spec.either(are("sa", "sb"), are("sb", "sa"))


def mul(function, mode):
    """The rounding of the product."""
    result, given, operands = shared_product(function)
    yield function.defined()
    yield from staged(function, "mul", mode, operands, result, [given])


# One step of a long division: the invariant `Q d + R = N` (the dividend so far), and a digit below 256.
STEP = """(declare-const Q Int) (declare-const R Int) (declare-const N Int) (declare-const d Int)
(declare-const q Int) (declare-const r Int)
(assert (and (= (+ (* Q d) R) N) (<= 0 R) (< R d)))
(assert (and (= (* 256 R) (+ (* q d) r)) (<= 0 r) (< r d)))
(assert (not (and (= (+ (* (+ (* 256 Q) q) d) r) (* 256 N)) (<= 0 q) (< q 256))))"""


def div(function, mode):
    """The quotient and the remainder of each of the six 32-bit divisions are variables."""
    quotients, remainders = nodes(function, "bvudiv"), nodes(function, "bvurem")
    quotients.sort(key=lambda term: term.number)
    first, divisor = quotients[0].args
    digits = [variable(f"q{i}", 8) for i in range(1, 7)]
    rests = [variable(f"r{i}", 32) for i in range(1, 7)]
    replaced, dividend = {}, first
    for quotient, digit, rest in zip(quotients, digits, rests, strict=True):
        quotient.args == (dividend, divisor) or refuse("a step that does not divide the last remainder times 256")
        (remainder,) = [t for t in remainders if t.args == quotient.args] or refuse("no remainder")
        replaced |= {quotient: zero_extend(digit, 32), remainder: rest}
        dividend = binary("bvshl", remainder, number(8, 32))
    (result,) = substitute([function.result], replaced)
    smaller = [f"(bvult {name(rest)} {name(divisor)})" for rest in rests]
    yield function.defined(replaced, [*digits, *rests], smaller)
    yield Query("a step of the division", STEP)
    operands = spec.both(
        f"(= {name(divisor)} (concat #x00 sb))",
        f"(= {name(first)} (concat (ite (bvuge sa sb) (bvsub sa sb) sa) #x00))")
    yield from staged(function, "div", mode, operands, result, [*digits, *rests])


def sum_cases():
    """Conditions on two f32 under which the alignment of their significands is nearly constant: by the difference of
    the exponents, and where they are equal, by the signs, the greater magnitude, and the exponent if it is so small that
    the difference can be subnormal; if both are subnormal, by the top bit of the greater one."""
    yield "27 or more apart", "(bvsge apart (_ bv27 9))"
    yield "-27 or more apart", f"(bvsle apart (_ bv{-27 % 512} 9))"
    yield "3 to 26 apart", "(and (bvsge apart (_ bv3 9)) (bvsle apart (_ bv26 9)))"
    yield "-3 to -26 apart", f"(and (bvsle apart (_ bv{-3 % 512} 9)) (bvsge apart (_ bv{-26 % 512} 9)))"
    signs = (("signs equal", "same"), ("signs opposite", "(not same)"))
    for apart in (-2, -1, 1, 2):
        for sign, same in signs:
            yield f"{apart} apart, {sign}", f"(and (= apart (_ bv{apart % 512} 9)) {same})"
    for sign, same in signs:
        for order, greater, name in (("a greater", "(bvugt ma mb)", "ma"), ("b at least", "(bvule ma mb)", "mb")):
            equal, where = f"(= apart (_ bv0 9)) {same} {greater}", f"{sign}, {order}"
            yield f"exponents equal, 25 or more, {where}", f"(and {equal} (bvuge xa (_ bv25 9)))"
            for exponent in range(2, 25):
                yield f"exponents equal, {exponent}, {where}", f"(and {equal} (= xa (_ bv{exponent} 9)))"
            yield f"exponents equal, 1, {where}", f"(and {equal} (= xa (_ bv1 9)) (not subnormal))"
            for top in range(23):
                yield (f"subnormal, bit {top}, {where}",
                       f"(and {equal} subnormal (= ((_ extract 22 {top}) {name}) (_ bv1 {23 - top})))")
            yield f"zeros, {where}", f"(and {equal} subnormal (= {name} (_ bv0 31)))"


CASES = [spec.define(f"x{n}", "(_ BitVec 9)", f"(ite (= ((_ extract 30 23) {n}) #x00) (_ bv1 9) "
                     f"(concat #b0 ((_ extract 30 23) {n})))") for n in "ab"]
CASES += [spec.define(f"m{n}", "(_ BitVec 31)", f"((_ extract 30 0) {n})") for n in "ab"]
CASES += [spec.define("apart", "(_ BitVec 9)", "(bvsub xa xb)"),
          spec.define("same", "Bool", "(= ((_ extract 31 31) a) ((_ extract 31 31) b))"),
          spec.define("subnormal", "Bool", "(and (= ((_ extract 30 23) a) #x00) (= ((_ extract 30 23) b) #x00))")]


def coarse(cases):
    """The cases without those of equal exponents, and these in two."""
    yield from (case for case in cases if " apart" in case[0])
    yield "exponents equal, less than 25", "(and (= apart (_ bv0 9)) (bvult xa (_ bv25 9)))"
    yield "exponents equal, 25 or more", "(and (= apart (_ bv0 9)) (bvuge xa (_ bv25 9)))"


def add(function, mode):
    """Case by case; the cases cover everything. The flags that need a wider exponent are asked of z3."""
    fine = list(sum_cases())
    specification = spec.of(function.symbol)
    specification.lines += CASES

    def by_cases(claim, cases, solver):
        conditions = [condition for _, condition in cases]
        yield function.query(f"the cases of {claim} are all", (CASES, spec.either(*conditions)), [])
        for case, condition in cases:
            specification.assumptions = [condition]
            yield function.of_result(f"{claim}, {case}", specification, [claim], solver=solver)
        specification.assumptions = []

    yield function.defined()
    yield function.of_result("invalid, divide by zero", specification, FLAGS[:2], solver="bitwuzla")
    yield from by_cases("inexact", list(coarse(fine)), "bitwuzla")
    yield from by_cases("range", list(coarse(fine)), "z3")
    yield from by_cases("value", fine, "bitwuzla")


def sub(function, mode):
    """The sum with the second operand's sign changed."""
    negated = binary("bvxor", function.operands[1], number(1 << 31, 32))
    addition = Function(function.module, "add_" + mode)
    (sum_,) = substitute([addition.result], {addition.operands[1]: negated})
    text = f"(= {name(function.result)} {name(sum_)})"
    yield function.defined()
    yield function.query("a - b is a + (-b)", ([], text), [function.result, sum_])


def fma(function, mode):
    """Given the product, case by case."""
    result, given, operands = shared_product(function)
    yield function.defined()
    for case, specification in spec.fma_cases(mode):
        if case == "operands":
            unpacking = spec.Specification(specification.lines, specification.assumptions, operands=operands)
            yield function.query("operands of the stage", unpacking.text("operands"), [function.result],
                                 assumptions=unpacking.assumptions)
            continue
        yield function.of_result(f"value, {case}", specification, ["value"], result, [given])
        yield function.of_result(f"flags, {case}", specification, FLAGS, result, [given])
