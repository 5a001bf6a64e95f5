#!/usr/bin/env bash
# program_test.sh PROGRAM VERSION: tests the program from the command line.
set -uo pipefail
program=$1
version=$2
failures=0
unset COLUMNS

# expect NAME EXIT_CODE PATTERN ARGUMENTS...: the exit code, and the pattern somewhere in what it printed.
expect() {
  local name=$1 code=$2 pattern=$3 output actual=0
  shift 3
  output=$("$program" "$@" 2>&1) || actual=$?
  if [ "$actual" -ne "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED $name: cornu $* gave exit code $actual (wanted $code), wanted /$pattern/ in:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

expect version 0 "^cornu $version\$" --version
expect help 0 "bench.*" --help
expect help_of_no_command 106 'cornu has no command "nosuch"' nosuch --help
expect help_of_subcommand 0 "^Usage: cornu model FILE train" model train --help
expect help_command 0 "^Usage: cornu bench WORKLOAD" help bench
expect nothing_asked 106 "^  bench +Times training steps" # the commands, and CLI11's exit code for a missing one
expect command_of_a_command 106 'did you mean "cornu model FILE train"' train
expect nothing_given 106 "^cornu bench needs WORKLOAD" bench
expect devices 0 "^cpu +.*, [0-9]+ threads, instruction set" devices
CORNU_NUM_THREADS=3 expect devices_threads 0 "^cpu +.*, 3 threads, instruction set" devices
CORNU_NUM_THREADS=0 expect devices_no_threads 1 'CORNU_NUM_THREADS must be an integer from 1 to 1024; got "0"' devices
CORNU_NUM_THREADS=many expect bench_bad_threads 1 'CORNU_NUM_THREADS must be .*; got "many"' bench iris_mlp --seconds 0.1
expect bench_iris_json 0 '^\{"workload":"iris_mlp","peer":"cornu",.*"spe":50,"params":259,"threads":[0-9]+,"isa":"[a-z0-9]+","ms_step":.*"startup_s":.*"rss_mb":[0-9]+\}$' \
  bench iris_mlp --steps-per-execution 50 --seconds 0.1 --json
expect bench_text 0 "us a step" bench iris_mlp --seconds 0.1
expect bench_threads 0 '"threads":2,"isa":"sse2",' bench iris_mlp --seconds 0.1 --threads 2 --isa sse2 --json
CORNU_NUM_THREADS=2 expect bench_environment 0 '"threads":2,' bench iris_mlp --seconds 0.1 --json
CORNU_NUM_THREADS=2 expect bench_threads_win 0 '"threads":1,' bench iris_mlp --seconds 0.1 --threads 1 --json
expect unknown_workload 1 'unknown workload "iris_mpl"; did you mean "iris_mlp"' bench iris_mpl
expect unknown_run 1 'unknown workload "iris_fit_shrot"; did you mean "iris_fit_short"' bench iris_fit_shrot
expect unknown_at_all 1 'unknown workload "nosuch"; "cornu bench list" shows' bench nosuch
expect bench_list 0 "^  data_jpeg +JPEGs of 500 x 375" bench list
expect no_training_step 1 'data_map is no training step' explain data_map
expect unknown_isa 105 "must be one of: sse2, avx2, avx512; got mmx" bench iris_mlp --isa mmx
expect no_steps 105 "steps-per-execution" bench iris_mlp --steps-per-execution 0
expect bench_policy 0 '"policy":"mixed_bfloat16"' bench iris_mlp --seconds 0.1 --policy mixed_bfloat16 --json
expect bench_precision 0 '"precision":"high"' bench iris_mlp --seconds 0.1 --precision high --json
expect bench_bad_precision 1 'precision must be one of "auto"' bench iris_mlp --seconds 0.1 --precision medium
expect bench_precision_no_step 105 "limit is no training step" bench limit --precision high
expect bench_bad_policy 1 'mixed_bfloat16' bench iris_mlp --seconds 0.1 --policy mixed_bfloat
expect bench_policy_no_step 105 "limit is no training step" bench limit --policy mixed_bfloat16
expect bench_replicas_no_step 105 "--replicas: iris_fit_short is no training step" bench iris_fit_short --replicas 2
expect bench_data_threads 0 '"threads":1,' bench data_map --seconds 0.1 --threads 1 --json
CORNU_NUM_THREADS=3 expect bench_data_environment 0 '"threads":3,' bench data_map --seconds 0.1 --json
TMPDIR=/no/such/folder expect bench_no_folder 1 "no folder for temporary files: .*; set TMPDIR" bench data_tfrecord --seconds 0.1
expect bench_steps_auto 0 '"spe":"auto"' bench iris_fit_auto --seconds 0.1 --json
expect limit 0 "GFLOP/s" bench limit --seconds 0.2
expect explain 0 "arena" explain iris_mlp
expect explain_predict 0 "arena" explain iris_mlp --predict
expect explain_plan 0 "^plan .* arena=[0-9]+" explain iris_mlp --stage plan
expect explain_plan_buffers 0 "^  b[0-9]+: tensor<4x32xf32> argument[0-9]+$" explain iris_mlp --stage plan
expect explain_plan_dots 0 "^  dot \[20x32\]: \(b[0-9]+ b[0-9]+\) -> b[0-9]+: dot_general" explain iris_mlp --stage plan
expect explain_llvm 0 "define" explain iris_mlp --stage llvm
expect explain_measured 0 "measured over [0-9]+ steps" explain iris_mlp --measure
expect explain_layers 0 "  dense_?[0-9]*: dot_general" explain iris_mlp
expect explain_replicas 0 "^2 replicas in this program: .* each would send 0.00[0-9]+ MB in [0-9]+ messages a step" explain iris_mlp --replicas 2
expect devices_isa 0 "^cpu +.*, 3 threads, instruction set sse2 " devices --isa sse2 --threads 3
expect profile 0 "of wall time" bench iris_mlp --seconds 0.1 --profile
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
expect profile_trace 0 "^trace in $trace: open it" bench iris_mlp --seconds 0.1 --steps-per-execution 50 --profile "$trace"
grep -q '"name":"pool thread 1"\|"name":"calling thread 1"' "$trace" || { echo "FAILED: no thread in the trace"; failures=$((failures + 1)); }
none=$(mktemp -u)
expect device_without_profile 0 "^profile: this device gives no profile$" bench iris_mlp --device reference --seconds 0.1 --profile "$none"
[ ! -e "$none" ] || { echo "FAILED device_without_profile: there is a trace of nothing"; failures=$((failures + 1)); }
expect worker_memory 105 "must be 0 or more bytes; got -1" worker --memory-limit -1
expect worker_no_status 105 '^--status: "" is empty' worker --status ""
expect worker_drain 105 "must be a number from 0 on; got -1" worker --drain-seconds -1
expect worker_long_drain 1 "drain-seconds is from 0 to 86400; got 1000000" worker --listen 127.0.0.1:0 --drain-seconds 1000000
expect worker_listen 1 'got "127.0.0.1:99999"' worker --listen 127.0.0.1:99999
expect profile_bad_path 1 'cannot write "/no/such/folder/trace.json": No such file' bench iris_mlp --seconds 0.1 --profile /no/such/folder/trace.json
expect profile_no_step 105 "limit is no training step" bench limit --profile
expect unknown_stage 1 "plan" explain iris_mlp --stage plam

# A build without the header of PJRT has left the backend out and says so.
if [[ $("$program" compile iris_mlp --target h20 2>&1) == *'no backend is called "pjrt"'* ]]; then
  echo "skipped: cornu compile (the backend pjrt is left out)"
else
  expect compile_target 1 'there is no target "h20": did you mean "h200"' compile iris_mlp --target h20
  expect compile_slice 1 '"v5e" does not come in the slice "3x3"; it does in 2x2' compile iris_mlp --target v5e:3x3
  expect compile_no_target 106 "target" compile iris_mlp
  CORNU_PJRT_PLUGINS=off expect compile_no_plugin 1 'there is no plug-in "cuda"' compile iris_mlp --target h200
fi

# Programs in files.
programs=$(dirname "$0")/../tests/programs
expect run_prints 0 "^out1: tensor<6x3xf32>" run "$programs/indices.mlir" --inputs "$programs/indices.npz"
expect run_bytecode 0 "^out1: tensor<6x3xf32>" run "$programs/indices-1.17.0.mlirbc" --inputs "$programs/indices.npz"
expect explain_bytecode 0 "arena" explain "$programs/mlp_step-1.17.0.mlirbc"
expect check_case 0 "^1 passed, 0 failed, 0 skipped$" check "$programs/indices.mlir" --case "$programs/indices.npz"
expect check_skips 0 "^0 passed, 0 failed, 1 skipped$" check "$programs/indices.mlir"
expect check_must_fail 1 "^0 passed, 1 failed, 0 skipped$" check --must-fail "$programs/indices.mlir"
expect check_no_file 1 "^0 passed, 1 failed, 0 skipped$" check no.mlir
expect run_writes 0 "" run "$programs/indices.mlir" --inputs "$programs/indices.npz" --output "$trace"
expect run_simulated 0 "^out0: tensor<6x2x3xf32>|^out0: " run "$programs/scan_rnn.mlir" --inputs "$programs/scan_rnn.npz" --device sim:ideal
expect run_without_inputs 1 "the program has 1 arguments" run "$programs/bits.mlir"
expect run_no_file 1 "no.mlir" run no.mlir
expect explain_file 0 "arena" explain "$programs/mlp_step.mlir"
echo 'func.func @main(%a: tensor<4xf32>) { %0 = stablehlo.foo %a : tensor<4xf32> }' >"$trace"
expect explain_file_measured 105 "a program in a file is no training step" explain "$trace" --measure
expect run_no_program 1 'README.md is no program in StableHLO text: it has no func.func' run "$programs/../../README.md"
expect no_whole_number 105 '^--epochs: must be a whole number from 1 on; got 1.5$' model m.keras train --inputs x.npy --labels y.npy --epochs 1.5
expect no_value 114 '^--seconds: there is no value after it; write "--seconds NUMBER"$' bench iris_mlp --seconds
expect second_workload 109 '^cornu bench takes no further argument "iris_mlp"$' bench iris_mlp iris_mlp
expect missing_file 1 'cannot read no.keras: No such file or directory; the current folder is /' model no.keras summary
expect missing_folder 1 'cannot write "/no/such/p.log": No such file or directory; make the folder /no/such first' \
  study scaling --networks iris_mlp --seconds 0.1 --output /no/such/p
expect run_unknown_op 1 ':1:43: Cornu has no operation "stablehlo.foo"' run "$trace"

# Simulated devices; their figures are called so.
expect devices_simulated 0 "^sim:call_60ms +simulated TPU, real clock: " devices
expect bench_device 0 '"device":"sim:call_60ms,clock=virtual","simulated":true,"launches":180,' \
  bench iris_fit_short --seconds 0.1 --json --device sim:call_60ms,clock=virtual
expect bench_device_text 0 "^calls of one run on sim:call_60ms,clock=virtual, simulated:" \
  bench iris_fit_long --seconds 0.1 --device sim:call_60ms,clock=virtual
expect bench_device_training 0 "^on sim:ideal,clock=virtual, all times simulated:" bench iris_mlp --seconds 0.1 --device sim:ideal
expect explain_behind_views 0 " divide" explain iris_mlp --device sim:gpu_in_this_machine,clock=virtual --predict
expect explain_device 0 "^total, simulated: [0-9.]+ s" explain iris_mlp --device sim:call_60ms,clock=virtual
expect explain_device_calls 0 "^execute +3 +150 steps" explain iris_mlp --device sim:call_60ms,clock=virtual
expect unknown_stage_of_a_device 1 'plan, llvm, optimized, assembly, cache_key; there is also the stage "loop"$' \
  explain iris_mlp --device sim:ideal --stage stablehlo
expect explain_loop 0 "tf.aliasing_output = 0" explain iris_mlp --device sim:ideal --stage loop
expect unknown_device 1 'no backend is called "gpu"; there are: cpu, .*reference, .*sim:PROFILE' bench iris_mlp --device gpu
expect address_without_grpc 1 'no backend is called "127.0.0.1"; .*; for a worker write "grpc://127.0.0.1:8470"$' bench iris_mlp --device 127.0.0.1:8470
expect address_of_the_web 1 'for a worker write "grpc://worker:8470/TPU:0"$' bench iris_mlp --device http://worker:8470/TPU:0
expect unknown_profile 1 'no profile is called "call_6ms"; there are: .*; did you mean "call_60ms"' bench iris_mlp --device sim:call_6ms
expect bad_profile 1 'unknown field "lauch_seconds"; did you mean "launch_seconds"' explain iris_mlp --device sim:ideal,lauch_seconds=1
expect limit_elsewhere 105 "limit measures this machine" bench limit --device sim:ideal

# start_worker ARGUMENTS...: in the background; sets worker, port (empty: it did not start) and lent, what it prints to.
start_worker() {
  lent=$(mktemp)
  "$program" worker --listen localhost:0 "$@" >"$lent" 2>&1 &
  worker=$!
  for _ in $(seq 100); do
    port=$(sed -nE 's/^worker .* listens on [^ ]*:([0-9]+).*/\1/p' "$lent")
    [ -n "$port" ] || ! kill -0 $worker 2>/dev/null && break
    sleep 0.1
  done
  [ -n "$port" ] || echo "skipped: a worker ($(head -c 200 "$lent"))"
}

# A worker's simulated device is called so too.
start_worker --devices sim:ideal
if [ -n "$port" ]; then
  expect bench_lent 0 ", all times simulated:" bench iris_mlp --seconds 0.1 --device "grpc://localhost:$port"
  kill $worker
fi
wait $worker 2>/dev/null
rm -f "$lent"

# Its virtual clock comes back.
start_worker --devices sim:ideal,clock=virtual,step_seconds=0.001
if [ -n "$port" ]; then
  expect bench_virtual_clock 0 "1 steps an execution: 1000.00 us a step" bench iris_mlp --seconds 0.1 --device "grpc://localhost:$port"
  expect bench_virtual_worker 0 '"ms_step":1.0,.*"simulated":true' bench iris_mlp --seconds 0.1 --json --worker "localhost:$port"
  kill $worker
fi
wait $worker 2>/dev/null
rm -f "$lent"

# Several workers: each says what it measured.
start_worker --threads 1
first=$worker first_port=$port first_lent=$lent
start_worker --threads 1
if [ -n "$first_port" ] && [ -n "$port" ]; then
  expect profile_workers 0 "^train_step, replica 1 of 2 on grpc://localhost:$port: " \
    bench iris_mlp --seconds 0.1 --worker "localhost:$first_port" --worker "localhost:$port" --profile "$trace"
  expect explain_worker_measured 0 "^measured there: train_step: [0-9.]+ us a step" explain iris_mlp --measure --device "grpc://localhost:$port"
  expect worker_status 0 "^worker .* at localhost:$port, up for" worker --status "localhost:$port"
  expect worker_status_url 0 "^worker .* at localhost:$port, up for" worker --status "grpc://localhost:$port"
  expect worker_port_taken 1 "another program listens there: give another port" worker --listen "127.0.0.1:$port"
  expect worker_twice 105 "localhost:$port is given twice" bench iris_mlp --seconds 0.1 --worker "localhost:$port" --worker "localhost:$port"
  grep -q "\"replica 0 of 2 on grpc://localhost:$first_port\"" "$trace" || { echo "FAILED profile_workers: no replica in the trace"; failures=$((failures + 1)); }
  kill $first $worker
fi
wait $first $worker 2>/dev/null
rm -f "$first_lent" "$lent"

# Studies.
expect study_steps 0 "K = 10 is the fastest" study steps --networks iris_mlp --batches 20 --steps-per-execution 1,10 --steps 40 --repeats 3 --device sim:call_60ms,clock=virtual
expect study_scaling 0 "efficiency" study scaling --networks iris_mlp --replicas 1,8 --seconds 0.05 --device sim:ideal,clock=virtual,step_seconds=0.001
expect study_command 0 "^true +cpu +1 " study cost --threads 1 --repeats 2 -- true
expect study_command_after_a_list 0 "^true +cpu +1 " study cost --threads 1 --repeats 2 --prices gcp-2017-07 --machines k80 -- true --epochs 3
expect study_prices 1 "machine 1 .* must be from 0" study cost --prices "$programs/../study/negative_prices.json" -- true
expect study_resume 1 "differ|another study or machine|No such file" study cost --output "$trace.none" --resume -- true
expect study_nothing 106 "^  scaling +Predicts" study
expect advise 0 "each call of it costs 60" advise iris_mlp --with sim:call_60ms --devices cpu --seconds 0.05
expect advise_sim 105 "sim:k80 is simulated: compare it by --with sim:k80" advise iris_mlp --devices cpu sim:k80
expect advise_command 0 "The least time has the run with 1 processor, K = (1|10|50)" advise --threads 1 --repeats 3 -- sh -c 'exit 0' {K}
expect advise_two 105 "takes one workload or model; got mnist_cnn besides" advise iris_mlp mnist_cnn
expect study_to 1 "takes a program after --" study cost --to loss=0.1
expect study_to_nothing 1 "never reached loss <= 0.1: it printed nothing" study cost --threads 1 --to loss=0.1 -- true
expect study_deadline 1 "a time of the day as in 8:00" study cost --deadline soon -- true
expect study_with 1 "did you mean \"torch\"" study run --log "$trace.none" --with pytorch
expect study_hosts 1 "the host h is named twice" study run --log "$trace.none" --hosts h,h
expect study_log_here 0 '^\{"name":"true//1"' study run --log - --threads 1 --repeats 1 -- true
expect study_limit 1 "did not end within 0.1 s" study cost --threads 1 --repeats 1 --limit 0.1 -- sleep 60
expect study_old_prices 0 "^warning: The prices \"gcp-2017-07\" are of 2017-07" study cost --prices gcp-2017-07 --threads 1 --repeats 1 -- true
# No line of a table or a list is wider than the terminal.
for columns in 40 80; do
  for arguments in "--help" "bench list" "devices" "bench --help" "advise iris_mlp --with sim:k80 --devices cpu --seconds 0.02"; do
    # shellcheck disable=SC2086
    wide=$(COLUMNS=$columns "$program" $arguments 2>&1 | awk -v columns=$columns 'length($0) > columns')
    [ -z "$wide" ] || { echo "FAILED: cornu $arguments has lines wider than $columns columns: $wide"; failures=$((failures + 1)); }
  done
done
expect advise_price 105 "DEVICE=PRICE" advise iris_mlp --price cpu
expect calibrate_few 1 "at least three workloads" calibrate --workloads iris_mlp

# A second process finds what the first compiled.
caches=$(mktemp -d)
trap 'rm -rf "$caches"' EXIT
export CORNU_CACHE_DIR=$caches/cornu
expect cache_empty 0 "^$CORNU_CACHE_DIR: 0 programs" cache
expect explain_compiles 0 "ms code\\) for" explain iris_mlp
expect explain_from_cache 0 "ms code from the disk cache\\) for" explain iris_mlp
expect bench_from_cache 0 '"from_cache":true' bench iris_mlp --seconds 0.1 --json
expect other_program_compiles 0 "ms code\\) for" explain imdb_fasttext
expect cache_of_two 0 ": 2 programs, 0.0[1-9] MiB$" cache
expect cache_clear 0 ": 2 programs, .* removed$" cache --clear
expect cache_cleared 0 ": 0 programs" cache
CORNU_CACHE_DIR=off expect cache_off 0 "^off: " cache

# What the standard output does not take is an error.
for arguments in "explain iris_mlp" "explain iris_mlp --stage assembly" --help "bench --help"; do
  # shellcheck disable=SC2086
  if message=$("$program" $arguments 2>&1 >/dev/full) || [ "$message" != "cornu: cannot write to the standard output: No space left on device" ]; then
    echo "FAILED: cornu $arguments to a full device says: $message"
    failures=$((failures + 1))
  fi
done

# A model of real Keras, from the shell.
data=$(cd "$(dirname "$0")/../tests/data/keras" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect model_check 0 'Sequential "dense_model", 2 layers, 4 weights with 83 numbers' model "$data/dense.keras" check
expect model_summary 0 "Total params: 83" model "$data/dense.h5" summary
expect model_no_command 106 "cornu model FILE needs a command; known: summary" model "$data/dense.keras"
expect model_incomplete 106 "cornu model FILE train needs --inputs and --labels" model "$data/dense.keras" train
expect model_weights 0 "dense/kernel +float32 +\(6, 8\)" model "$data/dense.keras" weights
expect model_plot 0 "" model "$data/dense.keras" plot --output "$work/model.dot"
expect model_predict 0 "float32|f32" model "$data/dense.keras" predict --inputs "$data/dense_inputs.npz" --output "$work/y.npz"
expect model_arrays 1 "has 1 input" model "$data/dense.keras" predict --inputs "$data/dense.npz" --output "$work/y.npz"
expect export_onnx 0 "the predictions of" export "$data/dense.keras" "$work/dense.onnx"
expect export_stablehlo 0 "83 numbers" export "$data/dense.keras" "$work/dense.mlirbc" --batch-size 2
cp "$data/dense.keras" "$work/kept.keras"
expect export_over_model 1 "kept.keras is read by this command and would be replaced" export "$work/kept.keras" "$work/./kept.keras" --format onnx
expect export_kept 0 "all of it can be read" model "$work/kept.keras" check
expect export_like_model 1 "new.keras is named like a file of a model" export "$data/dense.h5" "$work/new.keras"
expect run_model 1 "no StableHLO program; .cornu export. makes one" run "$data/dense.keras"
cp "$data/dense_inputs.npz" "$work/kept.npz"
expect predict_over_inputs 1 "kept.npz is read by this command" model "$data/dense.keras" predict --inputs "$work/kept.npz" --output "$work/kept.npz"
expect export_form 105 "onnx" export "$data/dense.keras" "$work/dense.x" --format tflite
expect model_missing 1 "No such file" model "$work/nothing.keras" check
expect model_no_data 106 "inputs" model "$data/dense.keras" predict --output "$work/y.npz"
expect model_mistyped 109 'cornu model FILE train has no option --epoch; did you mean "--epochs"' \
  model "$data/dense.keras" train --inputs x.npz --labels y.npz --epoch 3

# A signal ends a training, which is saved. SIGINT is sent with job control: a shell without has it ignored there.
for i in $(seq 64); do
  echo "$i,2,3,4,5,6" >>"$work/x.csv"
  echo $((i % 3)) >>"$work/y.csv"
done
set -m
for signal in TERM INT; do
  "$program" model "$data/dense.keras" train --inputs "$work/x.csv" --labels "$work/y.csv" --epochs 100000000 \
    --learning-rate 1e-6 --save "$work/$signal.keras" >"$work/$signal.txt" 2>"$work/$signal.error" &
  training=$!
  for _ in $(seq 600); do
    grep -q "^Epoch 2/" "$work/$signal.txt" && break
    kill -0 $training 2>/dev/null || break
    sleep 0.1
  done
  kill -$signal $training
  code=0
  wait $training || code=$?
  if [ $code -ne $((128 + $(kill -l $signal))) ] || ! grep -q "interrupted; .*$signal.keras has the weights" "$work/$signal.error"; then
    echo "FAILED model_$signal: exit code $code, $(cat "$work/$signal.error")"
    failures=$((failures + 1))
  fi
  expect "model_saved_at_$signal" 0 'compiled: all of it can be read' model "$work/$signal.keras" check
done
"$program" bench mnist_mlp --seconds 60 >"$work/bench.txt" 2>&1 &
bench=$!
sleep 2
kill -INT $bench
code=0
wait $bench || code=$?
if [ $code -ne 130 ]; then
  echo "FAILED bench_INT: exit code $code, $(cat "$work/bench.txt")"
  failures=$((failures + 1))
fi
set +m

[ $failures -eq 0 ] || exit 1
echo "program: fine"
