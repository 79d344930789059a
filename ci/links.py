#!/usr/bin/env python3
"""Checks the links in the repository's Markdown, offline.

A relative link must name a file, and its anchor a heading of that file. So must a link to this repository's own pages. A page
of a published crate has absolute links only, and a chapter of the book links to no file outside the book, since neither
would work where the page is read. Other absolute links are not checked. First, every rule must find a planted dead link.
"""

import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOOK = ROOT / "docs/src"
PAGES = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]

LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)=\"([^\"]+)\"", re.M)
INCLUDE = re.compile(r"\{\{#(?:include|rustdoc_include)\s+([^}:\s]+)")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.M | re.S)


def anchors(text):
    """The anchors of a page's headings, as GitHub and mdBook make them."""
    found = {}
    for heading in re.findall(r"^#+\s+(.*?)\s*#*$", FENCE.sub("", text), re.M):
        heading = re.sub(r"\]\([^)]*\)", "]", heading).lower()
        name = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading))
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return set(found)


def published(page):
    """The page is the README of a crate that can be published."""
    manifest = page.parent / "Cargo.toml"
    if page.parent == ROOT or page.name != "README.md" or not manifest.exists():
        return False
    return tomllib.loads(manifest.read_text())["package"].get("publish", True) is not False


def dead_links(page, text):
    """What is wrong with the links of `text`, were it the page's."""
    prose = FENCE.sub("", text)
    for include in INCLUDE.findall(prose):
        included = page.parent / include
        if not included.is_file():
            yield f"{include} does not exist"
        else:
            yield from dead_links(page, included.read_text())
    prose = re.sub(r"(`+).*?\1", "", prose)
    for groups in LINK.findall(prose):
        link = next(filter(None, groups))
        path, _, anchor = link.partition("#")
        own = re.match(re.escape(PAGES) + r"/(?:blob|tree)/main/(.*)", path)
        if own:
            target = ROOT / own[1]
        elif re.match(r"[a-z]+:", path):
            continue
        else:
            target = (page.parent / path).resolve() if path else page
            if published(page) and path:
                yield f"{link} is relative, on a page that is read outside of the repository"
            elif page.is_relative_to(BOOK) and not target.is_relative_to(BOOK):
                yield f"{link} leaves the book"
        if not target.exists():
            yield f"{link} does not exist"
        elif anchor and target.suffix == ".md" and anchor not in anchors(text if target == page else target.read_text()):
            yield f"{link} names no heading"


PLANTED = {
    "README.md": "[a](no-such-file.md) [b](POLICIES.md#no-such-heading) [c](#no-such-heading)\n\n[d]: no-such-file.md\n"
    f"[e]({PAGES}/blob/main/no-such-file.md) [f]({PAGES}/blob/main/POLICIES.md#no-such-heading)\n",
    "docs/src/introduction.md": "[a](no-such-chapter.md) [b](../../README.md)\n\n{{#include ../../no-such-file.md}}\n",
    "kernels/README.md": "[a](../README.md)\n",
}


def main():
    for name, text in PLANTED.items():
        planted = len(LINK.findall(text)) + len(INCLUDE.findall(text))
        found = len(list(dead_links(ROOT / name, text)))
        if found != planted:
            sys.exit(f"of {planted} dead links planted in {name} only {found} were found")
    list_files = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "*.md"]
    names = subprocess.run(list_files, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    pages = [page for page in (ROOT / name for name in names) if page.exists()]
    wrong = [f"{page.relative_to(ROOT)}: {what}" for page in pages for what in dead_links(page, page.read_text())]
    listed = (BOOK / "SUMMARY.md").read_text()
    wrong += [f"SUMMARY.md does not list {page.name}" for page in pages
              if page.parent == BOOK and page.name != "SUMMARY.md" and f"({page.name})" not in listed]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(pages)} pages: no dead link")


main()
