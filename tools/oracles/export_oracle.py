#!/usr/bin/env python3
"""Models that `cornu export` wrote compute what Keras does: ONNX files in onnxruntime, StableHLO artifacts in JAX.

Usage: KERAS_BACKEND=jax python tools/oracles/export_oracle.py CORNU [NAME ...]

CORNU is the program cornu, the names are those of networks of keras.applications. Keras makes each with random weights and saves it; `cornu export` writes
both forms; onnx.checker checks the ONNX file. A line a network and form: the largest difference from Keras's probabilities, and "ok" or "WRONG".

Exit code: 0 all agree, 1 something differs, 77 the packages are not installed (CTest: skipped).
"""

import dataclasses
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("KERAS_BACKEND", "jax")
if any(importlib.util.find_spec(module) is None for module in ("keras", "jax", "onnx", "onnxruntime")):
    print("Keras, JAX, onnx or onnxruntime is not installed")
    sys.exit(77)

import jax  # noqa: E402
import jax.export  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import keras  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402

LIMIT = 1e-4
CLASSES = 10
NAMES = ["MobileNetV2", "ConvNeXtTiny", "MobileNetV3Small", "Xception"]


def in_onnxruntime(path, x):
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def in_jax(path, x):
    """The artifact in place of that of a function of the same types."""
    template = jax.export.export(jax.jit(lambda v: (jnp.zeros((len(x), CLASSES), jnp.float32),)))(x)
    artifact = dataclasses.replace(template, fun_name="main", module_kept_var_idx=(0,), mlir_module_serialized=pathlib.Path(path).read_bytes())
    return np.asarray(artifact.call(x)[0])


def oracle(cornu, name, folder):
    keras.utils.clear_session()
    keras.utils.set_random_seed(1)
    size = 71 if name == "Xception" else 75 if name.startswith("Inception") else 64
    model = getattr(keras.applications, name)(weights=None, classes=CLASSES, input_shape=(size, size, 3))
    x = np.random.default_rng(0).uniform(0, 255, (2, size, size, 3)).astype("float32")
    expected = np.asarray(model.predict(x, verbose=0))
    file = folder / "model.keras"
    model.save(file)
    is_right = True
    for form, end, run in (("onnx", "onnx", in_onnxruntime), ("stablehlo", "mlirbc", in_jax)):
        path = str(folder / f"model.{end}")
        subprocess.run([cornu, "export", file, path, "--format", form, "--batch-size", "2"], check=True, stdout=subprocess.DEVNULL)
        difference = np.abs(run(path, x) - expected).max()
        is_right = is_right and difference <= LIMIT
        print(f"{name} {form} {difference:.1e} {'ok' if difference <= LIMIT else 'WRONG'}", flush=True)
    return is_right


def main():
    cornu, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or NAMES
    results = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            results.append(oracle(cornu, name, pathlib.Path(folder)))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
