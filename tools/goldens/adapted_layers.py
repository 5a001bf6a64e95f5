"""Layers of preprocessing that adapt to data: Normalization with given values, with weights, and adapted."""

import functools

import keras
import numpy as np

import golden

random = np.random.default_rng(81)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random, gradients=False)


def normalization_cases():
    x2, x3 = normal(4, 3), normal(3, 2, 4)
    name = "Normalization"
    return [
        layer_case(name, {}, x2), layer_case(name, {"axis": None}, x2), layer_case(name, {"axis": [1, 2]}, x3), layer_case(name, {"axis": 1}, x3),
        layer_case(name, {"invert": True}, x3), layer_case(name, {"mean": 2.0, "variance": 4.0}, x2),
        layer_case(name, {"mean": [1.0, 2.0, 3.0], "variance": [1.0, 0.5, 0.0], "invert": True}, x2),
        layer_case(name, {"axis": [1, 2], "mean": [0.5, 1.0, 1.5, 2.0], "variance": [1.0, 2.0, 3.0, 4.0]}, x3),
    ]


def adapted():
    cases = []
    for axis in (-1, None, [1, 2], 1):
        data = normal(5, 2, 4) * 3 + 1
        layer = keras.layers.Normalization(axis=axis)
        layer.adapt(data)
        cases.append({"config": {"axis": axis}, "data": golden.array(data), "y": golden.array(layer(data)),
                      "weights": [golden.array(w) for w in layer.get_weights()[:2]]})
    return cases


def main():
    golden.write("adapted_layers", {"cases": normalization_cases(), "adapted": adapted()})
