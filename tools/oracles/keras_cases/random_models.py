#!/usr/bin/env python3
"""Records what Keras computes for random models, for tests/keras_cases to compare Cornu with.

Usage: KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/oracles/keras_cases/random_models.py OUT [--seed N] [--count N]

Each model is functional: one to three inputs (vectors, sequences, images, volumes or integers), random layers with random options, operations of
keras.ops and of Python, merges, shared layers and models as layers, one or two outputs. Its losses, metrics, optimizer, weights of samples and classes are random
too. A tenth of the models have recurrent layers that keep their state. A model becomes three cases of the form of docs/dev/keras_cases.md: "layer" (results,
losses, gradients), "training" (four steps) and "fit" (epochs, with callbacks and validation). Layers with random results are left out, and so is a training
whose numbers change by more than MOST_SENSITIVE when its inputs change by LITTLE, in proportion.

The same seed makes the same model. Exit code: 0, or 77 if the packages are not installed.
"""

import argparse
import collections
import importlib.util
import json
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")  # thousands of programs run a few times each
MISSING = [name for name in ("keras", "jax") if importlib.util.find_spec(name) is None]
if MISSING:
    print(f"skipped: {sys.executable} has no {', '.join(MISSING)} (make oracles installs them)")
    sys.exit(77)

import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers, ops  # noqa: E402

import compute  # noqa: E402
from values import NotRecordable, serialized  # noqa: E402

ROWS = 6
LITTLE, MOST_SENSITIVE = 1e-6, 1e-4
LARGEST_CASE = 400_000  # bytes of its line
MOST_ELEMENTS = 400  # of a sample of a tensor between layers
# Without sparsemax, whose threshold in Keras is a sum of sums (docs/adr/0089).
ACTIVATIONS = ["relu", "tanh", "sigmoid", "elu", "selu", "gelu", "silu", "softplus", "softsign", "softmax", "leaky_relu", "relu6", "hard_sigmoid", "hard_silu",
               "mish", "exponential", "log_softmax", "celu", "glu", "hard_tanh", "hard_shrink", "soft_shrink", "squareplus", "tanh_shrink", "threshold",
               "log_sigmoid", "sparse_plus", "linear", None]
SMOOTH = ["tanh", "sigmoid", "softplus", "gelu", "silu", "elu", "softsign", None]


class Maker:
    """Draws of one seed."""

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)
        self.made = []  # layers, for sharing
        self.keeps_state = self.chance(0.1)  # in recurrent layers, whose inputs then have a number of rows

    def chance(self, share):
        return self.random.rand() < share

    def one_of(self, *values):
        return values[self.random.randint(len(values))]

    def count(self, least, most):
        return int(self.random.randint(least, most + 1))

    # --- options

    def activation(self):
        found = self.one_of(*(ACTIVATIONS if self.chance(0.5) else SMOOTH))
        return None if found in ("exponential", "glu") else found

    def regularizer(self):
        kind = self.one_of(None, None, None, keras.regularizers.L1, keras.regularizers.L2, keras.regularizers.L1L2, keras.regularizers.OrthogonalRegularizer)
        if kind is None:
            return None
        if kind is keras.regularizers.OrthogonalRegularizer:
            return kind(factor=0.01, mode=self.one_of("rows", "columns")) if self.chance(0.3) else None
        return kind(0.01, 0.02) if kind is keras.regularizers.L1L2 else kind(0.01)

    def constraint(self):
        return self.one_of(None, None, None, None, keras.constraints.NonNeg(), keras.constraints.MaxNorm(1.5, axis=0), keras.constraints.UnitNorm(axis=0),
                           keras.constraints.MinMaxNorm(0.2, 1.2, rate=0.7, axis=0))

    def weights(self, kernel=True, prefix="kernel"):
        """Options of most layers with a kernel and a bias."""
        options = {"use_bias": self.chance(0.8)}
        if kernel:
            options[f"{prefix}_regularizer"], options[f"{prefix}_constraint"] = self.regularizer(), self.constraint()
        options["bias_regularizer"] = self.one_of(None, None, "l2")
        options["activity_regularizer"] = self.one_of(None, None, None, keras.regularizers.L2(0.003))
        return options

    def sizes(self, rank, least=1, most=3):
        """One size for all axes, or one for each."""
        return self.count(least, most) if self.chance(0.5) else tuple(self.count(least, most) for _ in range(rank))

    def data_format(self):
        return self.one_of(None, None, None, None, "channels_first")

    # --- layers by the rank of a sample

    def any_layer(self, shape):
        channels = shape[-1]
        axis = self.one_of(-1, -1, self.count(1, len(shape)))
        groups = [g for g in (1, 2, 3) if channels % g == 0]
        return self.one_of(
            lambda: layers.Dense(self.count(1, 9), activation=self.activation(), **self.weights()),
            lambda: layers.Dense(self.count(1, 9), activation=self.activation(), **self.weights()),
            lambda: layers.Activation(self.one_of(*[name for name in ACTIVATIONS if name not in ("exponential", "glu", None)])),
            lambda: layers.LeakyReLU(negative_slope=self.one_of(0.1, 0.3)),
            lambda: layers.PReLU(shared_axes=None if self.chance(0.5) else [self.count(1, len(shape))]),
            lambda: layers.ELU(alpha=0.7),
            lambda: layers.ReLU(max_value=self.one_of(None, 1.5), negative_slope=self.one_of(0.0, 0.2), threshold=self.one_of(0.0, 0.1)),
            lambda: layers.Softmax(axis=axis),
            lambda: layers.BatchNormalization(axis=axis, momentum=self.one_of(0.99, 0.6), epsilon=1e-2, center=self.chance(0.7), scale=self.chance(0.7)),
            lambda: layers.LayerNormalization(axis=self.one_of(-1, [-1] if len(shape) == 1 else [-2, -1]), epsilon=1e-2, center=self.chance(0.7), scale=self.chance(0.7)),
            lambda: layers.RMSNormalization(epsilon=1e-2),
            lambda: layers.GroupNormalization(groups=self.one_of(*groups, -1), epsilon=1e-2),
            lambda: layers.UnitNormalization(axis=axis),
            lambda: layers.Rescaling(0.5, offset=self.one_of(0.0, 0.25)),
            lambda: layers.Normalization(axis=-1, mean=[0.1 * i for i in range(channels)], variance=[1.0 + 0.2 * i for i in range(channels)], invert=self.chance(0.3)),
            lambda: layers.ActivityRegularization(l1=0.001, l2=0.002),
            lambda: layers.Flatten(),
            lambda: layers.Reshape(self.shape_of_as_many(shape)),
            lambda: layers.SpectralNormalization(layers.Dense(self.count(2, 6)), power_iterations=self.count(1, 2)) if self.chance(0.3) else layers.Identity(),
        )()

    def shape_of_as_many(self, shape):
        elements = int(np.prod(shape))
        divisors = [d for d in range(1, elements + 1) if elements % d == 0]
        first = self.one_of(*divisors)
        return self.one_of((elements,), (first, elements // first), (first, -1), (-1, first))

    def layer_of_vectors(self, shape):
        return self.one_of(lambda: layers.RepeatVector(self.count(2, 4)),
                           lambda: layers.EinsumDense("ab,bc->ac", output_shape=self.count(2, 7), bias_axes=self.one_of(None, "c"), activation=self.activation()))()

    def recurrent(self):
        options = {"return_sequences": self.chance(0.6), "zero_output_for_mask": self.chance(0.2), "go_backwards": self.chance(0.25), "unroll": self.chance(0.2), "use_bias": self.chance(0.85),
                   "activation": self.one_of("tanh", "tanh", "relu", "sigmoid"), "kernel_regularizer": self.regularizer(), "recurrent_regularizer": self.one_of(None, "l2"),
                   "stateful": self.keeps_state and self.chance(0.7)}
        units = self.count(1, 5)
        gates = {"recurrent_activation": self.one_of("sigmoid", "sigmoid", "hard_sigmoid", "tanh")}
        return self.one_of(lambda: layers.LSTM(units, unit_forget_bias=self.chance(0.5), **gates, **options),
                           lambda: layers.GRU(units, reset_after=self.chance(0.6), **gates, **options),
                           lambda: layers.SimpleRNN(units, **options))()

    def both_directions(self):
        forward = self.one_of(layers.GRU, layers.LSTM, layers.SimpleRNN)
        units, sequences = self.count(1, 4), self.chance(0.6)
        backward = layers.SimpleRNN(units, return_sequences=sequences, go_backwards=True) if self.chance(0.25) else None
        return layers.Bidirectional(forward(units, return_sequences=sequences), merge_mode=self.one_of("concat", "sum", "mul", "ave"), backward_layer=backward)

    def stack_of_cells(self):
        cells = [self.one_of(layers.LSTMCell, layers.GRUCell, layers.SimpleRNNCell)(self.count(1, 4)) for _ in range(self.count(1, 3))]
        return layers.RNN(cells if len(cells) > 1 else cells[0], return_sequences=self.chance(0.5), go_backwards=self.chance(0.2))

    def layer_of_sequences(self, shape):
        steps, channels = shape
        padding = self.one_of("valid", "same")
        return self.one_of(
            lambda: self.convolution(1, channels, steps),
            lambda: self.convolution(1, channels, steps),
            lambda: self.pooling(1),
            lambda: self.recurrent(), lambda: self.recurrent(), lambda: self.stack_of_cells(),
            lambda: self.both_directions(), lambda: self.both_directions(),
            lambda: layers.TimeDistributed(layers.Dense(self.count(1, 6), activation=self.activation())),
            lambda: layers.Permute((2, 1)),
            lambda: layers.Cropping1D(self.one_of(1, (0, 1), (1, 0))),
            lambda: layers.ZeroPadding1D(self.one_of(1, (0, 2), (1, 0))),
            lambda: layers.UpSampling1D(2),
            lambda: layers.EinsumDense("abc,cd->abd", output_shape=(None, self.count(2, 6)), bias_axes=self.one_of(None, "d"), activation=self.activation()),
            lambda: layers.Conv1DTranspose(self.count(1, 4), self.count(1, 3), strides=self.count(1, 2), padding=padding),
        )()

    def convolution(self, rank, channels, least_size):
        kernel = self.sizes(rank, 1, min(3, least_size))
        strides, dilation = (1, self.sizes(rank, 1, 2)) if self.chance(0.3) else (self.sizes(rank, 1, 2), 1)
        if rank > 1 and isinstance(strides, tuple) and self.chance(0.5):
            strides = self.count(1, 2)
        padding = self.one_of("valid", "same", "same")
        options = {"strides": strides, "padding": padding, "dilation_rate": dilation, "activation": self.activation(), "data_format": self.data_format()}
        plain = {1: layers.Conv1D, 2: layers.Conv2D, 3: layers.Conv3D}[rank]
        groups = self.one_of(*[g for g in (1, 1, 2, 3) if channels % g == 0]) if options["data_format"] is None else 1
        choices = [lambda: plain(groups * self.count(1, 3), kernel, groups=groups, **options, **self.weights())]
        if rank < 3:
            square = {**options, "strides": strides if isinstance(strides, int) else strides[0]}
            depthwise = {1: layers.DepthwiseConv1D, 2: layers.DepthwiseConv2D}[rank]
            separable = {1: layers.SeparableConv1D, 2: layers.SeparableConv2D}[rank]
            choices += [lambda: depthwise(kernel, depth_multiplier=self.count(1, 2), **square, **self.weights(prefix="depthwise")),
                        lambda: separable(self.count(1, 4), kernel, depth_multiplier=self.count(1, 2), **square, use_bias=self.chance(0.7))]
        return self.one_of(*choices)()

    def pooling(self, rank):
        name = f"{self.one_of('Max', 'Average')}Pooling{rank}D"
        size = self.sizes(rank, 1, 3)
        return self.one_of(lambda: getattr(layers, name)(size, strides=self.one_of(None, 1, 2), padding=self.one_of("valid", "same"),
                                                         data_format=self.data_format()),
                           lambda: getattr(layers, "Global" + name)(keepdims=self.chance(0.4), data_format=self.data_format()))()

    def layer_of_images(self, shape):
        height, width, channels = shape
        return self.one_of(
            lambda: self.convolution(2, channels, min(height, width)), lambda: self.convolution(2, channels, min(height, width)),
            lambda: self.pooling(2),
            lambda: layers.Conv2DTranspose(self.count(1, 3), self.sizes(2), strides=self.sizes(2, 1, 2), padding=self.one_of("valid", "same"), activation=self.activation()),
            lambda: layers.UpSampling2D(self.sizes(2, 1, 2), interpolation=self.one_of("nearest", "bilinear")),
            lambda: layers.ZeroPadding2D(self.one_of(1, (1, 2), ((0, 1), (2, 0)))),
            lambda: layers.Cropping2D(self.one_of(1, (1, 0), ((0, 1), (1, 0)))),
            lambda: layers.Permute(tuple(int(i) + 1 for i in self.random.permutation(3))),
            lambda: layers.Resizing(self.count(2, 6), self.count(2, 6), interpolation=self.one_of("bilinear", "nearest", "bicubic")),
            lambda: layers.CenterCrop(max(1, height - 1), max(1, width - 2)),
            lambda: layers.TimeDistributed(self.one_of(layers.Conv1D(self.count(1, 3), 2, padding="same"), layers.LSTM(2), layers.GlobalMaxPooling1D())),
            lambda: layers.ConvLSTM1D(self.count(1, 3), 2, padding="same", return_sequences=self.chance(0.6)),
            lambda: layers.AdaptiveAveragePooling2D((min(2, height), min(2, width))),
        )()

    def layer_of_volumes(self, shape):
        return self.one_of(
            lambda: self.convolution(3, shape[-1], min(shape[:-1])), lambda: self.pooling(3),
            lambda: layers.Conv3DTranspose(self.count(1, 2), self.sizes(3, 1, 2), strides=self.one_of(1, 2), padding=self.one_of("valid", "same")),
            lambda: layers.UpSampling3D(self.one_of(1, 2, (1, 2, 1))), lambda: layers.ZeroPadding3D(1), lambda: layers.Cropping3D(((0, 1), (0, 0), (0, 0))),
            lambda: layers.ConvLSTM2D(self.count(1, 2), 2, padding="same", return_sequences=self.chance(0.5)),
            lambda: layers.TimeDistributed(layers.Conv2D(self.count(1, 3), 2, padding="same")),
        )()

    # --- operations without a layer

    def operation(self, x):
        shape = tuple(x.shape[1:])
        rank, axis = len(shape), self.count(1, len(shape))
        fewer = [lambda: ops.mean(x, axis=axis), lambda: ops.max(x, axis=axis), lambda: ops.sum(x, axis=axis, keepdims=True), lambda: ops.logsumexp(x, axis=axis),
                 lambda: ops.var(x, axis=axis), lambda: x[(slice(None),) * axis + (0,)], lambda: ops.squeeze(ops.min(x, axis=axis, keepdims=True), axis)]
        same = [lambda: x * 0.5 + 0.1, lambda: 1.0 - x, lambda: ops.abs(x), lambda: -x, lambda: ops.square(x) * 0.3, lambda: ops.clip(x, -1.0, 0.8),
                lambda: ops.tanh(x) / 2.0, lambda: ops.where(x > 0.1, x, 0.2 * x), lambda: ops.flip(x, axis=axis), lambda: ops.roll(x, 1, axis=axis),
                lambda: ops.cumsum(x, axis=axis) * 0.2, lambda: ops.softmax(x, axis=axis), lambda: ops.normalize(x, axis=axis), lambda: ops.maximum(x, 0.05),
                lambda: ops.sqrt(ops.abs(x) + 0.5), lambda: ops.exp(ops.minimum(x, 0.5)) - 1.0, lambda: ops.sin(x), lambda: x / (1.0 + ops.square(x)),
                lambda: ops.stop_gradient(x) + x, lambda: ops.cast(x > 0.0, "float32") * x, lambda: ops.sign(x) * 0.1 + x]
        other = [lambda: ops.expand_dims(x, axis) if rank < 4 else x + 0.1, lambda: ops.concatenate([x, x * 0.5], axis=axis), lambda: ops.stack([x, -x], axis=axis) if rank < 4 else x,
                 lambda: x[(slice(None),) * axis + (slice(None, None, 2),)], lambda: ops.repeat(x, 2, axis=axis), lambda: ops.swapaxes(x, 1, rank),
                 lambda: ops.pad(x, [[0, 0]] + [[1, 0]] + [[0, 1]] * (rank - 1)), lambda: ops.reshape(x, (-1, int(np.prod(shape)))),
                 lambda: ops.matmul(x, ops.swapaxes(x, -1, -2)) * 0.2 if rank > 1 else ops.multiply(x, x) * 0.2,
                 lambda: ops.take(x, ops.convert_to_tensor([0]), axis=axis), lambda: ops.sort(x, axis=axis)]
        return self.one_of(*self.one_of(same, same, other, fewer if rank > 1 else same))()

    def merge(self, a, b):
        if a.shape == b.shape:
            return self.one_of(lambda: layers.Add()([a, b]), lambda: layers.Multiply()([a, b]), lambda: layers.Subtract()([a, b]), lambda: layers.Average()([a, b]),
                               lambda: layers.Maximum()([a, b]), lambda: layers.Minimum()([a, b]), lambda: layers.Concatenate(axis=self.one_of(-1, 1))([a, b]),
                               lambda: a + b, lambda: a * b - a, lambda: ops.maximum(a, b), lambda: layers.Dot(axes=len(a.shape) - 1, normalize=self.chance(0.4))([a, b]))()
        if len(a.shape) == len(b.shape) and a.shape[:-1] == b.shape[:-1]:
            return layers.Concatenate()([a, b])
        if len(a.shape) == 3 and len(b.shape) == 3 and a.shape[-1] == b.shape[-1]:
            options = {"use_scale": self.chance(0.5)}
            return self.one_of(lambda: layers.Attention(score_mode=self.one_of("dot", "concat"), **options)([a, b]), lambda: layers.AdditiveAttention(**options)([a, b]),
                               lambda: layers.MultiHeadAttention(self.count(1, 2), self.count(1, 3))(a, b),
                               lambda: layers.MultiHeadAttention(2, 2, value_dim=3, output_shape=4, use_bias=self.chance(0.5))(a, b, b, use_causal_mask=self.chance(0.3)))()
        if len(a.shape) == 2 and len(b.shape) == 3 and a.shape[-1] == b.shape[-1]:
            return b * ops.expand_dims(a, 1)
        return self.flat(a) if self.chance(0.5) else layers.Concatenate()([self.flat(a), self.flat(b)])

    def flat(self, x):
        return x if len(x.shape) == 2 else layers.Flatten()(x)

    def attention(self, x):
        return self.one_of(lambda: layers.MultiHeadAttention(self.count(1, 2), self.count(1, 4), use_bias=self.chance(0.7))(x, x, use_causal_mask=self.chance(0.5)),
                           lambda: layers.GroupQueryAttention(2, 4, 2)(x, x), lambda: layers.Attention()([x, x]), lambda: layers.AdditiveAttention()([x, x]))()

    def encoder_and_decoder(self, x):
        """A recurrent layer that begins with the state in which another one ended."""
        kind, units = self.one_of(layers.LSTM, layers.GRU, layers.SimpleRNN), self.count(1, 4)
        _, *state = kind(units, return_state=True, return_sequences=self.chance(0.5))(x)
        following = kind(units, return_sequences=self.chance(0.6))(x, initial_state=state)
        return following if self.chance(0.5) else layers.Concatenate()([self.flat(following), *state])

    def inner_model(self, x):
        shape = tuple(x.shape[1:])
        if self.chance(0.5):
            return keras.Sequential([keras.Input(shape), layers.Dense(self.count(2, 5), activation="tanh"), layers.Dense(self.count(2, 4))])(x)
        start = keras.Input(shape)
        return keras.Model(start, self.grown(start))(x)

    def grown(self, x):
        """A tensor that a layer or an operation makes of x."""
        shape = tuple(x.shape[1:])
        draw = self.random.rand()
        if draw < 0.25:
            return self.operation(x)
        if draw < 0.3 and self.made:
            layer, of = self.one_of(*self.made)
            if of == shape:
                return layer(x)
        if draw < 0.36:
            return self.inner_model(x)
        if draw < 0.42 and len(shape) == 2:
            return self.attention(x) if self.chance(0.6) else self.encoder_and_decoder(x)
        by_rank = {1: self.layer_of_vectors, 2: self.layer_of_sequences, 3: self.layer_of_images, 4: self.layer_of_volumes}
        layer = self.any_layer(shape) if self.chance(0.5) else by_rank[len(shape)](shape)
        if getattr(layer, "activity_regularizer", None) is None:  # compiled steps of Keras on JAX keep the loss of the last call only
            self.made.append((layer, shape))
        return layer(x)

    # --- models

    def input(self, *shape, **options):
        return keras.Input(batch_shape=(ROWS, *shape), **options) if self.keeps_state else keras.Input(shape, **options)

    def start(self):
        """An input, the tensor to begin with, and its array."""
        kind = self.one_of("vector", "sequence", "sequence", "image", "image", "volume", "integers", "masked")
        if kind in ("integers", "masked"):
            steps = self.count(3, 6)
            if kind == "integers":
                x = self.input(steps, dtype="int32")
                ids = self.random.randint(0, 7, size=(ROWS, steps)).astype("int32")
                if self.chance(0.25):
                    return x, layers.CategoryEncoding(7, output_mode=self.one_of("multi_hot", "count"))(x), ids
                return x, layers.Embedding(7, self.count(2, 4), mask_zero=self.chance(0.6), embeddings_regularizer=self.regularizer())(x), ids
            values = self.random.normal(size=(ROWS, steps, 3)).astype("float32")
            values[self.random.rand(ROWS, steps) < 0.3] = 0
            x = self.input(steps, 3)
            return x, layers.Masking()(x), values
        shape = {"vector": (self.count(2, 8),), "sequence": (self.count(3, 7), self.count(1, 5)), "image": (self.count(3, 7), self.count(3, 7), self.count(1, 4)),
                 "volume": (self.count(2, 4), self.count(2, 4), self.count(2, 4), self.count(1, 3))}[kind]
        x = self.input(*shape)
        return x, x, self.random.normal(size=(ROWS, *shape)).astype("float32")

    def model(self):
        starts = [self.start() for _ in range(self.one_of(1, 1, 1, 2, 2, 3))]
        tensors = [tensor for _, tensor, _ in starts]
        for _ in range(self.count(2, 8)):
            place = self.count(0, len(tensors) - 1)
            grown = self.tried(lambda: self.grown(tensors[place]))  # noqa: B023  (called at once)
            if grown is None:
                continue
            if self.chance(0.6):
                tensors[place] = grown
            else:
                tensors.append(grown)
            if len(tensors) > 1 and self.chance(0.4):
                a, b = (int(i) for i in self.random.choice(len(tensors), 2, replace=False))
                merged = self.tried(lambda: self.merge(tensors[a], tensors[b]))  # noqa: B023
                if merged is not None:
                    tensors.append(merged)
        heads = [self.head(self.joined(tensors))]
        if self.chance(0.25):
            heads.append(self.head(tensors[-1]))
        inputs = [x for x, _, _ in starts]
        return keras.Model(inputs, [y for y, _, _ in heads]), [x for _, _, x in starts], heads

    def tried(self, grow):
        """The tensor, or None where the layer refuses its input or the result is too large."""
        try:
            grown = grow()
        except Exception:  # noqa: BLE001  (layers that these shapes do not fit)
            return None
        shape = grown.shape[1:]
        fits = len(shape) in (1, 2, 3, 4) and None not in shape and 0 < int(np.prod(shape)) <= MOST_ELEMENTS
        return grown if fits and str(grown.dtype) == "float32" else None

    def joined(self, tensors):
        """All tensors in one, so that no layer is lost."""
        flat = [self.flat(x) for x in tensors[-4:]]
        return flat[0] if len(flat) == 1 else layers.Concatenate()(flat)

    def head(self, x):
        """An output, its loss, and its labels."""
        x, classes, random = self.flat(x), self.count(2, 4), self.random
        kind = self.one_of("categorical", "sparse", "binary", "number", "number")
        if kind == "categorical":
            labels = np.eye(classes, dtype="float32")[random.randint(0, classes, ROWS)]
            loss = self.one_of(keras.losses.CategoricalCrossentropy(label_smoothing=self.one_of(0.0, 0.1)), keras.losses.CategoricalFocalCrossentropy(), "kl_divergence",
                               "categorical_hinge", keras.losses.CategoricalGeneralizedCrossEntropy())
            return layers.Dense(classes, activation="softmax")(x), loss, labels
        if kind == "sparse":
            logits = self.chance(0.5)
            labels = random.randint(0, classes, (ROWS, 1)).astype("int32")
            return (layers.Dense(classes, activation=None if logits else "softmax")(x), keras.losses.SparseCategoricalCrossentropy(from_logits=logits, ignore_class=self.one_of(None, None, 1)),
                    labels)
        if kind == "binary":
            labels = random.randint(0, 2, (ROWS, classes)).astype("float32")
            loss = self.one_of(keras.losses.BinaryCrossentropy(label_smoothing=self.one_of(0.0, 0.2)), keras.losses.BinaryFocalCrossentropy(apply_class_balancing=self.chance(0.5)), "hinge",
                               "squared_hinge", keras.losses.Dice(), keras.losses.Tversky())
            return layers.Dense(classes, activation="sigmoid")(x), loss, labels
        loss = self.one_of("mse", "mae", keras.losses.Huber(delta=0.7), "log_cosh", "cosine_similarity", keras.losses.MeanSquaredError(reduction=self.one_of("sum", "mean_with_sample_weight")))
        return layers.Dense(classes, activation=self.one_of(None, "tanh"))(x), loss, random.normal(size=(ROWS, classes)).astype("float32")

    # Without Lamb, whose steps are as long for gradients that are zero but for rounding.
    def optimizer(self):
        schedules = keras.optimizers.schedules
        rate = self.one_of(0.01, 0.02, 0.05, schedules.ExponentialDecay(0.05, 2, 0.5, staircase=self.chance(0.5)), schedules.CosineDecay(0.05, 4, alpha=0.1),
                           schedules.PiecewiseConstantDecay([1, 3], [0.05, 0.02, 0.01]), schedules.PolynomialDecay(0.05, 3, 0.01), schedules.InverseTimeDecay(0.05, 2, 0.5))
        # One limit at most.
        limits = self.one_of({}, {}, {"clipnorm": 0.5}, {"clipvalue": 0.1}, {"global_clipnorm": 0.7})
        common = {"learning_rate": rate, "weight_decay": self.one_of(None, None, 0.02), **limits}
        if self.chance(0.2):
            common.update(use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=self.one_of(None, 2))
        if self.chance(0.15):
            common["gradient_accumulation_steps"] = 2
        found = keras.optimizers
        return self.one_of(
            lambda: found.SGD(momentum=self.one_of(0.0, 0.9), nesterov=self.chance(0.5), **common), lambda: found.SGD(**common), lambda: found.SGD(momentum=0.5, **common),
            lambda: found.Adam(epsilon=1e-2, amsgrad=self.chance(0.4), **common), lambda: found.AdamW(epsilon=1e-2, **{**common, "weight_decay": 0.01}),
            lambda: found.RMSprop(epsilon=1e-2, momentum=self.one_of(0.0, 0.5), centered=self.chance(0.4), **common), lambda: found.Adagrad(epsilon=1e-2, **common),
            lambda: found.Adadelta(epsilon=1e-2, **common), lambda: found.Adamax(epsilon=1e-2, **common), lambda: found.Nadam(epsilon=1e-2, **common),
            lambda: found.Ftrl(l1_regularization_strength=self.one_of(0.0, 0.01), l2_regularization_strength=self.one_of(0.0, 0.01), **common),
            lambda: found.Adafactor(**common))()

    def metrics(self, loss, labels):
        if isinstance(loss, keras.losses.SparseCategoricalCrossentropy):
            return self.one_of([], ["accuracy"], ["sparse_categorical_accuracy", keras.metrics.SparseTopKCategoricalAccuracy(k=2)])
        name = loss if isinstance(loss, str) else type(loss).__name__
        if "hinge" in name or "Binary" in name or name in ("Dice", "Tversky"):
            return self.one_of([], ["binary_accuracy"], [keras.metrics.Precision(), keras.metrics.Recall(thresholds=0.4)], [keras.metrics.AUC(num_thresholds=20)])
        if "ategorical" in name or name == "kl_divergence":
            return self.one_of([], ["accuracy"], ["categorical_accuracy", keras.metrics.TopKCategoricalAccuracy(k=2)], [keras.metrics.F1Score(average="macro")])
        return self.one_of([], ["mae"], ["mse", keras.metrics.RootMeanSquaredError()], [keras.metrics.R2Score()], [keras.metrics.CosineSimilarity()])

    def compile(self, model, heads):
        losses = [loss for _, loss, _ in heads]
        metrics = [self.metrics(loss, labels) for _, loss, labels in heads]
        several = len(heads) > 1
        model.compile(optimizer=self.optimizer(), loss=losses if several else losses[0],
                      **({"metrics" if self.chance(0.6) else "weighted_metrics": metrics if several else metrics[0]}),
                      **({"loss_weights": [0.7, 1.5]} if several and self.chance(0.5) else {}))

    def fit(self):
        """Options of fit beside the data. A state needs batches of all rows."""
        batch_size, split = (ROWS, 0.0) if self.keeps_state else (self.one_of(2, 3, 4), self.one_of(0.0, 0.0, 0.34, 0.5))
        monitor = "val_loss" if split and self.chance(0.6) else "loss"
        stopping = {"monitor": monitor, "patience": self.count(0, 1), "restore_best_weights": self.chance(0.5), "start_from_epoch": self.count(0, 1)}
        reducing = {"monitor": monitor, "factor": 0.5, "patience": self.count(1, 2), "cooldown": self.count(0, 1), "min_delta": self.one_of(0.0, 0.01)}
        callbacks = self.one_of([], [], [{"class_name": "EarlyStopping", "config": stopping}], [{"class_name": "ReduceLROnPlateau", "config": reducing}])
        return {"batch_size": batch_size, "epochs": 4, "initial_epoch": self.one_of(0, 0, 0, 1), "validation_split": split,
                "steps_per_execution": self.one_of(1, 1, 2, 3), "callbacks": callbacks}

    def data(self, arrays, heads):
        labels = [each for _, _, each in heads]
        data = {"x": arrays if len(arrays) > 1 else arrays[0], "y": labels if len(labels) > 1 else labels[0]}
        if self.chance(0.35):
            weights = [self.random.uniform(0, 2, ROWS).astype("float32") for _ in labels]
            data["sample_weight"] = weights if len(labels) > 1 else weights[0]
        elif len(labels) == 1 and isinstance(heads[0][1], keras.losses.SparseCategoricalCrossentropy) and self.chance(0.4):
            data["class_weight"] = {0: 0.5, 1: 2.0}
        return data


def seeded_case(call, seed):
    keras.utils.set_random_seed(seed)  # for where weights begin
    try:
        return compute.case_of(call)
    except AttributeError:  # Keras's masks and JAX's compiler do not always fit
        if not call.get("compiles"):
            raise
        return seeded_case({**call, "compiles": False}, seed)


def is_stable(call, case, seed):
    """True if the training of inputs that differ by LITTLE has the same numbers, about."""
    moved = dict(call["kwargs"])
    shift = lambda x: x * np.float32(1 + LITTLE) if x.dtype == np.float32 else x  # noqa: E731
    moved["x"] = [shift(x) for x in moved["x"]] if isinstance(moved["x"], list) else shift(moved["x"])
    other = seeded_case({**call, "kwargs": moved}, seed)
    if len(case["logs"]) != len(other["logs"]):
        return False
    pairs = [(np.asarray(a["data"], float), np.asarray(b["data"], float)) for a, b in zip(case["values"], other["values"])]
    pairs += [(np.asarray(list(a.values())), np.asarray(list(b.values()))) for a, b in zip(case["logs"], other["logs"])]
    return all(np.abs(a - b).max(initial=0) <= MOST_SENSITIVE * max(np.sqrt(np.mean(a**2)), 1e-3) for a, b in pairs if a.size)


def cases_of(seed, refuse):
    """The cases of a seed's model; what is no case goes to refuse(kind, reason)."""
    keras.backend.clear_session(free_memory=False)
    keras.utils.set_random_seed(seed)
    maker = Maker(seed)
    model, arrays, heads = maker.model()
    maker.compile(model, heads)
    settings = {"floatx": keras.config.floatx(), "image_data_format": keras.config.image_data_format()}
    data = maker.data(arrays, heads)
    try:
        config, compiled = serialized(model), model.get_compile_config()
    except NotRecordable as error:
        return refuse("model", str(error))
    config.pop("compile_config", None)
    # Where training is not given, layers of images pass their own default on to the layers after them.
    calls = [{"kind": "layer", "object": config, "settings": settings, "args": (data["x"],), "kwargs": {"training": False}, "masks": [None] * len(arrays), "compiles": True},
             {"kind": "training", "object": config, "compile": compiled, "settings": settings, "args": (), "kwargs": data},
             {"kind": "fit", "object": config, "compile": compiled, "fit": maker.fit(), "settings": settings, "args": (), "kwargs": data}]
    for call in calls:
        if call["kind"] != "layer" and "SpectralNormalization" in json.dumps(config):
            refuse(call["kind"], "a compiled step of Keras on JAX loses the division of SpectralNormalization")
            continue
        try:
            case = seeded_case(call, seed)
            if call["kind"] != "layer" and not is_stable(call, case, seed):
                refuse(call["kind"], "numbers that follow little changes of the inputs")
                continue
        except NotRecordable as error:
            refuse(call["kind"], str(error))
            continue
        except Exception as error:  # noqa: BLE001  (what Keras itself cannot compute)
            refuse(call["kind"], f"{type(error).__name__}: {error}"[:100])
            continue
        yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    refused, count = collections.Counter(), 0
    with open(options.out, "w") as file:
        for seed in range(options.seed, options.seed + options.count):
            for case in cases_of(seed, lambda kind, reason: refused.update([(kind, reason)])):
                line = json.dumps({"id": f"random_models::{seed}#{case['kind']}", **case}, separators=(",", ":"))
                if len(line) > LARGEST_CASE:
                    refused.update([(case["kind"], "a case too large")])
                    continue
                file.write(line + "\n")
                file.flush()
                count += 1
    for (kind, reason), times in refused.most_common(40):
        print(f"{times} of {kind} not recorded: {reason}", file=sys.stderr)
    print(f"{count} cases", file=sys.stderr)


if __name__ == "__main__":
    main()
