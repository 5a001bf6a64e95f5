#!/usr/bin/env python3
"""actionlint checks the workflows of hosted CI, .github/workflows.

Usage: python tools/oracles/workflow_oracle.py. The program is the one beside this Python (tools/oracles/make_venv.sh installs it), or on PATH.
Exit code: actionlint's; 77 it is not installed (CTest: skipped).
"""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    beside = pathlib.Path(sys.executable).parent
    program = shutil.which("actionlint", path=os.pathsep.join([str(beside), os.environ.get("PATH", "")]))
    if program is None:
        print("actionlint is not installed")
        return 77
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    if not workflows:
        print("there is no workflow in .github/workflows")
        return 1
    result = subprocess.run([program, "-no-color", *workflows], cwd=ROOT, check=False)
    if result.returncode == 0:
        print("actionlint has no findings in " + ", ".join(path.name for path in workflows))
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
