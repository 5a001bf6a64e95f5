"""STFTSpectrogram, MelSpectrogram and the initializer STFT: what they compute for one input; MaxNumBoundingBoxes."""

import functools

import keras
import numpy as np

import golden
from golden import array, write

random = np.random.default_rng(156)
layer_case = functools.partial(golden.layer_case, random, learning_rate=0.001)
WINDOWS = ("hann", "hamming", "blackman", "bartlett", "nuttall", "blackmanharris", "flattop", "barthann", "bohman", "cosine", "triang", "boxcar", None)


def signals(*shape):
    return random.normal(size=shape).astype(np.float32)


def stft_cases():
    x = signals(2, 20, 2)
    small = {"frame_length": 8, "frame_step": 3}
    cases = [layer_case("STFTSpectrogram", {"mode": mode, **small}, x, train=mode == "log") for mode in ("log", "magnitude", "psd", "real", "imag", "angle", "stft")]
    return cases + [
        layer_case("STFTSpectrogram", {"frame_length": 8, "padding": "same", "mode": "magnitude"}, x, train=False),
        layer_case("STFTSpectrogram", {"frame_length": 12, "fft_length": 24, "mode": "stft", "expand_dims": True}, x, train=False),
        layer_case("STFTSpectrogram", {**small, "data_format": "channels_first", "mode": "psd"}, x.transpose(0, 2, 1), train=False),
        layer_case("STFTSpectrogram", {**small, "data_format": "channels_first", "mode": "real", "expand_dims": True}, x.transpose(0, 2, 1), train=False),
    ]


def mel_cases():
    case = functools.partial(golden.layer_case, random, gradients=False, train=False)
    small = {"fft_length": 64, "sequence_stride": 16, "num_mel_bins": 10, "sampling_rate": 8000}
    return [
        case("MelSpectrogram", small, signals(2, 200)),
        case("MelSpectrogram", {**small, "power_to_db": False}, signals(2, 203)),
        case("MelSpectrogram", {**small, "sequence_length": 40, "window": "hamming", "mag_exp": 1.0, "top_db": 20.0}, signals(3, 150)),
        case("MelSpectrogram", {**small, "min_freq": 300.0, "max_freq": 3400.0, "ref_power": 10.0, "min_power": 1e-3}, signals(1, 160)),
    ]


def kernels():
    cases = []
    for index, window in enumerate(WINDOWS):
        for side in ("real", "imag"):
            config = {"side": side, "window": window, "scaling": ("density", "spectrum", None)[index % 3], "periodic": index % 2 == 1}
            for shape in ((9, 1, 5), (16, 1, 9)):
                cases.append({"config": config, "shape": list(shape), "kernel": array(keras.initializers.STFT(**config)(shape))})
    return cases


def boxes():
    rows = []
    for number, fill in ((2, -1), (5, -1), (4, 7)):
        data = {"boxes": random.uniform(0, 50, (2, 3, 4)).astype(np.float32), "labels": random.integers(0, 9, (2, 3)).astype(np.float32)}
        given = {key: array(value) for key, value in data.items()}
        layer = keras.layers.MaxNumBoundingBoxes(number, fill_value=fill, bounding_box_format="xyxy")
        result = layer({"images": np.ones((2, 4, 4, 3), np.float32), "bounding_boxes": dict(data)})["bounding_boxes"]
        rows.append({"max_number": number, "fill_value": fill, **given, "result_boxes": array(result["boxes"]), "result_labels": array(result["labels"])})
    return rows


def main():
    write("spectrogram_layers", {"cases": stft_cases() + mel_cases(), "kernels": kernels(), "boxes": boxes()})
