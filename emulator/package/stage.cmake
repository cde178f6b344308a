# Puts together what is installed, in the folder `staged`: the tree of a prefix, with a CUDA Toolkit in
# lib/warp-emulator. `cmake --install` runs this, with `settings` (see CMakeLists.txt beside it).

cmake_minimum_required(VERSION 3.25)
include("${settings}")
set(here "${CMAKE_CURRENT_LIST_DIR}")
set(toolkit "${staged}/lib/warp-emulator")
set(own ${archives})  # the emulator's own libraries
foreach(name IN LISTS cuda_libraries)
  list(APPEND own "${archive_of_${name}}")
endforeach()
foreach(file IN LISTS driver plugin own)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "${file} is missing: build the target warp-emulator before you install it")
  endif()
endforeach()
file(REMOVE_RECURSE "${staged}")

# Programs and libraries, without debug information: it would name the folder of the sources.
function(put_stripped file folder)
  file(COPY "${file}" DESTINATION "${folder}")
  cmake_path(GET file FILENAME name)
  set(options --strip-unneeded)
  if(name MATCHES "\\.a$")
    set(options --strip-debug --enable-deterministic-archives)
  endif()
  execute_process(
    COMMAND "${strip}" ${options} --remove-section=.comment --remove-section=.note "${folder}/${name}"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
put_stripped("${driver}" "${toolkit}/bin")
foreach(file IN LISTS plugin own)
  put_stripped("${file}" "${toolkit}/lib64")
endforeach()
file(CREATE_LINK emulator-nvcc "${toolkit}/bin/nvcc" SYMBOLIC)
file(CREATE_LINK nvcc "${toolkit}/bin/host-link" SYMBOLIC)  # kHostLinkName
file(CREATE_LINK lib64 "${toolkit}/lib" SYMBOLIC)
file(MAKE_DIRECTORY "${toolkit}/nvvm/libdevice" "${staged}/bin")
file(CREATE_LINK ../lib/warp-emulator/bin/nvcc "${staged}/bin/warp-nvcc" SYMBOLIC)

# Headers. g++ takes as a system's what says so itself: whoever includes one sees no warnings of it.
foreach(folder IN LISTS headers)
  file(GLOB_RECURSE names RELATIVE "${folder}" "${folder}/*")
  list(REMOVE_ITEM names course/counters_json.hpp)  # it needs a library that programs do without
  foreach(name IN LISTS names)
    file(READ "${folder}/${name}" text)
    file(WRITE "${toolkit}/include/${name}" "#pragma GCC system_header\n${text}")
  endforeach()
endforeach()

# What the driver must know. Paths begin in its folder.
set(lines "compiler = ${compiler}\ninclude = ../include\ntoolkit = ..\ncccl = ../cccl\n")
if(uses_gold)
  string(APPEND lines "link = -fuse-ld=gold\n")
endif()
if(plugin)
  cmake_path(GET plugin FILENAME name)
  string(APPEND lines "plugin = ../lib64/${name}\n")
endif()
file(WRITE "${toolkit}/bin/emulator-nvcc.conf" "${lines}")

# name_of_library(RESULT FILE): a shared library by the name that programs will ask for. The name that
# was found at the build may belong to a package for developers alone.
function(name_of_library result file)
  execute_process(COMMAND "${objdump}" -p "${file}" OUTPUT_VARIABLE text ERROR_QUIET)
  cmake_path(GET file PARENT_PATH folder)
  if(text MATCHES "SONAME +([^\n]+)" AND EXISTS "${folder}/${CMAKE_MATCH_1}")
    set(file "${folder}/${CMAKE_MATCH_1}")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# Linker scripts, as toolkit.cmake writes them for the build. The linker looks for a part beside the
# script that names it.
function(write_script library)
  set(above "")
  if(library MATCHES "/")
    set(above "../")
  endif()
  set(names)
  foreach(file IN LISTS ARGN)
    if(file IN_LIST own)
      cmake_path(GET file FILENAME name)
      string(PREPEND name "${above}")
    else()
      name_of_library(name "${file}")
    endif()
    list(APPEND names "${name}")
  endforeach()
  list(JOIN names "\" \"" names)
  file(WRITE "${toolkit}/lib64/${library}"
    "/* A linker script: the library is a part of the emulator. */\nINPUT(\"${names}\" -lstdc++ -lm -lpthread)\n")
endfunction()
write_script(libcudart.so ${archives} ${libraries})
write_script(stubs/libcuda.so ${archives} ${libraries})
file(CREATE_LINK libcudart.so "${toolkit}/lib64/libcudart_static.a" SYMBOLIC)
foreach(name IN LISTS cuda_libraries)
  write_script(lib${name}.so "${archive_of_${name}}" ${archives} ${libraries} ${system_of_${name}})
  file(CREATE_LINK lib${name}.so "${toolkit}/lib64/lib${name}_static.a" SYMBOLIC)
endforeach()
file(WRITE "${toolkit}/lib64/libnvToolsExt.so"
  "/* A linker script: there is nothing to link. */\nINPUT(-lpthread)\n")
file(WRITE "${toolkit}/lib64/libcudadevrt.a" "!<arch>\n")  # an archive of nothing

# What people read.
set(documents "${staged}/share/doc/warp-emulator")
file(COPY "${here}/examples" DESTINATION "${documents}")
file(READ "${root}/LICENSE" licence)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]+)\n+(.*[^\n])" licence "${licence}")
set(copyright "${CMAKE_MATCH_1}")
set(licence "${CMAKE_MATCH_2}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n" "\n " licence "${licence}")
file(WRITE "${documents}/copyright"
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Warp by Warp
Source: https://github.com/warp-by-warp/warp-by-warp

Files: *
Copyright: ${copyright}
License: Expat
 ${licence}
")

# Debian's changelog, from the project's. Its lines are short.
function(append_change text)
  if(NOT text)
    return()
  endif()
  string(REPLACE " " ";" words "${text}")
  set(line "  *")
  foreach(word IN LISTS words)
    string(LENGTH "${line} ${word}" length)
    if(length GREATER 78)
      string(APPEND changes "${line}\n")
      set(line "   ")
    endif()
    string(APPEND line " ${word}")
  endforeach()
  set(changes "${changes}${line}\n" PARENT_SCOPE)
endfunction()
file(READ "${root}/CHANGELOG.md" text)
string(REPLACE ";" "," text "${text}")
string(REPLACE "[" "(" text "${text}")
string(REPLACE "]" ")" text "${text}")
string(REPLACE "\n" ";" text "${text}")
set(changes "")
set(change "")
set(signature "")
foreach(line IN LISTS text)
  if(line MATCHES "^  (.*)$")
    string(APPEND change " ${CMAKE_MATCH_1}")
    continue()
  endif()
  append_change("${change}")
  set(change "")
  if(line MATCHES "^- (.*)$")
    set(change "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^## ([0-9.]+), ([0-9-]+)$")
    string(APPEND changes "${signature}warp-emulator (${CMAKE_MATCH_1}) stable; urgency=medium\n\n")
    execute_process(COMMAND date --utc --date=${CMAKE_MATCH_2} "+%a, %d %b %Y %T +0000"
      OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(signature "\n -- ${contact}  ${date}\n\n")
  endif()
endforeach()
append_change("${change}")
file(WRITE "${documents}/changelog" "${changes}${signature}")

file(READ "${here}/warp-nvcc.1" text)
file(CONFIGURE OUTPUT "${staged}/share/man/man1/warp-nvcc.1" CONTENT "${text}" @ONLY)
file(COPY "${here}/completion.bash" DESTINATION "${staged}/share/bash-completion/completions")
file(RENAME "${staged}/share/bash-completion/completions/completion.bash"
  "${staged}/share/bash-completion/completions/warp-nvcc")
if(gzip)
  execute_process(COMMAND "${gzip}" -9n "${documents}/changelog" "${staged}/share/man/man1/warp-nvcc.1"
    COMMAND_ERROR_IS_FATAL ANY)
endif()

# Of what Debian's checker says, this is meant.
file(WRITE "${staged}/share/lintian/overrides/warp-emulator"
  "# Device code is linked with the rest, so this library has nothing in it.
warp-emulator: no-code-sections [usr/lib/warp-emulator/lib64/libcudadevrt.a]
")

# Whatever the mask of whoever builds it.
set(all_may_read OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(all_may_run ${all_may_read} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
file(CHMOD_RECURSE "${staged}" FILE_PERMISSIONS ${all_may_read} DIRECTORY_PERMISSIONS ${all_may_run})
file(CHMOD "${toolkit}/bin/emulator-nvcc" PERMISSIONS ${all_may_run})

# CCCL as Debian installs it, in a folder that has nothing else. It need not be installed.
file(MAKE_DIRECTORY "${toolkit}/cccl")
foreach(name IN ITEMS cub thrust cuda nv)
  file(CREATE_LINK "../../../include/${name}" "${toolkit}/cccl/${name}" SYMBOLIC)
endforeach()
