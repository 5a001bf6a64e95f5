"""A transformer block with a custom layer, on made sequences of words."""

import keras
import numpy as np
from keras import layers, ops


@keras.saving.register_keras_serializable()
class Positions(layers.Layer):
    """Adds a trained vector to each position."""

    def build(self, shape):
        self.table = self.add_weight(shape=shape[1:], initializer="normal", name="table")

    def call(self, x):
        return x + ops.cast(self.table, x.dtype)


keras.utils.set_random_seed(1)
random = np.random.default_rng(1)
x = random.integers(0, 200, (512, 32))
y = (x == 7).any(axis=1).astype("int32") + (x == 9).any(axis=1).astype("int32")

inputs = layers.Input((32,), dtype="int32")
hidden = Positions()(layers.Embedding(200, 48)(inputs))
attended = layers.MultiHeadAttention(num_heads=4, key_dim=12)(hidden, hidden)
hidden = layers.LayerNormalization()(hidden + attended)
dense = layers.Dense(48)(layers.Dense(96, activation="gelu")(hidden))
hidden = layers.LayerNormalization()(hidden + dense)
outputs = layers.Dense(3, activation="softmax")(layers.GlobalAveragePooling1D()(hidden))
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=32, epochs=3, verbose=2)
