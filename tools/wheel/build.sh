#!/usr/bin/env bash
# build.sh [BUILD]: makes dist/cornu-*.whl of a finished build (default: build/release).
#
# auditwheel copies libraries that a system may not have (fmt, minizip, zstd, oneDNN) into the wheel and gives it the tag of the oldest
# glibc that it runs with. Where auditwheel cannot be installed the wheel keeps the tag linux_x86_64, for this machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^project(cornu VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
cmake --install "$build" --prefix "$work/installed" --strip >/dev/null
python3 tools/wheel/make_wheel.py "$work/installed" "$version" "$work" >/dev/null
mkdir -p dist
rm -f dist/cornu-*.whl
if python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r tools/wheel/requirements.txt; then
  PATH="$work/venv/bin:$PATH" auditwheel repair --strip --wheel-dir dist "$work"/cornu-*.whl
else
  echo "build.sh: auditwheel cannot be installed: the wheel is for this machine" >&2
  cp "$work"/cornu-*.whl dist/
fi
wheel=$(ls dist/cornu-*.whl)
size=$(stat -c %s "$wheel")
echo "$wheel: $((size / 1000000)) MB"
if [ "$size" -gt 60000000 ]; then
  echo "build.sh: a wheel of more than 60 MB" >&2
  exit 1
fi
