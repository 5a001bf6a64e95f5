"""Metrics: the result after each of some updates."""

import keras
import numpy as np

from golden import array, scalar, write


def main():
    random = np.random.default_rng(3)
    cases = []

    def case(metric, updates, config=None):
        keras.utils.clear_session()
        made = getattr(keras.metrics, metric)(**(config or {}))
        rows = []
        for y_true, y_pred, sample_weight in updates:
            made.update_state(y_true, y_pred, sample_weight=sample_weight) if y_pred is not None else made.update_state(
                y_true, sample_weight=sample_weight)
            rows.append({"y_true": array(y_true), "y_pred": None if y_pred is None else array(y_pred),
                         "sample_weight": None if sample_weight is None else array(sample_weight),
                         "result": array(made.result()) if np.ndim(made.result()) else scalar(made.result())})
        cases.append({"metric": metric, "config": config or {}, "name": made.name, "direction": getattr(made, "_direction", None),
                      "paths": [v.path for v in made.variables], "updates": rows})

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
    def binary(*shape):
        return random.integers(0, 2, shape).astype(np.float32)

    def one_hot(rows, classes):
        return np.eye(classes, dtype=np.float32)[random.integers(0, classes, rows)]

    def three(labels, outputs, *shape):
        return [(labels(*shape), outputs(*shape), w) for w in [None, random_array(shape[0]), None]]

    for metric in ["RootMeanSquaredError", "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError", "CosineSimilarity", "LogCoshError",
                   "KLDivergence", "Poisson", "MeanAbsoluteError"]:
        case(metric, three(random_array, random_array, 4, 3))
    case("CosineSimilarity", [(random_array(4, 3), random_array(4, 3), None)] * 2, {"axis": 0})
    for metric in ["Hinge", "SquaredHinge", "BinaryCrossentropy"]:
        case(metric, three(binary, random_array, 4, 3))
    for metric in ["CategoricalHinge", "CategoricalCrossentropy"]:
        case(metric, three(one_hot, random_array, 4, 3))
    case("BinaryCrossentropy", three(binary, random_array, 4, 3), {"from_logits": True, "label_smoothing": 0.2})
    case("SparseCategoricalCrossentropy", [(random.integers(0, 3, 4).astype(np.int32), random_array(4, 3), w) for w in [None, random_array(4)]])
    for metric in ["TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy"]:
        labels = one_hot if metric[0] == "T" else lambda rows, classes: random.integers(0, classes, rows).astype(np.int32)
        case(metric, three(labels, random_array, 6, 5), {"k": 2})
    case("Accuracy", [(binary(5), binary(5), w) for w in [None, random_array(5)]])
    for metric in ["TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives", "Precision", "Recall"]:
        case(metric, three(binary, random_array, 6))
        case(metric, three(binary, random_array, 5, 2), {"thresholds": [0.2, 0.6, 0.7]})
    for metric in ["Precision", "Recall"]:
        case(metric, three(one_hot, random_array, 6, 4), {"top_k": 2})
        case(metric, three(one_hot, random_array, 6, 3), {"class_id": 1, "thresholds": 0.4})
        case(metric, three(one_hot, random_array, 6, 4), {"class_id": 2, "top_k": 2})
    for config in [{}, {"curve": "PR"}, {"curve": "PRGAIN"}, {"summation_method": "minoring"}, {"summation_method": "majoring", "curve": "PR"},
                   {"num_thresholds": 7}, {"thresholds": [0.7, 0.2, 0.3]}, {"from_logits": True}]:
        case("AUC", three(binary, random_array, 8), config)
    case("AUC", three(binary, random_array, 6, 2), {"multi_label": True})
    case("AUC", three(binary, random_array, 6, 2), {"multi_label": True, "num_labels": 2, "label_weights": [0.3, 0.9], "curve": "PR"})
    case("AUC", [(binary(6, 2), random_array(6, 2), None)] * 2, {"label_weights": [0.3, 0.9]})
    for metric, config in [("SensitivityAtSpecificity", {"specificity": 0.4}), ("SpecificityAtSensitivity", {"sensitivity": 0.4}),
                           ("PrecisionAtRecall", {"recall": 0.4}), ("RecallAtPrecision", {"precision": 0.4, "num_thresholds": 9})]:
        case(metric, three(binary, random_array, 8), config)
    for config in [{}, {"average": "micro"}, {"average": "macro", "threshold": 0.4}, {"average": "weighted"}]:
        case("F1Score", three(one_hot, random_array, 6, 3), config)
    case("FBetaScore", three(one_hot, random_array, 6, 3), {"beta": 2.0, "average": "macro"})
    for config in [{}, {"class_aggregation": "variance_weighted_average"}, {"class_aggregation": None}, {"num_regressors": 2}]:
        case("R2Score", three(random_array, random_array, 6, 2), config)
    def ids(*shape, classes=3):
        return random.integers(0, classes, shape).astype(np.int32)

    counts = {"num_classes": 3, "dtype": "float32"}  # of weights that are not integers
    for metric, config in [("MeanIoU", {}), ("IoU", {"target_class_ids": [0, 2]}), ("MeanIoU", {"ignore_class": 1})]:
        case(metric, [(ids(4, 5), ids(4, 5, classes=4), w) for w in [None, random_array(4, 5), None]], {**counts, **config})
    case("MeanIoU", [(ids(6), ids(6, classes=2), None)], {"num_classes": 5, "dtype": "int32"})
    for metric, config in [("OneHotIoU", {"target_class_ids": [1, 2]}), ("OneHotMeanIoU", {}), ("MeanIoU", {"sparse_y_true": False, "sparse_y_pred": False})]:
        case(metric, [(one_hot(6, 3), random_array(6, 3), w) for w in [None, random_array(6)]], {**counts, **config})
    case("OneHotMeanIoU", [(one_hot(6, 3), ids(6), None)], {**counts, "sparse_y_pred": True})
    for config in [{}, {"threshold": 0.3, "target_class_ids": [1]}]:
        case("BinaryIoU", [(binary(4, 3), random_array(4, 3), w) for w in [None, random_array(4, 3)]], {"dtype": "float32", **config})
    for metric in ["PearsonCorrelation", "ConcordanceCorrelation"]:
        case(metric, three(random_array, random_array, 4, 5))
        case(metric, [(random_array(4, 5), random_array(4, 5), None)], {"axis": 0})
    case("SparseCategoricalCrossentropy", [(ids(6), random_array(6, 3), w) for w in [None, random_array(6)]], {"ignore_class": 1})
    case("SparseCategoricalCrossentropy", [(ids(4, 5), random_array(4, 5, 3), w) for w in [None, random_array(4, 5)]],
         {"ignore_class": -1, "from_logits": True})
    case("SparseTopKCategoricalAccuracy", [(ids(6, classes=5), ids(6, 4, classes=5), w) for w in [None, random_array(6)]],
         {"k": 2, "from_sorted_ids": True})
    # Outputs of other types. Keras computes some of them in that type, where differences wrap around, and refuses some; Cornu takes them as
    # numbers of the metric's type, f32, for which Keras is asked here.
    typed = []
    outputs = {"uint8": [[5, 190], [30, 2], [0, 255]], "int8": [[5, -120], [30, 2], [0, 127]], "int32": [[5, 1190], [-30, 2], [0, 255]],
               "int64": [[5, 1190], [-30, 2], [0, 255]], "bool": [[1, 0], [1, 1], [0, 1]], "float16": [[5, 190], [30, 2], [0.25, 1]],
               "float32": [[5, 190], [30, 2], [0.25, 1]]}
    labels = np.array([[3, 200], [10, 1], [0, 1]], np.float32)
    binary_labels = np.array([[0, 1], [1, 0], [0, 1]], np.float32)
    weights = np.array([1, 0.5, 2], np.float32)
    of_labels = ["MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError", "RootMeanSquaredError",
                 "CosineSimilarity", "LogCoshError", "KLDivergence", "Poisson", "Accuracy", "R2Score"]
    of_binary = ["Hinge", "SquaredHinge", "CategoricalHinge", "BinaryCrossentropy", "CategoricalCrossentropy", "BinaryAccuracy",
                 "CategoricalAccuracy", "TopKCategoricalAccuracy", "Precision", "Recall", "AUC", "F1Score", "TruePositives", "FalsePositives"]
    of_ids = ["SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy"]
    for dtype, numbers in outputs.items():
        y_pred = np.array(numbers, np.float64).astype(dtype).astype(np.float32)
        for metric in of_labels + of_binary + of_ids:
            y_true = labels if metric in of_labels else binary_labels if metric in of_binary else np.array([1, 0, 1], np.float32)
            made = getattr(keras.metrics, metric)()
            for sample_weight in [None, weights]:
                made.update_state(y_true, y_pred, sample_weight=sample_weight)
            result = np.asarray(made.result())
            if not np.isfinite(result).all():
                continue
            typed.append({"metric": metric, "dtype": dtype, "y_true": array(y_true), "y_pred": array(y_pred), "sample_weight": array(weights),
                          "result": array(result) if result.ndim else scalar(result)})
    directions = {}
    for loss in ["MeanSquaredError", "Huber", "KLDivergence"]:  # losses and functions as metrics
        directions[loss] = keras.metrics.MeanMetricWrapper(getattr(keras.losses, loss)())._direction
    directions["function"] = getattr(keras.metrics.MeanMetricWrapper(lambda y_true, y_pred: y_pred), "_direction", None)
    write("metrics", {"cases": cases, "directions": directions, "typed": typed})
