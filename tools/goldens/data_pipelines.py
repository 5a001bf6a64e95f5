#!/usr/bin/env python3
"""What tf.data gives for small pipelines: writes tests/goldens/data_pipelines.json, which cornu/data/pipelines_golden_test.cc reads.

Each case is built again there, under the same name. Needs tensorflow-cpu (2.21). Usage: data_pipelines.py OUTPUT"""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

D = tf.data.Dataset


def plain(value):
    """An element as JSON: structures as lists or objects, tensors as nested lists, datasets as {"dataset": elements}."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, D):
        return {"dataset": [plain(part) for part in value]}
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    if array.dtype == object or array.dtype.kind == "S":
        return texts(array.tolist())
    return array.tolist()


def texts(value):
    return [texts(part) for part in value] if isinstance(value, list) else value.decode()


def r(*arguments):
    return D.range(*arguments)


def varied():
    """Elements 0 .. 6 as vectors of as many threes."""
    return r(7).map(lambda n: tf.fill([n], tf.constant(3, tf.int64) + n)).map(lambda v: tf.ensure_shape(v, [None]))


def failing(n):
    """The numbers below n, those that are 2 modulo 3 as errors."""
    return r(n).map(lambda v: tf.debugging.check_numerics(tf.where(v % 3 == 2, tf.constant(np.nan, tf.float64), tf.cast(v, tf.float64)), "bad"))


x = np.arange(12, dtype=np.float32).reshape(4, 3)
y = np.array([1, 0, 2, 1], np.int32)
pairs = D.from_tensor_slices((x, y))

CASES = {
    "slices_of_vector": lambda: D.from_tensor_slices([8, 3, 0, 8, 2, 1]),
    "slices_of_pair": lambda: pairs,
    "slices_of_names": lambda: D.from_tensor_slices({"a": x, "b": y}),
    "slices_of_texts": lambda: D.from_tensor_slices(["one", "two", "three"]),
    "tensors": lambda: D.from_tensors((x, y)),
    "range": lambda: r(5),
    "range_start_step": lambda: r(2, 20, 5),
    "range_down": lambda: r(10, 1, -3),
    "range_empty": lambda: r(5, 2),
    "counter": lambda: D.counter(3, 4).take(4),
    "take": lambda: r(10).take(3),
    "take_more": lambda: r(3).take(10),
    "take_all": lambda: r(4).take(-1),
    "skip": lambda: r(10).skip(7),
    "skip_more": lambda: r(3).skip(10),
    "skip_all": lambda: r(4).skip(-1),
    "shard": lambda: r(10).shard(3, 2),
    "shard_rows": lambda: pairs.shard(2, 1),
    "shard_of_skipped": lambda: D.from_tensor_slices(np.arange(20)).skip(3).shard(4, 1).take(3),
    "repeat": lambda: r(3).repeat(2),
    "repeat_nothing": lambda: r(3).repeat(0),
    "repeat_then_batch": lambda: r(3).repeat(3).batch(4),
    "batch_then_repeat": lambda: r(5).batch(2).repeat(2),
    "repeat_empty_forever": lambda: r(0).repeat(),
    "batch": lambda: r(7).batch(3),
    "batch_drop": lambda: r(7).batch(3, drop_remainder=True),
    "batch_larger": lambda: r(3).batch(100),
    "batch_rows": lambda: pairs.batch(3),
    "batch_rows_larger": lambda: pairs.batch(100),
    "batch_rows_larger_drop": lambda: pairs.batch(100, drop_remainder=True),
    "batch_rows_skip": lambda: pairs.batch(3).skip(1),
    "batch_rows_take": lambda: pairs.batch(3).take(1).repeat(2),
    "batch_of_batches": lambda: r(8).batch(2).batch(3),
    "batch_texts": lambda: D.from_tensor_slices(["a", "bc", ""]).batch(2),
    "padded": lambda: varied().padded_batch(3),
    "padded_shape": lambda: varied().take(4).padded_batch(2, padded_shapes=[5], padding_values=tf.constant(-1, tf.int64)),
    "padded_drop": lambda: varied().padded_batch(4, drop_remainder=True),
    "padded_pair": lambda: r(1, 4).map(lambda n: (tf.ones([n, 2]), n)).padded_batch(3, padded_shapes=([None, 2], [])),
    "padded_texts": lambda: r(3).map(lambda n: tf.fill([n], "x")).padded_batch(3, padding_values="-"),
    "ragged": lambda: varied().take(4).ragged_batch(3),
    "unbatch": lambda: D.from_tensors((x, y)).unbatch(),
    "unbatch_batches": lambda: r(7).batch(3).unbatch(),
    "rebatch": lambda: r(10).batch(3).rebatch(4),
    "rebatch_smaller": lambda: r(10).batch(7).rebatch(2),
    "rebatch_drop": lambda: r(10).batch(3).rebatch(4, drop_remainder=True),
    "rebatch_turns": lambda: r(10).batch(3).rebatch([2, 1, 3]),
    "bucket": lambda: varied().skip(1).bucket_by_sequence_length(lambda v: tf.shape(v)[0], [3, 5], [2, 2, 2]),
    "bucket_boundary": lambda: varied().take(5).skip(1).bucket_by_sequence_length(
        lambda v: tf.shape(v)[0], [3, 6], [2, 2, 2], pad_to_bucket_boundary=True),
    "bucket_drop": lambda: varied().skip(1).bucket_by_sequence_length(lambda v: tf.shape(v)[0], [3, 5], [2, 2, 3], drop_remainder=True),
    "group": lambda: r(10).group_by_window(lambda v: v % 2, lambda key, group: group.batch(3), window_size=3),
    "group_sizes": lambda: r(10).group_by_window(lambda v: v % 3, lambda key, group: group.batch(10), window_size_func=lambda key: key + 1),
    "window": lambda: r(7).window(3),
    "window_shift": lambda: r(7).window(3, shift=2),
    "window_stride": lambda: r(7).window(3, shift=1, stride=2),
    "window_drop": lambda: r(7).window(3, shift=2, drop_remainder=True),
    "window_stride_drop": lambda: r(9).window(3, shift=1, stride=2, drop_remainder=True),
    "window_far": lambda: r(10).window(2, shift=4),
    "window_pair": lambda: pairs.window(2),
    "window_flat": lambda: r(6).window(3, shift=1, drop_remainder=True).flat_map(lambda w: w.batch(3)),
    "map": lambda: r(5).map(lambda v: v * v),
    "map_pair": lambda: pairs.map(lambda a, b: (b, a * 2)),
    "map_parallel": lambda: r(50).map(lambda v: v * 3, num_parallel_calls=4),
    "filter": lambda: r(10).filter(lambda v: v % 3 == 1),
    "filter_pair": lambda: pairs.filter(lambda a, b: b == 1),
    "take_while": lambda: r(10).take_while(lambda v: v < 4),
    "flat_map": lambda: r(4).flat_map(lambda n: r(n)),
    "flat_map_pair": lambda: pairs.flat_map(lambda a, b: D.from_tensor_slices(a)),
    "interleave": lambda: r(1, 6).interleave(lambda v: D.from_tensors(v).repeat(6), cycle_length=2, block_length=4),
    "interleave_uneven": lambda: r(1, 6).interleave(lambda v: D.from_tensors(v).repeat(v), cycle_length=3, block_length=1),
    "interleave_parallel": lambda: r(1, 6).interleave(lambda v: D.from_tensors(v).repeat(v), cycle_length=3, block_length=2, num_parallel_calls=2),
    "enumerate": lambda: r(5, 8).enumerate(),
    "enumerate_pair": lambda: pairs.enumerate(start=7).take(2),
    "zip": lambda: D.zip((r(4), r(10, 13))),
    "zip_nested": lambda: D.zip((pairs, r(3))),
    "zip_names": lambda: D.zip({"a": r(2), "b": r(5)}),
    "zip_rows": lambda: D.zip((D.from_tensor_slices(x), D.from_tensor_slices(y[:3]))).batch(2),
    "concatenate": lambda: r(3).concatenate(r(8, 10)),
    "cache": lambda: r(4).cache().repeat(2),
    "prefetch": lambda: r(6).prefetch(2),
    "scan": lambda: r(6).scan(np.int64(0), lambda state, v: (state + v, state * 10 + v)),
    "unique": lambda: D.from_tensor_slices([1, 37, 2, 37, 2, 1]).unique(),
    "choose": lambda: D.choose_from_datasets([r(3), r(10, 13), r(20, 30)], D.from_tensor_slices(np.array([0, 1, 2, 2, 0, 1], np.int64))),
    "choose_stop": lambda: D.choose_from_datasets([r(1), r(10, 13)], D.from_tensor_slices(np.array([1, 0, 0, 1, 1], np.int64))),
    "choose_go_on": lambda: D.choose_from_datasets(
        [r(1), r(10, 13)], D.from_tensor_slices(np.array([1, 0, 0, 1, 1], np.int64)), stop_on_empty_dataset=False),
    "ignore_errors": lambda: failing(9).ignore_errors(),
    "ignore_errors_batch": lambda: failing(9).ignore_errors().batch(4),
    "shuffle_of_one": lambda: r(6).shuffle(1),
    "reduce": lambda: D.from_tensors(r(10).reduce(np.int64(0), lambda state, v: state + v)),
}


def main():
    cases = {}
    for name, make in CASES.items():
        dataset = make()
        elements = [plain(element) for element in dataset.take(100)]
        cases[name] = {"elements": elements, "cardinality": int(dataset.cardinality())}
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"tensorflow": tf.__version__, "cases": cases}, file, separators=(",", ":"), sort_keys=True)
        file.write("\n")
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
