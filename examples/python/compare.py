#!/usr/bin/env python3
"""Runs the programs of this folder on JAX's CPU backend and on Cornu, and compares losses and time.

    python examples/python/compare.py [--rounds N] [PROGRAM ...]      # such as iris or "networks mnist_cnn"

Seconds are from the start of Python to its end, the median of the rounds: on JAX's CPU backend, on Cornu with an empty cache of code, and on
Cornu again. Exits with 1 if a loss differs by more than a hundredth, relatively, in the first epoch, or a program fails on Cornu.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
NETWORKS = ("mnist_mlp", "mnist_cnn", "cifar10_cnn", "imdb_fasttext", "imdb_bilstm", "lstm_textgen", "cifar_2m", "cifar_10m")
PROGRAMS = ("iris", "guide", *(f"networks {name}" for name in NETWORKS), "cnn", "lstm", "transformer", "train_step")


def run(program, platform, cache):
    """Losses of the epochs and seconds, start to end."""
    environment = dict(os.environ, JAX_PLATFORMS=platform, KERAS_BACKEND="jax", CORNU_CACHE_DIR=cache)
    start = time.perf_counter()
    name, *arguments = program.split()
    done = subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *arguments], env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{program} failed on {platform}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return [float(loss) for loss in re.findall(r"(?<!val_)loss: ([0-9.e+-]+)", done.stdout)], seconds


def compare(program, rounds):
    """Prints a line; whether the losses of the first epoch agree."""
    times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            runs = [run(program, platform, cache) for platform in ("cpu", "cornu", "cornu")]
        times.append([seconds for _, seconds in runs])
    cpu, own = runs[0][0], runs[1][0]
    agree = len(cpu) == len(own) > 0 and abs(cpu[0] - own[0]) <= 0.01 * abs(cpu[0])
    jax_seconds, first, again = (statistics.median(column) for column in zip(*times))
    print(f"{program:22} {cpu[0]:10.5f} / {own[0]:9.5f} {cpu[-1]:10.5f} / {own[-1]:9.5f} {jax_seconds:8.2f} / {first:6.2f} / {again:6.2f}"
          f"   ratio {first / jax_seconds:.2f} / {again / jax_seconds:.2f}{'' if agree else '   DIFFERENT'}", flush=True)
    return agree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", default=PROGRAMS)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    print(f"{'program':22} {'first loss':>22} {'last loss':>22}  seconds: JAX / Cornu, empty cache / Cornu again")
    agree = [compare(program, options.rounds) for program in options.programs]
    sys.exit(0 if all(agree) else 1)


if __name__ == "__main__":
    main()
