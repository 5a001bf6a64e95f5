"""Optimizers: ten steps and the slots after them."""

import jax.numpy as jnp
import keras
import numpy as np

from golden import array, write


def main():
    random = np.random.default_rng(4)
    shapes = [(3, 2), (4,)]
    starts = [random.normal(size=s).astype(np.float32) for s in shapes]
    gradients = [[random.normal(size=s).astype(np.float32) for s in shapes] for _ in range(10)]
    gradients[3][1][2] = 0.0
    configs = [
        ("SGD", {}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
        ("Adam", {}), ("Adam", {"learning_rate": 0.1, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-3}),
        ("Adam", {"learning_rate": 0.05, "amsgrad": True}), ("Adam", {"learning_rate": 0.05, "weight_decay": 0.01}),
        ("RMSprop", {}), ("RMSprop", {"learning_rate": 0.01, "momentum": 0.5}), ("RMSprop", {"learning_rate": 0.01, "centered": True}),
        ("RMSprop", {"learning_rate": 0.01, "momentum": 0.9, "centered": True, "rho": 0.8}),
        ("SGD", {"clipnorm": 0.5}), ("SGD", {"clipvalue": 0.3}), ("SGD", {"global_clipnorm": 0.7}),
    ]
    cases = []
    for name, config in configs:
        optimizer = getattr(keras.optimizers, name)(**config)
        variables = [keras.Variable(s, name=f"v{i}") for i, s in enumerate(starts)]
        steps = []
        for step in gradients:
            optimizer.apply([jnp.asarray(g) for g in step], variables)
            steps.append([array(v.numpy()) for v in variables])
        slots = [array(np.asarray(v.numpy())) for v in optimizer.variables[2:]]
        cases.append({"optimizer": name, "config": config, "steps": steps, "slots": slots})
    write("optimizers", {"starts": [array(s) for s in starts], "gradients": [[array(g) for g in step] for step in gradients],
                         "cases": cases})
