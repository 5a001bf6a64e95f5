"""Layers of adaptive pooling: as conv_layers.py, with windows of one size and of several, which share elements."""

import functools

import numpy as np

import golden
from golden import write

random = np.random.default_rng(43)
FIRST = {"data_format": "channels_first"}
layer_case = functools.partial(golden.layer_case, random)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


def main():
    sequence, image, volume = normal(2, 7, 3), normal(1, 6, 5, 2), normal(1, 4, 5, 2, 2)
    cases = []
    for kind in ("Max", "Average"):
        cases += [
            layer_case(f"Adaptive{kind}Pooling1D", {"output_size": 3}, sequence),
            layer_case(f"Adaptive{kind}Pooling1D", {"output_size": [2], **FIRST}, normal(2, 3, 8)),
            layer_case(f"Adaptive{kind}Pooling2D", {"output_size": [2, 3]}, image),
            layer_case(f"Adaptive{kind}Pooling2D", {"output_size": 2, **FIRST}, normal(2, 2, 4, 6)),
            layer_case(f"Adaptive{kind}Pooling2D", {"output_size": [6, 5]}, image),
            layer_case(f"Adaptive{kind}Pooling3D", {"output_size": [2, 3, 1]}, volume),
            layer_case(f"Adaptive{kind}Pooling3D", {"output_size": 2, "activity_regularizer": "l2", **FIRST}, normal(1, 1, 3, 4, 5)),
        ]
    write("adaptive_pooling_layers", {"cases": cases})
