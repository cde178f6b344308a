# course_add_chapter(NN_name)
#
# Everything a chapter has, from its folders' contents alone:
#   bin/NN_name                   chapters/NN_name/main.cu and its parts: every other .cu file there,
#                                 an object library NN_name_PART each; the tests have them as well
#   bin/NN_name_alone             chapters/NN_name/alone.cu, where there is one: plain CUDA, a whole program
#   tests/test_NN_name            every other .cu and .cpp file in tests/chapters/NN_name, as one doctest;
#                                 the kernels come by way of kernels_under_test()
# Tests find the chapter's program in the macro COURSE_CHAPTER_PROGRAM, and in EMULATOR_NVCC what compiles
# a file as ./course nvcc does (cuda: nothing). Its exercises are the business of tools/coursework.

function(course_add_chapter name)
  if(NOT name MATCHES "^([0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "Chapter \"${name}\": a name is two digits, _, and lower-case words.")
  endif()
  set(number ${CMAKE_MATCH_1})
  set(folder "${PROJECT_SOURCE_DIR}/chapters/${name}")

  course_add_chapter_parts(${name} "${folder}")
  course_add_cuda_executable(${name} "${folder}/main.cu")
  target_link_libraries(${name} PRIVATE course_common ${name}_parts)

  if(EXISTS "${folder}/alone.cu")
    course_add_cuda_executable(${name}_alone "${folder}/alone.cu")
    if(COURSE_BUILD_TESTS)
      course_add_test_entry(${name}.alone COMMAND ${name}_alone)
      set_tests_properties(${name}.alone PROPERTIES
        LABELS "chapter;${number}" TIMEOUT ${COURSE_TEST_TIMEOUT_S})
      course_check_hazards(${name}.alone)
    endif()
  endif()

  if(COURSE_BUILD_TESTS)
    course_add_chapter_tests(${name} ${number})
  endif()
endfunction()

# The interface library NN_name_parts: the objects of the chapter's parts.
function(course_add_chapter_parts name folder)
  add_library(${name}_parts INTERFACE)
  course_glob(parts "${folder}" "*.cu")
  list(REMOVE_ITEM parts "${folder}/main.cu" "${folder}/alone.cu")
  foreach(part IN LISTS parts)
    cmake_path(GET part STEM stem)
    add_library(${name}_${stem} OBJECT "${part}")
    target_link_libraries(${name}_${stem} PRIVATE course_warnings course_common)
    course_use_cuda(${name}_${stem})
    target_sources(${name}_parts INTERFACE "$<TARGET_OBJECTS:${name}_${stem}>")
  endforeach()
endfunction()

# course_compile_since(TARGET ARCHITECTURE): nvcc compiles it for those of the build's architectures
# that are no older, or for this one where there are none.
function(course_compile_since target since)
  set(all ${CMAKE_CUDA_ARCHITECTURES})
  if(all STREQUAL "native")
    set(all ${CMAKE_CUDA_ARCHITECTURES_NATIVE})
  endif()
  set(architectures)
  foreach(architecture IN LISTS all)
    if(architecture MATCHES "^[0-9]+" AND CMAKE_MATCH_0 GREATER_EQUAL since)
      list(APPEND architectures ${architecture})
    endif()
  endforeach()
  if(NOT architectures)
    set(architectures ${since})
  endif()
  set_property(TARGET ${target} PROPERTY CUDA_ARCHITECTURES ${architectures})
endfunction()

# course_set_part_options(NN_name PART [SINCE ARCHITECTURE | ARCHITECTURE ARCHITECTURE]
#                         [OPTIONS option...] [ONE_FORM])
#
# Lets nvcc compile a part with options of its own, and for architectures from SINCE on only, or for
# ARCHITECTURE alone; the emulator needs neither. ONE_FORM is for the emulator: see course_use_cuda.
# Where the build has no such architecture, the part is compiled for SINCE
# itself: the program then asks the device before it launches anything of it.
function(course_set_part_options name part)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ONE_FORM" "SINCE;ARCHITECTURE" "OPTIONS")
  if(COURSE_BACKEND STREQUAL "emulator")
    if(arg_ONE_FORM)
      course_use_cuda(${name}_${part} ONE_FORM)
    endif()
    return()
  endif()
  target_compile_options(${name}_${part} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${arg_OPTIONS}>")
  if(arg_SINCE)
    course_compile_since(${name}_${part} ${arg_SINCE})
  elseif(arg_ARCHITECTURE)
    set_property(TARGET ${name}_${part} PROPERTY CUDA_ARCHITECTURES ${arg_ARCHITECTURE})
  endif()
endfunction()

# course_share_parts(NN_name OTHER PART...): the program NN_name and its tests have these parts of
# chapter OTHER, too.
function(course_share_parts name other)
  set(shared ${name}_parts_of_${other})
  add_library(${shared} INTERFACE)
  foreach(part IN LISTS ARGN)
    target_sources(${shared} INTERFACE "$<TARGET_OBJECTS:${other}_${part}>")
  endforeach()
  target_link_libraries(${name}_parts INTERFACE ${shared})
  if(TARGET ${name}_tests)
    target_link_libraries(${name}_tests INTERFACE ${shared})
  endif()
endfunction()

function(course_add_chapter_tests name number)
  set(folder "${PROJECT_SOURCE_DIR}/chapters/${name}")
  set(test_folder "${PROJECT_SOURCE_DIR}/tests/chapters/${name}")

  course_glob(sources "${test_folder}" "*.cu" "*.cpp")
  # What runs the chapter's program would see no mutant of a kernel.
  set(program_tests ${sources})
  list(FILTER program_tests INCLUDE REGEX "/checker_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/checker_test\\.cpp$")
  course_add_kernel_tests(${name} ${sources})
  course_add_test(test_${name} ${program_tests} LABELS chapter ${number})
  target_compile_definitions(test_${name} PRIVATE
    COURSE_CHAPTER_PROGRAM="$<TARGET_FILE:${name}>")
  target_link_libraries(test_${name} PRIVATE ${name}_tests ${name}_kernels_under_test)
  if(COURSE_BACKEND STREQUAL "emulator")
    target_compile_definitions(test_${name} PRIVATE EMULATOR_NVCC="$<TARGET_FILE:emulator-nvcc>")
  else()
    target_compile_definitions(test_${name} PRIVATE EMULATOR_NVCC="")
  endif()
  course_check_hazards(test_${name})
endfunction()

# The interface libraries NN_name_tests, the objects of the chapter's tests, and
# NN_name_kernels_under_test, those of the kernels that they test. The program `mutants` writes the
# source of the latter. A chapter whose kernels nvcc must not compile alike (09) has it by hand, in
# real_kernels.cu.
function(course_add_kernel_tests name)
  set(folder "${PROJECT_SOURCE_DIR}/chapters/${name}")
  set(test_folder "${PROJECT_SOURCE_DIR}/tests/chapters/${name}")
  set(sources ${ARGN})

  set(kernels "${test_folder}/real_kernels.cu")
  list(REMOVE_ITEM sources "${kernels}")
  if(NOT EXISTS "${kernels}")
    set(kernels "${PROJECT_BINARY_DIR}/tests/kernels_under_test/${name}.cu")
    add_custom_command(OUTPUT "${kernels}"
      COMMAND mutants generate "${folder}" "${kernels}"
      DEPENDS mutants "${folder}/kernels.cuh" VERBATIM)
  endif()

  course_add_test_objects(${name}_tests ${name} ${sources})
  course_add_test_objects(${name}_kernels_under_test ${name} "${kernels}")
  target_link_libraries(${name}_kernels_under_test INTERFACE ${name}_parts)
endfunction()

# course_add_test_objects(TARGET NN_name SOURCES...): the interface library TARGET, the objects of some
# of the sources that a chapter's tests consist of.
function(course_add_test_objects target name)
  add_library(${target}_objects OBJECT ${ARGN})
  target_include_directories(${target}_objects PRIVATE
    "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/chapters/${name}"
    "${PROJECT_SOURCE_DIR}/tests/chapters/${name}")
  target_link_libraries(${target}_objects PRIVATE
    course_warnings course_common course_doctest test_support)
  course_precompile(${target}_objects)  # optimised: mutants run them again and again
  course_use_cuda(${target}_objects ONE_FORM ROUGH DOCTEST)  # they run under the hazard checker
  add_library(${target} INTERFACE)
  target_sources(${target} INTERFACE "$<TARGET_OBJECTS:${target}_objects>")
  target_link_libraries(${target} INTERFACE course_common test_support)
endfunction()

# Runs a test under the hazard checker, where there is one: a finding fails it. What is wrong on
# purpose runs inside course::without_checking or course::hazards_in.
function(course_check_hazards test)
  if(COURSE_BACKEND STREQUAL "emulator")
    set_tests_properties(${test} PROPERTIES ENVIRONMENT COURSE_CHECK=all)
  endif()
endfunction()
