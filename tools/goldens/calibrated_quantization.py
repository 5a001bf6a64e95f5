"""GPTQ and AWQ: tests/goldens/calibrated_quantization.json, small models before and after quantize() with calibration data.

    python tools/goldens/keras_goldens.py calibrated_quantization

Keras 3.15.1 observes the `call` of layers whose policy is quantized already and which therefore run `quantized_call`: it sees no inputs, and quantizes as
for inputs of zeros. Here `quantized_call` passes inputs to the observer, which is all that is missing. Keras's first calibration window begins at hash(("gptq-calib", 42)), which Python draws anew for each process; here it is 0, as in Cornu.
Keras 3.15.1 does not write kernel_zero to files, so that no file of such a model can be read. With arguments --check FOLDER this script reads
FOLDER/calibrated_NUMBER.keras, which Cornu wrote (tests/model_files/calibrated_quantization_test.cc), into Keras and compares their predictions.
"""

import json
import pathlib
import sys

import keras
import numpy as np
from keras import layers
from keras.quantizers import AWQConfig, GPTQConfig
from keras.src.quantizers import gptq_core

from golden import array, write

gptq_core.hash = lambda _: 0


def observed(quantized_call):
    """quantized_call of a layer, or the observer in place of its call."""

    def call(layer, *args, **kwargs):
        function = layer.__dict__.get("call")
        return function(*args, **kwargs) if getattr(function, "__name__", "") == "hook" else quantized_call(layer, *args, **kwargs)

    return call


for kind in (layers.Dense, layers.EinsumDense):
    kind.quantized_call = observed(kind.quantized_call)
ROOT = pathlib.Path(__file__).resolve().parents[2]
VOCABULARY, LENGTH, FEATURES = 11, 6, 8


def dense_model():
    """Blocks of Dense layers; the head is outside of the blocks."""
    ids = keras.Input((LENGTH,), dtype="int32")
    embedding = layers.Embedding(VOCABULARY, FEATURES, name="embedding")
    blocks = [keras.Sequential([keras.Input((LENGTH, FEATURES)), layers.Dense(13, activation="relu", name="up"), layers.Dense(FEATURES, name="down")], name="first"),
              keras.Sequential([keras.Input((LENGTH, FEATURES)), layers.Dense(9, activation="tanh", use_bias=False, name="only")], name="second")]
    x = embedding(ids)
    for block in blocks:
        x = block(x)
    return keras.Model(ids, layers.Dense(3, name="head")(x)), [embedding], blocks


def einsum_model():
    ids = keras.Input((LENGTH,), dtype="int32")
    embedding = layers.Embedding(VOCABULARY, FEATURES, name="embedding")
    blocks = [keras.Sequential([keras.Input((LENGTH, FEATURES)), layers.EinsumDense("abc,cde->abde", (None, 2, 3), bias_axes="de", activation="tanh", name="split"),
                                layers.EinsumDense("abde,dec->abc", (None, FEATURES), name="join")], name="first"),
              layers.EinsumDense("abc,cd->abd", (None, 5), bias_axes="d", name="second")]
    x = embedding(ids)
    for block in blocks:
        x = block(x)
    return keras.Model(ids, x), [embedding], blocks


def wide_model():
    """More rows than the 128 of a block of GPTQ."""
    ids = keras.Input((LENGTH,), dtype="int32")
    embedding = layers.Embedding(VOCABULARY, 150, name="embedding")
    blocks = [layers.Dense(4, name="only")]
    return keras.Model(ids, blocks[0](embedding(ids))), [embedding], blocks


def attention_model():
    ids = keras.Input((LENGTH,), dtype="int32")
    embedding = layers.Embedding(VOCABULARY, FEATURES, name="embedding")
    x = keras.Input((LENGTH, FEATURES))
    block = keras.Model(x, x + layers.MultiHeadAttention(2, 3, name="attention")(x, x), name="block")
    return keras.Model(ids, block(embedding(ids))), [embedding], [block]


MODELS = {"dense": dense_model, "einsum": einsum_model, "wide": wide_model, "attention": attention_model}
COMMON = {"num_samples": 5, "sequence_length": LENGTH}
CASES = [
    ("dense", "gptq", {"group_size": 4}),
    ("dense", "gptq", {"group_size": -1, "weight_bits": 8}),
    ("dense", "gptq", {"group_size": 4, "weight_bits": 3, "symmetric": True}),
    ("dense", "gptq", {"group_size": 4, "weight_bits": 2, "activation_order": True, "hessian_damping": 0.1}),
    ("dense", "gptq", {"group_size": 3, "per_channel": False}),
    ("dense", "awq", {"group_size": 4}),
    ("dense", "awq", {"group_size": -1, "num_grid_points": 7}),
    ("einsum", "gptq", {"group_size": 4, "activation_order": True}),
    ("einsum", "awq", {"group_size": 3}),
    ("wide", "gptq", {"group_size": 32}),
    ("attention", "gptq", {"group_size": 4}),
    ("attention", "awq", {"group_size": 4}),
]


def config_of(mode, options, structure, dataset):
    return {"gptq": GPTQConfig, "awq": AWQConfig}[mode](dataset=dataset, tokenizer=lambda text: text, quantization_layer_structure=structure, **COMMON, **options)


def weights_of(blocks):
    """The weights of the layers inside, by the layer's name."""
    found = {}
    for block in blocks:
        for layer in block._flatten_layers():
            if isinstance(layer, (layers.Dense, layers.EinsumDense)):
                found[layer.name] = [{"policy": layer.dtype_policy.name, "name": w.name, "dtype": w.dtype, **array(np.asarray(w.value))} for w in layer.weights]
    return found


def case_of(name, mode, options):
    keras.utils.clear_session()
    random = np.random.default_rng(31)
    model, before_blocks, blocks = MODELS[name]()
    before = [random.normal(size=w.shape).astype("float32") for w in model.weights]
    if name == "dense":
        kernel = next(i for i, w in enumerate(model.weights) if w.path.endswith("up/kernel"))
        before[kernel][:, 0] = np.abs(before[kernel][:, 0]) + 0.5  # a zero point below 0 becomes 0
        before[kernel][:, 1] = 0.25
    if options.get("symmetric"):
        for weight in before:
            if weight.ndim == 2:
                weight[0] *= 0.1  # the lowest weight of a group lies in the middle between two integers, unless others corrected it
    model.set_weights(before)
    dataset = random.integers(0, VOCABULARY, size=(7, LENGTH)).astype("int32")
    ids = random.integers(0, VOCABULARY, size=(4, LENGTH)).astype("int32")
    model.quantize(mode, config=config_of(mode, options, {"pre_block_layers": before_blocks, "sequential_blocks": blocks}, dataset))
    return {"model": name, "mode": mode, "options": options, "before": [array(w) for w in before], "dataset": array(dataset), "ids": array(ids),
            "weights": weights_of(blocks),
            "y": array(np.asarray(model.predict(ids, verbose=0), "float32"))}


def check(folder):
    worst, num_files = 0.0, 0
    cases = json.loads((ROOT / "tests/goldens/calibrated_quantization.json").read_text())["cases"]
    for number, case in enumerate(cases):
        def value(field):
            return np.asarray(case[field]["data"], case[field].get("dtype", "float32")).reshape(case[field]["shape"])

        path = folder / f"calibrated_{number}.keras"
        if not path.exists():
            continue  # attention layers
        y = np.asarray(keras.models.load_model(path).predict(value("ids"), verbose=0), "float32")
        num_files += 1
        worst = max(worst, float(np.abs(y - value("y")).max() / np.abs(value("y")).max()))
    print(f"{num_files} files: largest difference {worst:.3g}")
    sys.exit(0 if num_files > 0 and worst < 1e-5 else 1)


def main():
    write("calibrated_quantization", {"common": COMMON, "cases": [case_of(*case) for case in CASES]})


if __name__ == "__main__":
    if "--check" in sys.argv:
        check(pathlib.Path(sys.argv[-1]))
    main()
