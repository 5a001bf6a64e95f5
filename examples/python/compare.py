#!/usr/bin/env python3
"""Runs the programs of this folder on JAX's CPU backend and on Cornu, and compares losses and time.

    python examples/python/compare.py [PROGRAM ...]      # such as iris or "networks mnist_cnn"

Exits with 1 if a loss differs by more than a hundredth, relatively, in the first epoch, or a program fails on Cornu.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
NETWORKS = ("mnist_mlp", "mnist_cnn", "cifar10_cnn", "imdb_fasttext", "imdb_bilstm", "lstm_textgen", "cifar_2m", "cifar_10m")
PROGRAMS = ("iris", "guide", *(f"networks {name}" for name in NETWORKS), "cnn", "lstm", "transformer", "train_step")


def run(program, platform):
    """Losses of the epochs and seconds, start to end."""
    environment = dict(os.environ, JAX_PLATFORMS=platform, KERAS_BACKEND="jax")
    start = time.perf_counter()
    name, *arguments = program.split()
    done = subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *arguments], env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{program} failed on {platform}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return [float(loss) for loss in re.findall(r"(?<!val_)loss: ([0-9.e+-]+)", done.stdout)], seconds


def main():
    is_equal = True
    print(f"{'program':22} {'first loss':>22} {'last loss':>22} {'seconds':>16}")
    for program in sys.argv[1:] or PROGRAMS:
        (cpu, cpu_seconds), (own, own_seconds) = run(program, "cpu"), run(program, "cornu")
        fits = len(cpu) == len(own) > 0 and abs(cpu[0] - own[0]) <= 0.01 * abs(cpu[0])
        is_equal &= fits
        print(f"{program:22} {cpu[0]:10.5f} / {own[0]:9.5f} {cpu[-1]:10.5f} / {own[-1]:9.5f} "
              f"{cpu_seconds:7.1f} / {own_seconds:6.1f}{'' if fits else '   DIFFERENT'}", flush=True)
    sys.exit(0 if is_equal else 1)


if __name__ == "__main__":
    main()
