#!/usr/bin/env bash
# Makes .venv with what the judges need (tools/judges/requirements.txt), unless it is there, and points build/release at it.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ ! -e .venv/requirements.txt ] || ! cmp -s tools/judges/requirements.txt .venv/requirements.txt; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --require-hashes --only-binary :all: -r tools/judges/requirements.txt
  cp tools/judges/requirements.txt .venv/requirements.txt
fi
cmake --preset release -DCORNU_JUDGE_PYTHON="$PWD/.venv/bin/python" >/dev/null
