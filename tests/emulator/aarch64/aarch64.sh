#!/usr/bin/env bash
# aarch64.sh SOURCE FOLDER PROGRAMS: builds the emulator for aarch64 in FOLDER and compares what its
# programs report with what PROGRAMS, those of this machine, do.
# Exit status 77: the cross tools are missing, so there is nothing to run.
set -euo pipefail

source=$1 folder=$2 programs=$3
chapters=(01_warps 02_coalescing)
declare -A sizes=([01_warps]='--n 4096' [02_coalescing]='--elements 16384 --m 96 --n 64 --k 100')
# What starts other programs needs a kernel that starts those of aarch64 (binfmt_misc).
alone=(test_counters test_engine_cost test_engine_access_log test_engine_source_text
  test_engine_place_records test_engine_profile test_engine_kernel_name test_engine_execution
  test_runtime_api test_runtime_sticky test_device_vector_access test_device_vector_types
  test_device_math test_device_arithmetic test_device_intrinsics test_device_cooperative_groups
  test_device_pipeline test_device_bulk_copy test_device_access_width test_meet test_check)
starting=(test_device_warp_functions test_device_atomics test_meet_broken test_check_program test_trace
  test_01_warps test_02_coalescing)

skip() {
  printf 'aarch64 is left out: %s (cmake/aarch64.cmake says how to get it)\n' "$*"
  exit 77
}

# --- what it needs --------------------------------------------------------------------------------

command -v aarch64-linux-gnu-g++ >/dev/null || skip "there is no aarch64-linux-gnu-g++"
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || skip "there is no qemu-aarch64"
export COURSE_AARCH64_SYSROOT=${COURSE_AARCH64_SYSROOT:-$folder/sysroot}
[[ -d $COURSE_AARCH64_SYSROOT/usr/lib/aarch64-linux-gnu ]] ||
  skip "there are no arm64 libraries in $COURSE_AARCH64_SYSROOT"
export QEMU_LD_PREFIX=$COURSE_AARCH64_SYSROOT  # for programs that others start

# --- the build ------------------------------------------------------------------------------------

build=$folder/emulator
mkdir -p -- "$build"
if [[ ! -e $build/build.ninja ]]; then
  launcher=()
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  cmake -S "$source" --preset emulator -B "$build" --toolchain "$source/cmake/aarch64.cmake" \
    "${launcher[@]}" >"$build/configure.log" 2>&1 || {
    cat -- "$build/configure.log"
    exit 1
  }
fi

make() {  # TARGET...: one core, as other tests run beside this one
  local jobs=1
  if [[ ${COURSE_LONG_TESTS-} == 1 ]]; then jobs=$(nproc); fi
  nice cmake --build "$build" --target "$@" -- --quiet -j "$jobs"
}

# --- the comparison -------------------------------------------------------------------------------

failed=0
make "${chapters[@]}"
for chapter in "${chapters[@]}"; do
  read -ra arguments <<<"${sizes[$chapter]}"
  "$programs/$chapter" "${arguments[@]}" --json "$folder/$chapter.here.json" >/dev/null
  "$qemu" -L "$COURSE_AARCH64_SYSROOT" "$build/bin/$chapter" "${arguments[@]}" --json "$folder/$chapter.aarch64.json" >/dev/null
  if ! diff -u "$folder/$chapter.here.json" "$folder/$chapter.aarch64.json"; then
    echo "FAILED: $chapter does not report on aarch64 what it reports here"
    failed=1
  fi
done

if [[ ${COURSE_LONG_TESTS-} == 1 ]]; then
  tests=("${alone[@]}")
  if "$build/bin/${chapters[0]}" --list >/dev/null 2>&1; then
    tests+=("${starting[@]}")
  else
    echo "Left out, as this machine does not start aarch64's programs by itself: ${starting[*]}"
  fi
  make "${tests[@]}"
  pattern=$(IFS='|' && echo "^(${tests[*]})\$")
  ctest --test-dir "$build" -R "$pattern" --output-on-failure --no-tests=error || failed=1
fi
exit $failed
