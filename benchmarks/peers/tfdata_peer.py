#!/usr/bin/env python3
"""The input pipelines of `cornu bench data_*` in tf.data. Prints one line of JSON with the same keys: per_s (elements a second) and gb_s.

Usage: tfdata_peer.py WORKLOAD [--seconds SECONDS]. Needs tensorflow-cpu (2.21). The files are those of `cornu bench`, or records are written the
same way; both read them from the page cache. Run `cornu bench data_jpeg` first: its images are the ones that are read."""
import argparse
import json
import os
import sys
import tempfile
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
FOLDER = os.path.join(tempfile.gettempdir(), "cornu_bench_data")


def slices(count, columns, batch):
    x = (np.arange(count * columns) % 1021).astype(np.float32).reshape(count, columns)
    dataset = tf.data.Dataset.from_tensor_slices((x, np.zeros(count, np.int32))).shuffle(count, seed=1)
    return dataset.batch(batch, drop_remainder=True), batch, batch * (columns + 1) * 4


def records():
    files = [os.path.join(FOLDER, f"r{i}.tfrecord") for i in range(4)]
    for i, file in enumerate(files):
        if not os.path.exists(file):
            random = np.random.default_rng(i)
            with tf.io.TFRecordWriter(file) as writer:
                for _ in range(16384):
                    writer.write(random.bytes(4096))
    return tf.data.TFRecordDataset(files).batch(256, drop_remainder=True), 256, 256 * 4096


def one_example(random):
    feature = tf.train.Feature
    features = {f"f{i}": feature(float_list=tf.train.FloatList(value=[random.random()])) for i in range(10)}
    features |= {f"i{i}": feature(int64_list=tf.train.Int64List(value=[int(random.integers(1 << 40))])) for i in range(5)}
    features |= {f"v{i}": feature(float_list=tf.train.FloatList(value=random.random(16).tolist())) for i in range(5)}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def examples():
    file = os.path.join(FOLDER, "ex.tfrecord")
    if not os.path.exists(file):
        random = np.random.default_rng(1)
        with tf.io.TFRecordWriter(file) as writer:
            for _ in range(50000):
                writer.write(one_example(random))
    spec = {f"f{i}": tf.io.FixedLenFeature([], tf.float32) for i in range(10)}
    spec |= {f"i{i}": tf.io.FixedLenFeature([], tf.int64) for i in range(5)}
    spec |= {f"v{i}": tf.io.FixedLenFeature([16], tf.float32) for i in range(5)}
    dataset = tf.data.TFRecordDataset(file).batch(256, drop_remainder=True)
    dataset = dataset.map(lambda batch: tf.io.parse_example(batch, spec), num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)
    return dataset, 256, os.path.getsize(file) / 50000 * 256


def mapped(in_parallel):
    dataset = tf.data.Dataset.range(1 << 40)
    if not in_parallel:
        return dataset.map(lambda value: value + 1).batch(1024), 1024, 8192
    return dataset.map(lambda value: value + 1, num_parallel_calls=AUTOTUNE).batch(1024).prefetch(AUTOTUNE), 1024, 8192


def jpegs():
    files = [os.path.join(FOLDER, f"i{i}.jpg") for i in range(64)]

    def load(path):
        image = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [224, 224])
        return tf.image.random_flip_left_right(image, seed=1)

    dataset = tf.data.Dataset.from_tensor_slices(files).repeat().map(load, num_parallel_calls=AUTOTUNE)
    return dataset.batch(32).prefetch(AUTOTUNE), 32, 32 * 224 * 224 * 3 * 4


PIPELINES = {
    "data_slices": lambda: slices(60000, 784, 128),
    "data_slices_iris": lambda: slices(150, 4, 20),
    "data_tfrecord": records,
    "data_example": examples,
    "data_map": lambda: mapped(True),
    "data_map_serial": lambda: mapped(False),
    "data_jpeg": jpegs,
}


def main():
    started = time.perf_counter()
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", choices=PIPELINES)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--spe", type=int, default=1, help="is passed over")
    options = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    dataset, elements, size_bytes = PIPELINES[options.workload]()
    iterator = iter(dataset.repeat())
    next(iterator)
    first = time.perf_counter() - started
    parts = []
    for _ in range(3):
        count, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < options.seconds / 3:
            next(iterator)
            count += 1
        parts.append((time.perf_counter() - begin) * 1e3 / count)
    milliseconds = sorted(parts)[1]
    print(json.dumps({"workload": options.workload, "peer": "tf.data", "version": tf.__version__, "threads": os.cpu_count(), "ms_step": milliseconds,
                      "ms_min": min(parts), "first_fit_s": first, "per_s": round(1e3 / milliseconds * elements),
                      "gb_s": round(1e-6 / milliseconds * size_bytes, 4)}))


if __name__ == "__main__":
    main()
