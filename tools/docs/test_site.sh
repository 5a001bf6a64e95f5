#!/usr/bin/env bash
# test_site.sh FOLDER [--small]: makes the site in FOLDER (build.sh) and reads it in a browser (browser_test.py); pictures are in FOLDER/screenshots.
# --small: a few pages of each kind, in FOLDER/small, in some seconds.
# Ends with 77, which CTest shows as skipped, where something is not installed: `make docs-browser` does that.
set -euo pipefail
folder=$(realpath -m "${1:?usage: test_site.sh FOLDER [--small]}")
cd "$(dirname "$0")"
for program in doxygen chromium; do
  command -v $program >/dev/null || { echo "test_site.sh: skipped, there is no $program; make docs-browser installs it" >&2; exit 77; }
done
for list in requirements.txt browser_requirements.txt; do
  cmp -s $list "$folder/venv/$list" || { echo "test_site.sh: skipped, $folder/venv lacks tools/docs/$list; run make docs-browser" >&2; exit 77; }
done
./build.sh "$folder" "${@:2}"
exec "$folder/venv/bin/python" browser_test.py "$folder" "${@:2}"
