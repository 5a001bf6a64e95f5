"""How many training steps Keras runs for 4 epochs of 3 steps, by steps_per_execution: over arrays of 6 batches, over a repeated tf.data
pipeline, over a generator of 6 batches. docs/guide/steps_per_execution.md has the figures."""
import os
import warnings

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np
import tensorflow as tf

warnings.simplefilter("ignore")
X, Y = np.zeros((60, 4), np.float32), np.zeros((60, 1), np.float32)
SOURCES = {
    "arrays": lambda: dict(x=X, y=Y, batch_size=10),
    "repeated pipeline": lambda: dict(x=tf.data.Dataset.from_tensor_slices((X, Y)).batch(10).repeat()),
    "generator": lambda: dict(x=((X[:10], Y[:10]) for _ in range(6))),
}


def steps_run(source, steps_per_execution):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", steps_per_execution=steps_per_execution)
    model.fit(**source(), epochs=4, steps_per_epoch=3, verbose=0)
    return int(model.optimizer.iterations.numpy())


print(f"Keras {keras.__version__} on TensorFlow {tf.__version__}")
for name, source in SOURCES.items():
    print(f"{name}: " + ", ".join(f"K = {k}: {steps_run(source, k)}" for k in (1, 3, 5, 50)))
