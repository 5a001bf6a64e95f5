#!/usr/bin/env bash
# run_tests.sh BUILD_DIRECTORY LABELS: runs the tests with these CTest labels; the last line is 'N passed, N failed'.
set -uo pipefail
build=$1
labels=$2
report=$build/test_report.xml
rm -rf "$report" "$build/test_code" # what the tests compile, each program once; nothing of an earlier run
rm -f "$build/Testing/Temporary/CTestCostData.txt" # the order is that of COST, with an earlier run as without (docs/adr/0112)
# One more than there are processors: some wait for time limits and links that are cut.
ctest --test-dir "$build" -j "$(($(nproc) + 1))" -L "$labels" --no-tests=error --output-on-failure --timeout 600 --output-junit "$(realpath "$build")/test_report.xml"
code=$?
if [ ! -s "$report" ]; then
  echo "ctest wrote no report (exit code $code)" >&2
  echo "0 passed, 1 failed"
  exit 1
fi
total=$(grep -c '<testcase ' "$report")
passed=$(grep -c '<testcase .*status="run"' "$report")
skipped=$(grep -c -E '<skipped message="(SKIP_|Disabled)' "$report") # a test whose program is missing is "skipped" too, and has failed
failed=$((total - passed - skipped))
if [ "$code" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
exit "$code"
