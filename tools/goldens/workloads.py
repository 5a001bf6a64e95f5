"""The models of `cornu bench` and of the larger examples, at full size: the loss and some outputs of real Keras for weights and rows that both
sides make by one formula, and the losses of three training steps where nothing is random."""

import sys

import keras
import numpy as np

from golden import REPOSITORY, scalar, write

sys.path.insert(0, str(REPOSITORY / "benchmarks" / "peers"))
import common
import formula
import keras_family
import keras_peer


# Keras's own backends differ by 5e-5 and more after two steps: the first steps of Adam and RMSprop follow the signs of tiny gradients, and an
# element at a rectifier's edge falls on either side.
SENSITIVE = {"dense_layernorm", "depthwise_cnn"}


def draws_random_numbers(model):
    """Whether a step of training does."""
    return any(isinstance(layer, (keras.layers.Dropout, keras_family.Sampling)) for layer in model.layers)


def case(name):
    workload = common.facts(name)
    xs, y = formula.data(workload)
    x = keras_peer.as_inputs(xs)
    if workload["loss"] == "log_cosh":
        y = y.astype(np.float32)[:, None]
    keras.utils.clear_session()
    model = keras_peer.make_model(name, 1)
    model.set_weights(formula.weights([(weight.name, tuple(weight.shape)) for weight in model.weights]))
    result = {"workload": name, "params": int(model.count_params()), "outputs": [scalar(v) for v in model.predict_on_batch(x).ravel()[:12]],
              "loss": scalar(model.test_on_batch(x, y, return_dict=True)["loss"]), "step_losses": []}
    if not draws_random_numbers(model):
        for _ in range(1 if name in SENSITIVE else 3):
            model.reset_metrics()
            result["step_losses"].append(scalar(model.train_on_batch(x, y, return_dict=True)["loss"]))
    print(name, result["loss"], result["step_losses"], flush=True)
    return result


def main():
    names = [name for name in common.WORKLOADS if not name.endswith("_b256")]
    write("workloads", {"cases": [case(name) for name in [*names, *common.FAMILY]]})
