#!/usr/bin/env python3
"""Records cases and compares Cornu with them: the tests all_keras_cases and random_keras_models of the full tier.

Usage: check.py KERAS_CASES [RECORDED] [--random COUNT] [--seed N]

KERAS_CASES is the program of tests/keras_cases. With RECORDED, a file that exists is compared instead, and one that does not exist keeps the recording.
With --random the cases are those of COUNT random models, else those of Keras's own tests.

Exit code: 0 all cases are the same or expected, 1 something else, 77 the packages are not installed (CTest: skipped).
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("recorded", type=pathlib.Path, nargs="?")
    parser.add_argument("--random", type=int, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    recorders = [["record.py"], ["record.py", "--float64"]]
    if options.random:
        recorders = [["random_models.py", "--count", str(options.random), "--seed", str(options.seed)]]
    expectations = "random_expectations.json" if options.random else "expectations.json"
    with tempfile.TemporaryDirectory() as folder:
        recorded = (options.recorded or pathlib.Path(folder) / "keras_cases.jsonl").resolve()
        if not recorded.exists():
            with recorded.open("wb") as file:
                for recorder, *arguments in recorders:
                    part = pathlib.Path(folder) / "part.jsonl"
                    code = subprocess.run([sys.executable, HERE / recorder, *arguments, part], check=False).returncode
                    if code != 0:
                        sys.exit(code)
                    file.write(part.read_bytes())
        sys.exit(subprocess.run([options.program.resolve(), f"tests/keras_cases/{expectations}", recorded], cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
