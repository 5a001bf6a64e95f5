#!/usr/bin/env bash
# wheel_test.sh SOURCE BUILD FOLDER: makes the wheel, installs it into an empty virtual environment, and runs JAX, the benchmarks' JAX
# programs, the program `cornu` and a CMake project with it. Ends with 77, shown as skipped, where pip cannot install JAX.
set -euo pipefail
source=$1 build=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
python3 -m venv "$folder/venv"
python=$folder/venv/bin/python
if ! "$folder/venv/bin/pip" install --quiet --disable-pip-version-check jax==0.10.2 flax==0.12.8 optax==0.2.8; then
  echo "wheel_test.sh: pip cannot install jax" >&2
  exit 77
fi
"$source/tools/wheel/build.sh" "$build"
wheel=$(ls "$source"/dist/cornu-*.whl)
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
if unzip -l "$wheel" | grep -q '_remote\|_mpi'; then
  echo "wheel_test.sh: the wheel has modules that need libraries of the system" >&2
  exit 1
fi
library=$("$python" -c 'import cornu; print(cornu.FOLDER / "lib")')/libcornu_pjrt.so
exported=$(nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }')
if [ "$exported" != GetPjrtApi ]; then
  echo "wheel_test.sh: the plug-in exports: $exported" >&2
  exit 1
fi
"$python" "$source/tests/wheel/smoke.py"
"$python" "$source/tests/wheel/callbacks.py"
"$python" "$source/benchmarks/peers/jax_plugin.py" --check small workloads family
"$folder/venv/bin/cornu" --version
mkdir "$folder/project"
cat > "$folder/project/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(outside CXX)
find_package(Cornu REQUIRED)
add_executable(outside main.cc)
target_link_libraries(outside cornu::cornu)
EOF
cat > "$folder/project/main.cc" <<'EOF'
#include "cornu/cornu.h"
int main() { return cornu::ops::zeros({2}).shape().size() == 1 ? 0 : 1; }
EOF
cmake -S "$folder/project" -B "$folder/project/build" -DCornu_DIR="$("$folder/venv/bin/cornu" config --cmakedir)" >/dev/null
cmake --build "$folder/project/build" >/dev/null
"$folder/project/build/outside"
