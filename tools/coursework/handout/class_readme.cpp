#include "tools/coursework/handout/class_readme.hpp"

#include <map>

#include "tools/coursework/handout/extract.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Returns the title of a lesson, its first heading.
std::string title_of(const fs::path& lesson) {
  for (const std::string& line : tools::lines_of(tools::read_file(lesson)))
    if (line.starts_with("# ")) return line.substr(2);
  return lesson.parent_path().filename().string();
}

std::string list_of(const fs::path& root, const std::vector<std::string>& chapters) {
  std::string list;
  for (const std::string& chapter : chapters)
    list += "- [" + chapter.substr(0, 2) + " " +
            title_of(root / "chapters" / chapter / "README.md") + "](chapters/" + chapter +
            "/README.md)\n";
  return list;
}

}  // namespace

std::string rubric(const Exercise& exercise) {
  std::string text = "| points | for | name |\n|---:|---|---|\n";
  for (const Requirement& one : exercise.requirements)
    text += "| " + std::to_string(one.points) + " | " + replace_all(one.text, "|", "\\|") + " | " +
            one.name + " |\n";
  return text;
}

std::string class_readme(const std::string& template_text, const fs::path& root,
                         const std::vector<Exercise>& exercises, const std::string& hand_in) {
  const std::vector<std::string> chapters = chapters_of(exercises);
  std::string rubrics;
  int points = 0;
  for (const Exercise& one : exercises) {
    rubrics += "### " + one.id.substr(0, 2) + ", exercise " + std::to_string(one.number) + ": " +
               one.title + "\n\nIn `answers/" + one.file_name() + "`, " +
               std::to_string(one.points()) + " points:\n\n" + rubric(one) + "\n";
    points += one.points();
  }
  const std::map<std::string, std::string> words = {
      {"@chapters@", list_of(root, chapters)},
      {"@first@", chapters.front().substr(0, 2)},
      {"@example@", exercises.empty() ? "" : exercises.front().file_name()},
      {"@hand_in@", hand_in},
      {"@rubric@", rubrics},
      {"@points@", std::to_string(points)}};
  std::string text = template_text;
  for (const auto& [name, value] : words) text = replace_all(text, name, value);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace coursework
