"""Calls of the functions in cornu/tensor/ops/nn.h."""

import keras
from ops_goldens import case, t, v

INF = float("inf")


def add():
    for name in ("relu", "relu6", "leaky_relu", "elu", "celu", "selu", "sigmoid", "log_sigmoid", "hard_sigmoid", "sparse_sigmoid", "silu",
                 "swish", "hard_silu", "hard_swish", "softplus", "softsign", "soft_shrink", "hard_shrink", "tanh_shrink", "hard_tanh",
                 "sparse_plus", "squareplus", "gelu", "softmax", "log_softmax"):
        case(name, t((3, 6), low=-5, high=7), grad=True)
        if name not in ("sparse_plus", "soft_shrink"):
            case(name, v((8,), [100, -100, 1, -1, 0, 3, -3, 6]))
        case(name, t((6,), "f16", -5, 5))
    for name in ("relu", "softplus", "softmax"):
        case(name, t((4,), "i32", -5, 5))
    case("leaky_relu", t((3, 4)), negative_slope=0.3)
    case("elu", t((3, 4)), alpha=0.3)
    case("celu", t((3, 4)), alpha=0.3)
    case("soft_shrink", t((3, 4)), threshold=0.2)
    case("hard_shrink", t((3, 4)), threshold=0.2)
    case("squareplus", t((3, 4)), b=1)
    case("gelu", t((3, 4), low=-4, high=4), approximate=False, grad=True)
    case("threshold", t((3, 4)), threshold=0.2, default_value=-7.0)
    case("glu", t((3, 4)), grad=True)
    case("glu", t((4, 3)), axis=0)
    for name in ("softmax", "log_softmax"):
        case(name, t((3, 4, 2)), axis=1, grad=True)
        case(name, t((3, 4, 2)), axis=[0, 2], grad=True)
    probabilities = lambda shape: t(shape, low=0.05, high=0.95)
    for args in ({}, {"from_logits": True}, {"axis": 1}):
        case("categorical_crossentropy", probabilities((3, 4, 2)), probabilities((3, 4, 2)), **args, grad=True)
        case("binary_crossentropy", probabilities((3, 4)), probabilities((3, 4)), **{k: a for k, a in args.items() if k == "from_logits"}, grad=True)
        if "axis" not in args:
            case("sparse_categorical_crossentropy", v((3, 2), [0, 3, 1, 2, 2, 0], "i32"), probabilities((3, 2, 4)), **args, grad=True)
    case("sparse_categorical_crossentropy", v((3, 1), [0, 3, 1], "i32"), t((3, 4)), from_logits=True)
    case("categorical_crossentropy", v((2, 2), [0, 1, 1, 0]), v((2, 2), [1, 0, 1, 0]))
    case("moments", t((3, 4, 5)), axes=[0, 1], grad=True)
    case("moments", t((3, 4)), axes=[1], keepdims=True)
    case("moments", t((3, 7), "f16"), axes=[1])
    case("normalize", t((3, 4)), grad=True)
    case("normalize", t((3, 4)), axis=0)
    case("normalize", t((3, 4)), axis=0, order=3, grad=True)
    case("normalize", v((2, 2), [0, 0, 3, 4]))
    case("batch_normalization", t((3, 4, 2)), t((4,)), t((4,), low=0.5), axis=1, grad=True)
    case("batch_normalization", t((3, 4)), t((4,)), t((4,), low=0.5), t((4,)), t((4,)), axis=-1, epsilon=0.1, grad=True,
         function=lambda x, m, s, o, c, axis, epsilon: keras.ops.batch_normalization(x, m, s, axis, offset=o, scale=c, epsilon=epsilon))
    case("layer_normalization", t((3, 4)), grad=True)
    case("layer_normalization", t((2, 3, 4)), t((4,)), t((4,)), epsilon=0.01, grad=True,
         function=lambda x, g, b, epsilon: keras.ops.layer_normalization(x, g, b, epsilon=epsilon))
    case("layer_normalization", t((2, 3, 4)), axis=[1, 2])
    case("layer_normalization", t((3, 8), "f16"))
    case("rms_normalization", t((3, 4)), grad=True)
    case("rms_normalization", t((2, 3, 4)), t((4,)), epsilon=0.01, grad=True,
         function=lambda x, s, epsilon: keras.ops.rms_normalization(x, s, epsilon=epsilon))
