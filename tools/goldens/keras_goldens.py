#!/usr/bin/env python3
"""Makes tests/goldens/*.json: what real Keras computes, for the tests to compare with.

Needs Keras 3 and JAX, in float32 on the CPU, and PyTorch for sparse_optimizers:

    python tools/goldens/keras_goldens.py                     # all areas
    python tools/goldens/keras_goldens.py losses optimizers   # only these

An area is a module of this folder with a function main(). Arrays are stored as {"shape": [...], "data": [...]} in row-major order.
Everything follows from the seeds in the modules, so a second run with the same versions writes the same files.
"""

import importlib
import os
import pathlib
import sys

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def main():
    folder = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(folder))
    areas = sorted(path.stem for path in folder.glob("*.py") if path.stem not in ("golden", "keras_goldens"))
    wanted = sys.argv[1:] or areas
    for area in wanted:
        if area not in areas:
            sys.exit(f"no area {area}; there are {', '.join(areas)}")
        importlib.import_module(area).main()


if __name__ == "__main__":
    main()
