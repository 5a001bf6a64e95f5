"""Mixed precision: a LossScaleOptimizer that meets gradients that are not finite, and ten steps of a model of each mixed policy."""

import jax.numpy as jnp
import keras
import numpy as np

from golden import array, write


def loss_scaling(inner, config):
    keras.utils.clear_session()
    random = np.random.default_rng(21)
    variables = [keras.Variable(random.normal(size=shape).astype("float32"), name=name) for shape, name in [((3, 2), "kernel"), ((4,), "bias")]]
    starts = [array(v.numpy()) for v in variables]
    optimizer = keras.optimizers.LossScaleOptimizer(getattr(keras.optimizers, inner)(**config), initial_scale=1024.0, dynamic_growth_steps=3)
    optimizer.build(variables)
    steps, gradients = [], []
    for step in range(12):
        of_step = [random.normal(size=v.shape).astype("float32") for v in variables]
        broken = {4: np.inf, 5: np.nan, 9: -np.inf}.get(step)
        scale = float(optimizer.dynamic_scale.numpy())
        given = [g * scale for g in of_step]
        if broken is not None:
            given[1][2] = broken
        # As a trainer on JAX does it; apply() works on other backends only.
        new_variables, new_slots = optimizer.stateless_apply([v.value for v in optimizer.variables], [jnp.asarray(g) for g in given],
                                                             [v.value for v in variables])
        for variable, value in zip([*variables, *optimizer.variables], [*new_variables, *new_slots]):
            variable.assign(value)
        gradients.append({"values": [array(g) for g in of_step], "broken": None if broken is None else str(broken)})
        steps.append({"variables": [array(v.numpy()) for v in variables], "scale": float(optimizer.dynamic_scale.numpy()),
                      "counter": int(optimizer.step_counter.numpy()), "iterations": int(optimizer.iterations.numpy())})
    return {"inner": inner, "config": config, "starts": starts, "gradients": gradients, "steps": steps,
            "paths": [v.path for v in optimizer.variables]}


def training(policy):
    keras.utils.clear_session()
    keras.utils.set_random_seed(5)
    random = np.random.default_rng(22)
    keras.config.set_dtype_policy(policy)
    try:
        model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(16, activation="tanh"), keras.layers.BatchNormalization(),
                                  keras.layers.Dense(8, activation="relu", kernel_regularizer=keras.regularizers.L2(0.01)), keras.layers.LayerNormalization(),
                                  keras.layers.Dense(3, activation="softmax", dtype="float32")])
        model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
    finally:
        keras.config.set_dtype_policy("float32")
    x, y = random.normal(size=(32, 6)).astype("float32"), random.integers(0, 3, size=32).astype("int32")
    weights = [array(w) for w in model.get_weights()]
    before = model.predict(x, verbose=0)
    losses = []
    for _ in range(10):
        model.reset_metrics()
        losses.append(float(model.train_on_batch(x, y)))
    return {"policy": policy, "x": array(x), "y": array(y), "weights": weights, "weight_dtypes": [str(w.dtype) for w in model.weights],
            "output_dtypes": [str(layer.compute_dtype) for layer in model.layers], "optimizer": type(model.optimizer).__name__,
            "before": array(before), "losses": losses, "after": array(model.predict(x, verbose=0))}


def main():
    write("mixed_precision", {
        "loss_scaling": [loss_scaling("SGD", {"learning_rate": 0.1, "momentum": 0.9}), loss_scaling("Adam", {"learning_rate": 0.05, "clipnorm": 1.0})],
        "training": [training(policy) for policy in ("mixed_float16", "mixed_bfloat16")]})
