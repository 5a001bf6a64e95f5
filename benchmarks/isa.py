#!/usr/bin/env python3
"""What each instruction set level is worth: `cornu bench` of each workload at each level in turn, minima of all rounds.

    benchmarks/isa.py                                  # the twelve workloads at the levels that this CPU has
    benchmarks/isa.py --workload iris_mlp --level sse2 --level avx2 --rounds 3 --json isa.json

A column "avx2 / sse2" says how many times as fast AVX2 is as the baseline. K is 50 for iris_mlp and mnist_mlp, 1 for the others.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys

import compare
import report
from runs import Failed, run

LEVELS = ["sse2", "avx2", "avx512"]


def levels_of_this_cpu(cornu):
    devices = subprocess.run([cornu, "devices"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^cpu .*\(it has: ([^)]*)\)", devices, re.MULTILINE)
    return found.group(1).split(", ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", action="append", help="may stand several times; default: all twelve")
    parser.add_argument("--level", action="append", choices=LEVELS, help="may stand several times; default: all that the CPU has")
    parser.add_argument("--rounds", type=int, default=5, help="alternations (default: 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time that each run gets (default: 1)")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds after which a process has failed (default: 300)")
    parser.add_argument("--cornu", default=compare.CORNU, help="the program")
    parser.add_argument("--json", metavar="FILE", help="also write all runs there")
    options = parser.parse_args()
    has = levels_of_this_cpu(options.cornu)
    levels = options.level or has
    for level in levels:
        if level not in has:
            print(f"{level} was never run here: this CPU has {', '.join(has)}", file=sys.stderr)
    levels = [level for level in LEVELS if level in levels and level in has]
    workloads = options.workload or compare.known_workloads()
    command = shlex.quote(options.cornu) + " bench {workload} --isa {level} --steps-per-execution {spe} --seconds {seconds} --json"
    best, rows = {}, []
    for round_number in range(options.rounds):
        for workload in [*workloads, "limit"]:
            for level in levels:
                spe = 50 if workload in compare.SMALL else 1
                try:
                    row = run(command, options.timeout, workload=workload, level=level, spe=spe, seconds=options.seconds)
                except Failed as error:
                    sys.exit(f"{workload} at {level}: {error}")
                rows.append({**row, "round": round_number + 1})
                value = row["fma_gflops"] if workload == "limit" else row["ms_min"]
                pick = max if workload == "limit" else min
                best[workload, level] = pick(value, best.get((workload, level), value))
                print(f"{workload} {level} round {round_number + 1}/{options.rounds}: {value:.4f}", file=sys.stderr)
            if options.json:
                with open(options.json + ".new", "w", encoding="utf-8") as file:
                    json.dump(rows, file, indent=1)
                os.replace(options.json + ".new", options.json)
    pairs = list(zip(levels, levels[1:]))
    if len(levels) > 2:
        pairs.append((levels[0], levels[-1]))
    table = []
    for workload in workloads:
        ms = {level: best[workload, level] for level in levels}
        table.append((workload, *(report.number(ms[level]) for level in levels), *(f"{ms[low] / ms[high]:.2f}" for low, high in pairs)))
    limit = {level: best["limit", level] for level in levels}
    table.append(("multiply-adds, GFLOP/s", *(f"{limit[level]:.0f}" for level in levels), *(f"{limit[high] / limit[low]:.2f}" for low, high in pairs)))
    report.print_table(("ms a step", *levels, *(f"{high} / {low}" for low, high in pairs)), table)


if __name__ == "__main__":
    main()
