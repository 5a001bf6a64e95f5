"""Regularizers: penalties and gradients. Constraints: projected weights."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

from golden import array, scalar, write


def main():
    random = np.random.default_rng(11)
    w = random.normal(size=(4, 3)).astype(np.float32)
    filters = random.normal(size=(2, 2, 3, 2)).astype(np.float32) * 2
    cases = []
    for name, config in [("L1", {}), ("L2", {}), ("L1L2", {"l1": 0.1, "l2": 0.3}), ("L1L2", {}), ("OrthogonalRegularizer", {}),
                         ("OrthogonalRegularizer", {"factor": 0.5, "mode": "columns"})]:
        made = getattr(keras.regularizers, name)(**config)
        cases.append({"name": name, "config": config, "result": scalar(made(jnp.asarray(w))),
                      "gradient": array(jax.grad(lambda v, f=made: f(v))(jnp.asarray(w)))})
    projected = []
    for name, config, x in [("MaxNorm", {"max_value": 1}, w), ("MaxNorm", {}, w * 3), ("MaxNorm", {"axis": [0, 1, 2]}, filters),
                            ("NonNeg", {}, w), ("UnitNorm", {}, w), ("UnitNorm", {"axis": 1}, w),
                            ("MinMaxNorm", {"min_value": 0.5, "max_value": 1.2}, w),
                            ("MinMaxNorm", {"min_value": 2.0, "max_value": 3.0, "rate": 0.3, "axis": [0, 1, 2]}, filters)]:
        made = getattr(keras.constraints, name)(**config)
        projected.append({"name": name, "config": config, "x": array(x), "y": array(made(jnp.asarray(x)))})
    write("regularizers", {"w": array(w), "regularizers": cases, "constraints": projected})
