#!/usr/bin/env python3
"""list_classes.py ROOT OUT: writes the rows of options_test.cc to OUT, a row each public class of cornu/keras whose constructor takes options."""
import pathlib
import re
import sys

OPENED = re.compile(r"^namespace ([\w:]+(?: v0::[\w:]+)?) \{")
CONSTRUCTOR = re.compile(r"^ +explicit (\w+)\((\w+Options) options( = \{\})?\)")


def classes(header):
    namespaces = []
    for line in header.read_text().splitlines():
        if opened := OPENED.match(line):
            if opened.group(1).startswith("cornu::"):  # after forward declarations, which end without a comment
                namespaces.clear()
            namespaces.append(opened.group(1))
        elif line.startswith("}  // namespace"):
            namespaces.pop()
        elif constructor := CONSTRUCTOR.match(line):
            yield "::".join(namespaces).replace("inline v0::", ""), *constructor.groups()


def main():
    root, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows, includes = [], []
    for header in sorted((root / "cornu/keras").rglob("*.h")):
        if "testing" in header.parts or header.name.endswith(("_fixture.h", "support.h")):  # not the user's
            continue
        found = list(classes(header))
        if found:
            includes.append(f'#include "{header.relative_to(root)}"\n')
        for namespace, name, options, may_be_left_out in found:
            rows.append(f"ROW({namespace}::{name}, {namespace}::{options}, {'true' if may_be_left_out else 'false'})\n")
    if len(rows) < 100:
        sys.exit(f"list_classes.py found only {len(rows)} classes: constructors are written otherwise than it knows")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("#ifdef ROW\n" + "".join(rows) + "#else\n" + "".join(includes) + "#endif\n")


main()
