# What CPack cannot know of Debian's package: the version for this release of Debian, and the packages
# that it needs. CPack includes this.

if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
include("${CPACK_WARP_SETTINGS}")
find_program(dpkg_query dpkg-query REQUIRED)
find_program(dpkg_shlibdeps dpkg-shlibdeps)
if(NOT dpkg_shlibdeps)
  message(FATAL_ERROR "dpkg-shlibdeps is missing: install the package dpkg-dev")
endif()

# g++ and the libraries are the release's own, and so is the package.
cmake_host_system_information(RESULT system QUERY DISTRIB_ID)
cmake_host_system_information(RESULT release QUERY DISTRIB_VERSION_ID)
string(REGEX REPLACE "^debian$" "deb" system "${system}")
set(CPACK_DEBIAN_PACKAGE_VERSION "${CPACK_PACKAGE_VERSION}+${system}${release}")

# Whatever the programs here are linked with, and whatever a program is linked with that has all of the
# emulator inside.
set(folder "${staged}.depends")
file(REMOVE_RECURSE "${folder}")
file(WRITE "${folder}/debian/control" "Source: warp-emulator\n\nPackage: warp-emulator\nArchitecture: any\n")
file(WRITE "${folder}/program.cpp" "int main() {}\n")
set(own ${archives})
foreach(name IN LISTS cuda_libraries)
  list(APPEND own "${archive_of_${name}}")
  list(APPEND libraries ${system_of_${name}})
endforeach()
execute_process(
  COMMAND "${compiler}" program.cpp -o program -Wl,--whole-archive ${own}
    -Wl,--no-whole-archive ${libraries} -lpthread
  WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${dpkg_shlibdeps}" -O program "${driver}" ${plugin}
  WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE depends ERROR_VARIABLE warnings RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "dpkg-shlibdeps: ${warnings}")
endif()
string(REGEX REPLACE "^shlibs:Depends=|\n" "" depends "${depends}")

# package_of(RESULT FILE)
function(package_of result file)
  execute_process(COMMAND "${dpkg_query}" --search "${file}"
    OUTPUT_VARIABLE package COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[:,].*" "" package "${package}")
  set(${result} ${package} PARENT_SCOPE)
endfunction()

# The plugin runs in this version of g++ alone. Debian's own changes of a release do no harm.
package_of(package "${compiler}")
execute_process(COMMAND "${dpkg_query}" --show "--showformat=\${Version}" ${package}
  OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "^(.*-)([0-9]+)([^0-9].*)?$")
  message(FATAL_ERROR "${package} has a version of an unknown form: ${version}")
endif()
math(EXPR next "${CMAKE_MATCH_2} + 1")
string(PREPEND depends
  "${package} (>= ${CMAKE_MATCH_1}${CMAKE_MATCH_2}), ${package} (<< ${CMAKE_MATCH_1}${next}~), ")

# The linker, where it is not g++'s usual one, and ar.
set(linker ld)
if(uses_gold)
  set(linker ld.gold)
endif()
foreach(program IN ITEMS ar ${linker})
  find_program(file_${program} ${program} REQUIRED)
  package_of(package "${file_${program}}")
  if(NOT depends MATCHES ", ${package}(,|$)")
    string(APPEND depends ", ${package}")
  endif()
endforeach()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${depends}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, make, ccache")
