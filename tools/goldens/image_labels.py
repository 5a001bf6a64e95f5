"""Writes tests/goldens/image_labels.json: boxes and masks that layers of images change with them, for changes that do not depend on random numbers.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py image_labels

Cases keep to what Keras does in each format: RandomRotation takes "xyxy" whatever the format, RandomShear takes images for square, and RandomCrop
exchanges rows and columns.
"""

import keras
import numpy as np
from golden import array, write

L = keras.layers
FIXED = [
    ("Resizing", {"height": 12, "width": 30, "bounding_box_format": "xyxy"}, (20, 24)),
    ("Resizing", {"height": 12, "width": 30, "bounding_box_format": "center_xywh"}, (20, 24)),
    ("Resizing", {"height": 12, "width": 10, "crop_to_aspect_ratio": True, "bounding_box_format": "xyxy"}, (20, 24)),
    ("Resizing", {"height": 31, "width": 12, "pad_to_aspect_ratio": True, "bounding_box_format": "rel_xyxy"}, (20, 24)),
    ("CenterCrop", {"height": 12, "width": 10, "bounding_box_format": "xyxy"}, (20, 24)),
    ("CenterCrop", {"height": 13, "width": 11, "bounding_box_format": "rel_xywh"}, (21, 25)),
    ("RandomTranslation", {"height_factor": [0.25, 0.25], "width_factor": [-0.1, -0.1], "fill_mode": "constant", "bounding_box_format": "xyxy"}, (20, 24)),
    ("RandomTranslation", {"height_factor": [-0.3, -0.3], "width_factor": [0.2, 0.2], "bounding_box_format": "yxyx"}, (20, 24)),
    ("RandomRotation", {"factor": [0.1, 0.1], "fill_mode": "constant", "bounding_box_format": "xyxy"}, (20, 24)),
    ("RandomRotation", {"factor": [-0.25, -0.25], "bounding_box_format": "xyxy"}, (20, 24)),
    ("RandomZoom", {"height_factor": [0.2, 0.2], "width_factor": [-0.3, -0.3], "bounding_box_format": "xyxy"}, (20, 24)),
    ("RandomZoom", {"height_factor": [-0.4, -0.4], "bounding_box_format": "rel_yxyx"}, (20, 24)),
]
SIGNED = [
    ("RandomFlip", {"mode": "horizontal", "bounding_box_format": "xyxy"}, (20, 24)),
    ("RandomFlip", {"mode": "vertical", "bounding_box_format": "xywh"}, (20, 24)),
    ("RandomFlip", {"mode": "horizontal_and_vertical", "bounding_box_format": "rel_xyxy"}, (20, 24)),
    ("RandomShear", {"x_factor": [0.3, 0.3], "y_factor": [0.0, 0.0], "fill_mode": "constant", "bounding_box_format": "xyxy"}, (20, 20)),
    ("RandomShear", {"x_factor": [0.0, 0.0], "y_factor": [0.2, 0.2], "fill_mode": "constant", "bounding_box_format": "center_xywh"}, (20, 20)),
]


def given(random, size, box_format):
    height, width = size
    corners = np.sort(random.uniform(0, 1, (2, 5, 2, 2)), axis=2) * [width, height]
    boxes = corners.reshape(2, 5, 4).astype("float32")
    boxes[1, 3:] = 0
    converted = keras.utils.bounding_boxes.convert_format(boxes, "xyxy", box_format, height=height, width=width)
    labels = random.integers(0, 4, (2, 5)).astype("int32")
    labels[1, 3:] = -1
    return {"images": random.uniform(0, 255, (2, height, width, 3)).astype("float32"),
            "bounding_boxes": {"boxes": np.array(converted), "labels": labels},
            "segmentation_masks": random.integers(0, 4, (2, height, width, 1)).astype("int32")}


def stored(data):
    boxes = data["bounding_boxes"]
    return {"boxes": array(boxes["boxes"]), "labels": array(np.asarray(boxes["labels"]).astype("int32")),
            "masks": array(np.asarray(data["segmentation_masks"]).astype("int32"))}


def copied(data):
    return {"images": data["images"].copy(), "segmentation_masks": data["segmentation_masks"].copy(),
            "bounding_boxes": {name: value.copy() for name, value in data["bounding_boxes"].items()}}


def transformation(name, config, sign, shape):
    if name == "RandomFlip":
        return {"flips": np.full((2, 1, 1, 1), sign > 0), "input_shape": shape}
    factors = [config["x_factor"][0] * sign, config["y_factor"][0] * sign]
    return {"shear_factor": np.array([factors, factors], "float32"), "input_shape": shape}


def case(random, name, config, size, signs):
    layer = getattr(L, name)(**config)
    data = given(random, size, config["bounding_box_format"])
    row = {"layer": name, "config": config, "images": list(data["images"].shape), "given": stored(data), "results": []}
    if signs is None:
        row["results"].append(stored(layer(copied(data), training=True)))
    for sign in signs or ():
        fixed = transformation(name, config, sign, data["images"].shape)
        mine = copied(data)
        boxes = {key: keras.ops.convert_to_tensor(value) for key, value in mine["bounding_boxes"].items()}
        row["results"].append(stored({"bounding_boxes": layer.transform_bounding_boxes(boxes, fixed),
                                      "segmentation_masks": layer.transform_segmentation_masks(mine["segmentation_masks"], fixed)}))
    return row


def main():
    random = np.random.default_rng(22)
    write("image_labels", {"cases": [case(random, *each, None) for each in FIXED] + [case(random, *each, (1, -1)) for each in SIGNED]})
