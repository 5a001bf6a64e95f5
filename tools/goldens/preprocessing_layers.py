"""Layers of images and categories: what they give for one input, random ones with factors that leave nothing to chance; what adapt() finds."""

import functools

import keras
import numpy as np

import golden
from golden import array, write

random = np.random.default_rng(33)


def images(*shape):
    return random.uniform(0, 255, size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random, train=False, gradients=False)


def plain_cases():
    x, wide = images(2, 5, 6, 2), images(1, 9, 5, 1)
    ids = random.integers(0, 6, size=(3, 4)).astype(np.int32)
    values = random.normal(size=(3, 4)).astype(np.float32)
    cases = []
    for method in ("bilinear", "nearest", "bicubic", "lanczos3", "lanczos5"):
        cases.append(layer_case("Resizing", {"height": 4, "width": 11, "interpolation": method}, x))
        cases.append(layer_case("Resizing", {"height": 3, "width": 2, "interpolation": method, "antialias": True}, wide))
    cases += [
        layer_case("Resizing", {"height": 4, "width": 4, "crop_to_aspect_ratio": True}, x),
        layer_case("Resizing", {"height": 4, "width": 4, "pad_to_aspect_ratio": True, "fill_value": 7.0}, wide),
        layer_case("Resizing", {"height": 3, "width": 4, "data_format": "channels_first"}, images(1, 2, 6, 5)),
        layer_case("CenterCrop", {"height": 3, "width": 4}, x), layer_case("CenterCrop", {"height": 8, "width": 4}, x),
        layer_case("CenterCrop", {"height": 2, "width": 3, "data_format": "channels_first"}, images(1, 2, 6, 5)),
        layer_case("CategoryEncoding", {"num_tokens": 6}, ids), layer_case("CategoryEncoding", {"num_tokens": 6, "output_mode": "count"}, ids),
        layer_case("CategoryEncoding", {"num_tokens": 6, "output_mode": "one_hot"}, ids),
        layer_case("CategoryEncoding", {"num_tokens": 6, "output_mode": "one_hot"}, ids[:, :1]),
        layer_case("Discretization", {"bin_boundaries": [-0.5, 0.0, 1.0]}, values),
        layer_case("Discretization", {"bin_boundaries": [-0.5, 0.0, 1.0], "output_mode": "one_hot"}, values),
        layer_case("Discretization", {"bin_boundaries": [-0.5, 0.0, 1.0], "output_mode": "multi_hot"}, values),
        layer_case("Discretization", {"bin_boundaries": [-0.5, 0.0, 1.0], "output_mode": "count"}, values),
    ]
    training = {"training": True}
    for mode in ("reflect", "wrap", "constant", "nearest"):
        for interpolation in ("bilinear", "nearest"):
            how = {"fill_mode": mode, "interpolation": interpolation, "fill_value": 3.0}
            cases.append(layer_case("RandomTranslation", {"height_factor": [0.3, 0.3], "width_factor": [-0.7, -0.7], **how}, x, call=training))
            cases.append(layer_case("RandomRotation", {"factor": [0.1, 0.1], **how}, x, call=training))
            cases.append(layer_case("RandomZoom", {"height_factor": [0.4, 0.4], "width_factor": [-0.3, -0.3], **how}, x, call=training))
    cases += [
        layer_case("RandomZoom", {"height_factor": [0.5, 0.5]}, wide, call=training),
        layer_case("RandomRotation", {"factor": [-0.3, -0.3], "data_format": "channels_first"}, images(1, 2, 6, 5), call=training),
        layer_case("RandomBrightness", {"factor": [0.2, 0.2]}, x, call=training),
        layer_case("RandomBrightness", {"factor": [-0.1, -0.1], "value_range": [0, 1]}, x / 255, call=training),
        layer_case("RandomContrast", {"factor": [-0.3, 0.3]}, x, call=training),
        layer_case("RandomCrop", {"height": 9, "width": 4}, x, call=training),
        layer_case("RandomTranslation", {"height_factor": 0.3, "width_factor": 0.2}, x, call={"training": False}),
    ]
    return cases


def adapted():
    cases = []
    for rows, num_bins, epsilon in ((500, 4, 0.01), (37, 5, 0.01), (2000, 10, 0.05), (7, 3, 0.1)):
        values = random.normal(size=(rows, 2)).astype(np.float32)
        whole = keras.layers.Discretization(num_bins=num_bins, epsilon=epsilon)
        whole.update_state(values)
        whole.finalize_state()
        batched = keras.layers.Discretization(num_bins=num_bins, epsilon=epsilon)
        for i in range(0, rows, 16):
            batched.update_state(values[i : i + 16])
        batched.finalize_state()
        cases.append({"values": array(values), "num_bins": num_bins, "epsilon": epsilon, "boundaries": whole.bin_boundaries,
                      "batched": batched.bin_boundaries, "batch_size": 16})
    return cases


def color_cases():
    training, x, colors = {"training": True}, images(2, 5, 6, 2), images(2, 4, 5, 3)
    return [
        layer_case("RandomGrayscale", {"factor": 1.0}, colors, call=training),
        layer_case("RandomGrayscale", {"factor": 0.0}, colors, call=training),
        layer_case("RandomInvert", {"factor": [1.0, 1.0]}, x, call=training),
        layer_case("RandomInvert", {"factor": [1.0, 1.0], "value_range": [0, 1]}, x / 255, call=training),
        layer_case("RandomPosterization", {"factor": [3, 3]}, x, call=training),
        layer_case("RandomPosterization", {"factor": [5, 5], "value_range": [0, 1]}, x / 255, call=training),
        layer_case("RandomHue", {"factor": [1.0, 1.0]}, colors, call=training),  # half a turn in both directions
        layer_case("RandomHue", {"factor": [0.0, 0.0], "value_range": [0, 1]}, colors / 255, call=training),
        layer_case("RandomSaturation", {"factor": [0.3, 0.3]}, colors, call=training),
        layer_case("RandomSaturation", {"factor": [0.7, 0.7], "value_range": [0, 1]}, colors / 255, call=training),
        layer_case("RandomSaturation", {"factor": [0.7, 0.7], "data_format": "channels_first"}, images(2, 3, 4, 5), call=training),
        layer_case("RandomColorDegeneration", {"factor": [0.4, 0.4]}, colors, call=training),
        layer_case("RandomSharpness", {"factor": [0.9, 0.9]}, x, call=training),
        layer_case("RandomSharpness", {"factor": [0.2, 0.2], "data_format": "channels_first"}, images(2, 3, 4, 5), call=training),
        layer_case("Solarization", {}, x, call=training),
        layer_case("Solarization", {"value_range": [0, 1]}, x / 255, call=training),
        layer_case("AutoContrast", {}, x), layer_case("AutoContrast", {"value_range": [0, 1]}, np.minimum(x, 200) / 255),
    ]


def augmentation_cases():
    training, x, colors = {"training": True}, images(2, 5, 6, 2), images(2, 4, 5, 3)
    dark = np.minimum(images(2, 5, 6, 2), np.float32([30, 0]))  # the second channel has one value
    return [
        layer_case("Equalization", {}, x, call=training),
        layer_case("Equalization", {"bins": 16, "value_range": [1, 0]}, x / 255, call=training),
        layer_case("Equalization", {"data_format": "channels_first"}, dark.transpose(0, 3, 1, 2), call=training),
        layer_case("ContrastLimitedAdaptiveHistogramEqualization", {"tile_grid_size": [2, 3]}, images(2, 9, 10, 2)),
        layer_case("ContrastLimitedAdaptiveHistogramEqualization", {"tile_grid_size": [1, 1], "clip_limit": 0.0}, images(1, 4, 5, 1)),
        layer_case("ContrastLimitedAdaptiveHistogramEqualization", {"tile_grid_size": [2, 2], "value_range": [0, 1], "clip_limit": 30.0,
                                                                    "data_format": "channels_first"}, images(1, 2, 8, 6) / 255),
        layer_case("RandomGaussianBlur", {"factor": [1.0, 1.0], "sigma": [0.7, 0.7], "kernel_size": [3, 5]}, x, call=training),
        layer_case("RandomGaussianBlur", {"factor": [1.0, 1.0], "sigma": [1.0, 1.0], "data_format": "channels_first"}, images(2, 3, 4, 5), call=training),
        layer_case("RandomErasing", {"factor": [1.0, 1.0], "scale": [1.0, 1.0], "fill_value": 300.0}, colors, call=training),
        layer_case("RandomErasing", {"factor": 0.0}, colors, call=training),
        layer_case("RandomColorJitter", {"brightness_factor": [0.1, 0.1], "contrast_factor": 0.0, "saturation_factor": [0.6, 0.6],
                                         "hue_factor": [1.0, 1.0]}, colors, call=training),
        layer_case("RandomShear", {}, x, call=training), layer_case("RandomPerspective", {"scale": 0.0}, x, call=training),
        layer_case("RandAugment", {"num_ops": 0}, x, call=training),
    ]


def sheared():
    """RandomShear draws the sign of its factors: both results."""
    x, cases = images(1, 5, 6, 2), []
    for fill_mode, interpolation in (("reflect", "bilinear"), ("constant", "nearest"), ("wrap", "bilinear")):
        config = {"x_factor": [0.3, 0.3], "y_factor": [0.2, 0.2], "fill_mode": fill_mode, "interpolation": interpolation, "fill_value": 5.0}
        found = [keras.ops.image.affine_transform(x, np.array([[1, sign * 0.3, 0, sign * 0.2, 1, 0, 0, 0]], np.float32), interpolation=interpolation,
                                                  fill_mode=fill_mode, fill_value=5.0) for sign in (1, -1)]
        cases.append({"config": config, "input": array(x), "results": [array(y) for y in found]})
    return cases


def main():
    plain, discretization = plain_cases(), adapted()
    cases = plain + color_cases() + augmentation_cases()
    write("preprocessing_layers", {"cases": cases, "discretization": discretization, "sheared": sheared()})
