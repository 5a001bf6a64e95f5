#!/usr/bin/env bash
# qemu_test.sh BUILD_DIRECTORY [CPU...]: runs test programs on emulated CPUs that this machine is not: by default Nehalem (SSE4.2, no AVX:
# level sse2) and Haswell (AVX2, no AVX-512). A program that uses an instruction the CPU lacks dies of SIGILL here. Needs qemu-user 7.2 or
# newer (older ones know no AVX). QEMU_TEST_TIMEOUT: seconds a program may take (default 900).
#
# Left out are tests of rates and of waiting (emulation is some fifty times slower) and of very large programs; of the largest suites a
# part runs, spread over all cases. HalvesRound* because qemu flushes subnormal halves where a CPU's conversion ignores that mode.
set -uo pipefail
build=$1
shift
cpus=("$@")
[ ${#cpus[@]} -gt 0 ] || cpus=(Nehalem Haswell)
cd "$(dirname "$0")/.."
command -v qemu-x86_64 >/dev/null || { echo "qemu-x86_64 is missing (Debian: qemu-user)"; exit 1; }
limit=${QEMU_TEST_TIMEOUT:-900}
export CORNU_NUM_THREADS=2

# A program and its arguments a line; SHARDS=n before it: the first of n parts of its tests.
read -r -d '' programs <<'END'
base_test --gtest_filter=-MachineLimits*:ThreadPoolTest.*Quick*
ir_test
options_test
backends_cpu_test --gtest_filter=-Functions/VectorMathTest.*:OddProgramsTest.PlansOfThousands*:ConvolutionTest.TheSameBits*:UpdatesTest.HalvesRound*
SHARDS=16 backend_conformance_test
SHARDS=4 tensor_test
training_test
SHARDS=16 keras_test
example_01_iris
cornu bench iris_mlp --seconds 0.1
cornu explain mnist_cnn
END

passed=0
failed=0
for cpu in "${cpus[@]}"; do
  qemu="qemu-x86_64 -cpu $cpu"
  echo "== $cpu: $($qemu "$build/bin/cornu" devices 2>/dev/null | head -1)"
  while read -r program arguments; do
    unset GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX
    if [[ $program == SHARDS=* ]]; then
      export GTEST_TOTAL_SHARDS=${program#SHARDS=} GTEST_SHARD_INDEX=0
      read -r program arguments <<<"$arguments"
    fi
    [ -x "$build/bin/$program" ] || { echo "FAILED $program: not built"; failed=$((failed + 1)); continue; }
    start=$(date +%s)
    # shellcheck disable=SC2086 # the arguments are words
    log=$(timeout "$limit" $qemu "$build/bin/$program" $arguments 2>&1 </dev/null)
    code=$?
    seconds=$(($(date +%s) - start))
    if [ $code -eq 0 ]; then
      passed=$((passed + 1))
      echo "passed $program $arguments: $seconds s$(grep -a '^\[==========\] [0-9]* test' <<<"$log" | tail -1 | sed 's/^.*\] \([0-9]*\) .*/, \1 tests/')"
    else
      failed=$((failed + 1))
      echo "FAILED $program $arguments: exit code $code after $seconds s (132 is an illegal instruction, 124 the time limit)"
      grep -a 'FAILED\|Failure\|Illegal' <<<"$log" | head -20
      tail -3 <<<"$log"
    fi
  done <<<"$programs"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
