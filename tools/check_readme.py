#!/usr/bin/env python3
"""Checks that README.md's first program is examples/00_first_program/main.cc, which is built and run as a test. Usage: check_readme.py [ROOT]"""
import difflib
import os
import re
import sys

PROGRAM = "examples/00_first_program/main.cc"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        shown = re.search(r"```cpp\n(.*?)```", file.read(), re.DOTALL)
    with open(os.path.join(root, PROGRAM), encoding="utf-8") as file:
        program = file.read()
    if shown is None:
        sys.exit("README.md has no ```cpp block")
    if shown.group(1) != program:
        sys.stdout.writelines(difflib.unified_diff(program.splitlines(True), shown.group(1).splitlines(True), PROGRAM, "README.md"))
        sys.exit(f"README.md's first program is not {PROGRAM}")
    print("readme: fine")


if __name__ == "__main__":
    main()
