# The folder that stands for an installed CUDA Toolkit, as makefiles and CMake look for one: bin/nvcc,
# include, lib64. Its libraries are linker scripts, which name the emulator's own library and what
# that needs: whoever links with -lcudart has them all.
#
# Sets `toolkit`, the folder, and `parts`, what the scripts name.

set(toolkit "${PROJECT_BINARY_DIR}/cuda")
set(parts "$<TARGET_FILE:emulator>" "$<TARGET_FILE:course_text>" "$<TARGET_FILE:Boost::context>")
if(LIBDW)
  list(APPEND parts "${LIBDW}")
endif()
if(TARGET fmt::fmt)
  list(APPEND parts "$<TARGET_FILE:fmt::fmt>")
endif()

file(MAKE_DIRECTORY "${toolkit}/bin" "${toolkit}/lib64/stubs" "${toolkit}/nvvm/libdevice")
file(CREATE_LINK "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/emulator-nvcc" "${toolkit}/bin/nvcc" SYMBOLIC)
file(CREATE_LINK nvcc "${toolkit}/bin/host-link" SYMBOLIC)  # kHostLinkName
file(CREATE_LINK lib64 "${toolkit}/lib" SYMBOLIC)

list(JOIN parts "\" \"" names)
set(script "/* A linker script: the runtime library is the emulator. */\n")
string(APPEND script "INPUT(\"${names}\" -lpthread)\n")
foreach(library IN ITEMS libcudart.so libcudart_static.a stubs/libcuda.so)
  file(GENERATE OUTPUT "${toolkit}/lib64/${library}" CONTENT "${script}")
endforeach()
file(CONFIGURE OUTPUT "${toolkit}/lib64/libcudadevrt.a" CONTENT "!<arch>\n")  # an archive of nothing

# A header here includes the emulator's, and whoever includes it sees no warnings of that: g++ takes
# as a system's what a system's header includes. Headers that have gone must not be found.
set(names)
foreach(folder IN ITEMS "${include}" "${PROJECT_SOURCE_DIR}/common/counters/include")
  course_glob(headers "${folder}" "*" "*/*" "*/*/*")
  foreach(header IN LISTS headers)
    if(NOT IS_DIRECTORY "${header}")
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE name)
      file(CONFIGURE OUTPUT "${toolkit}/include/${name}" @ONLY
        CONTENT "#pragma GCC system_header\n#include \"@header@\"\n")
      list(APPEND names "${name}")
    endif()
  endforeach()
endforeach()
file(GLOB_RECURSE old RELATIVE "${toolkit}/include" "${toolkit}/include/*")
foreach(name IN LISTS old)
  if(NOT name IN_LIST names)
    file(REMOVE "${toolkit}/include/${name}")
  endif()
endforeach()
