#!/usr/bin/env python3
"""Checks that the C++ in a guide chapter stands in the program that it names, which is built and run as a test, and that cornu/cornu.h
includes every header of Cornu that an example includes, and that the guide includes or names in backticks. Also that each path of the tree
that docs/dev/architecture.md names in backticks exists.

Lines of code have at most 100 columns, which fit the site's page on a screen of 1,280 pixels.

A chapter names it in a comment: <!-- program: examples/03_programming_model/main.cc -->. Every ```cpp block of the chapter must occur in
that program, whatever its spaces and line breaks. Usage: check_guide.py [ROOT]"""
import glob
import os
import re
import sys
import textwrap


def words(text):
    return "".join(text.split())


INCLUDE = re.compile(r'^\s*#include "(cornu/[^"]+)"', re.MULTILINE)
NAMED = re.compile(r'`(?:#include )?"?(cornu/[\w/]+\.h)"?`')  # in Markdown
ENTRY = "cornu/cornu.h"
ARCHITECTURE = "docs/dev/architecture.md"
MOST_COLUMNS = 100
PATH = re.compile(r"`((?:cornu|cli|tools|docs|tests|examples|benchmarks)/[\w./-]+)`")  # in Markdown
GENERATED = {"cornu/version.h", "cornu/keras/layers/layers.h", "cornu/ops/all.h"}  # by CMake


def headers_behind(root, header, seen):
    """The headers that `header` includes, itself among them, as far as they stand in the tree; those that CMake writes do not."""
    path = os.path.join(root, header)
    if header in seen or not os.path.exists(path):
        return seen
    seen.add(header)
    with open(path, encoding="utf-8") as file:
        for included in INCLUDE.findall(file.read()):
            headers_behind(root, included, seen)
    return seen


def check_entry(root):
    """How many headers the guide and the examples show; ends where one is not there, or not behind cornu/cornu.h."""
    shown = {}
    for pattern in ("docs/guide/*.md", "README.md", "examples/**/*.h", "examples/**/*.cc"):
        for path in glob.glob(os.path.join(root, pattern), recursive=True):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for header in INCLUDE.findall(text) + (NAMED.findall(text) if path.endswith(".md") else []):
                shown.setdefault(header, os.path.relpath(path, root))
    behind = headers_behind(root, ENTRY, set())
    for header, place in sorted(shown.items()):
        if header in behind or header in GENERATED:
            continue
        if not os.path.exists(os.path.join(root, header)):
            sys.exit(f"{place} shows {header}, which is not there")
        sys.exit(f"{place} shows {header}, which {ENTRY} does not include")
    return len(shown)


def missing_paths(root, page):
    """The paths of the tree that a page names in backticks and that do not exist."""
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return [path for path in PATH.findall(file.read()) if not os.path.exists(os.path.join(root, path))]


def long_lines(text):
    """(number, columns) of the lines of code that a page of the site would break."""
    found = []
    for block in re.finditer(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        first = text.count("\n", 0, block.start(1)) + 1
        lines = textwrap.dedent(block.group(1)).split("\n")
        found += [(first + i, len(line)) for i, line in enumerate(lines) if len(line) > MOST_COLUMNS]
    return found


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    checked = 0
    for chapter in sorted(glob.glob(os.path.join(root, "docs", "guide", "*.md"))):
        with open(chapter, encoding="utf-8") as file:
            text = file.read()
        for number, columns in long_lines(text):
            sys.exit(f"{os.path.relpath(chapter, root)}:{number}: a line of code has {columns} columns; break it at {MOST_COLUMNS}")
        program_name = re.search(r"<!-- program: (\S+) -->", text)
        if program_name is None:
            continue
        with open(os.path.join(root, program_name.group(1)), encoding="utf-8") as file:
            program = words(file.read())
        for block in re.findall(r"```cpp\n(.*?)```", text, re.DOTALL):
            checked += 1
            if words(block) not in program:
                sys.exit(f"{os.path.basename(chapter)}: this is not in {program_name.group(1)}:\n{textwrap.indent(block, '  ')}")
    if missing := missing_paths(root, ARCHITECTURE):
        sys.exit(f"{ARCHITECTURE} names paths that do not exist: {', '.join(missing)}")
    if checked == 0:
        sys.exit("no chapter names a program")
    print(f"guide: {checked} programs, {check_entry(root)} headers, fine")


if __name__ == "__main__":
    main()
