"""Calls of the functions in cornu/tensor/ops/spectral.h, decompositions.h and image_geometry.h."""

import keras
import numpy as np
import ops_goldens
from ops_goldens import case, made, t, v


def add():
    # The inputs have numbers of their own, so that new calls here do not change those of other files.
    before, ops_goldens.num_inputs = ops_goldens.num_inputs, 20000
    transforms()
    numbers()
    equations()
    decompositions()
    resampling()
    sampling()
    filters()
    ops_goldens.num_inputs = before


def transforms():
    for name, shape in (("fft", (2, 8)), ("fft", (7,)), ("fft2", (2, 4, 6)), ("ifft2", (2, 3, 4))):
        case(name, t(shape), t(shape), join=True, grad=True)
    case("rfft", t((2, 8)), grad=True)
    case("rfft", t((7,)))
    case("rfft", t((2, 8)), fft_length=6, grad=True)
    case("rfft", t((2, 8)), fft_length=11)
    case("irfft", t((2, 5)), t((2, 5)), join=True, grad=True)
    case("irfft", t((2, 5)), t((2, 5)), join=True, fft_length=7, grad=True)
    case("irfft", t((5,)), t((5,)), join=True, fft_length=12)
    lengths = {"sequence_length": 5, "sequence_stride": 2, "fft_length": 6}
    case("stft", t((2, 20)), **lengths, grad=True)
    case("stft", t((20,)), **lengths, window="hamming", center=False)
    case("stft", t((20,)), sequence_length=4, sequence_stride=3, fft_length=4, window="hann", center=False)
    for window in ("hann", "hamming"):
        case("istft", t((2, 6, 4)), t((2, 6, 4)), join=True, **lengths, window=window, grad=window == "hann")
    case("istft", t((6, 4)), t((6, 4)), join=True, **lengths, center=False)
    case("istft", t((6, 4)), t((6, 4)), join=True, **lengths, length=9)


def numbers():
    for name in ("real", "imag", "conjugate", "conj", "isreal"):
        case(name, t((2, 3)))
    case("angle", t((2, 3)))
    case("angle", t((2, 3), "i32"))


def positive_definite(*shape):
    """An input of given values, symmetric and positive definite."""
    x = np.asarray(made(t(shape)), np.float64)
    return v(shape, np.float32(x @ np.swapaxes(x, -1, -2) + 2 * np.eye(shape[-1])).ravel())


def dominant(*shape):
    """An input of given values far from singular matrices."""
    return v(shape, np.float32(np.asarray(made(t(shape)), np.float64) + 3 * np.eye(shape[-1])).ravel())


def equations():
    for upper in (False, True):
        case("cholesky", positive_definite(2, 4, 4), upper=upper)
        case("cholesky_inverse", dominant(4, 4), upper=upper, grad=True)
    for name in ("det", "slogdet", "logdet", "inv"):
        case(name, dominant(2, 3, 3), grad=True)
        case(name, dominant(5, 5))
    case("slogdet", v((2, 2), [1, 2, 2, 4]))
    case("lu_factor", dominant(4, 4))
    case("lu_factor", t((2, 3, 3)))
    case("solve", dominant(2, 3, 3), t((2, 3, 2)), grad=True)
    case("solve", dominant(4, 4), t((4,)))
    for lower in (False, True):
        case("solve_triangular", dominant(2, 3, 3), t((2, 3, 2)), lower=lower, grad=True)
        case("solve_triangular", dominant(4, 4), t((4,)), lower=lower)


def decompositions():
    for shape in ((5, 3), (3, 3), (3, 5), (2, 4, 2)):
        case("qr", t(shape), grad=True)
        case("qr", t(shape), mode="complete")
    # The signs of vectors are free: the golden test of eigh and svd compares what they do not change.
    for shape in ((2, 4, 3), (3, 4), (3, 3)):
        case("svd", t(shape), compute_uv=False, grad=True)
        case("pinv", t(shape))
        case("matrix_rank", t(shape))
    case("matrix_rank", v((3, 3), [1, 2, 3, 2, 4, 6, 1, 0, 1]))
    case("matrix_rank", t((3, 4)), tol=2.0)
    case("pinv", v((3, 3), [1, 2, 3, 2, 4, 6, 1, 0, 1]))
    case("pinv", t((3, 3)), rcond=0.5)
    case("lstsq", t((5, 3)), t((5,)), grad=True)
    case("lstsq", t((3, 5)), t((3, 2)))
    case("lstsq", v((3, 3), [1, 2, 3, 2, 4, 6, 1, 0, 1]), t((3,)))
    case("lstsq", t((4, 4)), t((4,)), rcond=0.5)
    for order in ("nuc", 2, -2):
        case("norm", t((3, 4)), ord=order, grad=True)
        case("norm", t((2, 3, 4)), ord=order, axis=[2, 0], keepdims=True)


def resampling():
    for interpolation in ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"):
        for size in ([7, 3], [3, 9]):
            case("resize", t((2, 5, 6, 2)), size=size, interpolation=interpolation, grad=interpolation == "bicubic")
            case("resize", t((5, 6, 2)), size=size, interpolation=interpolation, antialias=True)
        case("resize", t((2, 3, 4, 5)), size=[6, 2], interpolation=interpolation, data_format="channels_first")
    case("resize", t((4, 5, 3), "u8", 0, 255), size=[3, 8], interpolation="nearest")
    case("resize", t((4, 5, 3), "u8", 0, 255), size=[3, 8])
    for ratio in ("crop_to_aspect_ratio", "pad_to_aspect_ratio"):
        case("resize", t((2, 5, 8, 1)), size=[4, 4], **{ratio: True})
        case("resize", t((8, 5, 1)), size=[3, 6], **{ratio: True}, fill_value=0.5)
        case("resize", t((1, 8, 5)), size=[3, 6], **{ratio: True}, data_format="channels_first")
    for method in ("linear", "bicubic", "lanczos3", "lanczos5"):
        for antialias in (True, False):
            case("scale_and_translate", t((5, 6)), v((2,), [1.53, 0.617]), v((2,), [0.31, -1.23]), output_shape=[7, 4], spatial_dims=[0, 1],
                 method=method, antialias=antialias, function=scale_and_translate, grad=method == "linear")


def scale_and_translate(images, scale, translation, output_shape, spatial_dims, method, antialias):
    return keras.ops.image.scale_and_translate(images, tuple(output_shape), scale, translation, tuple(spatial_dims), method, antialias)


def sampling():
    for mode in ("constant", "nearest", "wrap", "mirror", "reflect"):
        for order in (0, 1):
            case("map_coordinates", t((4, 5)), t((2, 3, 4), "f32", -6, 9), order=order, fill_mode=mode, fill_value=0.5, grad=order == 1)
        case("affine_transform", t((2, 4, 5, 2)), affine(2), fill_mode=mode)
    case("map_coordinates", t((3, 4, 2), "i32", -9, 9), t((3, 6), "f32", -1, 4), order=1, fill_mode="reflect")
    case("affine_transform", t((4, 5, 1)), v((8,), [1, 0.2, -0.5, -0.3, 1.2, 0.4, 0, 0]), interpolation="nearest", fill_value=0.5)
    case("affine_transform", t((2, 3, 4, 5)), affine(2), data_format="channels_first", grad=True)
    start = v((4, 2), [0, 0, 4, 0, 0, 3, 4, 3])
    end = v((4, 2), [0.5, 0.25, 3.5, 0.5, 0.25, 2.5, 4.5, 3.25])
    for interpolation in ("nearest", "bilinear"):
        case("perspective_transform", t((4, 5, 2)), start, end, interpolation=interpolation, fill_value=0.5)
    case("perspective_transform", t((1, 2, 4, 5)), start, end, data_format="channels_first")


def affine(batch):
    # No sample is on the grid, where the gradient jumps.
    rows = [[1.03, 0.217, -0.513, -0.312, 1.217, 0.413, 0, 0], [0.713, -0.117, 1.513, 0.257, 0.913, -2.213, 0, 0]]
    return v((batch, 8), [x for row in rows[:batch] for x in row])


def filters():
    case("gaussian_blur", t((2, 5, 6, 2)), data_format="channels_last", grad=True)
    case("gaussian_blur", t((5, 6, 2)), kernel_size=[5, 3], sigma=[1.5, 0.7], data_format="channels_last")
    case("gaussian_blur", t((2, 2, 5, 6)), kernel_size=[4, 3], sigma=[0.5, 2.0], data_format="channels_first")
    case("pad_images", t((2, 3, 4, 1)), top_padding=1, left_padding=2, bottom_padding=0, right_padding=3, grad=True)
    case("pad_images", t((3, 4, 1)), top_padding=1, right_padding=2, target_height=6, target_width=7)
    case("pad_images", t((1, 3, 4)), bottom_padding=1, left_padding=2, target_height=6, target_width=7, data_format="channels_first")
    case("crop_images", t((2, 5, 6, 1)), top_cropping=1, left_cropping=2, bottom_cropping=0, right_cropping=1, grad=True)
    case("crop_images", t((5, 6, 1)), top_cropping=1, right_cropping=2, target_height=3, target_width=2)
    case("crop_images", t((1, 5, 6)), bottom_cropping=1, left_cropping=2, target_height=3, target_width=2, data_format="channels_first")
    case("extract_patches", t((2, 6, 7, 2)), size=3, grad=True)
    case("extract_patches", t((6, 7, 2)), size=[2, 3], strides=1, padding="same")
    case("extract_patches", t((1, 2, 6, 7)), size=[2, 2], strides=1, dilation_rate=2, data_format="channels_first")
    case("extract_patches", t((1, 4, 4, 4, 1)), size=[2, 2, 2])
    case("extract_patches_3d", t((4, 5, 6, 2)), size=2, strides=[1, 2, 3])
    # Of noise the likeness is nearly zero, a difference of larger numbers, unless k2 is large.
    case("ssim", t((2, 12, 13, 2), "f32", 0, 1), t((2, 12, 13, 2), "f32", 0, 1), k2=0.5)
    case("ssim", t((3, 8, 8), "f32", 0, 1), t((3, 8, 8), "f32", 0, 1), filter_size=5, filter_sigma=1.0, max_val=2.0, k1=0.02, k2=0.01,
         data_format="channels_first")
