#!/bin/sh
# certificates.sh FOLDER NAME...: an authority, a worker's certificate for these host names and addresses, one for its clients, and a
# token, each for a year. What is there already stays. authority.key signs further ones: keep it elsewhere.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 FOLDER NAME..." >&2; exit 2; }
mkdir -p "$1"
cd "$1"
shift
umask 077
days=365
names=
for name in "$@"; do
  case $name in
    *[!0-9.]*) names="$names,DNS:$name" ;;
    *) names="$names,IP:$name" ;;
  esac
done
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
[ -e authority.pem ] || openssl req -x509 $key -keyout authority.key -out authority.pem -days $days -subj "/CN=cornu workers"
sign() {
  [ -e "$1.pem" ] && return
  openssl req $key -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" -addext "subjectAltName=$2"
  openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -copy_extensions copy -out "$1.pem" -days $days
  rm "$1.csr"
}
sign worker "${names#,}"
sign client "DNS:client"
[ -e token ] || openssl rand -hex 32 > token
