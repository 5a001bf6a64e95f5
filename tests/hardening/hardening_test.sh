#!/usr/bin/env bash
# hardening_test.sh FOLDER fortified|plain: looks at every ELF file in FOLDER, and at our own modules in the folder above.
set -euo pipefail
folder=$1 fortified=$2
checked=0

fail() {
  echo "hardening: $*" >&2
  exit 1
}

for file in "$folder"/*; do
  [ -f "$file" ] && [ ! -L "$file" ] && readelf -h "$file" >/dev/null 2>&1 || continue
  elf=$(readelf -hldW "$file")
  grep -q 'Type: *DYN' <<<"$elf" || fail "$file is not position independent"
  [[ $file == *.so* ]] || grep -q 'FLAGS_1.*PIE' <<<"$elf" || fail "$file is no PIE"
  grep -q 'GNU_RELRO' <<<"$elf" || fail "$file has no RELRO"
  grep -q 'FLAGS_1.*NOW' <<<"$elf" || fail "$file is bound lazily"
  ! grep -q 'GNU_STACK.* RWE ' <<<"$elf" || fail "$file has an executable stack"
  # docs/adr/0106
  ! readelf -p .comment "$file" | grep -q 'Linker: .*LLD' || fail "$file is linked by lld, so exceptions can abort: let GNU ld link"
  checked=$((checked + 1))
done
[ "$checked" -ge 3 ] || fail "$folder holds only $checked ELF files"

# What code calls only with these options. Not asked of libcornu.so: Debian's LLVM, which is in it, has them anyhow.
for file in "$folder"/cornu "$folder"/libcornu_onednn.so "$folder"/../libcornu_{io,tensor,keras,backends_cpu}.a; do
  dynamic=-D
  [[ $file != *.a ]] || dynamic=
  names=$(nm $dynamic --undefined-only "$file" 2>/dev/null)
  grep -q '__stack_chk_fail' <<<"$names" || fail "$file has no stack protector"
  [[ $fortified = plain || $file != */libcornu_keras.a ]] || grep -q '__[a-z]*_chk$' <<<"$names" || fail "$file is not fortified"
done
echo "hardening: $checked files, fine"
