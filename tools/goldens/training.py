"""What fit and evaluate report for several outputs, losses, metrics and weights: names in order, and values."""

import keras
import numpy as np

from golden import array, scalar, write


class TwoHeads(keras.Model):
    """A subclassed model, whose outputs have no names."""

    def __init__(self):
        super().__init__()
        self.a = keras.layers.Dense(1)
        self.b = keras.layers.Dense(3, activation="softmax")

    def call(self, x):
        return [self.a(x), self.b(x)]


def two_heads(named=True):
    if not named:
        return TwoHeads()
    inputs = keras.Input((4,))
    return keras.Model(inputs, [keras.layers.Dense(1, name="out_a")(inputs), keras.layers.Dense(3, activation="softmax", name="out_b")(inputs)])


def one_head():
    return keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3, activation="softmax")])


def steps_head():
    return keras.Sequential([keras.layers.Input((3, 4)), keras.layers.Dense(2)])


def main():
    random = np.random.default_rng(11)
    x = random.normal(size=(10, 4)).astype(np.float32)
    a = random.normal(size=(10, 1)).astype(np.float32)
    ids = random.integers(0, 3, size=10).astype(np.int32)
    b = np.eye(3, dtype=np.float32)[ids]
    weight = random.random(10).astype(np.float32)
    weight_b = random.random(10).astype(np.float32)
    x_steps = random.normal(size=(10, 3, 4)).astype(np.float32)
    y_steps = random.normal(size=(10, 3, 2)).astype(np.float32)
    weight_steps = random.random((10, 3)).astype(np.float32)
    weights = [random.normal(size=s).astype(np.float32) for s in [(4, 1), (1,), (4, 3), (3,)]]
    weights_steps = [random.normal(size=s).astype(np.float32) for s in [(4, 2), (2,)]]
    cases = {}

    def case(name, model, initial, inputs, labels, compile_options, **fit_options):
        model.compile(optimizer=keras.optimizers.SGD(0.1), **compile_options)
        model.predict(inputs[:1], verbose=0)  # makes the weights of a subclassed model
        model.set_weights(initial)
        sample_weight = fit_options.get("sample_weight")
        evaluated = model.evaluate(inputs, labels, sample_weight=sample_weight, batch_size=4, verbose=0, return_dict=True)
        history = model.fit(inputs, labels, batch_size=4, epochs=2, shuffle=False, verbose=0, **fit_options).history
        cases[name] = {
            "names": list(history), "history": {k: [scalar(v) for v in values] for k, values in history.items()},
            "evaluate": [[k, scalar(v)] for k, v in evaluated.items()], "final_weights": [array(w) for w in model.get_weights()],
        }

    both = {"loss": ["mse", "categorical_crossentropy"], "metrics": [["mae"], ["accuracy", "mse"]]}
    case("lists", two_heads(), weights, x, [a, b], both, validation_split=0.3)
    case("names", two_heads(), weights, x, {"out_b": b, "out_a": a},
         {"loss": {"out_a": "mse", "out_b": "categorical_crossentropy"}, "loss_weights": {"out_a": 0.5, "out_b": 2.0},
          "metrics": {"out_b": ["accuracy"]}})
    case("one_loss", two_heads(), weights, x, [a, b], {"loss": "mse"})
    case("no_second_loss", two_heads(), weights, x, [a, b], {"loss": ["mse", None], "metrics": [["mae"], ["accuracy"]]})
    case("weighted", two_heads(), weights, x, [a, b],
         {"loss": ["mse", "mse"], "metrics": [["mae"], ["mae"]], "weighted_metrics": [["mae"], ["mae", "mse"]]}, sample_weight=weight)
    case("weight_each", two_heads(), weights, x, [a, b], {"loss": ["mse", "mse"], "weighted_metrics": [["mae"], ["mae"]]},
         sample_weight=[weight, weight_b])
    case("subclassed", two_heads(False), weights, x, [a, b], {**both, "metrics": [["mae"], ["accuracy", "mae"]]})
    case("class_weight", one_head(), weights[2:], x, b, {"loss": "categorical_crossentropy", "metrics": ["accuracy"],
                                                          "weighted_metrics": ["accuracy"]},
         class_weight={0: 0.5, 1: 3.0}, validation_split=0.3)
    case("sparse_class_weight", one_head(), weights[2:], x, ids, {"loss": "crossentropy", "metrics": ["accuracy", "acc", "accuracy"]},
         class_weight={2: 4.0})
    case("step_weights", steps_head(), weights_steps, x_steps, y_steps, {"loss": "mse", "metrics": ["mae"], "weighted_metrics": ["mae"]},
         sample_weight=weight_steps)
    write("training", {
        "x": array(x), "a": array(a), "b": array(b), "ids": array(ids), "weight": array(weight), "weight_b": array(weight_b),
        "x_steps": array(x_steps), "y_steps": array(y_steps), "weight_steps": array(weight_steps),
        "weights": [array(w) for w in weights], "weights_steps": [array(w) for w in weights_steps], "cases": cases,
    })
