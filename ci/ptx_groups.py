#!/usr/bin/env python3
"""Splits a PTX module by the first word of its entries' names: ci/ptx_groups.py MODULE.ptx FOLDER

Each FOLDER/WORD.ptx has the entries of that word, and the functions and tables that they use. A program then loads only
what it calls. Fails unless every entry is in exactly one of them.
"""

import re
import sys
from pathlib import Path

NAME = re.compile(r"[A-Za-z_$][\w$]*")
DECLARED = re.compile(r"^\.(?:visible |weak )?(?:\.?entry|func|global|extern)\b")


def items(lines: list[str]) -> tuple[list[str], list[tuple[str, str, str]]]:
    """The lines before the first item; then of each item its kind, its name and its text."""
    header: list[str] = []
    found: list[tuple[str, str, str]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not DECLARED.match(line):
            # Between items there are comments.
            if not found and line.strip() and not line.lstrip().startswith("//"):
                header.append(line)
            at += 1
            continue
        start = at
        one_line = line.startswith((".global", ".extern"))
        while not one_line and not re.match(r"^(\}|;|\.noreturn;)", lines[at]):
            at += 1
        at += 1
        text = "".join(lines[start:at])
        if one_line:
            kind, name = "data", re.search(r"([\w$]+)\[", line)[1]
        elif ".entry" in line:
            kind, name = "entry", re.search(r"\.entry ([\w$]+)", line)[1]
        else:
            kind = "declaration" if lines[at - 1].startswith((";", ".noreturn")) else "function"
            # A result comes before the name.
            name = re.search(r"^\.func\s+(?:\([^)]*\)\s*)?([\w$]+)", text)[1]
        found.append((kind, name, text))
    return header, found


def main() -> None:
    source, to = Path(sys.argv[1]), Path(sys.argv[2])
    header, found = items(source.read_text().splitlines(keepends=True))
    names = {name for _, name, _ in found}
    uses: dict[str, set[str]] = {}
    for _, name, text in found:
        code = re.sub(r"//.*", "", text)
        uses.setdefault(name, set()).update(names.intersection(NAME.findall(code)))
    groups: dict[str, set[str]] = {}
    for kind, name, _ in found:
        if kind == "entry":
            groups.setdefault(name.split("_")[0], set()).add(name)
    to.mkdir(parents=True, exist_ok=True)
    written = 0
    for group, entries in groups.items():
        needed, new = set(entries), set(entries)
        while new:
            new = set().union(*(uses[name] for name in new)) - needed
            needed |= new
        text = "".join(header) + "".join(text for _, name, text in found if name in needed)
        written += len(re.findall(r"^\.visible \.entry ", text, re.M))
        (to / f"{group}.ptx").write_text(text)
    every = source.read_text().count("\n.visible .entry ")
    if written != every or not every:
        sys.exit(f"{every} entries, of which {written} came out")
    print(f"{every} entries in {len(groups)} groups")


if __name__ == "__main__":
    main()
