#!/usr/bin/env python3
"""Makes the goldens anew by tools/goldens, in a folder of its own, and compares them with the committed ones.

So a golden is what its script makes of real Keras, and nothing else: no file without a script, none changed by hand, none of other versions.

    python3 -m venv .venv && .venv/bin/pip install -r tools/oracles/requirements.txt
    .venv/bin/python tools/oracles/goldens_oracle.py               # all areas, minutes
    .venv/bin/python tools/oracles/goldens_oracle.py losses models  # only what these write

Names, shapes, integers and texts must be equal. Numbers may differ by TOLERANCE of the largest number of their list, as XLA chooses its
instructions by the machine. Files of Keras and NumPy are compared by what is in them; numbers that Keras gives objects (their addresses)
count by the order in which they come. Other data files and seeds of fuzz corpora (which area datasets writes too) must be equal byte for byte.
Exit code: 0 all agree, 1 something differs, 77 the packages are not installed (CTest: skipped).
"""

import argparse
import importlib.util
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ["tools/goldens", "tools/function_tables.py", "benchmarks/peers", "examples/01_iris", "cornu/keras", "cornu/tensor"]  # what the areas read
COMPARED = ["tests/goldens", "tests/data", "tests/fuzz/corpus"]                    # what they write
NO_AREAS = {"golden", "keras_goldens"}  # of the modules in tools/goldens
MODULES = ["jax", "keras", "numpy"]

TOLERANCE = 1e-5
LEAST_SCALE = 1e-5  # of weights in files: those whose gradient is 0 (biases of attention's keys) hold rounding errors alone
# Of files whose numbers amplify what a single operation is off by, with the reason.
TOLERANCES = {
    "model_iris.json": (1e-3, "three epochs of Adam(0.1)"),
    "model_mlp.json": (1e-3, "three epochs of RMSprop, whose first steps follow signs"),
    "model_cnn.json": (1e-3, "three epochs of Adam"),
    "workloads.json": (1e-3, "up to three steps of networks at full size"),
    "half_layers.json": (2e-2, "float16 and bfloat16; 1.3e-2 between two machines"),
    "mixed_precision.json": (1e-2, "ten steps in float16 and bfloat16"),
}


class Differences:
    """What two goldens differ in, by the path of the value."""

    def __init__(self, tolerance, least_scale=0.0):
        self.tolerance = tolerance
        self.least_scale = least_scale
        self.lines = []
        self.largest = 0.0

    def add(self, path, text):
        self.lines.append(f"{path or '.'}: {text}")

    def compare(self, path, committed, made):
        if is_number_list(committed) and is_number_list(made):
            self.compare_numbers(path, committed, made)
        elif isinstance(committed, dict) and isinstance(made, dict):
            for key in [*committed, *(key for key in made if key not in committed)]:
                if key not in committed or key not in made:
                    self.add(f"{path}.{key}", "only in the committed file" if key in committed else "only in what was made")
                else:
                    self.compare(f"{path}.{key}", committed[key], made[key])
        elif isinstance(committed, list) and isinstance(made, list):
            if len(committed) != len(made):
                self.add(path, f"{len(committed)} committed, {len(made)} made")
            for i, (a, b) in enumerate(zip(committed, made)):
                self.compare(f"{path}[{i}]", a, b)
        elif is_number(committed) and is_number(made):
            self.compare_numbers(path, [committed], [made])
        elif type(committed) is not type(made) or committed != made:
            self.add(path, f"{committed!r} committed, {made!r} made")

    def compare_numbers(self, path, committed, made):
        if len(committed) != len(made):
            return self.add(path, f"{len(committed)} numbers committed, {len(made)} made")
        finite = [abs(x) for x in committed if math.isfinite(x)]
        scale = max([self.least_scale, *finite])
        worst = (0.0, 0)
        for i, (a, b) in enumerate(zip(committed, made)):
            if a == b or (math.isnan(a) and math.isnan(b)):
                continue
            exact = isinstance(a, int) and isinstance(b, int)
            off = math.inf if exact or scale == 0 or not (math.isfinite(a) and math.isfinite(b)) else abs(a - b) / scale
            worst = max(worst, (off, i))
        self.largest = max(self.largest, worst[0])
        if worst[0] > self.tolerance:
            i = worst[1]
            self.add(f"{path}[{i}]", f"{committed[i]!r} committed, {made[i]!r} made: {worst[0]:.1e} of the largest, {scale:.3g}")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_number_list(value):
    return isinstance(value, list) and all(is_number(each) for each in value)


def numbered(config, numbers):
    """A configuration with the objects' numbers counted from 0 and without the module of classes that a script of tools/goldens has."""
    if isinstance(config, list):
        return [numbered(each, numbers) for each in config]
    if not isinstance(config, dict):
        return config
    result = {}
    for key, value in config.items():
        if key == "shared_object_id":
            value = numbers.setdefault(value, len(numbers))
        elif key == "module" and isinstance(value, str) and not value.startswith("keras"):
            value = None
        result[key] = numbered(value, numbers)
    return result


def text_content(text):
    try:
        return numbered(json.loads(text), {})
    except ValueError:
        return text


def array_content(array):
    """dtype, shape and elements; texts that are JSON as what they say."""
    import numpy

    elements = [text_content(each.decode()) if isinstance(each, bytes) else text_content(each) if isinstance(each, str) else each
                for each in numpy.asarray(array).ravel().tolist()]
    return {"dtype": numpy.asarray(array).dtype.kind, "shape": list(numpy.shape(array)), "elements": elements}


def hdf5_content(file):
    import h5py

    with h5py.File(file, "r") as opened:
        content = {"/": {name: array_content(value) for name, value in opened.attrs.items()}}

        def visit(path, item):
            content[path] = {name: array_content(value) for name, value in item.attrs.items()}
            if isinstance(item, h5py.Dataset):
                content[path]["data"] = array_content(item[()])

        opened.visititems(visit)
    return content


def content_of(path, file=None):
    """What is in a file, as lists and dicts; None: nothing is known but its bytes. `file`: where it is, if not at the path."""
    file = file or path.open("rb")
    if path.suffix == ".json" and (path.parent.name == "goldens" or isinstance(file, io.BytesIO)):
        return numbered(json.load(file), {})
    if path.suffix == ".npz":
        import numpy

        with numpy.load(file) as arrays:
            return {name: array_content(arrays[name]) for name in arrays.files}
    if path.suffix == ".h5":
        return hdf5_content(file)
    if path.suffix == ".keras":
        with zipfile.ZipFile(file) as archive:
            return {name: content_of(pathlib.Path(name), io.BytesIO(archive.read(name))) or archive.read(name).hex() for name in archive.namelist()}
    return None


def compare_files(committed, made):
    """(differences, largest difference of numbers) of two files of one name."""
    if committed.read_bytes() == made.read_bytes():
        return [], 0.0
    try:
        contents = content_of(committed), content_of(made)
    except Exception as error:  # whatever a reader says of a file that it cannot read
        return [f"the bytes differ, and cannot be read: {error}"], 0.0
    if None in contents:
        return ["the bytes differ"], 0.0
    differences = Differences(TOLERANCES.get(committed.name, (TOLERANCE, ""))[0], 0.0 if committed.suffix == ".json" else LEAST_SCALE)
    differences.compare("", *contents)
    return differences.lines, differences.largest


def files_below(root):
    return {path.relative_to(root) for folder in COMPARED for path in (root / folder).rglob("*") if path.is_file()}


def report(path, lines, largest=0.0):
    print(f"{path}: {'differs' if lines else 'agrees'}" + (f", numbers by {largest:.1e}" if largest > 0 else ""))
    for line in lines[:10]:
        print(f"  {line}")
    if len(lines) > 10:
        print(f"  and {len(lines) - 10} more")
    sys.stdout.flush()


def oracle(folder, areas):
    """Runs the areas in `folder`, which has a copy of what they read, and compares what they write; (all agree, the files they wrote)."""
    agrees, made = True, set()
    for area in areas:
        if subprocess.run([sys.executable, "tools/goldens/keras_goldens.py", area], cwd=folder, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            print(f"{area}: its script failed")
            agrees = False
        for path in sorted(files_below(folder) - made):
            lines, largest = ["is made, and not committed"], 0.0
            if (ROOT / path).exists():
                lines, largest = compare_files(ROOT / path, folder / path)
            report(path, lines, largest)
            agrees = agrees and not lines
            made.add(path)
    return agrees, made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("areas", nargs="*", help="areas of tools/goldens (default: all)")
    options = parser.parse_args()
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)} (make oracles installs them)")
        sys.exit(77)
    areas = options.areas or sorted(path.stem for path in (ROOT / "tools/goldens").glob("*.py") if path.stem not in NO_AREAS)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for needed in NEEDED:
            if (ROOT / needed).is_file():
                shutil.copy2(ROOT / needed, folder / needed)
            else:
                shutil.copytree(ROOT / needed, folder / needed, ignore=shutil.ignore_patterns("__pycache__"))
        for written in COMPARED:
            (folder / written).mkdir(parents=True)
        agrees, made = oracle(folder, areas)
        # Seeds of fuzz corpora may also be what a fuzzer found; goldens come from scripts only.
        for path in [] if options.areas else sorted(files_below(ROOT) - made):
            if path.parts[1] == "goldens":
                report(path, ["no script of tools/goldens makes it"])
                agrees = False
    sys.exit(0 if agrees else 1)


if __name__ == "__main__":
    main()
