# `course_warnings`: what our own code is compiled with; a warning is an error.

add_library(course_warnings INTERFACE)
set(host_warnings -Wall -Wextra -Wshadow -Werror)

target_compile_options(course_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_warnings};-Wpedantic>")
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A class of a source of its own may have members of the source's own types.
  target_compile_options(course_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
endif()

if(COURSE_BACKEND STREQUAL "cuda")
  # No -Wpedantic: the code nvcc hands to the host compiler has GNU line markers.
  list(JOIN host_warnings "," joined)
  target_compile_options(course_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${joined};-Werror=all-warnings>")
endif()
