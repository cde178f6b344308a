# course_add_test(TARGET SOURCES... [OPTIMISED] [ONE_FORM] [SECONDS number] [LABELS label...])
#
# A doctest executable with the shared main, and its CTest entry of the same name. Programs that the
# test runs are built with it if a definition names them; others need add_dependencies. The label `unit`
# and the name of the part (the folder below tests/) are added; the program runs in the folder of
# its sources. Sources may be .cpp or .cu. Most tests are compiled without optimisation; those that
# work hard themselves are OPTIMISED. ONE_FORM is for kernels that are always counted or checked (see
# course_use_cuda): it halves the time to compile them. SECONDS, roughly, lets long tests start
# before short ones.

find_path(COURSE_DOCTEST_INCLUDE doctest/doctest.h REQUIRED)

add_library(course_doctest INTERFACE)
target_include_directories(course_doctest SYSTEM INTERFACE "${COURSE_DOCTEST_INCLUDE}")
# No try and catch around each assertion: an exception ends the test case, as it does elsewhere, and
# the tests take a tenth less time to compile.
target_compile_definitions(course_doctest INTERFACE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)

add_library(course_test_main OBJECT "${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp")
target_link_libraries(course_test_main PUBLIC course_doctest PRIVATE course_warnings)

course_add_precompiled(course_precompiled_tests ${course_precompiled_headers} <doctest/doctest.h>)
target_link_libraries(course_precompiled_tests PRIVATE course_doctest)
foreach(target course_test_main course_precompiled_tests)
  target_compile_options(${target} PRIVATE ${course_unoptimised})
endforeach()

set(COURSE_TEST_TIMEOUT_S 600)

function(course_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED;ONE_FORM" "SECONDS" "LABELS")
  set(sources ${arg_UNPARSED_ARGUMENTS})

  add_executable(${target} ${sources})
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${target} PRIVATE course_warnings course_test_main)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  if(arg_OPTIMISED)
    course_precompile(${target})
  else()
    course_precompile_tests(${target})
  endif()
  if(sources MATCHES "\\.cu(;|$)")
    set(options DOCTEST)
    if(arg_ONE_FORM)
      list(APPEND options ONE_FORM)
    endif()
    if(NOT arg_OPTIMISED)
      list(APPEND options ROUGH)
    endif()
    course_use_cuda(${target} ${options})
  endif()

  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR
    BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE folder)
  string(REGEX MATCH "^[a-z_0-9]+" part "${folder}")
  course_add_test_entry(${target}
    COMMAND ${target} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set_tests_properties(${target} PROPERTIES
    LABELS "unit;${part};${arg_LABELS}"
    TIMEOUT ${COURSE_TEST_TIMEOUT_S})
  if(arg_SECONDS)
    set_tests_properties(${target} PROPERTIES COST ${arg_SECONDS})
  endif()
endfunction()
