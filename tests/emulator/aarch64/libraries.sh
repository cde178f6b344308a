#!/usr/bin/env bash
# libraries.sh FOLDER: unpacks the arm64 libraries that the emulator needs into FOLDER, with apt and
# without installing anything, for a machine whose own packages are to stay as they are.
set -euo pipefail

say() { printf 'libraries.sh: %s\n' "$*" >&2; }
if (($# != 1)); then
  say "usage: libraries.sh FOLDER"
  exit 2
fi
if ! command -v apt-get >/dev/null; then
  say "this needs apt-get, of Debian or Ubuntu"
  exit 2
fi

mkdir -p -- "$1"
folder=$(cd -- "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,parts}
: >"$work/state/status"  # to this apt, nothing is installed

options=(-qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State=$work/state"
  -o "Dir::State::status=$work/state/status" -o "Dir::Cache=$work/cache" -o "Dir::Etc::parts=$work/parts"
  -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0)
apt-get "${options[@]}" update >&2
apt-get "${options[@]}" -y --no-install-recommends --download-only install \
  libc6-dev libstdc++-12-dev libboost-context-dev libdw-dev libfmt-dev libseccomp-dev \
  doctest-dev libcli11-dev nlohmann-json3-dev >&2
for package in "$work"/cache/archives/*.deb; do dpkg -x "$package" "$folder"; done
say "arm64's libraries are in $folder"
