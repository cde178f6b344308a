#include "tools/coursework/show/hint_lines.hpp"

#include <algorithm>

namespace coursework {

std::vector<Line> hint_lines(const Exercise& exercise, int level) {
  const int count = static_cast<int>(exercise.hints.size());
  if (count == 0) return {Line("  There is no hint for this exercise.")};
  std::vector<Line> lines;
  for (int i = 0; i < std::min(level, count); ++i) {
    const std::string head =
        "  hint " + std::to_string(i + 1) + " of " + std::to_string(count) + ": ";
    lines.push_back(Line(head, Style::strong).add(exercise.hints[i]));
    lines.back().indent = 4;
  }
  return lines;
}

}  // namespace coursework
