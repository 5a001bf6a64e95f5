"""Calls of the functions in cornu/tensor/ops/index.h."""

import keras
import numpy as np
from ops_goldens import case, t, v


def key_of(parts):
    """Python's key: [begin, end, step] is a slice, "..." an ellipsis, None a new axis."""
    return tuple(slice(*part) if isinstance(part, list) else ... if part == "..." else part for part in parts)


def add():
    for key in ([1], [[], 0], [[], -1], [[], [], 2], [[1, 2], None, [None, None, -1]], ["...", 0], [0, "...", [1, None]], [None, "...", None, 3],
                [[0, 0], 1], []):
        case("get_item", v((2, 3, 4), range(24)), key=[part or [None] if isinstance(part, list) else part for part in key], grad=True,
             function=lambda x, key: keras.ops.get_item(x, key_of(key)))
    case("take", t((3, 4)), v((3,), [2, 0, -1], "i32"))
    case("take", t((5, 4)), v((2, 2), [4, 0, -1, 2], "i32"), axis=0, grad=True)
    case("take", t((2, 5, 3)), v((2,), [4, 1], "i32"), axis=1, grad=True)
    case("take", t((2, 5), "i32", -5, 5), v((), [3], "i32"), axis=-1)
    case("take", t((5,), "f16"), v((2,), [3, 1], "u8"), axis=0)
    case("take_along_axis", t((3, 4)), v((3, 2), [0, 3, -1, 1, 2, 2], "i32"), axis=1, grad=True)
    case("take_along_axis", t((3, 4)), v((1, 4), [0, 2, 1, 1], "i32"), axis=0, grad=True)
    case("take_along_axis", t((3, 4)), v((3,), [0, 5, 11], "i32"))
    case("slice", t((4, 5)), start_indices=[1, 2], shape=[2, 3], grad=True)
    case("slice", t((4, 5)), v((2,), [1, 0], "i32"), shape=[2, 3], grad=True)
    case("slice_update", t((4, 5)), t((2, 3)), start_indices=[1, 2], grad=True,
         function=lambda x, u, start_indices: keras.ops.slice_update(x, start_indices, u))
    case("scatter", v((3, 1), [1, 3, 1], "i32"), t((3, 2)), shape=[5, 2], grad=True)
    case("scatter", v((2, 2), [1, 0, 0, 2], "i32"), t((2,), "i32", -5, 5), shape=[2, 3])
    for reduction in (None, "add", "mul", "max", "min"):
        case("scatter_update", t((4, 3)), v((3, 2), [1, 0, 0, 2, 3, 1], "i32"), t((3,)), reduction=reduction, grad=reduction in (None, "add"))
        case("scatter_update", t((4, 3)), v((2, 1), [1, 3], "i32"), t((2, 3)), reduction=reduction)
    case("scatter_update", t((5,), "i32", -5, 5), v((2, 1), [1, 3], "i32"), t((2,), "i32", -5, 5))
    for name in ("segment_sum", "segment_max", "segment_min", "segment_prod"):
        case(name, t((5, 2)), v((5,), [0, 2, 0, 3, 2], "i32"), num_segments=4, grad=name == "segment_sum")
        case(name, t((4,), "i32", -5, 5), v((4,), [0, 0, 1, 1], "i32"), num_segments=2, sorted=True)
        case(name, t((4,)), v((4,), [0, 0, 2, 2], "i32"), num_segments=4)
    case("one_hot", v((2, 3), [0, 2, -1, 1, 4, 3], "i32"), num_classes=4)
    case("one_hot", v((3,), [0, 2, 1], "i32"), num_classes=3, axis=0, dtype="int32")
    case("one_hot", v((2, 2), [0, 2, 1, 1], "u8"), num_classes=3, axis=1, dtype="bool")
    case("multi_hot", v((2, 3), [0, 2, 2, 1, 4, 3], "i32"), num_classes=5)
    case("multi_hot", v((3,), [0, 2, 1], "i32"), num_classes=4, dtype="int32")
    case("in_top_k", v((4,), [1, 0, 2, 3], "i32"), t((4, 5)), k=2)
    case("in_top_k", v((2,), [1, 0], "i32"), v((2, 3), [1, 1, 1, 1, 2, 3]), k=1)
    case("searchsorted", v((5,), [1, 2, 2, 4, 8]), v((2, 4), [0, 1, 2, 3, 4, 8, 9, 2.5]))
    case("searchsorted", v((5,), [1, 2, 2, 4, 8]), v((2, 4), [0, 1, 2, 3, 4, 8, 9, 2.5]), side="right")
    case("searchsorted", v((6,), [1, 2, 2, 4, 8, 9], "i32"), v((3,), [9, 2, 5], "i32"))
    case("digitize", v((6,), [-1, 0, 0.5, 1, 2.5, 9]), bins=[0.0, 1.0, 2.0], function=lambda x, bins: keras.ops.digitize(x, np.array(bins)))
    case("digitize", v((4,), [-1, 0, 1, 9], "i32"), bins=[0.0, 1.0, 2.5], function=lambda x, bins: keras.ops.digitize(x, np.array(bins)))
    case("bincount", v((6,), [1, 3, 1, 0, 5, 1], "i32"))
    case("bincount", v((4,), [1, 3, 1, 0], "i32"), minlength=6)
    case("bincount", v((4,), [1, 3, 1, 0], "i32"), v((4,), [0.5, 1, 2, 4]), minlength=6,
         function=lambda x, w, minlength: keras.ops.bincount(x, weights=w, minlength=minlength))
    for name in ("sort", "argsort"):
        case(name, t((3, 7)), grad=name == "sort")
        case(name, t((3, 7, 2)), axis=1)
        case(name, t((3, 7), "i32", -3, 3), axis=0)
        case(name, t((9,), "u8", 0, 9))
        case(name, t((9,), "f16"))
        case(name, v((6,), [1, float("nan"), -3, float("inf"), 0, -float("inf")]))
        case(name, t((5,), "b"))
    case("top_k", t((3, 7)), k=3, grad=True)
    case("top_k", t((9,), "i32", -3, 3), k=4)
    case("top_k", t((2, 6), "f16"), k=1)
    case("extract_sequences", t((2, 9)), sequence_length=4, sequence_stride=2, grad=True)
