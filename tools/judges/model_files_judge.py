"""Real Keras opens what Cornu saved, and gives the same numbers.

Usage: KERAS_BACKEND=jax python tools/judges/model_files_judge.py CORNU

What it printed last stands in tools/judges/model_files_judge.txt.

CORNU is the program. Of each model in tests/data/keras: Cornu trains a copy for one step and saves it as .keras and as .h5; Keras loads both, and
its predictions, before and behind one further step of training (which takes the optimizer's state), are compared with Cornu's.
"""

import pathlib
import subprocess
import sys
import tempfile

import keras
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "goldens"))
import model_files  # noqa: E402,F401  (registers the custom layer)

LIMIT = 1e-5


def difference(got, expected):
    got, expected = np.asarray(got, "float64"), np.asarray(expected, "float64")
    if got.shape != expected.shape:
        return np.inf
    return np.abs(got - expected).max(initial=0) / max(1e-30, np.sqrt(np.mean(expected**2)) if expected.size else 1)


def arrays(golden, prefix):
    found = {key[len(prefix) + 1:]: golden[key] for key in golden.files if key.startswith(prefix + "/")}
    return found or golden[prefix]


def save_npz(path, value):
    np.savez(path, **(value if isinstance(value, dict) else {"arr_0": value}))


def judge(cornu, name, folder):
    golden = np.load(ROOT / "tests" / "data" / "keras" / f"{name}.npz")
    x, y = arrays(golden, "x"), arrays(golden, "y")
    rows = len(next(iter(x.values())) if isinstance(x, dict) else x)
    save_npz(folder / "x.npz", x)
    save_npz(folder / "y.npz", y)
    worst = 0.0
    for end in (".keras", ".h5"):
        saved = folder / f"{name}{end}"

        def run(model, action, *more):
            subprocess.run([cornu, "model", model, action, "--inputs", folder / "x.npz", "--batch-size", str(rows), *more], check=True,
                           capture_output=True)

        run(ROOT / "tests/data/keras" / f"{name}.keras", "train", "--labels", folder / "y.npz", "--no-shuffle", "--save", saved)
        run(saved, "predict", "--output", folder / "before.npz")
        run(saved, "train", "--labels", folder / "y.npz", "--no-shuffle", "--save", folder / "next.keras")
        run(folder / "next.keras", "predict", "--output", folder / "after.npz")
        model = keras.saving.load_model(saved)
        for file in ("before.npz", "after.npz"):
            expected = np.load(folder / file)
            got = model.predict(x, verbose=0)
            got = got if isinstance(got, dict) else {expected.files[0]: got}
            worst = max([worst] + [difference(got[key], expected[key]) for key in got])
            if file == "before.npz":
                model.train_on_batch(x, y)
    print(f"{name:<12} {worst:.1e} {'ok' if worst < LIMIT else 'WRONG'}", flush=True)
    return worst < LIMIT


def main():
    cornu = pathlib.Path(sys.argv[1]).resolve()
    print(f"Keras {keras.__version__} on {keras.config.backend()} opens what Cornu saved; the largest difference of predictions before and behind a step")
    names = [path.stem for path in sorted((ROOT / "tests" / "data" / "keras").glob("*.h5"))]
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(0 if all([judge(cornu, name, pathlib.Path(folder)) for name in names]) else 1)


if __name__ == "__main__":
    main()
