#!/usr/bin/env bash
# preempted.sh PROGRAM: a training on machines that are taken away. PROGRAM FOLDER gets SIGTERM in its epochs 5 and 20 and 30 seconds
# to end, as clouds give, and SIGKILL without a word in epoch 40; a new machine starts it again each time. In the end its weights
# must have the bits of a run that nothing disturbed.
set -uo pipefail
program=${1:?usage: preempted.sh PROGRAM}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
machines=0

# Starts the program on a new machine and takes that away with a signal as soon as an epoch shows. The exit code is the program's.
machine() { # signal epoch
  machines=$((machines + 1))
  "$program" "$folder/disturbed" >>"$folder/log" 2>&1 &
  local process=$!
  until grep -q "^Epoch $2/" "$folder/log" || ! kill -0 $process 2>/dev/null; do sleep 0.01; done
  kill "-$1" $process 2>/dev/null
  for _ in $(seq 300); do kill -0 $process 2>/dev/null && sleep 0.1; done
  kill -KILL $process 2>/dev/null
  wait $process 2>/dev/null
  local code=$?
  echo "machine $machines: $1 in epoch $2, exit code $code"
  return $code
}
fail() {
  echo "preempted.sh: $1" >&2
  tail -n 20 "$folder/log" >&2
  exit 1
}

machine TERM 5
[ $? -eq 75 ] || fail "SIGTERM must end with the code 75"
machine TERM 20
[ $? -eq 75 ] || fail "SIGTERM must end with the code 75"
machine KILL 40
[ $? -eq 137 ] || fail "the program should have been killed"
"$program" "$folder/disturbed" >>"$folder/log" 2>&1 || fail "the last machine must come to the end"
"$program" "$folder/undisturbed" >"$folder/log_undisturbed" 2>&1 || fail "the undisturbed run must come to its end"

cmp "$folder/disturbed/weights.safetensors" "$folder/undisturbed/weights.safetensors" || fail "other weights than undisturbed"
[ "$(tail -n 1 "$folder/log")" = "$(tail -n 1 "$folder/log_undisturbed")" ] || fail "another loss than undisturbed"
[ ! -e "$folder/disturbed/backup" ] || [ -z "$(ls "$folder/disturbed/backup")" ] || fail "the backup should be gone"
# The last machine did not begin anew.
[ "$(grep -c '^Epoch 2/' "$folder/log")" -eq 1 ] || fail "an epoch before the first backup was run again"
echo "preempted $machines times: weights and loss have the bits of an undisturbed run"
