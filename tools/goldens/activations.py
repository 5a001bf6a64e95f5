"""Activations by name: values and gradients."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

from golden import array, write


def sparsemax(x, axis=-1):
    """The projection onto the probability simplex (Martins and Astudillo, 2016), from sorted values. The one of Keras 3.15 is another
    function where several values are positive: its results do not add up to 1."""
    ordered = -jnp.sort(-x, axis=axis)
    sums = jnp.cumsum(ordered, axis=axis)
    counts = jnp.arange(1, x.shape[axis] + 1).reshape([-1 if a == axis % x.ndim else 1 for a in range(x.ndim)])
    size = jnp.sum(1 + counts * ordered > sums, axis=axis, keepdims=True)
    threshold = (jnp.take_along_axis(sums, size - 1, axis=axis) - 1) / size
    return jnp.maximum(x - threshold, 0)


def main():
    names = ["celu", "elu", "exponential", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu", "linear", "log_sigmoid", "log_softmax",
             "mish", "gelu", "glu", "hard_shrink", "soft_shrink", "sparse_plus", "sparse_sigmoid", "sparsemax", "squareplus",
             "tanh_shrink", "relu", "relu6", "selu", "sigmoid", "silu", "softmax", "softplus", "softsign", "tanh"]
    random = np.random.default_rng(1)
    x = (random.normal(size=(5, 6)) * 3).astype(np.float32)
    x[0] = [-20.0, -0.01, 0.01, 20.0, -4.5, 4.5]
    weights = random.normal(size=x.shape).astype(np.float32)
    cases = []
    for name in names:
        function = sparsemax if name == "sparsemax" else keras.activations.get(name)
        gradient = jax.grad(lambda v, f=function: jnp.sum(f(v) * weights[:, :f(v).shape[1]]))(jnp.asarray(x))
        cases.append({"name": name, "y": array(function(x)), "gradient": array(gradient)})
    options = [("gelu", {"approximate": True}), ("relu", {"negative_slope": 0.1, "max_value": 2.0, "threshold": 0.5}),
               ("relu", {"max_value": 3.0}), ("relu", {"negative_slope": 0.3}), ("leaky_relu", {"negative_slope": 0.4}), ("elu", {"alpha": 0.5}),
               ("celu", {"alpha": 0.5}), ("hard_shrink", {"threshold": 1.5}), ("soft_shrink", {"threshold": 1.5}), ("sparsemax", {"axis": 0}),
               ("squareplus", {"b": 2}), ("threshold", {"threshold": 0.5, "default_value": -1.0}), ("glu", {"axis": 1})]
    for name, config in options:
        cases.append({"name": name, "config": config, "y": array((sparsemax if name == "sparsemax" else getattr(keras.activations, name))(jnp.asarray(x), **config))})
    write("activations", {"x": array(x), "weights": array(weights), "cases": cases})
