# Writes an entry of the table of entry points for each type in cudaTypedefs.h: `typedefs`, `output`.

file(READ "${typedefs}" text)
string(REGEX MATCHALL "&cu[A-Za-z0-9_]+\\)[ \n]+PFN_cu[A-Za-z0-9]+_v[0-9]+" types "${text}")
set(entries "")
foreach(type IN LISTS types)
  string(REGEX MATCH "&(cu[A-Za-z0-9_]+)\\)[ \n]+PFN_(cu[A-Za-z0-9]+)_v([0-9]+)" match "${type}")
  string(APPEND entries
    "{\"${CMAKE_MATCH_2}\", ${CMAKE_MATCH_3}, reinterpret_cast<void*>(&${CMAKE_MATCH_1})},\n")
endforeach()
file(WRITE "${output}" "${entries}")
