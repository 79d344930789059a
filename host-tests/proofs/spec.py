"""What each function must return, in SMT-LIB's theory of floating point: IEEE 754's own operations.

The theory has no exceptions. Inexact: rounding down and rounding up differ. Overflow and underflow: the operation in a
format of the same precision and a wider exponent, which is IEEE 754's "unbounded exponent range", since no result of
these operations leaves it. NaN results are one value in the theory, so their code is compared as bits.
"""

MODES = {"ties_to_even": "RNE", "ties_to_away": "RNA", "toward_zero": "RTZ", "toward_positive": "RTP",
         "toward_negative": "RTN", "to_odd": None}
# Exponent bits and precision.
F64, F32, F16, BF16, E5M2 = (11, 53), (8, 24), (5, 11), (8, 8), (5, 3)
TARGETS = {"f32": F32, "f16": F16, "bf16": BF16, "e5m2": E5M2}
OPERANDS = {"sqrt": 1, "fma": 3}
# The bits of the status.
INVALID, DIVIDE_BY_ZERO, OVERFLOW, UNDERFLOW, INEXACT = 4, 3, 2, 1, 0


def to_fp(form, *arguments):
    return f"((_ to_fp {form[0]} {form[1]}) {' '.join(arguments)})"


def canonical(form, width):
    exponent, precision = form
    return f"(_ bv{((1 << (exponent + 1)) - 1) << (precision - 2)} {width})"


def signals(form, code):
    """Whether a code is a signalling NaN."""
    fraction = form[1] - 2
    return f"(and (fp.isNaN {to_fp(form, code)}) (= ((_ extract {fraction} {fraction}) {code}) #b0))"


def both(*conditions):
    return f"(and {' '.join(conditions)})" if len(conditions) > 1 else conditions[0]


def either(*conditions):
    return f"(or {' '.join(conditions)})" if len(conditions) > 1 else conditions[0]


def power(exponent, form):
    """2^exponent in a wide format."""
    bits, precision = form
    field = exponent + (1 << (bits - 1)) - 1
    return f"(fp #b0 (_ bv{field} {bits}) (_ bv0 {precision - 1}))"


class Specification:
    """Claims on `code` and `status`, as the function gives them, by name; and definitions that they may use."""

    def __init__(self, lines, assumptions=(), **claims):
        self.lines, self.assumptions, self.claims = lines, list(assumptions), claims

    def text(self, claim):
        """The definitions that a claim and the assumptions use, and the claim."""
        needed, kept = set(words(" ".join([self.claims[claim], *self.assumptions]))), []
        for line in reversed(self.lines):
            if line.split()[1] in needed:
                kept.append(line)
                needed |= set(words(line))
        return kept[::-1], self.claims[claim]


def words(text):
    return text.replace("(", " ").replace(")", " ").split()


def define(name, sort, text):
    return f"(define-fun {name} () {sort} {text})"


def floating(form):
    return f"(_ FloatingPoint {form[0]} {form[1]})"


def matches(form, rounded, direction, inexact):
    """Whether `low` (the code in its own width) is the rounded value; NaN is canonical."""
    width = sum(form)
    got = to_fp(form, "low")
    if direction is None:
        # To odd: the truncated value, its last bit set where it is inexact.
        cleared = to_fp(form, f"(bvand low (bvnot (_ bv1 {width})))")
        odd = both("(= ((_ extract 0 0) low) #b1)", either(f"(= {got} {rounded})", f"(= {cleared} {rounded})"))
        same = f"(ite {inexact} {odd} (= {got} {rounded}))"
    else:
        same = f"(= {got} {rounded})"
    return f"(ite (fp.isNaN {rounded}) (= low {canonical(form, width)}) {same})"


def low_bits(width):
    """`low`, and the claim that the bits above it are 0."""
    if width == 32:
        return [define("low", "(_ BitVec 32)", "code")], []
    return ([define("low", f"(_ BitVec {width})", f"((_ extract {width - 1} 0) code)")],
            [f"(= ((_ extract 31 {width}) code) (_ bv0 {32 - width}))"])


def exceptions(invalid, exact, divide_by_zero, form, wide):
    """Claims on the flags. `exact` is the condition under which only invalid can be raised; `inexact` says whether a
    finite result is, and `unbounded` is the result in the format `wide`."""
    emax = (1 << (form[0] - 1)) - 1
    over = f"(fp.geq (fp.abs unbounded) {power(emax + 1, wide)})"
    under = both("inexact", f"(fp.lt (fp.abs unbounded) {power(1 - emax, wide)})")
    if divide_by_zero:
        exact = either(exact, divide_by_zero)
    rounded = f"(and (not {invalid}) (not {exact}))"
    return {
        "invalid": raises(INVALID, invalid),
        "divide_by_zero": raises(DIVIDE_BY_ZERO, both(f"(not {invalid})", divide_by_zero or "false")),
        "inexact": raises(INEXACT, both(rounded, "inexact")),
        "range": both(raises(OVERFLOW, both(rounded, over)), raises(UNDERFLOW, both(rounded, under))),
    }


def raises(flag, condition):
    return f"(= (= ((_ extract {flag} {flag}) status) #b1) {condition})"


FINITE = "(not (or (fp.isNaN f{0}) (fp.isInfinite f{0}) (fp.isZero f{0})))"


def arithmetic(op, mode):
    """add, sub, mul, div, sqrt and fma of f32."""
    wide = (10, 24)
    names = "abc"[:OPERANDS.get(op, 2)]
    direction = MODES[mode]
    rounding = direction or "RTZ"

    def apply(rm, prefix):
        return f"(fp.{op} {rm} {' '.join(prefix + n for n in names)})"

    lines = []
    for n in names:
        lines += [define("f" + n, floating(F32), to_fp(F32, n)), define("w" + n, floating(wide), to_fp(wide, "RNE", "f" + n))]
    lines += [define("rounded", floating(F32), apply(rounding, "f")),
              define("unbounded", floating(wide), apply(rounding, "w")),
              define("inexact", "Bool", f"(not (fp.eq {apply('RTN', 'f')} {apply('RTP', 'f')}))")]
    low, above = low_bits(32)
    nan_operand = either(*(f"(fp.isNaN f{n})" for n in names))
    causes = [signals(F32, n) for n in names] + [both("(fp.isNaN rounded)", f"(not {nan_operand})")]
    if op == "fma":
        causes += ["(and (fp.isInfinite fa) (fp.isZero fb))", "(and (fp.isZero fa) (fp.isInfinite fb))"]
    exact = either("(fp.isNaN rounded)", *(f"(fp.isInfinite f{n})" for n in names))
    pole = both("(fp.isZero fb)", FINITE.format("a")) if op == "div" else None
    return Specification(lines + low, value=both(matches(F32, "rounded", direction, "inexact"), *above),
                         **exceptions(either(*causes), exact, pole, F32, wide))


def unpacked(name):
    """`s` and `e`: the significand of 24 bits of a finite non-zero f32, normalised, and its exponent plus 1023, taken
    from the code of the same value in f64, where it is normal: `d`, a variable that the assertion determines."""
    return ([f"(declare-const d{name} (_ BitVec 64))", define(f"f{name}", floating(F32), to_fp(F32, name)),
             define(f"s{name}", "(_ BitVec 24)", f"(concat #b1 ((_ extract 51 29) d{name}))"),
             define(f"e{name}", "(_ BitVec 11)", f"((_ extract 62 52) d{name})")],
            [f"(= {to_fp(F64, 'd' + name)} {to_fp(F64, 'RNE', f'f{name}')})", FINITE.format(name)])


def staged(op, mode):
    """mul and div of finite non-zero operands, given the product of the significands (`product`, 48 bits, the first or
    second one set), or the first 49 bits of their quotient with a sticky bit (`quotient`, 50 bits, likewise)."""
    name, width = ("product", 48) if op == "mul" else ("quotient", 50)
    form, wide = (11, width), (11, 24)
    direction = MODES[mode]
    rounding = direction or "RTZ"
    top = width - 1
    exponent = "(bvadd ea (bvsub eb #b01111111111))" if op == "mul" else "(bvadd (bvsub ea eb) #b01111111110)"
    lines, assumptions = [], []
    for n in "ab":
        more, known = unpacked(n)
        lines += more
        assumptions += known
    if op == "div":
        digits = " ".join(f"q{i}" for i in range(1, 7))
        lines.append(define(name, f"(_ BitVec {width})",
                            f"(concat (ite (bvuge sa sb) #b1 #b0) {digits} (ite (= r6 (_ bv0 32)) #b0 #b1))"))
    carries = f"(= ((_ extract {top} {top}) {name}) #b1)"
    assumptions.append(either(carries, f"(= ((_ extract {top - 1} {top - 1}) {name}) #b1)"))
    lines += [
        define("sign", "(_ BitVec 1)", "(bvxor ((_ extract 31 31) a) ((_ extract 31 31) b))"),
        define("exponent", "(_ BitVec 11)", f"(ite {carries} (bvadd {exponent} #b00000000001) {exponent})"),
        define("fraction", f"(_ BitVec {top})", f"(ite {carries} ((_ extract {top - 1} 0) {name}) "
               f"(concat ((_ extract {top - 2} 0) {name}) #b0))"),
        define("exact", floating(form), "(fp sign exponent fraction)"),
        define("rounded", floating(F32), to_fp(F32, rounding, "exact")),
        define("unbounded", floating(wide), to_fp(wide, rounding, "exact")),
        define("inexact", "Bool", f"(not (fp.eq {to_fp(form, 'RNE', 'rounded')} exact))"),
        define("low", "(_ BitVec 32)", "code")]
    return Specification(lines, assumptions, value=matches(F32, "rounded", direction, "inexact"),
                         **exceptions("false", "false", None, F32, wide))


# Holds a product of 48 bits and an f32 whose exponents are up to 60 apart, and their sum, exactly.
SUM = (11, 112)


def fma_cases(mode):
    """The cases of fma that a solver proves, given the product (as for `staged`). The sum is exact in the format `SUM`.
    Where the exponents are more than 60 apart, the smaller operand is replaced by 2^-62 of the larger one's exponent:
    the sum stays strictly between the same multiples of the larger one's last bit, so it rounds alike."""
    direction = MODES[mode]
    rounding = direction or "RTZ"
    lines, known = [], []
    for n in "abc":
        more, assumptions = unpacked(n)
        lines += more
        known += assumptions if n != "c" else assumptions[:1]
    carries = "(= ((_ extract 47 47) product) #b1)"
    product_known = "(not (= ((_ extract 47 46) product) #b00))"
    yield "operands", Specification(lines, known[:4])
    small = "(_ bv62 11)"
    lines += [
        define("sp", "(_ BitVec 1)", "(bvxor ((_ extract 31 31) a) ((_ extract 31 31) b))"),
        define("sc1", "(_ BitVec 1)", "((_ extract 31 31) c)"),
        define("ep0", "(_ BitVec 11)", "(bvadd ea (bvsub eb #b01111111111))"),
        define("ep", "(_ BitVec 11)", f"(ite {carries} (bvadd ep0 #b00000000001) ep0)"),
        define("fraction", "(_ BitVec 47)", f"(ite {carries} ((_ extract 46 0) product) "
               "(concat ((_ extract 45 0) product) #b0))"),
        define("apart", "(_ BitVec 11)", "(bvsub ep ec)"),
        define("large_p", "Bool", "(bvsgt apart (_ bv60 11))"),
        define("large_c", "Bool", f"(and (not (fp.isZero fc)) (bvslt apart (_ bv{-60 % 2048} 11)))"),
        define("p", floating(SUM), "(ite large_c "
               f"(fp sp (bvsub ec {small}) (_ bv0 111)) (fp sp ep (concat fraction (_ bv0 64))))"),
        define("q", floating(SUM), f"(ite (fp.isZero fc) {to_fp(SUM, 'RNE', 'fc')} (ite large_p "
               f"(fp sc1 (bvsub ep {small}) (_ bv0 111)) (fp sc1 ec (concat ((_ extract 51 29) dc) (_ bv0 88)))))"),
        define("exact", floating(SUM), f"(fp.add {rounding} p q)"),
        define("rounded", floating(F32), to_fp(F32, rounding, "exact")),
        define("unbounded", floating((11, 24)), to_fp((11, 24), rounding, "exact")),
        define("inexact", "Bool", f"(not (fp.eq {to_fp(SUM, 'RNE', 'rounded')} exact))"),
        define("low", "(_ BitVec 32)", "code")]
    finite = "(not (or (fp.isNaN fc) (fp.isInfinite fc) (fp.isZero fc)))"
    claims = {"value": matches(F32, "rounded", direction, "inexact"), **exceptions("false", "false", None, F32, (11, 24))}
    zero = "(fp.isZero fc)"
    yield "addend zero", Specification(lines, [*known, product_known, zero], **claims)
    # No solver ended in the other cases: host-tests/proofs/README.md.
    where = both(finite, "large_c")
    yield "addend 61 or more binades above", Specification(lines, [*known, product_known, where], **claims)
    special = arithmetic("fma", mode)
    special.assumptions = [either(*(f"(not {FINITE.format(n)})" for n in "ab"),
                                  "(fp.isNaN fc)", "(fp.isInfinite fc)")]
    yield "special operands", special


def conversion(target, mode):
    """From f64 to a format of IEEE 754's kind."""
    form = TARGETS[target]
    wide = (12, form[1])
    direction = MODES[mode]
    rounding = direction or "RTZ"
    lines = [define("fa", floating(F64), to_fp(F64, "a")),
             define("rounded", floating(form), to_fp(form, rounding, "fa")),
             define("unbounded", floating(wide), to_fp(wide, rounding, "fa")),
             define("inexact", "Bool", f"(not (fp.eq {to_fp(F64, 'RNE', 'rounded')} fa))")]
    low, above = low_bits(sum(form))
    exact = "(or (fp.isNaN fa) (fp.isInfinite fa))"
    return Specification(lines + low, value=both(matches(form, "rounded", direction, "inexact"), *above),
                         **exceptions(signals(F64, "a"), exact, None, form, wide))


def conversion_e4m3fn(mode):
    """From f64 to E4M3FN. Up to 240 its codes are those of an IEEE format of 4 exponent bits and precision 4; the
    exponent field 15 continues to 448; beyond, infinity is the NaN."""
    form, wide = (4, 4), (12, 4)
    direction = MODES[mode]
    rounding = direction or "RTZ"
    upper = f"(concat ((_ extract 7 7) low) #b10111 ((_ extract 2 0) low))"  # bias 15: 2^8 has the field 23
    over = f"(fp.gt (fp.abs unbounded) {to_fp(wide, 'RNE', '448.0')})"
    if direction is None:
        # 448 has an even last bit, so what is between it and 480 goes to 480.
        over = f"(fp.gt (fp.abs fa) {to_fp(F64, 'RNE', '448.0')})"
    lines = [define("fa", floating(F64), to_fp(F64, "a")),
             define("unbounded", floating(wide), to_fp(wide, rounding, "fa")),
             define("small", floating(form), to_fp(form, rounding, "fa")),
             define("over", "Bool", over),
             define("lower", "Bool", f"(fp.lt (fp.abs unbounded) {power(8, wide)})"),
             define("rounded", floating(wide), f"(ite lower {to_fp(wide, 'RNE', 'small')} unbounded)"),
             define("inexact", "Bool", f"(or over (not (fp.eq {to_fp(F64, 'RNE', 'rounded')} fa)))")]
    low, above = low_bits(8)
    lines += low

    def value(code):
        return (f"(ite (= ((_ extract 6 3) {code}) #b1111) "
                f"{to_fp(wide, 'RNE', to_fp((5, 4), upper.replace('low', code)))} "
                f"{to_fp(wide, 'RNE', to_fp(form, code))})")

    if direction is None:
        odd = both("(= ((_ extract 0 0) low) #b1)",
                   either(f"(= {value('low')} rounded)", f"(= {value('(bvand low #xfe)')} rounded)"))
        finite = f"(ite inexact {odd} (= {value('low')} rounded))"
    else:
        finite = f"(= {value('low')} rounded)"
    largest = "(= low (concat (ite (fp.isNegative fa) #b1 #b0) #b1111110))"
    to_infinity = {"RNE": "true", "RNA": "true", "RTP": "(fp.isPositive fa)", "RTN": "(fp.isNegative fa)"}
    beyond = f"(ite {to_infinity.get(direction, 'false')} (= low #x7f) {largest})"
    nan = either("(fp.isNaN fa)", "(fp.isInfinite fa)")
    # A NaN's code must not pass for the value 480.
    ordinary = both("(not (= ((_ extract 6 0) low) #b1111111))", finite)
    value_claim = f"(ite {nan} (= low #x7f) (ite over {beyond} {ordinary}))"
    under = both("inexact", f"(fp.lt (fp.abs unbounded) {power(-6, wide)})")
    flags = exceptions(either(signals(F64, "a"), "(fp.isInfinite fa)"), nan, None, form, wide)
    finite = f"(not {nan})"
    flags["range"] = both(raises(OVERFLOW, both(finite, "over")), raises(UNDERFLOW, both(finite, under)))
    return Specification(lines, value=both(value_claim, *above), **flags)


RELATIONS = {
    "equal": "(fp.eq fa fb)", "not_equal": "(not (fp.eq fa fb))", "greater": "(fp.gt fa fb)",
    "greater_equal": "(fp.geq fa fb)", "less": "(fp.lt fa fb)", "less_equal": "(fp.leq fa fb)",
    "unordered": "unordered", "ordered": "(not unordered)", "not_greater": "(not (fp.gt fa fb))",
    "not_less": "(not (fp.lt fa fb))", "less_unordered": "(or unordered (fp.lt fa fb))",
    "greater_unordered": "(or unordered (fp.gt fa fb))",
}
OPERANDS_F32 = [define("fa", floating(F32), to_fp(F32, "a")), define("fb", floating(F32), to_fp(F32, "b")),
                define("unordered", "Bool", "(or (fp.isNaN fa) (fp.isNaN fb))")]
ONE_SIGNALS = either(signals(F32, "a"), signals(F32, "b"))


def predicate(name):
    """compare_quiet_less_status and the others."""
    _, kind, relation = name.removesuffix("_status").split("_", 2)
    invalid = either(ONE_SIGNALS, "unordered") if kind == "signaling" else ONE_SIGNALS
    return Specification(OPERANDS_F32, value=f"(= code (ite {RELATIONS[relation]} (_ bv1 32) (_ bv0 32)))",
                         flags=f"(= status (ite {invalid} #b10000 #b00000))")


def min_max(name):
    """IEEE 754-2019 clause 9.6."""
    less, zero = ("fp.lt", "(bvor a b)") if name.startswith("minimum") else ("fp.gt", "(bvand a b)")
    least = f"(ite ({less} fa fb) a (ite ({less} fb fa) b (ite (fp.isZero fa) {zero} a)))"
    if "magnitude" in name:
        size = {"a": "(fp.abs fa)", "b": "(fp.abs fb)"}
        least = (f"(ite ({less} {size['a']} {size['b']}) a "
                 f"(ite ({less} {size['b']} {size['a']}) b {least}))")
    nan = canonical(F32, 32)
    if name.endswith("number"):
        nan = f"(ite (not (fp.isNaN fa)) a (ite (not (fp.isNaN fb)) b {nan}))"
    return Specification(OPERANDS_F32, value=f"(= code (ite unordered {nan} {least}))",
                         flags=f"(= status (ite {ONE_SIGNALS} #b10000 #b00000))")


def of(name):
    """The specification of a function by its name."""
    if name.startswith("compare"):
        return predicate(name)
    if name.startswith(("minimum", "maximum")):
        return min_max(name)
    mode = next(m for m in MODES if name.endswith("_" + m))
    op = name.removesuffix("_" + mode)
    if op == "to_e4m3fn":
        return conversion_e4m3fn(mode)
    if op.startswith("to_"):
        return conversion(op.removeprefix("to_"), mode)
    return arithmetic(op, mode)
