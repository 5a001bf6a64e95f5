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
    return dict(inputs=[(shape, ids)], classes=classes, label_shape=(), rows=rows, batch=batch, optimizer=(optimizer, learning_rate), layers=layers,
                loss=loss, l2=l2, logits=layers[-1][2] is None)


def network(inputs, classes, rows, batch, optimizer="adam", label_shape=(), learning_rate=0.001, logits=False):
    """What keras_family.py and torch_family.py write layer by layer; `inputs`: (shape, ids) of each, ids a number
    or one for each column, which then follow Zipf's law; classes 0: reconstructs its input."""
    return dict(inputs=inputs, classes=classes, label_shape=label_shape, rows=rows, batch=batch, optimizer=(optimizer, learning_rate), layers=None,
                loss="crossentropy", l2=0.0, logits=logits)


CRITEO_IDS = [1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992, 5461306, 10, 5652, 2173, 4, 7046547, 18,
              15, 286181, 105, 142572]  # in the columns of Criteo's data for Kaggle


def criteo_dlrm(most_rows, rows):
    """Facebook's DLRM with the sizes of its script for that data, tables of at most `most_rows` rows."""
    tables = tuple(min(ids, most_rows) for ids in CRITEO_IDS)
    return network([((13,), 0), ((len(tables),), tables)], 1, rows, 2048, "sgd", learning_rate=0.1)


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
FAMILY = {
    "conv_autoencoder": network([(PICTURE, 0)], 0, 1280, 128),
    "dense_layernorm": network([((1024,), 0)], 10, 2560, 256),
    "unet": network([((64, 64, 3), 0)], 3, 160, 16, label_shape=(64, 64)),
    "vae": network([((784,), 0)], 0, 12800, 128),
    "text_transformer": network([((128,), 20000)], 1, 640, 32),
    "vision_transformer": network([(PHOTO, 0)], 10, 1280, 64),
    "char_gpt": network([((128,), 96)], 96, 640, 32, "adamw", label_shape=(128,), logits=True),
    "dilated_conv1d": network([((512, 8), 0)], 10, 640, 32),
    "depthwise_cnn": network([(PHOTO, 0)], 10, 1280, 64, "rmsprop"),
    "resnet20": network([(PHOTO, 0)], 10, 1280, 128, "momentum", learning_rate=0.1),
    "squeeze_excitation_cnn": network([(PHOTO, 0)], 10, 1280, 64, "rmsprop"),
    "gru_stack": network([((64, 32), 0)], 10, 1280, 64),
    "dlrm": network([((13,), 0), ((8,), 10000)], 1, 5120, 256),
    "wide_deep": network([((8,), 0), ((10,), 20000)], 1, 10240, 512),
    "criteo_dlrm_small": criteo_dlrm(2000, 40960),
}
LARGE = {
    "criteo_dlrm": criteo_dlrm(2000000, 204800),
    "resnet50": network([((224, 224, 3), 0)], 1000, 64, 16, "momentum", learning_rate=0.1),
    "efficientnetb0": network([((224, 224, 3), 0)], 1000, 64, 16),
}
APPLICATIONS = ("resnet50", "efficientnetb0")  # of keras.applications
NETWORKS = {**FAMILY, **LARGE}  # what keras_family.py and torch_family.py write


def arguments(description, more_workloads=(), **flags):
    """`flags`: name=help of more options that are on or off."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("workload", choices=[*sorted(WORKLOADS), *more_workloads])
    parser.add_argument("--spe", type=int, default=1, help="steps per execution")
    parser.add_argument("--seconds", type=float, default=3.0, help="measuring time")
    for name, text in flags.items():
        parser.add_argument(f"--{name}", action="store_true", help=text)
    return parser.parse_args()


def facts(name):
    return WORKLOADS.get(name) or NETWORKS[name]


def random_ids(generator, ids, size):
    """Uniform ones below `ids`; where each column has its number, by Zipf's law: id i occurs about 1 / (i + 1) times as often as id 0."""
    if isinstance(ids, int):
        return generator.integers(0, ids, size).astype(np.int32)
    numbers = np.array(ids, np.float64)
    return np.minimum((numbers + 1) ** generator.random(size) - 1, numbers - 1).astype(np.int32)


def make_data(workload):
    """xs, a list of (rows, ...) float32 or int32; y (rows, ...): int32 class ids, float32 for one class, the first x for none."""
    generator = np.random.default_rng(0)
    rows, classes = workload["rows"], workload["classes"]
    xs = [random_ids(generator, ids, (rows, *shape)) if ids else generator.random((rows, *shape), dtype=np.float32)
          for shape, ids in workload["inputs"]]
    if classes == 0:
        return xs, xs[0]
    y = generator.integers(0, max(2, classes), (rows, *workload["label_shape"]))
    return xs, y.astype(np.float32 if classes == 1 else np.int32)


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
