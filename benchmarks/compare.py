#!/usr/bin/env python3
"""Runs `cornu bench` and its peers alternately and prints minima, medians and ratios.

    benchmarks/compare.py                                        # the peers that python3 can import
    benchmarks/compare.py --python ~/jax/bin/python --python ~/torch/bin/python --json figures.json --plot figures.svg

Peers are the scripts in benchmarks/peers: JAX with optax, Keras on TensorFlow, PyTorch. Each runs with the first interpreter (--python, several
times if they live in several environments) that can import it; those that none can are left out, with a line that says so. Any other command
that prints one JSON line with the keys of `cornu bench --json` (workload, ms_step, ms_min, first_fit_s, import_s) can be a peer too:

    benchmarks/compare.py --workload iris_mlp --spe 1 --peer "mine=./my_benchmark {workload} {spe} {seconds}"

A machine's speed drifts from minute to minute, so each round runs everybody once, and only figures of the same rounds are compared.
Columns: ms_min is the best of all runs, ms_median the median of the runs' medians; startup_s is process start to first finished step (a
peer's import_s + first_fit_s), the best of all runs; rss_mb the largest resident set of the process. Ratios are peer / Cornu: above 1,
Cornu is faster.
"""
import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import plot

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORNU = os.path.join(ROOT, "build", "release", "bin", "cornu")
PEERS = os.path.join(ROOT, "benchmarks", "peers")
# name: (script, modules that it imports)
KNOWN_PEERS = {"jax": ("jax_peer.py", "jax, optax"), "keras-tensorflow": ("keras_peer.py", "keras, tensorflow"), "torch": ("torch_peer.py", "torch")}

# Peers that know no steps per execution: they run with the first K only.
WITHOUT_K = {"torch"}


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", action="append", help="may stand several times; \"all\": the twelve that cornu bench and the peers know; default: iris_mlp and mnist_mlp")
    parser.add_argument("--spe", action="append", type=int, help="steps per execution; may stand several times; default: 1 and 50")
    parser.add_argument("--rounds", type=int, default=5, help="alternations (default: 5)")
    parser.add_argument("--seconds", type=float, default=3.0, help="measuring time that each run gets (default: 3)")
    parser.add_argument("--python", action="append", metavar="INTERPRETER",
                        help="where to look for the known peers; may stand several times; default: python3")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND",
                        help="another peer; {workload}, {spe} and {seconds} are filled in")
    parser.add_argument("--cornu", default=shlex.quote(CORNU) + " bench {workload} --steps-per-execution {spe} --seconds {seconds} --json",
                        help="the command for Cornu itself")
    parser.add_argument("--json", metavar="FILE", help="also write all runs and the summary there")
    parser.add_argument("--plot", metavar="FILE.svg", help="also draw the figures (needs matplotlib)")
    options = parser.parse_args(arguments)
    options.workload = options.workload or ["iris_mlp", "mnist_mlp"]
    if "all" in options.workload:
        options.workload = known_workloads()
    options.spe = options.spe or [1, 50]
    options.commands = {"cornu": options.cornu}
    options.commands.update(find_peers(options.python or ["python3"]))
    for peer in options.peer:
        name, equals, command = peer.partition("=")
        if not equals or not name or not command:
            parser.error(f"--peer {peer!r} is not NAME=COMMAND")
        options.commands[name] = command
    return options


def known_workloads():
    """The names in benchmarks/peers/common.py, which imports numpy; the first key of each line of its table."""
    with open(os.path.join(PEERS, "common.py"), encoding="utf-8") as file:
        table = file.read().partition("\nWORKLOADS = {\n")[2].partition("\n}\n")[0]
    return re.findall(r'^    "(\w+)": ', table, re.MULTILINE)


def find_peers(interpreters):
    """The command of each known peer that an interpreter can import."""
    commands = {}
    for name, (script, modules) in KNOWN_PEERS.items():
        for interpreter in interpreters:
            try:
                found = subprocess.run([interpreter, "-c", f"import {modules}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            except OSError as error:
                sys.exit(f"--python {interpreter}: {error.strerror}")
            if found.returncode == 0:
                path = shlex.quote(os.path.join(PEERS, script))
                commands[name] = f"{shlex.quote(interpreter)} {path} {{workload}} --spe {{spe}} --seconds {{seconds}}"
                break
        else:
            print(f"{name} is left out: no interpreter can import {modules}", file=sys.stderr)
    return commands


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
        raise RuntimeError(f"failed with exit code {code}: {' '.join(words)}\n{text[-1000:]}{complaint[-2000:]}")
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


def measure_all(options, save):
    """Rows of all runs by (workload, K) and name, and whether all went well; save(runs) after each round. Who fails is left out from there on."""
    runs, all_well = {}, True
    for workload in options.workload:
        for spe in options.spe:
            commands = {name: command for name, command in options.commands.items() if spe == options.spe[0] or name not in WITHOUT_K}
            for round_number in range(options.rounds):
                for name, command in list(commands.items()):
                    try:
                        row = run(command, workload=workload, spe=spe, seconds=options.seconds)
                    except (RuntimeError, OSError) as error:
                        print(f"{workload} K={spe} {name} is left out: {error}", file=sys.stderr)
                        if name == "cornu":
                            sys.exit(1)
                        all_well = False
                        del commands[name]
                        continue
                    runs.setdefault((workload, spe), {}).setdefault(name, []).append(row)
                    print(f"{workload} K={spe} round {round_number + 1}/{options.rounds} {name}: {row['ms_min']:.4f} ms", file=sys.stderr)
                save(runs)
    return runs, all_well


def summaries(runs):
    return {key: {name: summarize(rows) for name, rows in peers.items()} for key, peers in runs.items()}


def entries_of(runs):
    summary = summaries(runs)
    return [{"workload": workload, "spe": spe, "who": name, "summary": summary[workload, spe][name], "runs": rows}
            for (workload, spe), peers in runs.items() for name, rows in peers.items()]


def main():
    options = parse_arguments()

    def save(runs):
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(entries_of(runs), file, indent=1)

    runs, all_well = measure_all(options, save)
    print_table(summaries(runs))
    if options.plot:
        plot.draw(entries_of(runs), options.plot)
    if not all_well:
        sys.exit("somebody failed: see above")


if __name__ == "__main__":
    main()
