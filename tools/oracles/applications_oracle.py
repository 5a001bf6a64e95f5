#!/usr/bin/env python3
"""The networks of keras.applications, as files of real Keras, give Keras's numbers in Cornu.

Usage: KERAS_BACKEND=jax python tools/oracles/applications_oracle.py CORNU [NAME ...] > tools/oracles/applications_oracle.txt

CORNU is the program cornu. Keras makes each network (or those named) at its own size with random weights and moved statistics, saves it as .keras and
computes the logits of one image of noise; `cornu model FILE predict` computes the same from the file, `cornu model FILE summary` counts its weights. A line
a network: name, number of weights, the largest difference over the root mean square of the logits, how far Keras's own logits move when the image does by
3e-7 of its values, and "ok" or "WRONG": the difference may be 1e-5, or ten times that movement. "unstable" says that the movement is more than 1e-3: a
network so deep that random weights amplify any rounding, of which numbers say nothing.

Exit code: 0 all agree, 1 something differs, 77 the packages are not installed (CTest: skipped).
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("KERAS_BACKEND", "jax")
if any(importlib.util.find_spec(module) is None for module in ("keras", "jax")):
    print("Keras or JAX is not installed")
    sys.exit(77)

import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import applications  # noqa: E402

LIMIT = 1e-5
NAMES = sorted(name for name in dir(applications) if name[0].isupper() and callable(getattr(applications, name)))
# Whose inputs may have any size.
SIZE = 224


def network(name, random):
    keras.utils.clear_session()
    keras.utils.set_random_seed(1)
    model = getattr(applications, name)(weights=None, classifier_activation=None)
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            for weight in (layer.beta, layer.moving_mean):
                if weight is not None:
                    weight.assign(random.uniform(0, 0.1, weight.shape).astype("float32"))
    return model


def oracle(cornu, name, folder):
    random = np.random.default_rng(0)
    model = network(name, random)
    shape = [1] + [extent or SIZE for extent in model.inputs[0].shape[1:]]
    x = random.uniform(0, 255, shape).astype("float32")
    logits, moved = (np.asarray(model.predict(image, verbose=0), "float64") for image in (x, x * np.float32(1 + 3e-7)))
    rms = np.sqrt(np.mean(logits**2))
    movement = np.abs(moved - logits).max() / rms
    file, inputs, outputs = (folder / end for end in ("model.keras", "x.npz", "y.npz"))
    model.save(file)
    np.savez(inputs, x=x)
    subprocess.run([cornu, "model", file, "predict", "--inputs", inputs, "--output", outputs], check=True, stdout=subprocess.DEVNULL)
    summary = subprocess.run([cornu, "model", file, "summary"], check=True, capture_output=True, text=True).stdout
    with np.load(outputs) as arrays:
        difference = np.abs(arrays[arrays.files[0]] - logits).max() / rms
    is_right = difference <= max(LIMIT, 10 * movement) and f"Total params: {model.count_params():,} " in summary
    verdict = "WRONG" if not is_right else "unstable" if movement > 1e-3 else "ok"
    print(f"{name} {model.count_params()} {difference:.1e} {movement:.1e} {verdict}", flush=True)
    return is_right


def main():
    cornu, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or NAMES
    print(f"Networks of Keras {keras.__version__} on {keras.backend.backend()} in Cornu: weights, difference, movement of Keras's own.", flush=True)
    failed = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            try:
                if not oracle(cornu, name, pathlib.Path(folder)):
                    failed.append(name)
            except subprocess.CalledProcessError as error:
                print(f"{name} WRONG {error.stderr or error}", flush=True)
                failed.append(name)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
