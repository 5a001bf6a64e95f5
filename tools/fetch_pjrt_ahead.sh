#!/usr/bin/env bash
# fetch_pjrt_ahead.sh FOLDER: puts the plug-ins for CUDA and TPUs into FOLDER (340 MB to download, 1 GB on disk); what is there stays.
#
# They are downloaded only where CORNU_FETCH_LARGE=1 says so, by pip and by hash (see fetch_pjrt_cpu.sh). libtpu is under Google's terms: it is
# used by tests here and shipped with nothing. Ends with 77, which CTest shows as skipped, where they are not to be had.
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
cuda=$folder/jax_plugins/xla_cuda13/xla_cuda_plugin.so tpu=$folder/libtpu/libtpu.so
[ -s "$cuda" ] && [ -s "$tpu" ] && exit 0
if [ "${CORNU_FETCH_LARGE:-}" != 1 ]; then
  echo "fetch_pjrt_ahead.sh: the plug-ins for chips that are not here are large: CORNU_FETCH_LARGE=1 downloads them" >&2
  exit 77
fi
mkdir -p "$folder"
if ! python3 -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 60 --no-deps --only-binary :all: --require-hashes \
    --requirement "$here/pjrt_ahead_requirements.txt" --target "$folder" >&2; then
  echo "fetch_pjrt_ahead.sh: pip cannot download jax-cuda13-pjrt and libtpu (is an index reachable, is this Python 3.11 on x86-64?)" >&2
  exit 77
fi
