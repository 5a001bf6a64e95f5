"""Layers: output shapes, weights, outputs, masks, losses and gradients. Variable paths of models. Summaries."""

import functools

import keras
import numpy as np

import golden
from golden import write

random = np.random.default_rng(21)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random)


def layers():
    x2, x3, x4 = normal(3, 4), normal(2, 3, 4), normal(2, 3, 2, 4)
    ids = random.integers(0, 200, size=(2, 3, 4)).astype(np.uint8)
    steps = np.array([[True, True, False], [True, False, False]])
    other = np.array([[True, False, False], [True, True, True]])
    y3 = normal(2, 3, 4)
    cases = [
        layer_case("Dense", {"units": 5}, x2), layer_case("Dense", {"units": 2, "activation": "tanh", "use_bias": False}, x3),
        layer_case("Dense", {"units": 3, "kernel_regularizer": "l2", "bias_regularizer": "l1", "activity_regularizer": "l2"}, x2),
        layer_case("Dense", {"units": 3}, x3, [steps]),
        layer_case("Activation", {"activation": "sigmoid"}, x2), layer_case("Activation", {"activation": "relu"}, x3, [steps]),
        layer_case("Flatten", {}, x4), layer_case("Flatten", {"data_format": "channels_first"}, x4), layer_case("Flatten", {}, normal(3)),
        layer_case("Rescaling", {"scale": 1 / 127.5, "offset": -1.0}, ids), layer_case("Rescaling", {"scale": 0.5}, x2),
        layer_case("Rescaling", {"scale": [1.0, 2.0, 3.0, 4.0], "offset": [0.5, 0.25, 0.0, -1.0]}, x3),
        layer_case("Reshape", {"target_shape": [2, 6]}, x3), layer_case("Reshape", {"target_shape": [-1, 2]}, x3),
        layer_case("Permute", {"dims": [2, 1]}, x3), layer_case("Permute", {"dims": [3, 1, 2]}, x4),
        layer_case("RepeatVector", {"n": 3}, x2), layer_case("Identity", {}, x3, [steps]),
        layer_case("ActivityRegularization", {"l1": 0.1, "l2": 0.3}, x3), layer_case("UnitNormalization", {}, x3),
        layer_case("UnitNormalization", {"axis": [1, 2]}, x3), layer_case("UnitNormalization", {"axis": 1}, np.zeros((2, 3), np.float32), gradients=False),  # Keras's is NaN
        layer_case("ReLU", {}, x2), layer_case("ReLU", {"max_value": 0.8, "negative_slope": 0.1, "threshold": 0.2}, x3),
        layer_case("ReLU", {"negative_slope": 0.5}, x3), layer_case("ReLU", {"threshold": 0.5}, x3),
        layer_case("LeakyReLU", {}, x2), layer_case("LeakyReLU", {"negative_slope": 0.1}, x2),
        layer_case("PReLU", {}, x3), layer_case("PReLU", {"shared_axes": [1, 2], "alpha_regularizer": "l2"}, x4),
        layer_case("ELU", {}, x2), layer_case("ELU", {"alpha": 0.3}, x2),
        layer_case("Softmax", {}, x2), layer_case("Softmax", {"axis": 1}, x3), layer_case("Softmax", {"axis": [1, 2]}, x3),
        layer_case("Concatenate", {}, [x3, normal(2, 3, 2)]), layer_case("Concatenate", {"axis": 1}, [x3, normal(2, 5, 4), y3]),
        layer_case("Concatenate", {"axis": 1}, [x3, y3], [steps, None]), layer_case("Concatenate", {}, [x3, y3], [steps, other]),
        layer_case("Add", {}, [x3, normal(2, 4)]), layer_case("Subtract", {}, [x3, normal(2, 1, 4)]),
        layer_case("Multiply", {}, [x3, y3, normal(2, 3, 4)]), layer_case("Average", {}, [x3, y3, normal(2, 3, 1)]),
        layer_case("Maximum", {}, [x3, y3]), layer_case("Minimum", {}, [x3, y3, normal(2, 3, 4)]),
        layer_case("Dot", {"axes": 1}, [x2, normal(3, 4)]), layer_case("Dot", {"axes": [2, 1]}, [x3, normal(2, 4, 5)]),
        layer_case("Dot", {"axes": -1, "normalize": True}, [x3, y3]), layer_case("Dot", {"axes": [1, 3]}, [normal(2, 3), normal(2, 2, 4, 3)]),
    ]
    for name in ["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"]:
        cases.append(layer_case(name, {}, [x3, y3], [steps, other]))
        cases.append(layer_case(name, {}, [x3, y3], [steps, None]))
    cases.append(layer_case("Dot", {"axes": 2}, [x3, y3], [steps, other]))
    write("layers", {"cases": cases})


class Block(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.first = keras.layers.Dense(units)
        self.second = keras.layers.Dense(units)

    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(self.units,))
        self.count = self.add_weight(name="count", shape=(), trainable=False, initializer="zeros")

    def call(self, x):
        return self.second(self.first(x)) * self.scale


class DropBlock(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(units)
        self.drop = keras.layers.Dropout(0.5)

    def call(self, x):
        return self.drop(self.dense(x))


class Net(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.a = Block(4)
        self.blocks = [DropBlock(4), DropBlock(4, name="named")]
        self.out = keras.layers.Dense(2)

    def call(self, x):
        x = self.a(x)
        for block in self.blocks:
            x = block(x)
        return self.out(x)


class Outer(keras.Model):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.seq = keras.Sequential([keras.layers.Dense(3)])
        x = keras.Input((3,))
        self.f = keras.Model(x, keras.layers.Dense(3)(x))

    def call(self, x):
        return self.f(self.seq(self.net(x)))


def paths():
    L = keras.layers
    found = {}

    def note(case, make):
        keras.utils.clear_session()
        model = make()
        model(np.zeros((2, 4), np.float32))
        found[case] = {"name": model.name, "layers": [layer.name for layer in model.layers],
                       "variables": [v.path for v in model.variables], "weights": [v.path for v in model.weights],
                       "trainable": [v.path for v in model.trainable_variables],
                       "non_trainable": [v.path for v in model.non_trainable_variables]}

    def functional():
        x = keras.Input((4,))
        return keras.Model(x, L.Dense(2, name="out")(L.Dropout(0.5)(L.Dense(3)(x))))

    def nested_functional():
        x, z = keras.Input((4,)), keras.Input((4,))
        inner = keras.Model(x, L.Dense(3)(x), name="inner")
        return keras.Model(z, L.Dense(1)(inner(z)), name="outer")

    def sequential_in_functional():
        x = keras.Input((4,))
        inner = keras.Sequential([L.Dense(3)])
        return keras.Model(x, L.Dense(1)(inner(x)))

    def blocks_in_functional():
        x = keras.Input((4,))
        return keras.Model(x, L.Dense(2)(DropBlock(4)(Block(4)(x))))

    def shared():
        d, x = L.Dense(4), keras.Input((4,))
        return keras.Model(x, d(d(x)) + x)

    note("sequential", lambda: keras.Sequential([keras.Input((4,)), L.Dense(3), L.Dropout(0.5), L.Dense(2)]))
    note("deferred sequential", lambda: keras.Sequential([L.Dense(3), L.Dropout(0.5), L.Dense(2)]))
    note("input_shape", lambda: keras.Sequential([L.Dense(3, input_shape=(4,)), L.Dense(2)]))
    note("nested sequential", lambda: keras.Sequential(
        [keras.Input((4,)), keras.Sequential([L.Dense(3), L.Dropout(0.1)], name="inner"), L.Dense(2)], name="outer"))
    note("nested built sequential", lambda: keras.Sequential(
        [keras.Input((4,)), keras.Sequential([keras.Input((4,)), L.Dense(3)], name="inner"), L.Dense(2)], name="outer"))
    note("functional", functional)
    note("nested functional", nested_functional)
    note("sequential in functional", sequential_in_functional)
    note("blocks in functional", blocks_in_functional)
    note("blocks in sequential", lambda: keras.Sequential([keras.Input((4,)), Block(4), DropBlock(4)]))
    note("subclassed", Net)
    note("outer subclassed", Outer)
    note("shared", shared)
    write("paths", {"models": found})


def main():
    layers()
    paths()
