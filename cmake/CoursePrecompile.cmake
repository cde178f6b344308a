# course_precompile(TARGET...) and course_precompile_tests(TARGET...)
#
# Parse once what most of our sources include: standard headers; for tests doctest as well. JSON is not
# among them: wherever it is precompiled, every source instantiates its parser, with JSON or without.
# Targets that are compiled with other options than the rest (the engine) have headers of their own.

set(course_precompiled_headers
  <algorithm> <array> <chrono> <cmath> <cstdint> <cstdlib> <filesystem> <fstream> <functional> <iostream>
  <map> <memory> <optional> <regex> <set> <sstream> <stdexcept> <string> <string_view> <utility> <vector>)

# Most tests are run once: what they wait for is their compiler.
set(course_unoptimised "$<$<COMPILE_LANGUAGE:CXX>:-O0>")

# g++ 12 sees strings overflow in its own <string>, and forgets that a precompiled one is a system header.
set(course_precompiled_warnings -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)

# What the precompiled headers only declare of templates, compiled once: course_templates. The header's
# own list, without `extern`, is the source.
file(READ "${CMAKE_CURRENT_LIST_DIR}/templates/regex.hpp" course_templates)
string(REPLACE "extern template" "template" course_templates "${course_templates}")
string(REPLACE "#pragma once" "" course_templates "${course_templates}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/course_templates.cpp" CONTENT "${course_templates}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_LIST_DIR}/templates/regex.hpp")
add_library(course_templates STATIC "${PROJECT_BINARY_DIR}/course_templates.cpp")

# An object library that has nothing but the headers.
function(course_add_precompiled name)
  set(source "${PROJECT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Has the precompiled headers.\n")
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE course_warnings)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

list(APPEND course_precompiled_headers "${CMAKE_CURRENT_LIST_DIR}/templates/regex.hpp")
course_add_precompiled(course_precompiled ${course_precompiled_headers})

function(course_reuse_precompiled headers)
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM ${headers})
    target_link_libraries(${target} PRIVATE course_templates)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${course_precompiled_warnings}>")
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
