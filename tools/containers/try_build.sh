#!/usr/bin/env bash
# try_build.sh [--installed PREFIX] [--ccache CACHE] FOLDER [target ...; default: cpu worker]: builds the containers' files where no image
# can be pulled. A minimal Debian 12 that debootstrap makes in FOLDER from this machine's package sources stands for debian:12 and
# debian:12-slim; buildah runs every line in it, chrooted. Then the program is asked which devices there are, and the libraries whether all
# of theirs are there.
#
# With --installed what lies under PREFIX (cmake --install) stands for the stage that compiles. With --ccache that stage has ccache, and
# takes from CACHE (~/.cache/ccache) what this machine has compiled with the same compiler. Needs root, debootstrap and buildah. FOLDER is
# made once; delete it, and buildah's images, to start anew.
set -euo pipefail
installed=
cache=
while [[ "${1:-}" == --* ]]; do
  case "$1" in
    --installed) installed=$(realpath "$2") ;;
    --ccache) cache=$(realpath "$2") ;;
    *) echo "there is no option $1" >&2; exit 1 ;;
  esac
  shift 2
done
folder=$(realpath -m "${1:?usage: try_build.sh [--installed PREFIX] [--ccache CACHE] FOLDER [targets]}")
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(cpu worker)
cd "$(dirname "$0")/../.."
for program in debootstrap buildah; do
  command -v $program >/dev/null || { echo "needs $program: apt-get install $program" >&2; exit 1; }
done
mkdir -p "$folder"
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
export CONTAINERS_STORAGE_CONF=$folder/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/images"\nrunroot = "%s/run"\n' "$folder" "$folder" >"$folder/storage.conf"

if ! buildah images -q localhost/debian:12 >/dev/null 2>&1; then
  mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    sed -n -E 's/^(URIs:|deb( \[[^]]*\])?) +(https?:[^ ]+).*/\3/p' | head -n 1)
  debootstrap --variant=minbase ${cache:+--include=ccache} bookworm "$folder/root" ${mirror:+"$mirror"} >"$folder/debootstrap.log"
  rm -f "$folder/root/etc/apt/sources.list"
  for part in sources.list sources.list.d apt.conf.d trusted.gpg.d keyrings; do
    if [ -e "/etc/apt/$part" ]; then cp -a "/etc/apt/$part" "$folder/root/etc/apt/"; fi
  done
  cp -a /usr/share/keyrings/. "$folder/root/usr/share/keyrings/"
  base=$(buildah from scratch)
  tar -C "$folder/root" -cf "$folder/root.tar" .
  buildah add -q "$base" "$folder/root.tar" / >/dev/null
  buildah commit -q "$base" localhost/debian:12 >/dev/null
  buildah rm "$base" >/dev/null
  buildah tag localhost/debian:12 localhost/debian:12-slim
  rm -rf "$folder/root" "$folder/root.tar"
fi

file=tools/containers/Containerfile
context=()
if [ -n "$installed" ]; then
  mkdir -p "$folder/installed/usr"
  rm -rf "$folder/installed/usr/local"
  cp -a "$installed" "$folder/installed/usr/local"
  context=(--build-context "build=$folder/installed")
fi
# pip goes where it goes here, and trusts whom this machine trusts.
certificates=/etc/ssl/certs/ca-certificates.crt
printf '[global]\ncert = /host-certificates.crt\n%s\n' "${PIP_INDEX_URL:+index-url = $PIP_INDEX_URL}" >"$folder/pip.conf"
settings=(--volume "$certificates:/host-certificates.crt:ro" --volume "$folder/pip.conf:/etc/pip.conf:ro")
if [ -n "$cache" ]; then
  printf 'cache_dir = /ccache\nmax_size = 0\nbase_dir = /cornu\nhash_dir = false\nsloppiness = %s\n' \
    pch_defines,time_macros,include_file_mtime,include_file_ctime >"$folder/ccache.conf"
  # The language of the compiler's messages counts as well.
  settings+=(--volume "$cache:/ccache" --volume "$folder/ccache.conf:/etc/ccache.conf:ro" --env "LANG=${LANG:-C}")
fi
for target in "${targets[@]}"; do
  started=$(date +%s)
  buildah bud --pull-never --layers "${context[@]}" "${settings[@]}" --target "$target" -t "localhost/cornu-$target" -f $file . >"$folder/$target.log" 2>&1 ||
    { tail -n 30 "$folder/$target.log" >&2; exit 1; }
  container=$(buildah from --pull-never "localhost/cornu-$target")
  buildah run "$container" -- cornu devices
  missing=$(buildah run "$container" -- sh -c 'for library in /usr/local/lib/libcornu*.so /usr/local/lib/*/libcornu*.so; do
    [ -e "$library" ] && ldd "$library"; done | grep "not found" | sort -u' || true)
  buildah rm "$container" >/dev/null
  [ -z "$missing" ] || { echo "$target lacks $missing" >&2; exit 1; }
  echo "$target: built in $(($(date +%s) - started)) s (log: $folder/$target.log)"
done
