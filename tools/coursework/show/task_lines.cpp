#include "tools/coursework/show/task_lines.hpp"

#include "tools/coursework/show/verdict_lines.hpp"

namespace coursework {

std::vector<Line> task_lines(const Exercise& exercise, const std::string& file) {
  std::vector<Line> lines;
  lines.push_back(Line(shown_id(exercise.id) + "  " + exercise.title, Style::strong)
                      .add(", for " + counted(exercise.points(), "point")));
  for (const Requirement& one : exercise.requirements) {
    const std::string points = "    " + std::to_string(one.points) + "  ";
    lines.push_back(Line(points).add(one.name + ": ", Style::strong).add(one.text));
    lines.back().indent = static_cast<int>(points.size());
  }
  lines.push_back(
      Line("  " + file + " says what to write. The same command then says how far you are."));
  lines.back().indent = 2;
  return lines;
}

}  // namespace coursework
