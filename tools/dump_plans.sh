#!/usr/bin/env bash
# Writes what every workload's steps are compiled to, to compare before and after a refactor:
#   tools/dump_plans.sh build/release/bin/cornu before; (change, build); tools/dump_plans.sh build/release/bin/cornu after; diff -r before after
# Plans as text, the emitted code (LLVM IR) as a checksum.
set -euo pipefail
cornu=$1
out=$2
mkdir -p "$out"
workloads=$("$cornu" bench list | sed -n -E '/^Whole runs/q; s/^  ([a-z0-9_]+)  +.*/\1/p')
[ -n "$workloads" ] || { echo "$cornu names no workloads" >&2; exit 1; }
export CORNU_CACHE_DIR=off
for workload in $workloads; do
  for isa in avx2 sse2; do
    "$cornu" explain "$workload" --threads 2 --isa $isa --stage plan > "$out/$workload.$isa.plan"
    "$cornu" explain "$workload" --threads 2 --isa $isa --stage llvm | md5sum > "$out/$workload.$isa.llvm.md5"
  done
  "$cornu" explain "$workload" --threads 2 --isa avx2 --predict --stage plan > "$out/$workload.predict.plan"
done
