# Writes an entry of the table of entry points for each type in cudaTypedefs.h: `typedefs`, `output`.

file(STRINGS "${typedefs}" lines REGEX "^typedef __typeof__")
set(entries "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "&(cu[A-Za-z0-9_]+)\\) PFN_(cu[A-Za-z0-9]+)_v([0-9]+)" match "${line}")
  string(APPEND entries
    "{\"${CMAKE_MATCH_2}\", ${CMAKE_MATCH_3}, reinterpret_cast<void*>(&${CMAKE_MATCH_1})},\n")
endforeach()
file(WRITE "${output}" "${entries}")
