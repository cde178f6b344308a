# Compiles for aarch64 Linux on another machine, and runs what comes out under qemu-user. Debian:
#
#   dpkg --add-architecture arm64; apt-get update
#   apt-get install g++-aarch64-linux-gnu qemu-user-static \
#     libboost-context-dev:arm64 libdw-dev:arm64 libfmt-dev:arm64 libseccomp-dev:arm64
#
# Or unpack the arm64 packages, libc6-dev among them, into a folder (dpkg -x), and name it in
# COURSE_AARCH64_SYSROOT, as a CMake or an environment variable.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

if(NOT COURSE_AARCH64_SYSROOT)
  set(COURSE_AARCH64_SYSROOT "$ENV{COURSE_AARCH64_SYSROOT}")
endif()
set(COURSE_AARCH64_SYSROOT "${COURSE_AARCH64_SYSROOT}" CACHE PATH "Folder with arm64's libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES COURSE_AARCH64_SYSROOT)
if(COURSE_AARCH64_SYSROOT)
  set(CMAKE_SYSROOT "${COURSE_AARCH64_SYSROOT}")
  set(libraries_of_programs "${COURSE_AARCH64_SYSROOT}")
else()
  set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
  set(libraries_of_programs /)
endif()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
find_program(COURSE_QEMU NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(COURSE_QEMU)
if(COURSE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${COURSE_QEMU};-L;${libraries_of_programs}")
endif()
