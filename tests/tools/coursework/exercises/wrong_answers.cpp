#include "wrong_answers.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace course_test {
namespace {

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    names.push_back(tools::trimmed(list.substr(at, end - at)));
    at = end + 1;
  }
  return names;
}

/// Returns false for a line that is not allowed there.
bool read_line(const std::string& line, WrongAnswer& answer) {
  if (line.size() < 3 || line[1] != ' ') return false;
  const std::string rest = tools::trimmed(line.substr(2));
  if (line[0] == '-') {
    answer.changes.emplace_back(rest, "");
  } else if (line[0] == '+' && !answer.changes.empty()) {
    answer.changes.back().second = rest;
  } else if (line[0] == '!') {
    answer.lost = names_in(rest);
  } else if (line[0] == '=') {
    answer.words = rest;
  } else {
    return false;
  }
  return true;
}

WrongAnswer read_file_of_answer(const std::filesystem::path& file) {
  WrongAnswer answer;
  answer.title = file.filename().string();
  answer.text = tools::read_file(file);
  for (const std::string& line : tools::read_lines(file)) {
    if (!line.starts_with("//")) break;
    read_line(line.substr(2), answer);
  }
  return answer;
}

}  // namespace

std::vector<WrongAnswer> read_wrong_answers(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "wrong_answers.txt";
  std::vector<WrongAnswer> answers;
  for (const std::string& line : tools::read_lines(file)) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("[")) {
      answers.emplace_back().title = line.substr(1, line.rfind(']') - 1);
    } else if (answers.empty() || !read_line(line, answers.back())) {
      throw std::runtime_error(file.string() + ": cannot read \"" + line + "\"");
    }
  }
  std::vector<std::filesystem::path> files;
  if (exists(folder / "wrong"))
    for (const auto& one : std::filesystem::directory_iterator(folder / "wrong"))
      files.push_back(one.path());
  std::ranges::sort(files);
  std::ranges::transform(files, std::back_inserter(answers), read_file_of_answer);
  for (const WrongAnswer& answer : answers)
    if (answer.words.empty() ||
        (answer.changes.empty() && answer.text.empty()) != answer.is_starter())
      throw std::runtime_error(file.string() + ": [" + answer.title +
                               "] has no change or no words");
  return answers;
}

std::string changed(const std::string& solution, const WrongAnswer& answer) {
  if (!answer.text.empty()) return answer.text;
  std::vector<std::string> lines = tools::lines_of(solution);
  // Find all lines before replacing any: an answer may swap two lines.
  std::vector<std::pair<std::string*, std::string>> replacements;
  for (const auto& [original, replacement] : answer.changes) {
    int found = 0;
    for (std::string& line : lines) {
      if (tools::trimmed(line) != original) continue;
      ++found;
      replacements.emplace_back(&line, replacement);
    }
    if (found != 1)
      throw std::runtime_error("[" + answer.title + "]: the solution has \"" + original + "\" " +
                               std::to_string(found) + " times");
  }
  for (const auto& [line, replacement] : replacements) *line = replacement;
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace course_test
