#!/usr/bin/env python3
"""Training steps of an embedding table beside PyTorch's EmbeddingBag with sparse gradients, some steps of each in turn.

Usage: python benchmarks/tables.py TABLE_STEPS [--rows 5000 500000 --width 100 --batch 32 --ids 4 --optimizers sgd adagrad --threads 2]

Prints the median milliseconds of a step of both and their ratio. TABLE_STEPS is the program of table_steps.cc; the Python needs PyTorch. Both
train mean(rows of the ids) -> one dense unit -> mean squared error. PyTorch's table has sparse=True: SGD and Adagrad update the rows of the batch
only. Adam of both updates the whole table.
"""

import argparse
import os
import statistics
import subprocess
import time

import torch

STEPS = 50


def peer(rows, width, batch, ids, optimizer):
    torch.manual_seed(1)
    is_sparse = optimizer != "adam"
    table, dense = torch.nn.EmbeddingBag(rows, width, mode="mean", sparse=is_sparse), torch.nn.Linear(width, 1)
    make = {"sgd": lambda p: torch.optim.SGD(p, lr=0.1), "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.1),
            "adam": lambda p: torch.optim.Adam(p)}[optimizer]
    optimizers = [make(table.parameters()), make(dense.parameters())]
    x, y = torch.randint(rows, (STEPS, batch, ids)), torch.rand(STEPS, batch, 1)

    def steps():
        start = time.perf_counter()
        for i in range(STEPS):
            for each in optimizers:
                each.zero_grad()
            torch.nn.functional.mse_loss(dense(table(x[i])), y[i]).backward()
            for each in optimizers:
                each.step()
        return 1e3 * (time.perf_counter() - start) / STEPS

    return steps


def compare(options, rows, optimizer):
    numbers = [rows, options.width, options.batch, options.ids]
    ours = subprocess.Popen([options.program, *map(str, numbers), optimizer, str(options.steps_per_execution)], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True, env={**os.environ, "CORNU_NUM_THREADS": str(options.threads)})
    theirs = peer(*numbers, optimizer)
    times = []
    for repeat in range(options.repeats + 1):
        ours.stdin.write("\n")
        ours.stdin.flush()
        both = float(ours.stdout.readline()), theirs()
        if repeat > 0:
            times.append(both)
    ours.stdin.close()
    ours.wait()
    cornu, torch_ms = (statistics.median(each) for each in zip(*times))
    print(f"{optimizer:8} {rows:>9,} x {options.width}: Cornu {cornu:9.4f} ms, PyTorch {torch.__version__} {torch_ms:9.4f} ms: "
          f"{torch_ms / cornu:.1f} times as fast", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rows", nargs="+", type=int, default=[5000, 500000])
    parser.add_argument("--optimizers", nargs="+", choices=["sgd", "adagrad", "adam"], default=["sgd", "adagrad"])
    for name, default in (("width", 100), ("batch", 32), ("ids", 4), ("steps-per-execution", 1), ("repeats", 7), ("threads", os.cpu_count())):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for optimizer in options.optimizers:
        for rows in options.rows:
            compare(options, rows, optimizer)


if __name__ == "__main__":
    main()
