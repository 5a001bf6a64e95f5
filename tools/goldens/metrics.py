"""Metrics: the result after each of some updates."""

import keras
import numpy as np

from golden import array, scalar, write


def main():
    random = np.random.default_rng(3)
    cases = []

    def case(metric, updates, config=None):
        made = getattr(keras.metrics, metric)(**(config or {}))
        rows = []
        for y_true, y_pred, sample_weight in updates:
            made.update_state(y_true, y_pred, sample_weight=sample_weight) if y_pred is not None else made.update_state(
                y_true, sample_weight=sample_weight)
            rows.append({"y_true": array(y_true), "y_pred": None if y_pred is None else array(y_pred),
                         "sample_weight": None if sample_weight is None else array(sample_weight), "result": scalar(made.result())})
        cases.append({"metric": metric, "config": config or {}, "updates": rows})

    def random_array(*shape):
        return random.random(shape).astype(np.float32)

    eye = np.eye(4, dtype=np.float32)
    for metric in ["Mean", "Sum"]:
        case(metric, [(random_array(5), None, None), (random_array(3, 2), None, None), (random_array(4), None, random_array(4))])
    case("CategoricalAccuracy", [(eye[random.integers(0, 4, 6)], random_array(6, 4), w) for w in [None, random_array(6), None]])
    case("SparseCategoricalAccuracy", [(random.integers(0, 4, 6).astype(np.int32), random_array(6, 4), w) for w in [None, random_array(6)]]
         + [(random.integers(0, 4, (6, 1)).astype(np.int32), random_array(6, 4), None)])
    case("SparseCategoricalAccuracy", [(random.integers(0, 3, (4, 5)).astype(np.int32), random_array(4, 5, 3), None)])
    case("BinaryAccuracy", [(random.integers(0, 2, (6, 1)).astype(np.float32), random_array(6, 1), w) for w in [None, random_array(6)]])
    case("BinaryAccuracy", [(random.integers(0, 2, (6, 3)).astype(np.float32), random_array(6, 3), None)], {"threshold": 0.3})
    case("MeanSquaredError", [(random_array(6, 3), random_array(6, 3), w) for w in [None, random_array(6)]])
    case("MeanAbsoluteError", [(random_array(6, 3), random_array(6, 3), None)])
    write("metrics", {"cases": cases})
