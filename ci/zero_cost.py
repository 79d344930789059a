#!/usr/bin/env python3
"""Compares each function `operator_NAME` of an assembly file with `function_NAME`, instruction by instruction."""

import re
import sys


def bodies(lines):
    """The instructions of each function, with local labels numbered from the first one that occurs."""
    found, name = {}, None
    for line in lines:
        if begin := re.match(r"((?:operator|function)_\w+):", line):
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
    with open(sys.argv[1], encoding="utf-8") as file:
        found = bodies(file)
    operators = [name for name in found if name.startswith("operator_")]
    differ = 0
    for name in sorted(operators):
        other = name.replace("operator_", "function_", 1)
        if other not in found or not found[name]:
            raise SystemExit(f"{other} is missing, or {name} is empty")
        if found[name] == found[other]:
            print(f"{name}: {len(found[name])} instructions and labels, the same")
        else:
            differ += 1
            print(f"{name}: {len(found[name])} instructions and labels, the function has {len(found[other])}")
    print(f"{len(operators)} operators, {differ} differ from their function")
    if differ or len(operators) < 40:
        raise SystemExit(1)


main()
