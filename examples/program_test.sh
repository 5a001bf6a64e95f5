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
  expect "device in the help of $program" 0 "--device" "$program" --help
  expect "no device for $program" 1 "nowhere" "$program" --device sim:nowhere --quick
  expect "no data for $program" 1 "/nowhere" "$program" --data /nowhere
done
expect unknown_flag 109 "--epoch" example_05_digits --epoch
expect metric_missed 1 "test accuracy 0\.[0-9]+ is below 0\.9" example_05_digits --epochs 1
# A device runs what it is asked to, and is named.
expect on_a_device 0 "device sim:ideal: .*all times are simulated" example_05_digits --device sim:ideal --quick
expect guide_on_a_device 0 "device sim:ideal: " example_14_own_training_step --device sim:ideal
expect iris_on_a_device 0 "device sim:ideal: " example_01_iris --device=sim:ideal
expect help_of_a_guide 0 "--device D" example_14_own_training_step --help
expect wrong_flag_of_a_guide 1 "\"--devise\" is nothing" example_14_own_training_step --devise sim:ideal

# The chapters that choose their devices themselves take no options.
for program in example_17_profiling example_21_devices example_24_distribution; do
  expect "help of $program" 0 "takes no options" "$program" --help
  expect "device of $program" 1 "\"--device\" is nothing that it takes: it takes no options" "$program" --device cpu
done
expect zero_epochs 105 "must be 1 or more; got 0$" example_05_digits --epochs 0
# Whoever asks for results learns before the run that they cannot be written.
output=$("$folder/example_05_digits" --quick --results /nowhere/results.json 2>&1)
if ! grep -q 'cannot write "/nowhere/results.json"' <<<"$output" || grep -q ": takes " <<<"$output"; then
  echo "FAILED results_before_the_run: $output"
  failures=$((failures + 1))
fi

# A file of Criteo's form is read, and a line of another form is named.
rows=$(mktemp)
for label in 0 1 0 1 0 1 0 1 0 1; do
  printf '%s\t%s\t%s\n' $label "$(seq -s $'\t' 1 13)" "$(printf '%x\n' $(seq 900001 900025) | paste -sd '\t')"$'\t'
done > "$rows"
expect criteo_file 1 "test auc .* is below" example_32_dlrm --quick --data "$rows"
printf '0\t1\n' >> "$rows"
expect criteo_line 1 "line 11: expected 40 fields with tabs between them; got 2" example_32_dlrm --quick --data "$rows"
rm "$rows"

# The documents' programs: on simulated devices they take what the documents say, or the program fails.
tpu=sim:colab-tpu-node,clock=virtual
expect as_it_was 0 "c_one_long_epoch together: .*the document says 6 s" document_iris_on_tpu --device $tpu,rows=sent \
  --process sim:colab-tensorflow-cpu,clock=virtual
expect other_shape 1 "not within 15 % of what the document says" document_iris_on_tpu --device $tpu,rows=sent,stream_seconds=1 \
  --process sim:colab-tensorflow-cpu,clock=virtual
expect own_way 0 "20 short epochs of arrays by Cornu's own way 2\." document_iris_on_tpu --device $tpu --way own
expect unknown_device 1 "nowhere" document_iris_on_tpu --device sim:nowhere
expect no_tpu 1 "no TPU" document_tpu_guide --tpu sim:k80
expect results_unwritable 1 'cannot write "/nowhere/results.json"' document_iris_on_tpu --results /nowhere/results.json
results=$(mktemp)
expect results 0 "a_arrays_two_steps_an_epoch" document_iris_on_tpu --results "$results"
python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["passed"] and len(r["figures"]) == 3 and r["figures"][0]["kind"] == "measured", r' "$results" || failures=$((failures + 1))
expect results_of_an_example 0 "test accuracy" example_05_digits --quick --results "$results"
python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
units = {f["name"]: f["unit"] for f in r["figures"]}
assert units == {"training_steps": "", "training_step": "ms", "training_compile": "s", "test_accuracy": ""}, r' "$results" \
  || failures=$((failures + 1))
# A loop by hand is timed by the clock of its device, too.
expect loop_on_a_device 0 "test accuracy of loop" example_11_mnist_tpu --quick --way loop --device sim:ideal --results "$results"
python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
steps = [(f["value"], f["kind"]) for f in r["figures"] if f["name"] == "loop_step"]
assert steps == [(0, "simulated")], r' "$results" || failures=$((failures + 1))
rm -f "$results"

[ $failures -eq 0 ] || exit 1
echo "examples: fine"
