"""A convolutional network with batch normalization and dropout on made images of digits' size."""

import keras
import numpy as np

keras.utils.set_random_seed(1)
random = np.random.default_rng(1)
y = random.integers(0, 10, 1024)
patterns = random.normal(size=(10, 28, 28, 1))
x = (patterns[y] + random.normal(size=(1024, 28, 28, 1))).astype("float32")

model = keras.Sequential([
    keras.layers.Input((28, 28, 1)),
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.BatchNormalization(),
    keras.layers.MaxPooling2D(),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Flatten(),
    keras.layers.Dropout(0.25),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=64, epochs=3, validation_split=0.125, verbose=2)
