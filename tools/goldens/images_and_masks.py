"""Writes tests/goldens/images_and_masks.json: smart_resize and draw_segmentation_masks.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py images_and_masks
"""

import keras
import numpy as np
from golden import array, write


def resized(rng):
    cases = []
    for shape, size, interpolation, data_format in (
            ((7, 10, 3), (4, 4), "bilinear", "channels_last"), ((2, 9, 5, 1), (6, 8), "nearest", "channels_last"),
            ((2, 3, 8, 11), (5, 4), "bicubic", "channels_first"), ((6, 6, 3), (3, 5), "lanczos3", "channels_last")):
        x = rng.uniform(0, 255, shape).astype("float32")
        y = keras.preprocessing.image.smart_resize(keras.ops.array(x), size, interpolation=interpolation, data_format=data_format)
        cases.append({"x": array(x), "size": size, "interpolation": interpolation, "data_format": data_format, "y": array(y)})
    return cases


def masks(rng):
    images = rng.integers(0, 256, (2, 3, 4, 3)).astype("uint8")
    ids = rng.integers(-1, 4, (2, 3, 4, 1)).astype("int32")
    draw = keras.visualization.draw_segmentation_masks
    cases = []
    for options in ({}, {"num_classes": 4, "alpha": 0.25}, {"num_classes": 4, "ignore_index": 2}, {"num_classes": 4, "blend": False},
                    {"num_classes": 3, "color_mapping": [[255, 0, 0], [0, 255, 0], [0, 0, 255]]}):
        arguments = dict(options)
        if "color_mapping" in options:
            arguments["color_mapping"] = dict(enumerate(options["color_mapping"]))
        cases.append({"options": options, "y": array(draw(images, ids, **arguments))})
    return {"images": array(images), "ids": array(ids), "cases": cases}


def main():
    rng = np.random.default_rng(8)
    write("images_and_masks", {"resized": resized(rng), "masks": masks(rng)})
