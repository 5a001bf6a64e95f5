#!/usr/bin/env python3
"""What a setting is worth: `cornu bench` of each workload at each value of it in turn, minima of all rounds.

    benchmarks/vary.py isa                             # instruction set levels: those that this CPU has
    benchmarks/vary.py threads                         # threads: 1, 2, 4, ... and as many as the machine allows
    benchmarks/vary.py policy                          # dtype policies: float32, mixed_bfloat16
    benchmarks/vary.py precision                       # of f32 products: auto, highest, high, default
    benchmarks/vary.py bf16                            # instructions for bfloat16 under mixed_bfloat16: off, vectors, tiles
    benchmarks/vary.py isa --workload iris_mlp --value sse2 --value avx2 --rounds 3 --json isa.json

A column "avx2 / sse2" says how many times as fast a workload is at avx2 as at sse2. K is 50 for iris_mlp and mnist_mlp, 1 for the others.
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


def isa_values(cornu):
    devices = subprocess.run([cornu, "devices"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^cpu .*\(it has: ([^)]*)\)", devices, re.MULTILINE)
    has = found.group(1).split(", ")
    for level in LEVELS:
        if level not in has:
            print(f"{level} was never run here: this CPU has {', '.join(has)}", file=sys.stderr)
    return [level for level in LEVELS if level in has]


def threads_values(cornu):
    devices = subprocess.run([cornu, "devices"], capture_output=True, text=True, check=True).stdout
    most = int(re.search(r"^cpu .*, (\d+) threads", devices, re.MULTILINE).group(1))
    values = [1]
    while values[-1] * 2 < most:
        values.append(values[-1] * 2)
    return [str(value) for value in [*values, most] if value <= most]


def policy_values(_):
    return ["float32", "mixed_bfloat16"]


def precision_values(_):
    return ["auto", "highest", "high", "default"]


def bf16_values(_):
    return ["off", "vectors", "tiles"]


VALUES = {"isa": isa_values, "threads": threads_values, "policy": policy_values, "precision": precision_values, "bf16": bf16_values}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("setting", choices=VALUES)
    parser.add_argument("--workload", action="append", help="may stand several times; default: all twelve")
    parser.add_argument("--value", action="append", help="may stand several times, lowest first; default: see above")
    parser.add_argument("--rounds", type=int, default=5, help="alternations (default: 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time that each run gets (default: 1)")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds after which a process has failed (default: 300)")
    parser.add_argument("--cornu", default=compare.CORNU, help="the program")
    parser.add_argument("--json", metavar="FILE", help="also write all runs there")
    options = parser.parse_args()
    values = options.value or list(dict.fromkeys(VALUES[options.setting](options.cornu)))
    workloads = options.workload or compare.known_workloads()
    limits = [] if options.setting in ("policy", "precision", "bf16") else ["limit"]
    cornu = shlex.quote(options.cornu)
    setting = f"env CORNU_BF16={{value}} {cornu} bench {{workload}} --policy mixed_bfloat16" if options.setting == "bf16" else f"{cornu} bench {{workload}} --{options.setting} {{value}}"
    command = setting + " --steps-per-execution {spe} --seconds {seconds} --json"
    best, rows = {}, []
    for round_number in range(options.rounds):
        for workload in [*workloads, *limits]:
            for value in values:
                spe = 50 if workload in compare.SMALL else 1
                try:
                    row = run(command, options.timeout, workload=workload, value=value, spe=spe, seconds=options.seconds)
                except Failed as error:
                    sys.exit(f"{workload} at {options.setting} {value}: {error}")
                rows.append({**row, "round": round_number + 1})
                seen = row["fma_gflops"] if workload == "limit" else row["ms_min"]
                pick = max if workload == "limit" else min
                best[workload, value] = pick(seen, best.get((workload, value), seen))
                print(f"{workload} {options.setting} {value} round {round_number + 1}/{options.rounds}: {seen:.4f}", file=sys.stderr)
            if options.json:
                with open(options.json + ".new", "w", encoding="utf-8") as file:
                    json.dump(rows, file, indent=1)
                os.replace(options.json + ".new", options.json)
    pairs = list(zip(values, values[1:]))
    if len(values) > 2:
        pairs.append((values[0], values[-1]))
    table = []
    for workload in workloads:
        ms = {value: best[workload, value] for value in values}
        table.append((workload, *(report.number(ms[value]) for value in values), *(f"{ms[low] / ms[high]:.2f}" for low, high in pairs)))
    if limits:
        limit = {value: best["limit", value] for value in values}
        table.append(("multiply-adds, GFLOP/s", *(f"{limit[value]:.0f}" for value in values), *(f"{limit[high] / limit[low]:.2f}" for low, high in pairs)))
    report.print_table((f"ms a step, {options.setting}", *values, *(f"{high} / {low}" for low, high in pairs)), table)


if __name__ == "__main__":
    main()
