"""Proves the functions of host-tests/proofs/src/lib.rs: ci/proofs.sh runs it, host-tests/proofs/README.md says what is proven.

prove.py FOLDER [--whole] [--only REGEX] [--limit SECONDS] [--second SOLVER]
FOLDER holds proofs.ll and libproofs.so. Exit status: 0 if every query was answered as it must be.
"""

import argparse
import ctypes
import random
import re
import sys
import time
from collections import Counter

import ir
import queries
import solver
import spec
from terms import definitions, evaluate, in_order, name, number, sort_text, substitute

QUICK = ["to_", "compare_", "minimum", "maximum"]
STAGED = {"add": queries.add, "sub": queries.sub, "mul": queries.mul, "div": queries.div, "fma": queries.fma}
# Codes at which float functions change their behaviour.
HOSTILE_32 = [0, 1, 2, 0x7FFFFF, 0x800000, 0x800001, 0xC00000, 0x1000000, 0x33800000, 0x34000000, 0x3F7FFFFF, 0x3F800000,
              0x3F800001, 0x4B000000, 0x4B7FFFFF, 0x7EFFFFFF, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FBFFFFF,
              0x7FC00000, 0x7FFFFFFF]
HOSTILE_64 = [0, 1, 0xFFFFFFFFFFFFF, 0x10000000000000, 0x3690000000000000, 0x36A0000000000000, 0x36A0000000000001,
              0x380FFFFFFFFFFFFF, 0x3810000000000000, 0x3EF0000000000000, 0x3F80000000000000, 0x3F90000000000001,
              0x3FF0000000000000, 0x3FF0000010000000, 0x3FF0000010000001, 0x407C000000000000, 0x407C000000000001,
              0x407D000000000000, 0x407E000000000000, 0x40EFFBFFFFFFFFFF, 0x40EFFC0000000000, 0x40EFFE0000000000,
              0x47EFFFFFE0000000, 0x47EFFFFFEFFFFFFF, 0x47EFFFFFF0000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
              0x7FF0000000000001, 0x7FF8000000000000, 0x7FFFFFFFFFFFFFFF]


def hostile(width):
    codes = HOSTILE_32 if width == 32 else HOSTILE_64
    return codes + [code | 1 << (width - 1) for code in codes]


def inputs(function, count, seed):
    """Hostile operands, random ones, and pairs that are near each other."""
    draw = random.Random(f"{function.symbol} {seed}")
    for _ in range(count):
        codes = []
        for operand in function.operands:
            kind = draw.randrange(4)
            if kind == 0:
                codes.append(draw.choice(hostile(operand.sort)))
            elif kind == 1 and codes:
                codes.append(codes[0] ^ draw.getrandbits(draw.randrange(1, operand.sort)))
            else:
                codes.append(draw.getrandbits(operand.sort))
        yield codes


def compiled(library, function):
    """The compiled function."""
    call = getattr(library, function.symbol)
    call.restype = ctypes.c_uint64
    call.argtypes = [ctypes.c_uint64 if o.sort == 64 else ctypes.c_uint32 for o in function.operands]
    return call


def translate_check(library, function, count):
    """The terms' values, and the solver's reading of their text, are the compiled function's."""
    call, asked = compiled(library, function), []
    for codes in inputs(function, count, "terms"):
        values = dict(zip("abc", codes))
        got = evaluate([function.result, function.poison, function.undefined], values)
        if got != [call(*codes), False, False]:
            return f"terms differ at {[hex(code) for code in codes]}: {got}, compiled {call(*codes):#x}"
        if len(asked) < 16:
            asked.append((codes, call(*codes)))
    # One query: at each of some points, the result is not the compiled one.
    texts = []
    for codes, result in asked:
        replaced = {o: number(code, o.sort) for o, code in zip(function.operands, codes)}
        points = " ".join(f"(= {name(o)} {name(c)})" for o, c in replaced.items())
        texts.append(f"(and {points} (not (= {name(function.result)} (_ bv{result} 64))))")
    declared = [f"(declare-const {name(o)} {sort_text(o.sort)})" for o in function.operands]
    text = "\n".join(["(set-logic QF_BVFP)", *declared, *definitions([function.result]),
                      f"(assert {spec.either(*texts)})"])
    answer, _ = solver.check("z3", text, 100)
    return None if answer == "unsat" else f"z3 reads other values: {answer}"


def faults(function, count, seed):
    """Copies of the result with one constant changed by one bit."""
    draw = random.Random(f"{function.symbol} {seed}")
    terms = in_order([function.result])
    places = [(t, i) for t in terms for i, a in enumerate(t.args)
              if t.op not in ("number", "variable") and a.op == "number" and a.sort and t.op != "concat"]
    for term, index in draw.sample(places, min(count, len(places))):
        constant = term.args[index]
        changed = number(constant.value ^ 1 << draw.randrange(constant.sort), constant.sort)
        yield queries.rebuilt(function, term, index, changed)


def fault_check(library, function, count):
    """Counts (found, without effect) of planted faults; an error where a fault that changes a result was not found, or a
    counterexample is none."""
    call, found, equal = compiled(library, function), 0, 0
    specification = spec.of(function.symbol)
    names = [o.args[0] for o in function.operands]
    for result in faults(function, count, "faults"):
        differs = None
        for codes in inputs(function, 400, "faults"):
            if evaluate([result], dict(zip("abc", codes)))[0] != call(*codes):
                differs = codes
                break
        texts = [function.of_result("fault", specification, [claim], result).text
                 for claim in specification.claims]
        texts.append(function.upper(result).text)
        models = [m for m in (solver.model(text, names, 100) for text in texts) if m]
        for model in models:
            if evaluate([result], model)[0] == call(*(model[n] for n in names)):
                return found, equal, f"not a counterexample: {model}"
        if differs and not models:
            return found, equal, f"a fault seen at {[hex(code) for code in differs]} was not found"
        found, equal = found + bool(models), equal + (not models)
    return found, equal, None


def plan(function):
    """The queries of a function."""
    for prefix, staged in STAGED.items():
        if function.symbol.startswith(prefix + "_"):
            return staged(function, function.symbol.removeprefix(prefix + "_"))
    return queries.direct(function)


def symbols(module, whole):
    names = [f[1:] for f in module.functions if re.match(r"@[a-z]", f)]
    wanted = QUICK + (list(STAGED) if whole else [])
    return sorted(n for n in names if n.startswith(tuple(wanted)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--whole", action="store_true", help="add, sub, mul and div too, and every planted fault")
    parser.add_argument("--only", default="", help="functions whose names match")
    parser.add_argument("--limit", type=int, default=600, help="seconds of a query")
    parser.add_argument("--second", choices=solver.RUN, help="every query by this solver instead")
    arguments = parser.parse_args()
    with open(f"{arguments.folder}/proofs.ll") as file:
        module = ir.Module(file.read())
    library = ctypes.CDLL(f"{arguments.folder}/libproofs.so")
    chosen = [s for s in symbols(module, arguments.whole) if re.search(arguments.only, s)]
    if not chosen:
        sys.exit("no function of that name")
    print(f"{solver.versions()}; at most {arguments.limit} s a query", flush=True)
    bad, total, planted, without_effect = [], Counter(), 0, 0
    for index, symbol in enumerate(chosen):
        start = time.monotonic()
        function = queries.Function(module, symbol)
        error = translate_check(library, function, 1000 if arguments.whole else 200)
        if error:
            bad.append(f"{symbol}: {error}")
        answers, longest = Counter(), 0.0
        for query in plan(function):
            answer, seconds = solver.check(arguments.second or query.solver, query.text, arguments.limit)
            answers["proven" if answer == "unsat" else answer] += 1
            longest = max(longest, seconds)
            if answer != "unsat":
                bad.append(f"{symbol}: {query.claim}: {answer} after {seconds:.0f} s")
        if symbol.startswith(tuple(QUICK)) and (arguments.whole or index % 8 == 0):
            found, equal, error = fault_check(library, function, 3)
            planted, without_effect = planted + found, without_effect + equal
            if error:
                bad.append(f"{symbol}: {error}")
        total += answers
        said = ", ".join(f"{count} {answer}" for answer, count in answers.items())
        print(f"{symbol:40} {said:24} longest {longest:6.1f} s, all {time.monotonic() - start:6.1f} s", flush=True)
    for line in bad:
        print(f"FAILED: {line}")
    said = ", ".join(f"{count} {answer}" for answer, count in sorted(total.items()))
    print(f"{len(chosen)} functions, queries: {said}; planted faults: {planted} found, {without_effect} without effect")
    if not arguments.only and not planted:
        sys.exit("FAILED: no fault was planted")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
