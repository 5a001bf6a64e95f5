"""Recurrent layers and their wrappers: outputs, states, masks, gradients and ten training steps, by every option."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

from golden import scalar, write

random = np.random.default_rng(57)


def normal(*shape):
    return (0.7 * random.normal(size=shape)).round(3).astype(np.float32)


def array(x):
    """As golden.array, with the digits that matter only: the cases are many."""
    x = np.asarray(x)
    data = [float(f"{v:.7g}") if x.dtype.kind == "f" else int(v) for v in x.ravel()]
    return {"shape": list(x.shape), "data": data}


class Minimal(keras.layers.Layer):
    """A cell as users write them: one state, an output of another size when `output` says so."""

    def __init__(self, units, output=None, **kwargs):
        super().__init__(**kwargs)
        self.units, self.state_size, self.output_size = units, units, output or units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
        self.head = self.add_weight(shape=(self.units, self.output_size), name="head") if self.output_size != self.units else None

    def call(self, x, states):
        h = keras.ops.tanh(keras.ops.matmul(x, self.kernel) + 0.5 * states[0])
        return h if self.head is None else keras.ops.matmul(h, self.head), [h]


def make(spec):
    config = dict(spec.get("config", {}))
    if spec["layer"] == "Minimal":
        return Minimal(**config)
    if spec["layer"] == "Sequential":
        return keras.Sequential([make(s) for s in spec["layers"]])
    kind = getattr(keras.layers, spec["layer"])
    if "cells" in spec:
        cells = [make(s) for s in spec["cells"]]
        return kind(cells[0] if len(cells) == 1 else cells, **config)
    if "inner" in spec:
        if "backward" in spec:
            config["backward_layer"] = make(spec["backward"])
        return kind(make(spec["inner"]), **config)
    return kind(**config)


def output_mask(layer, x, mask):
    passed_on = layer.compute_mask(x, None if mask is None else jnp.asarray(mask))
    while isinstance(passed_on, (list, tuple)):
        passed_on = passed_on[0]
    return None if passed_on is None else array(np.asarray(passed_on).astype(np.int32))


def case(spec, x, states=(), mask=None, calls=1, train=True):
    """`calls`: the outputs are those of the last of so many calls (of a stateful layer)."""
    keras.utils.clear_session()
    layer = make(spec)
    inputs = [x, *states]
    stateful = spec.get("config", {}).get("stateful", False)
    if stateful:
        layer.build(x.shape)
        declared = None
    else:
        declared = layer(keras.Input(x.shape[1:], dtype=x.dtype))
    for weight in layer.weights:
        weight.assign(normal(*weight.shape))
    weights = [jnp.asarray(w) for w in layer.get_weights()]

    def run(values, weight_values, training=False):
        arguments = {"training": training}
        if len(values) > 1:
            arguments["initial_state"] = [jnp.asarray(v) for v in values[1:]]
        if mask is not None:
            arguments["mask"] = jnp.asarray(mask)
        with keras.src.backend.StatelessScope(list(zip(layer.weights, weight_values)), collect_losses=True):
            y = layer(jnp.asarray(values[0]), **arguments)
            return keras.tree.flatten(y), list(layer.losses)

    if stateful:
        for _ in range(calls):
            outputs = keras.tree.flatten(layer(jnp.asarray(x)))
        losses = layer.losses
    else:
        outputs, losses = jax.jit(run)(inputs, weights)
    row = {
        "spec": spec, "inputs": [array(v) for v in inputs], "mask": None if mask is None else array(np.asarray(mask).astype(np.int32)),
        "outputs": [array(y) for y in outputs], "calls": calls,
        "output_mask": output_mask(layer, inputs[0], mask),
        "weights": [{"name": v.name, "path": v.path, "value": array(w)} for v, w in zip(layer.weights, weights)],
        "variables": [v.path for v in layer.variables], "losses": [scalar(v) for v in losses],
    }
    if declared is not None:
        row["output_shapes"] = [[-1 if d is None else d for d in y.shape] for y in keras.tree.flatten(declared)]
    if stateful:
        return row
    cotangents = [normal(*y.shape) for y in outputs]

    def total(values, weight_values):
        ys, extra = run(values, weight_values)
        return sum(jnp.sum(y * c) for y, c in zip(ys, cotangents)) + sum(extra, 0.0)

    by_input, by_weight = jax.jit(jax.grad(total, argnums=(0, 1)))([jnp.asarray(v) for v in inputs], weights)
    row["cotangents"] = [array(c) for c in cotangents]
    row["input_gradients"] = [array(g) for g in by_input]
    row["weight_gradients"] = [array(g) for g in by_weight]
    if train and weights:
        rate = 0.1

        def loss(weight_values):
            ys, extra = run(inputs, weight_values, training=True)
            return jnp.mean((ys[0] - cotangents[0]) ** 2) + sum(extra, 0.0)

        step = jax.jit(jax.value_and_grad(loss))
        now, history = weights, []
        for _ in range(10):
            value, gradient = step(now)
            history.append(scalar(value))
            now = [w - rate * g for w, g in zip(now, gradient)]
        row["training"] = {"learning_rate": rate, "losses": history, "weights": [array(w) for w in now]}
    return row


def layer(name, **config):
    return {"layer": name, "config": config}


def rnn(*cells, **config):
    return {"layer": "RNN", "cells": list(cells), "config": config}


def bidirectional(inner, backward=None, **config):
    spec = {"layer": "Bidirectional", "inner": inner, "config": config}
    return spec if backward is None else {**spec, "backward": backward}


def main():
    x = normal(2, 4, 3)
    odd = normal(3, 5, 2)
    one = normal(1, 1, 3)
    right_padded = np.array([[1, 1, 1, 0], [1, 0, 0, 0]], bool)
    any_form = np.array([[0, 1, 0, 1], [1, 0, 1, 0]], bool)
    hides_all = np.array([[0, 0, 0, 0], [0, 1, 1, 0]], bool)
    masks = [right_padded, any_form, hides_all]
    cases = []

    def add(*arguments, **options):
        cases.append(case(*arguments, **options))

    kinds = [("LSTM", {}, 2), ("GRU", {}, 1), ("GRU", {"reset_after": False}, 1), ("SimpleRNN", {}, 1)]
    for name, extra, num_states in kinds:
        states = [normal(2, 3) for _ in range(num_states)]
        add(layer(name, units=3, **extra), x)
        add(layer(name, units=3, return_sequences=True, return_state=True, **extra), x, states)
        add(layer(name, units=2, go_backwards=True, return_sequences=True, return_state=True, **extra), odd)
        add(layer(name, units=2, use_bias=False, **extra), one, train=False)
        for mask in masks:
            add(layer(name, units=3, return_sequences=True, return_state=True, **extra), x, states, mask=mask, train=mask is any_form)
            add(layer(name, units=3, go_backwards=True, **extra), x, mask=mask, train=False)
        add(layer(name, units=3, zero_output_for_mask=True, return_sequences=True, **extra), x, mask=any_form, train=False)
        add(layer(name, units=3, zero_output_for_mask=True, **extra), x, mask=right_padded, train=False)
        add(layer(name, units=3, unroll=True, return_sequences=True, return_state=True, **extra), x, states, mask=hides_all, train=False)
        add(layer(name, units=3, unroll=True, go_backwards=True, return_sequences=True, **extra), x, states, mask=right_padded, train=False)
        add(layer(name, units=3, activation="relu", **extra), x, train=False)
        add(layer(name, units=3, activation="softsign", return_sequences=True, **extra), x, mask=any_form, train=False)
        add(layer(name, units=3, activation="softsign", unroll=True, return_state=True, **extra), x, states, train=False)
        add(layer(name, units=3, kernel_regularizer="l2", recurrent_regularizer="l1", bias_regularizer="l2", activity_regularizer="l2", **extra), x, train=False)
        add(layer(name, units=2, stateful=True, return_sequences=True, **extra), odd, calls=3)
        add(layer(name, units=2, stateful=True, return_state=True, go_backwards=True, **extra), odd, calls=2)
        add(bidirectional(layer(name, units=2, **extra)), x)
        add(bidirectional(layer(name, units=2, return_sequences=True, return_state=True, **extra)), x,
            [normal(2, 2) for _ in range(2 * num_states)], mask=any_form, train=False)
    for name in ["LSTM", "GRU"]:
        add(layer(name, units=3, recurrent_activation="hard_sigmoid", activation="linear"), 0.3 * x, train=False)
        add(layer(name, units=3, recurrent_activation="softsign"), x, train=False)
    add(layer("LSTM", units=3, unit_forget_bias=False), x, train=False)
    for merge_mode in ["sum", "mul", "ave", None]:
        add(bidirectional(layer("LSTM", units=2, return_sequences=True), merge_mode=merge_mode), x, train=merge_mode == "sum")
        add(bidirectional(layer("GRU", units=2), merge_mode=merge_mode), x, mask=right_padded, train=False)
    add(bidirectional(layer("LSTM", units=2, return_sequences=True), layer("GRU", units=3, go_backwards=True, return_sequences=True)), x)
    add(bidirectional(layer("LSTM", units=2, go_backwards=True, return_sequences=True), layer("LSTM", units=2, return_sequences=True)), x, train=False)
    add(bidirectional(rnn(layer("LSTMCell", units=2), layer("GRUCell", units=3), return_sequences=True)), x, train=False)
    for cell in [layer("LSTMCell", units=3), layer("GRUCell", units=3), layer("GRUCell", units=3, reset_after=False), layer("SimpleRNNCell", units=3),
                 layer("Minimal", units=3)]:
        add(rnn(cell), x)
        add(rnn(cell, return_sequences=True, return_state=True, go_backwards=True), x, mask=any_form, train=False)
        add(rnn(cell, return_sequences=True, unroll=True), x, mask=right_padded, train=False)
    add(rnn(layer("Minimal", units=3, output=2), return_sequences=True), x)
    add(rnn(layer("Minimal", units=3, output=2), zero_output_for_mask=True), x, mask=right_padded, train=False)
    stack = [layer("LSTMCell", units=2), layer("GRUCell", units=3), layer("SimpleRNNCell", units=2)]
    add(rnn(*stack), x)
    add(rnn(*stack, return_sequences=True, return_state=True), x, mask=any_form, train=False)
    add(rnn(layer("SimpleRNNCell", units=2), layer("SimpleRNNCell", units=3), return_sequences=True, go_backwards=True), odd)
    add({"layer": "TimeDistributed", "inner": layer("Dense", units=2, activation="tanh"), "config": {}}, x)
    add({"layer": "TimeDistributed", "inner": layer("Dense", units=2), "config": {}}, x, mask=any_form, train=False)
    add({"layer": "TimeDistributed", "inner": layer("Flatten"), "config": {}}, normal(2, 3, 2, 2), train=False)
    add({"layer": "TimeDistributed", "inner": layer("LSTM", units=2, return_sequences=True), "config": {}}, normal(2, 2, 3, 2))
    add({"layer": "TimeDistributed", "inner": layer("GRU", units=2), "config": {}}, normal(2, 2, 4, 2), mask=np.stack([right_padded, any_form]), train=False)
    write("rnn_layers", {"cases": cases})
