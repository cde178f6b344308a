#include "tools/prose/line_diff.hpp"

#include <algorithm>

#include "tools/support/pattern.hpp"

namespace prose {
namespace {

using Lines = std::vector<std::string>;

/// Removes blanks for the comparison. Lines with only a brace keep their indent, which says what
/// they close.
Lines without_blanks(Lines lines) {
  for (std::string& line : lines)
    if (!line.ends_with(" }")) std::erase(line, ' ');
  return lines;
}

}  // namespace

bool is_frame_of_code(const std::string& line) {
  static const tools::Pattern kFrame(R"(^ *///|^#pragma once|^namespace |^\}  // namespace )");
  return bool(kFrame.search(line));
}

std::vector<DiffLine> merged_lines(const Lines& before, const Lines& after) {
  const Lines old_words = without_blanks(before), new_words = without_blanks(after);
  // [i][j]: length of the longest common subsequence of before[i..] and after[j..]
  std::vector<std::vector<int>> common(before.size() + 1, std::vector<int>(after.size() + 1));
  for (std::size_t i = before.size(); i-- > 0;)
    for (std::size_t j = after.size(); j-- > 0;)
      common[i][j] = old_words[i] == new_words[j] ? common[i + 1][j + 1] + 1
                                                  : std::max(common[i + 1][j], common[i][j + 1]);

  std::vector<DiffLine> lines;
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && old_words[i] == new_words[j]) {
      lines.push_back({' ', after[j]});
      ++i, ++j;
    } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
      lines.push_back({'-', before[i++]});
    } else {
      lines.push_back({'+', after[j++]});
    }
  }
  return lines;
}

Lines line_diff(const Lines& before, const Lines& after, std::size_t context) {
  const std::vector<DiffLine> lines = merged_lines(before, after);
  const auto is_shown = [&](std::size_t at) {
    if (lines[at].mark == ' ' && lines[at].text.empty()) return false;
    const std::size_t first = at - std::min(at, context);
    const std::size_t end = std::min(at + context + 1, lines.size());
    return std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(first),
                       lines.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const DiffLine& line) { return line.mark != ' '; });
  };

  Lines shown;
  const auto show = [&](const DiffLine& line) {
    shown.push_back(line.text.empty() && line.mark == ' ' ? "" : line.mark + line.text);
  };
  std::size_t hidden = 0;  // lines since the last visible one
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (!is_shown(at)) {
      ++hidden;
      continue;
    }
    if (!shown.empty() && hidden == 1) show(lines[at - 1]);
    if (!shown.empty() && hidden > 1) shown.push_back("@@ ... @@");
    hidden = 0;
    show(lines[at]);
  }
  return shown;
}

}  // namespace prose
