# Which machine the kernels run on, and the target `course::cuda` that stands for it.

set(COURSE_BACKEND emulator CACHE STRING "cuda: nvcc and a GPU; emulator: any machine")
set_property(CACHE COURSE_BACKEND PROPERTY STRINGS cuda emulator)
if(NOT COURSE_BACKEND MATCHES "^(cuda|emulator)$")
  message(FATAL_ERROR "COURSE_BACKEND is \"${COURSE_BACKEND}\"; it must be cuda or emulator.")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# Asserts stay on: a kernel's assert() is part of what a reader runs. What runs long (kernels, the
# engine, loops over whole matrices) asks for more than -O1 where it stands; of the rest, compiling is
# what takes time. Kernels have debug information in every build, since findings name lines; the rest
# has it with -DCMAKE_BUILD_TYPE=RelWithDebInfo.
set(CMAKE_CXX_FLAGS_RELEASE "-O1")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g")

# What most sources cost is not read but instantiated, in each of them alike: JSON, formats, containers.
# So the presets compile up to 20 sources as one, and g++ collects its garbage less often.
# -DCMAKE_UNITY_BUILD=OFF compiles each alone.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(kind RELEASE RELWITHDEBINFO)
    string(APPEND CMAKE_CXX_FLAGS_${kind}
      " --param=ggc-min-expand=1000 --param=ggc-min-heapsize=1048576")
  endforeach()
endif()

# gold links in half the time of GNU ld. The tests link several hundred programs.
if(COURSE_BACKEND STREQUAL "emulator")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold COURSE_HAS_GOLD)
  if(COURSE_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

# Adds a folder of the project; with BACKEND, only for that back end.
function(course_add_part folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BACKEND" "")
  if(arg_BACKEND AND NOT arg_BACKEND STREQUAL COURSE_BACKEND)
    return()
  endif()
  add_subdirectory(${folder})
endfunction()

# The files in `folder` that match the patterns. A file or a folder added or removed beside them makes
# CMake run again; unlike GLOB's CONFIGURE_DEPENDS, this leaves an up-to-date build with nothing to do.
function(course_glob result folder)
  list(TRANSFORM ARGN PREPEND "${folder}/")
  file(GLOB files ${ARGN})
  set(folders "${folder}")
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH parent)
    while(NOT parent STREQUAL folder AND NOT parent IN_LIST folders)
      list(APPEND folders "${parent}")
      cmake_path(GET parent PARENT_PATH parent)
    endwhile()
  endforeach()
  if(IS_DIRECTORY "${folder}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folders})
  endif()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# The names of the chapters, in order.
function(course_list_chapters result)
  course_glob(mains "${PROJECT_SOURCE_DIR}/chapters" "*/main.cu")
  list(TRANSFORM mains REPLACE "/main.cu$" "")
  list(TRANSFORM mains REPLACE ".*/" "")
  set(${result} "${mains}" PARENT_SCOPE)
endfunction()

# The programs of the chapters, whose output the lessons show: NN_name, and NN_name_alone where there is one.
function(course_list_chapter_programs result)
  course_list_chapters(programs)
  course_glob(alone "${PROJECT_SOURCE_DIR}/chapters" "*/alone.cu")
  list(TRANSFORM alone REPLACE "^.*/([^/]*)/alone.cu$" "\\1_alone")
  set(${result} ${programs} ${alone} PARENT_SCOPE)
endfunction()

# The virtual or real architectures to compile for: this machine's GPU, else what the course's
# readers may own, as far as this nvcc knows it.
function(course_choose_cuda_architectures nvcc result)
  if(EXISTS /dev/nvidia0 OR EXISTS /dev/nvidiactl)
    set(${result} native PARENT_SCOPE)
    return()
  endif()
  execute_process(
    COMMAND "${nvcc}" --list-gpu-arch
    OUTPUT_VARIABLE known OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(architectures)
  foreach(number 75 80 86 89 90 100 120)
    if(known MATCHES "compute_${number}(\n|$)")
      list(APPEND architectures "${number}-real")
      set(newest ${number})
    endif()
  endforeach()
  if(NOT architectures)
    message(FATAL_ERROR "${nvcc} knows no architecture that the course supports (7.5 or newer).")
  endif()
  list(APPEND architectures "${newest}-virtual")
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()

if(COURSE_BACKEND STREQUAL "cuda")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(CMAKE_CUDA_COMPILER nvcc
      HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin
      DOC "The CUDA compiler")
    if(NOT CMAKE_CUDA_COMPILER)
      message(FATAL_ERROR "nvcc not found: install the CUDA Toolkit, or choose the emulator preset.")
    endif()
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    course_choose_cuda_architectures("${CMAKE_CUDA_COMPILER}" chosen)
    set(CMAKE_CUDA_ARCHITECTURES "${chosen}" CACHE STRING "GPU architectures to compile for" FORCE)
  endif()
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -lineinfo")
  set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-O3 -g -lineinfo")
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 knows no flag of nvcc's for C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  find_package(CUDAToolkit REQUIRED)

  add_library(course_cuda INTERFACE)
  target_link_libraries(course_cuda INTERFACE CUDA::cudart_static)
else()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
    message(FATAL_ERROR "The emulator needs g++ 11 or newer; "
      "${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}.")
  endif()
  # Results are the same on every processor: no product and sum in one rounding, and char is signed.
  add_compile_options(-ffp-contract=off -fsigned-char)
  # What the rewriter hands to g++ is compiled once, where there is a ccache.
  find_program(CCACHE_PROGRAM ccache)
  mark_as_advanced(CCACHE_PROGRAM)
  # Known before the target exists, because objects depend on the tool by file name.
  set(COURSE_EMULATOR_NVCC "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/emulator-nvcc")
  set(COURSE_RUN_EMULATOR_NVCC ${CMAKE_CROSSCOMPILING_EMULATOR} "${COURSE_EMULATOR_NVCC}")
  set(COURSE_LAUNCHER ${COURSE_RUN_EMULATOR_NVCC} --launcher)
  if(CCACHE_PROGRAM)
    list(APPEND COURSE_LAUNCHER "${CCACHE_PROGRAM}")
  endif()

  add_library(course_cuda INTERFACE)
  target_link_libraries(course_cuda INTERFACE emulator)
endif()
add_library(course::cuda ALIAS course_cuda)

# Without what g++ does to instructions once the calls that count accesses are there: a sixth of its
# time. Results and counts are the same; the engine takes so long that kernels run no slower to speak of.
set(course_rough_code
  -fno-combine-stack-adjustments -fno-compare-elim -fno-cprop-registers -fno-cse-follow-jumps -fno-dse
  -fno-forward-propagate -fno-gcse -fno-if-conversion2 -fno-ipa-ra -fno-peephole2 -fno-ree
  -fno-reorder-blocks -fno-rerun-cse-after-loop -fno-schedule-insns2 -fno-shrink-wrap)

# course_use_cuda(TARGET [ONE_FORM] [ROUGH] [DOCTEST]): lets it hold CUDA sources and run them on the
# chosen back end. With ONE_FORM, the emulator compiles kernels in no form but the one that is counted
# and checked; with ROUGH, as fast as it can: for tests, where that takes longer than the kernels run.
# Sources that include doctest have DOCTEST, and begin with precompiled headers.
function(course_use_cuda target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONE_FORM;ROUGH;DOCTEST" "" "")
  target_link_libraries(${target} PRIVATE course::cuda)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT COURSE_BACKEND STREQUAL "emulator")
    return()
  endif()
  if(sources)
    set_source_files_properties(${sources} PROPERTIES
      LANGUAGE CXX
      SKIP_PRECOMPILE_HEADERS ON
      OBJECT_DEPENDS "${COURSE_EMULATOR_NVCC}")
    if(arg_ONE_FORM)
      set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -fno-quick-forms)
    endif()
    if(arg_ROUGH)
      set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS ${course_rough_code})
    endif()
    if(arg_DOCTEST)
      course_precompile_cuda_tests(${target} ${sources})
    endif()
    set_target_properties(${target} PROPERTIES
      CXX_COMPILER_LAUNCHER "${COURSE_LAUNCHER}")
    add_dependencies(${target} emulator-nvcc)
  endif()
endfunction()

# An executable of .cu (and .cpp) sources, warnings being errors.
function(course_add_cuda_executable target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE course_warnings)
  course_use_cuda(${target})
endfunction()
