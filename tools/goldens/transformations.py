"""Writes tests/goldens/transformations.json: keras.ops.associative_scan, vectorized_map, jvp, rearrange, polar and view.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py transformations
"""

import json
import pathlib

import jax
import keras
import numpy as np
from keras import ops

PATH = pathlib.Path(__file__).resolve().parents[2] / "tests/goldens/transformations.json"


def numbers(x):
    x = np.asarray(x)
    return {"shape": list(x.shape), "data": [float(value) for value in x.ravel()]}


def scans(rng):
    cases = []
    for shape, axis, reverse in (((7,), 0, False), ((8, 2), 0, True), ((2, 5), 1, False), ((3, 6), 1, True), ((1, 2), 0, False)):
        x = rng.uniform(0.5, 1.5, shape).astype("float32")
        for name, f in (("add", ops.add), ("multiply", ops.multiply)):
            cases.append({"f": name, "axis": axis, "reverse": reverse, "x": numbers(x),
                          "result": numbers(ops.associative_scan(f, ops.array(x), axis=axis, reverse=reverse))})
    matrices = rng.uniform(-1, 1, (6, 2, 2)).astype("float32")
    cases.append({"f": "matmul", "axis": 0, "reverse": False, "x": numbers(matrices),
                  "result": numbers(ops.associative_scan(ops.matmul, ops.array(matrices)))})
    return cases


def recurrence(rng):
    """y[t] = a[t] y[t - 1] + b[t], as a scan of pairs."""
    a, b = rng.uniform(0.5, 1, (2, 9)).astype("float32")

    def combine(x, y):
        return x[0] * y[0], x[1] * y[0] + y[1]

    _, result = ops.associative_scan(combine, (ops.array(a), ops.array(b)))
    return {"a": numbers(a), "b": numbers(b), "result": numbers(result)}


def jvps(rng):
    x, direction = rng.uniform(-1, 1, (2, 3, 4)).astype("float32")
    w, w_direction = rng.uniform(-1, 1, (2, 4, 2)).astype("float32")
    plain = ops.jvp(lambda x: ops.sin(x) * ops.exp(x), (ops.array(x),), (ops.array(direction),))
    layer = ops.jvp(lambda x, w: ops.tanh(ops.matmul(x, w)), (ops.array(x), ops.array(w)), (ops.array(direction), ops.array(w_direction)))
    return {"x": numbers(x), "direction": numbers(direction), "w": numbers(w), "w_direction": numbers(w_direction),
            "plain": [numbers(each) for each in plain], "layer": [numbers(each) for each in layer]}


def rearrangements(rng):
    x = rng.uniform(-1, 1, (2, 4, 6, 3)).astype("float32")
    cases = []
    for pattern, lengths in (("b h w c -> b c h w", {}), ("b h w c -> h (b w) c", {}), ("b (h1 h) (w1 w) c -> (b h1 w1) h w c", {"h1": 2, "w1": 3}),
                             ("b (h p) (w q) c -> b h w (c p q)", {"p": 2, "q": 2})):
        cases.append({"pattern": pattern, "lengths": lengths, "result": numbers(ops.rearrange(ops.array(x), pattern, **lengths))})
    return {"x": numbers(x), "cases": cases}


def views():
    x = np.array([[1.0, -2.5, 3e-40, 1e30]], "float32")
    return {"x": numbers(x), "int32": numbers(ops.view(ops.array(x), "int32")), "uint8": numbers(ops.view(ops.array(x), "uint8")),
            "back": numbers(ops.view(ops.view(ops.array(x), "uint8"), "float32"))}


def polars(rng):
    size, angle = rng.uniform(0, 3, (2, 2, 3)).astype("float32")
    result = np.asarray(ops.polar(ops.array(size), ops.array(angle)))
    return {"abs": numbers(size), "angle": numbers(angle), "real": numbers(result.real), "imag": numbers(result.imag)}


def mapped(rng):
    x, y = rng.uniform(-1, 1, (2, 4, 3)).astype("float32")
    result = ops.vectorized_map(lambda row: ops.sum(row[0] * row[1]), (ops.array(x), ops.array(y)))
    return {"x": numbers(x), "y": numbers(y), "result": numbers(result)}


def main():
    rng = np.random.default_rng(51)
    golden = {"made_by": f"keras {keras.__version__}, jax {jax.__version__}", "scan": scans(rng), "recurrence": recurrence(rng), "jvp": jvps(rng),
              "rearrange": rearrangements(rng), "view": views(), "polar": polars(rng), "map": mapped(rng)}
    PATH.write_text(json.dumps(golden) + "\n")
