#!/usr/bin/env python3
"""Training steps of an embedding table beside PyTorch's EmbeddingBag with sparse gradients, some steps of each in turn.

Usage: python benchmarks/tables.py TABLE_STEPS [--rows 5000 500000 --width 100 --batch 32 --ids 4 --optimizers sgd adagrad --threads 2]

Prints the median milliseconds of a step of both and their ratio, and how long a simple loop takes to read and write the rows of a step in one
array ("rows"): a measure of rows that are not in the caches, but not a lower bound, since the engine reads several rows at once. TABLE_STEPS is the program of table_steps.cc; the
Python needs PyTorch. Both train mean(rows of the ids) -> one dense unit -> mean squared error. PyTorch's table has sparse=True for sgd, adagrad and
lazy_adam (SparseAdam), which update the rows of the batch only; its other optimizers update the whole table, since they take no sparse gradients.
"""

import argparse
import os
import statistics
import subprocess
import time

import torch

STEPS = 50
OPTIMIZERS = [lazy + name for lazy in ("", "lazy_") for name in ("sgd", "momentum", "adagrad", "rmsprop", "adam")]
SPARSE = ("sgd", "adagrad", "lazy_sgd", "lazy_adagrad", "lazy_adam")


def peer(rows, width, batch, ids, optimizer):
    torch.manual_seed(1)
    is_sparse = optimizer in SPARSE
    table, dense = torch.nn.EmbeddingBag(rows, width, mode="mean", sparse=is_sparse), torch.nn.Linear(width, 1)
    kind = optimizer.removeprefix("lazy_")
    make = {"sgd": lambda p: torch.optim.SGD(p, lr=0.1), "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
            "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.1), "rmsprop": lambda p: torch.optim.RMSprop(p),
            "adam": lambda p: torch.optim.Adam(p)}[kind]
    make_sparse = (lambda p: torch.optim.SparseAdam(list(p))) if optimizer == "lazy_adam" else make
    optimizers = [make_sparse(table.parameters()), make(dense.parameters())]
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


def start(options, rows, optimizer):
    numbers = [rows, options.width, options.batch, options.ids]
    return subprocess.Popen([options.program, *map(str, numbers), optimizer, str(options.steps_per_execution)], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True, env={**os.environ, "CORNU_NUM_THREADS": str(options.threads)})


def next_time(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def compare(options, rows, optimizer):
    ours, alone = start(options, rows, optimizer), start(options, rows, "rows")
    theirs = peer(rows, options.width, options.batch, options.ids, optimizer)
    times = [(next_time(ours), next_time(alone), theirs()) for _ in range(options.repeats + 1)][1:]
    for process in (ours, alone):
        process.stdin.close()
        process.wait()
    cornu, rows_ms, torch_ms = (statistics.median(each) for each in zip(*times))
    print(f"{optimizer:13} {rows:>9,} x {options.width}: Cornu {cornu:9.4f} ms (rows {rows_ms:.4f} ms), PyTorch {torch.__version__} {torch_ms:9.4f} ms: "
          f"{torch_ms / cornu:.1f} times as fast", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rows", nargs="+", type=int, default=[5000, 500000])
    parser.add_argument("--optimizers", nargs="+", choices=OPTIMIZERS, default=["sgd", "adagrad", "lazy_adam"])
    for name, default in (("width", 100), ("batch", 32), ("ids", 4), ("steps-per-execution", 1), ("repeats", 7), ("threads", os.cpu_count())):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for optimizer in options.optimizers:
        for rows in options.rows:
            compare(options, rows, optimizer)


if __name__ == "__main__":
    main()
