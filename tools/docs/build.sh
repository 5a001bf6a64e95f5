#!/usr/bin/env bash
# build.sh FOLDER: the documentation site, FOLDER/html/index.html. Fails at a link that leads nowhere and at every warning of Doxygen.
set -euo pipefail
folder=$(realpath -m "${1:?usage: build.sh FOLDER}")
cd "$(dirname "$0")/../.."
rm -rf "$folder"
mkdir -p "$folder"
export PAGES=$folder/pages OUTPUT=$folder/html
VERSION=$(sed -n -E 's/^project\(cornu VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
export VERSION
python3 tools/docs/pages.py "$PAGES"
doxygen tools/docs/Doxyfile
python3 tools/docs/links.py "$OUTPUT"
echo "docs: $OUTPUT/index.html"
