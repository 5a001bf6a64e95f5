"""Writes tests/goldens/bounding_boxes.json: keras.utils.bounding_boxes.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py bounding_boxes
"""

import keras
import numpy as np
from golden import array, write

FORMATS = ("xyxy", "yxyx", "xywh", "center_xywh", "center_yxhw", "rel_xyxy", "rel_yxyx", "rel_xywh", "rel_center_xywh")
HEIGHT, WIDTH = 40, 60
box = keras.utils.bounding_boxes


def some_boxes(rng, *shape):
    """Boxes "xyxy", also partly outside of the image."""
    corner = rng.uniform(-10, 40, (*shape, 2))
    return np.concatenate([corner, corner + rng.uniform(1, 30, (*shape, 2))], -1).astype("float32")


def conversions(boxes):
    cases = []
    for source in FORMATS:
        given = box.convert_format(boxes.copy(), "xyxy", source, height=HEIGHT, width=WIDTH)
        for target in FORMATS:
            result = box.convert_format(given, source, target, height=HEIGHT, width=WIDTH)
            cases.append({"source": source, "target": target, "boxes": array(given), "result": array(result)})
    return cases


def clips(boxes, labels):
    relative = box.convert_format(boxes.copy(), "xyxy", "rel_xyxy", height=HEIGHT, width=WIDTH)
    cases = []
    for form, given in (("xyxy", boxes), ("rel_xyxy", relative)):
        cut = box.clip_to_image_size({"boxes": given, "labels": labels}, height=HEIGHT, width=WIDTH, bounding_box_format=form)
        cases.append({"format": form, "boxes": array(given), "labels": array(labels), "result": array(cut["boxes"]), "result_labels": array(cut["labels"])})
    return cases


def affine(rng, boxes):
    names = ("angle", "translate_x", "translate_y", "scale", "shear_x", "shear_y")
    limits = ((-90, 90), (-0.3, 0.3), (-0.3, 0.3), (0.5, 2), (-20, 20), (-20, 20))
    values = {name: rng.uniform(*limit, boxes.shape[0]).astype("float32") for name, limit in zip(names, limits)}
    tensors = {name: keras.ops.array(value) for name, value in values.items()}
    middle = box.affine_transform(boxes, **tensors, height=HEIGHT, width=WIDTH)
    moved = box.affine_transform(boxes, **tensors, height=HEIGHT, width=WIDTH, center_x=0.25, center_y=0.75)
    return {**{name: array(value) for name, value in values.items()}, "middle": array(middle), "moved": array(moved)}


def deltas(rng, boxes):
    anchors = some_boxes(rng, boxes.shape[1])
    cases = []
    for encoding, variance, form in (("center_yxhw", None, "xyxy"), ("center_xywh", (0.1, 0.2, 0.3, 0.4), "xyxy"), ("center_yxhw", (0.1, 0.1, 0.2, 0.2), "rel_yxyx")):
        given = box.convert_format(boxes.copy(), "xyxy", form, height=HEIGHT, width=WIDTH)
        shape = (HEIGHT, WIDTH, 3)
        encoded = box.encode_box_to_deltas(anchors, given, "xyxy", form, encoding, variance, shape)
        decoded = box.decode_deltas_to_boxes(anchors, encoded, "xyxy", form, encoding, variance, shape)
        cases.append({"encoding": encoding, "variance": variance, "format": form, "boxes": array(given), "deltas": array(encoded), "decoded": array(decoded)})
    return {"anchors": array(anchors), "cases": cases}


def overlaps(rng, boxes):
    others = some_boxes(rng, boxes.shape[0], 3)
    masked = others.copy()
    masked[0, 1] = -1
    pairs = {"batches": (boxes, others), "one_batch": (boxes, others[0]), "other_batch": (boxes[0], others), "plain": (boxes[0], others[0])}
    ious = {name: array(box.compute_iou(*pair, "xyxy")) for name, pair in pairs.items()}
    ious["masked"] = array(box.compute_iou(boxes, masked, "xyxy", use_masking=True, mask_val=-2))
    same = some_boxes(rng, *boxes.shape[:2])
    return {"others": array(others), "masked_boxes": array(masked), "iou": ious, "same": array(same), "ciou": array(box.compute_ciou(boxes, same, "xyxy"))}


def main():
    rng = np.random.default_rng(5)
    boxes, labels = some_boxes(rng, 2, 4), rng.integers(0, 5, (2, 4)).astype("int32")
    boxes[0, 0] += 100
    place = {"top": 3, "left": 7, "height": 20, "width": 30}
    write("bounding_boxes", {"height": HEIGHT, "width": WIDTH, "boxes": array(boxes), "conversions": conversions(boxes), "clips": clips(boxes, labels),
                             "affine": affine(rng, boxes), "crop": array(box.crop(boxes, **place)), "pad": array(box.pad(boxes, 3, 7)),
                             "deltas": deltas(rng, boxes), "overlaps": overlaps(rng, boxes)})
