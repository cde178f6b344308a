#include "tools/support/source_text.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tools/support/definitions.hpp"

namespace tools {

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

std::vector<std::string> words_in(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string code_of_line(const std::string& line) {
  const course::cpp::Source source(line);
  if (source.size() == 0) return "";
  const std::size_t begin = source.tokens().front().begin;
  return line.substr(begin, source.tokens().back().end - begin);
}

namespace {

std::vector<std::string> part_of(const std::vector<std::string>& lines, std::size_t first,
                                 std::size_t last) {
  return {lines.begin() + static_cast<std::ptrdiff_t>(first),
          lines.begin() + static_cast<std::ptrdiff_t>(last) + 1};
}

/// Returns the number of documentation lines directly above a definition.
std::size_t documentation_above(const std::vector<std::string>& lines, std::size_t first) {
  std::size_t count = 0;
  while (count < first && trimmed(lines[first - count - 1]).starts_with("///")) ++count;
  return count;
}

bool is_listed(const Definition& definition) {
  return definition.kind == Definition::Kind::function &&
         definition.first_line < definition.last_line;
}

}  // namespace

std::vector<Function> functions_in(const std::vector<std::string>& lines) {
  std::vector<Function> functions;
  for (const Definition& definition : definitions_in(lines)) {
    if (!is_listed(definition)) continue;
    const std::size_t documentation = documentation_above(lines, definition.first_line);
    functions.push_back(
        {.name = definition.name,
         .is_kernel = definition.is_kernel,
         .lines = part_of(lines, definition.first_line - documentation, definition.last_line),
         .documentation_lines = documentation});
  }
  return functions;
}

std::vector<std::string> lines_beside_functions(const std::vector<std::string>& lines) {
  std::vector<std::string> rest;
  std::size_t next = 0;  // next line to look at
  const auto take_until = [&](std::size_t end) {
    while (next < end) rest.push_back(lines[next++]);
  };
  for (const Definition& definition : definitions_in(lines)) {
    if (!is_listed(definition)) continue;
    take_until(definition.first_line - documentation_above(lines, definition.first_line));
    next = definition.last_line + 1;
  }
  take_until(lines.size());
  return rest;
}

std::vector<std::string> constant_arrays_in(const std::vector<std::string>& lines) {
  std::vector<std::string> names;
  for (const Definition& definition : definitions_in(lines))
    if (definition.kind == Definition::Kind::constant_array) names.push_back(definition.name);
  return names;
}

std::vector<std::string> passage_named(const std::filesystem::path& file, std::string_view name) {
  const std::vector<std::string> lines = read_lines(file);
  for (const Function& function : functions_in(lines))
    if (function.name == name) return function.lines;
  for (const Definition& definition : definitions_in(lines))
    if (definition.kind == Definition::Kind::structure && definition.name == name)
      return part_of(lines, definition.first_line, definition.last_line);
  throw std::runtime_error(file.string() + " has no function or structure " + std::string(name));
}

std::string step_name(const std::filesystem::path& step) {
  return step.stem().string().substr(std::string("NN_").size());
}

}  // namespace tools
