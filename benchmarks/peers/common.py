"""What the peers' scripts share: the workloads as facts, made data, and the measuring loop.

Each script trains one workload the way a good user of that library writes it, and prints one JSON line with the keys of
`cornu bench --json`. The values of the data do not matter for the time of a step.
"""
import argparse
import json
import resource
import time

import numpy as np

# Layers are (units, activation); "dropout" stands after a layer as its rate.
WORKLOADS = {
    "iris_mlp": dict(features=4, classes=3, rows=100, batch=20, optimizer=("adam", 0.1), loss="log_cosh",
                     layers=[(32, "relu", 0.0), (3, "softmax", 0.0)]),
    "mnist_mlp": dict(features=784, classes=10, rows=12800, batch=128, optimizer=("rmsprop", 0.001), loss="sparse_categorical_crossentropy",
                      layers=[(512, "relu", 0.2), (512, "relu", 0.2), (10, "softmax", 0.0)]),
}


def arguments(description, more_workloads=()):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("workload", choices=[*sorted(WORKLOADS), *more_workloads])
    parser.add_argument("--spe", type=int, default=1, help="steps per execution")
    parser.add_argument("--seconds", type=float, default=3.0, help="measuring time")
    return parser.parse_args()


def make_data(workload):
    """x (rows, features) float32, y (rows,) int32 class ids."""
    generator = np.random.default_rng(0)
    x = generator.random((workload["rows"], workload["features"]), dtype=np.float32)
    return x, generator.integers(0, workload["classes"], workload["rows"]).astype(np.int32)


def index_batches(rows, batch, seed=0):
    """Endless batches of shuffled row numbers."""
    generator = np.random.default_rng(seed)
    while True:
        order = generator.permutation(rows).astype(np.int32)
        for begin in range(0, rows - batch + 1, batch):
            yield order[begin:begin + batch]


def measure(run_steps, options, started, imported, **facts):
    """Times run_steps(n), n a multiple of the steps per execution, in three runs; prints the JSON line."""
    begin = time.perf_counter()
    run_steps(options.spe)
    first = time.perf_counter() - begin
    begin = time.perf_counter()
    run_steps(options.spe)
    one = max((time.perf_counter() - begin) / options.spe, 1e-6)
    steps = max(1, int(min(60000, options.seconds / 3 / one)) // options.spe) * options.spe
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        run_steps(steps)
        times.append((time.perf_counter() - begin) / steps * 1e3)
    print(json.dumps(dict(workload=options.workload, spe=options.spe, ms_step=sorted(times)[1], ms_min=min(times), first_fit_s=first,
                          import_s=imported - started, steps=3 * steps,
                          rss_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, **facts)))
