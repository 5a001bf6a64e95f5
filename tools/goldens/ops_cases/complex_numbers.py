"""Calls with complex numbers. Functions that order numbers (sort, max, softmax, ...) are refused here and left out, and var, which is complex in Keras."""

import ops_goldens
from ops_goldens import case, t, v

ELEMENTWISE = ("abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "conj", "cos", "cosh", "exp", "exp2", "expm1", "imag",
               "isreal", "log", "log10", "log1p", "log2", "negative", "real", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin",
               "sinc", "sinh", "sqrt", "square", "tan", "tanh", "angle")
BINARY = ("add", "subtract", "multiply", "divide", "true_divide", "power", "equal", "not_equal", "isclose", "allclose")


def add():
    before, ops_goldens.num_inputs = ops_goldens.num_inputs, 30000
    for name in ELEMENTWISE:
        case(name, t((2, 3), "c64"))
    case("round", t((2, 3), "c64"), decimals=1)
    for name in BINARY:
        case(name, t((2, 3), "c64"), t((3,), "c64"))
    for name in ("add", "multiply", "divide", "power"):
        case(name, t((2, 3), "c64"), t((3,)))
        case(name, t((3,), "i32", 1, 4), t((2, 3), "c64"))
        case(name, t((2, 3), "c64"), 1.5)
    odd = v((2, 2), [1, float("nan"), float("inf"), -2, 0.5, float("-inf"), 3, 4], "c64")
    for name in ("isnan", "isinf", "isfinite", "nan_to_num", "nansum", "nanmean", "nanstd", "nanvar"):
        case(name, odd if name.startswith("is") or name == "nan_to_num" else v((2, 2), [1, float("nan"), 1, -2, 0.5, 1, 3, 4], "c64"))
    for name in ("sum", "mean", "prod", "std", "norm"):
        case(name, t((3, 4), "c64"))
        case(name, t((3, 4), "c64"), axis=1)
    case("cumsum", t((3, 4), "c64"), axis=1)
    case("cumprod", t((3, 4), "c64"), axis=0)
    matrices()
    ops_goldens.num_inputs = before


def matrices():
    for name in ("matmul", "dot", "inner", "outer", "kron", "vdot"):
        case(name, t((3, 3), "c64"), t((3, 3), "c64"))
    case("matmul", t((2, 3), "c64"), t((3, 2)))
    case("cross", t((2, 3), "c64"), t((2, 3), "c64"))
    for name in ("det", "inv", "slogdet", "logdet", "pinv", "matrix_rank", "trace", "tril", "transpose", "diagonal"):
        case(name, t((3, 3), "c64"))
    case("pinv", t((4, 2), "c64"))
    for name in ("solve", "solve_triangular", "lstsq"):
        case(name, t((3, 3), "c64"), t((3, 2), "c64"))
    case("solve", t((3, 3), "c64"), t((3,)))
    hermitian = v((2, 2), [4, 0, 1, -2, 1, 2, 5, 0], "c64")
    case("cholesky", hermitian)
    case("where", v((2, 2), [1, 0, 0, 1], "b"), hermitian, t((2, 2)))
