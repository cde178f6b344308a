# course_precompile(TARGET...), course_precompile_tests(TARGET...) and, for the .cu files of tests,
# course_precompile_cuda_tests(TARGET SOURCE...)
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

# course_precompile_cuda(RESULT HEADER NAME FLAGS...): HEADER, which includes cuda_runtime.h, for .cu
# files with these flags. RESULT is the file HEADER.gch/NAME; emulator-nvcc finds it there.
function(course_precompile_cuda result header name)
  file(MAKE_DIRECTORY "${header}.gch")
  set(output "${header}.gch/${name}")
  set(dependencies "${header}.${name}.d")
  cmake_path(GET header STEM stem)
  add_custom_command(OUTPUT "${output}"
    COMMAND emulator-precompile "${header}" "${output}" ${ARGN}
      -MD -MF "${dependencies}" -MT "${output}"
    DEPENDS emulator-precompile "${header}"
    DEPFILE "${dependencies}"
    COMMENT "Precompiling headers for .cu files (${stem}, ${name})" VERBATIM)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

# What our tests' .cu files begin with: less of the standard library, since what is larger takes longer
# to load. Chapters go without: who runs one of them would wait for it.
if(COURSE_BACKEND STREQUAL "emulator" AND COURSE_BUILD_TESTS)
  set(course_headers_of_cuda_tests "${PROJECT_BINARY_DIR}/precompiled_for_tests/cuda_tests.h")
  set(text "")
  foreach(header IN ITEMS cuda_runtime.h algorithm array cmath cstdint functional map memory optional
      sstream string string_view utility vector doctest/doctest.h)
    string(APPEND text "#include <${header}>\n")
  endforeach()
  file(CONFIGURE OUTPUT "${course_headers_of_cuda_tests}" CONTENT "${text}")
  # -Wpedantic takes predefined macros away.
  course_precompile_cuda(precompiled "${course_headers_of_cuda_tests}" ours -std=c++20 -Wpedantic)
  add_custom_target(course_precompiled_cuda_tests DEPENDS "${precompiled}")
endif()

function(course_precompile_cuda_tests target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS
    "--precompiled=${course_headers_of_cuda_tests}")
  add_dependencies(${target} course_precompiled_cuda_tests)
endfunction()
