#include "tools/coursework/exercises/choose.hpp"

#include <algorithm>
#include <stdexcept>

namespace coursework {
namespace {

/// Returns the number before the name: "02" of "02_coalescing".
std::string number_of(const Exercise& exercise) {
  return exercise.chapter.substr(0, exercise.chapter.find('_'));
}

bool names_chapter(const std::string& word, const Exercise& exercise) {
  const std::string number = number_of(exercise);
  return word == exercise.chapter || word == number || "0" + word == number;
}

/// Joins the words without duplicates: "1, 2 and 3".
std::string enumerate(std::vector<std::string> words) {
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

}  // namespace

std::vector<Exercise> choose_exercises(const std::vector<Exercise>& all, const std::string& word,
                                       std::optional<int> number) {
  if (const std::size_t at = word.find('_'); at != std::string::npos && !number) {
    const std::string last = word.substr(at + 1);
    const bool is_number = !last.empty() && last.size() < 4 &&
                           last.find_first_not_of("0123456789") == std::string::npos;
    const bool is_there =
        std::ranges::any_of(all, [&](const Exercise& one) { return one.id == word; });
    if (is_number && !is_there) return choose_exercises(all, word.substr(0, at), std::stoi(last));
  }
  std::vector<Exercise> chosen;
  std::vector<std::string> chapters, numbers;
  for (const Exercise& one : all) {
    chapters.push_back(number_of(one));
    if (one.id != word && !names_chapter(word, one)) continue;
    numbers.push_back(std::to_string(one.number));
    if (!number || one.number == *number) chosen.push_back(one);
  }
  if (numbers.empty())
    throw std::runtime_error("there is no chapter '" + word + "' with exercises; there are " +
                             enumerate(chapters));
  if (chosen.empty())
    throw std::runtime_error("chapter " + word + " has no exercise " + std::to_string(*number) +
                             "; it has " + enumerate(numbers));
  return chosen;
}

}  // namespace coursework
