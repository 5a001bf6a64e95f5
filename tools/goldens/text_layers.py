#!/usr/bin/env python3
"""What Keras's layers of texts and categories give: writes tests/goldens/text_layers.json, which
cornu/keras/layers/preprocessing/text_layers_test.cc reads.

They run on TensorFlow alone: needs keras and tensorflow-cpu (2.21). Usage: KERAS_BACKEND=tensorflow text_layers.py [OUTPUT]"""
import json
import os
import pathlib
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf
from keras.saving import serialize_keras_object

L = keras.layers
OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens" / "text_layers.json"
random = np.random.default_rng(11)


def plain(value):
    """A value with what the test needs to make it again: {"shape", "data", "dtype"}, {"ragged": rows, "dtype"} or {"parts"}."""
    if isinstance(value, (tuple, list)) and len(value) and not isinstance(value[0], (str, int, list)):
        return {"parts": [plain(part) for part in value]}
    if isinstance(value, tf.RaggedTensor):
        return {"ragged": texts(value.to_list()), "dtype": value.dtype.name}
    value = tf.convert_to_tensor(value)
    array = value.numpy()
    data = texts(np.asarray(array).ravel().tolist())
    if value.dtype.is_floating:
        data = [float(f"{v:.9g}") for v in data]
    return {"shape": list(value.shape), "data": data, "dtype": value.dtype.name}


def texts(value):
    if isinstance(value, list):
        return [texts(part) for part in value]
    return value.decode() if isinstance(value, bytes) else value


def strings(*rows):
    return tf.constant(list(rows))


def case(name, config, inputs, adapt=None, batches=None, vocabulary=None):
    """`adapt`: an array to adapt to; `batches`: a list of batches; `vocabulary`: for set_vocabulary."""
    keras.utils.clear_session()
    layer = getattr(L, name)(**config)
    row = {"layer": name, "config": config, "calls": []}
    if adapt is not None:
        layer.adapt(adapt)
        row["adapt"] = plain(adapt)
    if batches is not None:
        layer.adapt(iter(batches))
        row["batches"] = [plain(batch) for batch in batches]
    if vocabulary is not None:
        layer.set_vocabulary(**vocabulary)
        row["set_vocabulary"] = vocabulary
    for x in inputs:
        row["calls"].append({"x": plain(x), "y": plain(layer(x))})
    if hasattr(layer, "get_vocabulary"):
        row["vocabulary"] = [v if isinstance(v, str) else int(v) for v in layer.get_vocabulary()]
        row["plain_vocabulary"] = [v if isinstance(v, str) else int(v) for v in layer.get_vocabulary(include_special_tokens=False)]
        row["vocabulary_size"] = layer.vocabulary_size()
    return row


FLAT = strings("a", "z", "d", "b", "", "[UNK]")
GRID = strings(["a", "c", "d", "d"], ["d", "z", "b", "z"])
COLUMN = strings(["a"], ["q"], ["c"])
RAGGED = tf.ragged.constant([["a", "b", "z"], [], ["d", "d"]])
SCALAR = tf.constant("c")
ABCD = ["a", "b", "c", "d"]
WEIGHTS = [0.25, 0.75, 0.6, 0.4]
DOCUMENTS = strings(["the", "cat", "sat"], ["the", "the", "dog"], ["a", "cat", "ran"], ["[UNK]", "ran", ""])
INTS = np.array([[12, 1138, 42, 42], [42, 7, 36, -7]], np.int64)
VOCABULARY = [12, 36, 1138, 42]


def string_lookups():
    everything = [FLAT, GRID, COLUMN, RAGGED, SCALAR]
    yield case("StringLookup", {"vocabulary": ABCD}, everything + [tf.ragged.constant([[["a"], ["z", "b"]], [[]]])])
    yield case("StringLookup", {"vocabulary": ["", "[UNK]", *ABCD], "mask_token": ""}, everything)
    yield case("StringLookup", {"vocabulary": ABCD, "num_oov_indices": 5}, everything)
    yield case("StringLookup", {"vocabulary": ABCD, "num_oov_indices": 7, "salt": [133, 137], "mask_token": "z"}, everything)
    yield case("StringLookup", {"vocabulary": ABCD, "num_oov_indices": 3, "salt": 9}, [strings(*[chr(97 + i) * i for i in range(26)])])
    yield case("StringLookup", {"vocabulary": ABCD, "num_oov_indices": 0}, [GRID[:1]])
    for mode in ("one_hot", "multi_hot", "count"):
        inputs = [FLAT, GRID, COLUMN, SCALAR] + ([] if mode == "one_hot" else [RAGGED])
        yield case("StringLookup", {"vocabulary": ABCD, "output_mode": mode}, inputs)
        yield case("StringLookup", {"vocabulary": ABCD, "output_mode": mode, "mask_token": "z", "num_oov_indices": 2, "max_tokens": 9,
                                    "pad_to_max_tokens": mode != "one_hot"}, inputs)
    yield case("StringLookup", {"vocabulary": ABCD, "output_mode": "tf_idf", "idf_weights": WEIGHTS}, [FLAT, GRID, COLUMN, RAGGED])
    yield case("StringLookup", {"output_mode": "tf_idf", "max_tokens": 8, "pad_to_max_tokens": True}, [GRID],
               vocabulary={"vocabulary": ["[UNK]", *ABCD], "idf_weights": [0.9, *WEIGHTS]})
    numbers = np.array([[0, 1, 2], [5, 6, -1]], np.int64)
    yield case("StringLookup", {"vocabulary": ABCD, "invert": True}, [numbers, np.array(3)])
    yield case("StringLookup", {"vocabulary": ABCD, "invert": True, "mask_token": "#", "num_oov_indices": 2}, [numbers])
    for config in ({}, {"max_tokens": 4}, {"mask_token": "the", "max_tokens": 5}, {"output_mode": "count", "num_oov_indices": 2},
                   {"output_mode": "tf_idf"}, {"output_mode": "tf_idf", "max_tokens": 9, "pad_to_max_tokens": True}, {"oov_token": "cat"}):
        yield case("StringLookup", config, [DOCUMENTS], adapt=DOCUMENTS)
        yield case("StringLookup", config, [DOCUMENTS], batches=[DOCUMENTS[:3], DOCUMENTS[3:]])
        yield case("StringLookup", config, [DOCUMENTS], adapt=tf.reshape(DOCUMENTS, [-1]))
        yield case("StringLookup", config, [DOCUMENTS], batches=[DOCUMENTS[0], DOCUMENTS[1], tf.ragged.constant([["ran", "ran"], ["x", "y", "y"]])])


def integer_lookups():
    ragged = tf.ragged.constant([[12, 7], [], [42]], dtype=tf.int64)
    yield case("IntegerLookup", {"vocabulary": VOCABULARY}, [INTS, INTS[0], ragged, np.array(36), INTS.astype(np.int32), INTS.astype(np.float32) + 0.5])
    yield case("IntegerLookup", {"vocabulary": VOCABULARY, "num_oov_indices": 3, "mask_token": 7}, [INTS, ragged])
    yield case("IntegerLookup", {"vocabulary": VOCABULARY, "num_oov_indices": 4, "oov_method": "farmhash"}, [INTS, np.arange(-50, 50) * 977])
    yield case("IntegerLookup", {"vocabulary": VOCABULARY, "num_oov_indices": 4, "oov_method": "farmhash", "salt": [7, 8]}, [INTS, np.arange(40)])
    for mode in ("one_hot", "multi_hot", "count"):
        yield case("IntegerLookup", {"vocabulary": VOCABULARY, "output_mode": mode, "mask_token": 7}, [INTS, INTS[0], INTS[:, :1]])
    yield case("IntegerLookup", {"vocabulary": VOCABULARY, "output_mode": "tf_idf", "idf_weights": WEIGHTS}, [INTS])
    yield case("IntegerLookup", {"vocabulary": VOCABULARY, "invert": True}, [np.array([[1, 3, 4], [4, 0, 9]])])
    yield case("IntegerLookup", {"vocabulary": VOCABULARY, "invert": True, "mask_token": 0, "oov_token": -5}, [np.array([[0, 1, 2], [4, 5, 9]])])
    data = random.integers(0, 9, size=(20, 5))
    yield case("IntegerLookup", {}, [data], adapt=data)
    yield case("IntegerLookup", {"max_tokens": 4, "num_oov_indices": 2, "mask_token": 3}, [data], adapt=data)
    yield case("IntegerLookup", {"output_mode": "tf_idf"}, [data], batches=[data[:7], data[7:]])


SENTENCES = strings("Foo qux, bar!", "  qux\tbaz\n", "", "It's a man's-world (x) [y] {z} ~ \\ / | ^ `", "ÄÖÜ straße ÉCOLE naïve", "bar bar BAR foo")
NOT_UTF8 = tf.constant([b"a\xffb", b"\xe2\x82", b"\xf0\x9f\x98\x80\xc3\xa9x", b"\xed\xa0\x80z", b"\xf5\x80\xc0\xaf", b"\xe2\x28\xa1"])


def vectorizations():
    words = ["foo", "bar", "baz", "qux"]
    inputs = [SENTENCES, SENTENCES[:, tf.newaxis], tf.constant("bar foo unknown")]
    for config in ({}, {"output_sequence_length": 3}, {"output_sequence_length": 12}, {"standardize": None}, {"standardize": "lower"},
                   {"standardize": "strip_punctuation"}, {"split": "character", "vocabulary": list("abr")}, {"ragged": True},
                   {"ragged": True, "output_sequence_length": 2}, {"ngrams": 2, "vocabulary": ["foo", "bar bar", "qux bar"]},
                   {"ngrams": (1, 3), "vocabulary": ["foo qux bar", "bar", "bar bar"]}, {"output_mode": "multi_hot"}, {"output_mode": "count"},
                   {"output_mode": "count", "max_tokens": 10, "pad_to_max_tokens": True}, {"output_mode": "tf_idf", "idf_weights": WEIGHTS}):
        yield case("TextVectorization", {"vocabulary": words, **config}, inputs)
    grid = strings(["Foo", "bar!"], ["x", "QUX"])
    for config in ({}, {"output_sequence_length": 1}, {"output_sequence_length": 4}, {"output_mode": "multi_hot"}, {"ngrams": 2}):
        yield case("TextVectorization", {"vocabulary": words, "split": None, **config}, [grid] + ([SENTENCES] if "ngrams" not in config else []))
    yield case("TextVectorization", {"vocabulary": words, "split": None}, [tf.ragged.constant([["foo"], ["Bar", "x", "baz"], []])])
    for config in ({}, {"max_tokens": 6}, {"ngrams": 2}, {"split": "character"}, {"output_mode": "tf_idf"}, {"output_mode": "count"}, {"standardize": None}):
        yield case("TextVectorization", config, [SENTENCES], adapt=SENTENCES)
        yield case("TextVectorization", config, [SENTENCES], batches=[SENTENCES[:2], SENTENCES[2:, tf.newaxis]])
    yield case("TextVectorization", {"split": None, "output_mode": "tf_idf"}, [SENTENCES], adapt=SENTENCES)
    yield case("TextVectorization", {"split": None, "output_mode": "tf_idf"}, [SENTENCES], batches=[SENTENCES])


def characters():
    """What unicode_split makes of bytes that are no UTF-8."""
    return [{"bytes": list(text), "pieces": [p.decode() for p in tf.strings.unicode_split(text, "UTF-8").numpy()]} for text in NOT_UTF8.numpy().tolist()]


def hashings():
    many = strings(*["x" * n + str(n) for n in range(140)])
    numbers = np.concatenate([random.integers(-(2**62), 2**62, size=30), np.arange(-5, 5)])
    ragged = tf.ragged.constant([["A", "B"], [], ["A", "C", "D"]])
    for config in ({"num_bins": 3}, {"num_bins": 2**40}, {"num_bins": 1000, "salt": 1337}, {"num_bins": 2**40, "salt": [133, 137]}):
        yield case("Hashing", config, [many, GRID, SCALAR, ragged, numbers, numbers.astype(np.float32) / 2**40])
    yield case("Hashing", {"num_bins": 4, "mask_value": "a"}, [GRID])
    yield case("Hashing", {"num_bins": 4, "mask_value": 3}, [np.arange(10).astype(np.int32)])
    yield case("Hashing", {"num_bins": 1, "mask_value": "a"}, [GRID])
    yield case("Hashing", {"num_bins": 5, "dtype": "int32"}, [GRID])
    for mode in ("one_hot", "multi_hot", "count"):
        yield case("Hashing", {"num_bins": 4, "output_mode": mode}, [FLAT, GRID, COLUMN] + ([] if mode == "one_hot" else [ragged]))


def crossings():
    letters, numbers = strings("A", "B", "A", "B", "A"), tf.constant([101, 101, 101, 102, 102], tf.int64)
    for config in ({"num_bins": 5}, {"num_bins": 2**30}, {"num_bins": 5, "output_mode": "one_hot"}):
        yield case("HashedCrossing", config, [(letters, numbers), (letters, numbers, letters), (letters[:, None], numbers[:, None]),
                                              (tf.constant("A"), tf.constant(101, tf.int64))])


REQUIRED = {"Hashing": {"num_bins": 7}, "HashedCrossing": {"num_bins": 7}}
OTHER = {
    "StringLookup": {"max_tokens": 9, "num_oov_indices": 2, "mask_token": "", "oov_token": "?", "vocabulary": ABCD, "output_mode": "count",
                     "pad_to_max_tokens": True, "salt": 5, "name": "other"},
    "IntegerLookup": {"max_tokens": 9, "num_oov_indices": 2, "mask_token": 0, "oov_token": -2, "vocabulary": VOCABULARY, "output_mode": "tf_idf",
                      "idf_weights": WEIGHTS, "pad_to_max_tokens": True, "oov_method": "farmhash", "salt": [5, 6], "name": "other"},
    "TextVectorization": {"max_tokens": 9, "standardize": None, "split": "character", "ngrams": [1, 3], "output_sequence_length": 4, "ragged": True,
                          "vocabulary": ABCD, "name": "other"},
    "Hashing": {"num_bins": 9, "mask_value": 4, "salt": 3, "output_mode": "count", "name": "other", "dtype": "float16"},
    "HashedCrossing": {"num_bins": 9, "output_mode": "one_hot", "name": "other", "dtype": "float16"},
}


def configurations():
    rows = []
    for name, other in OTHER.items():
        for arguments in (REQUIRED.get(name, {}), other):
            keras.utils.clear_session()
            given = {k: tuple(v) if k == "ngrams" else v for k, v in arguments.items()}
            written = serialize_keras_object(getattr(L, name)(**given))
            if written.get("build_config") == {}:
                del written["build_config"]  # it says nothing
            rows.append({"family": "layers", "class_name": name, "arguments": arguments, "object": written})
    return rows


def main():
    cases = [*string_lookups(), *integer_lookups(), *vectorizations(), *hashings(), *crossings()]
    content = {"made_by": f"keras {keras.__version__}, tensorflow {tf.__version__}", "cases": cases, "characters": characters(),
               "classes": configurations()}
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{path}: {len(cases)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
