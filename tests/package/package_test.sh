#!/usr/bin/env bash
# package_test.sh BUILD WORK OUTSIDE PROGRAM COMPILER: installs BUILD into WORK/prefix and uses it as somebody else's project would.
set -euo pipefail
build=$1 work=$2 outside=$3 program=$4 compiler=$5
prefix=$work/prefix
largest_mib=90

fail() {
  echo "package test: $*" >&2
  exit 1
}

mkdir -p "$work"
rm -rf "$prefix" "$work/build"
cmake --install "$build" --prefix "$prefix" --strip >"$work/install.log"

size_kib=$(du -sk "$prefix" | cut -f1)
echo "install size: $((size_kib / 1024)) MiB"
[ "$size_kib" -le $((largest_mib * 1024)) ] || fail "the installation is larger than $largest_mib MiB"

library=$(find "$prefix" -name 'libcornu.so' | head -1)
[ -n "$library" ] || fail "no libcornu.so is installed"
foreign=$(nm -D --defined-only -C "$library" | awk '{ $1 = $2 = ""; print }' | grep -cE '\b(llvm::|dnnl)' || true)
[ "$foreign" -eq 0 ] || fail "$foreign names of LLVM or oneDNN leave libcornu.so"
leaked=$(grep -rlE '#include [<"](llvm|oneapi|dnnl|Eigen|fmt|nlohmann|CLI|gtest)' "$prefix/include" || true)
[ -z "$leaked" ] || fail "installed headers include other libraries' headers: $leaked"

# The guide names each Debian package that the installed files load, besides those of every system.
guide=$(dirname "$0")/../../docs/guide/installation.md
needed=$(find "$prefix" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec readelf -d {} + 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)
echo "$needed" | grep -q '^libfmt' || fail "readelf names no library that is needed"
if command -v dpkg >/dev/null; then
  for name in $(echo "$needed" | grep -vE '^(libcornu|libc\.|libm\.|libgcc_s\.|ld-linux)'); do
    package=$(dpkg -S "*/$name" | head -1 | cut -d: -f1)
    grep -qF "$package" "$guide" || fail "$guide does not name $package, of which $name is needed"
  done
fi

# Every installed header can be included alone by a program that has nothing but the package.
(cd "$prefix/include" && find . -name '*.h' | sed 's|^\./\(.*\)|#include "\1"|') >"$work/all_headers.cc"
"$compiler" -std=c++20 -fsyntax-only -I "$prefix/include" "$work/all_headers.cc" || fail "the installed headers do not compile by themselves"

cmake -S "$outside" -B "$work/build" -G "${CMAKE_GENERATOR:-Ninja}" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DPROGRAM="$program" >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log" || fail "the outside project does not build: $(tail -20 "$work/build.log")"
"$work/build/outside" >"$work/run.log" || fail "the outside program failed: $(tail -5 "$work/run.log")"
"$work/build/whole" >"$work/whole.log" 2>&1 || fail "the program that includes cornu/cornu.h failed: $(tail -5 "$work/whole.log")"
"$prefix/bin/cornu" devices | grep -q "threads" || fail "the installed program does not work"
echo "package: find_package(Cornu), the program and the headers work"
