#!/usr/bin/env bash
# clang-tidy over the whole tree, warnings as errors (see .clang-tidy). Usage: tools/tidy.sh [REGEX of files]
# Tests get all checks but the static analyzer's, which spends minutes in each on GoogleTest's macros, and that for
# push_back in loops: tests fill short lists.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset tidy >/dev/null
report=build/tidy/report.txt
: >$report
code=0
if [ $# -gt 0 ]; then
  run-clang-tidy-19 -quiet -p build/tidy "$1" >>$report 2>/dev/null || code=1
else
  run-clang-tidy-19 -quiet -p build/tidy "^$PWD/(cornu|cli|examples|tests)/.*(?<!_test)\.cc$" >>$report 2>/dev/null || code=1
  run-clang-tidy-19 -quiet -p build/tidy -checks=-clang-analyzer-*,-performance-inefficient-vector-operation "^$PWD/(cornu|cli|tests)/.*_test\.cc$" >>$report 2>/dev/null || code=1
fi
if [ $code -ne 0 ]; then
  grep -E '(warning|error):' $report | sort -u
  echo "tidy: $(grep -E '(warning|error):' $report | sort -u | wc -l) findings ($report has them in full)" >&2
  exit 1
fi
echo "tidy: clean"
