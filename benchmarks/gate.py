#!/usr/bin/env python3
"""Compares two builds of Cornu on the benchmarks: says which workload moved by how much, and exits with 1 when one became slower.

    benchmarks/gate.py ../base/build/release build/release                     # the twelve workloads
    benchmarks/gate.py ../base/build/release build/release iris_mlp mnist_cnn  # only these
    benchmarks/gate.py BASE HEAD family --rounds 9 --json gate.json            # the networks that nobody tuned for

BASE and HEAD are build folders, or programs. Both run `cornu bench WORKLOAD --json` in turn, in one round base first and in the next head first,
each in a process of its own without the cache of compiled code. Compared are milliseconds a step (ms_min), compile time and start-up (process
start to first finished step). K is 1, and 50 too where a step is short.

A machine's speed drifts by more than what is looked for, and two kinds of evidence survive that, each with a noise of its own:

* the median of the rounds' ratios head / base, whose runs stand side by side and share the machine's state; its noise is three standard errors
  (by the median absolute deviation);
* the ratio of the best runs, which is what the programs can do when nothing disturbs them; its noise is how far the second best run of either
  program is behind its best.

A figure has moved when one of them is beyond its noise and the other one agrees; neither counts below 3 % of a step or 5 % of the others
(--least raises that).

What seems slower after --rounds gets as many rounds again before it is called so.
"""
import argparse
import dataclasses
import json
import math
import os
import shlex
import statistics
import sys

import compare
import report
from runs import Failed, run

FIGURES = {"step": "ms_min", "compile": "compile_s", "start-up": "startup_s"}
LEAST = {"step": 0.03, "compile": 0.05, "start-up": 0.05}
MEDIAN_ERROR = 1.2533   # standard error of a median over that of a mean, for normal errors
DEVIATION = 1.4826      # standard deviation over median absolute deviation, likewise
FEWEST_ROUNDS = 3


@dataclasses.dataclass(frozen=True)
class Change:
    """How a figure of head compares with that of base: above 1, head is slower."""

    ratio: float        # median of the rounds' head / base
    ratio_noise: float  # what that may be off 1 by, by chance
    best: float         # best head / best base
    best_noise: float
    least: float        # what is no change

    @property
    def is_slower(self):
        return self.is_beyond(self.ratio, self.best)

    @property
    def is_faster(self):
        return self.is_beyond(1 / self.ratio, 1 / self.best)

    def is_beyond(self, ratio, best):
        return min(ratio, best) > 1 + self.least and (ratio > 1 + self.ratio_noise or best > 1 + self.best_noise)

    def __str__(self):
        verdict = ", slower" if self.is_slower else ", faster" if self.is_faster else ""
        return f"{self.ratio:.3f} ± {self.ratio_noise:.3f}, best {self.best:.3f} ± {self.best_noise:.3f}{verdict}"


def change_of(base, head, least):
    """The change between the figures of the same rounds."""
    if len(base) != len(head) or len(base) < FEWEST_ROUNDS:
        raise ValueError(f"{len(base)} and {len(head)} rounds; both need the same number, at least {FEWEST_ROUNDS}")
    logs = [math.log(b / a) for a, b in zip(base, head)]
    middle = statistics.median(logs)
    deviation = DEVIATION * statistics.median(abs(x - middle) for x in logs)
    error = MEDIAN_ERROR * deviation / math.sqrt(len(logs))
    behind = max(second_best(figures) / min(figures) - 1 for figures in (base, head))
    return Change(math.exp(middle), max(least, math.expm1(3 * error)), min(head) / min(base), max(least, behind), least)


def second_best(figures):
    return sorted(figures)[1]


def program(path):
    """`path`, or the program in the build folder that it names."""
    inside = os.path.join(path, "bin", "cornu")
    if os.path.isdir(path):
        path = inside
    if not os.access(path, os.X_OK):
        sys.exit(f"gate: {path} is no program (build the target cornu there)")
    return os.path.abspath(path)


def pairs_of(words):
    """(workload, K) of each workload or group that `words` name; all of the twelve without one."""
    groups = {"all": compare.known_workloads(), "family": compare.known_workloads(compare.FAMILY)}
    names = [name for word in words or ["all"] for name in groups.get(word, [word])]
    known = {*groups["all"], *groups["family"]}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"gate: no workload {', '.join(unknown)}; there are all, family, {', '.join(sorted(known))}")
    return [(name, spe) for name in names for spe in ((1, 50) if name in compare.SMALL else (1,))]


class Gate:
    def __init__(self, options):
        self.options = options
        self.programs = {"base": program(options.base), "head": program(options.head)}
        self.rows = {}  # (workload, K): {"base": [row, ...], "head": [...]}

    def round(self, key):
        """One run of each program; who is first changes from round to round."""
        rows = self.rows.setdefault(key, {"base": [], "head": []})
        order = ["base", "head"] if len(rows["base"]) % 2 == 0 else ["head", "base"]
        for who in order:
            command = shlex.quote(self.programs[who]) + " bench {workload} --steps-per-execution {spe} --seconds {seconds} --json"
            rows[who].append(run(command, self.options.timeout, workload=key[0], spe=key[1], seconds=self.options.seconds))
        print(f"{key[0]} K = {key[1]}, round {len(rows['base'])}: {rows['base'][-1]['ms_min']:.4f} and {rows['head'][-1]['ms_min']:.4f} ms a step",
              file=sys.stderr)

    def changes(self, key):
        rows = self.rows[key]
        return {name: change_of([row[field] for row in rows["base"]], [row[field] for row in rows["head"]], max(LEAST[name], self.options.least))
                for name, field in FIGURES.items()}

    def measure(self, pairs):
        """Rounds over all pairs, then as many again over what seems slower; the changes of each pair."""
        for _ in range(self.options.rounds):
            for key in pairs:
                self.round(key)
        suspects = [key for key in pairs if any(change.is_slower for change in self.changes(key).values())]
        for _ in range(self.options.rounds if suspects else 0):
            for key in suspects:
                self.round(key)
        return {key: self.changes(key) for key in pairs}

    def print(self, changes):
        table = []
        for key, of_pair in changes.items():
            best = [report.number(min(row["ms_min"] for row in self.rows[key][who])) for who in ("base", "head")]
            table.append((key[0], str(key[1]), *best, *(str(change) for change in of_pair.values()), str(len(self.rows[key]["base"]))))
        report.print_table(("workload", "K", "base, ms a step", "head", *(f"{name}, head / base" for name in FIGURES), "rounds"), table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="build folder or program to compare with")
    parser.add_argument("head", help="build folder or program to measure")
    parser.add_argument("workloads", nargs="*", help="workloads, all or family (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help=f"alternations, at least {FEWEST_ROUNDS} (default: 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time that each run gets (default: 1)")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds after which a process has failed (default: 300)")
    parser.add_argument("--least", type=float, default=0.0, help="a smaller change is none, e.g. 0.1 (never below 0.03 a step, 0.05 for the others)")
    parser.add_argument("--json", metavar="FILE", help="also write all runs there")
    options = parser.parse_intermixed_args()
    if options.rounds < FEWEST_ROUNDS:
        parser.error(f"--rounds {options.rounds}: at least {FEWEST_ROUNDS}")
    gate = Gate(options)
    try:
        changes = gate.measure(pairs_of(options.workloads))
    except Failed as error:
        print(f"gate: {error}", file=sys.stderr)
        sys.exit(2)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{"workload": key[0], "spe": key[1], **rows} for key, rows in gate.rows.items()], file, indent=1)
    gate.print(changes)
    slower = [f"{key[0]} (K = {key[1]}): {name} {change.ratio:.3f} times as long" for key, of_pair in changes.items()
              for name, change in of_pair.items() if change.is_slower]
    for line in slower:
        print(f"slower: {line}")
    if slower:
        sys.exit(1)
    print("gate: nothing is slower beyond the noise")


if __name__ == "__main__":
    main()
