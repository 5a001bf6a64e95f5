#!/usr/bin/env bash
# coverage.sh [TEST...]: builds with GCC's counters, runs tests, and says which share of each folder's lines they run.
# Without names: all default tests. A name is a folder's test, as `ctest -N` lists it (base, ir, backends_cpu). What it writes:
#   build/coverage/summary.txt   a line a folder of LAYERS, and the files with most lines that no test runs
#   build/coverage/files.json    gcovr's figures of each file
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/coverage
cmake --preset coverage >/dev/null
if [ $# -gt 0 ]; then
  cmake --build $build --target "${@/%/_test}"
  tests=(-R "^($(IFS='|'; echo "$*"))$")
else
  cmake --build $build
  tests=(-L 'smoke|unit')
fi
find $build -name '*.gcda' -delete
failed=0
ctest --test-dir $build -j "$(nproc)" "${tests[@]}" --no-tests=error --output-on-failure || failed=1
# What is generated is no file of ours; lines of tests run by themselves.
gcovr --root . --object-directory $build -j "$(nproc)" --exclude "$build/" --exclude 'tests/' --exclude '.*_test\.cc$' \
  --exclude '.*_test_support\..*' --exclude '.*_cases\.cc$' --exclude-unreachable-branches --json-summary $build/files.json
python3 tools/coverage_summary.py . $build/files.json | tee $build/summary.txt
[ $failed -eq 0 ] || { echo "coverage: a test failed; its lines count as far as it came" >&2; exit 1; }
