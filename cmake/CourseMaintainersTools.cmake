# Tests with the label `maintainers` may use programs that a reader's set-up does not install. For all
# other tests, PATH begins with a folder in which programs of these names fail: a test that calls one
# of them fails on every machine, not only on those that lack it.

set(COURSE_MAINTAINERS_TOOLS
  cmark-gfm doxygen pygmentize pandoc clangd node npm chromium chromium-browser google-chrome firefox
  firefox-esr)

set(course_refused_tools "${PROJECT_BINARY_DIR}/refused_tools")
file(REMOVE_RECURSE "${course_refused_tools}")  # names that have gone
foreach(tool IN LISTS COURSE_MAINTAINERS_TOOLS)
  set(refused "${course_refused_tools}/${tool}")
  file(WRITE "${refused}" "#!/bin/sh
echo '${tool} is for tests with the label maintainers; a test without it must do without it' >&2
exit 127
")
  file(CHMOD "${refused}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ WORLD_READ)
endforeach()

# course_refuse_tools(TEST): to be called in the folder that adds the test, when its labels are known.
function(course_refuse_tools test)
  get_property(labels TEST ${test} PROPERTY LABELS)
  if(NOT "maintainers" IN_LIST labels)
    set_property(TEST ${test} APPEND PROPERTY
      ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${course_refused_tools}")
  endif()
endfunction()
