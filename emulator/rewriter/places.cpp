#include "places.hpp"

#include "accessed.hpp"

namespace emulator_nvcc {
namespace {

std::string record(const Token& t, std::size_t column, char kinds, const std::string& text) {
  if (text.empty()) return {};
  return std::to_string(t.line) + ':' + std::to_string(column) + ' ' + kinds + ' ' + text + '\n';
}

std::string records_of(const Source& s, std::size_t token, std::size_t column) {
  const Accessed accessed = accessed_at(s, token);
  const Token& t = s.tokens()[token];
  if (accessed.loaded == accessed.stored) return record(t, column, 'a', accessed.loaded);
  return record(t, column, 'l', accessed.loaded) + record(t, column, 's', accessed.stored);
}

// Returns the text as a string literal, with a source line for each record.
std::string literal(const std::string& text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\\') result += '\\';
    if (text[i] != '\n') {
      result += text[i];
    } else {
      result += i + 1 < text.size() ? "\\n\"\n\"" : "\\n";
    }
  }
  return result + '"';
}

}  // namespace

std::string place_records(const Source& s, const std::vector<DeviceFunction>& functions,
                          const std::vector<std::size_t>& columns, const std::string& folder,
                          const std::vector<std::string>& headers) {
  std::string text, file;
  for (const DeviceFunction& function : functions) {
    const std::size_t last = function.body.last - 1;
    for (std::size_t i = function.body.first; i <= last; ++i) {
      if (text.empty() || s.file(i) != file) {
        file = s.file(i);
        text += "F " + file + '\n';
      }
      if (i == function.body.first && s.file(function.first) == file && s.file(last) == file) {
        text += "R " + std::to_string(s.tokens()[function.first].line) + ' ' +
                std::to_string(s.tokens()[last].line) + '\n';
      }
      text += records_of(s, i, columns[i]);
    }
  }
  if (text.empty()) return {};
  std::string first = "D " + folder + '\n';
  for (const std::string& one : headers) first += "H " + one + '\n';
  return "\n# 1 \"<emulator>\" 3\n"
         "[[gnu::section(\"emu_places\"), gnu::used]] static const char emu_places[] =\n" +
         literal(first + text) + ";\n";
}

}  // namespace emulator_nvcc
