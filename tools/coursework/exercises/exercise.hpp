#pragma once

/// @file
/// An exercise as data: chapters/NN_name/exercises/K_name/ with its three files.
///
///     exercise.cu     what students fill in; `#ifdef COURSE_SOLUTION ... #else ... #endif` holds
///                     the solution
///     exercise.json   title, kernels, cases, requirements with points, hints
///     judge.cpp       inputs and expected results (tools/coursework/judging/trial.hpp)

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace coursework {

/// Values by name, in the order of exercise.json.
template <class T>
class Named {
 public:
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  bool contains(const std::string& name) const { return find(name) != nullptr; }

  /// @throws std::out_of_range if there is no such name
  const T& at(const std::string& name) const {
    if (const T* found = find(name)) return *found;
    throw std::out_of_range("there is no " + name);
  }
  /// Returns the value with this name; appends a new value if there is none.
  T& operator[](const std::string& name) {
    if (const T* found = find(name)) return const_cast<T&>(*found);
    return all_.emplace_back(name, T{}).second;
  }

 private:
  const T* find(const std::string& name) const {
    for (const auto& [key, value] : all_)
      if (key == name) return &value;
    return nullptr;
  }

  std::vector<std::pair<std::string, T>> all_;
};

/// The sizes of one trial by name: {"m": 33, "n": 70}.
using Case = Named<std::int64_t>;

/// The values that the grader may draw for a size: one of `choices`, or a multiple of `step` within
/// [from, to].
struct Range {
  std::vector<std::int64_t> choices;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t step = 1;
};

/// Cases of one kind, "results" or "cost": the visible cases, and the ranges for the grader's own.
struct CaseGroup {
  std::vector<Case> cases;
  int drawn = 0;  ///< how many cases the grader draws; 0 in a handout
  Named<Range> ranges;
};

/// Advice for an answer whose measure has exactly one value.
struct Clue {
  std::string measures;  ///< that value, as an expression
  std::string say;
};

/// A requirement that gives points.
struct Requirement {
  enum class Kind {
    result,   ///< every trial's results are right, without errors, races or hangs
    measure,  ///< a figure of every trial (with `group`: of its trials) lies between two bounds
    clean,    ///< the hazard checker's tools in `tools` report nothing
  };
  std::string name;  ///< "loads"; unique in the exercise
  Kind kind = Kind::result;
  int points = 0;
  std::string text;  ///< the requirement in a sentence for students

  std::string group;  ///< the group of cases; empty: all groups
  /// Names of other requirements that must hold before this one gives points. They show that the
  /// kernel does the work that this requirement measures.
  std::vector<std::string> needs;

  // For a measure: expressions over counters, the sizes of the case, and values that judge.cpp
  // sets.
  std::string measure;   ///< "global_load_sectors / (warps * k)"
  std::string at_least;  ///< empty: no bound
  std::string at_most;
  std::string unit;  ///< "sectors per step of the loop"
  std::vector<Clue> clues;

  std::vector<std::string> tools;  ///< for `clean`: "racecheck", "synccheck", "schedules"
};

/// Who may see judge.cpp.
enum class JudgeIs {
  open,      ///< everybody: judge.cpp reveals no answer
  telling,   ///< only people who get hints: judge.cpp contains or computes answers
  left_out,  ///< nobody here: judge.cpp is missing, and only the grader judges the exercise
};

struct Exercise {
  std::string id;       ///< "02_1"
  std::string chapter;  ///< "02_coalescing"
  int number = 0;       ///< 1
  std::string name;     ///< "row_from_a_line"
  std::string title;
  std::filesystem::path folder;
  std::vector<std::string> kernels;  ///< signatures: "void scale(int n, float* data)"
  Named<CaseGroup> groups;
  std::vector<Requirement> requirements;
  std::vector<std::string> hints;  ///< from a nudge to almost the answer
  JudgeIs judge = JudgeIs::open;

  int points() const;
  /// Returns the name of a student's file: "02_1_row_from_a_line.cu".
  std::string file_name() const;
};

/// Reads one exercise from its folder.
/// @throws std::runtime_error whose one line names the file and the mistake
Exercise read_exercise(const std::filesystem::path& folder);

/// Reads every exercise of the course in `root`, ordered by chapter and number.
/// @throws std::runtime_error as read_exercise() does, and if two exercises share a number
std::vector<Exercise> read_exercises(const std::filesystem::path& root);

/// Returns the file that a student starts with: exercise.cu without the `#ifdef COURSE_SOLUTION`
/// parts.
/// @throws std::runtime_error if conditions are nested or not closed
std::string starter_of(const Exercise& exercise);

/// Returns the solution: exercise.cu without the conditions and without the `#else` parts.
std::string solution_of(const Exercise& exercise);

}  // namespace coursework
