#!/usr/bin/env python3
"""Small data sets prepared by TensorFlow Datasets, and what tfds.load gives of them: writes tests/data/prepared and tests/goldens/prepared_datasets.json, which
cornu/data/prepared/prepared_dataset_test.cc reads. Downloads nothing. Needs tensorflow-cpu (2.21) and tensorflow-datasets (4.9.10). Usage:
prepared_datasets.py REPOSITORY"""
import json
import os
import pathlib
import shutil
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["NO_GCE_CHECK"] = "true"
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

tfds.core.utils.gcs_utils._is_gcs_disabled = True

SPLITS = ["train", "test", "train[:80%]", "train[80%:]", "train[10:20]", "train+test", "test[-5%:]", "test[-50%:]", "train[:1]", "train[-3:]", "train[10%:12.5%]", "all",
          "train[1shard:]", "train[1shard]", "train[:-1shard]", "test[3:]+train[:2]", "test[:50%]"]
WRONG = ["validation", "train[", "train[a:]", "train[:80]", "train[:120%]", "train[5]", "train[:]", "train[1:2:3]", "", "+", "all[:5]", "train[-80:]", "train[5:5]", "test[:2%]"]


def pixels(i, height, width, channels):
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(channels), indexing="ij")
    return ((37 * i + 11 * y + 5 * x + 50 * c) % 256).astype(np.uint8)


class TinyDigits(tfds.core.GeneratorBasedBuilder):
    """Images of no digits."""

    VERSION = tfds.core.Version("1.0.2")

    def _info(self):
        return tfds.core.DatasetInfo(builder=self, description=self.__doc__, 
            features=tfds.features.FeaturesDict({"image": tfds.features.Image(shape=(4, 3, 1)), "label": tfds.features.ClassLabel(names=["zero", "one", "two words"])}),
            supervised_keys=("image", "label"))

    def _split_generators(self, dl_manager):
        return {"train": self._generate_examples(0, 60), "test": self._generate_examples(100, 10)}

    def _generate_examples(self, begin, count):
        for i in range(begin, begin + count):
            yield i, {"image": pixels(i, 4, 3, 1), "label": i % 3}


class Config(tfds.core.BuilderConfig):
    pass


class ManyThings(tfds.core.GeneratorBasedBuilder):
    """One of each feature."""

    VERSION = tfds.core.Version("0.3.0")
    BUILDER_CONFIGS = [Config(name="small", description="Few.")]

    def _info(self):
        f = tfds.features
        return tfds.core.DatasetInfo(builder=self, description=self.__doc__, features=f.FeaturesDict({
            "photo": f.Image(encoding_format="jpeg"), "any_size": f.Image(shape=(None, None, 4)), "meta": {"id": f.Text(), "weight": np.float32, "flag": np.bool_, "kind": f.ClassLabel(num_classes=5)},
            "tags": f.Sequence(f.Text()), "scores": f.Sequence(np.float32), "kinds": f.Sequence(f.ClassLabel(names=["a", "b"])), "pair": f.Sequence(np.int32, length=2),
            "grid": f.Tensor(shape=(2, 3), dtype=np.int32), "rows": f.Tensor(shape=(None, 2), dtype=np.uint8), "points": f.Sequence(f.Tensor(shape=(2,), dtype=np.float64)),
            "half": f.Scalar(np.float16), "count": f.Scalar(np.uint64)}), supervised_keys=None)

    def _split_generators(self, dl_manager):
        return {"train": self._generate_examples()}

    def _generate_examples(self):
        for i in range(6):
            yield i, {
                "photo": pixels(i, 9, 8, 3), "any_size": pixels(i, 2 + i, 3, 4), "meta": {"id": f"n\u00famero {i}", "weight": i / 4, "flag": i % 2 == 0, "kind": i % 5},
                "tags": [f"t{k}" for k in range(i % 3)], "scores": [0.5 * k for k in range(i)], "kinds": [k % 2 for k in range(i % 4)], "pair": [i, -i],
                "grid": (np.arange(6, dtype=np.int32) * i).reshape(2, 3), "rows": np.arange(2 * (i % 3), dtype=np.uint8).reshape(-1, 2), "points": np.arange(2.0 * (i % 2)).reshape(-1, 2) / 8,
                "half": 0.25 * i, "count": 2**40 + i}


def plain(value):
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [plain(part) for part in value]
    return value.tolist()


def elements(dataset):
    return [plain(element) for element in dataset.as_numpy_iterator()]


def fails(builder, split):
    try:
        list(builder.as_dataset(split=split))
    except (ValueError, AssertionError, KeyError, NotImplementedError):
        return True
    return False


def main():
    root = pathlib.Path(sys.argv[1])
    folder = root / "tests" / "data" / "prepared"
    shutil.rmtree(folder, ignore_errors=True)
    shards = tfds.download.DownloadConfig(num_shards=3)
    digits = TinyDigits(data_dir=folder)
    digits.download_and_prepare(download_config=shards)
    things = ManyThings(data_dir=folder, config="small")
    things.download_and_prepare()
    shutil.rmtree(folder / "downloads", ignore_errors=True)
    splits = {}
    for split in SPLITS:
        splits[split] = [int(label) * 1000 + int(image[0, 0, 0]) for image, label in digits.as_dataset(split=split, as_supervised=True).as_numpy_iterator()]
    content = {
        "tensorflow_datasets": tfds.__version__, "digits": elements(digits.as_dataset(split="train")), "supervised": elements(digits.as_dataset(split="test", as_supervised=True)),
        "batched": elements(digits.as_dataset(split="test", batch_size=4)), "things": elements(things.as_dataset(split="train")), "splits": splits,
        "wrong": [split for split in WRONG if fails(digits, split)], "spec": {name: str(part) for name, part in things.as_dataset(split="train").element_spec.items()}}
    assert content["wrong"] == WRONG, content["wrong"]
    (root / "tests" / "goldens" / "prepared_datasets.json").write_text(json.dumps(content, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
