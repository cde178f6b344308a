#!/usr/bin/env bash
# Gradescope runs this once, as root, when it makes the image that submissions are graded in.
set -euo pipefail

source=${COURSE_AUTOGRADER:-/autograder}/source
readonly minimum_cmake=3.25 kib_per_compiler=1500000

# Ubuntu 22.04 has an older CMake, and its packages for Python have a newer one.
if command -v apt-get >/dev/null && ! command -v cmake >/dev/null; then
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends cmake git python3-pip
fi
version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
if [[ $(printf '%s\n' "$version" "$minimum_cmake" | sort -V | head -n 1) != "$minimum_cmake" ]]; then
  python3 -m pip install --quiet "cmake>=$minimum_cmake,<4"
  hash -r
fi

# As many compilers at a time as there is memory for.
jobs=$(awk -v each=$kib_per_compiler '/^MemAvailable/ { print int($2 / each) }' /proc/meminfo)
((jobs >= 1)) || jobs=1
((jobs <= $(nproc))) || jobs=$(nproc)
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs

"$source/course/course" bundle --help >/dev/null

# A grader that does not work is to fail here, and not with the first student.
"$source/course/build/emulator/bin/coursework" bundle try \
  --bundle "$source/bundle.json" --starters "$source/starters"
echo "course: the grader is ready"
