"""Layers in f16 and bf16, and in them on f32 weights: outputs and gradients of the weights."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

from golden import write
from rnn_layers import array

RANDOM = np.random.default_rng(97)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def half_case(name, config, x, dtype):
    keras.utils.clear_session()
    made = getattr(keras.layers, name)(dtype=dtype, **config)
    made.build(x.shape)
    for weight in made.weights:
        value = (0.7 * RANDOM.normal(size=weight.shape)).round(3)
        weight.assign(np.abs(value) if "variance" in weight.name else value)
    weights = [jnp.asarray(w.value) for w in made.weights]
    narrow = dtype.removeprefix("mixed_")
    inputs = jnp.asarray(x, x.dtype if x.dtype.kind == "i" else narrow)

    def run(weight_values):
        with keras.src.backend.StatelessScope(list(zip(made.weights, weight_values))):
            return made(inputs)

    y = run(weights)
    cotangent = jnp.asarray(RANDOM.normal(size=y.shape).round(3), narrow)
    gradients = jax.grad(lambda values: jnp.sum((run(values) * cotangent).astype(jnp.float32)))(weights)
    wide = lambda value: array(np.asarray(value.astype(jnp.float32)))
    return {"layer": name, "config": config, "dtype": dtype, "input": array(x), "output_dtype": str(y.dtype), "y": wide(y),
            "cotangent": wide(cotangent), "weights": [{"name": v.name, "dtype": str(v.dtype), "value": wide(w)} for v, w in zip(made.weights, weights)],
            "weight_gradients": [wide(g) for g in gradients]}


def halves():
    x, sequence, image = normal(3, 4), normal(2, 4, 3), normal(2, 4, 4, 2)
    ids = np.array([[1, 0, 3], [3, 3, 2]], np.int32)
    kinds = [
        ("Dense", {"units": 3, "activation": "tanh"}, x), ("Conv1D", {"filters": 2, "kernel_size": 3, "padding": "causal"}, sequence),
        ("Conv2D", {"filters": 3, "kernel_size": 2, "activation": "relu"}, image), ("Conv2DTranspose", {"filters": 2, "kernel_size": 2, "strides": 2}, image),
        ("DepthwiseConv2D", {"kernel_size": 2}, image), ("SeparableConv2D", {"filters": 2, "kernel_size": 2}, image),
        ("Embedding", {"input_dim": 4, "output_dim": 3}, ids), ("BatchNormalization", {}, x), ("LayerNormalization", {}, x),
        ("GroupNormalization", {"groups": 2}, x),
        # JAX has no orthogonal halves.
        *[(name, {"units": 2, "recurrent_initializer": "zeros"}, sequence) for name in ["LSTM", "GRU", "SimpleRNN"]],
    ]
    policies = [["float16", "bfloat16"], ["mixed_float16", "mixed_bfloat16"]]
    return [half_case(*kind, policy) for names in policies for kind in kinds for policy in names]


def main():
    write("half_layers", {"cases": halves()})
