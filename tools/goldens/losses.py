"""Losses: values a sample, reduced results, gradients."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

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

    def case(loss, y_true, y_pred, config=None, sample_weight=None):
        config = config or {}
        made = keras.losses.get({"class_name": loss, "config": config})
        values = made.call(jnp.asarray(y_true), jnp.asarray(y_pred))
        call = lambda p: made(y_true, p, sample_weight)
        cases.append({
            "loss": loss, "config": config, "y_true": array(y_true), "y_pred": array(y_pred),
            "sample_weight": None if sample_weight is None else array(sample_weight),
            "values": array(values), "result": scalar(call(jnp.asarray(y_pred))),
            "gradient": array(jax.grad(call)(jnp.asarray(y_pred))),
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
    write("losses", {"cases": cases})
