#!/usr/bin/env python3
"""Records all cases and compares Cornu with them: the test all_keras_cases of the full tier.

Usage: check.py KERAS_CASES [RECORDED]

KERAS_CASES is the program of tests/keras_cases. With RECORDED, a file that exists is compared instead, and one that does not exist keeps the recording.

Exit code: 0 all cases are the same or expected, 1 something else, 77 the packages are not installed (CTest: skipped).
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def main():
    program, kept = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        recorded = pathlib.Path(kept[0] if kept else f"{folder}/keras_cases.jsonl").resolve()
        if not recorded.exists():
            with recorded.open("wb") as file:
                for arguments in ([], ["--float64"]):
                    part = pathlib.Path(folder) / "part.jsonl"
                    code = subprocess.run([sys.executable, HERE / "record.py", *arguments, part], check=False).returncode
                    if code != 0:
                        sys.exit(code)
                    file.write(part.read_bytes())
        sys.exit(subprocess.run([program, "tests/keras_cases/expectations.json", recorded], cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
