"""Keras on the backend that KERAS_BACKEND names (TensorFlow's without): compile and fit, with a tf.data pipeline on TensorFlow. Keras takes
XLA on its JAX backend always, on TensorFlow's for a CPU only where it is told to (--jit)."""
import os
import time

started = time.perf_counter()
os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np

import common
import keras_family
import keras_whole_runs

imported = time.perf_counter()


def make_layer(kind, arguments, workload):
    penalty = keras.regularizers.L2(workload["l2"]) if workload["l2"] else None
    layers = keras.layers
    if kind == "dense":
        return layers.Dense(arguments[0], activation=arguments[1], kernel_regularizer=penalty)
    if kind == "conv":
        return layers.Conv2D(arguments[0], 3, padding=arguments[1], activation="relu", kernel_regularizer=penalty)
    if kind == "embedding":
        return layers.Embedding(workload["inputs"][0][1], arguments[0])
    if kind == "bilstm":
        return layers.Bidirectional(layers.LSTM(arguments[0]))
    makers = {"pool": lambda: layers.MaxPooling2D(2), "flatten": layers.Flatten, "mean": layers.GlobalAveragePooling1D, "dropout": layers.Dropout,
              "lstm": layers.LSTM}
    return makers[kind](*arguments)


def make_loss(workload):
    if workload["loss"] == "log_cosh":
        return keras.losses.LogCosh()
    if workload["classes"] <= 1:
        return keras.losses.BinaryCrossentropy()
    return keras.losses.SparseCategoricalCrossentropy(from_logits=workload["logits"])


def make_optimizer(name, learning_rate):
    if name == "momentum":
        return keras.optimizers.SGD(learning_rate, momentum=0.9)
    return keras.optimizers.get({"class_name": name, "config": {"learning_rate": learning_rate}})


def make_model(name, spe, jit="auto"):
    workload = common.facts(name)
    if workload["layers"] is None:
        model = keras_family.make(name)
    else:
        shape, ids = workload["inputs"][0]
        layers = [make_layer(kind, arguments, workload) for kind, *arguments in workload["layers"]]
        model = keras.Sequential([keras.Input(shape, dtype="int32" if ids else "float32"), *layers])
    model.compile(optimizer=make_optimizer(*workload["optimizer"]), loss=make_loss(workload), steps_per_execution=spe, jit_compile=jit)
    return model


def as_inputs(xs):
    """One array, or a tuple of several."""
    return xs[0] if len(xs) == 1 else tuple(xs)


def make_batches(workload):
    xs, y = common.make_data(workload)
    if workload["loss"] == "log_cosh":
        y = y.astype(np.float32)[:, None]  # Keras 3 refuses labels of rank 1 here
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf
        data = tf.data.Dataset.from_tensor_slices((as_inputs(xs), y)).shuffle(min(len(y), 10000)).repeat()
        return data.batch(workload["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return ((as_inputs([x[rows] for x in xs]), y[rows]) for rows in common.index_batches(workload["rows"], workload["batch"]))


def main():
    options = common.arguments(__doc__, [*common.NETWORKS, *keras_whole_runs.NAMES], jit="compile with XLA")
    if options.workload in keras_whole_runs.NAMES:
        keras_whole_runs.measure(options.workload, options.spe, options.seconds, started, imported)
        return
    model = make_model(options.workload, options.spe, options.jit or "auto")
    batches = make_batches(common.facts(options.workload))

    def run_steps(count):
        model.fit(batches, epochs=1, steps_per_epoch=count, verbose=0)

    common.measure(run_steps, options, started, imported, peer="keras-" + keras.backend.backend(), version=keras.__version__,
                   params=model.count_params())


if __name__ == "__main__":
    main()
