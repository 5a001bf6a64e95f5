"""MultiOptimizer: the variables after each step, by a map of paths and by a function, and the configuration."""

import keras
import numpy as np
from keras import optimizers
from keras.saving import serialize_keras_object

from golden import array, write

NAMES = ("encoder/dense/kernel", "encoder/dense/bias", "head/kernel", "head/bias")
SHAPES = ((3, 4), (4,), (4, 2), (2,))


def made(options):
    keras.utils.clear_session()
    optimizer_map = optimizers.OptimizerMap(optimizers.SGD(0.1, momentum=0.5), {"encoder/.*": optimizers.Adam(0.01, clipnorm=0.5),
                                                                             "head/bias": optimizers.RMSprop(0.05)})
    return optimizers.MultiOptimizer(optimizer_map, **options)


def trained(random, options):
    optimizer = made(options)
    starts = [random.normal(size=shape).astype("float32") for shape in SHAPES]
    variables = []
    for name, start in zip(NAMES, starts):
        variable = keras.Variable(start, name=name.rpartition("/")[2])
        variable._path = name
        variables.append(variable)
    optimizer.build(variables)
    steps = []
    for _ in range(6):
        gradients = [random.normal(size=shape).astype("float32") for shape in SHAPES]
        optimizer.apply([keras.ops.array(gradient) for gradient in gradients], variables)
        steps.append({"gradients": [array(gradient) for gradient in gradients], "variables": [array(variable) for variable in variables]})
    return {"options": options, "names": NAMES, "starts": [array(start) for start in starts], "steps": steps,
            "iterations": int(optimizer.iterations), "slots": [array(variable) for variable in optimizer.variables]}


def main():
    random = np.random.default_rng(17)
    write("multi_optimizer", {"cases": [trained(random, {}), trained(random, {"loss_scale_factor": 8.0})],
                              "object": serialize_keras_object(made({"name": "several"}))})
