"""Functions and layers of Keras, compiled by the backend that KERAS_BACKEND names (jax.jit; tf.function, with --jit by XLA): the cases of
benchmarks/functions by the same names. Prints a line of JSON for each case, as functions_benchmark does; a case that fails has an "error"."""
import argparse
import json
import os
import time

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np
from keras import layers, ops


def numbers(shape, scale=1.0):
    return np.random.default_rng(0).random(shape, dtype=np.float32) * np.float32(scale)


def image_cases():
    images = numbers((8, 224, 224, 3))
    for interpolation in ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"):
        for antialias in (False, True):
            if antialias and interpolation == "nearest":
                continue
            yield (f"resize_{interpolation}" + ("_antialias" if antialias else ""), [images],
                   lambda x, i=interpolation, a=antialias: ops.image.resize(x, (160, 160), interpolation=i, antialias=a))
    transforms = np.tile(np.array([[0.9, 0.1, 3, -0.1, 0.95, 5, 0, 0]], np.float32), (8, 1))
    for interpolation in ("nearest", "bilinear"):
        yield (f"affine_transform_{interpolation}", [images, transforms],
               lambda x, t, i=interpolation: ops.image.affine_transform(x, t, interpolation=i, fill_mode="reflect"))
    start = np.tile(np.array([[[0, 0], [223, 0], [0, 223], [223, 223]]], np.float32), (8, 1, 1))
    end = np.tile(np.array([[[5, 9], [210, 3], [8, 215], [220, 201]]], np.float32), (8, 1, 1))
    yield "perspective_transform", [images, start, end], ops.image.perspective_transform
    for order in (0, 1):
        yield (f"map_coordinates_{order}", [numbers((512, 512)), numbers((2, 512, 512), 511)],
               lambda x, c, o=order: ops.image.map_coordinates(x, c, o, fill_mode="nearest"))
    yield "extract_patches", [images], lambda x: ops.image.extract_patches(x, 16)
    yield "extract_patches_overlapping", [images], lambda x: ops.image.extract_patches(x, 5, strides=2, padding="same")
    yield "rgb_to_hsv", [images], ops.image.rgb_to_hsv
    yield "hsv_to_rgb", [images], ops.image.hsv_to_rgb
    yield "rgb_to_grayscale", [images], ops.image.rgb_to_grayscale
    yield "gaussian_blur", [images], lambda x: ops.image.gaussian_blur(x, (5, 5), (1.0, 1.0))
    yield "elastic_transform", [images], lambda x: ops.image.elastic_transform(x, seed=1)
    yield "pad_images", [images], lambda x: ops.image.pad_images(x, 8, 8, 8, 8)
    yield "crop_images", [images], lambda x: ops.image.crop_images(x, top_cropping=8, left_cropping=8, target_height=200, target_width=200)


def linalg_cases(count, size):
    end = f"_{count}x{size}"
    x = numbers((count, size, size))
    general = x + np.eye(size, dtype=np.float32)
    definite = np.matmul(x, x.transpose(0, 2, 1)) + 4 * np.eye(size, dtype=np.float32)
    b = numbers((count, size, 8))
    yield "cholesky" + end, [definite], ops.cholesky
    yield "qr" + end, [general], ops.qr
    yield "svd" + end, [general], ops.svd
    yield "eigh" + end, [definite], ops.eigh
    yield "inv" + end, [general], ops.inv
    yield "det" + end, [general], ops.det
    yield "solve" + end, [general, b], ops.solve
    yield "solve_triangular" + end, [definite, b], lambda a, b: ops.solve_triangular(a, b, lower=True)
    yield "lu_factor" + end, [general], ops.lu_factor


def spectral_cases():
    lines, planes, sound = numbers((64, 4096)), numbers((16, 128, 128)), numbers((8, 16000))
    yield "fft", [lines, lines], lambda a, b: ops.fft((a, b))
    yield "fft2", [planes, planes], lambda a, b: ops.fft2((a, b))
    yield "rfft", [lines], ops.rfft
    half = numbers((64, 2049))
    yield "irfft", [half, half], lambda a, b: ops.irfft((a, b))
    yield "stft", [sound], lambda x: ops.stft(x, 400, 160, 512)
    frames = numbers((8, 101, 257))
    yield "istft", [frames, frames], lambda a, b: ops.istft((a, b), 400, 160, 512)


def reduction_cases():
    x = numbers((1000, 1000))
    x = np.where(x < 0.1, np.float32(np.nan), x)
    for name in ("nansum", "nanmean", "nanmax", "nanvar", "nanprod", "nancumsum", "nanargmax", "nanmedian"):
        yield name, [x], lambda v, f=getattr(ops, name): f(v, axis=-1)


def search_cases():
    yield "histogram", [numbers((1000000,))], lambda x: ops.histogram(x, bins=64, range=(0, 1))
    ids = numbers((100000,), 1000).astype(np.int32)
    yield "unique", [ids], lambda x: ops.unique(x, size=1000, fill_value=0)
    yield "isin", [ids, np.arange(0, 900, 9, dtype=np.int32)], ops.isin
    yield "associative_scan_add", [numbers((1024, 512))], lambda x: ops.associative_scan(lambda a, b: a + b, x)
    yield ("associative_scan_recurrence", [numbers((1024, 512)), numbers((1024, 512))],
           lambda x, y: ops.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x, y)))
    yield "unfold", [numbers((8, 16, 64, 64))], lambda x: ops.unfold(x, 3, padding=1)
    yield "fold", [numbers((8, 144, 4096))], lambda x: ops.fold(x, 64, 3, padding=1)
    yield "depth_to_space", [numbers((8, 64, 64, 64))], lambda x: ops.depth_to_space(x, 2)
    yield "cdist", [numbers((1000, 64)), numbers((1000, 64))], ops.cdist


def array_cases():
    yield from linalg_cases(1, 256)
    yield from linalg_cases(128, 16)
    yield "lstsq", [numbers((256, 64)), numbers((256, 8))], ops.lstsq
    yield from spectral_cases()
    yield from reduction_cases()
    yield from search_cases()


def gradient_of_sum(f):
    """The gradient of f's summed results with respect to its first argument."""
    if keras.backend.backend() == "jax":
        import jax
        return jax.grad(lambda *arguments: ops.sum(f(*arguments)))
    import tensorflow as tf

    def gradient(x, *others):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = ops.sum(f(x, *others))
        return tape.gradient(loss, x)
    return gradient


def recurrent_cases(name, layer, x):
    layer.build(x.shape)
    yield name, [x], layer
    weights = [ops.convert_to_numpy(weight) for weight in layer.trainable_variables]
    fixed = [weight.value for weight in layer.non_trainable_variables]

    def outputs(values, x):
        return layer.stateless_call(values, fixed, x, training=True)[0]

    def gradient(x, *values):
        if keras.backend.backend() == "jax":
            return gradient_of_sum(outputs)(list(values), x)
        import tensorflow as tf
        with tf.GradientTape() as tape:
            loss = ops.sum(layer(x, training=True))
        return tape.gradient(loss, [weight.value for weight in layer.trainable_variables])
    yield name + "_gradient", [x, *weights], gradient


def ctc_cases():
    target = numbers((32, 32), 62).astype(np.int32) + 1
    output, target_length, output_length = numbers((32, 128, 64)), np.full(32, 24, np.int32), np.full(32, 120, np.int32)
    yield "ctc_loss", [target, output, target_length, output_length], ops.ctc_loss
    gradient = gradient_of_sum(lambda output, target, lengths, steps: ops.ctc_loss(target, output, lengths, steps))
    yield "ctc_loss_gradient", [output, target, target_length, output_length], gradient
    yield "ctc_decode", [output, output_length], lambda x, n: ops.ctc_decode(x, n)


def made(make):
    """The layer, or a function that fails as its constructor did, for example without scipy."""
    try:
        return make()
    except Exception as error:
        failure = error

    def fail(*_):
        raise failure
    return fail


def augmentation_layers():
    yield from (layers.RandomFlip(), layers.RandomRotation(0.1), layers.RandomZoom(0.2), layers.RandomTranslation(0.1, 0.1),
                layers.RandomShear(0.2, 0.2), layers.RandomPerspective(), layers.RandomCrop(200, 200), layers.RandomContrast(0.3),
                layers.RandomBrightness(0.3), layers.RandomHue(0.3), layers.RandomSaturation(0.3), layers.RandomSharpness(0.3),
                layers.RandomGrayscale(), layers.RandomPosterization(4.0), layers.RandomErasing(), layers.RandomGaussianBlur(),
                layers.RandomColorJitter(brightness_factor=0.2, contrast_factor=0.2, saturation_factor=0.2, hue_factor=0.2),
                layers.RandomElasticTransform(), layers.Solarization(0.2, 0.2), layers.AutoContrast(), layers.Equalization(), layers.MixUp(),
                layers.CutMix())


def layer_cases():
    yield from recurrent_cases("ConvLSTM1D", layers.ConvLSTM1D(32, 3, padding="same"), numbers((16, 16, 64, 16)))
    yield from recurrent_cases("ConvLSTM2D", layers.ConvLSTM2D(16, 3, padding="same"), numbers((4, 8, 32, 32, 8)))
    yield from ctc_cases()
    sound = numbers((8, 16000))
    yield "MelSpectrogram", [sound], made(layers.MelSpectrogram)
    yield "STFTSpectrogram", [sound[..., None]], made(layers.STFTSpectrogram)
    images = numbers((8, 224, 224, 3), 255)
    for layer in augmentation_layers():
        yield type(layer).__name__, [images], lambda x, layer=layer: layer(x, training=True)


def stateless(f):
    """Seeds of layers are variables, which jax.jit may not assign."""
    def call(*arguments):
        with keras.StatelessScope():
            return f(*arguments)
    return call


def prepared(f, inputs, jit):
    """A compiled call without arguments that waits for its results."""
    if keras.backend.backend() == "jax":
        import jax
        compiled, values = jax.jit(stateless(f)), [jax.device_put(x) for x in inputs]
        return lambda: jax.block_until_ready(compiled(*values))
    import tensorflow as tf
    compiled, values = tf.function(f, jit_compile=jit), [tf.constant(x) for x in inputs]

    def call():
        for result in tf.nest.flatten(compiled(*values)):
            if tf.is_tensor(result):
                result.numpy()
    return call


def timed(call):
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


def measure(name, inputs, f, options):
    try:
        call = prepared(f, inputs, options.jit)
        first, once = timed(call), timed(call)
    except Exception as error:  # what a backend cannot do is a result of the race
        print(json.dumps({"case": name, "error": str(error).strip().split("\n")[0][:120]}), flush=True)
        return
    times = sorted(timed(call) for _ in range(min(1000, max(3, int(options.seconds * 1e3 / max(once, 1e-3))))))
    print(json.dumps({"case": name, "ms_min": times[0], "ms_median": times[len(times) // 2], "first_ms": first}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="cases; without names all")
    parser.add_argument("--seconds", type=float, default=0.2, help="measuring time of a case")
    parser.add_argument("--jit", action="store_true", help="compile TensorFlow's functions with XLA")
    options = parser.parse_args()
    for make in (image_cases, array_cases, layer_cases):
        for name, inputs, f in make():
            if not options.names or name in options.names:
                measure(name, inputs, f, options)


if __name__ == "__main__":
    main()
