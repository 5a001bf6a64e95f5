"""Calls of the functions in cornu/tensor/ops/arrays.h and sequence.h, and of those in reduce.h that leave NaN out of an order."""

import ops_goldens
from ops_goldens import case, t, v


def add():
    # The inputs have numbers of their own, so that new calls here do not change those of other files.
    before, ops_goldens.num_inputs = ops_goldens.num_inputs, 10000
    blocks()
    nan_order()
    pairs()
    windows()
    sequences()
    images()
    adaptive_pools()
    ops_goldens.num_inputs = before


def blocks():
    for name, shape in (("hsplit", (2, 6)), ("hsplit", (6,)), ("vsplit", (4, 3)), ("dsplit", (2, 1, 6))):
        case(name, t(shape), indices_or_sections=2, grad=True)
        case(name, t(shape), indices_or_sections=[1, 3])
    case("dstack", t((3,)), t((3,)), join=True)
    case("dstack", t((2, 3)), t((2, 3)), join=True, grad=True)
    case("dstack", t((2, 3, 1)), t((2, 3, 2)), join=True)
    case("depth_to_space", t((2, 2, 3, 8)), block_size=2, grad=True)
    case("depth_to_space", t((1, 9, 2, 2)), block_size=3, data_format="channels_first")
    case("space_to_depth", t((2, 4, 6, 3)), block_size=2, grad=True)
    case("space_to_depth", t((1, 2, 6, 3)), block_size=3, data_format="channels_first")
    case("unfold", t((2, 3, 5, 6)), kernel_size=2, grad=True)
    case("unfold", t((1, 2, 6, 7)), kernel_size=[2, 3], dilation=[2, 1], padding=[1, 2], stride=[2, 3])
    case("fold", t((2, 12, 20)), output_size=[5, 6], kernel_size=2, grad=True)
    case("fold", t((1, 12, 12)), output_size=[5, 8], kernel_size=[2, 3], dilation=[2, 1], padding=[1, 2], stride=[2, 3])
    case("unravel_index", v((4,), [0, 5, 11, 7], "i32"), shape=[3, 4])
    case("unravel_index", v((2, 2), [0, 23, 13, 7], "i32"), shape=[2, 3, 4])


def nan_order():
    nan = float("nan")
    for name, scale in (("nanquantile", 1), ("nanpercentile", 100)):
        case(name, t((3, 4, 2)), q=0.25 * scale, grad=True)
        case(name, v((2, 5), [1.5, nan, -2, 0.5, 7, nan, nan, nan, nan, nan]), q=[0.25 * scale, 0.8 * scale], axis=-1)
        for method in ("lower", "higher", "nearest", "midpoint"):
            case(name, v((2, 5), [1.5, nan, -2, 0.5, 7, 3, nan, 1, 2.5, nan]), q=0.4 * scale, axis=-1, method=method, keepdims=True)


def pairs():
    case("isin", t((3, 4), "i32", 0, 9), t((4,), "i32", 0, 9))
    case("isin", t((5,), "i32", 0, 4), t((2, 2), "i32", 0, 4), invert=True)
    case("isin", v((3,), [0.5, float("nan"), 2]), v((3,), [2, float("nan"), 1]))
    case("histogram", t((20,)), bins=4)
    case("histogram", t((20,)), bins=5, range=[-1.0, 1.5])
    case("histogram", v((3,), [2, 2, 2]), bins=2)
    case("nonzero", v((2, 3), [0, 1, 2, 0, 0, -1]))
    case("cdist", t((3, 4)), t((2, 4)), grad=True)
    case("cdist", t((2, 3, 4)), t((2, 5, 4)))
    case("corrcoef", t((3, 6)), grad=True)
    case("corrcoef", t((6,)))
    for mode in ("valid", "same", "full"):
        for sizes in ((6, 3), (6, 4), (3, 6), (4, 6)):
            case("correlate", t((sizes[0],)), t((sizes[1],)), mode=mode, grad=mode == "same")
    case("trapezoid", t((3, 4)), grad=True)
    case("trapezoid", t((3, 4)), dx=0.5, axis=0)
    case("vander", t((4,)), grad=True)
    case("vander", t((4,)), N=2, increasing=True)
    case("vander", t((3,), "i32", -4, 4), N=5)
    for name in ("gcd", "lcm"):
        case(name, t((4, 5), "i32", -60, 60), t((4, 5), "i32", -60, 60))
        case(name, t((6,), "u8", 0, 20), t((1,), "u8", 0, 20))
        case(name, v((3,), [0, 0, 6], "i32"), v((3,), [0, 4, 0], "i32"))
    case("ldexp", t((3, 4)), t((3, 4), "i32", -5, 5))
    case("nextafter", v((6,), [1, -1, 1, 0, 2, float("nan")]), v((6,), [2, -2, 0, 1, 2, 1]))
    case("i0", t((3, 4), "f32", -12, 12), grad=True)
    case("i0", v((5,), [0, 17.9, 18.1, -40, 85]))


def windows():
    for size in (0, 1, 2, 7, 8):
        for name in ("bartlett", "blackman", "hamming", "hanning"):
            case(name, x=size)
        case("kaiser", x=size, beta=8.6)
    case("logspace", t((2,), "f32", 0, 1), t((2,), "f32", 1, 2), num=5, grad=True)
    case("logspace", t(()), t(()), num=4, endpoint=False, base=2.0)
    case("geomspace", t((2,), "f32", 0.5, 1), t((2,), "f32", 1, 9), num=5, grad=True)
    case("geomspace", t((2,), "f32", -2, -1), t((2,), "f32", -30, -9), num=4, axis=-1, endpoint=False)


def sequences():
    lengths = v((3,), [2, 1, 3], "i32"), v((3,), [6, 5, 6], "i32")
    case("ctc_loss", v((3, 3), [1, 2, 0, 3, 0, 0, 2, 2, 1], "i32"), t((3, 6, 4)), *lengths, grad=True)
    case("ctc_loss", v((3, 3), [1, 2, 0, 3, 0, 0, 2, 2, 1], "i32"), t((3, 6, 5)), *lengths, mask_index=4)
    case("ctc_loss", v((2, 1), [1, 0], "i32"), t((2, 1, 3)), v((2,), [1, 0], "i32"), v((2,), [1, 1], "i32"))
    for merge in (True, False):
        case("ctc_decode", t((2, 7, 4)), v((2,), [7, 5], "i32"), merge_repeated=merge)
    case("ctc_decode", t((2, 7, 4)), v((2,), [7, 5], "i32"), mask_index=3)
    case("ctc_decode", t((2, 6, 4)), v((2,), [6, 4], "i32"), strategy="beam_search", beam_width=12, top_paths=3)


def images():
    for name in ("rgb_to_grayscale", "rgb_to_hsv", "hsv_to_rgb"):
        case(name, t((2, 3, 4, 3), "f32", 0, 1), grad=True)
        case(name, t((3, 2, 4), "f32", 0, 1), data_format="channels_first")
    case("rgb_to_hsv", v((1, 4, 3), [0, 0, 0, 1, 1, 1, 0.5, 0.5, 0, 0, 0.25, 0.25]))
    case("rgb_to_grayscale", t((2, 2, 3), "u8", 0, 255))
    case("rgb_to_grayscale", t((2, 2, 1)))


def adaptive_pools():
    for name in ("adaptive_max_pool", "adaptive_average_pool"):
        case(name, t((2, 7, 3)), output_size=3, grad=True)
        case(name, t((2, 6, 4, 2)), output_size=[3, 2], grad=True)
        case(name, t((1, 2, 5, 7)), output_size=[2, 3], data_format="channels_first")
        case(name, t((1, 3, 5, 4, 2)), output_size=[2, 5, 3])
