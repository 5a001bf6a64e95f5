#!/usr/bin/env python3
"""Checks that the C++ in a guide chapter stands in the program that it names, which is built and run as a test.

A chapter names it in a comment: <!-- program: examples/03_programming_model/main.cc -->. Every ```cpp block of the chapter must occur in
that program, whatever its spaces and line breaks. Usage: check_guide.py [ROOT]"""
import glob
import os
import re
import sys
import textwrap


def words(text):
    return " ".join(text.split())


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    checked = 0
    for chapter in sorted(glob.glob(os.path.join(root, "docs", "guide", "*.md"))):
        with open(chapter, encoding="utf-8") as file:
            text = file.read()
        program_name = re.search(r"<!-- program: (\S+) -->", text)
        if program_name is None:
            continue
        with open(os.path.join(root, program_name.group(1)), encoding="utf-8") as file:
            program = words(file.read())
        for block in re.findall(r"```cpp\n(.*?)```", text, re.DOTALL):
            checked += 1
            if words(block) not in program:
                sys.exit(f"{os.path.basename(chapter)}: this is not in {program_name.group(1)}:\n{textwrap.indent(block, '  ')}")
    if checked == 0:
        sys.exit("no chapter names a program")
    print(f"guide: {checked} programs, fine")


if __name__ == "__main__":
    main()
