/// Gives the check of a chapter's exercises wrong answers and listens to what it says.
///
///     wrong_answers generate SOLUTION.cuh ANSWERS.txt SUBMISSION.cu OUT.cu
///     wrong_answers run      ANSWERS.txt CHECKS
///
/// ANSWERS.txt has, under "[what is wrong]", pairs of lines "- " of the solution and "+ " instead
/// of it, then "= " words that the check must say. `generate` writes one source with a copy of the
/// solution, and of the submission() that points to it, for each answer; COURSE_ANSWER chooses one.
/// `run` runs them all.

#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace {

struct Change {
  std::string original;
  std::string replacement;
};

struct Answer {
  std::string title;
  std::vector<Change> changes;
  std::string words;
};

std::vector<Answer> read_answers(const std::string& file) {
  std::vector<Answer> answers;
  for (const std::string& line : tools::read_lines(file)) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("[")) {
      answers.push_back({line.substr(1, line.rfind(']') - 1), {}, ""});
    } else if (answers.empty() || line.size() < 3) {
      throw std::runtime_error(file + ": cannot read \"" + line + "\"");
    } else if (line.starts_with("- ")) {
      answers.back().changes.push_back({tools::trimmed(line.substr(2)), ""});
    } else if (line.starts_with("+ ") && !answers.back().changes.empty()) {
      answers.back().changes.back().replacement = tools::trimmed(line.substr(2));
    } else if (line.starts_with("= ")) {
      answers.back().words = tools::trimmed(line.substr(2));
    } else {
      throw std::runtime_error(file + ": cannot read \"" + line + "\"");
    }
  }
  for (const Answer& answer : answers)
    if (answer.words.empty() || answer.changes.empty())
      throw std::runtime_error(file + ": [" + answer.title + "] has no change or no words");
  return answers;
}

/// The solution with an answer's changes; throws unless each changed line is there exactly once.
std::string answered(const std::vector<std::string>& solution, const Answer& answer) {
  std::vector<std::string> lines = solution;
  for (const Change& change : answer.changes) {
    int found = 0;
    for (std::string& line : lines) {
      if (tools::trimmed(line) != change.original) continue;
      ++found;
      line = change.replacement;
    }
    if (found != 1)
      throw std::runtime_error("[" + answer.title + "]: the solution has \"" + change.original +
                               "\" " + std::to_string(found) + " times");
  }
  std::string text;
  for (const std::string& line : lines)
    if (!line.starts_with("#")) text += line + '\n';
  return text;
}

void generate(const std::string& solution_file, const std::string& answers_file,
              const std::string& submission_file, const std::string& out_file) {
  const auto solution = tools::read_lines(solution_file);
  const auto answers = read_answers(answers_file);
  // The structure stands once; each answer has a submission() of its own.
  std::string structure, submission;
  for (const std::string& line : tools::read_lines(submission_file)) {
    if (line.starts_with("#")) continue;
    (line.starts_with("Submission submission()") ? submission : structure) += line + '\n';
  }

  std::string text =
      "// Written by tests/repo/wrong_answers.cpp.\n#include <cstdlib>\n#include <stdexcept>\n" +
      structure;
  std::string cases;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string scope = "answer_" + std::to_string(i);
    text += "\nnamespace " + scope + " {\n" + answered(solution, answers[i]) + submission + "}\n";
    cases += "    case " + std::to_string(i) + ": return " + scope + "::submission();\n";
  }
  text += "\nSubmission submission() {\n  switch (std::atoi(std::getenv(\"COURSE_ANSWER\"))) {\n" +
          cases + "    default: throw std::logic_error(\"there is no such answer\");\n  }\n}\n";
  std::ofstream out(out_file);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + out_file);
}

int run(const std::string& answers_file, const std::string& checks) {
  const auto answers = read_answers(answers_file);
  int unnoticed = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    tools::CommandOptions options;
    options.environment["COURSE_ANSWER"] = std::to_string(i);
    const auto result = tools::run_command({checks}, options);
    const bool noticed =
        result.status == 1 && result.out.find(answers[i].words) != std::string::npos;
    unnoticed += !noticed;
    std::cout << (noticed ? "noticed    " : "UNNOTICED  ") << answers[i].title << std::endl;
    if (!noticed) std::cout << "status " << result.status << '\n' << result.out << result.err;
  }
  return unnoticed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 5 && arguments[0] == "generate") {
      generate(arguments[1], arguments[2], arguments[3], arguments[4]);
      return 0;
    }
    if (arguments.size() == 3 && arguments[0] == "run") return run(arguments[1], arguments[2]);
    throw std::runtime_error(
        "usage: wrong_answers generate SOLUTION.cuh ANSWERS.txt SUBMISSION.cu OUT.cu, or run "
        "ANSWERS.txt CHECKS");
  } catch (const std::exception& error) {
    std::cerr << "wrong_answers: " << error.what() << '\n';
    return 2;
  }
}
