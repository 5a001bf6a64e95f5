#!/usr/bin/env python3
"""Where each workload's time goes: shares of a training step's kinds of work, from the traces of `cornu bench W --profile FILE`.

    benchmarks/where.py                                # the twelve workloads
    benchmarks/where.py --workload mnist_cnn --seconds 3 --threads 1

Of the steps in a trace the fastest half counts, so that a neighbour's burst does not. "Between" is what a step takes besides its groups.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import compare
import report

# The first that matches a group's kind and name; the last always does.
WORK = [
    ("convolutions", lambda kind, name: name.endswith("convolution")),
    ("products", lambda kind, name: name.endswith("dot_general")),
    ("recurrent", lambda kind, name: "cornu." in name),
    ("updates", lambda kind, name: "optimizer" in name.split(":")[0]),
    ("rows, tables", lambda kind, name: kind in ("rows", "scatter") or name.endswith("gather")),
    ("other loops", lambda kind, name: True),
]


def work_of(event):
    return next(work for work, matches in WORK if matches(event["args"].get("kind", ""), event["name"]))


def shares(trace):
    """({work: microseconds a step}, microseconds a step) of the fastest half of the steps."""
    events = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
    groups = sorted((event for event in events if event.get("cat") == "group"), key=lambda event: event["ts"])
    steps = sorted((event for event in events if event.get("cat") == "step"), key=lambda event: event["ts"])
    times, inside, next_group = [], [], 0
    for step in steps:
        end = step["ts"] + step["dur"]
        spent = {work: 0.0 for work, _ in WORK}
        while next_group < len(groups) and groups[next_group]["ts"] < end:
            spent[work_of(groups[next_group])] += groups[next_group]["dur"]
            next_group += 1
        times.append(step["dur"])
        inside.append(spent)
    fastest = sorted(range(len(times)), key=times.__getitem__)[: (len(times) + 1) // 2]
    mean = {work: sum(inside[i][work] for i in fastest) / len(fastest) for work, _ in WORK}
    return mean, sum(times[i] for i in fastest) / len(fastest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", action="append", help="may stand several times; default: all twelve")
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time that each run gets (default: 1)")
    parser.add_argument("--threads", type=int, default=0, help="of the pool (default: what the machine allows)")
    parser.add_argument("--cornu", default=compare.CORNU, help="the program")
    options = parser.parse_args()
    table = []
    for workload in options.workload or compare.known_workloads():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            command = [options.cornu, "bench", workload, "--seconds", str(options.seconds), "--threads", str(options.threads), "--profile", path]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                sys.exit(f"{workload}: {done.stderr.strip()}")
            with open(path, encoding="utf-8") as file:
                spent, step = shares(json.load(file))
        between = step - sum(spent.values())
        parts = [*spent.values(), between]
        table.append((workload, report.number(step / 1000), *("" if us < 0.0005 * step else f"{us / step:.1%}" for us in parts)))
    report.print_table(("workload", "ms a step", *(work for work, _ in WORK), "between"), table)


if __name__ == "__main__":
    main()
