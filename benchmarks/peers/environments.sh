#!/usr/bin/env bash
# environments.sh FOLDER: makes FOLDER/tf, FOLDER/jax and FOLDER/torch, virtual environments with the peers that docs/performance.md was measured
# with (about 8 GB), and prints what compare.py is told.
set -euo pipefail
folder=${1:?"usage: environments.sh FOLDER"}

make_environment() {
  python3 -m venv "$folder/$1"
  "$folder/$1/bin/pip" install --quiet "${@:2}"
  echo "--python $folder/$1/bin/python"
}

make_environment tf tensorflow-cpu==2.21.0 keras==3.15.1
make_environment jax jax==0.10.2 flax==0.12.8 optax==0.2.8 keras==3.15.1
make_environment torch torch==2.15.0 numpy
