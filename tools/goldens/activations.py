"""Activations by name: values and gradients."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

from golden import array, write


def main():
    names = ["celu", "elu", "exponential", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu", "linear", "log_sigmoid", "log_softmax",
             "mish", "relu", "relu6", "selu", "sigmoid", "silu", "softmax", "softplus", "softsign", "tanh"]
    random = np.random.default_rng(1)
    x = (random.normal(size=(5, 6)) * 3).astype(np.float32)
    x[0] = [-20.0, -0.01, 0.01, 20.0, -4.5, 4.5]
    weights = random.normal(size=x.shape).astype(np.float32)
    cases = []
    for name in names:
        function = keras.activations.get(name)
        gradient = jax.grad(lambda v, f=function: jnp.sum(f(v) * weights))(jnp.asarray(x))
        cases.append({"name": name, "y": array(function(x)), "gradient": array(gradient)})
    write("activations", {"x": array(x), "weights": array(weights), "cases": cases})
