"""Runs SMT solvers on SMT-LIB text, each query in a process of its own with a time limit."""

import multiprocessing
import time
from importlib.metadata import version

import z3

PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5", "bitwuzla": "bitwuzla"}


def _z3(text, limit):
    solver = z3.Solver() if "Int" in text else z3.SolverFor("QF_BVFP")
    solver.set("timeout", limit * 1000)
    solver.from_string(text)
    return str(solver.check())


def _cvc5(text, limit):
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("fp-exp", "true")  # formats other than binary16, 32, 64 and 128
    solver.setOption("tlimit-per", str(limit * 1000))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text + "(check-sat)", "query")
    symbols, answer = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, symbols)
    return answer.split()[0]


def _bitwuzla(text, limit):
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, limit * 1000)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, True, False)
    return str(parser.bitwuzla().check_sat())


RUN = {"z3": _z3, "cvc5": _cvc5, "bitwuzla": _bitwuzla}


def _child(pipe, name, text, limit):
    try:
        pipe.send(RUN[name](text, limit))
    except Exception as error:  # the parent reports it
        pipe.send(f"error: {error}")


def _model(pipe, text, names, limit):
    solver = z3.SolverFor("QF_BVFP")
    solver.set("timeout", limit * 1000)
    solver.from_string(text)
    if solver.check() != z3.sat:
        pipe.send(None)
        return
    values = {d.name(): solver.model()[d].as_long() for d in solver.model().decls() if d.name() in names}
    pipe.send({name: values.get(name, 0) for name in names})


def _in_process(target, arguments, limit):
    """What the process sends, or None after the limit; and its seconds."""
    start = time.monotonic()
    receiver, sender = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=target, args=(sender, *arguments, limit))
    process.start()
    sender.close()
    try:
        answer = receiver.recv() if receiver.poll(limit + 10) else None
    except EOFError:
        answer = "error: the solver ended"
    process.kill()
    process.join()
    return answer, time.monotonic() - start


def check(name, text, limit):
    """("unsat", "sat", "unknown" or an error; seconds)."""
    answer, seconds = _in_process(_child, (name, text), limit)
    return (answer or "unknown").split(" (")[0], seconds


def model(text, names, limit):
    """Values of the variables that satisfy the text, by z3; None where there are none."""
    return _in_process(_model, (text, names), limit)[0]


def versions():
    return ", ".join(f"{name} {version(package)}" for name, package in PACKAGES.items())
