#!/usr/bin/env python3
"""Runs `cornu bench` and peers' scripts alternately and prints minima, medians and ratios.

A machine's speed drifts from minute to minute, so each round runs everybody once, and only figures of the same rounds are compared.
A peer is a command that prints one JSON line with the keys of `cornu bench --json` (workload, ms_step, ms_min, first_fit_s, import_s):

    benchmarks/compare.py --workload iris_mlp --spe 1 --spe 50 \\
        --peer "jax=python3 bench_jax.py {workload} {spe} {seconds}" \\
        --peer "keras=env KERAS_BACKEND=tensorflow python3 bench_keras.py {workload} {spe} {seconds}"

Columns: ms_min is the best of all runs, ms_median the median of the runs' medians; startup_s is process start to first finished step (a
peer's import_s + first_fit_s), the best of all runs; rss_mb the largest resident set of the process. Ratios are peer / Cornu: above 1,
Cornu is faster.
"""
import argparse
import json
import os
import shlex
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORNU = os.path.join(ROOT, "build", "release", "bin", "cornu")


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", action="append", help="may stand several times; default: iris_mlp and mnist_mlp")
    parser.add_argument("--spe", action="append", type=int, help="steps per execution; may stand several times; default: 1 and 50")
    parser.add_argument("--rounds", type=int, default=5, help="alternations (default: 5)")
    parser.add_argument("--seconds", type=float, default=3.0, help="measuring time that each run gets (default: 3)")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", help="{workload}, {spe} and {seconds} are filled in")
    parser.add_argument("--cornu", default=shlex.quote(CORNU) + " bench {workload} --steps-per-execution {spe} --seconds {seconds} --json",
                        help="the command for Cornu itself")
    parser.add_argument("--json", metavar="FILE", help="also write all runs and the summary there")
    options = parser.parse_args(arguments)
    options.workload = options.workload or ["iris_mlp", "mnist_mlp"]
    options.spe = options.spe or [1, 50]
    options.commands = {"cornu": options.cornu}
    for peer in options.peer:
        name, equals, command = peer.partition("=")
        if not equals or not name or not command:
            parser.error(f"--peer {peer!r} is not NAME=COMMAND")
        options.commands[name] = command
    return options


def run(command, **values):
    """One run: the command's JSON line, with the process's own wall time and peak memory added."""
    words = [word.format(**values) for word in shlex.split(command)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        pid = os.posix_spawnp(words[0], words, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)])
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - started
        out.seek(0)
        err.seek(0)
        text, complaint = out.read().decode(), err.read().decode()
    code = os.waitstatus_to_exitcode(status)
    lines = [line for line in text.splitlines() if line.startswith("{")]
    if code != 0 or not lines:
        sys.exit(f"failed with exit code {code}: {' '.join(words)}\n{text[-1000:]}{complaint[-2000:]}")
    row = json.loads(lines[-1])
    row["process_s"] = round(wall, 4)
    row["rss_mb"] = usage.ru_maxrss // 1024
    row.setdefault("startup_s", row.get("import_s", 0) + row.get("first_fit_s", 0))
    return row


def summarize(rows):
    return {
        "ms_min": min(row["ms_min"] for row in rows),
        "ms_median": statistics.median(row["ms_step"] for row in rows),
        "startup_s": min(row["startup_s"] for row in rows),
        "rss_mb": max(row["rss_mb"] for row in rows),
        "runs": len(rows),
    }


def print_table(summary):
    header = ("workload", "K", "who", "ms_min", "ms_median", "startup_s", "rss_mb", "ratio_min", "ratio_median")
    table = [header]
    for (workload, spe), peers in summary.items():
        own = peers["cornu"]
        for name, figures in peers.items():
            table.append((workload, str(spe), name, f"{figures['ms_min']:.4f}", f"{figures['ms_median']:.4f}", f"{figures['startup_s']:.3f}",
                          str(figures["rss_mb"]), f"{figures['ms_min'] / own['ms_min']:.2f}", f"{figures['ms_median'] / own['ms_median']:.2f}"))
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for index, row in enumerate(table):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if index == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def main():
    options = parse_arguments()
    runs = {}
    for workload in options.workload:
        for spe in options.spe:
            for round_number in range(options.rounds):
                for name, command in options.commands.items():
                    row = run(command, workload=workload, spe=spe, seconds=options.seconds)
                    runs.setdefault((workload, spe), {}).setdefault(name, []).append(row)
                    print(f"{workload} K={spe} round {round_number + 1}/{options.rounds} {name}: {row['ms_min']:.4f} ms", file=sys.stderr)
    summary = {key: {name: summarize(rows) for name, rows in peers.items()} for key, peers in runs.items()}
    print_table(summary)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{"workload": workload, "spe": spe, "who": name, "summary": summary[workload, spe][name], "runs": rows}
                       for (workload, spe), peers in runs.items() for name, rows in peers.items()], file, indent=1)


if __name__ == "__main__":
    main()
