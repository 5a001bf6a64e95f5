#!/usr/bin/env python3
"""What TensorFlow and Keras make of images, folders of files and series: writes tests/goldens/data_images.json, which cornu/data/images/images_test.cc and
cornu/data/directories/directories_test.cc read, and the small files of tests/data/images. Needs tensorflow-cpu (2.21) with Keras. Usage: data_images.py REPOSITORY"""
import json
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import zlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf

METHODS = ["bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"]
TREE = {"b/2.png": "rgb.png", "b/1.jpg": "rgb.jpg", "b/in/3.JPG": "gray.jpg", "a/9.jpeg": "wide.jpg", "a/x.txt": None, "a/10.png": "palette.png",
        "a/8.png": "gray.png", "c d/1.png": "rgba.png", "b/0.jpg": "progressive.jpg", ".hidden/1.png": "rgb.png", "top.png": "rgb.png"}


def picture(height, width, channels, seed):
    """Slow waves and some noise, so that a JPEG has something to lose."""
    random = np.random.default_rng(seed)
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(channels), indexing="ij")
    waves = 127 + 90 * np.sin(0.3 * y + 0.7 * c) * np.cos(0.25 * x + 0.4 * c) + random.normal(0, 12, (height, width, channels))
    return np.clip(waves, 0, 255).astype(np.uint8)


def png(width, height, bits, color, rows, chunks=()):
    """A PNG of kinds that TensorFlow does not write; each row of bytes as it lies in the file."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    body = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0)) +
            b"".join(chunk(name, content) for name, content in chunks) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b""))


def bmp(pixels, top_down=False):
    """A bitmap of [height, width, channels], its rows from the bottom unless said otherwise."""
    height, width, channels = pixels.shape
    rows = pixels if top_down else pixels[::-1]
    order = [0] if channels == 1 else [2, 1, 0, 3][:channels]
    body = b"".join(row[:, order].tobytes().ljust((width * channels + 3) // 4 * 4, b"\0") for row in rows)
    begin = 54 + (1024 if channels == 1 else 0)
    header = struct.pack("<2sIHHI", b"BM", begin + len(body), 0, 0, begin)
    header += struct.pack("<IiiHHIIiiII", 40, width, -height if top_down else height, 1, 8 * channels, 0, len(body), 2835, 2835, 0, 0)
    return header + (b"".join(bytes([i, i, i, 0]) for i in range(256)) if channels == 1 else b"") + body


def gif(size, pictures, colors):
    """Pictures of (left, top, rows of color numbers below 4, transparent color or None, interlaced), a code a pixel."""
    def codes(numbers):
        bits, count = 0, 0
        for i, number in enumerate(numbers):
            for code in ([4] if i % 2 == 0 else []) + [number]:  # cleared so often, codes keep their 3 bits
                bits |= code << count
                count += 3
        bits |= 5 << count
        data = bits.to_bytes((count + 3 + 7) // 8, "little")
        return b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255)) + b"\0"

    content = b"GIF89a" + struct.pack("<HHBBB", *size, 0b10000001, 0, 0) + bytes(colors)
    for left, top, rows, transparent, interlaced in pictures:
        if transparent is not None:
            content += b"\x21\xf9\x04" + struct.pack("<BHB", 1, 5, transparent) + b"\0"
        height, width = len(rows), len(rows[0])
        order = [y for first, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(first, height, step)] if interlaced else range(height)
        content += b"\x2c" + struct.pack("<HHHHB", left, top, width, height, 0x40 if interlaced else 0) + b"\x02"
        content += codes([number for y in order for number in rows[y]])
    return content + b"\x3b"


def gif_files():
    numbers = np.random.default_rng(21).integers(0, 4, (11, 6)).tolist()
    colors = [10, 20, 30, 200, 100, 0, 0, 255, 7, 90, 91, 92]
    return {
        "two.gif": gif((6, 11), [(0, 0, numbers, None, False), (0, 0, numbers[::-1], None, False)], colors),
        "interlaced.gif": gif((6, 11), [(0, 0, numbers, 2, True)], colors),
        "inside.gif": gif((8, 13), [(1, 2, numbers[:5], None, False)], colors),
    }


def files():
    jpeg = tf.io.encode_jpeg
    deep = picture(9, 20, 3, 5).astype(np.uint16) * 257
    palette = bytes(np.random.default_rng(8).integers(0, 256, 12).tolist())
    return {
        "rgb.jpg": jpeg(picture(13, 17, 3, 1)).numpy(), "gray.jpg": jpeg(picture(11, 8, 1, 2)).numpy(),
        "progressive.jpg": jpeg(picture(12, 21, 3, 3), progressive=True, quality=80).numpy(),
        "wide.jpg": jpeg(picture(10, 33, 3, 4), chroma_downsampling=False).numpy(),
        "rgb.png": tf.io.encode_png(picture(6, 7, 3, 6)).numpy(), "gray.png": tf.io.encode_png(picture(5, 4, 1, 7)).numpy(),
        "rgba.png": tf.io.encode_png(picture(5, 6, 4, 9)).numpy(), "gray_alpha.png": tf.io.encode_png(picture(4, 5, 2, 10)).numpy(),
        "sixteen.png": tf.io.encode_png(deep).numpy(),
        "palette.png": png(5, 3, 2, 3, [[0b00011011, 0b01000000], [0b11100100, 0b10000000], [0b00000000, 0b11000000]], [(b"PLTE", palette)]),
        "palette_alpha.png": png(5, 2, 2, 3, [[0b00011011, 0b01000000], [0b11100100, 0b10000000]], [(b"PLTE", palette), (b"tRNS", bytes([0, 100, 200]))]),
        **gif_files(), "rgb.bmp": bmp(picture(5, 7, 3, 12)), "top_down.bmp": bmp(picture(4, 3, 3, 13), True), "gray.bmp": bmp(picture(4, 5, 1, 14)),
        "rgba.bmp": bmp(picture(3, 5, 4, 15)),
        "bits.png": png(9, 2, 1, 0, [[0b10110011, 0b10000000], [0b01010101, 0]]),
    }


def numbers(array):
    return {"shape": list(array.shape), "dtype": str(array.dtype), "data": [round(float(v), 4) for v in array.ravel()]}


def decoded(contents):
    cases = []
    for name, content in contents.items():
        for channels in (0, 1, 3, 4):
            if channels == 4 and name in ("palette.png", "bits.png"):
                continue  # TensorFlow leaves the alpha that it adds to colors of a palette as it finds it in memory
            try:
                image = numbers(tf.image.decode_image(content, channels=channels, expand_animations=False).numpy())
            except tf.errors.InvalidArgumentError:
                image = None
            cases.append({"file": name, "channels": channels, "image": image})
    return cases


def resized():
    cases = []
    source = picture(7, 5, 3, 11)
    for size in ((4, 9), (14, 10), (3, 2), (7, 5)):
        for method in METHODS:
            unknown = tf.function(lambda x: tf.image.resize(x, size, method=method), input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
            cases.append({"size": size, "method": method, "image": numbers(unknown(source).numpy())})
    for size in ((4, 4), (9, 3), (3, 9)):
        padded = tf.image.resize_with_pad(source, *size, method="bilinear").numpy()
        cases.append({"size": size, "method": "bilinear", "pad": True, "image": numbers(padded)})
    return {"source": numbers(source), "cases": cases}


def relative(paths, root):
    return [os.path.relpath(path, root) for path in paths]


def plain(parts):
    parts = parts if isinstance(parts, tuple) else (parts,)
    return [numbers(part.numpy()) if part.dtype != tf.string else [text.decode() for text in part.numpy().tolist()] for part in parts]


def image_folders(contents, root):
    options = {"image_size": (5, 6), "batch_size": 4, "shuffle": False, "verbose": False}
    cases = []
    for changes in ({}, {"label_mode": "categorical"}, {"label_mode": None}, {"color_mode": "grayscale"}, {"interpolation": "nearest"},
                    {"crop_to_aspect_ratio": True}, {"pad_to_aspect_ratio": True}, {"class_names": ["c d", "a"], "label_mode": "binary"},
                    {"labels": None}, {"data_format": "channels_first", "batch_size": None}, {"labels": [3, 1, 3, 0, 0, 1, 3, 1, 0, 1]}):
        used = {**options, **changes}
        dataset = keras.utils.image_dataset_from_directory(root, **used)
        cases.append({"options": changes, "class_names": dataset.class_names, "files": relative(dataset.file_paths, root),
                      "elements": [plain(element) for element in dataset]})
    splits = []
    for subset in ("training", "validation"):
        for seed in (0, 7, 123456):
            dataset = keras.utils.image_dataset_from_directory(root, validation_split=0.4, subset=subset, seed=seed, verbose=False)
            splits.append({"seed": seed, "subset": subset, "files": relative(dataset.file_paths, root)})
    return {"tree": TREE, "cases": cases, "splits": splits}


def series():
    data = np.arange(20, dtype=np.float32)
    wide = np.stack([data, -data], axis=1)
    cases = []
    for arguments in ({"sequence_length": 3}, {"sequence_length": 4, "sequence_stride": 3, "sampling_rate": 2}, {"sequence_length": 5, "start_index": 4},
                      {"sequence_length": 2, "end_index": 9, "batch_size": None}, {"sequence_length": 3, "start_index": 2, "end_index": 11},
                      {"sequence_length": 3, "sequence_stride": 2, "batch_size": 3}):
        for columns, targets in ((data, None), (wide, data * 10)):
            dataset = keras.utils.timeseries_dataset_from_array(columns, targets, **arguments)
            cases.append({"arguments": arguments, "data": numbers(columns), "targets": None if targets is None else numbers(targets),
                          "elements": [plain(element) for element in dataset]})
    return cases


def main():
    root = pathlib.Path(sys.argv[1])
    folder = root / "tests" / "data" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    contents = files()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    with tempfile.TemporaryDirectory() as tree:
        for name, source in TREE.items():
            path = pathlib.Path(tree) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if source is None:
                path.write_bytes(b"text")
            else:
                shutil.copyfile(folder / source, path)
        folders = image_folders(contents, tree)
    content = {"tensorflow": tf.__version__, "keras": keras.__version__, "decoded": decoded(contents), "resized": resized(), "folders": folders,
               "series": series()}
    (root / "tests" / "goldens" / "data_images.json").write_text(json.dumps(content, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
