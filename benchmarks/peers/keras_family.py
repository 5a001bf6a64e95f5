"""The networks of common.FAMILY in Keras, layer by layer those of benchmarks/family: make(name) gives an uncompiled model."""
import math

import keras
from keras import layers, ops

import common

WIDTH, HEADS = 128, 4


def conv(x, filters):
    return layers.Conv2D(filters, 3, padding="same", activation="relu")(x)


def plain_conv(x, filters, kernel=3, strides=1):
    return layers.Conv2D(filters, kernel, strides=strides, padding="same", use_bias=False)(x)


def norm_relu(x):
    return layers.Activation("relu")(layers.BatchNormalization()(x))


def twice(x, filters):
    return conv(conv(x, filters), filters)


def class_of(x):
    return layers.Dense(10, activation="softmax")(layers.GlobalAveragePooling2D()(x))


def conv_autoencoder():
    picture = keras.Input((28, 28, 1))
    x = layers.MaxPooling2D(2, padding="same")(conv(picture, 32))
    x = layers.MaxPooling2D(2, padding="same")(conv(x, 32))
    for _ in range(2):
        x = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(picture, layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x))


def dense_layernorm():
    x = features = keras.Input((1024,))
    for _ in range(5):
        x = layers.Activation("gelu")(layers.LayerNormalization()(layers.Dense(1024)(x)))
    return keras.Model(features, layers.Dense(10, activation="softmax")(x))


def unet():
    x = picture = keras.Input((64, 64, 3))
    across = []
    for filters in (16, 32, 64):
        across.append(twice(x, filters))
        x = layers.MaxPooling2D(2)(across[-1])
    x = twice(x, 128)
    for side in reversed(across):
        filters = side.shape[-1]
        x = layers.Conv2DTranspose(filters, 2, strides=2, padding="same")(x)
        x = twice(layers.concatenate([x, side]), filters)
    return keras.Model(picture, layers.Conv2D(3, 1, activation="softmax")(x))


class Sampling(layers.Layer):
    """Draws a code while training, else takes the mean; adds the divergence from the normal distribution."""

    def __init__(self, pixels):
        super().__init__()
        self.pixels = pixels
        self.seed_generator = keras.random.SeedGenerator(0)

    def call(self, inputs, training=False):
        mean, log_variance = inputs
        terms = 1 + log_variance - ops.square(mean) - ops.exp(log_variance)
        self.add_loss(ops.mean(ops.sum(terms, -1)) * (-0.5 / self.pixels))
        if not training:
            return mean
        return mean + ops.exp(0.5 * log_variance) * keras.random.normal(ops.shape(mean), seed=self.seed_generator)


def vae():
    picture = keras.Input((784,))
    hidden = layers.Dense(400, activation="relu")(picture)
    mean, log_variance = layers.Dense(20)(hidden), layers.Dense(20)(hidden)
    code = Sampling(784)([mean, log_variance])
    return keras.Model(picture, layers.Dense(784, activation="sigmoid")(layers.Dense(400, activation="relu")(code)))


class Positions(layers.Layer):
    def build(self, input_shape):
        self.positions = self.add_weight(name="positions", shape=input_shape[1:], initializer="uniform")

    def call(self, x):
        return x + self.positions


class SelfAttention(layers.Layer):
    """The two products are written in one of three ways: "heads inside", "heads as rows", "transposed"."""

    def __init__(self, products, causal=False):
        super().__init__()
        self.products, self.causal = products, causal
        self.query, self.key, self.value, self.out = (layers.Dense(WIDTH) for _ in range(4))

    def build(self, input_shape):
        for dense in (self.query, self.key, self.value, self.out):
            dense.build(input_shape)

    def split(self, x):
        steps = x.shape[1]
        x = ops.reshape(x, (-1, steps, HEADS, WIDTH // HEADS))
        if self.products == "heads inside":
            return x
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (-1, steps, WIDTH // HEADS)) if self.products == "heads as rows" else x

    def call(self, x):
        steps = x.shape[1]
        query = self.split(self.query(x)) * (1 / math.sqrt(WIDTH // HEADS))
        key, value = self.split(self.key(x)), self.split(self.value(x))
        if self.products == "heads inside":
            scores = ops.einsum("bqhd,bkhd->bhqk", query, key)
        elif self.products == "heads as rows":
            scores = ops.einsum("nqd,nkd->nqk", query, key)
        else:
            scores = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2)))
        if self.causal:
            scores = ops.where(ops.tri(steps, dtype="bool"), scores, -1e9)
        scores = ops.softmax(scores)
        if self.products == "heads inside":
            return self.out(ops.reshape(ops.einsum("bhqk,bkhd->bqhd", scores, value), (-1, steps, WIDTH)))
        y = ops.einsum("nqk,nkd->nqd", scores, value) if self.products == "heads as rows" else ops.matmul(scores, value)
        y = ops.transpose(ops.reshape(y, (-1, HEADS, steps, WIDTH // HEADS)), (0, 2, 1, 3))
        return self.out(ops.reshape(y, (-1, steps, WIDTH)))


def embedded(ids, count):
    return Positions()(layers.Embedding(count, WIDTH)(ids))


def pre_norm_block(x, hidden, products, causal=False):
    x = x + SelfAttention(products, causal)(layers.LayerNormalization()(x))
    return x + layers.Dense(WIDTH)(layers.Dense(hidden, activation="gelu")(layers.LayerNormalization()(x)))


def post_norm_block(x, hidden, products):
    x = layers.LayerNormalization()(x + layers.Dropout(0.1)(SelfAttention(products)(x)))
    return layers.LayerNormalization()(x + layers.Dropout(0.1)(layers.Dense(WIDTH)(layers.Dense(hidden, activation="relu")(x))))


def text_transformer():
    words = keras.Input((128,), dtype="int32")
    x = embedded(words, 20000)
    for _ in range(2):
        x = post_norm_block(x, 512, "heads inside")
    return keras.Model(words, layers.Dense(1, activation="sigmoid")(layers.GlobalAveragePooling1D()(x)))


def vision_transformer():
    picture = keras.Input((32, 32, 3))
    x = Positions()(layers.Reshape((64, WIDTH))(layers.Conv2D(WIDTH, 4, strides=4)(picture)))
    for _ in range(4):
        x = pre_norm_block(x, 256, "heads as rows")
    x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
    return keras.Model(picture, layers.Dense(10, activation="softmax")(x))


def char_gpt():
    characters = keras.Input((128,), dtype="int32")
    x = embedded(characters, 96)
    for _ in range(3):
        x = pre_norm_block(x, 512, "transposed", causal=True)
    return keras.Model(characters, layers.Dense(96)(layers.LayerNormalization()(x)))


def dilated_conv1d():
    signal = keras.Input((512, 8))
    x = layers.Conv1D(64, 1)(signal)
    for power in range(7):
        x = x + layers.Conv1D(64, 3, padding="causal", dilation_rate=2**power, activation="relu")(x)
    return keras.Model(signal, layers.Dense(10, activation="softmax")(layers.GlobalAveragePooling1D()(x)))


def separable(x, filters, strides):
    x = norm_relu(layers.DepthwiseConv2D(3, strides=strides, padding="same", use_bias=False)(x))
    return norm_relu(plain_conv(x, filters, 1))


def depthwise_cnn():
    picture = keras.Input((32, 32, 3))
    x = separable(norm_relu(plain_conv(picture, 32)), 64, 1)
    for filters in (128, 256):
        x = separable(separable(x, filters, 2), filters, 1)
    return keras.Model(picture, class_of(x))


def residual(x, filters, strides):
    y = norm_relu(plain_conv(x, filters, 3, strides))
    y = layers.BatchNormalization()(plain_conv(y, filters))
    shortcut = x if strides == 1 and x.shape[-1] == filters else plain_conv(x, filters, 1, strides)
    return layers.Activation("relu")(layers.add([shortcut, y]))


def resnet20():
    picture = keras.Input((32, 32, 3))
    x = norm_relu(plain_conv(picture, 16))
    for filters in (16, 32, 64):
        for block in range(3):
            x = residual(x, filters, 2 if filters > 16 and block == 0 else 1)
    return keras.Model(picture, class_of(x))


def excited(x):
    channels = x.shape[-1]
    weight = layers.GlobalAveragePooling2D(keepdims=True)(x)
    weight = layers.Dense(channels // 8, activation="relu")(weight)
    return x * layers.Dense(channels, activation="sigmoid")(weight)


def squeeze_excitation_cnn():
    x = picture = keras.Input((32, 32, 3))
    for filters in (32, 64, 128):
        x = norm_relu(plain_conv(x, filters))
        x = layers.MaxPooling2D(2)(excited(norm_relu(plain_conv(x, filters))))
    return keras.Model(picture, class_of(x))


def gru_stack():
    signal = keras.Input((64, 32))
    x = layers.GRU(128, return_sequences=True)(signal)
    x = layers.GRU(128, return_sequences=True)(x)
    return keras.Model(signal, layers.Dense(10, activation="softmax")(layers.GRU(128)(x)))


class Products(layers.Layer):
    def call(self, vectors):
        stacked = ops.stack(vectors, 1)
        return ops.matmul(stacked, ops.transpose(stacked, (0, 2, 1)))


def dlrm():
    facts, ids = keras.Input((13,), name="facts"), keras.Input((8,), dtype="int32", name="ids")
    bottom = layers.Dense(32, activation="relu")(layers.Dense(64, activation="relu")(facts))
    vectors = [bottom] + [layers.Embedding(10000, 32)(ids[:, column]) for column in range(8)]
    x = layers.concatenate([bottom, layers.Flatten()(Products()(vectors))])
    for units in (128, 64):
        x = layers.Dense(units, activation="relu")(x)
    return keras.Model([facts, ids], layers.Dense(1, activation="sigmoid")(x))


class ProductsOfPairs(layers.Layer):
    def call(self, vectors):
        stacked = ops.stack(vectors, 1)
        products = ops.matmul(stacked, ops.transpose(stacked, (0, 2, 1)))
        count = len(vectors)
        below_diagonal = [i * count + j for i in range(count) for j in range(i)]
        return ops.take(ops.reshape(products, (-1, count * count)), below_diagonal, axis=1)


def criteo_dlrm(name):
    tables = common.facts(name)["inputs"][1][1]
    counts, ids = keras.Input((13,), name="counts"), keras.Input((len(tables),), dtype="int32", name="ids")
    bottom = counts
    for units in (512, 256, 64, 16):
        bottom = layers.Dense(units, activation="relu")(bottom)
    vectors = [bottom] + [layers.Embedding(rows, 16)(ids[:, column]) for column, rows in enumerate(tables)]
    x = layers.concatenate([bottom, ProductsOfPairs()(vectors)])
    for units in (512, 256):
        x = layers.Dense(units, activation="relu")(x)
    return keras.Model([counts, ids], layers.Dense(1, activation="sigmoid")(x))


def wide_deep():
    facts, ids = keras.Input((8,), name="facts"), keras.Input((10,), dtype="int32", name="ids")

    def with_vectors(width):
        return layers.concatenate([layers.Flatten()(layers.Embedding(20000, width)(ids)), facts])

    wide = layers.Dense(1)(with_vectors(1))
    deep = with_vectors(16)
    for units in (256, 128, 64):
        deep = layers.Dense(units, activation="relu")(deep)
    return keras.Model([facts, ids], layers.Activation("sigmoid")(wide + layers.Dense(1)(deep)))


def resnet50():
    return keras.applications.ResNet50(weights=None)


def efficientnetb0():
    return keras.applications.EfficientNetB0(weights=None)


def make(name):
    return criteo_dlrm(name) if name.startswith("criteo_dlrm") else globals()[name]()
