#!/usr/bin/env bash
# plugin_test.sh FOLDER: examples on the plug-in for CPUs, which stands for those of GPUs and TPUs.
set -uo pipefail
folder=$1
plugin=${CORNU_PJRT_PLUGINS#*=}
if [ ! -e "$plugin" ]; then
  echo "skipped: the plug-in for CPUs is not there"
  exit 0
fi
failures=0
for program in "example_04_mnist_mlp --quick" "example_05_digits --quick" "example_01_iris"; do
  # shellcheck disable=SC2086
  if ! output=$("$folder"/$program --device pjrt:cpu 2>&1) || ! grep -q "device pjrt:cpu: " <<<"$output"; then
    echo "FAILED $program --device pjrt:cpu:"
    echo "$output"
    failures=$((failures + 1))
  fi
done
[ $failures -eq 0 ] || exit 1
echo "examples on a plug-in: fine"
