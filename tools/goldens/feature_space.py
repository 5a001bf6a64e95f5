#!/usr/bin/env python3
"""Writes tests/goldens/feature_space.json and tests/data/keras/feature_space.keras: what Keras's FeatureSpaces return, which
cornu/keras/feature_space/feature_space_test.cc reads.

They run on TensorFlow alone: needs keras and tensorflow-cpu (2.21). Usage: KERAS_BACKEND=tensorflow feature_space.py"""
import json
import os
import pathlib

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf
from keras.utils import FeatureSpace

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNT = 100


def table(random):
    cities, jobs = np.array(["Rome", "Oslo", "Lima", "Bern"]), np.array(["cook", "smith", "baker"])
    return {"age": random.integers(18, 80, COUNT).astype("float32"), "income": random.normal(3e4, 8e3, COUNT).astype("float32"),
            "rooms": random.integers(0, 6, COUNT).astype("int32"), "zip": random.integers(0, 1000, COUNT).astype("int32"),
            "city": cities[random.integers(0, 4, COUNT)], "job": jobs[random.integers(0, 3, COUNT)]}


def values(array):
    array = np.asarray(array)
    kind = "string" if array.dtype.kind in "US" else array.dtype.name
    data = [float(f"{v:.9g}") for v in array.ravel().tolist()] if array.dtype.kind == "f" else array.ravel().tolist()
    return {"shape": list(array.shape), "data": data, "dtype": kind}


def space(mode):
    f = FeatureSpace
    as_ints = {"output_mode": "int"} if mode == "dict" else {}
    features = {"age": f.float_discretized(5, **as_ints), "income": "float_normalized", "rooms": f.integer_categorical(max_tokens=5, **as_ints),
                "zip": f.integer_hashed(7, **as_ints), "city": f.string_categorical(num_oov_indices=2, **as_ints), "job": "string_hashed"}
    crosses = [f.cross(("city", "job"), 6, output_mode="int" if mode == "dict" else "one_hot"), ("rooms", "city")]
    return f(features=features, output_mode=mode, crosses=crosses, crossing_dim=9, hashing_dim=4)


def numbers():
    f = FeatureSpace
    return f(features={"age": "float", "income": f.float_rescaled(scale=1e-4, offset=-3.0), "rooms": "integer_categorical"}, output_mode="concat")


def called(made, rows):
    result = made({name: column if column.dtype.kind != "U" else column.tolist() for name, column in rows.items()})
    one = made({name: column[0] if column.dtype.kind != "U" else str(column[0]) for name, column in rows.items()})
    if isinstance(result, dict):
        return {"names": list(result), "rows": [values(v) for v in result.values()], "one": [values(v) for v in one.values()]}
    return {"rows": values(result), "one": values(one)}


def main():
    random = np.random.default_rng(21)
    data, new = table(random), {name: column[:8] for name, column in table(random).items()}
    new["city"][0], new["rooms"][1], new["income"][2] = "Kiev", 77, 1e5
    content = {"made_by": f"keras {keras.__version__}, tensorflow {tf.__version__}", "table": {n: values(c) for n, c in data.items()},
               "new": {n: values(c) for n, c in new.items()}, "spaces": {}}
    for mode in ("concat", "dict"):
        made = space(mode)
        made.adapt({name: column if column.dtype.kind != "U" else column.tolist() for name, column in data.items()})
        content["spaces"][mode] = called(made, new)
        if mode == "concat":
            made.save(ROOT / "tests/data/keras/feature_space.keras")
    made = numbers()
    made.adapt({name: data[name] for name in made.features})
    content["spaces"]["numbers"] = called(made, {name: new[name] for name in made.features})
    path = ROOT / "tests/goldens/feature_space.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
