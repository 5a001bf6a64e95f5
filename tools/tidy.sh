#!/usr/bin/env bash
# clang-tidy over the whole tree, warnings as errors (see .clang-tidy). Usage: tools/tidy.sh [REGEX of files]
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset tidy --log-level=WARNING
run-clang-tidy-19 -quiet -p build/tidy "${1:-$PWD/(cornu|cli|examples|tests)/.*}" 2>/dev/null >build/tidy/report.txt || {
  grep -E '(warning|error):' build/tidy/report.txt | sort -u
  echo "tidy: $(grep -E '(warning|error):' build/tidy/report.txt | sort -u | wc -l) findings (build/tidy/report.txt has them in full)" >&2
  exit 1
}
echo "tidy: clean"
