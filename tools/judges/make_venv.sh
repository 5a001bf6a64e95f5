#!/usr/bin/env bash
# Makes .venv with the packages of tools/judges/requirements.txt, unless it is there, and points build/release at it.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ ! -e .venv/requirements.txt ] || ! cmp -s tools/judges/requirements.txt .venv/requirements.txt; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --require-hashes --only-binary :all: -r tools/judges/requirements.txt
  .venv/bin/pip install --quiet --require-hashes -r tools/judges/actionlint_requirements.txt ||
    echo "actionlint cannot be installed: its program cannot be fetched from here. The test workflow_judge will be skipped." >&2
  cp tools/judges/requirements.txt .venv/requirements.txt
fi
cmake --preset release -DCORNU_JUDGE_PYTHON="$PWD/.venv/bin/python" >/dev/null
