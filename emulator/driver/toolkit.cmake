# The folder that stands for an installed CUDA Toolkit, as makefiles and CMake look for one: bin/nvcc,
# include, lib64. Its libraries are linker scripts, which name the emulator's own library and what
# that needs: whoever links with -lcudart has them all.
#
# Sets `toolkit`, the folder, and `parts`, what the scripts name.

set(toolkit "${PROJECT_BINARY_DIR}/cuda")
set(parts "$<TARGET_FILE:emulator_driver_api>" "$<TARGET_FILE:emulator>" "$<TARGET_FILE:course_text>" "$<TARGET_FILE:Boost::context>")
if(LIBDW)
  list(APPEND parts "${LIBDW}" "${LIBELF}")
endif()
if(TARGET fmt::fmt)
  list(APPEND parts "$<TARGET_FILE:fmt::fmt>")
endif()

file(MAKE_DIRECTORY "${toolkit}/bin" "${toolkit}/lib64/stubs" "${toolkit}/nvvm/libdevice")
file(CREATE_LINK "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/emulator-nvcc" "${toolkit}/bin/nvcc" SYMBOLIC)
file(CREATE_LINK nvcc "${toolkit}/bin/host-link" SYMBOLIC)  # kHostLinkName
file(CREATE_LINK lib64 "${toolkit}/lib" SYMBOLIC)

# course_write_script(FILES... PARTS ...): whoever is linked with one of the files is linked with the parts.
function(course_write_script)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "PARTS")
  list(JOIN arg_PARTS "\" \"" names)
  foreach(library IN LISTS arg_UNPARSED_ARGUMENTS)
    file(GENERATE OUTPUT "${toolkit}/lib64/${library}"
      CONTENT "/* A linker script: the library is a part of the emulator. */\nINPUT(\"${names}\" -lstdc++ -lm -lpthread)\n")
  endforeach()
endfunction()
course_write_script(libcudart.so libcudart_static.a stubs/libcuda.so PARTS ${parts})
set(headers_of_libraries)
file(GLOB old RELATIVE "${toolkit}/lib64" "${toolkit}/lib64/lib*_static.a")
list(REMOVE_ITEM old libcudart_static.a)
foreach(library IN LISTS cuda_libraries)
  course_describe_library(${library} headers system)
  set(own "$<TARGET_FILE:emulator_${library}>")
  if(TARGET emulator_${library}_of_build)
    list(APPEND own "$<TARGET_OBJECTS:emulator_${library}_of_build>")
  endif()
  course_write_script(lib${library}.so lib${library}_static.a PARTS ${own} ${parts} ${system})
  list(APPEND headers_of_libraries ${headers})
  list(REMOVE_ITEM old lib${library}_static.a)
endforeach()
foreach(name IN LISTS old)  # of libraries that have gone
  string(REPLACE "_static.a" ".so" shared "${name}")
  file(REMOVE "${toolkit}/lib64/${name}" "${toolkit}/lib64/${shared}")
endforeach()
# NVTX is in headers alone.
file(CONFIGURE OUTPUT "${toolkit}/lib64/libnvToolsExt.so"
  CONTENT "/* A linker script: there is nothing to link. */\nINPUT(-lpthread)\n")
file(CONFIGURE OUTPUT "${toolkit}/lib64/libcudadevrt.a" CONTENT "!<arch>\n")  # an archive of nothing

# A header here includes the emulator's, and whoever includes it sees no warnings of that: g++ takes
# as a system's what a system's header includes. Headers that have gone must not be found.
set(names)
function(course_write_header name header)
  file(CONFIGURE OUTPUT "${toolkit}/include/${name}" @ONLY
    CONTENT "#pragma GCC system_header\n#include \"@header@\"\n")
endfunction()
foreach(folder IN ITEMS "${include}" "${PROJECT_SOURCE_DIR}/common/counters/include"
    ${headers_of_libraries})
  course_glob(headers "${folder}" "*" "*/*" "*/*/*")
  foreach(header IN LISTS headers)
    if(NOT IS_DIRECTORY "${header}")
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE name)
      course_write_header("${name}" "${header}")
      list(APPEND names "${name}")
    endif()
  endforeach()
endforeach()
foreach(library IN LISTS cuda_libraries)
  get_target_property(written emulator_${library} COURSE_WRITTEN_HEADERS)
  if(written)
    foreach(header IN LISTS written)
      cmake_path(GET header FILENAME name)
      course_write_header("${name}" "${header}")
      list(APPEND names "${name}")
    endforeach()
  endif()
endforeach()
file(GLOB_RECURSE old RELATIVE "${toolkit}/include" "${toolkit}/include/*")
foreach(name IN LISTS old)
  if(NOT name IN_LIST names)
    file(REMOVE "${toolkit}/include/${name}")
  endif()
endforeach()
