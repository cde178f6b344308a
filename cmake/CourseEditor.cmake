# The preset `ide` sets COURSE_EDITOR: then compile_commands.json has a command for every source, also
# for those that a test hands to the emulator's compiler, or that are only run on a GPU. Editors read
# it (.clangd); no target builds these sources.

option(COURSE_EDITOR "compile_commands.json is for an editor" OFF)
mark_as_advanced(COURSE_EDITOR)

# .clangd includes cmake/clangd/*.hpp; and a header is read with the command of any source nearby.
if(COURSE_EDITOR)
  include_directories("${PROJECT_SOURCE_DIR}/cmake" "${PROJECT_SOURCE_DIR}/emulator/include"
    "${PROJECT_SOURCE_DIR}/common/counters/include")
endif()

function(course_add_editor_sources)
  if(NOT COURSE_EDITOR)
    return()
  endif()
  course_glob(sources "${PROJECT_SOURCE_DIR}"
    "tests/chapters/*/exercises/*/right/*.cu"
    "tests/chapters/*/exercises/*/wrong/*.cu"
    "tests/emulator/*/*_record.cu"
    "tests/emulator/nvcc/programs/*.cu"
    "tests/tools/coursework/honest/*.cu")
  add_library(editor_sources OBJECT EXCLUDE_FROM_ALL ${sources})
  course_use_cuda(editor_sources)
endfunction()
