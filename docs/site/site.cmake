# The site: pages from the Markdown files, reference and annotated sources from the code.
#
# The target `docs` makes it, in docs/html of the build folder. Without Doxygen and its companions
# there is no such target; ./course docs installs them first. Included by docs/CMakeLists.txt.

find_package(Doxygen 1.9.4 QUIET)
find_program(COURSE_CMARK cmark-gfm DOC "Renders Markdown as a code host does")
find_file(COURSE_DOXYGEN_THEME doxygen-awesome.css
  PATHS /usr/share/doxygen-awesome-css DOC "The look of what Doxygen writes")
if(NOT DOXYGEN_FOUND OR NOT COURSE_CMARK OR NOT COURSE_DOXYGEN_THEME OR NOT TARGET source_text)
  message(STATUS "No site: it needs Doxygen, doxygen-awesome-css, cmark-gfm and the tests")
  return()
endif()

find_package(nlohmann_json REQUIRED)

add_library(site_pages STATIC site/book.cpp site/counted.cpp site/finish.cpp site/lesson.cpp site/prepare.cpp
  site/search_index.cpp site/text.cpp)
target_include_directories(site_pages PUBLIC "${PROJECT_SOURCE_DIR}/docs")
target_link_libraries(site_pages
  PRIVATE html source_text test_support nlohmann_json::nlohmann_json course_warnings)
add_executable(site site/main.cpp)
target_link_libraries(site PRIVATE site_pages course_warnings)

set(root "${PROJECT_SOURCE_DIR}")
set(site "${CMAKE_CURRENT_BINARY_DIR}")
set(theme "${COURSE_DOXYGEN_THEME}")
set(newer_doxygen)  # settings that older versions would warn of
if(DOXYGEN_VERSION VERSION_GREATER_EQUAL 1.9.5)
  string(APPEND newer_doxygen "HTML_COLORSTYLE        = LIGHT\n")
endif()
if(DOXYGEN_VERSION VERSION_GREATER_EQUAL 1.9.8)
  string(APPEND newer_doxygen "HTML_CODE_FOLDING      = NO\n")
endif()
configure_file(Doxyfile.in Doxyfile @ONLY)

# Whatever the site shows.
course_glob(mains "${root}/chapters" "*/main.cu")
list(TRANSFORM mains REPLACE "/main.cu$" "")
list(TRANSFORM mains REPLACE ".*/" "" OUTPUT_VARIABLE chapters)
set(shown "${root}/README.md" "${root}/CONTRIBUTING.md" "${root}/emulator/README.md")
foreach(folder . theme measurements pictures plots explorer)
  course_glob(files "${CMAKE_CURRENT_SOURCE_DIR}/${folder}" "*.*")
  list(APPEND shown ${files})
endforeach()
course_glob(files "${root}/chapters" "*/README.md" "*/*.cuh" "*/*.cu" "*/*.hpp" "*/steps/*")
list(APPEND shown ${files})
course_glob(files "${root}/common/include/course" "*.hpp")
list(APPEND shown ${files})
course_glob(files "${root}/common/counters/include/course" "*.hpp")
list(APPEND shown ${files})
course_glob(files "${root}/emulator/include/emulator" "*.h")
list(APPEND shown ${files})

add_custom_command(OUTPUT "${site}/html/search_index.js"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${site}/html" "${site}/pages"
  COMMAND site prepare "${root}" "${site}" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
  COMMAND Doxygen::doxygen "${site}/Doxyfile"
  COMMAND site finish "${root}" "${site}"
  DEPENDS site ${chapters} Doxyfile.in "${site}/Doxyfile" ${shown}
  COMMENT "Making the site" VERBATIM)
add_custom_target(docs ALL DEPENDS "${site}/html/search_index.js")
