#!/usr/bin/env python3
"""TensorBoard's own reader opens an event file that Cornu wrote, and finds what was written.

Usage: python tools/oracles/event_files_oracle.py SAVED_MODELS > tools/oracles/event_files_oracle.txt

SAVED_MODELS is the program of tests/oracles/saved_models. The Python needs tensorboard.
Exit code: 0 all is there, 1 something differs, 77 tensorboard is not installed (CTest: skipped).
"""

import importlib.util
import pathlib
import struct
import subprocess
import sys
import tempfile

if importlib.util.find_spec("tensorboard") is None:
    print("tensorboard is not installed")
    sys.exit(77)

import tensorboard  # noqa: E402
from tensorboard.backend.event_processing import event_accumulator  # noqa: E402
from tensorboard.util import tensor_util  # noqa: E402

FAILED = []


def check(what, got, wanted):
    is_right = got == wanted
    print(f"{what}: {got!r}" + ("" if is_right else f", not {wanted!r}"))
    if not is_right:
        FAILED.append(what)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([pathlib.Path(sys.argv[1]).resolve(), "events", folder], check=True)
        reader = event_accumulator.EventAccumulator(folder, size_guidance={event_accumulator.TENSORS: 0})
        reader.Reload()
        print(f"TensorBoard {tensorboard.__version__} reads an event file of Cornu's.")
        check("file version", reader.file_version, 2.0)

        def values(tag):
            return [(event.step, tensor_util.make_ndarray(event.tensor_proto)) for event in reader.Tensors(tag)]

        plugins = {tag: reader.SummaryMetadata(tag).plugin_data.plugin_name for tag in reader.Tags()["tensors"]}
        check("plug-ins", plugins, {"epoch_loss": "scalars", "weights": "histograms", "note": "text", "keras": "graph_keras_model", "picture": "images"})
        check("scalars", [(step, float(value)) for step, value in values("epoch_loss")], [(0, 1.5), (1, 0.5), (2, -0.5)])
        ((step, rows),) = values("weights")
        check("histogram", (step, rows.shape, float(rows[:, 2].sum()), round(float(rows[0, 0]), 6), round(float(rows[-1, 1]), 6)), (4, (10, 3), 100.0, 0.0, 9.9))
        ((step, text),) = values("note")
        check("text", (step, text.item()), (1, b"**bold**"))
        ((step, graph),) = values("keras")
        check("model", (step, graph.item()[:15]), (0, b'{"class_name": '))
        ((step, picture),) = values("picture")
        width, height, png = picture
        check("picture", (step, width, height, png[:4], struct.unpack(">II", png[16:24])), (2, b"1", b"2", b"\x89PNG", (1, 2)))
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()
