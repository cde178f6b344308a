/// Tests that the files handed out with questions do not reveal the answers.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "course/arithmetic.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/exercises/kernel_signature.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
namespace fs = std::filesystem;

namespace {

/// Returns the exercises with a kernel `answers`.
std::vector<Exercise> questions() {
  std::vector<Exercise> all = read_exercises(tools::source_folder());
  std::erase_if(all, [](const Exercise& exercise) {
    return std::ranges::none_of(exercise.kernels, [](const std::string& one) {
      return read_signature(one).name == "answers";
    });
  });
  return all;
}

/// Returns the value of a number or a quoted letter in C++.
double value_of(const std::string& literal) {
  return literal.front() == '\'' ? literal.at(1) : std::stod(literal);
}

/// Removes blanks at both ends.
std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

/// Returns a solution's answers in order: 16 and 4 of "said[0] = 16;" and "said[1] = 4;".
std::vector<double> answers_of(const Exercise& exercise) {
  static const tools::Pattern kAnswer(R"(\s*[a-z]+\[\d+\] = ('.'|-?[0-9.]+)( \* n)?;.*)");
  std::vector<double> answers;
  for (const std::string& line : tools::lines_of(solution_of(exercise)))
    if (const tools::Match found = kAnswer.matches(line)) answers.push_back(value_of(found.str(1)));
  return answers;
}

/// Returns every list of at least three numbers or letters in a text.
std::vector<std::vector<double>> lists_in(const std::string& text) {
  static const tools::Pattern kLiteral(R"('.'|-?\d+(\.\d*)?f?)");
  std::vector<std::vector<double>> lists;
  for (std::size_t open = text.find_first_of("{["); open != std::string::npos;
       open = text.find_first_of("{[", open + 1)) {
    const std::size_t close = text.find_first_of("{}[]", open + 1);
    if (close == std::string::npos) break;
    std::vector<double> list;
    bool is_list = true;
    for (std::size_t begin = open + 1; begin < close && is_list;) {
      const std::size_t end = std::min(text.find(',', begin), close);
      const std::string word = trimmed(text.substr(begin, end - begin));
      is_list = static_cast<bool>(kLiteral.matches(word));
      if (is_list) list.push_back(value_of(word));
      begin = end + 1;
    }
    constexpr std::size_t kSayMuch = 3;
    if (is_list && list.size() >= kSayMuch) lists.push_back(list);
  }
  return lists;
}

/// Returns whether a list reveals answers: it equals the first or all of them, in order, times a
/// constant, as loads reveal bytes.
bool tells(const std::vector<double>& list, const std::vector<double>& answers) {
  if (list.size() > answers.size() || list[0] == 0 || answers[0] == 0) return false;
  const double ratio = list[0] / answers[0];
  for (std::size_t i = 0; i < list.size(); ++i)
    if (std::abs(list[i] - ratio * answers[i]) > 1e-9) return false;
  return std::set<double>(list.begin(), list.end()).size() > 1;
}

std::string hexadecimal(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(number));
  return text;
}

int times(const std::string& text, const std::string& part) {
  int number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++number;
  return number;
}

/// Returns how many letters a starter's comments offer, as `'a'  It is right.` or `a  both of
/// them`.
int letters_of(const std::string& starter) {
  int letters = 0;
  for (const std::string& line : tools::lines_of(starter))
    for (char letter = 'a'; letter <= 'f' && line.find("//") != std::string::npos; ++letter)
      for (const std::string quote : {" ", "'"})
        if (line.find(quote + letter + quote + " ") != std::string::npos)
          letters = std::max(letters, letter - 'a' + 1);
  return letters;
}

/// Returns a name's value in a trial in which this letter (1 for a) is wrong.
double in_wrong_trial(const std::string& name, int letter) {
  if (name.starts_with("said") || name == "wrong_letter") return letter;
  if (name.starts_with("wrong")) return 1;
  throw std::runtime_error("a clue uses " + name);
}

double value_for(const std::string& expression, int letter) {
  return course::evaluate(
      expression, [&](const std::string& name) { return in_wrong_trial(name, letter); },
      course::Names::end_at_operators);
}

}  // namespace

TEST_CASE("a list is found that tells answers, also by another measure") {
  CHECK(lists_in("int a[3] = {2, 4, 5};").size() == 1);
  CHECK(lists_in("x = {'b',\n 'a', 'c'}; y = {1, two, 3}; z = {1, 2}").size() == 1);
  CHECK(tells({2, 4, 5}, {8, 16, 20, 32}));
  CHECK(tells({8, 16, 20, 32}, {8, 16, 20, 32}));
  CHECK_FALSE(tells({2, 4, 6}, {8, 16, 20, 32}));
  CHECK_FALSE(tells({4, 4, 4}, {8, 8, 8}));
}

TEST_CASE("no file that is handed out with a question has its answers") {
  const auto all = questions();
  CHECK(all.size() >= 12);
  for (const Exercise& exercise : all) {
    CAPTURE(exercise.id);
    const std::vector<double> answers = answers_of(exercise);
    CHECK(answers.size() >= 2);
    std::vector<fs::path> files = {exercise.folder / "judge.cpp",
                                   exercise.folder / "exercise.json"};
    for (const auto& entry : fs::directory_iterator(exercise.folder.parent_path()))
      if (entry.is_regular_file()) files.push_back(entry.path());
    for (const fs::path& file : files)
      for (const auto& list : lists_in(tools::read_file(file))) {
        CAPTURE(file);
        CAPTURE(list.size());
        CHECK_FALSE(tells(list, answers));
      }
  }
}

TEST_CASE("a check that must know an answer has its digest") {
  static const tools::Pattern kDigest("0x[0-9a-f]{16}");
  int digests = 0;
  for (const Exercise& exercise : questions()) {
    const std::string judge = tools::read_file(exercise.folder / "judge.cpp");
    const std::vector<double> answers = answers_of(exercise);
    std::size_t question = 0;
    for (const tools::Match& found : kDigest.all(judge)) {
      CAPTURE(exercise.id);
      CAPTURE(question);
      REQUIRE(question < answers.size());
      CHECK(found.str(0) == hexadecimal(answer_digest(exercise.id, question, answers[question])));
      ++question;
      ++digests;
    }
    CHECK((question > 0) == (judge.find("answer_digest(") != std::string::npos));
  }
  CHECK(digests >= 19);
}

TEST_CASE("where letters have clues, each has one: what is left out would be the answer") {
  int lettered = 0;
  for (const Exercise& exercise : questions()) {
    const std::string judge = tools::read_file(exercise.folder / "judge.cpp");
    const bool has_letters = std::ranges::any_of(exercise.kernels, [](const std::string& one) {
      return one.find("answers(char*") != std::string::npos;
    });
    if (!has_letters) continue;
    const int letters = letters_of(starter_of(exercise));
    CAPTURE(exercise.id);
    CHECK(letters >= 4);
    if (judge.find("std::map<char, std::string>") != std::string::npos) {
      for (int letter = 0; letter < letters; ++letter) {
        const std::string entry = {'{', '\'', static_cast<char>('a' + letter), '\'', ','};
        CAPTURE(entry);
        CHECK(times(judge, entry) == times(judge, "{'a',"));
        CHECK(times(judge, entry) > 0);
        ++lettered;
      }
    }
    for (const Requirement& one : exercise.requirements) {
      if (one.clues.empty()) continue;
      CAPTURE(one.name);
      for (int letter = 1; letter <= letters; ++letter) {
        CAPTURE(letter);
        const double measured = value_for(one.measure, letter);
        CHECK(std::ranges::any_of(one.clues, [&](const Clue& clue) {
          return value_for(clue.measures, letter) == measured;
        }));
        ++lettered;
      }
    }
  }
  CHECK(lettered >= 50);
}
