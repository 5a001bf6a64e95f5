"""The networks of common.NETWORKS in flax, layer by layer those of keras_family.py: each function takes a batch and returns logits, as a
training step needs them. Where flax has something better than what a Keras user writes (MultiHeadDotProductAttention), that is used."""
import functools
import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

import common

WIDTH, HEADS = 128, 4
gelu = functools.partial(nn.gelu, approximate=False)
layer_norm = functools.partial(nn.LayerNorm, epsilon=1e-3)


class Network(nn.Module):
    """The layers that `function` makes."""
    function: Callable

    @nn.compact
    def __call__(self, *xs):
        return self.function(*xs)


def conv(x, filters):
    return nn.relu(nn.Conv(filters, (3, 3))(x))


def plain_conv(x, filters, kernel=3, strides=1, groups=1):
    return nn.Conv(filters, (kernel, kernel), strides, feature_group_count=groups, use_bias=False)(x)


def norm(x):
    return nn.BatchNorm(use_running_average=False, momentum=0.99, epsilon=1e-3)(x)


def norm_relu(x):
    return nn.relu(norm(x))


def twice(x, filters):
    return conv(conv(x, filters), filters)


def pool(x):
    return nn.max_pool(x, (2, 2), (2, 2), "SAME")


def up_conv(x, filters, kernel):
    return nn.ConvTranspose(filters, (kernel, kernel), (2, 2))(x)


def class_of(x):
    return nn.Dense(10)(x.mean((1, 2)))


def conv_autoencoder(x):
    for _ in range(2):
        x = pool(conv(x, 32))
    for _ in range(2):
        x = nn.relu(up_conv(x, 32, 3))
    return nn.Conv(1, (3, 3))(x)


def dense_layernorm(x):
    for _ in range(5):
        x = gelu(layer_norm()(nn.Dense(1024)(x)))
    return nn.Dense(10)(x)


def unet(x):
    across = []
    for filters in (16, 32, 64):
        across.append(twice(x, filters))
        x = pool(across[-1])
    x = twice(x, 128)
    for side in reversed(across):
        filters = side.shape[-1]
        x = twice(jnp.concatenate([up_conv(x, filters, 2), side], -1), filters)
    return nn.Conv(3, (1, 1))(x)


class Sampling(nn.Module):
    """Draws a code; adds the divergence from the normal distribution to the losses."""

    @nn.compact
    def __call__(self, mean, log_variance, pixels):
        terms = 1 + log_variance - jnp.square(mean) - jnp.exp(log_variance)
        self.sow("losses", "divergence", terms.sum(-1).mean() * (-0.5 / pixels))
        return mean + jnp.exp(0.5 * log_variance) * jax.random.normal(self.make_rng("dropout"), mean.shape)


def vae(x):
    hidden = nn.relu(nn.Dense(400)(x))
    code = Sampling()(nn.Dense(20)(hidden), nn.Dense(20)(hidden), x.shape[-1])
    return nn.Dense(x.shape[-1])(nn.relu(nn.Dense(400)(code)))


class Positions(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x + self.param("embedding", nn.initializers.normal(), x.shape[1:])


def embedded(ids, count):
    return Positions()(nn.Embed(count, WIDTH)(ids))


def attention(x, mask=None):
    return nn.MultiHeadDotProductAttention(HEADS)(x, mask=mask)


def pre_norm_block(x, hidden, mask=None):
    x = x + attention(layer_norm()(x), mask)
    return x + nn.Dense(WIDTH)(gelu(nn.Dense(hidden)(layer_norm()(x))))


def post_norm_block(x, hidden):
    def drop(x):
        return nn.Dropout(0.1, deterministic=False)(x)
    x = layer_norm()(x + drop(attention(x)))
    return layer_norm()(x + drop(nn.Dense(WIDTH)(nn.relu(nn.Dense(hidden)(x)))))


def text_transformer(words):
    x = embedded(words, 20000)
    for _ in range(2):
        x = post_norm_block(x, 512)
    return nn.Dense(1)(x.mean(1))


def vision_transformer(x):
    x = Positions()(nn.Conv(WIDTH, (4, 4), 4)(x).reshape(len(x), -1, WIDTH))
    for _ in range(4):
        x = pre_norm_block(x, 256)
    return nn.Dense(10)(layer_norm()(x).mean(1))


def char_gpt(characters):
    x, mask = embedded(characters, 96), nn.make_causal_mask(characters)
    for _ in range(3):
        x = pre_norm_block(x, 512, mask)
    return nn.Dense(96)(layer_norm()(x))


def dilated_conv1d(x):
    x = nn.Conv(64, (1,))(x)
    for power in range(7):
        x = x + nn.relu(nn.Conv(64, (3,), padding="CAUSAL", kernel_dilation=2**power)(x))
    return nn.Dense(10)(x.mean(1))


def separable(x, filters, strides):
    x = norm_relu(plain_conv(x, x.shape[-1], strides=strides, groups=x.shape[-1]))
    return norm_relu(plain_conv(x, filters, 1))


def depthwise_cnn(x):
    x = separable(norm_relu(plain_conv(x, 32)), 64, 1)
    for filters in (128, 256):
        x = separable(separable(x, filters, 2), filters, 1)
    return class_of(x)


def residual(x, filters, strides):
    y = norm(plain_conv(norm_relu(plain_conv(x, filters, 3, strides)), filters))
    shortcut = x if strides == 1 and x.shape[-1] == filters else plain_conv(x, filters, 1, strides)
    return nn.relu(shortcut + y)


def resnet20(x):
    x = norm_relu(plain_conv(x, 16))
    for filters in (16, 32, 64):
        for block in range(3):
            x = residual(x, filters, 2 if filters > 16 and block == 0 else 1)
    return class_of(x)


def excited(x):
    channels = x.shape[-1]
    weight = nn.relu(nn.Dense(channels // 8)(x.mean((1, 2), keepdims=True)))
    return x * nn.sigmoid(nn.Dense(channels)(weight))


def squeeze_excitation_cnn(x):
    for filters in (32, 64, 128):
        x = norm_relu(plain_conv(x, filters))
        x = pool(excited(norm_relu(plain_conv(x, filters))))
    return class_of(x)


def gru_stack(x):
    for _ in range(3):
        x = nn.RNN(nn.GRUCell(128))(x)
    return nn.Dense(10)(x[:, -1])


def dense_stack(x, *widths):
    for units in widths:
        x = nn.relu(nn.Dense(units)(x))
    return x


def rows_of_tables(ids, tables, width):
    return [nn.Embed(rows, width)(ids[:, column]) for column, rows in enumerate(tables)]


def products(vectors):
    stacked = jnp.stack(vectors, 1)
    return stacked @ jnp.swapaxes(stacked, 1, 2)


def dlrm(facts, ids):
    bottom = dense_stack(facts, 64, 32)
    pairs = products([bottom, *rows_of_tables(ids, 8 * [10000], 32)])
    return nn.Dense(1)(dense_stack(jnp.concatenate([bottom, pairs.reshape(len(pairs), -1)], -1), 128, 64))


def criteo_dlrm(tables, counts, ids):
    bottom = dense_stack(counts, 512, 256, 64, 16)
    rows, columns = np.tril_indices(len(tables) + 1, -1)
    pairs = products([bottom, *rows_of_tables(ids, tables, 16)])[:, rows, columns]
    return nn.Dense(1)(dense_stack(jnp.concatenate([bottom, pairs], -1), 512, 256))


def wide_deep(facts, ids):
    def with_vectors(width):
        return jnp.concatenate([nn.Embed(20000, width)(ids).reshape(len(ids), -1), facts], -1)

    return nn.Dense(1)(with_vectors(1)) + nn.Dense(1)(dense_stack(with_vectors(16), 256, 128, 64))


def first_value(generator, path, shape):
    """A weight's initial value by its name: drawn by NumPy, because initializers in JAX would compile dozens of programs."""
    name = path[-1].key
    if name in ("kernel", "embedding"):
        scale = 0.05 if name == "embedding" else 1 / math.sqrt(math.prod(shape[:-1]))
        return scale * generator.standard_normal(shape, dtype=np.float32)
    return np.full(shape, name in ("scale", "var"), np.float32)


def make(name):
    """Weights, other state, and logits(weights, others, key, *xs) -> (logits, others, what is added to the loss)."""
    workload = common.facts(name)
    function = functools.partial(criteo_dlrm, workload["inputs"][1][1]) if name.startswith("criteo_dlrm") else globals()[name]
    network = Network(function)
    xs = [jax.ShapeDtypeStruct((2, *shape), jnp.int32 if ids else jnp.float32) for shape, ids in workload["inputs"]]
    keys = {"params": jax.random.key(0), "dropout": jax.random.key(0)}
    shapes = jax.eval_shape(network.init, keys, *xs)
    shapes.pop("losses", None)
    generator = np.random.default_rng(0)
    variables = jax.tree_util.tree_map_with_path(lambda path, leaf: first_value(generator, path, leaf.shape), shapes)

    def logits(weights, others, key, *xs):
        y, changed = network.apply({"params": weights, **others}, *xs, rngs={"dropout": key}, mutable=["batch_stats", "losses"])
        return y, {kind: changed[kind] for kind in others}, sum(jax.tree.leaves(changed.get("losses", {})))

    return variables.pop("params"), variables, logits
