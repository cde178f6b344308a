#include "tools/coursework/handout/leaks.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "course/cpp_syntax.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

/// Least length of a line that may reveal something; any kernel has "__syncthreads();" or
/// "return;".
constexpr std::size_t kSaysSomething = 20;

std::string without_blanks(const std::string& line) {
  std::string text;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) text += c;
  return text;
}

/// Returns the text's lines by their code without blanks and comments.
std::map<std::string, std::string> lines_by_code(const std::string& text) {
  std::map<std::string, std::string> lines;
  for (const std::string& line : tools::lines_of(text)) {
    const std::string code = without_blanks(tools::code_of_line(line));
    if (code.size() >= kSaysSomething) lines.emplace(code, tools::trimmed(line));
  }
  return lines;
}

/// Returns whether a name belongs to CUDA or C++.
bool is_everybodys(const std::string& name) {
  static const std::set<std::string> kNames = {
      "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "x",    "y",      "z",
      "min",       "max",      "float2",   "float4",  "int2",     "int4", "uchar4", "size_t"};
  return kNames.contains(name) || name.starts_with("__") || name.starts_with("atomic") ||
         name.starts_with("make_") || course::cpp::is_keyword(name);
}

/// The tokens of a text, separated by blanks, with the text's own names replaced.
struct Shape {
  std::string text = " ";
  int words = 0;
};

Shape shape_of(const std::string& text) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  Shape shape;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_letter(text[at]))
      while (end < text.size() && is_letter(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    at = end;
    if (std::isspace(static_cast<unsigned char>(word[0])) != 0) continue;
    const bool is_own = is_letter(word[0]) &&
                        std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
                        !is_everybodys(word);
    shape.text += (is_own ? "$" : word) + " ";
    ++shape.words;
  }
  return shape;
}

/// Returns the text's lines by their shape. Leaves out lines that say little without names, such as
/// `int x = a[i];`.
std::map<std::string, std::string> lines_by_shape(const std::string& text) {
  constexpr int kSaySomething = 14;
  std::map<std::string, std::string> lines;
  for (const std::string& line : tools::lines_of(text)) {
    const std::string code = tools::code_of_line(line);
    if (Shape shape = shape_of(code); shape.words >= kSaySomething)
      lines.emplace(std::move(shape.text), tools::trimmed(line));
  }
  return lines;
}

}  // namespace

std::vector<std::string> telling_lines(const Exercise& exercise,
                                       const std::vector<Exercise>& handed_out) {
  auto lines = lines_by_code(solution_of(exercise));
  for (const Exercise& one : handed_out)
    for (const auto& [code, line] : lines_by_code(starter_of(one))) lines.erase(code);
  std::vector<std::string> telling;
  for (const auto& [code, line] : lines) telling.push_back(code);
  return telling;
}

std::vector<Leak> find_leaks(const std::vector<Exercise>& handed_out, const ExtractedFiles& files) {
  std::map<std::filesystem::path, std::string> texts;
  for (const auto& [path, file] : files) texts[path] = without_blanks(file.text);
  std::vector<Leak> leaks;
  for (const Exercise& exercise : handed_out) {
    const std::vector<std::string> telling = telling_lines(exercise, handed_out);
    for (const auto& [path, text] : texts) {
      Leak leak{exercise.id, path, {}, 0, false};
      for (const std::string& line : telling)
        if (text.find(line) != std::string::npos) leak.lines.push_back(line);
      if (leak.lines.empty()) continue;
      leak.share = static_cast<double>(leak.lines.size()) / static_cast<double>(telling.size());
      leaks.push_back(std::move(leak));
    }
  }
  return leaks;
}

std::vector<Leak> find_renamed_leaks(const std::vector<Exercise>& handed_out,
                                     const ExtractedFiles& files) {
  std::map<std::filesystem::path, std::string> shapes;
  for (const auto& [path, file] : files)
    if (may_explain(path) && path.filename() != "exercise.json")
      shapes[path] = shape_of(file.text).text;
  std::map<std::string, std::string> of_starters;
  for (const Exercise& one : handed_out) of_starters.merge(lines_by_shape(starter_of(one)));
  std::vector<Leak> leaks;
  for (const Exercise& exercise : handed_out) {
    auto telling = lines_by_shape(solution_of(exercise));
    std::erase_if(telling, [&](const auto& one) { return of_starters.contains(one.first); });
    for (const auto& [path, text] : shapes) {
      Leak leak{exercise.id, path, {}, 0, true};
      for (const auto& [shape, line] : telling)
        if (text.find(shape) != std::string::npos) leak.lines.push_back(line);
      if (leak.lines.empty()) continue;
      leak.share = static_cast<double>(leak.lines.size()) / static_cast<double>(telling.size());
      if (leak.share >= kGivesAway) leaks.push_back(std::move(leak));
    }
  }
  return leaks;
}

bool may_explain(const std::filesystem::path& file) {
  const std::string path = file.string();
  if (path.find("/exercises/") != std::string::npos) return file.filename() == "exercise.json";
  return path.starts_with("chapters/");
}

}  // namespace coursework
