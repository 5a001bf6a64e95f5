#!/usr/bin/env bash
# user_compilers_test.sh COMPILER ROOT BUILD WORK: builds and runs the first example with it, and checks the syntax of those that use most of
# the interface. No warning is allowed: a user may have -Werror.
set -euo pipefail
compiler=$1 root=$2 build=$3 work=$4
if [ -z "$compiler" ] || [ "${compiler%-NOTFOUND}" != "$compiler" ]; then
  echo "skipped: there is no clang++-14"
  exit 77
fi
flags=(-std=c++20 -Wall -Wextra -Werror -I "$root" -I "$build/generated")

mkdir -p "$work"
"$compiler" "${flags[@]}" "$root/examples/00_first_program/main.cc" -L "$build/bin" -lcornu -Wl,-rpath,"$build/bin" -o "$work/first_program"
"$work/first_program"
# The interface is parsed once for all of them.
"$compiler" "${flags[@]}" -x c++-header "$root/cornu/cornu.h" -o "$work/cornu.pch"
for example in 03_programming_model 13_functional_models 14_own_training_step 15_recurrent_layers 16_data 29_messages; do
  "$compiler" "${flags[@]}" -include-pch "$work/cornu.pch" -fsyntax-only "$root/examples/$example/main.cc"
done

echo "user compilers: fine"
