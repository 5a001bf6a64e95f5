"""The networks of the documents that Cornu began with, on made data that can be learned: python networks.py NAME

NAME: mnist_mlp, mnist_cnn, cifar10_cnn, imdb_fasttext, imdb_bilstm, lstm_textgen, cifar_2m or cifar_10m.
"""

import sys

import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)
random = np.random.default_rng(1)


def pictures(shape, rows, classes=10):
    """Noise around one picture for each class."""
    y = random.integers(0, classes, rows)
    return (random.normal(size=(classes, *shape))[y] + random.normal(size=(rows, *shape))).astype("float32"), y


def texts(length, rows, words=20000):
    """Rows of words; those of class 1 are from the second half of the vocabulary more often."""
    y = random.integers(0, 2, rows)
    second = random.random((rows, length)) < 0.4 + 0.2 * y[:, None]
    return (random.integers(0, words // 2, (rows, length)) + second * (words // 2)).astype("int32"), y.astype("float32")


def characters(rows, length=40, kinds=57):
    """One-hot windows of a text in which each character follows from the one before."""
    text = np.cumsum(np.ones(rows + length + 1, int) + (random.random(rows + length + 1) < 0.1)) % kinds
    rows = np.arange(rows)[:, None] + np.arange(length)
    return np.eye(kinds, dtype="float32")[text[rows]], text[rows[:, -1] + 1]


def conv(filters, padding="valid"):
    return layers.Conv2D(filters, 3, padding=padding, activation="relu")


def cifar(first, units):
    return [conv(first, "same"), conv(first, "same"), layers.MaxPooling2D(), conv(2 * first, "same"), conv(2 * first, "same"),
            layers.MaxPooling2D(), layers.Flatten(), layers.Dense(units, activation="relu"), layers.Dense(10, activation="softmax")]


def network(name):
    """Layers, (x, y), batch size and optimizer."""
    dense, drop, softmax = layers.Dense, layers.Dropout, layers.Dense(10, activation="softmax")
    if name == "mnist_mlp":
        return ([dense(512, activation="relu"), drop(0.2), dense(512, activation="relu"), drop(0.2), softmax],
                pictures((784,), 6400), 128, "rmsprop")
    if name == "mnist_cnn":
        return ([conv(32), conv(64), layers.MaxPooling2D(), drop(0.25), layers.Flatten(), dense(128, activation="relu"), drop(0.5), softmax],
                pictures((28, 28, 1), 1280), 128, "adadelta")
    if name == "cifar10_cnn":
        return ([conv(32, "same"), conv(32), layers.MaxPooling2D(), drop(0.25), conv(64, "same"), conv(64), layers.MaxPooling2D(), drop(0.25),
                 layers.Flatten(), dense(512, activation="relu"), drop(0.5), softmax],
                pictures((32, 32, 3), 640), 32, keras.optimizers.RMSprop(1e-4))
    if name == "imdb_fasttext":
        return [layers.Embedding(20000, 50), layers.GlobalAveragePooling1D(), dense(1, activation="sigmoid")], texts(400, 1600), 32, "adam"
    if name == "imdb_bilstm":
        return ([layers.Embedding(20000, 128), layers.Bidirectional(layers.LSTM(64)), drop(0.5), dense(1, activation="sigmoid")],
                texts(100, 640), 32, "adam")
    if name == "lstm_textgen":
        # The document's learning rate is 0.01, with which the loss jumps, and roundings decide how it goes on.
        return [layers.LSTM(128), dense(57, activation="softmax")], characters(2560), 128, keras.optimizers.RMSprop(0.001)
    if name in ("cifar_2m", "cifar_10m"):
        return cifar(32, 512) if name == "cifar_2m" else cifar(64, 1200), pictures((32, 32, 3), 320), 32, "adam"
    sys.exit(__doc__)


parts, (x, y), batch_size, optimizer = network(sys.argv[1] if len(sys.argv) == 2 else "")
model = keras.Sequential([layers.Input(x.shape[1:], dtype=x.dtype), *parts])
model.compile(optimizer=optimizer, loss="binary_crossentropy" if parts[-1].units == 1 else "sparse_categorical_crossentropy",
              metrics=["accuracy"])
model.fit(x, y, batch_size=batch_size, epochs=3, shuffle=False, verbose=2)
