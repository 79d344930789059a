#!/usr/bin/env python3
"""Compares the functions `compared_NAME` of two assembly files, instruction by instruction."""

import re
import sys


def bodies(path):
    """The instructions of each function, with local labels numbered from the first one that occurs."""
    found, name = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if begin := re.match(r"compared_(\w+):", line):
                name, labels = begin[1], {}
                found[name] = []
            elif name and line.startswith(".Lfunc_end"):
                name = None
            elif name:
                line = line.split("#")[0].strip()
                line = re.sub(r"\.L\w+", lambda m: labels.setdefault(m[0], f"L{len(labels)}"), line)
                if line and not line.startswith("."):
                    found[name].append(line)
    return found


def main():
    functions, operators = map(bodies, sys.argv[1:])
    if functions.keys() != operators.keys() or len(functions) < 44:
        raise SystemExit(f"{len(functions)} functions and {len(operators)} operators")
    differ = 0
    for name, function in sorted(functions.items()):
        operator = operators[name]
        same = function == operator and function
        differ += not same
        how = "the same" if same else f"the operator has {len(operator)}"
        print(f"{name}: {len(function)} instructions and labels, {how}")
    print(f"{len(functions)} functions, {differ} operators differ")
    if differ:
        raise SystemExit(1)


main()
