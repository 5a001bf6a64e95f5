#!/usr/bin/env bash
# fuzz.sh [SECONDS]: builds the fuzz targets with Clang and runs each that long (default 30) from its committed corpus. What it finds lies
# in build/fuzz/found afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target fuzz
mkdir -p build/fuzz/found
for program in build/fuzz/bin/fuzz_*; do
  name=${program##*/fuzz_}
  [ -d "tests/fuzz/corpus/$name" ] || continue
  mkdir -p "build/fuzz/corpus/$name"
  echo "fuzz $name: $seconds s"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -artifact_prefix="build/fuzz/found/$name-" -verbosity=0 \
    -print_final_stats=1 "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" 2>&1 | grep -E "number_of_executed|ERROR|SUMMARY|fuzz:" || true
done
if compgen -G "build/fuzz/found/*" >/dev/null; then
  echo "fuzz: found something:" build/fuzz/found/*
  exit 1
fi
echo "fuzz: fine"
