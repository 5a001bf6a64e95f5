"""An LSTM that classifies made sequences of words."""

import keras
import numpy as np

keras.utils.set_random_seed(1)
random = np.random.default_rng(1)
x = random.integers(1, 1000, (512, 40))
y = (x[:, :20].mean(axis=1) > x[:, 20:].mean(axis=1)).astype("float32")

model = keras.Sequential([
    keras.layers.Input((40,), dtype="int32"),
    keras.layers.Embedding(1000, 32),
    keras.layers.LSTM(32),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer="rmsprop", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=32, epochs=3, verbose=2)
