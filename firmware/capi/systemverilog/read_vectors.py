#!/usr/bin/env python3
"""Reads a pack of `sweep vectors` in both of its forms with NumPy, as read_vectors.c does: read_vectors.py FOLDER
[MEMBER]. Without a member it compares all of the pack's files with their digests and with each other."""

import hashlib
import json
import pathlib
import sys

import numpy as np


def numbers(array):
    """A record's numbers side by side, as in a line of text."""
    columns = [array[name].reshape(len(array), -1).astype(np.uint64) for name in array.dtype.names]
    return np.concatenate(columns, axis=1)


def main():
    folder = pathlib.Path(sys.argv[1])
    manifest = json.loads((folder / "manifest.json").read_text())
    archive = folder / manifest["arrays"]["file"]
    if hashlib.sha256(archive.read_bytes()).hexdigest() != manifest["arrays"]["sha256"]:
        sys.exit(f"{archive}: another digest")
    arrays = np.load(archive)
    vectors = 0
    for cell in manifest["cells"]:
        file = folder / cell["file"]
        if len(sys.argv) > 2 and file.stem != sys.argv[2]:
            continue
        text = file.read_bytes()
        if hashlib.sha256(text).hexdigest() != cell["sha256"]:
            sys.exit(f"{file}: another digest")
        lines = np.array([[int(field, 16) for field in line.split()] for line in text.split(b"\n") if line], np.uint64)
        binary = numbers(arrays[file.stem])
        if len(lines) != cell["vectors"] or not np.array_equal(lines, binary):
            sys.exit(f"{file}: the forms differ")
        vectors += len(lines)
        if len(sys.argv) > 2:
            print(f"{len(lines)} vectors, sum {int(binary.sum()):016X}")
    if len(sys.argv) == 2:
        print(f"{manifest['pack']} version {manifest['version']}: {vectors} vectors, both forms equal")


main()
