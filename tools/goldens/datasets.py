"""Data sets and preprocessing: small files in the true formats (tests/data), and what real Keras makes of them.

The files' contents are made here. The seeds of the fuzz corpora (tests/fuzz/corpus) are these files and damaged ones.
"""

import gzip
import io
import json
import pickle
import struct
import zipfile
from unittest import mock

import keras
import numpy as np

from golden import REPOSITORY, array, write

DATA = REPOSITORY / "tests" / "data"
CORPUS = REPOSITORY / "tests" / "fuzz" / "corpus"


def save(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def npz(arrays):
    """As numpy.savez, with fixed dates, so that the same arrays give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy"), value if isinstance(value, bytes) else npy(value), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def npy(value):
    out = io.BytesIO()
    np.save(out, value, allow_pickle=True)
    return out.getvalue()


def pickled_npy(lists, protocol, module=None):
    """An object array as other versions of NumPy wrote it."""
    header = npy(lists)
    header = header[:10 + struct.unpack("<H", header[8:10])[0]]
    body = pickle.dumps(lists, protocol=protocol)
    return header + (body.replace(b"numpy._core.multiarray", module) if module else body)


def idx(value):
    codes = {"uint8": 8, "int8": 9, "int16": 11, "int32": 12, "float32": 13, "float64": 14}
    header = struct.pack(">HBB", 0, codes[value.dtype.name], value.ndim) + struct.pack(f">{value.ndim}I", *value.shape)
    return header + value.astype(value.dtype.newbyteorder(">")).tobytes()


def object_array(lists):
    result = np.empty(len(lists), dtype=object)
    result[:] = lists
    return result


def mnist_files(random):
    parts = {}
    for name, rows in [("train", 6), ("t10k", 3)]:
        images = (random.integers(0, 256, (rows, 28, 28)) * (random.random((rows, 28, 28)) < 0.1)).astype(np.uint8)
        labels = random.integers(0, 10, rows).astype(np.uint8)
        save(DATA / "mnist" / f"{name}-images-idx3-ubyte.gz", gzip.compress(idx(images), mtime=0))
        save(DATA / "mnist" / f"{name}-labels-idx1-ubyte", idx(labels))
        parts[name] = (images, labels)
    (x, y), (x_test, y_test) = parts["train"], parts["t10k"]
    save(DATA / "mnist.npz", npz({"x_train": x, "y_train": y, "x_test": x_test, "y_test": y_test}))
    return {"y_train": array(y), "y_test": array(y_test), "sums": [int(p.sum()) for p in x], "test_sums": [int(p.sum()) for p in x_test],
            "first": array(x[0])}


def imdb_files(random):
    def reviews(count):
        lengths = random.integers(1, 12, count)
        return object_array([[int(v) for v in np.minimum(random.zipf(1.5, n), 60)] for n in lengths])

    arrays = {"x_train": reviews(24), "y_train": random.integers(0, 2, 24), "x_test": reviews(16), "y_test": random.integers(0, 2, 16)}
    save(DATA / "imdb" / "imdb.npz", npz(arrays))
    words = {f"word{i}": i for i in range(1, 61)} | {"café": 61, "don't \"quote\"": 62}
    save(DATA / "imdb" / "imdb_word_index.json", json.dumps(words).encode())
    cases = []
    for config in [{}, {"num_words": 20}, {"num_words": 30, "skip_top": 3}, {"maxlen": 8}, {"seed": 7}, {"start_char": None},
                   {"start_char": None, "index_from": 0}, {"oov_char": None, "num_words": 12, "skip_top": 5}, {"index_from": 10, "start_char": 9},
                   {"num_words": 15, "maxlen": 6, "seed": 1, "oov_char": 0}]:
        with mock.patch("keras.src.datasets.imdb.get_file", lambda **_: str(DATA / "imdb" / "imdb.npz")):
            (x, y), (x_test, y_test) = keras.datasets.imdb.load_data(**config)
        cases.append({"config": config, "x_train": [list(map(int, r)) for r in x], "y_train": [int(v) for v in y],
                      "x_test": [list(map(int, r)) for r in x_test], "y_test": [int(v) for v in y_test]})
    return cases


def pad_sequences_cases():
    sequences = [[1], [2, 3], [], [4, 5, 6, 7, 8]]
    cases = []
    for config in [{}, {"maxlen": 3}, {"maxlen": 3, "padding": "post"}, {"maxlen": 3, "truncating": "post"}, {"maxlen": 7, "padding": "post", "value": -1},
                   {"maxlen": 1}, {"dtype": "float32", "value": 0.5}, {"maxlen": 4, "padding": "post", "truncating": "post", "value": 9}]:
        result = keras.utils.pad_sequences(sequences, **config)
        cases.append({"config": config, "result": array(result)})
    return {"sequences": sequences, "cases": cases}


def to_categorical_cases():
    cases = []
    for values, num_classes in [([0, 2, 1], None), ([[1], [0]], None), ([[0, 1], [2, 3]], 5), ([3], None)]:
        cases.append({"x": array(np.asarray(values, np.int32)), "num_classes": num_classes,
                      "result": array(np.asarray(keras.utils.to_categorical(values, num_classes), np.float32))})
    return cases


def numpy_files():
    """Arrays of many types; the test knows their values."""
    counting = np.arange(6).reshape(2, 3)
    arrays = {"u1": counting.astype("u1"), "i2_big": counting.astype(">i2"), "i8": counting.astype("i8") - 3, "f4_fortran": np.asfortranarray(counting.astype("f4")),
              "f8": counting / 4, "bool": counting % 2 == 1, "scalar": np.float32(2.5), "empty": np.zeros((0, 3), "f4")}
    save(DATA / "numpy.npz", npz(arrays))
    lists = object_array([[1, 2, 300], [], [70000, -5, 2**40], [0]])
    variants = {"protocol4": pickled_npy(lists, 4), "protocol3": pickled_npy(lists, 3, b"numpy.core.multiarray"),
                "protocol2": pickled_npy(lists, 2, b"numpy.core.multiarray"), "protocol5": pickled_npy(lists, 5)}
    save(DATA / "lists.npz", npz(variants))
    return arrays, variants


def corpora(arrays, variants):
    images = idx(np.arange(12, dtype=np.uint8).reshape(3, 2, 2))
    floats = idx(np.array([1.5, -2.0], np.float32))
    huge = struct.pack(">HBBIII", 0, 8, 3, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    small = npz({"x": np.arange(3, dtype=np.uint8), "lists": variants["protocol4"]})
    record = bytes([3]) + bytes(range(256)) * 12
    encode = lambda name: pickled_npy(object_array([[1]]), 2).split(b"\x80\x02")[0] + b"\x80\x02c" + name + b"\nX\x01\x00\x00\x00a\x85R."
    files = {
        "idx": {"images": images, "floats": floats, "cut": images[:-1], "long": images + b"\0", "huge": huge, "type": b"\0\0\x01\x01\0\0\0\1x"},
        "gzip": {"small": gzip.compress(images, mtime=0), "two": gzip.compress(b"a", mtime=0) + gzip.compress(b"b", mtime=0),
                 "cut": gzip.compress(images, mtime=0)[:-5], "bomb": gzip.compress(bytes(1 << 20), mtime=0)},
        "npy": {**{name: npy(value) for name, value in arrays.items()}, "objects": variants["protocol4"], "cut": npy(arrays["f8"])[:-1],
                "fields": npy(np.zeros(1, [("a", "i4")]))},
        "npy_lists": {**variants, "system": encode(b"os\nsystem"), "eval": encode(b"builtins\neval"), "cut": variants["protocol2"][:-4]},
        "npz": {"small": small, "cut": small[:-10], "middle": small[:40] + b"\xff" + small[41:]},
        "cifar": {"one": record, "label": b"\x0a" + record[1:], "cut": record[:-1], "two": record * 2},
        "word_index": {"small": '{"the": 1, "caf\u00e9": 2}'.encode(), "nested": b'{"a": {"b": 1}}', "negative": b'{"a": -1}', "twice": b'{"a":1,"a":2}',
                       "deep": b"[" * 500, "text": b'{"a":"b"}', "tail": b'{"a":1} x'},
        "text": {"lines": b"\xef\xbb\xbfone\r\ntwo\rthree\n", "latin1": b"caf\xe9", "utf8": "café €\U0001f600".encode(), "surrogate": b"\xed\xa0\x80"},
    }
    for target, entries in files.items():
        for name, content in entries.items():
            save(CORPUS / target / name, content)


def main():
    random = np.random.default_rng(31)
    goldens = {"mnist": mnist_files(random), "imdb": imdb_files(random), "pad_sequences": pad_sequences_cases(),
               "to_categorical": to_categorical_cases()}
    corpora(*numpy_files())
    write("datasets", goldens)
