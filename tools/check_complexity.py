#!/usr/bin/env python3
"""Checks that functions are simple: a cyclomatic complexity of at most 20.

The complexity is 1 and the number of branches in the body: if, for, while, catch, case, ?, && and ||. Lambdas belong to the function
around them. For 99.8 % of our functions it is the number that lizard 1.24 prints; lizard also counts the && of T&& and #if.

tools/complexity_baseline.txt holds the functions that were above the limit when the check began, with their complexity. A new one, or a higher
number, is an error. So is a lower one until the baseline is lowered, so that it never rises again.

Usage: check_complexity.py [ROOT] [--all | --lower]
  --all    prints every function above the limit, the most complex first
  --lower  writes today's numbers into the baseline where they are lower, and removes functions that are within the limit
Prints file:line: message for each breach; exits 1 if there is one.
"""
import collections
import os
import re
import sys

from check_functions import bodies, closing_braces, without_text
from check_layers import find_sources

MAX_COMPLEXITY = 20
BASELINE = "tools/complexity_baseline.txt"
BASELINE_HEAD = ("# Functions above the limit of tools/check_complexity.py, as file:function: complexity. The list only shrinks:\n"
                 "# tools/check_complexity.py --lower writes it.\n")

BRANCH = re.compile(r"\b(?:if|for|while|catch|case)\b|(?<![\w>])&&|\|\||\?")  # clang-format puts a space before the operator, not before T&&


def complexities(text):
    """(line, name, complexity) of every function that the text defines."""
    code = without_text(text)
    closes = closing_braces(code)
    return [(code.count("\n", 0, first) + 1, name, 1 + len(BRANCH.findall(code, brace, closes[brace])))
            for first, name, brace in bodies(code, closes)]


def offenders(root):
    """{"file:function": [(complexity, line), ...]} of the functions above the limit, the most complex of a name first."""
    found = collections.defaultdict(list)
    for path in find_sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for line, name, complexity in complexities(file.read()):
                if complexity > MAX_COMPLEXITY:
                    found[f"{path}:{name}"].append((complexity, line))
    return {key: sorted(rows, reverse=True) for key, rows in found.items()}


def read_baseline(root):
    """{"file:function": [complexity, ...]}, the highest of a name first; a tree without the file allows none."""
    allowed = collections.defaultdict(list)
    path = os.path.join(root, BASELINE)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    key, complexity = line.rsplit(":", 1)
                    allowed[key].append(int(complexity))
    return {key: sorted(numbers, reverse=True) for key, numbers in allowed.items()}


def compare(found, allowed):
    """The messages about functions that are more or less complex than the baseline allows."""
    errors = []
    for key in sorted({*found, *allowed}):
        path, name = key.rsplit(":", 1)
        rows, limits = found.get(key, []), allowed.get(key, [])
        for index, (complexity, line) in enumerate(rows):
            limit = limits[index] if index < len(limits) else MAX_COMPLEXITY
            if complexity > limit:
                errors.append(f"{path}:{line}: {name} has a complexity of {complexity}; split it (at most {limit})")
        if lowered_numbers(rows, limits) != limits:
            errors.append(f"{path}: {name} is simpler than {BASELINE} says; run tools/check_complexity.py --lower")
    return errors


def lowered_numbers(rows, limits):
    return [min(complexity, limit) for (complexity, _), limit in zip(rows, limits)]


def lowered(found, allowed):
    """The text of the baseline with today's numbers where they are lower."""
    lines = [f"{key}: {number}\n" for key in sorted(allowed) for number in lowered_numbers(found.get(key, []), allowed[key])]
    return BASELINE_HEAD + "".join(lines)


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    found, allowed = offenders(root), read_baseline(root)
    if "--all" in sys.argv:
        for complexity, line, key in sorted(((*row, key) for key, rows in found.items() for row in rows), reverse=True):
            path, name = key.rsplit(":", 1)
            print(f"{complexity:3} {path}:{line}: {name}")
        return
    if "--lower" in sys.argv:
        with open(os.path.join(root, BASELINE), "w", encoding="utf-8") as file:
            file.write(lowered(found, allowed))
        allowed = read_baseline(root)
    errors = compare(found, allowed)
    for error in errors:
        print(error)
    if errors:
        sys.exit(f"complexity: {len(errors)} findings (tools/check_complexity.py)")
    print("complexity: fine")


if __name__ == "__main__":
    main()
