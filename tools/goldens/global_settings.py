"""keras.config: what losses, metrics, constraints and layers compute after set_epsilon, set_image_data_format and set_floatx."""

import keras
import numpy as np
from keras import config

from golden import array, scalar, write

random = np.random.default_rng(4)


def epsilons():
    labels = random.integers(0, 2, (5, 3)).astype("float32")
    scores = random.uniform(0, 1, (5, 3)).astype("float32")
    weights = random.normal(size=(4, 3)).astype("float32")
    config.set_epsilon(0.1)
    losses = {name: scalar(getattr(keras.losses, name)()(labels, scores)) for name in (
        "BinaryCrossentropy", "CategoricalCrossentropy", "KLDivergence", "Poisson", "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError",
        "CategoricalFocalCrossentropy", "Dice", "Tversky")}
    metrics = {}
    for name, metric in (("F1Score", keras.metrics.F1Score(average="macro")), ("MeanIoU", keras.metrics.MeanIoU(2))):
        metric.update_state(labels, scores if name == "F1Score" else np.round(scores))
        metrics[name] = scalar(metric.result())
    constraints = {name: array(getattr(keras.constraints, name)()(keras.ops.array(weights))) for name in ("MaxNorm", "UnitNorm", "MinMaxNorm")}
    normal = keras.layers.Normalization(mean=[0.5, 0.5, 0.25], variance=[1e-6, 4.0, 1e-4])
    normal.build((None, 3))
    result = {"labels": array(labels), "scores": array(scores), "weights": array(weights), "losses": losses, "metrics": metrics,
              "constraints": constraints, "normalization": array(normal(scores))}
    config.set_epsilon(1e-7)
    return result


def channels():
    x = random.normal(size=(2, 3, 6, 5)).astype("float32")
    config.set_image_data_format("channels_first")
    made = {
        "MaxPooling2D": {}, "AveragePooling2D": {"pool_size": 2}, "GlobalAveragePooling2D": {}, "ZeroPadding2D": {"padding": 1}, "Cropping2D": {"cropping": 1},
        "UpSampling2D": {"size": 2}, "Flatten": {}, "AdaptiveMaxPooling2D": {"output_size": 2}, "CenterCrop": {"height": 2, "width": 3},
        "Resizing": {"height": 3, "width": 4}, "Conv2D": {"filters": 2, "kernel_size": 3, "kernel_initializer": "ones"},
        "DepthwiseConv2D": {"kernel_size": 2, "depthwise_initializer": "ones"}, "Conv2DTranspose": {"filters": 2, "kernel_size": 2, "kernel_initializer": "ones"},
        "SeparableConv2D": {"filters": 2, "kernel_size": 2, "depthwise_initializer": "ones", "pointwise_initializer": "ones"}, "SpatialDropout2D": {"rate": 0.5},
    }
    rows = []
    for name, arguments in made.items():
        layer = getattr(keras.layers, name)(**arguments)
        rows.append({"class_name": name, "arguments": arguments, "y": array(layer(x)), "data_format": layer.get_config().get("data_format")})
    line = keras.layers.UpSampling1D(2)(x[:, 0])
    kernel, ops = keras.ops.ones((2, 2, 3, 2)), keras.ops
    functions = {"conv": ops.conv(x, kernel), "depthwise_conv": ops.depthwise_conv(x, kernel), "max_pool": ops.max_pool(x, 2, 1), "average_pool": ops.average_pool(x, 2, 1),
                 "adaptive_max_pool": ops.adaptive_max_pool(x, 2), "resize": ops.image.resize(x, (3, 4)), "rgb_to_grayscale": ops.image.rgb_to_grayscale(x),
                 "rgb_to_hsv": ops.image.rgb_to_hsv(np.abs(x)), "pad_images": ops.image.pad_images(x, 1, 2, target_height=9, target_width=8),
                 "crop_images": ops.image.crop_images(x, 1, 2, target_height=3, target_width=2), "gaussian_blur": ops.image.gaussian_blur(x)}
    config.set_image_data_format("channels_last")
    return {"x": array(x), "rows": rows, "up_sampling_1d": array(line), "functions": {name: array(y) for name, y in functions.items()}}


def types():
    found = {}
    for name in ("float16", "bfloat16", "float64"):
        keras.utils.clear_session()  # forgets the policy that the first layer has taken
        config.set_floatx(name)
        layer = keras.layers.Dense(2)
        found[name] = {"policy": config.dtype_policy().name, "compute": layer.compute_dtype, "variable": layer.variable_dtype, "input": keras.Input((2,)).dtype}
        config.set_floatx("float32")
    return found


def main():
    write("global_settings", {"epsilon": epsilons(), "channels": channels(), "floatx": types()})
