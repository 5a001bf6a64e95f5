#!/usr/bin/env python3
"""Draws speed.svg (how many times faster than the fastest peer) and floor.svg (share of the machine's limit).

    benchmarks/plot.py                       # docs/*.svg from the tables of docs/performance.md and docs/dev/performance_history.md
    benchmarks/plot.py --check               # fails if docs/*.svg are not up to date with those tables
    benchmarks/plot.py FIGURES.json FOLDER   # FOLDER/*.svg from the file that compare.py --json wrote
"""
import html
import json
import math
import os
import re
import sys

import report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIGURES, LIMITS = "docs/performance.md", "docs/dev/performance_history.md"
PEERS = {"jax": "JAX", "keras-tensorflow": "Keras", "torch": "PyTorch", "JAX": "JAX", "Keras on TensorFlow": "Keras", "PyTorch": "PyTorch"}
STEPS, RUNS = "Training steps", "Whole runs (beside Keras only)"
CONVOLUTIONS, PRODUCTS, MEMORY = "Convolutions", "Matrix products and LSTM layers", "Bound by memory traffic"
# A workload's name in the plots and the group that limits its step; None: a whole run.
NAMES = {
    "iris_mlp": ("Iris", MEMORY),
    "mnist_tpu_cnn": ("MNIST, TPU guide", CONVOLUTIONS),
    "mnist_mlp": ("MNIST dense", PRODUCTS),
    "mnist_cnn": ("MNIST CNN", CONVOLUTIONS),
    "cifar10_cnn": ("CIFAR-10 CNN", CONVOLUTIONS),
    "imdb_fasttext": ("IMDB fastText", MEMORY),
    "imdb_bilstm": ("IMDB two LSTMs", PRODUCTS),
    "lstm_textgen": ("Text LSTM", PRODUCTS),
    "cifar_2m_b32": ("CIFAR 2 M, 32", CONVOLUTIONS),
    "cifar_2m_b256": ("CIFAR 2 M, 256", CONVOLUTIONS),
    "cifar_10m_b32": ("CIFAR 10 M, 32", CONVOLUTIONS),
    "cifar_10m_b256": ("CIFAR 10 M, 256", CONVOLUTIONS),
    "iris_fit_short": ("Iris, 20 epochs", None),
    "iris_fit_long": ("Iris, one epoch", None),
    "iris_fit_auto": ("Iris, K chosen", None),
    "mnist_predict": ("MNIST, predict", None),
}
WIDTH, LEFT, RIGHT, ROW = 460, 150, 34, 20
LABEL = 110  # what the longest label takes
STYLE = ("svg{--ink:#1b1f24;--muted:#57606a;--paper:#fff;--faint:#d0d7de;--bar:#2f6690}"
         "@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--muted:#9aa5b1;--paper:#0d1117;--faint:#3d444d;--bar:#79b4e0}}"
         "text{fill:var(--ink);font:14px system-ui,sans-serif;stroke:var(--paper);stroke-width:4px;paint-order:stroke}"
         ".title{font-size:17px;font-weight:600}.group{font-weight:600}.muted{fill:var(--muted);font-size:13px}.in{fill:var(--paper);stroke:none}"
         ".paper{fill:var(--paper)}.bar{fill:var(--bar)}.grid{stroke:var(--faint)}.mark{stroke:var(--ink);stroke-dasharray:4 3}")


class Axis:
    """Positions of values from the first tick to the last, logarithmic or not. Bars begin at `base`; the line at `mark` is dashed."""

    def __init__(self, ticks, unit, logarithmic, base, mark):
        self.ticks, self.unit, self.base, self.mark = ticks, unit, base, mark
        self.scale = math.log if logarithmic else float

    def x(self, value):
        first, last = self.scale(self.ticks[0]), self.scale(self.ticks[-1])
        return LEFT + (self.scale(value) - first) / (last - first) * (WIDTH - LEFT - RIGHT)


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}">{html.escape(words, quote=False)}</text>'


def bars(title, lines, groups, axis, notes):
    """An SVG picture. `groups`: [(heading, [(name, value, label, peer)])]; `lines` are below the title, `notes` below the bars."""
    y = 26 + 19 * len(lines) + 22
    top, body = y, []
    for heading, rows in groups:
        body.append(text(8, y + 18, heading, "group"))
        y += 26
        for name, value, label, peer in rows:
            begin, end = sorted((axis.x(axis.base), axis.x(value)))
            body.append(text(LEFT - 6, y + 14, name, anchor="end"))
            body.append(f'<rect class="bar" x="{begin:.1f}" y="{y + 2}" width="{end - begin:.1f}" height="{ROW - 4}"/>')
            if end + LABEL < WIDTH:
                body.append(text(end + 5, y + 14, f"{label} {peer}".strip()))
            else:
                body.append(text(end - 5, y + 14, f"{label} {peer}".strip(), "in", "end"))
            y += ROW
    grid = []
    for tick in axis.ticks:
        x = axis.x(tick)
        grid.append(f'<line class="{"mark" if tick == axis.mark else "grid"}" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{y + 4}"/>')
        for at in (top - 5, y + 19):
            grid.append(text(x, at, f"{tick:,g}{axis.unit}", "muted", "middle"))
    y += 42
    foot = [text(8, y + 18 * i, note, "muted") for i, note in enumerate(notes)]
    height = y + 18 * len(notes)
    head = [text(8, 22, title, "title"), *(text(8, 43 + 19 * i, line) for i, line in enumerate(lines))]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img">',
                      f"<title>{html.escape(title, quote=False)}</title><style>{STYLE}</style>",
                      f'<rect class="paper" width="{WIDTH}" height="{height}"/>', *head, *grid, *body, *foot, "</svg>", ""])


def name_of(workload, spe):
    name = NAMES.get(workload, (workload, None))[0]
    return f"{name}, K={spe}" if int(spe) > 1 else name


def times(value):
    return f"{value:,.0f}×" if value >= 100 else f"{value:.0f}×" if value >= 10 else f"{value:.1f}×"


def speed_plot(rows):
    """`rows`: [(workload, K, Cornu's ms, {peer: ms})]; None if no row has a peer."""
    groups = {STEPS: [], RUNS: []}
    for workload, spe, own, peers in rows:
        if peers:
            best, who = min((ms, who) for who, ms in peers.items())
            group = RUNS if NAMES.get(workload, ("", STEPS))[1] is None else STEPS
            groups[group].append((name_of(workload, spe), best / own, times(best / own), who))
    groups = [(heading, sorted(found, key=lambda row: -row[1])) for heading, found in groups.items() if found]
    if not groups:
        return None
    ratios = [row[1] for _, found in groups for row in found]
    powers = range(math.floor(math.log10(min(1, *ratios))), math.ceil(math.log10(max(10, *ratios))) + 1)
    axis = Axis([10.0 ** power for power in powers], "×", logarithmic=True, base=1, mark=1)
    return bars("Times faster than the fastest peer",
                ["A longer bar: Cornu is faster; 1× is equal speed.", "The axis is logarithmic. Beside each bar: the fastest",
                 "of JAX, Keras on TensorFlow and PyTorch."], groups, axis,
                ["K: training steps in one call, 1 where none is given.", "CIFAR 10 M, 256: ten million weights, batches of 256.",
                 "Two cores of a CPU; figures: docs/performance.md"])


def floor_plot(rows):
    """`rows`: [(workload, K, Cornu's ms, the limit's ms)]; None if there are none."""
    groups = {}
    for workload, spe, own, limit in rows:
        group = NAMES.get(workload, ("", PRODUCTS))[1] or PRODUCTS
        groups.setdefault(group, []).append((name_of(workload, spe), 100 * limit / own, f"{100 * limit / own:.0f} %", ""))
    if not groups:
        return None
    groups = [(group, sorted(groups[group], key=lambda row: -row[1])) for group in (CONVOLUTIONS, PRODUCTS, MEMORY) if group in groups]
    most = max(100, *(row[1] for _, found in groups for row in found))
    axis = Axis(list(range(0, 50 * math.ceil(most / 50) + 1, 50)), " %", logarithmic=False, base=0, mark=100)
    return bars("How near a step is to the machine's limit",
                ["A longer bar: nearer to the limit, or past it.", "100 %: the step's multiply-adds at the machine's rate,",
                 "or its weights read and written once."], groups, axis,
                ["Past 100 %: the limit counts the products of a", "convolution's definition; Winograd's method needs as",
                 "little as a quarter. fastText's weights stay in the cache.", "CIFAR 10 M, 256: ten million weights, batches of 256."])


def table(root, page, heading, columns):
    """Rows of the table below `heading` that begins with `columns`: [{column: cell}]."""
    with open(os.path.join(root, page), encoding="utf-8") as file:
        section = re.split(r"^#+ ", file.read().partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    starts = [i for i, row in enumerate(rows) if row[:len(columns)] == columns]
    if not starts:
        sys.exit(f"{page}: no table with the columns {', '.join(columns)} below \"{heading}\"")
    body = rows[starts[0] + 2:]
    return [dict(zip(rows[starts[0]], row)) for row in body[:next((i for i, row in enumerate(body) if row[0] not in NAMES), None)]]


def first_number(cell):
    return float(re.match(r"[\d.]+", cell).group())


def committed(root=ROOT):
    """(rows of speed_plot, rows of floor_plot) from the pages."""
    speed = [(row["workload"], row.get("K", "1"), first_number(row["Cornu"]), {PEERS[who]: first_number(row[who]) for who in PEERS if row.get(who)})
             for heading, columns in (("Training steps", ["workload", "K", "Cornu"]), ("Whole runs", ["workload", "run", "Cornu"]))
             for row in table(root, FIGURES, heading, columns)]
    floor = [(row["workload"], row["K"], first_number(row["Cornu"]), first_number(row["bound"]))
             for row in table(root, LIMITS, "Lower bounds of the training steps", ["workload", "K", "Cornu", "bound"])]
    return speed, floor


def measured(entries, limits):
    """(rows of speed_plot, rows of floor_plot) from the entries of compare.py."""
    pairs = {key: pair for key, pair in report.by_pair(entries).items() if "summary" in pair.get("cornu", {})}
    speed, floor = [], []
    for (workload, spe), pair in pairs.items():
        own = pair["cornu"]["summary"]["ms_min"]
        speed.append((workload, spe, own, {PEERS.get(who, who): entry["summary"]["ms_min"] for who, entry in pair.items()
                                           if who != "cornu" and "summary" in entry}))
        if bound := report.floor_ms(pair, report.machine_limits(limits)):
            floor.append((workload, spe, own, bound[0]))
    return speed, floor


def pictures(speed, floor):
    return {name: svg for name, svg in (("speed.svg", speed_plot(speed)), ("floor.svg", floor_plot(floor))) if svg}


def write(svgs, folder):
    os.makedirs(folder, exist_ok=True)
    for name, svg in svgs.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(svg)


def draw(entries, limits, folder):
    write(pictures(*measured(entries, limits)), folder)


def outdated(folder=os.path.join(ROOT, "docs")):
    """Names of the committed plots that differ from the tables."""
    def content(path):
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return file.read()
    return [name for name, svg in pictures(*committed()).items() if content(os.path.join(folder, name)) != svg]


def main(arguments):
    if not arguments:
        write(pictures(*committed()), os.path.join(ROOT, "docs"))
    elif arguments == ["--check"]:
        if old := outdated():
            sys.exit(f"{', '.join(old)}: not up to date with {FIGURES} and {LIMITS}; run benchmarks/plot.py")
    elif len(arguments) == 2:
        with open(arguments[0], encoding="utf-8") as figures:
            saved = json.load(figures)
        draw(saved["entries"], saved["limits"], arguments[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
