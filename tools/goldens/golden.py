"""What the modules of this folder share: how arrays are stored, where files go."""

import json
import pathlib

import jax
import jax.numpy as jnp
import keras
import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = REPOSITORY / "tests" / "goldens"


def array(x):
    x = np.asarray(x)
    if x.dtype.kind == "f":
        data = [float(f"{v:.9g}") for v in x.astype(np.float32).ravel()]
    else:
        data = [int(v) for v in x.ravel()]
    return {"shape": list(x.shape), "data": data}


def scalar(x):
    return float(f"{float(x):.9g}")


def write(name, content):
    content = {"made_by": f"keras {keras.__version__}, jax {jax.__version__}", **content}
    path = OUTPUT / f"{name}.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{path.relative_to(REPOSITORY)}: {path.stat().st_size} bytes")


def layer_case(random, name, config, inputs, masks=None, call=None, train=True, learning_rate=0.01, gradients=True, names=None):
    """What a layer gives for one input or a list of them, with random weights; `masks` a list with None where an input has none; `call` has
    arguments of the call besides, of which check_layer knows "training" and those of attention. An "enable_lora" in the config is called when the
    layer is built. `names`: what the call has the inputs as, each by itself.

    With `train`, for layers that have trainable weights: the losses of ten steps of SGD on the mean squared error to a random target in training
    mode, and the weights then. Pass False where training draws random numbers.
    """

    def normal(*shape):
        return random.normal(size=shape).astype(np.float32)

    keras.utils.clear_session()
    options = dict(config)
    lora = options.pop("enable_lora", None)
    layer = getattr(keras.layers, name)(**options)
    inputs = inputs if isinstance(inputs, list) else [inputs]
    symbolic = [keras.Input(x.shape[1:], dtype=x.dtype) for x in inputs]

    def apply(tensors, **arguments):
        if names is None:
            return layer(tensors if len(tensors) > 1 else tensors[0], **arguments)
        return layer(*tensors[:2], **dict(zip(names[2:], tensors[2:])), **arguments)

    declared = apply(symbolic)
    if lora is not None:
        layer.enable_lora(**lora)
    for weight in layer.weights:
        value = normal(*weight.shape)
        weight.assign(np.abs(value) if "variance" in weight.name or "stddev" in weight.name else value)
    if hasattr(layer, "finalize_state"):
        layer.finalize_state()  # takes its weights
    weights = [jnp.asarray(w) for w in layer.get_weights()]

    def run(values, weight_values):
        tensors = [jnp.asarray(v) for v in values]
        for tensor, mask in zip(tensors, masks or []):
            if mask is not None:
                keras.src.backend.set_keras_mask(tensor, jnp.asarray(mask))
        scope = keras.src.backend.StatelessScope(list(zip(layer.weights, weight_values)), collect_losses=True)
        with scope:
            y = apply(tensors, **(call or {}))
            losses = layer.losses
        return (*y, losses) if isinstance(y, tuple) else (y, None, losses)

    y, scores, losses = run(inputs, weights)
    cotangent = normal(*y.shape)
    mask = keras.src.backend.get_keras_mask(y)
    case = {
        "layer": name, "config": config, "call": call or {}, "inputs": [array(x) for x in inputs],
        "masks": [None if m is None else array(m.astype(np.int32)) for m in masks or [None] * len(inputs)],
        "output_shape": [-1 if d is None else d for d in declared.shape], "output_dtype": str(declared.dtype),
        "weights": [{"name": v.name, "path": v.path, "value": array(w)} for v, w in zip(layer.weights, weights)],
        "y": array(y), "y_mask": None if mask is None else array(np.asarray(mask).astype(np.int32)), "cotangent": array(cotangent),
        "losses": [scalar(v) for v in losses],
    }
    if scores is not None:
        case["scores"] = array(scores)
    floats = [i for i, x in enumerate(inputs) if x.dtype.kind == "f"]
    if gradients and (floats or weights):
        def total(float_values, weight_values):
            values = list(inputs)
            for i, v in zip(floats, float_values):
                values[i] = v
            result, _, extra = run(values, weight_values)
            return jnp.sum(result * cotangent) + sum(extra, 0.0)

        by_input, by_weight = jax.grad(total, argnums=(0, 1))([jnp.asarray(inputs[i]) for i in floats], weights)
        if len(floats) == len(inputs):
            case["input_gradients"] = [array(g) for g in by_input]
        case["weight_gradients"] = [array(g) for g in by_weight]
    if train and masks is None and not call and layer.trainable_weights and y.dtype == np.float32:
        case["training"] = training(layer, symbolic, declared, inputs, cotangent, learning_rate)
    return case


def training(layer, symbolic, declared, inputs, target, learning_rate):
    """Ten steps from the weights that the layer has."""
    model = keras.Model(symbolic if len(symbolic) > 1 else symbolic[0], declared)
    model.compile(keras.optimizers.SGD(learning_rate), loss="mse")
    losses = [model.train_on_batch(inputs if len(inputs) > 1 else inputs[0], target) for _ in range(10)]
    return {"learning_rate": learning_rate, "losses": [scalar(v) for v in losses], "weights": [array(w) for w in layer.get_weights()]}
