# Writes the names and addresses of all that an archive has, as C++: `library`, `readelf`, `output`.

execute_process(COMMAND "${readelf}" -sW "${library}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
# Weak functions are templates that the library has instantiated for device code.
string(REGEX MATCHALL "((FUNC|OBJECT|TLS) +GLOBAL|FUNC +WEAK) +DEFAULT +[0-9]+ [^\n ]+" lines "${text}")
list(TRANSFORM lines REPLACE " +(GLOBAL|WEAK) +DEFAULT +[0-9]+ " " ")
list(REMOVE_DUPLICATES lines)
set(number 0)
set(declarations "")
set(entries "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([A-Z]+) (.+)$" match "${line}")
  set(symbol "${CMAKE_MATCH_2}")
  math(EXPR number "${number} + 1")
  if(CMAKE_MATCH_1 STREQUAL "TLS")
    string(APPEND declarations "extern __thread char s${number} __asm__(\"${symbol}\");\n"
      "static void* t${number}() { return &s${number}; }\n")
    string(APPEND entries "    {\"${symbol}\", nullptr, &t${number}},\n")
  else()
    string(APPEND declarations "extern char s${number} __asm__(\"${symbol}\");\n")
    string(APPEND entries "    {\"${symbol}\", &s${number}, nullptr},\n")
  endif()
endforeach()
file(WRITE "${output}" "// Written by write_symbols.cmake.\n#include \"symbols.hpp\"\n\n"
  "extern \"C\" {\n${declarations}}\n\nnamespace emu::driver {\n\n"
  "const EngineSymbol kEngineSymbols[] = {\n${entries}};\n"
  "const std::size_t kEngineSymbolCount = ${number};\n\n}  // namespace emu::driver\n")
