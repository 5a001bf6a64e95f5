#!/usr/bin/env bash
# gpu.sh [DEVICE [FOLDER]]: everything that is to be found out on a machine with an accelerator, unattended, into FOLDER.
#
# DEVICE is what --device takes (default pjrt:cuda); FOLDER is made (default gpu-report). It needs a built tree (build/release: cornu,
# pjrt_training_test, pjrt_conformance_test, pjrt_overhead; for two processes on two GPUs processes_plugin_test) and the plug-in, reaches no network, and takes what Python it finds:
#   CORNU_GPU_PYTHON   interpreters with peers, separated by spaces (JAX and PyTorch with CUDA); default python3
#   CORNU_GPU_MINUTES  about how long the comparison may take (default 15)
#   CORNU_GPU_QUICK=1  two small workloads only: a rehearsal, e.g. gpu.sh pjrt:cpu
# Each part writes a file of its own and the next part runs whatever came of it; summary.txt says how each ended, and so does the exit status.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
device=${1:-pjrt:cuda}
folder=${2:-gpu-report}
bin=$root/build/release/bin
minutes=${CORNU_GPU_MINUTES:-15}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
: >"$folder/summary.txt"
failures=0

# part NAME SECONDS COMMAND...
part() {
  local name=$1 seconds=$2 start=$SECONDS status
  shift 2
  timeout "$seconds" "$@" >"$folder/$name.txt" 2>&1
  status=$?
  [ $status -eq 0 ] || failures=$((failures + 1))
  printf '%-12s %s after %d s\n' "$name" "$([ $status -eq 0 ] && echo done || echo "FAILED with status $status")" $((SECONDS - start)) |
    tee -a "$folder/summary.txt"
}

workloads=(--workload all --spe 1 --spe 50)
losses=(env CORNU_TEST_WORKLOADS=all)
[ -z "${CORNU_GPU_QUICK:-}" ] || { workloads=(--workload iris_mlp --workload mnist_mlp --spe 1 --spe 50 --rounds 2 --seconds 1); losses=(env); }
python=()
for interpreter in ${CORNU_GPU_PYTHON:-python3}; do python+=(--python "$interpreter"); done

part devices 120 "$bin/cornu" devices
# Every row of the table of ops and its gradient beside the reference, by eight processes: what takes time is compiling.
stride=8
[ -z "${CORNU_GPU_QUICK:-}" ] || stride=96
part ops 900 bash -c 'seq 0 7 | xargs -P 8 -I{} env CORNU_TEST_PJRT_DEVICE="$0" CORNU_TEST_CASE_STRIDE="$1" CORNU_TEST_CASE_FIRST={} \
  "$2/pjrt_conformance_test" --gtest_brief=1 --gtest_filter=*Rows*' "$device" $stride "$bin"
# The losses of every workload beside the CPU's, in f32 and in what is fastest.
part losses 600 "${losses[@]}" CORNU_TEST_PJRT_DEVICE="$device" "$bin/pjrt_training_test" --gtest_filter=*Losses*
part fast_losses 600 "${losses[@]}" CORNU_TEST_PJRT_DEVICE="$device,precision=default" CORNU_TEST_LOSS_GATE=0.02 \
  "$bin/pjrt_training_test" --gtest_filter=*Losses*
# The figures, beside the peers in the same minutes.
part figures $((60 * minutes + 300)) python3 "$root/benchmarks/compare.py" "${workloads[@]}" --minutes "$minutes" \
  --json "$folder/figures.json" "${python[@]}" \
  --cornu "$bin/cornu bench {workload} --steps-per-execution {spe} --seconds {seconds} --device $device,precision=default --json"
# What a launch costs beside bare calls of the plug-in.
plugin=${device#pjrt:}
part overhead_50 120 "$bin/pjrt_overhead" iris_mlp 50 "${plugin%%,*}"
part overhead_1 120 "$bin/pjrt_overhead" iris_mlp 1 "${plugin%%,*}"
part explain 300 "$bin/cornu" explain "$([ -z "${CORNU_GPU_QUICK:-}" ] && echo mnist_tpu_cnn || echo mnist_mlp)" --device "$device"
# Two processes with a GPU each, whose gradients NCCL adds up: losses beside one device's, and the time of a step beside one process.
# cornu devices says "2 x GPU" in the line of the plug-in.
gpus=$(grep "${plugin%%,*}" "$folder/devices.txt" | grep -o '[0-9]* x GPU' | head -1 | cut -d' ' -f1)
if [ "${gpus:-0}" -lt 2 ] || ! command -v mpirun >/dev/null; then
  echo "ranks        skipped: two processes want two GPUs and mpirun; there are ${gpus:-0} GPUs" | tee -a "$folder/summary.txt"
  exit $((failures > 0))
fi
ranks=(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2)
part ranks_losses 600 env CORNU_TEST_PROCESS_DEVICES="$device" "${ranks[@]}" "$bin/processes_plugin_test"
for workload in mnist_cnn cifar_2m_b256; do
  for k in 1 50; do
    part "ranks_${workload}_$k" 300 "${ranks[@]}" "$bin/cornu" bench $workload --steps-per-execution $k --processes \
      --device "$device,precision=default"
    part "rank_${workload}_$k" 300 "$bin/cornu" bench $workload --steps-per-execution $k --device "$device,precision=default"
  done
done
exit $((failures > 0))
