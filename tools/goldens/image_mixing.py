"""Writes tests/goldens/image_mixing.json: boxes, labels and masks of layers that mix images.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py image_mixing

MixUp: for each order of the other images, the boxes, and the images, labels and masks with the weights 0 and 1. Keras 3.15.1 joins the labels of boxes
along the batch, and its masks mix with single numbers of the flattened masks; here the labels are those of each image's boxes, and the masks are
mixed as Keras mixes images. AugMix: mean and variance of each pixel of a mask over many draws.
"""

import itertools
import random as python_random

import keras
import numpy as np
from golden import array, write

L = keras.layers
DRAWS, BATCH = 400, 8


def mix_up(random):
    layer = L.MixUp(bounding_box_format="xyxy")
    images = random.uniform(0, 1, (3, 4, 5, 2)).astype("float32")
    masks = random.integers(0, 4, (3, 4, 5, 1)).astype("int32")
    labels = np.eye(3, 4, dtype="float32")
    boxes = {"boxes": random.uniform(0, 4, (3, 2, 4)).astype("float32"), "labels": random.integers(0, 9, (3, 2)).astype("int32")}
    rows = []
    for order in itertools.permutations(range(3)):
        fixed = [{"permutation_order": np.array(order), "mix_weight": np.full(3, weight, "float32")} for weight in (0, 1)]
        mixed = layer.transform_bounding_boxes(boxes, fixed[0])
        joined = np.asarray(mixed["labels"]).reshape(2, 3, 2)  # of the images, and of the others
        rows.append({"boxes": array(mixed["boxes"]), "box_labels": array(np.concatenate(joined, axis=1)),
                     "images": [array(layer.transform_images(images, each)) for each in fixed],
                     "labels": [array(layer.transform_labels(labels, each)) for each in fixed],
                     "masks": [array(layer.transform_images(masks, each)) for each in fixed]})
    return {"images": array(images), "masks": array(masks), "labels": array(labels), "boxes": array(boxes["boxes"]), "box_labels": array(boxes["labels"]),
            "orders": rows}


def aug_mix(random):
    config = {"value_range": [0, 1], "num_chains": 1, "chain_depth": 1, "all_ops": False, "interpolation": "nearest"}
    python_random.seed(186)  # AugMix chooses its changes by it
    layer = L.AugMix(seed=3, **config)
    mask = random.integers(0, 4, (1, 5, 6, 1)).astype("int32")
    data = {"images": np.zeros((BATCH, 5, 6, 3), "float32"), "segmentation_masks": np.repeat(mask, BATCH, axis=0)}
    drawn = np.concatenate([np.asarray(layer(dict(data), training=True)["segmentation_masks"]) for _ in range(DRAWS)])
    return {"config": config, "mask": array(mask), "batch": BATCH, "mean": array(drawn.mean(0)), "variance": array(drawn.var(0))}


def main():
    random = np.random.default_rng(186)
    write("image_mixing", {"mix_up": mix_up(random), "aug_mix": aug_mix(random)})
