#!/usr/bin/env python3
"""Writes the C library's functions for SystemVerilog: package.py [--only PATTERN] HEADER... FOLDER.

FOLDER/bitexact_pkg.sv imports every function of the headers by its name in C, FOLDER/bitexact_dpi.c has the C
side. Every number crosses as its bits, an integer of the format's width: no real and no shortreal, which a
simulator may convert. Choices are integers with the values of the C header's enums. `flags` is an inout byte to
which exceptions are added. Functions of P3109, whose formats are structs in C, are left out. With
a pattern (a regular expression of whole names) only functions that match it are written: a simulator compiles each.
"""

import re
import sys

# The type in C: the one in SystemVerilog, the one that crosses, and how the C side makes the type of it.
INTEGERS = {
    "int8_t": "byte", "uint8_t": "byte unsigned", "int16_t": "shortint", "uint16_t": "shortint unsigned",
    "int32_t": "int", "uint32_t": "int unsigned", "int64_t": "longint", "uint64_t": "longint unsigned",
}
CODES = {"f16": 16, "bf16": 16}
CODES |= {name: 8 for name in "e8m0 e5m2 e4m3fn e5m2fnuz e4m3fnuz e2m3 e3m2 mxint8 e2m1".split()}
ENUMS = ["rounding", "overflow", "nan", "policy"]
WORDS = {8: ("byte unsigned", "uint8_t"), 16: ("shortint unsigned", "uint16_t")}


def crossing(kind):
    """SystemVerilog's type, C's type that crosses, the expression that makes C's own from x, and back."""
    if kind in INTEGERS:
        return INTEGERS[kind], kind, "{}", "{}"
    if kind == "bool":
        return "byte unsigned", "uint8_t", "({} != 0)", "(uint8_t){}"
    if kind == "float":
        return "int unsigned", "uint32_t", "to_float({})", "from_float({})"
    if kind == "double":
        return "longint unsigned", "uint64_t", "to_double({})", "from_double({})"
    name = kind.removeprefix("bitexact_")
    if name in CODES:
        word = WORDS[CODES[name]]
        return *word, f"bitexact_{name}_from_bits({{}})", "{}.bits"
    if name in ENUMS:
        return "int unsigned", "uint32_t", f"(bitexact_{name}){{}}", "{}"
    if name == "class":
        return "byte unsigned", "uint8_t", "(bitexact_class){}", "(uint8_t){}"
    return None


def declarations(text):
    for match in re.finditer(r"BITEXACT_FUNCTION (\w+) (bitexact_\w+)\(([^()]*)\);", text):
        result, name, arguments = match.groups()
        arguments = [argument.strip() for argument in arguments.split(",")]
        yield result, name, [] if arguments == ["void"] else arguments


def main():
    arguments = sys.argv[1:]
    only = re.compile(arguments[1] if arguments[0] == "--only" else ".*")
    *headers, folder = arguments[2:] if arguments[0] == "--only" else arguments
    package = ["// Written by package.py from the headers of C. Do not edit.", "package bitexact_pkg;"]
    for name, value in re.findall(r"^    BITEXACT_(\w+) = (\w+),?$", open(headers[0]).read(), re.M):
        if "_HAS_" not in name and not name.startswith("P3109"):
            package.append(f"    localparam int {name} = {int(value, 0)};")
    code = ['#include <string.h>', '#include "bitexact.h"', "#ifdef __cplusplus", 'extern "C" {', "#endif"]
    for word, real in [("uint32_t", "float"), ("uint64_t", "double")]:
        code += [f"static inline {real} to_{real}({word} bits) {{ {real} x; memcpy(&x, &bits, sizeof x); return x; }}",
                 f"static inline {word} from_{real}({real} x) {{ {word} bits; memcpy(&bits, &x, sizeof bits); return bits; }}"]
    count = 0
    for header in headers:
        for result, name, arguments in declarations(open(header).read()):
            formal, actual, passed, after, before = [], [], [], [], []
            fits = crossing(result) is not None and only.fullmatch(name)
            for argument in arguments:
                match = re.fullmatch(r"(\w+) (\*?)(\w+)", argument)
                made = crossing(match[1]) if match else None
                if made is None:
                    fits = False
                    break
                kind, star, parameter = match.groups()
                sv, c, into, back = made
                direction = {"": "input", "*": "inout" if parameter == "flags" else "output"}[star]
                formal.append(f"{direction} {sv} {parameter}")
                actual.append(f"{c} {star}{parameter}")
                if star and parameter != "flags":
                    before.append(f"{kind} own_{parameter};")
                    passed.append(f"&own_{parameter}")
                    after.append(f"*{parameter} = {back.format('own_' + parameter)};")
                else:
                    passed.append(parameter if star else into.format(parameter))
            if not fits:
                continue
            sv, c, _, back = crossing(result)
            dpi = name.replace("bitexact_", "bitexact_dpi_", 1)
            package.append(f'    import "DPI-C" {dpi} = function {sv} {name}({", ".join(formal)});')
            code += [f"{c} {dpi}({', '.join(actual) or 'void'});",
                     f"{c} {dpi}({', '.join(actual) or 'void'}) {{ {' '.join(before)} {result} own = {name}({', '.join(passed)}); "
                     f"{' '.join(after)} return {back.format('own')}; }}"]
            count += 1
    package.append("endpackage")
    code += ["#ifdef __cplusplus", "}", "#endif"]
    open(f"{folder}/bitexact_pkg.sv", "w").write("\n".join(package) + "\n")
    open(f"{folder}/bitexact_dpi.c", "w").write("\n".join(code) + "\n")
    print(f"{count} functions")


main()
