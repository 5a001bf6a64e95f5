#!/usr/bin/env bash
# Makes .venv with the packages of tools/oracles/requirements.txt, unless it is there, and points build/release at it.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ ! -e .venv/requirements.txt ] || ! cmp -s tools/oracles/requirements.txt .venv/requirements.txt; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --require-hashes --only-binary :all: -r tools/oracles/requirements.txt
  .venv/bin/pip install --quiet --require-hashes -r tools/oracles/actionlint_requirements.txt ||
    echo "actionlint cannot be installed: its program cannot be fetched from here. The test workflow_oracle will be skipped." >&2
  cp tools/oracles/requirements.txt .venv/requirements.txt
fi
cmake --preset release -DCORNU_ORACLE_PYTHON="$PWD/.venv/bin/python" >/dev/null
