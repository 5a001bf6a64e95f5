"""Losses: values a sample, reduced results, gradients."""

import jax
import jax.numpy as jnp
import keras
import numpy as np
from keras.src import backend

from golden import array, scalar, write


def main():
    random = np.random.default_rng(2)

    def probabilities(*shape):
        e = np.exp(random.normal(size=shape))
        return (e / e.sum(-1, keepdims=True)).astype(np.float32)

    def normal(*shape):
        return random.normal(size=shape).astype(np.float32)

    def one_hot(*shape):
        return np.eye(shape[-1], dtype=np.float32)[random.integers(0, shape[-1], size=shape[:-1])]

    extreme = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]], np.float32)
    big = np.array([[30.0, -30.0, 0.0], [200.0, 0.0, -200.0]], np.float32)
    cases = []

    def case(loss, y_true, y_pred, config=None, sample_weight=None, mask=None):
        config = config or {}
        made = getattr(keras.losses, loss)(**config)
        values = made.call(jnp.asarray(y_true), jnp.asarray(y_pred))

        def call(p):
            if mask is not None:
                backend.set_keras_mask(p, jnp.asarray(mask))
            return made(y_true, p, sample_weight)

        result = call(jnp.asarray(y_pred))
        cases.append({
            "loss": loss, "config": config, "y_true": array(y_true), "y_pred": array(y_pred),
            "sample_weight": None if sample_weight is None else array(sample_weight),
            "values": array(values), "result": array(result) if result.ndim else scalar(result),
            "gradient": array(jax.grad(lambda p: jnp.sum(call(p)))(jnp.asarray(y_pred))),
            **({} if mask is None else {"mask": array(mask.astype(np.int32))}),
        })

    for loss in ["LogCosh", "MeanSquaredError", "MeanAbsoluteError", "Huber"]:
        case(loss, normal(4, 3), normal(4, 3) * 2)
        case(loss, normal(3, 2, 4), normal(3, 2, 4))
        case(loss, normal(5), normal(5, 1))
        case(loss, normal(4, 3), normal(4, 3), sample_weight=random.random(4).astype(np.float32))
    case("LogCosh", np.zeros((2, 3), np.float32), big)
    case("MeanSquaredError", normal(4, 3), normal(4, 3), {"reduction": "sum"})
    for from_logits in [False, True]:
        config = {"from_logits": from_logits}
        make = normal if from_logits else probabilities
        weight = random.random(6).astype(np.float32)
        case("CategoricalCrossentropy", one_hot(6, 4), make(6, 4), config)
        case("CategoricalCrossentropy", one_hot(6, 4), make(6, 4), {**config, "label_smoothing": 0.1}, weight)
        case("CategoricalCrossentropy", one_hot(3, 2, 5), make(3, 2, 5), config)
        case("CategoricalCrossentropy", one_hot(2, 3), big if from_logits else extreme, config)
        case("SparseCategoricalCrossentropy", random.integers(0, 4, size=6).astype(np.int32), make(6, 4), config)
        case("SparseCategoricalCrossentropy", random.integers(0, 4, size=(6, 1)).astype(np.int32), make(6, 4), config, weight)
        case("SparseCategoricalCrossentropy", random.integers(0, 5, size=(3, 2)).astype(np.int32), make(3, 2, 5), config)
        case("SparseCategoricalCrossentropy", np.array([1, 0], np.int32), big if from_logits else extreme, config)
        binary = random.integers(0, 2, size=(6, 1)).astype(np.float32)
        predicted = normal(6, 1) * 3 if from_logits else random.random((6, 1)).astype(np.float32)
        case("BinaryCrossentropy", binary, predicted, config)
        case("BinaryCrossentropy", random.integers(0, 2, size=(4, 3)).astype(np.float32),
             normal(4, 3) if from_logits else random.random((4, 3)).astype(np.float32), {**config, "label_smoothing": 0.2})
    positive = lambda *shape: random.random(shape).astype(np.float32) + 0.1
    signs = lambda *shape: (random.integers(0, 2, size=shape) * 2 - 1).astype(np.float32)
    binary_of = lambda *shape: random.integers(0, 2, size=shape).astype(np.float32)
    for loss, labels, outputs in [("MeanAbsolutePercentageError", normal, normal), ("MeanSquaredLogarithmicError", positive, positive),
                                  ("KLDivergence", probabilities, probabilities), ("Poisson", positive, positive),
                                  ("CosineSimilarity", normal, normal), ("Hinge", signs, normal), ("Hinge", binary_of, normal),
                                  ("SquaredHinge", signs, normal), ("SquaredHinge", binary_of, normal),
                                  ("CategoricalHinge", one_hot, normal), ("BinaryFocalCrossentropy", binary_of, positive),
                                  ("CategoricalFocalCrossentropy", one_hot, probabilities)]:
        if loss == "BinaryFocalCrossentropy":
            outputs = lambda *shape: (random.random(shape) * 0.9 + 0.05).astype(np.float32)
        case(loss, labels(4, 3), outputs(4, 3))
        case(loss, labels(3, 2, 3), outputs(3, 2, 3), {}, random.random((3, 2)).astype(np.float32))
    case("CosineSimilarity", normal(3, 4), normal(3, 4), {"axis": 0})
    case("Huber", normal(3, 4), normal(3, 4) * 2, {"delta": 0.5})
    case("BinaryFocalCrossentropy", binary_of(4, 3), normal(4, 3),
         {"from_logits": True, "apply_class_balancing": True, "alpha": 0.3, "gamma": 1.5, "label_smoothing": 0.1})
    case("CategoricalFocalCrossentropy", one_hot(4, 3), normal(4, 3),
         {"from_logits": True, "alpha": 0.3, "gamma": 1.5, "label_smoothing": 0.1})
    case("CategoricalGeneralizedCrossEntropy", random.integers(0, 3, size=4).astype(np.int32), probabilities(4, 3), {"q": 0.7})
    for from_logits in [False, True]:
        ids = np.array([[0, 2, 1], [2, 2, 0]], np.int32)
        case("SparseCategoricalCrossentropy", ids, (normal if from_logits else probabilities)(2, 3, 4),
             {"from_logits": from_logits, "ignore_class": 2})
    case("CategoricalCrossentropy", np.swapaxes(one_hot(3, 2, 4), 1, 2), np.swapaxes(probabilities(3, 2, 4), 1, 2), {"axis": 1})
    mask = np.array([[1, 0, 1], [0, 0, 1]], bool)
    for reduction in ["sum_over_batch_size", "mean", "sum", "mean_with_sample_weight", "none"]:
        config = {"reduction": reduction}
        case("MeanSquaredError", normal(2, 3, 2), normal(2, 3, 2), config, random.random((2, 3)).astype(np.float32))
        case("MeanSquaredError", normal(2, 3, 2), normal(2, 3, 2), config, None, mask)
        case("MeanSquaredError", normal(2, 3, 2), normal(2, 3, 2), config, random.random((2, 3)).astype(np.float32), mask)
    case("SparseCategoricalCrossentropy", np.array([[0, 1, 1], [1, 0, 0]], np.int32), probabilities(2, 3, 4), {"ignore_class": 1}, None, mask)
    for loss, config in [("Dice", {}), ("Tversky", {}), ("Tversky", {"alpha": 0.3, "beta": 0.8})]:
        case(loss, binary_of(2, 3, 4), random.random((2, 3, 4)).astype(np.float32), config)
        for axis in [[1, 2], [-1]]:
            case(loss, binary_of(2, 3, 4), random.random((2, 3, 4)).astype(np.float32), {**config, "axis": axis}, random.random((2,) if axis == [1, 2] else (2, 3)).astype(np.float32))
        case(loss, binary_of(3, 4), random.random((3, 4)).astype(np.float32), {**config, "reduction": "sum"}, random.random(3).astype(np.float32))

    def unit(*shape):
        x = random.normal(size=shape)
        return (x / np.linalg.norm(x, axis=-1, keepdims=True)).astype(np.float32)

    classes = np.array([0, 1, 0, 2, 1, 3], np.int32)  # the classes 2 and 3 have one row
    for config in [{}, {"gamma": 16.0, "margin": 0.25}, {"remove_diagonal": False, "gamma": 8.0}, {"reduction": "none", "gamma": 8.0}]:
        case("Circle", classes, unit(6, 5), config)
    case("Circle", classes[:, None], unit(6, 5), {"gamma": 8.0}, random.random(6).astype(np.float32))
    for weight in [None, random.random(3).astype(np.float32)]:
        case("CTC", np.array([[1, 2, 0], [3, 3, 0], [2, 1, 3]], np.int32), normal(3, 7, 4), {}, weight)
    # Where a prediction is exactly zero, Keras's gradient is NaN on JAX and finite on TensorFlow. Its values are linear there (divided by
    # epsilon), so a difference of two of them is the slope.
    zero_vectors = []
    for y_true in [[[3.0, 4.0], [1.0, 0.0]], [[0.0, 0.0], [-2.0, 3.0]]]:
        y_true, y_pred, step = np.array(y_true, np.float32), np.array([[0.0, 0.0], [0.5, -0.25]], np.float32), np.float32(1e-9)
        loss = keras.losses.CosineSimilarity(reduction="sum")
        gradient = np.array(jax.grad(lambda p: jnp.sum(loss(y_true, p)))(jnp.asarray(y_pred)))
        for i in range(2):
            shift = np.zeros_like(y_pred)
            shift[0, i] = step
            above, below = (np.asarray(loss.call(y_true, shift * sign + y_pred))[0] for sign in (1, -1))
            gradient[0, i] = (above - below) / (2 * step)
        zero_vectors.append({"y_true": array(y_true), "y_pred": array(y_pred), "values": array(loss.call(y_true, y_pred)),
                             "gradient": array(gradient)})
    write("losses", {"cases": cases, "zero_vectors": zero_vectors})
