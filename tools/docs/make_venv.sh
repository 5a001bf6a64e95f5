#!/usr/bin/env bash
# make_venv.sh FOLDER LIST...: a virtual environment in FOLDER with the packages of the lists, by pip and by hash, unless it has them.
set -euo pipefail
folder=$1
shift
cd "$(dirname "$0")"
for list in "$@"; do
  cmp -s "$list" "$folder/$list" && continue
  [ -x "$folder/bin/python" ] || python3 -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps -r "$list"
  cp "$list" "$folder/"
done
