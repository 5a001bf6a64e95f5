#!/usr/bin/env bash
# subproject_test.sh CMAKE GENERATOR COMPILER ROOT OUTSIDE WORK: configures a project that has Cornu as its subdirectory, with a python3 that
# refuses to run pip: such a project downloads nothing.
set -euo pipefail
cmake=$1 generator=$2 compiler=$3 root=$4 outside=$5 work=$6
python=$(command -v python3)
rm -rf "$work"
mkdir -p "$work/bin"
cat >"$work/bin/python3" <<EOF
#!/bin/sh
case " \$* " in *" pip "*) touch "$work/pip_was_run"; exit 1;; esac
exec "$python" "\$@"
EOF
chmod +x "$work/bin/python3"
PATH="$work/bin:$PATH" "$cmake" -S "$outside" -B "$work/build" -G "$generator" -DCORNU_SOURCE="$root" -DCMAKE_CXX_COMPILER="$compiler"
[ ! -e "$work/pip_was_run" ] || {
  echo "add_subdirectory(cornu) runs pip" >&2
  exit 1
}
