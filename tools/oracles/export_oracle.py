#!/usr/bin/env python3
"""Models that `cornu export` wrote compute what Keras does: ONNX files in onnxruntime, StableHLO artifacts in JAX.

Usage: KERAS_BACKEND=jax python tools/oracles/export_oracle.py CORNU [NAME ...]

CORNU is the program cornu, the names are those of networks of keras.applications, or of models of single layers (LAYERS). Keras makes each with random
weights and saves it; `cornu export` writes both forms; onnx.checker checks the ONNX file. A line a model and form: the largest difference from Keras's
predictions, and "ok" or "WRONG".

Exit code: 0 all agree, 1 something differs, 77 the packages are not installed (CTest: skipped).
"""

import dataclasses
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("KERAS_BACKEND", "jax")
if any(importlib.util.find_spec(module) is None for module in ("keras", "jax", "onnx", "onnxruntime")):
    print("Keras, JAX, onnx or onnxruntime is not installed")
    sys.exit(77)

import jax  # noqa: E402
import jax.export  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import keras  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402

LIMIT = 1e-4
CLASSES = 10
NAMES = ["MobileNetV2", "ConvNeXtTiny", "MobileNetV3Small", "Xception"]


L = keras.layers
TEXT = {"shape": (None,), "dtype": "int32"}  # of 3 rows of 7 steps, ids of which are 0
ROWS = {"shape": (7, 5)}


def with_memory(cell, **options):
    """A recurrent layer after a table with a mask."""
    return lambda ids: cell(4, **options)(L.Embedding(9, 5, mask_zero=True)(ids))


def states_of(cell):
    """The states of one layer begin another."""
    def call(x):
        return cell(4, go_backwards=True)(x, initial_state=list(cell(4, return_state=True)(x)[1:]))
    return call


def attend(x, layer, **arguments):
    inputs = [x, L.Dense(5)(x)]
    return layer(inputs, **arguments) if isinstance(layer, L.Attention) else layer(*inputs, **arguments)


def masked_attention(ids):
    x = L.Embedding(9, 6, mask_zero=True)(ids)
    return L.Dense(3)(L.LayerNormalization()(x + L.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)))


def quantized(build, mode="int8"):
    """The model of build(), with quantized weights."""
    def call(x):
        return build(x)
    call.quantize = mode
    return call


# name: (the input, the layers)
LAYERS = {
    **{f"{cell.__name__}{i}": (ROWS, lambda x, cell=cell, options=options: cell(4, bias_initializer="uniform", **options)(x))
       for cell in (L.SimpleRNN, L.LSTM, L.GRU)
       for i, options in enumerate([{}, {"return_sequences": True}, {"go_backwards": True, "return_sequences": True}, {"activation": "elu"},
                                    {"use_bias": False}, {"activation": "relu"}])},
    "GRUBefore": (ROWS, lambda x: L.GRU(4, reset_after=False, bias_initializer="uniform", return_sequences=True)(x)),
    "GRUBeforeScan": (ROWS, lambda x: L.GRU(4, reset_after=False, activation="softsign")(x)),
    **{f"States{cell.__name__}": (ROWS, states_of(cell)) for cell in (L.SimpleRNN, L.LSTM, L.GRU)},
    **{f"Masked{cell.__name__}{i}": (TEXT, with_memory(cell, **options)) for cell in (L.SimpleRNN, L.LSTM, L.GRU)
       for i, options in enumerate([{}, {"return_sequences": True, "go_backwards": True}])},
    **{f"Bidirectional{mode}": (ROWS, lambda x, mode=mode: L.Bidirectional(L.LSTM(4, return_sequences=True), merge_mode=mode)(x))
       for mode in ("concat", "sum", "mul", "ave")},
    "BidirectionalLast": (ROWS, lambda x: L.Bidirectional(L.GRU(4))(x)),
    "MaskedBidirectional": (TEXT, lambda ids: L.Bidirectional(L.GRU(4, return_sequences=True))(L.Embedding(9, 5, mask_zero=True)(ids))),
    **{f"RNN{cell.__name__}": (ROWS, lambda x, cell=cell: L.RNN(cell(4, bias_initializer="uniform"), return_sequences=True)(x))
       for cell in (L.SimpleRNNCell, L.LSTMCell, L.GRUCell)},
    "RNNStacked": (ROWS, lambda x: L.RNN([L.LSTMCell(4), L.GRUCell(3), L.SimpleRNNCell(2, activation="elu")])(x)),
    "RNNStackedBackwards": (ROWS, lambda x: L.RNN([L.GRUCell(4), L.LSTMCell(3)], go_backwards=True, return_sequences=True)(x)),
    "RNNStates": (ROWS, lambda x: L.Concatenate()(keras.tree.flatten(L.RNN([L.LSTMCell(4), L.GRUCell(3)], return_state=True)(x)))),
    "MaskedRNN": (TEXT, lambda ids: L.RNN([L.LSTMCell(4), L.GRUCell(3)])(L.Embedding(9, 5, mask_zero=True)(ids))),
    "TimeDistributedDense": (TEXT, lambda ids: L.LSTM(4)(L.TimeDistributed(L.Dense(3, activation="tanh"))(L.Embedding(9, 5, mask_zero=True)(ids)))),
    "TimeDistributedImages": ({"shape": (2, 8, 9, 3)}, lambda x: L.TimeDistributed(keras.Sequential(
        [keras.Input((8, 9, 3)), L.Conv2D(4, 3, activation="relu"), L.MaxPooling2D(), L.Flatten(), L.Dense(5)]))(x)),
    "TimeDistributedConv": ({"shape": (2, 8, 9, 3)}, lambda x: L.TimeDistributed(L.Conv2D(4, 3, strides=2))(x)),
    "AttentionOfImages": ({"shape": (3, 4, 6)}, lambda x: L.MultiHeadAttention(2, 4, bias_initializer="uniform")(x, x)),
    "AttentionOfRows": ({"shape": (3, 4, 6)}, lambda x: L.MultiHeadAttention(2, 4, attention_axes=(2,))(x, x)),
    "AttentionOfColumns": ({"shape": (3, 4, 6)}, lambda x: L.MultiHeadAttention(2, 4, attention_axes=(1,))(x, L.Dense(5)(x))),
    "Masking": (ROWS, lambda x: L.LSTM(4)(L.Masking(0.0)(L.ReLU()(x)))),
    "MaskedMean": (TEXT, lambda ids: L.GlobalAveragePooling1D()(L.Embedding(9, 5, mask_zero=True)(ids))),
    "MultiHeadAttention": (ROWS, lambda x: attend(x, L.MultiHeadAttention(2, 4, bias_initializer="uniform"))),
    "MultiHeadAttentionCausal": (ROWS, lambda x: attend(x, L.MultiHeadAttention(2, 4), use_causal_mask=True)),
    "MultiHeadAttentionDropout": (ROWS, lambda x: attend(x, L.MultiHeadAttention(2, 4, dropout=0.5), use_causal_mask=True)),
    "MaskedAttention": (TEXT, masked_attention),
    "GroupQueryAttention": (ROWS, lambda x: attend(x, L.GroupQueryAttention(4, 4, 2))),
    "Attention": (ROWS, lambda x: attend(x, L.Attention(use_scale=True))),
    "AttentionConcat": (ROWS, lambda x: attend(x, L.Attention(score_mode="concat"))),
    "AdditiveAttention": (ROWS, lambda x: attend(x, L.AdditiveAttention(), use_causal_mask=True)),
    **{f"Conv2DTranspose{i}": ({"shape": (5, 6, 3)}, lambda x, options=options: L.Conv2DTranspose(4, bias_initializer="uniform", **options)(x))
       for i, options in enumerate([{"kernel_size": 3}, {"kernel_size": 3, "strides": 2, "padding": "same"}, {"kernel_size": (2, 4), "strides": 3},
                                    {"kernel_size": 4, "strides": 2, "padding": "same", "output_padding": 1},
                                    {"kernel_size": 3, "strides": 2, "output_padding": 1}, {"kernel_size": 2, "strides": 3, "padding": "same"},
                                    {"kernel_size": 3, "dilation_rate": 2, "padding": "same"}])},
    "Conv1DTranspose": (ROWS, lambda x: L.Conv1DTranspose(4, 3, strides=2, padding="same", activation="relu")(x)),
    **{f"EinsumDense{i}": (input_, lambda x, options=options: L.EinsumDense(bias_initializer="uniform", **options)(x))
       for i, (input_, options) in enumerate([
           (ROWS, {"equation": "abc,cd->abd", "output_shape": (None, 4), "bias_axes": "d", "activation": "relu"}),
           (ROWS, {"equation": "...x,xy->...y", "output_shape": 4, "bias_axes": "y", "activation": "softmax"}),
           ({"shape": (3, 4, 6)}, {"equation": "...cd,cde->...e", "output_shape": 5}),
           ({"shape": (3, 4, 6)}, {"equation": "abcd,cdhk->abhk", "output_shape": (None, 2, 5), "bias_axes": "hk"}),
           (ROWS, {"equation": "ab...,bd->ad...", "output_shape": 4, "bias_axes": "d"})])},
    "EinsumDenseAfterMask": (TEXT, lambda ids: L.LSTM(4)(L.EinsumDense("abc,cd->abd", (None, 3))(L.Embedding(9, 5, mask_zero=True)(ids)))),
    **{f"ConvLSTM2D{i}": ({"shape": (4, 6, 5, 2)}, lambda x, options=options: L.ConvLSTM2D(3, bias_initializer="uniform", unit_forget_bias=False, **options)(x))
       for i, options in enumerate([{"kernel_size": 3}, {"kernel_size": (2, 3), "padding": "same", "return_sequences": True},
                                    {"kernel_size": 2, "strides": 2, "padding": "same", "go_backwards": True, "return_sequences": True},
                                    {"kernel_size": 2, "dilation_rate": 2, "activation": "elu", "recurrent_activation": "hard_sigmoid", "use_bias": False}])},
    "ConvLSTM1D": ({"shape": (None, 6, 2)}, lambda x: L.ConvLSTM1D(3, 2, return_sequences=True)(x)),
    "ConvLSTM3D": ({"shape": (3, 4, 5, 3, 2)}, lambda x: L.Conv3D(2, 2)(L.ConvLSTM3D(3, 2, padding="same")(x))),
    "ConvLSTMStates": ({"shape": (4, 6, 5, 2)}, lambda x: L.ConvLSTM2D(3, 2, padding="same")(
        x, initial_state=list(L.ConvLSTM2D(3, 2, padding="same", return_state=True)(x)[1:]))),
    "ConvLSTMAfterConvolutions": ({"shape": (4, 8, 7, 2)}, lambda x: L.ConvLSTM2D(3, 2)(L.TimeDistributed(L.Conv2D(3, 2))(x))),
    "QuantizedDense": (ROWS, quantized(lambda x: L.Dense(3)(L.Dense(6, activation="relu", bias_initializer="uniform")(x)))),
    "FourBitDense": (ROWS, quantized(lambda x: L.Dense(3)(L.Dense(6, activation="relu", bias_initializer="uniform")(x)), "int4")),
    "QuantizedEmbedding": (TEXT, quantized(lambda ids: L.GlobalAveragePooling1D()(L.Embedding(9, 5)(ids)))),
}


def in_onnxruntime(path, x):
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def in_jax(path, x):
    """The artifact in place of that of a function of the same types."""
    template = jax.export.export(jax.jit(lambda v: (jnp.zeros((len(x), CLASSES), jnp.float32),)))(x)
    artifact = dataclasses.replace(template, fun_name="main", module_kept_var_idx=(0,), mlir_module_serialized=pathlib.Path(path).read_bytes())
    return np.asarray(artifact.call(x)[0])


def network(name):
    """A model, and its input for a prediction."""
    random = np.random.default_rng(0)
    if name in LAYERS:
        shape, build = LAYERS[name]
        x = keras.Input(**shape)
        model = keras.Model(x, build(x))
        if mode := getattr(build, "quantize", None):
            model.quantize(mode)
        if shape is TEXT:
            return model, np.where(random.uniform(size=(3, 7)) < 0.4, 0, random.integers(1, 9, (3, 7))).astype("int32")
        return model, random.normal(size=(3, *(extent or 7 for extent in shape["shape"]))).astype("float32")
    size = 71 if name == "Xception" else 75 if name.startswith("Inception") else 64
    model = getattr(keras.applications, name)(weights=None, classes=CLASSES, input_shape=(size, size, 3))
    return model, random.uniform(0, 255, (2, size, size, 3)).astype("float32")


def oracle(cornu, name, folder):
    keras.utils.clear_session()
    keras.utils.set_random_seed(1)
    model, x = network(name)
    expected = np.asarray(model.predict(x, verbose=0))
    file = folder / "model.keras"
    model.save(file)
    is_right = True
    forms = (("onnx", "onnx", in_onnxruntime), ("stablehlo", "mlirbc", in_jax))
    for form, end, run in forms[:1] if name in LAYERS else forms:
        path = str(folder / f"model.{end}")
        sizes = [] if name in LAYERS else ["--batch-size", "2"]
        subprocess.run([cornu, "export", file, path, "--format", form, *sizes], check=True, stdout=subprocess.DEVNULL)
        found = run(path, x)
        difference = np.abs(found - expected).max() if found.shape == expected.shape else np.inf
        is_right = is_right and difference <= LIMIT
        print(f"{name} {form} {difference:.1e} {'ok' if difference <= LIMIT else 'WRONG'}", flush=True)
    return is_right


def main():
    cornu, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or [*NAMES, *LAYERS]
    results = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            results.append(oracle(cornu, name, pathlib.Path(folder)))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
