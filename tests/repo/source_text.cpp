#include "repo/source_text.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace repo {

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

namespace {

/// The line that ends the function or structure whose head begins at `begin`; `begin` itself for a
/// declaration.
std::size_t last_line(const std::vector<std::string>& lines, std::size_t begin) {
  for (std::size_t i = begin; i < lines.size(); ++i) {
    const std::string code = trimmed(lines[i].substr(0, lines[i].find("//")));
    if (code.ends_with("}")) return i;
    if (code.ends_with(";")) return begin;
    if (!code.ends_with("{")) continue;
    while (i + 1 < lines.size() && !lines[i].starts_with("}")) ++i;
    return i;
  }
  return begin;
}

}  // namespace

std::vector<Function> functions_in(const std::vector<std::string>& lines) {
  static const std::regex kHead(R"(^(__global__ )?[A-Za-z_][\w:<>&*, ]*?\b(\w+)\()");
  std::vector<Function> functions;
  std::size_t documentation = 0;  // lines of it just above
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (lines[i].starts_with("///")) {
      ++documentation;
      continue;
    }
    if (lines[i].starts_with("struct ")) {
      i = last_line(lines, i);
    } else if (std::regex_search(lines[i], match, kHead)) {
      const std::size_t end = last_line(lines, i);
      if (end > i) {
        const auto at = [&](std::size_t line) {
          return lines.begin() + static_cast<std::ptrdiff_t>(line);
        };
        functions.push_back(
            {match[2], match[1].matched, {at(i - documentation), at(end + 1)}, documentation});
      }
      i = end;
    }
    documentation = 0;
  }
  return functions;
}

std::vector<Structure> structures_in(const std::vector<std::string>& lines) {
  static const std::regex kHead(R"(^struct (?:\w+\([^)]*\) )?(\w+) \{)");
  std::vector<Structure> structures;
  std::size_t documentation = 0;  // lines of it just above
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (lines[i].starts_with("///")) {
      ++documentation;
      continue;
    }
    if (std::regex_search(lines[i], match, kHead)) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i - documentation);
      i = last_line(lines, i);
      structures.push_back({match[1], {begin, lines.begin() + static_cast<std::ptrdiff_t>(i + 1)}});
    }
    documentation = 0;
  }
  return structures;
}

std::vector<std::string> pasted(const Function& kernel, const std::vector<Structure>& structures) {
  std::vector<std::string> lines;
  for (const Structure& structure : structures) {
    const std::regex name("\\b" + structure.name + "\\b");
    const auto is_named = [&](const std::string& line) { return std::regex_search(line, name); };
    if (std::any_of(kernel.lines.begin(), kernel.lines.end(), is_named))
      lines.insert(lines.end(), structure.lines.begin(), structure.lines.end());
  }
  lines.insert(lines.end(), kernel.lines.begin(), kernel.lines.end());
  return lines;
}

Function function_named(const std::filesystem::path& file, std::string_view name) {
  for (const Function& function : functions_in(read_lines(file)))
    if (function.name == name) return function;
  throw std::runtime_error(file.string() + " has no function " + std::string(name));
}

}  // namespace repo
