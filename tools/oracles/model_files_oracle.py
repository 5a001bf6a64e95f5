#!/usr/bin/env python3
"""Real Keras opens what Cornu saved, gives its numbers, and goes on training as it does.

Usage: KERAS_BACKEND=jax python tools/oracles/model_files_oracle.py SAVED_MODELS > tools/oracles/model_files_oracle.txt

SAVED_MODELS is the program of tests/oracles/saved_models. Of each of its models, which trained two steps, Keras loads the .keras and the .h5 file, and
the .weights.h5 file and the files of .weights.json into the model of the first with all weights at zero; predictions, and those behind one further step of training, which takes
the optimizer's state, are compared with Cornu's. Of an .h5 file predictions alone: Keras 3.15.1 makes the optimizers of such files for no variables, so that
it cannot train on with those that it wrote itself either (legacy_h5_format.py: build(model._trainable_variables)). A line a model: name, checksum of the files (saved_models check compares it), the largest
difference over the root mean square of what was expected before and behind the step, a file each, and "ok" or "WRONG".

Exit code: 0 all agree, 1 something differs, 77 the packages are not installed (CTest: skipped).
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("KERAS_BACKEND", "jax")
if any(importlib.util.find_spec(module) is None for module in ("keras", "jax", "h5py")):
    print("Keras, JAX or h5py is not installed")
    sys.exit(77)

import keras  # noqa: E402
import numpy as np  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "goldens"))
import model_files  # noqa: E402,F401  (registers the custom layer)

LIMIT = 1e-5
# Of models whose numbers amplify roundings, with the reason.
LIMITS = {
    "sample_mixed": (2e-2, "half-wide numbers"), "mixed_float16": (2e-3, "half-wide numbers"), "mixed_bfloat16": (2e-2, "half-wide numbers"),
}


def difference(got, expected):
    got, expected = np.asarray(got, "float64"), np.asarray(expected, "float64")
    if got.shape != expected.shape:
        return np.inf
    return np.abs(got - expected).max(initial=0) / max(1e-30, np.sqrt(np.mean(expected**2)) if expected.size else 1)


def read(path):
    """An array, or arrays by name, or a list of them."""
    found = np.load(path)
    if not found.files[0].startswith("arr_"):
        return {name: found[name] for name in found.files}
    values = [found[name] for name in found.files]
    return values[0] if len(values) == 1 else values


def in_order(values, names):
    """As a list in the model's order, which all of Keras's methods take."""
    if isinstance(values, dict):
        return [values[name] for name in names] if set(names) == set(values) else list(values.values())
    return values if isinstance(values, list) else [values]


def worst_difference(model, got, expected):
    if isinstance(got, dict):
        return max(difference(got[name], expected[name]) for name in got)
    names = model.output_names if hasattr(model, "output_names") else []
    return max(map(difference, in_order(got, names), in_order(expected, names)))


def check_file(load, base, end):
    model = load()
    x, y = (read(f"{base}.{name}.npz") for name in "xy")
    worst = 0.0
    for when in ("before",) if end == ".h5" else ("before", "after"):
        expected = read(f"{base}.{when}.npz")
        worst = max(worst, worst_difference(model, model.predict(x, verbose=0), expected))
        if when == "before" and end != ".h5":
            model.train_on_batch(x, y)
    return worst


def zeroed(base, end):
    model = keras.saving.load_model(f"{base}.keras")
    for variable in [*model.variables, *model.optimizer.variables]:
        variable.assign(np.zeros(variable.shape, "float32"))
    model.load_weights(f"{base}{end}")
    return model


def oracle(base, name, digest):
    ways = {".keras": lambda: keras.saving.load_model(f"{base}.keras"), ".weights.h5": lambda: zeroed(base, ".weights.h5"),
            ".weights.json": lambda: zeroed(base, ".weights.json")}
    if pathlib.Path(f"{base}.h5").exists():
        ways[".h5"] = lambda: keras.saving.load_model(f"{base}.h5")
    limit = LIMITS.get(name, (LIMIT,))[0]
    parts, is_right = [], True
    for end, load in ways.items():
        keras.utils.clear_session()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # of variables that did not fit
                warnings.filterwarnings("ignore", category=DeprecationWarning)
                warnings.filterwarnings("ignore", message=".*was passed an input with a mask")
                worst = check_file(load, base, end)
            parts.append(f"{end} {worst:.1e}")
            is_right = is_right and worst < limit
        except Exception as error:  # noqa: BLE001  (whatever Keras refuses is the result)
            parts.append(f"{end} {type(error).__name__}: {' '.join(str(error).split())[:300]}")
            is_right = False
    print(f"{name} {digest} {' '.join(parts)} {'ok' if is_right else 'WRONG'}", flush=True)
    return is_right


def main():
    program, only = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "save", folder], check=True, cwd=ROOT)
        print(f"Keras {keras.__version__} on {keras.config.backend()} opens what Cornu saved.")
        lines = [line.split() for line in (pathlib.Path(folder) / "digests.txt").read_text().splitlines()]
        sys.exit(0 if all([oracle(f"{folder}/{name}", name, digest) for name, digest in lines if not only or name in only]) else 1)


if __name__ == "__main__":
    main()
