# Compiles for aarch64 Linux on another machine, and runs what comes out under qemu-user. It takes
# Debian's packages g++-aarch64-linux-gnu and qemu-user-static, and a folder with arm64's libraries:
#
#   tests/emulator/aarch64/libraries.sh FOLDER
#   COURSE_AARCH64_SYSROOT=FOLDER cmake --preset emulator -B build/aarch64 --toolchain cmake/aarch64.cmake

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

if(NOT COURSE_AARCH64_SYSROOT)
  set(COURSE_AARCH64_SYSROOT "$ENV{COURSE_AARCH64_SYSROOT}")
endif()
if(NOT IS_DIRECTORY "${COURSE_AARCH64_SYSROOT}/usr/lib/aarch64-linux-gnu")
  message(FATAL_ERROR "COURSE_AARCH64_SYSROOT must name a folder with arm64's libraries.")
endif()
set(COURSE_AARCH64_SYSROOT "${COURSE_AARCH64_SYSROOT}" CACHE PATH "Folder with arm64's libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES COURSE_AARCH64_SYSROOT)
set(CMAKE_SYSROOT "${COURSE_AARCH64_SYSROOT}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
find_program(COURSE_QEMU NAMES qemu-aarch64-static qemu-aarch64 REQUIRED)
mark_as_advanced(COURSE_QEMU)
set(CMAKE_CROSSCOMPILING_EMULATOR "${COURSE_QEMU};-L;${COURSE_AARCH64_SYSROOT}")
