#include "tools/coursework/handout/leaks.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

/// Shorter lines ("__syncthreads();", "return;") are every kernel's.
constexpr std::size_t kSaysSomething = 20;

std::string without_blanks(const std::string& line) {
  std::string text;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) text += c;
  return text;
}

/// By what is left of it without blanks and comments: a line as it stands.
std::map<std::string, std::string> lines_by_code(const std::string& text) {
  std::map<std::string, std::string> lines;
  for (const std::string& line : tools::lines_of(text)) {
    const std::string code = without_blanks(tools::code_of_line(line));
    if (code.size() >= kSaysSomething) lines.emplace(code, tools::trimmed(line));
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
      Leak leak{exercise.id, path, {}, 0};
      for (const std::string& line : telling)
        if (text.find(line) != std::string::npos) leak.lines.push_back(line);
      if (leak.lines.empty()) continue;
      leak.share = static_cast<double>(leak.lines.size()) / static_cast<double>(telling.size());
      leaks.push_back(std::move(leak));
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
