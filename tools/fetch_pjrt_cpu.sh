#!/usr/bin/env bash
# fetch_pjrt_cpu.sh header|plugin FOLDER: puts pjrt_c_api.h, or the plug-in xla_cpu_pjrt.so too, into FOLDER; what is there stays.
#
# Both come from one wheel of 64 MB, which pip downloads from wherever it is configured to (a mirror, a folder: PIP_INDEX_URL,
# PIP_FIND_LINKS, pip.conf) and accepts by its hash alone. Ends with 77, which CTest shows as skipped, where it cannot be had.
set -euo pipefail
what=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
case $what in
  header) member=xla_plugins/xla_cpu_pjrt/include/pjrt_c_api.h ;;
  plugin) member=xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so ;;
  *) echo "fetch_pjrt_cpu.sh: header or plugin, not \"$what\"" >&2; exit 2 ;;
esac
file=$folder/$(basename "$member")
[ -s "$file" ] && exit 0
mkdir -p "$folder"
wheels=("$folder"/xla_cpu_pjrt-*.whl)
if [ ! -s "${wheels[0]}" ]; then
  if ! python3 -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 20 --no-deps --only-binary :all: \
      --require-hashes --requirement "$here/pjrt_cpu_requirements.txt" --dest "$folder" >&2; then
    echo "fetch_pjrt_cpu.sh: pip cannot download xla-cpu-pjrt 0.0.1 (is python3-pip installed, is an index reachable?)" >&2
    exit 77
  fi
  wheels=("$folder"/xla_cpu_pjrt-*.whl)
fi
# Unpacked beside and renamed: a file that is there is whole.
unpacked=$(mktemp -d "$folder/unpack.XXXXXX")
trap 'rm -rf "$unpacked"' EXIT
python3 - "${wheels[0]}" "$member" "$unpacked" <<'PY'
import sys, zipfile
wheel, member, folder = sys.argv[1:]
zipfile.ZipFile(wheel).extract(member, folder)
PY
mv "$unpacked/$member" "$file"
