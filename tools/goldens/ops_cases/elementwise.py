"""Calls of the functions in cornu/tensor/ops/elementwise.h."""

import pathlib
import sys

from ops_goldens import REPOSITORY, case, t, v

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from function_tables import read_functions

NAN, INF = float("nan"), float("inf")
SPECIAL = [0.0, -0.0, 1.5, -1.5, INF, -INF, NAN, 2.5, -2.5, 3e38]


def add():
    floats = ("f32", "f16", "bf16")
    for name in ("add", "subtract", "multiply", "divide", "true_divide", "maximum", "minimum"):
        case(name, t((3, 1, 5)), t((4, 1)), grad=True)
        case(name, t((2, 3), "i32", -5, 5), t((3,), "i32", 1, 5))
        case(name, t((2, 3), "f16"), t((3,), "f16"))
        case(name, t((2, 3), "i8", -5, 5), 3)
        case(name, t((3,), "i32", -5, 5), 2.5)
        case(name, t((3,), "f16"), t((3,), "i32", 1, 5))
        case(name, t((3,), "bf16"), t((3,), "f16"))
        case(name, t((3,), "u8", 0, 9), t((3,), "i8", 1, 5))
        case(name, t((3,), "b"), t((3,), "i32", 1, 5))
    case("add", t((5,), "b"), t((5,), "b"))
    case("multiply", t((5,), "b"), t((5,), "b"))
    case("divide_no_nan", t((3, 4)), v((4,), [1, 0, -2, 0]))
    case("divide_no_nan", t((3, 4)), t((4,), low=0.5), grad=True)
    case("divide_no_nan", t((4,), "i32", -5, 5), v((4,), [1, 0, -2, 3], "i32"))
    for name in ("floor_divide", "mod", "fmod"):
        case(name, v((8,), [7, -7, 7, -7, 6, -6, 0, 5]), v((8,), [2, 2, -2, -2, 3, 3, 3, -5]))
        case(name, v((8,), [7, -7, 7, -7, 6, -6, 0, 5], "i32"), v((8,), [2, 2, -2, -2, 3, 3, 3, -5], "i32"))
        case(name, t((3, 4), low=-9, high=9), 1.5)
        case(name, t((3, 4), "u8", 0, 200), 7)
        case(name, t((5,), "f16", 1, 9), t((5,), "f16", 1, 3))
    case("power", t((3, 4), low=0.1), t((4,)), grad=True)
    case("power", t((6,), "i32", -4, 4), 3)
    case("power", t((4,)), 2)
    case("power", t((6,), "i32", 1, 4), 0.5)
    for name in ("fmax", "fmin"):
        case(name, v((4,), [1, NAN, 2, NAN]), v((4,), [2, 3, NAN, NAN]))
    case("hypot", t((3, 4), low=0.5), t((4,), low=-2, high=-0.5), grad=True)
    case("hypot", v((4,), [3e30, 0, INF, 3]), v((4,), [4e30, 0, NAN, 4]))
    for name in ("logaddexp", "logaddexp2"):
        case(name, t((3, 4), low=-9, high=9), t((4,), low=-9, high=9), grad=True)
        case(name, v((4,), [INF, -INF, INF, 200]), v((4,), [INF, -INF, -INF, -200]))
        case(name, t((4,), "i32", -3, 3), t((4,), "i32", -3, 3))
    case("heaviside", v((5,), [-1, 0, 2, -0.0, NAN]), 0.25)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        case(name, t((3, 4), "i32", -2, 2), t((4,), "i32", -2, 2))
        case(name, v((5,), [1, 2, NAN, -0.0, INF]), v((5,), [1, 3, NAN, 0, INF]))
        case(name, t((5,), "f16"), t((5,)))
        case(name, t((6,), "b"), t((6,), "b"))
        case(name, t((3, 1), "i32", -2, 2), 0.5)
    for name in ("isclose", "allclose"):
        case(name, v((6,), [1, 1, INF, INF, NAN, 0]), v((6,), [1.000001, 1.1, INF, -INF, NAN, 1e-9]))
        case(name, v((3,), [1, NAN, 3]), v((3,), [1.05, NAN, 3]), rtol=0.1, atol=0.01, equal_nan=True)
        case(name, v((2,), [1, 2], "i32"), v((2,), [1, 2], "i32"))
    for name in ("logical_and", "logical_or", "logical_xor"):
        case(name, t((3, 4), "b"), t((4,), "b"))
        case(name, v((4,), [0, 1, -2, 0], "i32"), v((4,), [0.0, 0.0, 3, NAN]))
    case("logical_not", t((5,), "b"))
    case("logical_not", v((3,), [0, 2.5, -1]))
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        case(name, t((3, 4), "i32", -99, 99), t((4,), "i32", -99, 99))
        case(name, t((5,), "u8", 0, 255), t((5,), "u8", 0, 255))
        case(name, t((5,), "b"), t((5,), "b"))
    for name in ("bitwise_not", "bitwise_invert"):
        case(name, t((5,), "i32", -99, 99))
        case(name, t((5,), "u8", 0, 255))
        case(name, t((5,), "b"))
    for name in ("bitwise_left_shift", "bitwise_right_shift", "left_shift", "right_shift"):
        case(name, t((2, 5), "i32", -99, 99), t((5,), "i32", 0, 6))
        case(name, t((5,), "u8", 0, 255), 2)
    for name in ("negative", "abs", "absolute", "sign", "square"):
        case(name, t((3, 4), low=0.2), grad=True)
        case(name, t((6,), "i32", -3, 3))
        case(name, t((6,), "f16"))
    for name in ("abs", "sign", "square"):
        case(name, t((5,), "u8", 0, 9))
    case("abs", t((4,), "b"))
    case("square", t((4,), "b"))
    case("fabs", t((3,), "i32", -3, 3))
    case("signbit", v((10,), SPECIAL))
    case("signbit", t((5,), "i32", -2, 2))
    case("reciprocal", t((3, 4), low=0.5), grad=True)
    ranges = {function.name: function.row.get("range") for function in read_functions(REPOSITORY)}
    unary = ("exp exp2 expm1 log log1p log2 log10 sqrt rsqrt sin cos tan sinh cosh tanh sinc deg2rad rad2deg cbrt arcsin arccos arctan arcsinh "
             "arccosh arctanh erf erfc erfinv").split()
    for name in unary:
        low, high = ranges[name]
        case(name, t((3, 5), low=low, high=high), grad=True)
        if name not in ("erf", "erfc", "erfinv", "rsqrt"):
            case(name, v((3,), [1, 0, 1] if name != "arccosh" else [1, 2, 3], "i32"))
        case(name, t((5,), "f16", low, min(high, 4)))
    for name in ("sinh", "arcsinh", "tan", "arctan", "sinc", "expm1", "log1p"):
        case(name, v((6,), [1e-6, -1e-6, 0, -0.0, 1e-3, -1e-3]))
    case("sinh", v((6,), [88.9, -88.9, 89.5, INF, -INF, NAN]))
    case("cosh", v((6,), [88.9, -88.9, 89.5, INF, -INF, NAN]))
    case("arcsinh", v((6,), [1e20, -1e20, 1e38, INF, -INF, NAN]))
    case("arccosh", v((5,), [1, 1.000001, 1e20, INF, 0.5]))
    case("arctanh", v((5,), [1, -1, 0.999999, 0, 1.5]))
    case("arctan2", v((8,), [1, 1, -1, -1, 0, 0, 2, -2]), v((8,), [1, -1, 1, -1, 1, -1, 0, 0]))
    case("arctan2", t((3, 4), low=0.2), t((4,), low=0.2), grad=True)
    case("arctan2", t((3,), "i32", 1, 3), t((3,), "i32", 1, 3))
    for name in ("floor", "ceil", "trunc", "round"):
        case(name, v((10,), [0.5, 1.5, -0.5, -1.5, 2.2, -2.7, 0, INF, -INF, NAN]))
        case(name, t((4,), "i32", -3, 3))
        case(name, t((4,), "f16", -5, 5))
    case("round", t((6,), low=-99, high=99), decimals=1)
    case("round", t((6,), low=-999, high=999), decimals=-2)
    case("round", t((6,), "i32", -999, 999), decimals=-2)
    for name in ("isnan", "isinf", "isposinf", "isneginf", "isfinite"):
        case(name, v((10,), SPECIAL))
        case(name, t((3,), "i32", -3, 3))
        case(name, v((4,), [1, INF, -INF, NAN], "f16"))
    case("nan_to_num", v((10,), SPECIAL))
    case("nan_to_num", v((10,), SPECIAL), nan=7.0, posinf=8.0, neginf=-9.0)
    case("nan_to_num", v((4,), [1, INF, -INF, NAN], "f16"))
    case("nan_to_num", t((3,), "i32", -3, 3))
    case("clip", t((3, 4)), x_min=-0.5, x_max=1.0)
    case("clip", t((6,), "i32", -9, 9), x_min=-2, x_max=3)
    case("clip", t((6,), "i32", -9, 9), x_min=-2.5, x_max=3.5)
    case("clip", t((6,), "b"), x_min=0, x_max=1)
    case("clip", t((3, 4)), t((4,), low=-1, high=-0.5), t((3, 1), low=0.5, high=1), grad=True)
    for source in ("f32", "i32", "b", "f16", "u8"):
        for target in ("float32", "int32", "bool", "float16", "uint8", "bfloat16"):
            case("cast", t((5,), source, 0, 9), dtype=target)
    case("saturate_cast", v((6,), [-300, -1, 0.5, 200, 300, 1e9]), dtype="uint8")
    case("saturate_cast", v((6,), [-300, -1, 0.5, 200, 300, 3e9]), dtype="int8")
    case("saturate_cast", v((6,), [-300, -1, 0, 200, 300, 70000], "i32"), dtype="uint8")
    case("saturate_cast", v((6,), [-300, -1, 0, 200, 300, 70000], "i32"), dtype="int8")
    case("saturate_cast", v((3,), [-1e9, 1, 1e9]), dtype="float16")
    case("convert_to_tensor", t((3,), "i32", -3, 3), dtype="float32")
    case("convert_to_tensor", t((3,)))
    case("copy", t((3,)))
    case("where", t((3, 4), "b"), t((4,)), t((3, 1)), grad=True)
    case("where", t((3, 4), "b"), t((4,), "i32", -5, 5), 2.5)
    case("where", v((3,), [0, 2, 0], "i32"), t((3,), "i8", -5, 5), t((3,), "u8", 0, 5))
    case("select", t((2, 3), "b"), t((2, 3), "b"), t((2, 3)), t((2, 3)), function=lambda a, b, x, y, default=0:
         __import__("keras").ops.select([a, b], [x, y], default=default), default=7)
