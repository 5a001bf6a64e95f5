#!/usr/bin/env python3
"""What tf.data reads from small files, and what it refuses: writes tests/goldens/data_files.json, which cornu/data/files_test.cc reads; and
tests/data/examples.tfrecord with its two compressed forms. Needs tensorflow-cpu (2.21). Usage: data_files.py REPOSITORY"""
import json
import os
import pathlib
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

F = tf.train.Feature

CSV = {
    "plain": b"1,2.5,a\n2,3.5,b\n",
    "no_end": b"1,2.5,a\n2,3.5,b",
    "quotes": b'1,2.5,"a,b"\n2,3.5,"say ""hi"""\n3,4.5,"two\nlines"\n',
    "defaults": b"1,,a\n,3.5,\n",
    "missing_mark": b"1,NA,NA\nNA,2,c\n",
    "spaces": b" 1, 2.5 , a \n",
    "returns": b"1,2.5,a\r\n2,3.5,b\r\n",
    "single_returns": b"1,2.5,a\r2,3.5,b\r",
    "too_many": b"1,2.5,a,9\n",
    "too_few": b"1,2.5\n",
    "empty_line": b"1,2.5,a\n\n2,3.5,b\n",
    "quote_inside": b'1,2.5,a"b\n',
    "behind_quotes": b'1,2.5,"a"b\n',
    "open_quotes": b'1,2.5,"a\n',
    "no_number": b"x,2.5,a\n",
    "exponent": b"7,1e-3,a\n",
    "too_large": b"99999999999,1,a\n",
    "quoted_number": b'"5","6.5",a\n',
    "plus": b"+5,+6.5,a\n",
}
LINES = {"lines": b"one\ntwo\n\nfour", "returns": b"one\r\ntwo\r\n", "inner_return": b"o\rne\n", "empty": b"", "one_end": b"\n"}


def elements(dataset):
    """The elements up to the first error, and whether there was one."""
    found = []
    try:
        for element in dataset:
            parts = element if isinstance(element, tuple) else (element,)
            found.append([part.numpy().decode() if part.dtype == tf.string else part.numpy().item() for part in parts])
    except (tf.errors.InvalidArgumentError, tf.errors.DataLossError):
        return {"elements": found, "fails": True}
    return {"elements": found, "fails": False}


def from_bytes(content, make):
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return elements(make(file.name))


def examples():
    rng = np.random.default_rng(3)
    for i in range(7):
        features = {
            "age": F(int64_list=tf.train.Int64List(value=[int(rng.integers(-5, 90))])),
            "point": F(float_list=tf.train.FloatList(value=rng.random(2).round(3).tolist())),
            "words": F(bytes_list=tf.train.BytesList(value=[f"w{k}".encode() for k in range(i % 3)])),
            "ids": F(int64_list=tf.train.Int64List(value=[int(v) for v in rng.integers(-(1 << 40), 1 << 40, i % 4)])),
        }
        if i % 2 == 0:
            features["name"] = F(bytes_list=tf.train.BytesList(value=[f"name {i}".encode()]))
        yield tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def sequence_examples():
    rng = np.random.default_rng(4)
    for i in range(5):
        steps = [3, 0, 1, 2, 4][i]
        context = {"label": F(int64_list=tf.train.Int64List(value=[i]))}
        if i % 2:
            context["title"] = F(bytes_list=tf.train.BytesList(value=[f"title {i}".encode()]))
        lists = {"frames": tf.train.FeatureList(feature=[F(float_list=tf.train.FloatList(value=rng.random(2).round(3).tolist())) for _ in range(steps)])}
        if i != 3:
            lists["words"] = tf.train.FeatureList(
                feature=[F(bytes_list=tf.train.BytesList(value=[f"w{k}".encode() for k in range((i + n) % 3)])) for n in range(steps)])
        yield tf.train.SequenceExample(context=tf.train.Features(feature=context),
                                       feature_lists=tf.train.FeatureLists(feature_list=lists)).SerializeToString()


def parsed_sequences(root):
    """One by one: of a batch TensorFlow pads the frames."""
    found = []
    with tf.io.TFRecordWriter(str(root / "tests" / "data" / "sequence_examples.tfrecord")) as writer:
        for serialized in sequence_examples():
            writer.write(serialized)
            context, lists = tf.io.parse_single_sequence_example(
                serialized, {"label": tf.io.FixedLenFeature([], tf.int64), "title": tf.io.FixedLenFeature([], tf.string, "none")},
                {"frames": tf.io.FixedLenSequenceFeature([2], tf.float32), "words": tf.io.RaggedFeature(tf.string, row_splits_dtype=tf.int64)})
            words = [[word.decode() for word in row] for row in lists["words"].to_list()]
            found.append({"label": int(context["label"]), "title": context["title"].numpy().decode(), "frames": lists["frames"].numpy().tolist(), "words": words})
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    columns = [tf.constant(0, tf.int32), tf.constant(-1.0, tf.float32), tf.constant("none")]
    csv = {name: from_bytes(content, lambda path: tf.data.experimental.CsvDataset(path, columns, na_value="NA")) for name, content in CSV.items()}
    lines = {name: from_bytes(content, tf.data.TextLineDataset) for name, content in LINES.items()}
    serialized = list(examples())
    for suffix, compression in (("", ""), (".gzip", "GZIP"), (".zlib", "ZLIB")):
        with tf.io.TFRecordWriter(str(root / "tests" / "data" / f"examples{suffix}.tfrecord"), compression) as writer:
            for record in serialized:
                writer.write(record)
    parsed = tf.io.parse_example(serialized, {
        "age": tf.io.FixedLenFeature([], tf.int64), "point": tf.io.FixedLenFeature([2], tf.float32),
        "name": tf.io.FixedLenFeature([], tf.string, "nobody"), "words": tf.io.RaggedFeature(tf.string, row_splits_dtype=tf.int64),
        "ids": tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int64)})
    text = lambda value: [text(part) for part in value] if isinstance(value, list) else value.decode()
    parsed = {name: value.to_list() if isinstance(value, tf.RaggedTensor) else value.numpy().tolist() for name, value in parsed.items()}
    parsed = {name: text(value) if name in ("name", "words") else value for name, value in parsed.items()}
    content = {"tensorflow": tf.__version__, "csv": csv, "csv_files": {k: v.decode() for k, v in CSV.items()}, "lines": lines,
               "line_files": {k: v.decode() for k, v in LINES.items()}, "parsed": parsed, "sequences": parsed_sequences(root)}
    (root / "tests" / "goldens" / "data_files.json").write_text(json.dumps(content, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
