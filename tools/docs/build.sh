#!/usr/bin/env bash
# build.sh FOLDER [--small]: the documentation site, FOLDER/html/index.html, by the generator in FOLDER/venv (make_venv.sh). Fails at a link that
# leads nowhere and at every warning of Doxygen and MkDocs. --small: FOLDER/small/html, which has of the reference the core layers only, and no
# decisions; links to pages that it lacks lead nowhere.
set -euo pipefail
folder=$(realpath -m "${1:?usage: build.sh FOLDER [--small]}")
python=$folder/venv/bin/python
small=${2:-}
[ -z "$small" ] || { folder=$folder/small; export SMALL=true; }
cd "$(dirname "$0")/../.."
export HEADERS=$folder/headers OUTPUT=$folder REFERENCE=$folder/reference SITE=$folder/html
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
python3 tools/docs/links.py
rm -rf "$HEADERS" "$folder/xml" "$REFERENCE" "$SITE"
python3 tools/docs/headers.py "$HEADERS" $small
doxygen tools/docs/Doxyfile
"$python" tools/docs/reference.py "$folder/xml" "$REFERENCE"
"$python" -m mkdocs --quiet build ${small:+--no-strict} --config-file tools/docs/mkdocs.yml
[ -n "$small" ] || python3 tools/docs/links.py "$SITE"
echo "docs: $SITE/index.html"
