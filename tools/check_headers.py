#!/usr/bin/env python3
"""Holds the size of the headers that programs include, which decides how long programs compile.

    python3 tools/check_headers.py [ROOT]                    fails if a header reaches more than tools/header_limits.toml allows
    python3 tools/check_headers.py [ROOT] --compiler g++     also counts preprocessed lines, with GCC only

All counts are of text, so that they are the same on every machine: Cornu's headers that are reached, the lines of code in them (without comments
and empty lines), and the standard headers that they name. Whoever needs more raises the limit in the same change, or moves code to a source file.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

LIMITS = "tools/header_limits.toml"
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ALL_LAYERS = "cornu/keras/layers/layers.h"  # written by cmake/CornuModule.cmake


def text_of(root, header):
    if header == ALL_LAYERS:
        layers = sorted((root / "cornu/keras/layers").rglob("*.h"))
        return "".join(f'#include "{path.relative_to(root)}"\n' for path in layers if not path.name.endswith("_support.h"))
    return (root / header).read_text()


def reached_from(root, header):
    """The texts of Cornu's headers that `header` reaches, by name, and the names of standard headers, each with a header that names it."""
    texts, standard, waiting = {}, {}, [header]
    while waiting:
        name = waiting.pop()
        if name in texts:
            continue
        texts[name] = COMMENT.sub("", text_of(root, name))
        for quote, included in INCLUDE.findall(texts[name]):
            if quote == '"':
                waiting.append(included)
            else:
                standard.setdefault(included, name)
    return texts, standard


def preprocessed_lines(root, header, compiler):
    """The number of lines that the compiler reads; None unless it is GCC."""
    if b"Free Software Foundation" not in subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout:
        return None
    with tempfile.TemporaryDirectory() as folder:
        layers = pathlib.Path(folder, ALL_LAYERS)
        layers.parent.mkdir(parents=True)
        layers.write_text(text_of(root, ALL_LAYERS))
        program = pathlib.Path(folder, "program.cc")
        program.write_text(f'#include "{header}"\n')
        command = [compiler, "-std=c++20", "-E", "-P", f"-I{root}", f"-I{folder}", program]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.count("\n")


def faults_of(root, row, compiler=None):
    header = row["header"]
    texts, standard = reached_from(root, header)
    counts = {"headers": len(texts), "lines": sum(1 for text in texts.values() for line in text.splitlines() if line.strip())}
    if compiler:
        lines = preprocessed_lines(root, header, compiler)
        if lines is not None:
            counts["preprocessed_lines"] = lines
    faults = [f"{header}: reaches {count} {name}; the limit is {row[name]}" for name, count in counts.items() if count > row[name]]
    faults += [f"{header}: reaches <{name}> through {user}, which is not in its list of standard headers"
               for name, user in sorted(standard.items()) if name not in row["standard"]]
    faults += [f"{header}: reaches {name}, which is internal" for name in row["internal"] if name in texts]
    faults += [f"{header}: lists {name} as internal, which does not exist" for name in row["internal"] if not (root / name).is_file()]
    return faults, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--compiler", help="also count preprocessed lines with this compiler")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    all_faults = []
    for row in tomllib.loads((root / LIMITS).read_text())["header"]:
        faults, counts = faults_of(root, row, arguments.compiler)
        all_faults += faults
        print(f"{row['header']}: " + ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items()))
    for fault in all_faults:
        print(f"{fault}; move code to a source file, or raise the limit in {LIMITS}", file=sys.stderr)
    sys.exit(1 if all_faults else 0)


if __name__ == "__main__":
    main()
