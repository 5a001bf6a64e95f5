#!/usr/bin/env python3
"""Sums gcovr's figures of files by the folders of LAYERS. Usage: coverage_summary.py ROOT FILES_JSON"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_layers  # noqa: E402

MOST_FILES = 15


def by_folder(files, layers):
    """{folder: [lines, lines that ran]} in the order of LAYERS; a file in none of them counts for its top folder."""
    sums = {}
    for file in files:
        folder = check_layers.layer_of(file["filename"], layers) or file["filename"].split("/")[0]
        of_folder = sums.setdefault(folder, [0, 0])
        of_folder[0] += file["line_total"]
        of_folder[1] += file["line_covered"]
    order = list(layers)
    return dict(sorted(sums.items(), key=lambda item: (order.index(item[0]) if item[0] in layers else len(order), item[0])))


def percent(covered, total):
    """Rounded down: 100 only where every line ran."""
    return f"{covered * 100 // total} %" if total else "-"


def summary(files, layers):
    """The lines of the report."""
    sums = by_folder(files, layers)
    sums["all"] = [sum(column) for column in zip(*sums.values())] if sums else [0, 0]
    width = max(len(folder) for folder in sums)
    lines = [f"{'folder':{width}}  {'lines':>7}  {'run':>7}  share"]
    lines += [f"{folder:{width}}  {total:7}  {covered:7}  {percent(covered, total):>5}" for folder, (total, covered) in sums.items()]
    missed = sorted(files, key=lambda file: (file["line_covered"] - file["line_total"], file["filename"]))
    missed = [file for file in missed if file["line_covered"] < file["line_total"]][:MOST_FILES]
    if missed:
        lines += ["", "files with most lines that no test ran:"]
        lines += [f"  {file['filename']}: {file['line_total'] - file['line_covered']} of {file['line_total']}" for file in missed]
    return lines


def main():
    root, path = sys.argv[1:]
    with open(os.path.join(root, "LAYERS"), encoding="utf-8") as file:
        layers = check_layers.read_layers(file.read())
    with open(path, encoding="utf-8") as file:
        print("\n".join(summary(json.load(file)["files"], layers)))


if __name__ == "__main__":
    main()
