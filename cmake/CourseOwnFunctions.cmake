# course_give_own_functions(LIBRARY NAMESPACE): of a static library, the copies of inline functions
# and of templates become its own, unless they are of NAMESPACE.
#
# A program has one copy of such a function, from whichever object the linker meets first. CUDA
# sources are instrumented, and so are their copies of what they have from the C++ library: an engine
# that released a shared_ptr with one of them would record its own accesses as those of the lane that
# it works for, in the midst of that work. So each object of the library keeps its copies to itself.
# The variables of such functions stay common to all of the program.

function(course_give_own_functions library namespace)
  add_custom_command(TARGET ${library} POST_BUILD
    COMMAND "${CMAKE_COMMAND}"
      "-Dlibrary=$<TARGET_FILE:${library}>" "-Dnamespace=${namespace}"
      "-Dcxx=${CMAKE_CXX_COMPILER}" "-Dnm=${CMAKE_NM}" "-Dobjcopy=${CMAKE_OBJCOPY}" "-Dar=${CMAKE_AR}"
      -P "${PROJECT_SOURCE_DIR}/cmake/CourseOwnFunctions.cmake"
    VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# The objects of an archive may have one name.
set(folder "${library}.objects")
file(REMOVE_RECURSE "${folder}")
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${ar}" t "${library}" OUTPUT_VARIABLE members COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${members}" members)
string(REPLACE "\n" ";" members "${members}")
string(LENGTH "${namespace}" length)

# write_names(FILE KIND [EXCEPT]): the symbols of a kind, as nm calls it, but for those that begin so.
function(write_names file kind)
  string(REGEX MATCHALL "[^\n ]+ ${kind} " names "${symbols}")
  list(TRANSFORM names REPLACE " ${kind} $" "")
  if(ARGC GREATER 2)
    list(FILTER names EXCLUDE REGEX "${ARGV2}")
  endif()
  list(JOIN names "\n" names)
  file(WRITE "${file}" "${names}\n")
endfunction()

set(objects)
foreach(member IN LISTS members)
  math(EXPR count_${member} "0${count_${member}} + 1")
  set(object "${folder}/${count_${member}}_${member}")
  execute_process(COMMAND "${ar}" xN ${count_${member}} "${library}" "${member}"
    WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  # A copy that is no longer one of a group is not thrown away for another object's.
  execute_process(COMMAND "${cxx}" -r -nostdlib -fuse-ld=bfd -Wl,--force-group-allocation
      "${folder}/${member}" -o "${object}"
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${nm}" --defined-only --format=posix "${object}"
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  write_names("${folder}/functions" W "^_ZNK?${length}${namespace}")
  write_names("${folder}/variables" u)
  execute_process(
    COMMAND "${objcopy}" "--localize-symbols=${folder}/functions"
      "--weaken-symbols=${folder}/variables" "${object}"
    COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND objects "${object}")
endforeach()

file(REMOVE "${library}")
execute_process(COMMAND "${ar}" qcs "${library}" ${objects} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${folder}")
