"""The layers of common.WORKLOADS as plain functions on arrays, for jax_peer.py: make(...) gives a layer's parameters and its function
(parameters, key, x) -> x."""
import math

import jax
import jax.numpy as jnp
import numpy as np

GENERATOR = np.random.default_rng(0)


def weights(*shape):
    fan_in = math.prod(shape[:-1])
    return jnp.asarray(GENERATOR.standard_normal(shape, dtype=np.float32) / math.sqrt(fan_in))


def conv(parameters, _, x, padding):
    kernel, bias = parameters
    return jax.nn.relu(jax.lax.conv_general_dilated(x, kernel, (1, 1), padding.upper(), dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias)


def pool(_, __, x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def dropout(_, key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def lstm(parameters, x, backwards=False):
    kernel, recurrent, bias = parameters
    units = recurrent.shape[0]

    def step(state, gates):
        h, c = state
        i, f, g, o = jnp.split(gates + h @ recurrent, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    zeros = jnp.zeros((x.shape[0], units))
    (h, _), _ = jax.lax.scan(step, (zeros, zeros), jnp.swapaxes(x @ kernel + bias, 0, 1), reverse=backwards)
    return h


def lstm_weights(inputs, units):
    return weights(inputs, 4 * units), weights(units, 4 * units), jnp.zeros(4 * units)


def make(kind, arguments, shape, workload):
    """Parameters, function and the shape of a row afterwards."""
    if kind == "dense":
        units, activation = arguments
        act = jax.nn.relu if activation == "relu" else lambda x: x  # the losses take logits
        return (weights(shape[0], units), jnp.zeros(units)), lambda p, _, x: act(x @ p[0] + p[1]), (units,)
    if kind == "conv":
        filters, padding = arguments
        cut = 2 if padding == "valid" else 0
        return ((weights(3, 3, shape[2], filters), jnp.zeros(filters)), lambda p, key, x: conv(p, key, x, padding),
                (shape[0] - cut, shape[1] - cut, filters))
    if kind == "pool":
        return (), pool, (shape[0] // 2, shape[1] // 2, shape[2])
    if kind == "flatten":
        return (), lambda _, __, x: x.reshape(x.shape[0], -1), (math.prod(shape),)
    if kind == "dropout":
        return (), lambda _, key, x: dropout(_, key, x, arguments[0]), shape
    if kind == "embedding":
        return (weights(workload["inputs"][0][1], arguments[0]) * 0.05,), lambda p, _, x: p[0][x], (shape[0], arguments[0])
    if kind == "mean":
        return (), lambda _, __, x: x.mean(1), (shape[1],)
    if kind == "lstm":
        return lstm_weights(shape[1], arguments[0]), lambda p, _, x: lstm(p, x), (arguments[0],)
    both = (lstm_weights(shape[1], arguments[0]), lstm_weights(shape[1], arguments[0]))
    return both, lambda p, _, x: jnp.concatenate([lstm(p[0], x), lstm(p[1], x, backwards=True)], -1), (2 * arguments[0],)
