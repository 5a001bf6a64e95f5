#!/usr/bin/env bash
# bare_root_test.sh DIRECTORY: runs both of the README's commands as a stranger would, in a fresh minimal Debian 12 made in DIRECTORY/root from
# this machine's package sources. Copies what git tracks or would track. Needs root and debootstrap. DIRECTORY/root is made once; delete it to
# start anew. Usage: tools/bare_root_test.sh DIRECTORY [make targets; default: demo test]
set -euo pipefail
directory=$(realpath -m "${1:?usage: bare_root_test.sh DIRECTORY [targets]}")
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(demo test)
source_tree=$(realpath "$(dirname "$0")/..")
root=$directory/root
[ "$(id -u)" -eq 0 ] || { echo "needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "needs debootstrap: apt-get install debootstrap" >&2; exit 1; }

if [ ! -e "$root/etc/debian_version" ]; then
  # Machines lack some of these files.
  mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    sed -n -E 's/^(URIs:|deb( \[[^]]*\])?) +(https?:[^ ]+).*/\3/p' | head -n 1)
  mkdir -p "$directory"
  debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$directory/debootstrap.log"
fi
rm -f "$root"/etc/apt/sources.list
for part in sources.list sources.list.d apt.conf.d trusted.gpg.d keyrings; do
  if [ -e "/etc/apt/$part" ]; then cp -a "/etc/apt/$part" "$root/etc/apt/"; fi
done
cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts" # as the installer writes it; debootstrap does not

mounted=()
cleanup() { for ((i = ${#mounted[@]} - 1; i >= 0; --i)); do umount "${mounted[i]}" || true; done; }
trap cleanup EXIT
mount -t proc proc "$root/proc" && mounted+=("$root/proc")
[ -e "$root/dev/urandom" ] || { mount --bind /dev "$root/dev" && mounted+=("$root/dev"); }
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" && mounted+=("$root/dev/pts")
[ -L "$root/dev/ptmx" ] || ln -sf pts/ptmx "$root/dev/ptmx"

rm -rf "$root/src"
mkdir -p "$root/src"
(cd "$source_tree" && git ls-files -z --cached --others --exclude-standard | xargs -0 -r ls -d 2>/dev/null | tar -cf - -T -) | tar -xf - -C "$root/src"
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 bash -c "$1"; }
in_root "apt-get update -qq && apt-get install -y -qq --no-install-recommends make" >"$directory/apt.log" 2>&1
for target in "${targets[@]}"; do
  started=$(date +%s)
  code=0
  in_root "cd /src && make $target" >"$directory/make_$target.log" 2>&1 || code=$?
  tail -n 3 "$directory/make_$target.log"
  echo "make $target: exit code $code, $(($(date +%s) - started)) s (log: $directory/make_$target.log)"
  [ $code -eq 0 ] || exit $code
done
