#!/usr/bin/env python3
"""Writes docs/adr/README.md: the decisions by subject, from the lines "# NNNN. Title", "* Status: ..." and "* Subject: ..." of each one.

Usage: adr_index.py [ROOT] [--check]. With --check nothing is written; exits 1 if the page differs from what would be written.
"""
import glob
import os
import re
import sys

PAGE = "docs/adr/README.md"
SUBJECTS = ("Graphs, ops and gradients", "CPU engine", "Library, errors and end of the process", "Keras interface", "Training", "Data sets", "Files",
            "Devices and plug-ins", "Remote workers", "Strategies and processes", "Profiles, studies and predictions",
            "Build, tests and documentation")
HEAD = """# Decisions

Each page records one decision: the question, the answer, the alternatives, and the consequences. Write one, from
[0000-template.md](0000-template.md), when a change would surprise the next reader. The numbers are in the order of time; some numbers were
never used. `tools/adr_index.py` writes this page.
"""
TITLE = re.compile(r"^# (\d{4})\. (.+)$", re.MULTILINE)
SUBJECT = re.compile(r"^\* Subject: (.+)$", re.MULTILINE)
SUPERSEDED = re.compile(r"^\* Status: superseded by \[(\d{4})\]", re.MULTILINE)


def index(root):
    """(text of the page, errors in the decisions)"""
    by_subject = {subject: [] for subject in SUBJECTS}
    errors = []
    for path in sorted(glob.glob(os.path.join(root, "docs", "adr", "[0-9]*.md"))):
        name = os.path.basename(path)
        if name.startswith("0000"):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        title, subject, superseded = TITLE.search(text), SUBJECT.search(text), SUPERSEDED.search(text)
        if title is None or title.group(1) != name[:4]:
            errors.append(f'docs/adr/{name}: begin with "# {name[:4]}. Title"')
        elif subject is None or subject.group(1) not in by_subject:
            errors.append(f'docs/adr/{name}: write "* Subject: ..." below the date, with one of: {"; ".join(SUBJECTS)}')
        else:
            note = f" (superseded by {superseded.group(1)})" if superseded else ""
            by_subject[subject.group(1)].append(f"* [{title.group(1)}. {title.group(2)}]({name}){note}\n")
    sections = (f"\n## {subject}\n\n" + "".join(lines) for subject, lines in by_subject.items() if lines)
    return HEAD + "".join(sections), errors


def main():
    roots = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = roots[0] if roots else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    text, errors = index(root)
    if errors:
        sys.exit("\n".join(errors))
    page = os.path.join(root, PAGE)
    if "--check" not in sys.argv:
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)
        return
    if not os.path.exists(page) or open(page, encoding="utf-8").read() != text:
        sys.exit(f"{PAGE} is not what the decisions say; run tools/adr_index.py")
    print("decisions: fine")


if __name__ == "__main__":
    main()
