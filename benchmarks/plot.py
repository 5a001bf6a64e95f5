#!/usr/bin/env python3
"""plot.py FIGURES.json PLOT.svg: time of a training step beside the peers, from what compare.py --json wrote. Needs matplotlib."""
import json
import sys


def draw(entries, path):
    """One panel a workload and steps per execution; bars are the best run, logarithmic, with the ratio to Cornu written at the end."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("the plot needs matplotlib (Debian: python3-matplotlib); the figures themselves are in the JSON file")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cornu"
    from matplotlib import pyplot
    panels = {}
    for entry in entries:
        panels.setdefault((entry["workload"], entry["spe"]), {})[entry["who"]] = entry["summary"]["ms_min"]
    figure, axes = pyplot.subplots(len(panels), 1, figsize=(7, 0.5 + sum(0.35 * len(bars) + 0.7 for bars in panels.values())), squeeze=False,
                                   gridspec_kw={"height_ratios": [len(bars) + 1 for bars in panels.values()]})
    for axis, ((workload, spe), bars) in zip(axes[:, 0], panels.items()):
        names = sorted(bars, key=bars.get)
        axis.barh(names, [bars[name] for name in names], color=["#b5332e" if name == "cornu" else "#9aa5b1" for name in names])
        for name in names:
            axis.text(bars[name], name, f"  {bars[name]:.4g} ms ({bars[name] / bars['cornu']:.3g} x)", va="center", fontsize=8)
        axis.set_xscale("log")
        axis.set_xlim(left=min(bars.values()) / 3, right=max(bars.values()) * 10)
        axis.invert_yaxis()
        axis.set_title(f"{workload}, {spe} step{'s' if spe > 1 else ''} an execution", fontsize=9, loc="left")
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1, 0].set_xlabel("milliseconds a training step, best run (shorter is better)")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2])
