#!/usr/bin/env python3
"""The public items of a crate, one sorted line each, from rustdoc's JSON (the argument)."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    DOC = json.load(file)
INDEX = DOC["index"]


def item(number):
    return INDEX.get(str(number))


def last(path):
    return path.rsplit("::", 1)[-1]


def arguments(args):
    """Of a generic type: `<A, B>`."""
    if not args:
        return ""
    ((kind, args),) = args.items()
    if kind == "parenthesized":
        output = f" -> {typed(args['output'])}" if args["output"] else ""
        return f"({', '.join(map(typed, args['inputs']))}){output}"
    parts = []
    for arg in args["args"]:
        ((kind, value),) = arg.items()
        parts.append({"lifetime": str, "type": typed, "const": lambda c: c["expr"]}[kind](value))
    for constraint in args["constraints"]:
        ((kind, value),) = constraint["binding"].items()
        if kind == "equality":
            parts.append(f"{constraint['name']} = {typed(value['type'])}")
        else:
            parts.append(f"{constraint['name']}: {bounds(value)}")
    return f"<{', '.join(parts)}>" if parts else ""


def path(of):
    return last(of["path"]) + arguments(of["args"])


def typed(of):
    ((kind, of),) = of.items()
    match kind:
        case "resolved_path":
            return path(of)
        case "generic" | "primitive":
            return of
        case "borrowed_ref":
            lifetime = f"{of['lifetime']} " if of["lifetime"] else ""
            return f"&{lifetime}{'mut ' if of['is_mutable'] else ''}{typed(of['type'])}"
        case "slice":
            return f"[{typed(of)}]"
        case "array":
            return f"[{typed(of['type'])}; {of['len']}]"
        case "tuple":
            return f"({', '.join(map(typed, of))}{',' if len(of) == 1 else ''})"
        case "function_pointer":
            inputs = ", ".join(typed(type_) for _, type_ in of["sig"]["inputs"])
            output = f" -> {typed(of['sig']['output'])}" if of["sig"]["output"] else ""
            return f"fn({inputs}){output}"
        case "impl_trait":
            return f"impl {bounds(of)}"
        case "qualified_path":
            trait = f" as {path(of['trait'])}" if of["trait"] and of["trait"]["path"] else ""
            return f"<{typed(of['self_type'])}{trait}>::{of['name']}"
    raise SystemExit(f"a type that this script does not know: {kind}")


def bounds(of):
    parts = []
    for bound in of:
        ((kind, value),) = bound.items()
        if kind == "trait_bound":
            mark = "?" if value["modifier"] == "maybe" else ""
            parts.append(mark + path(value["trait"]))
        elif kind == "outlives":
            parts.append(value)
        else:
            raise SystemExit(f"a bound that this script does not know: {kind}")
    return " + ".join(parts)


def parameters(generics):
    """`<A: Bound>` and the `where` behind it."""
    parts = []
    for parameter in generics["params"]:
        ((kind, value),) = parameter["kind"].items()
        if kind == "const":
            parts.append(f"const {parameter['name']}: {typed(value['type'])}")
        elif kind == "lifetime":
            parts.append(parameter["name"])
        elif not value["is_synthetic"]:
            bound = bounds(value["bounds"])
            parts.append(parameter["name"] + (f": {bound}" if bound else ""))
    where = []
    for predicate in generics["where_predicates"]:
        ((kind, value),) = predicate.items()
        if kind != "bound_predicate":
            raise SystemExit(f"a predicate that this script does not know: {kind}")
        where.append(f"{typed(value['type'])}: {bounds(value['bounds'])}")
    return f"<{', '.join(parts)}>" if parts else "", f" where {', '.join(where)}" if where else ""


def function(name, of):
    before, after = parameters(of["generics"])
    # An argument's name is not part of the interface.
    inputs = ", ".join("self: " + typed(ty) if n == "self" else typed(ty) for n, ty in of["sig"]["inputs"])
    output = f" -> {typed(of['sig']['output'])}" if of["sig"]["output"] else ""
    return f"{'const ' if of['header']['is_const'] else ''}fn {name}{before}({inputs}){output}{after}"


def members(name, numbers, lines):
    """What an impl or a trait has in it."""
    for number in numbers:
        member = item(number)
        ((kind, of),) = member["inner"].items()
        inside = f"{name}::{member['name']}"
        if kind == "function":
            provided = " { .. }" if member["visibility"] == "default" and of["has_body"] else ""
            lines.add(function(inside, of) + provided)
        elif kind == "assoc_const":
            lines.add(f"const {inside}: {typed(of['type'])}")
        elif kind == "assoc_type":
            lines.add(f"type {inside}" + (f": {bounds(of['bounds'])}" if of["bounds"] else ""))


def implementations(name, numbers, lines):
    for number in numbers:
        block = item(number)
        if block is None:
            continue
        of = block["inner"]["impl"]
        if of["trait"] is None:
            members(name, of["items"], lines)
        elif of["blanket_impl"] is None and not of["is_synthetic"] and last(of["trait"]["path"]) != "StructuralPartialEq":
            before, after = parameters(of["generics"])
            negative = "!" if of["is_negative"] else ""
            lines.add(f"impl{before} {negative}{path(of['trait'])} for {typed(of['for'])}{after}")


def fields(name, numbers, lines):
    for number in numbers:
        field = item(number) if number is not None else None
        if field is not None:
            lines.add(f"field {name}.{field['name']}: {typed(field['inner']['struct_field'])}")


def closed(found, stripped=False):
    """What no caller can write down in full, so that more in it breaks none."""
    return " { .. }" if stripped or "non_exhaustive" in found["attrs"] else ""


def public(number, name, lines):
    """An item that can be named as `name`, with what can be reached through it."""
    found = item(number)
    if found is None:
        of = DOC["paths"].get(str(number))
        lines.add(f"use {name} = {'::'.join(of['path']) if of else '?'}")
        return
    ((kind, of),) = found["inner"].items()
    if kind == "module":
        inside(of, name, lines)
    elif kind == "function":
        lines.add(function(name, of))
    elif kind == "struct":
        before, after = parameters(of["generics"])
        ((shape, held),) = of["kind"].items() if isinstance(of["kind"], dict) else (("unit", None),)
        stripped = shape == "plain" and held["has_stripped_fields"]
        lines.add(f"struct {name}{before}{closed(found, stripped)}{after}")
        fields(name, held["fields"] if shape == "plain" else held or [], lines)
        implementations(name, of["impls"], lines)
    elif kind == "enum":
        before, after = parameters(of["generics"])
        lines.add(f"enum {name}{before}{closed(found)}{after}")
        for variant in map(item, of["variants"]):
            inside_name = f"{name}::{variant['name']}"
            shape = variant["inner"]["variant"]["kind"]
            lines.add(f"variant {inside_name}")
            if isinstance(shape, dict):
                held = shape.get("tuple") or shape.get("struct", {}).get("fields", [])
                fields(inside_name, held, lines)
        implementations(name, of["impls"], lines)
    elif kind == "trait":
        before, after = parameters(of["generics"])
        above = f": {bounds(of['bounds'])}" if of["bounds"] else ""
        lines.add(f"trait {name}{before}{above}{after}")
        members(name, of["items"], lines)
        # The implementation of a local trait for a foreign type is listed only here.
        implementations(name, of["implementations"], lines)
    elif kind == "constant":
        lines.add(f"const {name}: {typed(of['type'])}")
    elif kind == "type_alias":
        before, after = parameters(of["generics"])
        lines.add(f"type {name}{before} = {typed(of['type'])}{after}")
    elif kind == "macro":
        lines.add(f"macro {name}!")
    elif kind == "use":
        imported(of, name.rsplit("::", 1)[0], lines)
    else:
        raise SystemExit(f"an item that this script does not know: {kind} {name}")


def imported(of, name, lines):
    target = item(of["id"]) if of["id"] is not None else None
    if not of["is_glob"]:
        public(of["id"], f"{name}::{of['name']}", lines)
    elif target is not None and "module" in target["inner"]:
        inside(target["inner"]["module"], name, lines)
    else:
        lines.add(f"use {name} = {of['source']}::*")


def inside(module, name, lines):
    for number in module["items"]:
        found = item(number)
        if found is None or found["visibility"] != "public":
            continue
        if "use" in found["inner"]:
            imported(found["inner"]["use"], name, lines)
        else:
            public(number, f"{name}::{found['name']}", lines)


def main():
    root = item(DOC["root"])
    lines = set()
    inside(root["inner"]["module"], root["name"], lines)
    print("\n".join(sorted(lines)))


main()
