"""Calls of the functions in cornu/tensor/ops/reduce.h."""

from ops_goldens import case, t, v

NAN, INF = float("nan"), float("inf")


def add():
    for name in ("sum", "mean", "prod", "max", "min", "amax", "amin", "ptp", "var", "std", "logsumexp"):
        case(name, t((3, 4, 5)), grad=True)
        case(name, t((3, 4, 5)), axis=-2, grad=True)
        case(name, t((3, 4, 5)), axis=[0, 2], keepdims=True, grad=True)
        case(name, t((4, 3)), axis=[-1], keepdims=True)
        case(name, t((3, 7), "f16"), axis=1)
        if name != "logsumexp":
            case(name, t((3, 7), "i32", -5, 5), axis=0)
            case(name, t((3, 7), "i8", -5, 5))
            case(name, t((3, 7), "u8", 0, 9), axis=1)
        case(name, v((), [2.5]))
    for name in ("sum", "mean", "prod", "max", "min", "var", "std"):
        case(name, t((3, 7), "b"), axis=0)
    case("prod", t((3, 4), "i8", -3, 3), axis=0, dtype="float32")
    case("max", t((3, 4)), axis=1, initial=1.5)
    case("min", t((3, 4)), axis=1, initial=-1.5, keepdims=True)
    case("max", t((0, 4)), axis=0, initial=-3.0)
    case("sum", t((0, 4)), axis=0)
    case("logsumexp", v((3, 2), [INF, 1, -INF, -INF, 800, 799]), axis=1)
    for name in ("all", "any"):
        case(name, t((3, 4), "b"), axis=0)
        case(name, v((2, 3), [0, 1, -1, 0, 0, 0], "i32"), axis=1, keepdims=True)
        case(name, v((3,), [NAN, 0.5, 1]))
    case("count_nonzero", v((2, 3), [0, 1, -1, 0, 0, 2.5]))
    case("count_nonzero", v((2, 3), [0, 1, -1, 0, 0, 2], "i32"), axis=1)
    case("average", t((3, 4)), axis=0)
    case("average", t((3, 4), "i32", -5, 5))
    for axis, shape in ((1, (3, 4)), (1, (4,)), (0, (3,)), (None, (3, 4))):
        weights = t(shape, low=0.5)
        case("average", t((3, 4)), weights, axis=axis, grad=True, function=lambda x, w, axis: __import__("keras").ops.average(x, axis=axis, weights=w))
    for name in ("argmax", "argmin"):
        case(name, t((3, 4, 5)))
        case(name, t((3, 4, 5)), axis=1)
        case(name, t((3, 4, 5)), axis=-1, keepdims=True)
        case(name, t((3, 4)), keepdims=True)
        case(name, t((3, 7), "i32", -2, 2), axis=1)
        case(name, t((3, 7), "u8", 0, 3), axis=0)
        case(name, t((9,), "b"))
        case(name, v((6,), [1, 5, NAN, 7, NAN, -1]))
        case(name, t((3, 7), "f16"), axis=1)
    for name in ("cumsum", "cumprod"):
        case(name, t((3, 5)))
        case(name, t((3, 5, 2)), axis=1, grad=True)
        case(name, t((3, 7), "i32", -3, 3), axis=-1)
        case(name, t((9,), "i8", -2, 2))
        case(name, t((9,), "f16"))
        case(name, t((3, 4), "b"), axis=0)
        case(name, t((3, 4), "i32", -3, 3), axis=0, dtype="float32")
        case(name, t((1,)))
    case("norm", t((3, 4, 5)), grad=True)
    case("norm", t((3, 4), "i32", -5, 5))
    for order in (None, 1, 2, 3, 0.5, 0, INF, -INF):
        case("norm", t((3, 4), low=0.2), axis=1, ord=order, grad=order not in (0,))
    case("norm", t((3, 4, 5)), axis=-1, ord=3, keepdims=True)
    for order in ("fro", 1, -1, INF, -INF):
        case("norm", t((3, 4, 5)), axis=[0, 2], ord=order)
        case("norm", t((3, 4, 5)), axis=[2, 0], ord=order, keepdims=True)
    for name in ("median", "quantile"):
        q = {"q": 0.3} if name == "quantile" else {}
        case(name, t((3, 4, 5)), **q, grad=True)
        case(name, t((3, 4)), axis=1, **q, grad=True)
        case(name, t((3, 4, 5)), axis=[0, 2], keepdims=True, **q)
        case(name, t((3, 5), "i32", -9, 9), axis=0, **q)
        case(name, t((9,), "f16"), **q)
    case("quantile", t((3, 7)), axis=1, q=[0.0, 0.25, 1.0])
    case("quantile", t((3, 7)), axis=1, q=[0.1, 0.5], keepdims=True)
    for method in ("lower", "higher", "nearest", "midpoint"):
        case("quantile", t((3, 7)), axis=1, q=0.4, method=method)
    case("percentile", t((3, 7)), axis=1, q=40)
