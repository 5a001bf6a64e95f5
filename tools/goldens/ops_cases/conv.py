"""Calls of the functions in cornu/tensor/ops/conv.h."""

import keras
from ops_goldens import case, t


def add():
    first = {"data_format": "channels_first"}
    last = {"data_format": "channels_last"}
    case("conv", t((2, 7, 3)), t((3, 3, 4)), **last, grad=True)
    case("conv", t((2, 6, 5, 2)), t((3, 2, 2, 3)), **last, padding="same", strides=2, grad=True)
    case("conv", t((2, 7, 6, 2)), t((2, 3, 2, 3)), **last, dilation_rate=[1, 2])
    case("conv", t((2, 2, 7, 6)), t((3, 3, 2, 3)), **first, padding="same", dilation_rate=2, grad=True)
    case("conv", t((1, 5, 5, 4)), t((2, 2, 2, 6)), **last, strides=[2, 1], grad=True)
    case("conv", t((1, 4, 4, 3, 2)), t((2, 2, 2, 2, 3)), **last, padding="same")
    case("depthwise_conv", t((2, 6, 5, 3)), t((3, 2, 3, 2)), **last, padding="same", grad=True)
    case("depthwise_conv", t((2, 3, 6, 5)), t((3, 2, 3, 1)), **first, strides=2)
    case("depthwise_conv", t((2, 7, 3)), t((3, 3, 2)), **last, dilation_rate=2)
    case("separable_conv", t((2, 6, 5, 3)), t((3, 2, 3, 2)), t((1, 1, 6, 4)), **last, padding="same", strides=2, grad=True)
    case("separable_conv", t((2, 3, 7)), t((3, 3, 1)), t((1, 3, 4)), **first)
    for padding in ("valid", "same"):
        for strides in (1, 2, 3):
            case("conv_transpose", t((2, 4, 3)), t((2, 4, 3)), **last, padding=padding, strides=strides)
        case("conv_transpose", t((2, 4, 3, 2)), t((3, 3, 3, 2)), **last, padding=padding, strides=2, grad=True)
        case("conv_transpose", t((2, 2, 4, 3)), t((3, 2, 3, 2)), **first, padding=padding, strides=[2, 3], output_padding=1)
    case("conv_transpose", t((2, 4, 3)), t((3, 4, 3)), **last, padding="same", dilation_rate=2)
    for name in ("max_pool", "average_pool"):

        # Keras 3.15 on JAX fails without strides; they stand for the pool's size.
        def pool(x, pool_size, strides=None, _function=getattr(keras.ops, name), **args):
            return _function(x, pool_size, strides=strides or pool_size, **args)

        case(name, t((2, 7, 3)), **last, function=pool, pool_size=2, grad=True)
        case(name, t((2, 7, 5, 2)), **last, function=pool, pool_size=[3, 2], strides=2, padding="same", grad=True)
        case(name, t((2, 2, 7, 5)), **first, function=pool, pool_size=3, strides=[1, 2], padding="same", grad=True)
        case(name, t((1, 4, 4, 4, 2)), **last, function=pool, pool_size=2)
        case(name, t((2, 7, 3), "f16"), **last, function=pool, pool_size=3, strides=1)
