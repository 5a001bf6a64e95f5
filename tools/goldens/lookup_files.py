"""A .keras file whose lookups were adapted, so that Keras keeps their vocabularies among its assets: writes tests/data/keras/lookups.keras and
lookups.npz with x and the predictions. Lookups need TensorFlow.

Usage: KERAS_BACKEND=tensorflow python tools/goldens/lookup_files.py
"""

import os
import pathlib
import zipfile

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from keras import layers

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "keras"


def adapted(values, **options):
    lookup = layers.IntegerLookup(**options)
    lookup.adapt(np.array(values).reshape(-1, 1))
    return lookup


def model():
    inside = keras.Input((2,), dtype="int64")
    nested = keras.Model(inside, layers.Embedding(7, 2)(adapted([40, 40, 50, -60], mask_token=0)(inside)), name="nested")
    x = keras.Input((2,), dtype="int64", name="x")
    first = layers.Embedding(6, 3)(adapted([7, 7, -3, 12, 12, 12])(x))
    given = layers.Embedding(6, 2)(layers.IntegerLookup(vocabulary=[5, 40, 12])(x))
    second = layers.Embedding(6, 2)(adapted([40, 50, 50], num_oov_indices=2)(x))
    joined = layers.Concatenate()([first, given, second, nested(x)])
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(joined)), name="lookups")


def main():
    keras.utils.set_random_seed(3)
    made = model()
    x = np.array([[7, 12], [-3, 40], [50, -60], [0, 5], [99, 98], [12, 50]], np.int64)
    path = FOLDER / "lookups.keras"
    made.save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert sum(name.endswith("vocabulary.txt") for name in members) == 3, list(members)
    with zipfile.ZipFile(path, "w") as archive:  # with one time for all
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    np.savez(FOLDER / "lookups.npz", x=x, predictions=np.asarray(made(x)))


if __name__ == "__main__":
    main()
