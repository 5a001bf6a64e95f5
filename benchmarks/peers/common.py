"""What the peers' scripts share: the workloads as facts, made data, and the measuring loop.

Each script trains one workload the way a good user of that library writes it, and prints one JSON line with the keys of
`cornu bench --json`. The values of the data do not matter for the time of a step.
"""
import argparse
import json
import resource
import time

import numpy as np


def dense(units, activation=None):
    return ("dense", units, activation)


def conv(filters, padding="valid"):
    """Three by three, relu."""
    return ("conv", filters, padding)


POOL, FLATTEN, MEAN = ("pool",), ("flatten",), ("mean",)  # maximum of 2 x 2; mean over the steps


def drop(rate):
    return ("dropout", rate)


def cifar(first, units):
    return [conv(first, "same"), conv(first, "same"), POOL, conv(2 * first, "same"), conv(2 * first, "same"), POOL, FLATTEN,
            dense(units, "relu"), dense(10, "softmax")]


def workload(shape, classes, rows, batch, optimizer, layers, loss="crossentropy", ids=0, l2=0.0, learning_rate=0.001):
    """`shape` of a row; `ids`: rows are ids below it; classes 1: labels are 0 or 1. A last layer without softmax gives logits."""
    return dict(shape=shape, classes=classes, rows=rows, batch=batch, optimizer=(optimizer, learning_rate), layers=layers, loss=loss, ids=ids, l2=l2)


PICTURE, PHOTO = (28, 28, 1), (32, 32, 3)
WORKLOADS = {
    "iris_mlp": workload((4,), 3, 100, 20, "adam", [dense(32, "relu"), dense(3, "softmax")], loss="log_cosh", learning_rate=0.1),
    "mnist_tpu_cnn": workload(PICTURE, 10, 1000, 200, "adam",
                              [conv(256), conv(256), FLATTEN, dense(256, "relu"), dense(128, "relu"), dense(10)], l2=1e-5),
    "mnist_mlp": workload((784,), 10, 12800, 128, "rmsprop",
                          [dense(512, "relu"), drop(0.2), dense(512, "relu"), drop(0.2), dense(10, "softmax")]),
    "mnist_cnn": workload(PICTURE, 10, 2560, 128, "adadelta",
                          [conv(32), conv(64), POOL, drop(0.25), FLATTEN, dense(128, "relu"), drop(0.5), dense(10, "softmax")]),
    "cifar10_cnn": workload(PHOTO, 10, 1280, 32, "rmsprop",
                            [conv(32, "same"), conv(32), POOL, drop(0.25), conv(64, "same"), conv(64), POOL, drop(0.25), FLATTEN,
                             dense(512, "relu"), drop(0.5), dense(10, "softmax")], learning_rate=1e-4),
    "imdb_fasttext": workload((400,), 1, 3200, 32, "adam", [("embedding", 50), MEAN, dense(1, "sigmoid")], ids=20000),
    "imdb_bilstm": workload((100,), 1, 640, 32, "adam", [("embedding", 128), ("bilstm", 64), drop(0.5), dense(1, "sigmoid")], ids=20000),
    "lstm_textgen": workload((40, 57), 57, 2560, 128, "rmsprop", [("lstm", 128), dense(57, "softmax")], learning_rate=0.01),
    "cifar_2m_b32": workload(PHOTO, 10, 1280, 32, "adam", cifar(32, 512)),
    "cifar_2m_b256": workload(PHOTO, 10, 2560, 256, "adam", cifar(32, 512)),
    "cifar_10m_b32": workload(PHOTO, 10, 1280, 32, "adam", cifar(64, 1200)),
    "cifar_10m_b256": workload(PHOTO, 10, 2560, 256, "adam", cifar(64, 1200)),
}


def arguments(description, more_workloads=()):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("workload", choices=[*sorted(WORKLOADS), *more_workloads])
    parser.add_argument("--spe", type=int, default=1, help="steps per execution")
    parser.add_argument("--seconds", type=float, default=3.0, help="measuring time")
    return parser.parse_args()


def make_data(workload):
    """x (rows, ...) float32 or int32, y (rows,): int32 class ids, or float32 for one class."""
    generator = np.random.default_rng(0)
    shape = (workload["rows"], *workload["shape"])
    x = generator.integers(0, workload["ids"], shape).astype(np.int32) if workload["ids"] else generator.random(shape, dtype=np.float32)
    y = generator.integers(0, max(2, workload["classes"]), workload["rows"])
    return x, y.astype(np.float32 if workload["classes"] == 1 else np.int32)


def index_batches(rows, batch, seed=0):
    """Endless batches of shuffled row numbers."""
    generator = np.random.default_rng(seed)
    while True:
        order = generator.permutation(rows).astype(np.int32)
        for begin in range(0, rows - batch + 1, batch):
            yield order[begin:begin + batch]


def measure(run_steps, options, started, imported, **facts):
    """Times run_steps(n), n a multiple of the steps per execution, in three runs; prints the JSON line.

    Where one execution takes longer than all the time there is, the second one, which the others are planned by, is the measurement."""
    begin = time.perf_counter()
    run_steps(options.spe)
    first = time.perf_counter() - begin
    begin = time.perf_counter()
    run_steps(options.spe)
    one = max((time.perf_counter() - begin) / options.spe, 1e-6)
    is_enough = one * options.spe >= options.seconds
    steps = max(1, int(min(60000, options.seconds / 3 / one)) // options.spe) * options.spe
    times = [one * 1e3] if is_enough else []
    for _ in range(0 if is_enough else 3):
        begin = time.perf_counter()
        run_steps(steps)
        times.append((time.perf_counter() - begin) / steps * 1e3)
    print(json.dumps(dict(workload=options.workload, spe=options.spe, ms_step=sorted(times)[len(times) // 2], ms_min=min(times), first_fit_s=first,
                          import_s=imported - started, steps=options.spe if is_enough else 3 * steps,
                          rss_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, **facts)))
