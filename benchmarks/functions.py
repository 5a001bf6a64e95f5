#!/usr/bin/env python3
"""Races functions and layers of Keras, compiled, beside Keras on JAX and on TensorFlow (tf.function, with and without XLA), in one table.

    benchmarks/functions.py --python ~/peers/jax/bin/python --python ~/peers/tf/bin/python [--seconds 0.2] [--json FILE] [NAME...]

Needs build/release/bin/functions_benchmark (-DCORNU_BUILD_BENCHMARKS=ON). The programs run one after the other; each case's best and median call
count. With --json the figures of earlier runs in FILE are kept, and each program's best of all runs is shown; --only runs one program.
Columns: milliseconds of the best call, and the best peer's time over Cornu's: above 1, Cornu is faster. "ref" marks a reference kernel.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "build", "release", "bin", "functions_benchmark")
PEER = os.path.join(ROOT, "benchmarks", "peers", "functions_peer.py")
PEERS = {"JAX": ("jax", "jax", []), "TensorFlow": ("tensorflow", "tensorflow", []), "TensorFlow, XLA": ("tensorflow", "tensorflow", ["--jit"])}


def find_interpreter(options, backend, module):
    environment = {**os.environ, "KERAS_BACKEND": backend}
    for interpreter in options.python or ["python3"]:
        if subprocess.run([interpreter, "-c", f"import {module}, keras"], capture_output=True, env=environment, check=False).returncode == 0:
            return interpreter
    return None


def commands(options):
    found = {"Cornu": ([PROGRAM, str(options.seconds), *options.names], {})}
    for name, (backend, module, flags) in PEERS.items():
        interpreter = find_interpreter(options, backend, module)
        if interpreter is None:
            print(f"{name} is left out: no interpreter can import {module} and keras", file=sys.stderr)
            continue
        found[name] = ([interpreter, PEER, *options.names, "--seconds", str(options.seconds), *flags], {"KERAS_BACKEND": backend})
    return {name: found[name] for name in found if options.only in ("", name)}


def run(command, environment, rows):
    """Adds the program's lines to rows: {case: figures}; the best of two runs counts."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment}) as process:
        for line in process.stdout:
            row = json.loads(line)
            before = rows.get(row["case"])
            if before is None or "error" in before or row.get("ms_min", float("inf")) < before["ms_min"]:
                rows[row["case"]] = row


def cell(row):
    return "" if row is None else "refused" if "error" in row else f"{row['ms_min']:.3g}"


def print_table(results):
    peers = [name for name in results if name != "Cornu"]
    print("| case | Cornu | " + " | ".join(peers) + " | best peer ÷ Cornu |")
    print("| --- | ---: |" + " ---: |" * (len(peers) + 1))
    below = 0
    for case, ours in results["Cornu"].items():
        times = [results[peer][case]["ms_min"] for peer in peers if "ms_min" in results[peer].get(case, {})]
        ratio = min(times) / ours["ms_min"] if times else None
        below += ratio is not None and ratio < 1
        name = case + (" (ref)" if ours["references"] else "")
        text = "" if ratio is None else f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}**"
        print(f"| {name} | {cell(ours)} | " + " | ".join(cell(results[peer].get(case)) for peer in peers) + f" | {text} |")
    print(f"\n{len(results['Cornu'])} cases, {below} slower than the best peer")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="cases; without names all")
    parser.add_argument("--python", action="append", metavar="INTERPRETER", help="where to look for the peers; may stand several times; default: python3")
    parser.add_argument("--seconds", type=float, default=0.2, help="measuring time of a case (default: 0.2)")
    parser.add_argument("--json", metavar="FILE", help="keep figures there")
    parser.add_argument("--only", default="", choices=["Cornu", *PEERS, ""], help="run this program only; without it all")
    parser.add_argument("--table", action="store_true", help="run nothing, print the table of --json")
    options = parser.parse_args()
    results = {}
    if options.json and os.path.exists(options.json):
        with open(options.json, encoding="utf-8") as file:
            results = json.load(file)
    for name, (command, environment) in ({} if options.table else commands(options)).items():
        run(command, environment, results.setdefault(name, {}))
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)
    if "Cornu" in results:
        print_table(results)


if __name__ == "__main__":
    main()
