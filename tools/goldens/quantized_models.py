"""Files of quantized models: writes tests/data/keras/quantized_NAME.keras, of some also .weights.h5, what real Keras saves after quantize(),
and .npz with x, y (its predictions) and the weights before.

    python tools/goldens/keras_goldens.py quantized_models

With arguments --check FOLDER it reads FOLDER/quantized_NAME.keras and FOLDER/quantized_NAME.weights.h5, which Cornu wrote
(tests/model_files/quantized_files_test.cc), and compares their predictions with those of the .npz files.
"""

import pathlib
import sys
import zipfile

import keras
import numpy as np
from keras import layers
from keras.quantizers import Int4QuantizationConfig

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "keras"


def dense(random):
    model = keras.Sequential([keras.Input((9,)), layers.Dense(7, activation="relu"), layers.Dropout(0.5), layers.Dense(3, activation="softmax")], name="dense_model")
    return model, random.normal(size=(6, 9)).astype("float32")


def projections(random):
    ids = keras.Input((4,), dtype="int32")
    table = layers.ReversibleEmbedding(11, 6, name="table")
    x = table(ids)
    x = layers.EinsumDense("abc,cde->abde", (None, 2, 3), bias_axes="de", activation="tanh", name="split")(x)
    x = layers.EinsumDense("abde,dec->abc", (None, 6), bias_axes="c", name="join")(x)
    position = layers.Embedding(11, 6, name="plain")(ids)
    logits = table(layers.LayerNormalization()(x + position), reverse=True)
    return keras.Model(ids, logits, name="projections_model"), random.integers(0, 11, size=(5, 4)).astype("int32")


def half(random):
    model = keras.Sequential([keras.Input((8,)), layers.Dense(6, dtype="mixed_bfloat16"), layers.Dense(4, dtype="float32")], name="half_model")
    return model, random.normal(size=(5, 8)).astype("float32")


MODELS = {
    "dense_int8": (dense, {"mode": "int8"}),
    "dense_int4": (dense, {"config": Int4QuantizationConfig(block_size=4)}),
    "dense_columns": (dense, {"config": Int4QuantizationConfig(block_size=None)}),
    "dense_filtered": (dense, {"mode": "int8", "filters": "_1$"}),
    "projections_int8": (projections, {"mode": "int8"}),
    "projections_int4": (projections, {"config": Int4QuantizationConfig(block_size=4)}),
    "half_int8": (half, {"mode": "int8"}),
}
WITH_WEIGHTS = ("dense_int8", "projections_int4")


def fix_times(path):
    """The same archive with fixed times, so that a second run writes the same bytes."""
    with zipfile.ZipFile(path) as archive:
        entries = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries:
            content = content if name != "metadata.json" else f'{{"keras_version": "{keras.__version__}", "date_saved": "2026-01-01@00:00:00"}}'.encode()
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)


def main():
    for name, (make, quantization) in MODELS.items():
        keras.utils.clear_session()
        random = np.random.default_rng(30)
        model, x = make(random)
        before = [random.normal(size=w.shape).astype("float32") for w in model.weights]
        model.set_weights(before)
        model.quantize(**quantization)
        path = FOLDER / f"quantized_{name}.keras"
        model.save(path)
        fix_times(path)
        if name in WITH_WEIGHTS:
            model.save_weights(FOLDER / f"quantized_{name}.weights.h5")
        arrays = {f"before_{i}": w for i, w in enumerate(before)}
        np.savez_compressed(FOLDER / f"quantized_{name}.npz", x=x, y=np.asarray(model.predict(x, verbose=0), "float32"), **arrays)
        print(f"tests/data/keras/quantized_{name}: {path.stat().st_size} bytes")


def check(folder):
    worst = 0.0
    for name, (make, quantization) in MODELS.items():
        arrays = np.load(FOLDER / f"quantized_{name}.npz")
        models = [keras.models.load_model(folder / f"quantized_{name}.keras")]
        keras.utils.clear_session()
        models.append(make(np.random.default_rng(30))[0])
        models[1].quantize(**quantization)
        models[1].load_weights(folder / f"quantized_{name}.weights.h5")
        for model in models:
            y = np.asarray(model.predict(arrays["x"], verbose=0), "float32")
            difference = float(np.abs(y - arrays["y"]).max() / np.abs(arrays["y"]).max())
            worst = max(worst, difference / (1e-5 if make is not half else 2e-2))
    print(f"{len(MODELS)} models: largest difference {worst:.3g} of what is allowed")
    sys.exit(0 if worst < 1 else 1)


if __name__ == "__main__":
    if "--check" in sys.argv:
        check(pathlib.Path(sys.argv[-1]))
    main()
