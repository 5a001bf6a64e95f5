"""Options of layers that the other modules leave out: constraints, LoRA, unrolled walks with masks, stateful layers with masks and initial states,
losses below TimeDistributed, axes of mixed sign, extents of 0, f16 and bf16."""

import functools

import jax.numpy as jnp
import keras
import numpy as np

import golden
import rnn_layers
from golden import scalar, write
from rnn_layers import array, bidirectional, layer, make, rnn

random = np.random.default_rng(83)
layer_case = functools.partial(golden.layer_case, random)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


def convolutions():
    sequence, image = normal(2, 6, 3), normal(2, 5, 4, 2)
    constraints = {"kernel_constraint": "unit_norm", "bias_constraint": "non_neg"}
    return [
        layer_case("Conv1D", {"filters": 2, "kernel_size": 3, **constraints}, sequence),
        layer_case("Conv2D", {"filters": 3, "kernel_size": 2, "kernel_constraint": "max_norm", "activation": "relu"}, image, learning_rate=0.1),
        layer_case("Conv2DTranspose", {"filters": 2, "kernel_size": 2, "kernel_regularizer": "l2", **constraints}, image),
        layer_case("DepthwiseConv2D", {"kernel_size": 2, "depthwise_constraint": "unit_norm", "bias_constraint": "non_neg",
                                       "depthwise_regularizer": "l1", "bias_regularizer": "l2", "activity_regularizer": "l1"}, image),
        layer_case("SeparableConv2D", {"filters": 3, "kernel_size": 2, "depthwise_constraint": "unit_norm", "pointwise_constraint": "non_neg",
                                       "bias_constraint": "non_neg", "depthwise_regularizer": "l2", "pointwise_regularizer": "l1"}, image),
        layer_case("SeparableConv1D", {"filters": 3, "kernel_size": 2, "depthwise_constraint": "max_norm", "depthwise_regularizer": "l1"}, sequence),
        layer_case("Conv1D", {"filters": 2, "kernel_size": 3, "lora_rank": 1}, sequence),
        layer_case("Conv2D", {"filters": 4, "kernel_size": [2, 3], "padding": "same", "activation": "relu", "lora_rank": 2, "lora_alpha": 6,
                              "kernel_regularizer": "l2"}, image),
        layer_case("Conv1DTranspose", {"filters": 1, "kernel_size": 3, "dilation_rate": 2, "padding": "same"}, normal(1, 3, 1)),
        layer_case("Conv1DTranspose", {"filters": 1, "kernel_size": 2, "dilation_rate": 2, "padding": "same"}, normal(1, 3, 1)),
        layer_case("Conv1DTranspose", {"filters": 1, "kernel_size": 1, "strides": 3}, normal(1, 3, 1)),
        layer_case("UpSampling2D", {"activity_regularizer": "l2"}, image),
        layer_case("MaxPooling2D", {"pool_size": 2, "activity_regularizer": "l1"}, image),
        layer_case("GlobalAveragePooling2D", {"activity_regularizer": "l2"}, image),
        layer_case("ZeroPadding2D", {"activity_regularizer": "l2"}, image),
    ]


def plain():
    x = normal(3, 4)
    return [
        layer_case("Dense", {"units": 2, "lora_rank": 2, "kernel_regularizer": "l2"}, x),
        layer_case("Dense", {"units": 3, "activation": "tanh", "enable_lora": {"rank": 1, "lora_alpha": 3}}, x),
        layer_case("Flatten", {"activity_regularizer": "l2"}, normal(2, 2, 2)),
        layer_case("Softmax", {"activity_regularizer": "l2"}, x), layer_case("Add", {"activity_regularizer": "l1"}, [x, normal(3, 4)]),
    ]


def normalizations():
    x = normal(2, 3, 2, 4)
    ids = np.array([[1, 0, 3], [3, 3, 2]], np.int32)
    # (RMSNormalization of Keras 3.15 takes trailing axes only.)
    cases = [layer_case("LayerNormalization", {"axis": axis}, x) for axis in [[-1, 1], [2, -3], [3, -2, 1]]]
    return cases + [
        layer_case("RMSNormalization", {"axis": [-2, -1]}, x), layer_case("LayerNormalization", {"rms_scaling": True}, x), layer_case("LayerNormalization", {"rms_scaling": True, "axis": [1, 2]}, x),
        layer_case("LayerNormalization", {"activity_regularizer": "l2"}, normal(3, 4)),
        layer_case("BatchNormalization", {"activity_regularizer": "l2"}, normal(3, 4)),
        layer_case("Embedding", {"input_dim": 4, "output_dim": 3, "lora_rank": 2, "embeddings_regularizer": "l2"}, ids),
        layer_case("Embedding", {"input_dim": 4, "output_dim": 3, "enable_lora": {"rank": 1, "lora_alpha": 2}}, ids),
    ]


def constrained_recurrent():
    """Through layer_case: its training steps apply constraints."""
    x = normal(2, 4, 3)
    constraints = {"kernel_constraint": "unit_norm", "recurrent_constraint": "max_norm", "bias_constraint": "non_neg"}
    regularizers = {"kernel_regularizer": "l1", "recurrent_regularizer": "l2", "bias_regularizer": "l2"}
    return [layer_case(name, {"units": 2, **constraints, **regularizers}, x) for name in ["LSTM", "GRU", "SimpleRNN"]] + [
        layer_case("GRU", {"units": 2, "reset_after": False, **constraints}, x)]


def stateful_case(spec, x, states=(), mask=None, calls=2):
    """As rnn_layers.case, for stateful layers that get a mask and initial states in each call."""
    keras.utils.clear_session()
    made = make(spec)
    made.build(x.shape)
    for weight in made.weights:
        weight.assign((0.7 * random.normal(size=weight.shape)).round(3).astype(np.float32))
    arguments = {}
    if states:
        arguments["initial_state"] = [jnp.asarray(v) for v in states]
    if mask is not None:
        arguments["mask"] = jnp.asarray(mask)
    weights = [array(w) for w in made.get_weights()]
    for _ in range(calls):
        outputs = keras.tree.flatten(made(jnp.asarray(x), **arguments))
    return {
        "spec": spec, "inputs": [array(v) for v in [x, *states]], "mask": None if mask is None else array(np.asarray(mask).astype(np.int32)),
        "outputs": [array(y) for y in outputs], "calls": calls, "output_mask": rnn_layers.output_mask(made, x, mask),
        "weights": [{"name": v.name, "path": v.path, "value": w} for v, w in zip(made.weights, weights)],
        "variables": [v.path for v in made.variables], "losses": [scalar(v) for v in made.losses],
    }


def time_distributed(inner, **config):
    return {"layer": "TimeDistributed", "inner": inner, "config": config}


def sequential(*layers):
    return {"layer": "Sequential", "layers": list(layers), "config": {}}


def recurrent():
    before, rnn_layers.random = rnn_layers.random, random  # of the weights
    x = rnn_layers.normal(2, 4, 3)
    any_form = np.array([[0, 1, 0, 1], [1, 0, 1, 0]], bool)
    right_padded = np.array([[1, 1, 1, 0], [1, 0, 0, 0]], bool)
    case = functools.partial(rnn_layers.case, train=False)
    cases = []
    for name, num_states in [("LSTM", 2), ("GRU", 1), ("SimpleRNN", 1)]:
        states = [rnn_layers.normal(2, 2) for _ in range(num_states)]
        cases += [
            case(layer(name, units=2, unroll=True, zero_output_for_mask=True, return_sequences=True), x, mask=any_form),
            case(layer(name, units=2, unroll=True, zero_output_for_mask=True), x, states, mask=right_padded),
            case(bidirectional(layer(name, units=2, unroll=True, return_sequences=True)), x, mask=any_form),
            case(bidirectional(layer(name, units=2, unroll=True)), x, mask=right_padded),
            stateful_case(layer(name, units=2, stateful=True, return_sequences=True), x, mask=any_form),
            stateful_case(layer(name, units=2, stateful=True, return_state=True), x, states),
            stateful_case(bidirectional(layer(name, units=2, stateful=True, return_sequences=True)), x, calls=3),
            stateful_case(bidirectional(layer(name, units=2, stateful=True)), x, mask=right_padded),
        ]
    start = [rnn_layers.normal(2, 3)]
    for cell in [layer("Minimal", units=3, output=2), layer("Minimal", units=3)]:
        cases += [
            case(rnn(cell, unroll=True, return_sequences=True), x, mask=any_form),
            case(rnn(cell, unroll=True, return_sequences=True, go_backwards=True), x, start, mask=right_padded),
            case(rnn(cell, unroll=True, zero_output_for_mask=True), x, start, mask=any_form),
        ]
    dense = layer("Dense", units=2, activity_regularizer="l2")
    cases += [
        case(time_distributed(dense), x), case(time_distributed(sequential(dense)), x),
        case(time_distributed(sequential(layer("Dense", units=2), dense), activity_regularizer="l1"), x),
        stateful_case(time_distributed(layer("LSTM", units=2, stateful=True)), rnn_layers.normal(2, 3, 2, 2)),
        case(bidirectional(layer("GRU", units=2), activity_regularizer="l2"), x),
    ]
    rnn_layers.random = before
    return cases


def main():
    write("layer_options", {
        "convolutions": convolutions(), "plain": plain(), "normalizations": normalizations(), "constrained_recurrent": constrained_recurrent(),
        "recurrent": recurrent(),
    })
