#!/usr/bin/env bash
# ahead_test.sh PROGRAM PLUGINS: `cornu compile` for a GPU and for TPUs that are not here, every workload, single steps and fifty.
set -uo pipefail
program=$1 folder=$2
cuda=$folder/jax_plugins/xla_cuda13/xla_cuda_plugin.so tpu=$folder/libtpu/libtpu.so
if [ ! -s "$cuda" ] || [ ! -s "$tpu" ]; then
  echo "the plug-ins for chips that are not here are not there: see tools/fetch_pjrt_ahead.sh"
  exit 77
fi
export CORNU_PJRT_PLUGINS=cuda=$cuda,tpu=$tpu
failures=0

# compile PROGRAM TARGET [PRECISION]: both programs are reported on, with a prediction, and the state's donation is kept.
compile() {
  local output started=$SECONDS
  output=$("$program" compile "$1" --target "$2" --precision "${3:-highest}" --steps-per-execution 50 2>&1)
  if [ $? -ne 0 ] || [ "$(grep -c '^predicted: a step takes' <<<"$output")" -ne 2 ] || [ "$(grep -c '^donated: .*: kept$' <<<"$output")" -ne 2 ]; then
    echo "FAILED: cornu compile $1 --target $2 --precision ${3:-highest} gave:"
    echo "$output"
    failures=$((failures + 1))
  else
    echo "$1 for $2, precision ${3:-highest}: compiled and predicted after $((SECONDS - started)) s"
  fi
}

# Who compiles ahead of time uses no TPU: several may at once, and what a plug-in does not find here is no news.
together=$(mktemp -d)
for i in 1 2; do
  CORNU_CACHE_DIR=off "$program" compile iris_mlp --target v5e:2x2 >"$together/out$i" 2>"$together/err$i" &
done
wait
CORNU_CACHE_DIR=off "$program" compile iris_mlp --target h100 >"$together/out3" 2>"$together/err3"
for i in 1 2 3; do
  if ! grep -q '^predicted: a step takes' "$together/out$i" || [ -s "$together/err$i" ]; then
    echo "FAILED: two processes that compile iris_mlp for a TPU at once, and one for a GPU; number $i said:"
    cat "$together/out$i" "$together/err$i"
    failures=$((failures + 1))
  fi
done
rm -rf "$together"

workloads=${CORNU_TEST_WORKLOADS:-$("$program" explain --help | sed -n 's/.*one of: //p' | tr -d ',')}
# Convolutions in full precision are six passes of bf16 on a TPU, which take its compiler up to twelve minutes a workload.
for workload in $workloads; do
  compile "$workload" h200
  compile "$workload" v5e:2x2 default
done
compile mnist_mlp v5e:2x2
for target in h100 a100 v4:2x2x1 v5p:2x2x1 v6e:1x1 tpu7x:2x2x1; do compile iris_mlp "$target"; done
exit $((failures > 0))
