"""The whole runs of `cornu bench` in Keras: 20 short epochs of the Iris program, or one long repeated one; predict of one row.

Keras 3 has no steps_per_execution "auto": iris_fit_auto is iris_fit_short there.
"""
import json
import statistics
import time

import keras
import numpy as np

NAMES = ["iris_fit_short", "iris_fit_long", "iris_fit_auto", "mnist_predict"]


def make_run(name, spe):
    random = np.random.default_rng(0)
    if name == "mnist_predict":
        model = keras.Sequential([keras.layers.Input((784,)), keras.layers.Dense(512, activation="relu"), keras.layers.Dropout(0.2),
                                  keras.layers.Dense(512, activation="relu"), keras.layers.Dropout(0.2),
                                  keras.layers.Dense(10, activation="softmax")])
        row = random.random((1, 784), np.float32)
        return lambda: model.predict(row, verbose=0)
    x = random.random((150, 4), np.float32)
    y = random.integers(0, 3, size=(150, 1)).astype(np.float32)
    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(3, activation="softmax")])
    model.compile(optimizer=keras.optimizers.Adam(0.1), loss="log_cosh", metrics=["accuracy"], steps_per_execution=spe)
    validation = (x[105:], y[105:])
    if name != "iris_fit_long":
        return lambda: model.fit(x[:105], y[:105], batch_size=20, epochs=20, validation_data=validation, validation_batch_size=20, verbose=0)
    import tensorflow as tf
    stream = tf.data.Dataset.from_tensor_slices((x[:105], y[:105])).shuffle(105).repeat(20).batch(20)
    return lambda: model.fit(stream, epochs=1, validation_data=validation, validation_batch_size=20, verbose=0)


def measure(name, spe, seconds, started, imported):
    run = make_run(name, spe)
    begin = time.perf_counter()
    run()
    first = time.perf_counter() - begin
    times = []
    while len(times) < 3 or sum(times) < seconds:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    print(json.dumps({"workload": name, "peer": "keras-" + keras.backend.backend(), "version": keras.__version__, "spe": spe,
                      "ms_step": round(statistics.median(times) * 1e3, 4), "ms_min": round(min(times) * 1e3, 4),
                      "first_fit_s": round(first, 4), "import_s": round(imported - started, 4), "steps": len(times)}))
