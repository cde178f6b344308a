# Runs the check of an untouched exercise and wants it to say "not yet": exit status 1, no other.
#
# A reader who has solved the exercise (its file differs from the committed one) may pass as well.

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE status)
if(status EQUAL 1)
  return()
endif()
if(status EQUAL 0)
  cmake_path(GET EXERCISE PARENT_PATH folder)
  execute_process(COMMAND git status --porcelain -- "${EXERCISE}"
    WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE state ERROR_QUIET)
  if(state MATCHES "^[ M]M|^M ")
    message(STATUS "${EXERCISE} has been solved: well done.")
    return()
  endif()
endif()
message(FATAL_ERROR "The check of ${EXERCISE} ended with ${status}; an unsolved exercise ends with 1.")
