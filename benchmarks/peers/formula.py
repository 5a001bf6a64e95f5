"""Weights and rows by formula, for checks that two libraries train the same network: what cli/workloads_golden_test.cc computes too."""
import math

import numpy as np

ROWS = 4


def scattered(count, salt):
    """Numbers from 0 to 2^32 - 1 that look random."""
    return (np.arange(count, dtype=np.uint64) * 2654435761 + salt * 40503 + 12345) % (1 << 32)


def weights(names_and_shapes):
    """Kernels of standard deviation 1 / sqrt(inputs), small biases, factors of normalizations about 1; in Keras's order and layouts."""
    values = []
    for salt, (name, shape) in enumerate(names_and_shapes):
        scale = 2 * math.sqrt(3 / math.prod(shape[:-1])) if len(shape) > 1 else 0.02
        middle = 1.0 if name in ("gamma", "moving_variance") else 0.0
        uniform = scattered(math.prod(shape), salt) / 4294967296.0
        values.append((middle + (uniform - 0.5) * scale).astype(np.float32).reshape(shape))
    return values


def data(workload):
    """xs, y as common.make_data gives them, of ROWS rows."""
    xs = []
    for index, (shape, ids) in enumerate(workload["inputs"]):
        numbers = scattered(ROWS * math.prod(shape), 1000 if index == 0 else 1001 + index).reshape(ROWS, *shape)
        xs.append((numbers % np.array(ids, np.uint64)).astype(np.int32) if ids else (numbers / 4294967296.0).astype(np.float32))
    if workload["classes"] == 0:
        return xs, xs[0]
    shape = (ROWS, *workload["label_shape"])
    y = scattered(math.prod(shape), 1001).reshape(shape) // 7 % max(2, workload["classes"])
    return xs, y.astype(np.float32 if workload["classes"] == 1 else np.int32)
