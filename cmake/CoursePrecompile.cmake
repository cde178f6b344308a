# course_precompile(TARGET...) and course_precompile_tests(TARGET...)
#
# Parse once what most of our sources include: standard headers; for tests doctest as well. JSON is not
# among them: wherever it is precompiled, every source instantiates its parser, with JSON or without.
# Targets that are compiled with other options than the rest (the engine) have headers of their own.

set(course_precompiled_headers
  <algorithm> <array> <chrono> <cmath> <cstdint> <cstdlib> <filesystem> <fstream> <functional> <iostream>
  <map> <memory> <optional> <set> <sstream> <stdexcept> <string> <string_view> <utility> <vector>)

# Most tests are run once: what they wait for is their compiler.
set(course_unoptimised "$<$<COMPILE_LANGUAGE:CXX>:-O0>")

# An object library that has nothing but the headers.
function(course_add_precompiled name)
  set(source "${PROJECT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Has the precompiled headers.\n")
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE course_warnings)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

course_add_precompiled(course_precompiled ${course_precompiled_headers})

function(course_reuse_precompiled headers)
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endforeach()
endfunction()

function(course_precompile)
  course_reuse_precompiled(course_precompiled ${ARGN})
endfunction()

function(course_precompile_tests)
  course_reuse_precompiled(course_precompiled_tests ${ARGN})
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${course_unoptimised})
  endforeach()
endfunction()
