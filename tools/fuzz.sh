#!/usr/bin/env bash
# fuzz.sh [SECONDS]: builds the fuzz targets with Clang and runs each that long (default 30) from its committed corpus. What it finds lies
# in build/fuzz/found afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target fuzz
mkdir -p build/fuzz/found
failed=()
for program in build/fuzz/bin/fuzz_*; do
  name=${program##*/fuzz_}
  [ -d "tests/fuzz/corpus/$name" ] || continue
  mkdir -p "build/fuzz/corpus/$name"
  echo "fuzz $name: $seconds s"
  log=build/fuzz/$name.log
  status=0
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -artifact_prefix="build/fuzz/found/$name-" -verbosity=0 \
    -print_final_stats=1 "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1 || status=$?
  grep -E "number_of_executed|ERROR|SUMMARY|fuzz:" "$log" || true
  # A target may also die without leaving what killed it, e.g. at its start.
  if [ "$status" -ne 0 ] || ! grep -q "number_of_executed_units: [1-9]" "$log"; then
    echo "fuzz $name: exit code $status"
    tail -n 20 "$log"
    failed+=("$name")
  fi
done
if [ ${#failed[@]} -ne 0 ]; then
  echo "fuzz: failed: ${failed[*]}"
fi
if compgen -G "build/fuzz/found/*" >/dev/null; then
  echo "fuzz: found something:" build/fuzz/found/*
  exit 1
fi
[ ${#failed[@]} -eq 0 ] || exit 1
echo "fuzz: fine"
