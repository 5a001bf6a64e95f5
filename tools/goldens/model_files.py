"""Files of models: what real Keras saves after three steps of training, and what it computes with them, before and after three further steps.

Usage: KERAS_BACKEND=jax python tools/goldens/model_files.py [FOLDER [NAME...]]

Of each model: NAME.keras, NAME.h5 (not of subclassed models) and NAME.npz with x, y, the predictions, losses of three further steps, the
predictions and the weights then. Times in the archives are fixed, so that the same versions give the same files.
"""

import json
import pathlib
import sys
import zipfile

import keras
import numpy as np
from keras import layers

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "keras"


@keras.saving.register_keras_serializable(package="demo")
class Scale(layers.Layer):
    """A layer of a user's with a weight, a list of layers and one more."""

    def __init__(self, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor
        self.blocks = [layers.Dense(3, activation="tanh"), layers.Dense(3)]
        self.head = layers.Dense(2)

    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(shape[-1],), initializer="ones")
        width = shape[-1]
        for block in self.blocks:
            block.build((None, width))
            width = 3
        self.head.build((None, width))

    def call(self, x):
        x = x * self.scale * self.factor
        for block in self.blocks:
            x = block(x)
        return self.head(x)

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


def dense(random):
    model = keras.Sequential([keras.Input((6,)), layers.Dense(8, activation="relu", kernel_regularizer=keras.regularizers.L2(0.01)),
                              layers.Dense(3, activation="softmax", bias_initializer=keras.initializers.Constant(0.1))], name="dense_model")
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model, random.normal(size=(16, 6)), random.integers(0, 3, size=16)


def multi(random):
    a, b = keras.Input((6,), name="a"), keras.Input((6,), name="b")
    shared = layers.Dense(5, activation="gelu", name="shared")
    left, right = shared(a), shared(b)
    joined = layers.Concatenate()([left, right]) * 2.0 + 1.0
    joined = keras.ops.mean(keras.ops.reshape(joined, (-1, 2, 5)), axis=1)
    joined = layers.Add()([joined, left])
    outputs = {"reg": layers.Dense(1, name="reg")(joined), "cls": layers.Dense(4, activation="softmax", name="cls")(joined)}
    model = keras.Model({"a": a, "b": b}, outputs, name="multi_model")
    rate = keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)
    model.compile(keras.optimizers.SGD(rate, momentum=0.9), loss={"reg": "mse", "cls": keras.losses.CategoricalCrossentropy(label_smoothing=0.1)},
                  loss_weights={"reg": 0.5, "cls": 1.0}, metrics={"reg": ["mae"], "cls": ["accuracy"]})
    x = {"a": random.normal(size=(12, 6)), "b": random.normal(size=(12, 6))}
    return model, x, {"reg": random.normal(size=(12, 1)), "cls": np.eye(4)[random.integers(0, 4, size=12)]}


def convolution(random):
    image = keras.Input((12, 12, 3))
    x = layers.Conv2D(6, 3, padding="same", use_bias=False, kernel_regularizer="l2")(image)
    x = layers.ReLU(6.0)(layers.BatchNormalization(momentum=0.9)(x))
    x = layers.MaxPooling2D(2)(x)
    y = layers.SeparableConv2D(8, 3, strides=2, padding="same", activation="silu")(x)
    z = layers.Conv2D(8, 1, strides=2)(x)
    x = layers.LayerNormalization()(layers.Add()([y, z]))
    x = layers.Conv2DTranspose(4, 3, strides=2, padding="same")(x)
    x = layers.Dense(5)(layers.GlobalAveragePooling2D()(layers.AveragePooling2D(2)(x)))
    model = keras.Model(image, x, name="convolution_model")
    model.compile(keras.optimizers.RMSprop(momentum=0.5, centered=True), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model, random.normal(size=(8, 12, 12, 3)), random.integers(0, 5, size=8)


def nested(random):
    inside_input = keras.Input((4,))
    inside = keras.Model(inside_input, layers.Dense(3, name="inner")(layers.Dense(7, activation="selu")(inside_input)), name="inside")
    steps = keras.Sequential([keras.Input((4,)), layers.Dense(6, activation="relu"), layers.Dense(3)], name="steps")
    x = keras.Input((5, 4))
    first = inside(layers.GlobalMaxPooling1D()(x))
    flat = layers.Flatten()(layers.TimeDistributed(steps)(x))
    joined = layers.Concatenate()([flat, first, inside(layers.Dense(4)(first))])
    model = keras.Model(x, layers.Dense(1)(joined), name="nested_model")
    model.compile(keras.optimizers.AdamW(0.01, weight_decay=0.01, clipnorm=1.0), "huber")
    return model, random.normal(size=(8, 5, 4)), random.normal(size=(8, 1))


def masked(random):
    ids = keras.Input((7,), dtype="int32")
    x = layers.Embedding(11, 5, mask_zero=True)(ids)
    x = layers.Bidirectional(layers.LSTM(4, return_sequences=True))(x)
    x = layers.Dense(2)(layers.GRU(3)(x))
    model = keras.Model(ids, x, name="masked_model")
    model.compile(keras.optimizers.Adam(0.01, amsgrad=True, use_ema=True, ema_momentum=0.9), "mse")
    rows = random.integers(1, 11, size=(8, 7))
    for row, length in zip(rows, random.integers(2, 8, size=8)):
        row[length:] = 0
    return model, rows.astype("int32"), random.normal(size=(8, 2))


def masking(random):
    x = keras.Input((6, 3))
    y = layers.Masking()(x)
    y = layers.RNN([layers.LSTMCell(4), layers.GRUCell(3)], return_sequences=True)(y)
    y = layers.SimpleRNN(4)(y)
    model = keras.Model(x, layers.Dense(1, activation="sigmoid")(y), name="masking_model")
    model.compile(keras.optimizers.Nadam(0.01), "binary_crossentropy", metrics=[keras.metrics.AUC(num_thresholds=20, name="auc")])
    rows = random.normal(size=(8, 6, 3))
    for row, length in zip(rows, random.integers(1, 7, size=8)):
        row[length:] = 0
    return model, rows, random.integers(0, 2, size=(8, 1))


def deferred(random):
    model = keras.Sequential([layers.Dense(4, activation="elu"), layers.Dense(1)], name="deferred_model")
    model.compile(keras.optimizers.SGD(0.1), "mae")
    return model, random.normal(size=(8, 5)), random.normal(size=(8, 1))


def custom(random):
    x = keras.Input((5,))
    model = keras.Model(x, layers.Dense(2)(Scale(1.5, name="scale")(x)), name="custom_model")
    model.compile(keras.optimizers.Adamax(0.01), "mse")
    return model, random.normal(size=(8, 5)), random.normal(size=(8, 2))


def attention(random):
    ids, allowed = keras.Input((6,), dtype="int32", name="ids"), keras.Input((6, 6), dtype="int32", name="allowed")
    x = layers.Embedding(9, 8, mask_zero=True)(ids)
    x = layers.LayerNormalization()(layers.Add()([x, layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)]))
    y, scores = layers.MultiHeadAttention(2, 4, use_gate=True)(x, x, attention_mask=allowed, return_attention_scores=True)
    x = x + layers.EinsumDense("abc,cd->abd", (None, 8), bias_axes="d", activation="gelu")(y)
    x = layers.GroupQueryAttention(4, 4, 2)(x, x, attention_mask=allowed)
    y = layers.Attention(use_scale=True)([x, layers.Masking()(x)])
    x = layers.Concatenate()([layers.AdditiveAttention()([y, x, x], use_causal_mask=True), y])
    outputs = {"mean": layers.Dense(2, name="mean")(layers.GlobalAveragePooling1D()(x)), "seen": layers.Dense(1, name="seen")(layers.Flatten()(scores))}
    model = keras.Model({"ids": ids, "allowed": allowed}, outputs, name="attention_model")
    model.compile(keras.optimizers.SGD(0.001, momentum=0.5), {"mean": "mse", "seen": "mae"})
    rows = random.integers(1, 9, size=(8, 6))
    for row, length in zip(rows, random.integers(2, 7, size=8)):
        row[length:] = 0
    may = random.random((8, 6, 6)) < 0.7
    return model, {"ids": rows, "allowed": may.astype("int32")}, {"mean": random.normal(size=(8, 2)), "seen": random.normal(size=(8, 1))}


def mixed(random):
    x = keras.Input((8,))
    y = layers.Dense(8, activation="relu", dtype="mixed_float16")(x)
    y = layers.Dense(8, dtype="bfloat16")(y)
    model = keras.Model(x, layers.Dense(2, dtype="float32")(y), name="mixed_model")
    model.compile(keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(0.01), initial_scale=1024.0), "mse")
    return model, random.normal(size=(8, 8)), random.normal(size=(8, 2))


def scaled(random):
    """A policy for all: compile() puts a LossScaleOptimizer around Adam, and the file's configuration does not name it."""
    keras.config.set_dtype_policy("mixed_float16")
    x = keras.Input((8,))
    model = keras.Model(x, layers.Dense(2, dtype="float32")(layers.Dense(8, activation="relu")(x)), name="scaled_model")
    model.compile(keras.optimizers.Adam(0.01), "mse")
    return model, random.normal(size=(8, 8)), random.normal(size=(8, 2))


def scaled_sequential(random):
    keras.config.set_dtype_policy("mixed_float16")
    model = keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu"), layers.Dense(2, dtype="float32")], name="scaled_sequential")
    model.compile(keras.optimizers.SGD(0.01, momentum=0.9), "mse")
    return model, random.normal(size=(8, 8)), random.normal(size=(8, 2))


def video(random):
    """Layers that hold a cell or another layer, and one that is called in two ways."""
    frames = keras.Input((3, 4, 4, 2))
    x = layers.ConvLSTM2D(3, 2, padding="same", return_sequences=True, name="all")(frames)
    x = layers.ConvLSTM2D(2, 3)(x)
    x = layers.Pipeline([layers.Rescaling(0.5), layers.Rescaling(1.5, offset=0.1)])(layers.Flatten()(x)[:, :, None, None])
    x = layers.Flatten()(x)
    table = layers.ReversibleEmbedding(5, 4, tie_weights=False)
    x = layers.Add()([layers.Dense(4)(x), layers.Flatten()(table(keras.ops.argmax(x[:, :1], axis=1, keepdims=True)))])
    model = keras.Model(frames, table(x, reverse=True), name="video_model")
    model.compile("sgd", "mse")
    return model, random.normal(size=(8, 3, 4, 4, 2)), random.normal(size=(8, 5))


MODELS = {f.__name__: f for f in (dense, multi, convolution, nested, masked, masking, deferred, custom, attention, mixed, scaled, scaled_sequential, video)}


def narrow(value):
    if isinstance(value, dict):
        return {k: narrow(v) for k, v in value.items()}
    return value.astype("float32") if value.dtype.kind == "f" else value.astype("int32")


def flat(prefix, value):
    if isinstance(value, dict):
        return {f"{prefix}/{k}": np.asarray(v) for k, v in value.items()}
    return {prefix: np.asarray(value)}


def fix_times(path):
    """The same archive with the times of the members, and of its making, fixed."""
    with zipfile.ZipFile(path) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members:
            if name == "metadata.json":
                content = json.dumps({**json.loads(content), "date_saved": "2026-01-01@00:00:00"}).encode()
            archive.writestr(zipfile.ZipInfo(name), content)


def make(name, folder):
    keras.utils.clear_session()
    keras.config.set_dtype_policy("float32")
    keras.utils.set_random_seed(11)
    random = np.random.default_rng(3)
    model, x, y = MODELS[name](random)
    x, y = narrow(x), narrow(y)
    for _ in range(3):
        model.train_on_batch(x, y)
    model.save(folder / f"{name}.keras")
    fix_times(folder / f"{name}.keras")
    if name != "custom":
        model.save(folder / f"{name}.h5")
    golden = {**flat("x", x), **flat("y", y), **flat("before", model.predict(x, verbose=0))}
    losses = []
    for _ in range(3):
        model.reset_metrics()
        losses.append(float(model.train_on_batch(x, y, return_dict=True)["loss"]))
    golden.update(flat("after", model.predict(x, verbose=0)))
    golden["losses"] = np.array(losses)
    for i, weight in enumerate(model.get_weights()):
        golden[f"weights/{i}"] = weight if weight.dtype.kind == "f" else weight.astype("float32")  # NumPy's files know no bfloat16
    np.savez_compressed(folder / f"{name}.npz", **golden)
    if name == "dense":
        np.savez_compressed(folder / "dense_inputs.npz", x=x)  # for the program's test
    print(name, losses)


def main(folder=FOLDER, names=tuple(MODELS)):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        make(name, folder)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, sys.argv[2:] or tuple(MODELS))
