#!/usr/bin/env python3
"""Runs `cornu bench` and its peers alternately and prints minima, medians, ratios and shares of the machine's limits.

    benchmarks/compare.py                                        # the peers that python3 can import
    benchmarks/compare.py --workload all --json figures.json --plots docs --python ~/jax/bin/python --python ~/tf/bin/python
    benchmarks/compare.py --workload family --json family.json --python ...  # networks that nobody tuned for
    benchmarks/compare.py --workload all --json figures.json --resume ...    # goes on where a run was cut

Peers are the scripts in benchmarks/peers: JAX with optax and flax, Keras on TensorFlow and, for the family, with XLA and on JAX, PyTorch, for the family
also with torch.compile. Each runs with the first interpreter (--python, several
times if they live in several environments) that can import it; those that none can are left out, with a line that says so. Any other command
that prints one JSON line with the keys of `cornu bench --json` (workload, ms_step, ms_min, first_fit_s, import_s) can be a peer too:

    benchmarks/compare.py --workload iris_mlp --spe 1 --peer "mine=./my_benchmark {workload} {spe} {seconds}"

A machine's speed drifts from minute to minute, so each round runs everybody once, workload after workload, and only figures of the same rounds
are compared; the machine's own limits are measured before the first round and after the last. From the second round on the slowest pairs are
left out, as many as --minutes asks, but neither Cornu nor a workload's best peer; who fails is left out of that workload. The notes say so.
Columns: ms_min is the best of all runs, ms_median the median of the runs' medians, milliseconds a step (of whole runs: a run); startup_s is
process start to first finished step (a peer's import_s + first_fit_s), the best of all runs; rss_mb the largest resident set of the process.
Ratios are peer / Cornu: above 1, Cornu is faster. The floor is the time that a step's products take at the rate of multiply-adds that was
measured, or its weights and slots read and written once at the bandwidth that was measured, whichever is longer.
"""
import argparse
import dataclasses
import os
import re
import shlex
import subprocess
import sys
import time

import plot
import report
from runs import Failed, Results, run

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORNU = os.path.join(ROOT, "build", "release", "bin", "cornu")
PEERS = os.path.join(ROOT, "benchmarks", "peers")
PIPELINES = ["data_slices", "data_slices_iris", "data_tfrecord", "data_example", "data_jpeg", "data_map", "data_map_serial"]
WORKLOADS, FAMILY, LARGE, RUNS = "WORKLOADS", "FAMILY", "LARGE", "whole runs"  # kinds of what is measured; all but the last are tables of peers/common.py
DATA = "pipelines"


@dataclasses.dataclass(frozen=True)
class Peer:
    script: str
    modules: str  # that it imports
    kinds: tuple  # that it knows
    flags: str = ""
    environment: str = ""
    knows_k: bool = True  # else it runs with K = 1 only


KNOWN_PEERS = {
    "jax": Peer("jax_peer.py", "flax, jax, optax", (WORKLOADS, FAMILY)),
    "keras-tensorflow": Peer("keras_peer.py", "keras, tensorflow", (WORKLOADS, FAMILY, RUNS)),
    "keras-tensorflow-jit": Peer("keras_peer.py", "keras, tensorflow", (FAMILY,), flags=" --jit"),
    "keras-jax": Peer("keras_peer.py", "jax, keras", (FAMILY,), environment="env KERAS_BACKEND=jax "),
    "tf.data": Peer("tfdata_peer.py", "tensorflow", (DATA,)),
    "torch": Peer("torch_peer.py", "torch", (WORKLOADS, FAMILY), knows_k=False),
    "torch-compile": Peer("torch_peer.py", "torch", (FAMILY,), flags=" --compile", knows_k=False),
}
SMALL = {"iris_mlp", "mnist_mlp"}  # where K matters


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", action="append",
                        help="may stand several times; \"all\": the twelve that cornu bench and the peers know, and the whole runs; \"family\": networks that "
                             "nobody tuned for; \"data\": input pipelines, where a step is a batch; default: iris_mlp and mnist_mlp")
    parser.add_argument("--spe", action="append", type=int,
                        help="steps per execution; may stand several times; default: 1, and 50 too for iris_mlp and mnist_mlp")
    parser.add_argument("--rounds", type=int, default=5, help="alternations (default: 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="measuring time that each run gets (default: 2)")
    parser.add_argument("--minutes", type=float, default=40.0, help="about how long all of it may take; 0: as long as it takes (default: 40)")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds after which a process has failed (default: 300)")
    parser.add_argument("--python", action="append", metavar="INTERPRETER",
                        help="where to look for the known peers; may stand several times; default: python3")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND",
                        help="another peer; {workload}, {spe} and {seconds} are filled in")
    parser.add_argument("--cornu", default=shlex.quote(CORNU) + " bench {workload} --steps-per-execution {spe} --seconds {seconds} --json",
                        help="the command for Cornu itself, and for the machine's limits with the workload \"limit\"")
    parser.add_argument("--under", default="", metavar="COMMAND", help="in front of every process, as \"taskset -c 0,1\"")
    parser.add_argument("--json", metavar="FILE", help="also write all runs and the summary there, after every run")
    parser.add_argument("--resume", action="store_true", help="keep the runs that FILE holds and do those that are missing")
    parser.add_argument("--plots", metavar="FOLDER", help="also draw speed.svg and floor.svg there")
    options = parser.parse_args(arguments)
    if options.resume and not options.json:
        parser.error("--resume needs --json")
    options.workload = options.workload or ["iris_mlp", "mnist_mlp"]
    groups = {"all": known_workloads() + list(whole_runs()), "family": known_workloads(FAMILY), "data": PIPELINES}
    options.workload = [name for group in options.workload for name in groups.get(group, [group])]
    options.under = options.under and options.under + " "
    options.cornu = options.under + options.cornu
    options.commands = {"cornu": options.cornu}
    options.missing = {}
    for peer in options.peer:
        name, equals, command = peer.partition("=")
        if not equals or not name or not command:
            parser.error(f"--peer {peer!r} is not NAME=COMMAND")
        options.commands[name] = options.under + command
    find_peers(options)
    return options


def known_workloads(table=WORKLOADS):
    """The names in a table of benchmarks/peers/common.py, which imports numpy: the first key of each of its lines."""
    with open(os.path.join(PEERS, "common.py"), encoding="utf-8") as file:
        lines = file.read().partition(f"\n{table} = {{\n")[2].partition("\n}\n")[0]
    return re.findall(r'^    "(\w+)": ', lines, re.MULTILINE)


def whole_runs():
    """{name: whether a number of steps per execution changes it}, from the table in cli/bench_fit.cc."""
    with open(os.path.join(ROOT, "cli", "bench_fit.cc"), encoding="utf-8") as file:
        rows = file.read().partition("& whole_runs() {\n")[2].partition("};\n")[0]
    return {name: not without_k for name, without_k in re.findall(r'\{"(\w+)"(?:,?\s*"(?:[^"\\]|\\.)*")+(,\s*false)?', rows)}


def kind_of(workload):
    if workload in PIPELINES:
        return DATA
    return RUNS if workload in whole_runs() else FAMILY if workload in known_workloads(FAMILY) + known_workloads(LARGE) else WORKLOADS


def can_import(interpreter, peer):
    command = [*peer.environment.split(), interpreter, "-c", f"import {peer.modules}"]
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError as error:
        sys.exit(f"--python {interpreter}: {error.strerror}")


def find_peers(options):
    """Adds the command of each known peer that has something to run and that an interpreter can import."""
    wanted = {kind_of(workload) for workload in options.workload}
    for name, peer in KNOWN_PEERS.items():
        if name in options.commands or not wanted.intersection(peer.kinds):
            continue
        for interpreter in options.python or ["python3"]:
            if can_import(interpreter, peer):
                words = f"{shlex.quote(interpreter)} {shlex.quote(os.path.join(PEERS, peer.script))}"
                options.commands[name] = f"{options.under}{peer.environment}{words} {{workload}} --spe {{spe}} --seconds {{seconds}}{peer.flags}"
                break
        else:
            options.missing[name] = f"no interpreter can import {peer.modules}"
            print(f"{name} is left out: {options.missing[name]}", file=sys.stderr)


def can_run(who, workload, spe, options):
    """Cornu and the --peer commands can everything; K is 1 where there is no other."""
    if spe != 1 and (workload in PIPELINES or not whole_runs().get(workload, True)):
        return False
    if who not in KNOWN_PEERS:
        return True
    if spe != 1 and not KNOWN_PEERS[who].knows_k and (options.spe is None or 1 in options.spe):
        return False  # its figure of K = 1 stands for it
    return kind_of(workload) in KNOWN_PEERS[who].kinds


def pairs_of(options):
    """Whom to run on what: [((workload, K), who)], in the order of a round."""
    return [((workload, spe), who) for workload in options.workload for spe in options.spe or ([1, 50] if workload in SMALL else [1])
            for who in options.commands if can_run(who, workload, spe, options)]


def cap(options, results, pairs, seconds_left, rounds_left):
    """Leaves the slowest pairs out of the rounds to come until they fit into the time that is left."""
    if not options.minutes or rounds_left <= 0:
        return pairs
    costs = {}
    for key, who in pairs:
        rows = results.pairs.get(key, {}).get(who, [])
        costs[key, who] = rows[-1]["process_s"] if rows else 0
    best = {}
    for (workload, spe), pair in report.by_pair(results.entries()).items():
        best[workload, spe] = report.best_peer(pair)
    may_go = [pair for pair in pairs if pair[1] != "cornu" and best.get(pair[0]) and best[pair[0]][0] != pair[1]]
    for pair in sorted(may_go, key=costs.get, reverse=True):
        if sum(costs.values()) * rounds_left <= seconds_left:
            break
        del costs[pair]
        key, who = pair
        results.capped.setdefault(key, {})[who] = results.count(key, who)
        print(f"{key[0]} K={key[1]} {who} is slow: no more rounds", file=sys.stderr)
    return [pair for pair in pairs if pair in costs]


def measure_limits(options, results):
    try:
        results.limits.append(run(options.cornu, options.timeout, workload="limit", spe=1, seconds=options.seconds))
    except Failed as error:
        print(f"the machine's limits are not known: {error}", file=sys.stderr)


def measure_all(options, results):
    pairs = [pair for pair in pairs_of(options) if pair[1] not in results.capped.get(pair[0], {})]
    end = time.monotonic() + options.minutes * 60
    if not results.limits:
        measure_limits(options, results)
    for round_number in range(1, options.rounds + 1):
        for key, who in list(pairs):
            if results.count(key, who) >= round_number:
                continue
            label = f"{key[0]} K={key[1]} {who}"
            try:
                row = run(options.commands[who], options.timeout, workload=key[0], spe=key[1], seconds=options.seconds)
            except Failed as error:
                print(f"{label} is left out: {error}", file=sys.stderr)
                results.failures.setdefault(key, {})[who] = str(error)
                pairs.remove((key, who))
            else:
                results.add(key, who, row)
                print(f"{label} round {round_number}/{options.rounds}: {row['ms_min']:.4f} ms, {row['process_s']:.0f} s", file=sys.stderr)
            results.save()
        pairs = cap(options, results, pairs, end - time.monotonic(), options.rounds - round_number)
    measure_limits(options, results)
    results.save()


def main():
    options = parse_arguments()
    results = Results.resumed(options.json) if options.resume else Results(options.json)
    results.facts = {"rounds": options.rounds, "seconds": options.seconds, "missing": options.missing}
    try:
        measure_all(options, results)
    except KeyboardInterrupt:
        print("cut: what follows is what there was", file=sys.stderr)
    report.print_all(results.entries(), results.limits, options.rounds)
    for name, reason in options.missing.items():
        print(f"{name} is missing: {reason}.")
    if options.plots:
        plot.draw(results.entries(), results.limits, options.plots)
    if results.failures:
        sys.exit("somebody failed: see the notes")


if __name__ == "__main__":
    main()
