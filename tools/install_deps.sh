#!/usr/bin/env bash
# Installs the Debian packages that the given lists name (default: tools/debian-packages.txt). Does nothing, not even ask for rights, when
# all of them are there.
set -euo pipefail
cd "$(dirname "$0")"
lists=("$@")
[ ${#lists[@]} -gt 0 ] || lists=(debian-packages.txt)

if ! command -v dpkg-query >/dev/null; then
  echo "make deps knows Debian 12 only. Install by hand what tools/debian-packages.txt names, then use cmake --preset release." >&2
  exit 1
fi
missing=()
for package in $(sed 's/#.*//' "${lists[@]}"); do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "deps: all packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "make deps must install: ${missing[*]}" >&2
    echo "That needs root or sudo, and there is neither. Ask an administrator to run: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "deps: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
