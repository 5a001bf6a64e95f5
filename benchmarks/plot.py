#!/usr/bin/env python3
"""plot.py FIGURES.json FOLDER: what compare.py --json wrote as two plots, FOLDER/speed.svg (times the best peer's speed) and FOLDER/floor.svg
(share of what the machine allows). Needs matplotlib (Debian: python3-matplotlib, for /usr/bin/python3)."""
import json
import os
import sys

import report

GOAL = 1.5
OWN, OTHER = "#b5332e", "#9aa5b1"


def bars(path, names, values, labels, title, line=None, limit=None):
    try:
        import matplotlib
    except ImportError:
        sys.exit("the plots need matplotlib (Debian: python3-matplotlib, for /usr/bin/python3); the figures themselves are in the JSON file")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cornu"
    from matplotlib import pyplot
    figure, axis = pyplot.subplots(figsize=(7, 0.8 + 0.32 * len(names)))
    shown = [min(value, limit) if limit else value for value in values]
    reached = [line is None or value >= line for value in values]
    axis.barh(range(len(names)), shown, color=[OWN if good else OTHER for good in reached])
    for row, (length, label) in enumerate(zip(shown, labels)):
        axis.text(max(length, line or 0), row, "  " + label, va="center", fontsize=8)
    if line is not None:
        axis.axvline(line, color="black", linewidth=1, linestyle="--")
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.set_xlim(0, max([*shown, line or 0]) * 2)
    axis.invert_yaxis()
    axis.set_title(title, fontsize=9, loc="left")
    axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def name_of(key, keys):
    workload, spe = key
    return f"{workload}, K = {spe}" if sum(other[0] == workload for other in keys) > 1 else workload


def draw(entries, limits, folder):
    pairs = {key: pair for key, pair in report.by_pair(entries).items() if "summary" in pair.get("cornu", {})}
    os.makedirs(folder, exist_ok=True)
    speed, floor = [], []
    for key, pair in pairs.items():
        own = pair["cornu"]["summary"]["ms_min"]
        best = report.best_peer(pair)
        if best is not None:
            speed.append((name_of(key, pairs), best[1] / own, f"{best[1] / own:.2f} ({best[0]} {report.number(best[1])} ms, Cornu {report.number(own)})"))
        bound = report.floor_ms(pair, report.machine_limits(limits))
        if bound is not None:
            floor.append((name_of(key, pairs), 100 * bound[0] / own, f"{100 * bound[0] / own:.0f} % ({bound[1]})"))
    if speed:
        bars(os.path.join(folder, "speed.svg"), *zip(*speed), f"Speed: times the best peer's, best runs (dashed and red: {GOAL}; bars end at 5)", line=GOAL, limit=5)
    if floor:
        bars(os.path.join(folder, "floor.svg"), *zip(*floor), "Share of the floor, in percent: the step at the machine's own limits over Cornu's time", limit=150)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as figures:
        saved = json.load(figures)
    draw(saved["entries"], saved["limits"], sys.argv[2])
