#include "tools/support/source_text.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <utility>

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

namespace {

/// Line `i` as the head of a function; its launch bounds, which look like one, are left out.
std::string head_at(const std::vector<std::string>& lines, std::size_t i) {
  static const std::regex kBounds(R"(__launch_bounds__\([^()]*\) ?)");
  std::string head = std::regex_replace(lines[i], kBounds, "");
  if (head == "__global__ void " && i + 1 < lines.size()) head += trimmed(lines[i + 1]);
  return head;
}

/// Calls `found` for every function, with the number of the first line of its documentation.
template <class Found>
void for_each_function(const std::vector<std::string>& lines, Found found) {
  static const std::regex kHead(R"(^(__global__ )?[A-Za-z_][\w:<>&*, ]*?\b(\w+)\()");
  std::size_t documentation = 0;  // lines of it just above
  std::size_t parameters = 0;     // lines with a template's, below those
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (lines[i].starts_with("///")) {
      ++documentation;
      continue;
    }
    if (lines[i].starts_with("template <")) {
      ++parameters;
      continue;
    }
    const std::string head = head_at(lines, i);
    if (lines[i].starts_with("struct ")) {  // "struct alignas(8) X {" looks like a function
      i = last_line(lines, i);
    } else if (std::regex_search(head, match, kHead)) {
      const std::size_t end = last_line(lines, i);
      if (end > i) {
        const auto at = [&](std::size_t line) {
          return lines.begin() + static_cast<std::ptrdiff_t>(line);
        };
        const std::size_t first = i - parameters - documentation;
        found(first, Function{.name = match[2],
                              .is_kernel = match[1].matched,
                              .lines = {at(first), at(end + 1)},
                              .documentation_lines = documentation});
      }
      i = end;
    }
    documentation = parameters = 0;
  }
}

}  // namespace

std::vector<Function> functions_in(const std::vector<std::string>& lines) {
  std::vector<Function> functions;
  for_each_function(
      lines, [&](std::size_t, Function function) { functions.push_back(std::move(function)); });
  return functions;
}

std::vector<std::string> lines_beside_functions(const std::vector<std::string>& lines) {
  std::vector<std::string> rest;
  std::size_t next = 0;  // line that has not been looked at
  const auto take_until = [&](std::size_t end) {
    while (next < end) rest.push_back(lines[next++]);
  };
  for_each_function(lines, [&](std::size_t first, const Function& function) {
    take_until(first);
    next += function.lines.size();
  });
  take_until(lines.size());
  return rest;
}

std::vector<std::string> passage_named(const std::filesystem::path& file, std::string_view name) {
  const std::vector<std::string> lines = read_lines(file);
  for (const Function& function : functions_in(lines))
    if (function.name == name) return function.lines;
  const std::string head = "struct " + std::string(name) + " {";
  const auto begin = std::find(lines.begin(), lines.end(), head);
  if (begin == lines.end())
    throw std::runtime_error(file.string() + " has no function or structure " + std::string(name));
  const auto last = std::find(begin, lines.end(), "};");
  return {begin, last == lines.end() ? last : last + 1};
}

std::string step_name(const std::filesystem::path& step) {
  return step.stem().string().substr(std::string("NN_").size());
}

}  // namespace tools
