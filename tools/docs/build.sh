#!/usr/bin/env bash
# build.sh FOLDER: the documentation site, FOLDER/html/index.html, by the generator in FOLDER/venv (make_venv.sh). Fails at a link that leads
# nowhere and at every warning of Doxygen and MkDocs.
set -euo pipefail
folder=$(realpath -m "${1:?usage: build.sh FOLDER}")
cd "$(dirname "$0")/../.."
export HEADERS=$folder/headers OUTPUT=$folder REFERENCE=$folder/reference SITE=$folder/html
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
python=$folder/venv/bin/python
python3 tools/docs/links.py
rm -rf "$HEADERS" "$folder/xml" "$REFERENCE" "$SITE"
python3 tools/docs/headers.py "$HEADERS"
doxygen tools/docs/Doxyfile
"$python" tools/docs/reference.py "$folder/xml" "$REFERENCE"
"$python" -m mkdocs --quiet build --config-file tools/docs/mkdocs.yml
python3 tools/docs/links.py "$SITE"
echo "docs: $SITE/index.html"
