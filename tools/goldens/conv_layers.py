"""Convolution, pooling, padding, cropping and upsampling layers: as layers.py, with odd shapes, both data formats, groups, strides, gaps."""

import functools

import numpy as np

import golden
from golden import write

random = np.random.default_rng(41)
FIRST = {"data_format": "channels_first"}


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random)


def convolutions():
    sequence, image, volume = normal(2, 7, 3), normal(2, 6, 5, 2), normal(1, 3, 4, 3, 2)
    image_first = normal(1, 4, 4, 5)
    cases = [
        layer_case("Conv1D", {"filters": 4, "kernel_size": 3}, sequence),
        layer_case("Conv1D", {"filters": 2, "kernel_size": [2], "strides": 3, "padding": "same", "activation": "relu"}, sequence),
        layer_case("Conv1D", {"filters": 3, "kernel_size": 3, "padding": "causal", "dilation_rate": 2, "groups": 3}, sequence),
        layer_case("Conv1D", {"filters": 2, "kernel_size": 3, "padding": "causal", "strides": 2, **FIRST}, normal(2, 3, 8)),
        layer_case("Conv2D", {"filters": 5, "kernel_size": [3, 2]}, image),
        layer_case("Conv2D", {"filters": 3, "kernel_size": 3, "padding": "same", "activation": "relu"}, image),
        layer_case("Conv2D", {"filters": 2, "kernel_size": 5, "strides": [2, 3], "padding": "same", "use_bias": False}, image),
        layer_case("Conv2D", {"filters": 4, "kernel_size": [2, 3], "dilation_rate": [3, 2], "activation": "tanh"}, image),
        layer_case("Conv2D", {"filters": 6, "kernel_size": 2, "groups": 2, "strides": 2, "activation": "relu"}, image),
        layer_case("Conv2D", {"filters": 3, "kernel_size": 3, "padding": "same", "activation": "relu", **FIRST}, image_first),
        layer_case("Conv2D", {"filters": 4, "kernel_size": 3, "strides": 2, "groups": 4, **FIRST}, image_first),
        layer_case("Conv2D", {"filters": 2, "kernel_size": 1, "kernel_regularizer": "l2", "bias_regularizer": "l1",
                              "activity_regularizer": "l2"}, normal(3, 1, 1, 2)),
        layer_case("Conv2D", {"filters": 2, "kernel_size": 3, "padding": "same"}, normal(2, 1, 2, 1)),
        layer_case("Conv3D", {"filters": 2, "kernel_size": [2, 3, 2], "activation": "relu"}, volume),
        layer_case("Conv3D", {"filters": 3, "kernel_size": 2, "strides": 2, "padding": "same", **FIRST}, normal(1, 2, 3, 3, 4)),
    ]
    return cases


def other_convolutions():
    sequence, image = normal(2, 6, 3), normal(2, 5, 4, 2)
    image_first = normal(1, 2, 4, 5)
    return [
        layer_case("Conv1DTranspose", {"filters": 2, "kernel_size": 3, "strides": 2, "activation": "relu"}, sequence),
        layer_case("Conv1DTranspose", {"filters": 2, "kernel_size": 2, "strides": 3, "padding": "same", **FIRST}, sequence),
        layer_case("Conv2DTranspose", {"filters": 3, "kernel_size": [3, 2]}, image),
        layer_case("Conv2DTranspose", {"filters": 2, "kernel_size": 3, "strides": 2, "padding": "same", "activation": "relu"}, image),
        layer_case("Conv2DTranspose", {"filters": 2, "kernel_size": [2, 3], "strides": [3, 2], "output_padding": [2, 0]}, image),
        layer_case("Conv2DTranspose", {"filters": 2, "kernel_size": [4, 3], "strides": 2, "padding": "same", "output_padding": 1}, image),
        layer_case("Conv2DTranspose", {"filters": 2, "kernel_size": 2, "dilation_rate": [2, 3], "use_bias": False}, image),
        layer_case("Conv2DTranspose", {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same", **FIRST}, image_first),
        layer_case("Conv3DTranspose", {"filters": 2, "kernel_size": 2, "strides": [1, 2, 1]}, normal(1, 2, 2, 3, 2)),
        layer_case("DepthwiseConv1D", {"kernel_size": 3, "padding": "same", "activation": "relu"}, sequence),
        layer_case("DepthwiseConv1D", {"kernel_size": 2, "strides": 2, "depth_multiplier": 2, **FIRST}, sequence),
        layer_case("DepthwiseConv2D", {"kernel_size": [3, 2], "depth_multiplier": 2}, image),
        layer_case("DepthwiseConv2D", {"kernel_size": 3, "strides": 2, "padding": "same", "activation": "relu", "depthwise_regularizer": "l2"}, image),
        layer_case("DepthwiseConv2D", {"kernel_size": 2, "strides": 2, "dilation_rate": 2, "use_bias": False}, image),
        layer_case("DepthwiseConv2D", {"kernel_size": 2, "padding": "same", "depth_multiplier": 3, **FIRST}, image_first),
        layer_case("SeparableConv1D", {"filters": 4, "kernel_size": 3, "strides": 2, "padding": "same", "activation": "relu"}, sequence),
        layer_case("SeparableConv1D", {"filters": 2, "kernel_size": 2, "dilation_rate": 2, "depth_multiplier": 2, **FIRST}, sequence),
        layer_case("SeparableConv2D", {"filters": 3, "kernel_size": [2, 3], "depth_multiplier": 2}, image),
        layer_case("SeparableConv2D", {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same", "activation": "relu",
                                       "pointwise_regularizer": "l2"}, image),
        layer_case("SeparableConv2D", {"filters": 2, "kernel_size": 2, "padding": "same", "use_bias": False, **FIRST}, image_first),
    ]


def pooling():
    sequence, image, volume = normal(2, 7, 3), normal(1, 7, 5, 2), normal(1, 4, 5, 2, 2)
    # Windows with several equal maxima: the gradient goes to one of them.
    ties = random.integers(0, 3, size=(1, 6, 5, 2)).astype(np.float32)
    cases = []
    for kind in ["Max", "Average"]:
        cases += [
            layer_case(f"{kind}Pooling1D", {"pool_size": 2}, sequence),
            layer_case(f"{kind}Pooling1D", {"pool_size": 3, "strides": 1, "padding": "same"}, sequence),
            layer_case(f"{kind}Pooling1D", {"pool_size": 3, "strides": 2, **FIRST}, sequence),
            layer_case(f"{kind}Pooling2D", {"pool_size": 2}, image),
            layer_case(f"{kind}Pooling2D", {"pool_size": [3, 2], "strides": [1, 2]}, ties),
            layer_case(f"{kind}Pooling2D", {"pool_size": [2, 3], "padding": "same"}, -np.abs(image)),
            layer_case(f"{kind}Pooling2D", {"pool_size": 3, "strides": 2, "padding": "same", **FIRST}, normal(2, 2, 5, 6)),
            layer_case(f"{kind}Pooling2D", {"pool_size": 2, "padding": "same"}, normal(1, 1, 1, 2)),
            layer_case(f"{kind}Pooling3D", {"pool_size": [2, 2, 1]}, volume),
            layer_case(f"{kind}Pooling3D", {"pool_size": [1, 2, 3], "strides": 1, "padding": "same", **FIRST}, normal(1, 2, 2, 3, 4)),
        ]
    cases += [layer_case("MaxPooling1D", {}, sequence), layer_case("MaxPooling2D", {}, ties), layer_case("MaxPooling3D", {}, volume[:, :, :, :2])]
    steps = np.array([[True, True, False, True, False, False, False], [True] * 7])
    for kind in ["GlobalMax", "GlobalAverage"]:
        cases += [
            layer_case(f"{kind}Pooling1D", {}, sequence), layer_case(f"{kind}Pooling1D", {"keepdims": True, **FIRST}, sequence),
            layer_case(f"{kind}Pooling2D", {}, image), layer_case(f"{kind}Pooling2D", {"keepdims": True}, ties),
            layer_case(f"{kind}Pooling2D", FIRST, image), layer_case(f"{kind}Pooling3D", {}, volume),
            layer_case(f"{kind}Pooling3D", {"keepdims": True, **FIRST}, volume),
        ]
    cases += [
        layer_case("GlobalAveragePooling1D", {}, sequence, [steps]),
        layer_case("GlobalAveragePooling1D", {"keepdims": True}, sequence, [steps]),
        layer_case("GlobalAveragePooling1D", {"keepdims": True, **FIRST}, normal(2, 3, 7), [steps]),
    ]
    return cases


def padding():
    sequence, image, volume = normal(2, 3, 2), normal(2, 3, 2, 3), normal(1, 2, 1, 2, 2)
    return [
        layer_case("ZeroPadding1D", {}, sequence), layer_case("ZeroPadding1D", {"padding": [0, 2]}, sequence),
        layer_case("ZeroPadding1D", {"padding": [2, 1], **FIRST}, sequence),
        layer_case("ZeroPadding2D", {}, image), layer_case("ZeroPadding2D", {"padding": [2, 1]}, image),
        layer_case("ZeroPadding2D", {"padding": [[0, 1], [2, 0]]}, image), layer_case("ZeroPadding2D", {"padding": 2, **FIRST}, image),
        layer_case("ZeroPadding3D", {"padding": [1, 0, 2]}, volume), layer_case("ZeroPadding3D", {"padding": [[1, 0], [0, 0], [0, 2]], **FIRST}, volume),
    ]


def cropping_and_upsampling():
    sequence, image, volume = normal(2, 5, 2), normal(1, 5, 4, 2), normal(1, 4, 3, 3, 1)
    cases = [
        layer_case("Cropping1D", {}, sequence), layer_case("Cropping1D", {"cropping": 2}, sequence),
        layer_case("Cropping1D", {"cropping": [0, 3]}, sequence),
        layer_case("Cropping2D", {}, image), layer_case("Cropping2D", {"cropping": [2, 1]}, image),
        layer_case("Cropping2D", {"cropping": [[1, 0], [0, 2]]}, image), layer_case("Cropping2D", {"cropping": 1, **FIRST}, normal(1, 2, 4, 3)),
        layer_case("Cropping3D", {}, volume), layer_case("Cropping3D", {"cropping": [[0, 1], [1, 0], [0, 0]], **FIRST}, normal(1, 1, 2, 3, 2)),
        layer_case("UpSampling1D", {}, sequence), layer_case("UpSampling1D", {"size": 3}, sequence),
        layer_case("UpSampling2D", {}, image), layer_case("UpSampling2D", {"size": [1, 3]}, image),
        layer_case("UpSampling2D", {"size": [3, 2], **FIRST}, image), layer_case("UpSampling3D", {"size": [2, 1, 2]}, volume),
        layer_case("UpSampling3D", FIRST, normal(1, 1, 1, 2, 2)),
    ]
    for interpolation in ["bilinear", "bicubic", "lanczos3", "lanczos5"]:
        cases.append(layer_case("UpSampling2D", {"size": [2, 3], "interpolation": interpolation}, image))
    cases.append(layer_case("UpSampling2D", {"interpolation": "bilinear", **FIRST}, normal(1, 1, 3, 2)))
    return cases


def main():
    write("conv_layers", {"cases": convolutions() + other_convolutions() + pooling() + padding() + cropping_and_upsampling()})
