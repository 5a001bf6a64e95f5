"""Keras on the backend that KERAS_BACKEND names (TensorFlow's without): compile and fit, with a tf.data pipeline on TensorFlow."""
import os
import time

started = time.perf_counter()
os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np

import common
import keras_whole_runs

imported = time.perf_counter()


def make_model(workload, spe):
    layers = [keras.Input((workload["features"],))]
    for units, activation, rate in workload["layers"]:
        layers.append(keras.layers.Dense(units, activation=activation))
        if rate > 0:
            layers.append(keras.layers.Dropout(rate))
    name, learning_rate = workload["optimizer"]
    optimizer = keras.optimizers.get({"class_name": name, "config": {"learning_rate": learning_rate}})
    model = keras.Sequential(layers)
    model.compile(optimizer=optimizer, loss=workload["loss"], steps_per_execution=spe)
    return model


def make_batches(workload):
    x, y = common.make_data(workload)
    if workload["loss"] == "log_cosh":
        y = y.astype(np.float32)[:, None]  # Keras 3 refuses labels of rank 1 here
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf
        data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(min(len(x), 10000)).repeat()
        return data.batch(workload["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return ((x[rows], y[rows]) for rows in common.index_batches(workload["rows"], workload["batch"]))


def main():
    options = common.arguments(__doc__, keras_whole_runs.NAMES)
    if options.workload in keras_whole_runs.NAMES:
        keras_whole_runs.measure(options.workload, options.spe, options.seconds, started, imported)
        return
    workload = common.WORKLOADS[options.workload]
    model, batches = make_model(workload, options.spe), make_batches(workload)

    def run_steps(count):
        model.fit(batches, epochs=1, steps_per_epoch=count, verbose=0)

    common.measure(run_steps, options, started, imported, peer="keras-" + keras.backend.backend(), version=keras.__version__)


main()
