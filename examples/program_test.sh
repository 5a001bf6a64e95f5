#!/usr/bin/env bash
# program_test.sh FOLDER PROGRAMS...: the examples with flags as their user meets them: help, wrong flags, files that are not there, a metric missed.
set -uo pipefail
folder=$1
shift
failures=0

# expect NAME EXIT_CODE PATTERN PROGRAM ARGUMENTS...: the exit code, and the pattern somewhere in what was printed.
expect() {
  local name=$1 code=$2 pattern=$3 program=$4 output actual=0
  shift 4
  output=$("$folder/$program" "$@" 2>&1) || actual=$?
  if [ "$actual" -ne "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED $name: $program $* gave exit code $actual (wanted $code), wanted /$pattern/ in:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

for program in "$@"; do
  expect "help of $program" 0 "--data" "$program" --help
  expect "no data for $program" 1 "/nowhere" "$program" --data /nowhere
done
expect unknown_flag 109 "--epoch" example_05_digits --epoch
expect metric_missed 1 "test accuracy 0\.[0-9]+ is below 0\.9" example_05_digits --epochs 1

[ $failures -eq 0 ] || exit 1
echo "examples: fine"
