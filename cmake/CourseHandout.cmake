# A handout is a part of the course (tools/coursework/handout): some chapters, their exercises, what
# checks an answer. COURSE_IS_HANDOUT says whether this is one. It has none of the course's tests.

set(COURSE_IS_HANDOUT NO)
if(EXISTS "${PROJECT_SOURCE_DIR}/handout.json")
  set(COURSE_IS_HANDOUT YES)
  set(COURSE_BUILD_TESTS OFF)
  enable_testing()
endif()

# The tests of a handout: on this machine, the chapters' results are right, and each starter is
# compiled and judged. Whether the student's answers are right is no test of the machine.
function(course_add_handout_tests)
  if(NOT COURSE_IS_HANDOUT)
    return()
  endif()
  course_list_chapters(chapters)
  foreach(chapter IN LISTS chapters)
    course_add_test_entry(${chapter} COMMAND ${chapter})
  endforeach()
  course_glob(starters "${PROJECT_SOURCE_DIR}/chapters" "*/exercises/*/exercise.cu")
  foreach(starter IN LISTS starters)
    string(REGEX REPLACE "^.*/([0-9][0-9])_[^/]*/exercises/([0-9]+)_.*$" "\\1_\\2" id "${starter}")
    course_add_test_entry(starter_${id} COMMAND coursework check ${id} --file "${starter}")
    set_tests_properties(starter_${id} PROPERTIES PASS_REGULAR_EXPRESSION "not yet")
  endforeach()
endfunction()
