"""The models of `cornu bench` and of the larger examples, at full size: the loss and some outputs of real Keras for weights and rows that both
sides make by one formula, and the losses of three training steps where nothing is random (models without dropout)."""

import math
import sys

import numpy as np

from golden import REPOSITORY, scalar, write

sys.path.insert(0, str(REPOSITORY / "benchmarks" / "peers"))
import common
import keras_peer

ROWS = 4


def scattered(count, salt):
    """Numbers from 0 to 2^32 - 1 that look random: what cli/workloads_golden_test.cc computes."""
    return (np.arange(count, dtype=np.uint64) * 2654435761 + salt * 40503 + 12345) % (1 << 32)


def uniform(shape, salt):
    return (scattered(math.prod(shape), salt) / 4294967296.0 - 0.5).reshape(shape)


def formula_weights(shapes):
    """Kernels of standard deviation 1 / sqrt(inputs), small biases."""
    return [(uniform(shape, salt) * (2 * math.sqrt(3 / math.prod(shape[:-1])) if len(shape) > 1 else 0.02)).astype(np.float32)
            for salt, shape in enumerate(shapes)]


def case(name, workload):
    shape = (ROWS, *workload["shape"])
    numbers = scattered(math.prod(shape), 1000)
    x = (numbers % workload["ids"]).astype(np.int32) if workload["ids"] else (numbers / 4294967296.0).astype(np.float32)
    x = x.reshape(shape)
    y = (scattered(ROWS, 1001) // 7 % max(2, workload["classes"])).astype(np.float32 if workload["classes"] == 1 else np.int32)
    if workload["loss"] == "log_cosh":
        y = y.astype(np.float32)[:, None]
    model = keras_peer.make_model(workload, 1)
    model.set_weights(formula_weights([weight.shape for weight in model.weights]))
    has_dropout = any(kind == "dropout" for kind, *_ in workload["layers"])
    result = {"workload": name, "params": int(model.count_params()), "outputs": [scalar(v) for v in model.predict_on_batch(x).ravel()[:12]],
              "loss": scalar(model.test_on_batch(x, y, return_dict=True)["loss"]), "step_losses": []}
    if not has_dropout:
        for _ in range(3):
            model.reset_metrics()
            result["step_losses"].append(scalar(model.train_on_batch(x, y, return_dict=True)["loss"]))
    print(name, result["loss"], result["step_losses"], flush=True)
    return result


def main():
    write("workloads", {"cases": [case(name, workload) for name, workload in common.WORKLOADS.items() if not name.endswith("_b256")]})
