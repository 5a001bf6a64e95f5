#!/usr/bin/env bash
# study_page_test.sh PROGRAM FOLDER: reads the page of a study in a headless Chromium (study_page_test.py); pictures are in FOLDER/study.
# Ends with 77, which CTest shows as skipped, where something is not installed: `make docs-browser` does that.
set -euo pipefail
program=${1:?"usage: study_page_test.sh PROGRAM FOLDER"} folder=${2:?"usage: study_page_test.sh PROGRAM FOLDER"}
here=$(dirname "$(realpath "$0")")
command -v chromium >/dev/null || { echo "study_page_test.sh: skipped, there is no chromium; make docs-browser installs it" >&2; exit 77; }
list=browser_requirements.txt
cmp -s "$here/../tools/docs/$list" "$folder/venv/$list" || { echo "study_page_test.sh: skipped, $folder/venv lacks tools/docs/$list; run make docs-browser" >&2; exit 77; }
exec "$folder/venv/bin/python" "$here/study_page_test.py" "$program" "$folder/study"
