"""The networks of keras.applications: number of parameters, a digest of their layers, logits of two images, and losses of training steps.

Weights and images follow from a hash of their position, so that tests make the same without a file. A digest is the FNV-1a hash of a text with a line
for each layer (see `lines`), which the tests print where it differs.
"""

import json
import re

import keras
import numpy as np

from golden import REPOSITORY, array, scalar, write

NAMES = sorted(name for name in dir(keras.applications) if name[0].isupper() and callable(getattr(keras.applications, name)))
ORACLE = REPOSITORY / "tools/oracles/applications_oracle.txt"
CLASSES = 10
LARGEST_MOVEMENT = 1e-4
GAINS = (6, 5, 4, 3, 2)  # over the number of inputs of an output: the square of the largest element of a kernel
# Smallest images; 32 for all others.
SIZES = {"Xception": 71, "InceptionV3": 75, "InceptionResNetV2": 75}
# Networks that take pixels of 0 to 255.
TAKES_PIXELS = re.compile("EfficientNet|ConvNeXt|MobileNetV3")
# Networks whose last depthwise windows lie in the padding but for an element or two; signals would vanish.
HAS_SMALL_WINDOWS = re.compile("EfficientNet|MobileNet")
TRAINED = ["DenseNet121", "EfficientNetB0", "MobileNetV2", "ResNet50"]
# Configuration entries in a line of a digest.
KEYS = ["filters", "kernel_size", "strides", "padding", "groups", "depth_multiplier", "use_bias", "activation", "axis", "epsilon", "momentum", "scale",
        "offset", "rate", "noise_shape", "max_value", "pool_size", "keepdims", "units", "target_shape", "cropping", "init_values", "projection_dim",
        "mean", "variance", "kernel_initializer", "depthwise_initializer"]


def uniform(shape, stream):
    """Numbers in [-1, 1) by the hash of `stream` and their position."""
    x = np.arange(int(np.prod(shape)), dtype=np.uint32) + np.uint32((stream * 0x9E3779B9) & 0xFFFFFFFF)
    for factor, shift in ((0x7FEB352D, 15), (0x846CA68B, 16)):
        x ^= x >> np.uint32(16 if factor == 0x7FEB352D else shift - 1)
        x *= np.uint32(factor)
    x ^= x >> np.uint32(16)
    return (x.astype(np.float64) / 2**31 - 1).astype(np.float32).reshape(shape)


def weight(name, shape, stream, network, gain):
    if name in ("bias", "beta", "moving_mean", "mean"):
        return np.float32(0.1) * uniform(shape, stream)
    if name in ("gamma", "moving_variance", "variance") or name.startswith("variable"):  # LayerScale's are "variable", "variable_1", ...
        return np.float32(1) + np.float32(0.3) * uniform(shape, stream)
    inputs = np.prod(shape[:-1])
    if len(shape) == 4 and shape[3] == 1:  # of a depthwise convolution
        inputs = 4 if HAS_SMALL_WINDOWS.match(network) else np.prod(shape[:2])
    return np.float32(np.sqrt(gain / inputs)) * uniform(shape, stream)


def set_weights(model, network, gain):
    for i, variable in enumerate(model.weights):
        if variable.name != "count":
            variable.assign(weight(variable.name, variable.shape, i + 1, network, gain))
    for layer in model.layers:
        if isinstance(layer, keras.layers.Normalization):
            layer.finalize_state()  # Keras computes with copies of its weights


def images(name, size, rows, stream):
    x = uniform((rows, size, size, 3), stream)
    return np.float32(127.5) * (x + np.float32(1)) if TAKES_PIXELS.search(name) else x


def text(value):
    """A configuration's value, with six digits and without what is null."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"{value:.6g}"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(text(v) for v in value) + "]"
    return value["class_name"] + "(" + ",".join(f"{k}={text(value['config'][k])}" for k in ("scale", "mode", "distribution") if k in value["config"]) + ")"


def line(layer):
    config = layer.get_config()
    if isinstance(config.get("axis"), (list, tuple)) and len(config["axis"]) == 1:
        config["axis"] = config["axis"][0]
    entries = [f"{key}={text(config[key])}" for key in KEYS if key in config]
    inputs = [tensor._keras_history.operation.name for node in layer._inbound_nodes for tensor in node.input_tensors]
    weights = [text(list(w.shape)) for w in layer.weights]
    return " ".join([type(layer).__name__, layer.name, *entries, "from", *inputs, "weights", *weights])


def lines(model):
    """A line for each operation and layer, inner layers too: class, name, configuration, inputs, shapes of weights."""
    return [line(operation) if isinstance(operation, keras.Layer) else f"operation {operation.name}"
            for operation in model.operations if not isinstance(operation, keras.layers.InputLayer)]


def digest(model):
    value = 0xCBF29CE484222325
    for byte in "\n".join(sorted(lines(model))).encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def losses(name, gain):
    keras.utils.clear_session()
    model = getattr(keras.applications, name)(weights=None, classes=CLASSES, input_shape=(64, 64, 3))
    # Without dropout, whose random numbers differ.
    model = keras.models.model_from_json(re.sub(r'"rate": [0-9.e-]+', '"rate": 0.0', model.to_json()))
    set_weights(model, name, gain)
    model.compile(optimizer=keras.optimizers.SGD(0.001), loss="sparse_categorical_crossentropy")
    x, y = images(name, 64, 8, 0), np.arange(8, dtype=np.int32)
    return [scalar(model.train_on_batch(x, y)) for _ in range(2)]


def case(name):
    keras.utils.clear_session()
    size = SIZES.get(name, 32)
    build = getattr(keras.applications, name)
    model = build(weights=None, classes=CLASSES, classifier_activation=None, input_shape=(size, size, 3))
    result = {"name": name, "size": size, "model": model.name, "params": model.count_params(), "digest": digest(model)}
    x = images(name, size, 2, 0)
    for gain in GAINS:  # the first with which the network does not amplify rounding
        set_weights(model, name, gain)
        logits, moved = (np.asarray(model.predict(each, verbose=0)) for each in (x, x * np.float32(1 + 3e-7)))
        # How far Keras's own logits move when the images do by three units in the last place, of their root mean square.
        movement = np.abs(moved - logits).max() / np.sqrt(np.mean(logits**2))
        if movement < LARGEST_MOVEMENT:
            break
    result["gain"], result["movement"] = gain, scalar(movement)
    result["logits"] = array(logits)
    # With 1,000 classes and images of the usual size, as the oracle counted them.
    result["all_params"] = int(re.search(rf"^{name} (\d+) ", ORACLE.read_text(), re.MULTILINE)[1])
    if name in TRAINED:
        result["losses"] = losses(name, gain)
    return result


def save(cases):
    pixels = np.arange(24, dtype=np.float32).reshape(2, 2, 2, 3) * 10
    modes = {mode: array(keras.applications.imagenet_utils.preprocess_input(pixels.copy(), mode=mode)) for mode in ("caffe", "tf", "torch")}
    write("applications", {"classes": CLASSES, "keys": KEYS, "pixels": array(pixels), "preprocessed": modes, "cases": cases})


def main():
    save([case(name) for name in NAMES])
