"""Optimizers: ten steps, the slots after them and their paths. Schedules: rates."""

import jax.numpy as jnp
import keras
import numpy as np

from golden import array, write

EMA = {"learning_rate": 0.1, "momentum": 0.5, "use_ema": True, "ema_momentum": 0.8}
CASES = [
    ("SGD", {}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("Adam", {}), ("Adam", {"learning_rate": 0.1, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-3}),
    ("Adam", {"learning_rate": 0.05, "amsgrad": True}), ("Adam", {"learning_rate": 0.05, "weight_decay": 0.01}),
    ("AdamW", {}), ("AdamW", {"learning_rate": 0.05, "weight_decay": 0.1, "amsgrad": True}),
    ("RMSprop", {}), ("RMSprop", {"learning_rate": 0.01, "momentum": 0.5}), ("RMSprop", {"learning_rate": 0.01, "centered": True}),
    ("RMSprop", {"learning_rate": 0.01, "momentum": 0.9, "centered": True, "rho": 0.8}),
    ("Adagrad", {}), ("Adagrad", {"learning_rate": 0.1, "initial_accumulator_value": 0.0, "epsilon": 1e-3}),
    ("Adadelta", {"learning_rate": 1.0}), ("Adadelta", {"learning_rate": 0.5, "rho": 0.8, "epsilon": 1e-4}),
    ("Adamax", {"learning_rate": 0.05}), ("Adamax", {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.9}),
    ("Nadam", {"learning_rate": 0.05}), ("Nadam", {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.9, "epsilon": 1e-3}),
    ("Lion", {"learning_rate": 0.01}), ("Lamb", {"learning_rate": 0.05}),
    ("Ftrl", {"learning_rate": 0.1}),
    ("Ftrl", {"learning_rate": 0.1, "l1_regularization_strength": 0.01, "l2_regularization_strength": 0.02,
              "l2_shrinkage_regularization_strength": 0.03, "beta": 0.1, "learning_rate_power": -0.6}),
    ("Adafactor", {}), ("Adafactor", {"learning_rate": 0.5, "beta_2_decay": -0.6, "clip_threshold": 0.5, "epsilon_2": 0.1, "weight_decay": 0.01}),
    ("Muon", {}), ("Muon", {"learning_rate": 0.05, "nesterov": False, "rms_rate": None, "adam_lr_ratio": 0.5, "momentum": 0.8, "ns_steps": 3}),
    ("Muon", {"learning_rate": 0.05, "exclude_layers": ["ker"], "adam_weight_decay": 0.1, "adam_beta_1": 0.8}),
    ("ScheduleFreeAdamW", {}), ("ScheduleFreeAdamW", {"learning_rate": 0.05, "beta_1": 0.8, "warmup_steps": 4, "weight_decay": 0.1}),
    ("SGD", {"clipnorm": 0.5}), ("SGD", {"clipvalue": 0.3}), ("SGD", {"global_clipnorm": 0.7}),
    ("SGD", EMA), ("SGD", {**EMA, "ema_overwrite_frequency": 3}),
    ("SGD", {"loss_scale_factor": 4.0}), ("SGD", {"learning_rate": 0.1, "weight_decay": 0.1, "momentum": 0.5}),
    ("Adam", {"learning_rate": 0.05, "gradient_accumulation_steps": 3}),
    ("Nadam", {"learning_rate": 0.05, "gradient_accumulation_steps": 2}),
    ("Adam", {"learning_rate": 0.05, "gradient_accumulation_steps": 3, "clipnorm": 0.5, "weight_decay": 0.1, "use_ema": True,
              "ema_momentum": 0.8, "ema_overwrite_frequency": 2}),
    ("Adam", {"schedule": "ExponentialDecay"}), ("SGD", {"schedule": "ExponentialDecay", "gradient_accumulation_steps": 2}),
    ("SGD", {"learning_rate": 0.2, "constraint": "NonNeg"}),
    ("Adam", {"learning_rate": 0.2, "constraint": "NonNeg", "gradient_accumulation_steps": 2}),
    ("SGD", {"learning_rate": 0.1, "weight_decay": 0.1, "exclude": "bias"}),
]

SCHEDULES = [
    ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 7, "decay_rate": 0.5}),
    ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 7, "decay_rate": 0.5, "staircase": True}),
    ("PiecewiseConstantDecay", {"boundaries": [3, 9], "values": [1.0, 0.5, 0.25]}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 10}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 7, "end_learning_rate": 0.01, "power": 0.5, "cycle": True}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 5, "decay_rate": 0.5}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 5, "decay_rate": 0.5, "staircase": True}),
    ("CosineDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "alpha": 0.2}),
    ("CosineDecay", {"initial_learning_rate": 0.01, "decay_steps": 10, "warmup_target": 0.2, "warmup_steps": 5}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.1, "first_decay_steps": 5}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.1, "first_decay_steps": 4, "t_mul": 1.0, "m_mul": 0.5, "alpha": 0.1}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.1, "first_decay_steps": 5, "t_mul": 1.5, "m_mul": 0.8, "alpha": 0.1}),
]


def flat(arrays):
    return np.concatenate([np.ravel(np.asarray(a, np.float32)) for a in arrays]) if arrays else np.zeros(0, np.float32)


def ten_steps(name, config, starts, gradients):
    keras.utils.clear_session()
    config = dict(config)
    constraint = config.pop("constraint", None)
    exclude = config.pop("exclude", None)
    if config.pop("schedule", None):
        config["learning_rate"] = keras.optimizers.schedules.ExponentialDecay(0.1, 4, 0.5)
    optimizer = getattr(keras.optimizers, name)(**config)
    if exclude:
        optimizer.exclude_from_weight_decay(var_names=[exclude])
    variables = [keras.Variable(s, name=n) for s, n in zip(starts, ["kernel", "bias"])]
    if constraint:
        variables[0].constraint = getattr(keras.constraints, constraint)()
    steps = []
    for step in gradients:
        optimizer.apply([jnp.asarray(g) for g in step], variables)
        steps.append(flat([v.numpy() for v in variables]))
    slots = [v for v in optimizer.variables if v.path.split("/")[-1] not in ("iteration", "learning_rate")]
    result = {"steps": array(np.stack(steps)), "slots": array(flat([v.numpy() for v in slots])),
              "paths": [v.path for v in optimizer.variables], "iterations": int(optimizer.iterations)}
    if config.get("use_ema"):
        optimizer.finalize_variable_values(variables)
        result["final"] = array(flat([v.numpy() for v in variables]))
    return result


def main():
    random = np.random.default_rng(4)
    shapes = [(3, 2), (4,)]
    starts = [random.normal(size=s).astype(np.float32) for s in shapes]
    gradients = [[random.normal(size=s).astype(np.float32) for s in shapes] for _ in range(10)]
    gradients[3][1][2] = 0.0
    cases = [{"optimizer": name, "config": config, **ten_steps(name, config, starts, gradients)} for name, config in CASES]
    write("optimizers", {"starts": [array(s) for s in starts], "gradients": [[array(g) for g in step] for step in gradients],
                         "cases": cases})
    steps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16, 20, 33]
    rates = [{"schedule": name, "config": config,
              "rates": array([getattr(keras.optimizers.schedules, name)(**config)(step) for step in steps])} for name, config in SCHEDULES]
    write("schedules", {"steps": steps, "cases": rates})
