"""Iris: a dense network with Adam and the log-cosh loss. KERAS_BACKEND=jax JAX_PLATFORMS=cornu python iris.py"""

import pathlib

import keras
import numpy as np

keras.utils.set_random_seed(1)
rows = np.genfromtxt(pathlib.Path(__file__).parent.parent / "01_iris" / "iris.csv", delimiter=",", dtype=str, skip_header=1)
x = rows[:, :4].astype("float32")
x = (x - x.mean(axis=0)) / x.std(axis=0)
y = np.unique(rows[:, 4], return_inverse=True)[1].astype("float32")[:, None]
order = np.random.default_rng(1).permutation(len(x))
x, y = x[order], y[order]

model = keras.Sequential([
    keras.layers.Input((4,)),
    keras.layers.Dense(32, activation="relu", name="relu"),
    keras.layers.Dense(3, activation="softmax", name="softmax"),
])
model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.1), loss="log_cosh", metrics=["accuracy"])
model.fit(x[:105], y[:105], batch_size=20, epochs=20, validation_data=(x[105:], y[105:]), verbose=2)
