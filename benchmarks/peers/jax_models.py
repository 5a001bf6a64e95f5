"""Models for jax_plugin.py: each function makes (weights, logits, shape of a batch) from a key, in plain JAX or flax."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn


def keys_of(key):
    while True:
        key, one = jax.random.split(key)
        yield one


def matrix(keys, *shape):
    return jax.random.normal(next(keys), shape) / np.sqrt(np.prod(shape[:-1]))


def convolve(x, kernel, stride=1, groups=1):
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    feature_group_count=groups)


def gru(key):
    keys, width = keys_of(key), 128
    weights = {"x": matrix(keys, 32, 3 * width), "h": matrix(keys, width, 3 * width), "b": jnp.zeros(3 * width),
               "out": matrix(keys, width, 10)}

    def logits(weights, x):
        inputs = x @ weights["x"] + weights["b"]

        def cell(h, row):
            r, z, n = jnp.split(row, 3, axis=-1)
            hr, hz, hn = jnp.split(h @ weights["h"], 3, axis=-1)
            z = nn.sigmoid(z + hz)
            h = z * h + (1 - z) * jnp.tanh(n + nn.sigmoid(r + hr) * hn)
            return h, None
        h, _ = lax.scan(cell, jnp.zeros((x.shape[0], width)), jnp.swapaxes(inputs, 0, 1))
        return h @ weights["out"]
    return weights, logits, (32, 50, 32)


def rnn(key):
    keys, width = keys_of(key), 128
    weights = {"x": matrix(keys, 32, width), "h": matrix(keys, width, width), "out": matrix(keys, width, 10)}

    def logits(weights, x):
        h, _ = lax.scan(lambda h, row: (jnp.tanh(row @ weights["x"] + h @ weights["h"]), None), jnp.zeros((x.shape[0], width)),
                        jnp.swapaxes(x, 0, 1))
        return h @ weights["out"]
    return weights, logits, (32, 50, 32)


def autoencoder(key):
    keys = keys_of(key)
    weights = [matrix(keys, 3, 3, 1, 16), matrix(keys, 3, 3, 16, 32), matrix(keys, 3, 3, 32, 16), matrix(keys, 3, 3, 16, 10)]

    def logits(weights, x):
        x = nn.relu(convolve(x, weights[0], 2))
        x = nn.relu(convolve(x, weights[1], 2))
        x = nn.relu(lax.conv_transpose(x, weights[2], (2, 2), "SAME"))
        return lax.conv_transpose(x, weights[3], (2, 2), "SAME").mean((1, 2))
    return weights, logits, (32, 28, 28, 1)


def resnet(key):
    keys, width = keys_of(key), 32
    weights = {"first": matrix(keys, 3, 3, 3, width), "out": matrix(keys, width, 10),
               "blocks": [{"a": matrix(keys, 3, 3, width, width), "b": matrix(keys, 3, 3, width, width), "scale": jnp.ones(width),
                           "shift": jnp.zeros(width)} for _ in range(3)]}

    def normalize(x, scale, shift):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift

    def logits(weights, x):
        x = convolve(x, weights["first"])
        for block in weights["blocks"]:
            y = nn.relu(normalize(convolve(x, block["a"]), block["scale"], block["shift"]))
            x = nn.relu(x + convolve(y, block["b"]))
        return x.mean((1, 2)) @ weights["out"]
    return weights, logits, (32, 16, 16, 3)


def depthwise(key):
    keys = keys_of(key)
    weights = [matrix(keys, 3, 3, 3, 32), matrix(keys, 3, 3, 1, 32), matrix(keys, 1, 1, 32, 64), matrix(keys, 3, 3, 1, 64), matrix(keys, 64, 10)]

    def logits(weights, x):
        x = nn.relu(convolve(x, weights[0], 2))
        x = nn.relu(convolve(nn.relu(convolve(x, weights[1], 1, 32)), weights[2]))
        return nn.relu(convolve(x, weights[3], 2, 64)).mean((1, 2)) @ weights[4]
    return weights, logits, (32, 32, 32, 3)


def embeddings(key):
    """Tables, read at positions from the batch, and products of all pairs, as in DLRM."""
    keys = keys_of(key)
    weights = {"tables": [0.1 * jax.random.normal(next(keys), (2000, 16)) for _ in range(8)], "dense": matrix(keys, 13, 16),
               "top": matrix(keys, 52, 64), "out": matrix(keys, 64, 10)}

    def logits(weights, x):
        ids = jnp.clip((jnp.abs(x[:, 13:]) * 600).astype(jnp.int32), 0, 1999)
        vectors = [nn.relu(x[:, :13] @ weights["dense"])] + [t[ids[:, i]] for i, t in enumerate(weights["tables"])]
        stacked = jnp.stack(vectors, 1)
        pairs = jnp.einsum("bik,bjk->bij", stacked, stacked)
        i, j = np.triu_indices(9, 1)
        features = jnp.concatenate([vectors[0], pairs[:, i, j]], 1)
        return nn.relu(features @ weights["top"]) @ weights["out"]
    return weights, logits, (256, 21)


def mixer(key):
    keys = keys_of(key)
    weights = {"in": matrix(keys, 48, 64), "out": matrix(keys, 64, 10),
               "layers": [{"tokens": [matrix(keys, 64, 32), matrix(keys, 32, 64)], "channels": [matrix(keys, 64, 128), matrix(keys, 128, 64)]}
                          for _ in range(2)]}

    def logits(weights, x):
        x = x @ weights["in"]
        for layer in weights["layers"]:
            y = jnp.swapaxes(nn.standardize(x, axis=-1), 1, 2)
            x = x + jnp.swapaxes(nn.gelu(y @ layer["tokens"][0]) @ layer["tokens"][1], 1, 2)
            x = x + nn.gelu(nn.standardize(x, axis=-1) @ layer["channels"][0]) @ layer["channels"][1]
        return x.mean(1) @ weights["out"]
    return weights, logits, (32, 64, 48)


def flax_cnn(key):
    from flax import linen

    class Network(linen.Module):
        @linen.compact
        def __call__(self, x):
            for features in (32, 64):
                x = linen.relu(linen.GroupNorm(8)(linen.Conv(features, (3, 3))(x)))
                x = linen.avg_pool(x, (2, 2), (2, 2))
            return linen.Dense(10)(linen.relu(linen.Dense(64)(x.reshape(x.shape[0], -1))))
    network, shape = Network(), (32, 28, 28, 1)
    return network.init(key, jnp.zeros(shape)), network.apply, shape


def flax_lstm(key):
    from flax import linen

    class Network(linen.Module):
        @linen.compact
        def __call__(self, x):
            x = linen.RNN(linen.OptimizedLSTMCell(64))(x)
            return linen.Dense(10)(linen.RNN(linen.GRUCell(64))(x)[:, -1])
    network, shape = Network(), (32, 40, 24)
    return network.init(key, jnp.zeros(shape)), network.apply, shape


def flax_transformer(key):
    from flax import linen

    class Network(linen.Module):
        @linen.compact
        def __call__(self, x):
            x = linen.Dense(64)(x)
            for _ in range(2):
                x = x + linen.MultiHeadDotProductAttention(4)(linen.LayerNorm()(x))
                x = x + linen.Dense(64)(linen.gelu(linen.Dense(256)(linen.LayerNorm()(x))))
            return linen.Dense(10)(x.mean(1))
    network, shape = Network(), (16, 48, 32)
    return network.init(key, jnp.zeros(shape)), network.apply, shape
