"""Reuters and California housing: small files in the true formats (tests/data), and what real Keras makes of them."""

from unittest import mock

import keras
import numpy as np

from datasets import DATA, npz, object_array, save
from golden import array, write


def reuters_files():
    random = np.random.default_rng(46)
    lengths = random.integers(1, 12, 30)
    texts = object_array([[int(v) for v in np.minimum(random.zipf(1.5, n), 60)] for n in lengths])
    save(DATA / "reuters.npz", npz({"x": texts, "y": random.integers(0, 46, 30)}))
    cases = []
    for config in [{}, {"num_words": 20, "skip_top": 3, "test_split": 0.35}, {"maxlen": 8, "seed": 7}, {"oov_char": None, "start_char": None, "num_words": 12}]:
        with mock.patch("keras.src.datasets.reuters.get_file", lambda **_: str(DATA / "reuters.npz")):
            (x, y), (x_test, y_test) = keras.datasets.reuters.load_data(**config)
        cases.append({"config": config, "x_train": [list(map(int, r)) for r in x], "y_train": [int(v) for v in y],
                      "x_test": [list(map(int, r)) for r in x_test], "y_test": [int(v) for v in y_test]})
    return {"cases": cases, "label_names": list(keras.datasets.reuters.get_label_names())}


def housing_files():
    random = np.random.default_rng(8)
    x, y = random.normal(size=(620, 8)).astype(np.float32).round(2), random.integers(15000, 500000, 620).astype(np.float32)
    save(DATA / "california_housing.npz", npz({"x": x, "y": y}))
    cases = []
    for config in [{}, {"version": "small"}, {"test_split": 0.33, "seed": 5}]:
        with mock.patch("keras.src.datasets.california_housing.get_file", lambda *_, **__: str(DATA / "california_housing.npz")):
            (x, y), (x_test, y_test) = keras.datasets.california_housing.load_data(**config)
        cases.append({"config": config, "rows": [len(x), len(x_test)], "first": array(x[:2]), "last": array(x_test[-2:]), "y_train": array(y[:5]),
                      "y_test": array(y_test[-5:])})
    return cases


def main():
    write("file_datasets", {"reuters": reuters_files(), "california_housing": housing_files()})
