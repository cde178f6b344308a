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

  /// @throws std::out_of_range where there is none of that name
  const T& at(const std::string& name) const {
    if (const T* found = find(name)) return *found;
    throw std::out_of_range("there is no " + name);
  }
  /// The value; a new one behind all others where there is none of that name.
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

/// What a size may be in a trial of the grader: one of `choices`, or a multiple of `step` within
/// [from, to].
struct Range {
  std::vector<std::int64_t> choices;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t step = 1;
};

/// Cases of one kind, "results" or "cost": those that everybody may see, and how the grader draws
/// its own.
struct CaseGroup {
  std::vector<Case> cases;
  int drawn = 0;  ///< how many the grader draws; none in a handout
  Named<Range> ranges;
};

/// What to say to an answer that measures just so.
struct Clue {
  std::string measures;  ///< an expression
  std::string say;
};

/// What points are given for.
struct Requirement {
  enum class Kind {
    result,   ///< every trial's results are right, and nothing was out of bounds, racing, hanging
    measure,  ///< a figure of every trial, or of those of `group`, lies between two bounds
    clean,    ///< the tools of the hazard checker named in `tools` find nothing
  };
  std::string name;  ///< "loads"; unique in its exercise
  Kind kind = Kind::result;
  int points = 0;
  std::string text;  ///< what is wanted, in a sentence for students

  std::string group;  ///< of cases; empty: all groups
  /// Other requirements, by name, without which this one gives no points: they show that what is
  /// found comes of the work that it is about.
  std::vector<std::string> needs;

  // Of a measure. Expressions over counters, the sizes of the case, and what judge.cpp sets.
  std::string measure;   ///< "global_load_sectors / (warps * k)"
  std::string at_least;  ///< empty: no bound
  std::string at_most;
  std::string unit;  ///< "sectors per step of the loop"
  std::vector<Clue> clues;

  std::vector<std::string> tools;  ///< of clean: "racecheck", "synccheck", "schedules"
};

/// Who may see judge.cpp.
enum class JudgeIs {
  open,      ///< everybody: nobody finds an answer there
  telling,   ///< not by those who get no hints: it has answers, or works them out
  left_out,  ///< so it is not here, and the grader alone judges the exercise
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
  std::vector<std::string> hints;  ///< from a nudge to nearly the answer
  JudgeIs judge = JudgeIs::open;

  int points() const;
  /// What a student's file is called: "02_1_row_from_a_line.cu".
  std::string file_name() const;
};

/// One exercise, from its folder.
/// @throws std::runtime_error in one line that names the file and what is wrong with it
Exercise read_exercise(const std::filesystem::path& folder);

/// Every exercise of the course in `root`, by chapter and number.
/// @throws std::runtime_error as read_exercise(), and for two with one number
std::vector<Exercise> read_exercises(const std::filesystem::path& root);

/// What a student begins with: exercise.cu without what `#ifdef COURSE_SOLUTION` encloses.
/// @throws std::runtime_error for conditions that are nested or not closed
std::string starter_of(const Exercise& exercise);

/// The solution: exercise.cu without the conditions, and without what `#else` encloses.
std::string solution_of(const Exercise& exercise);

}  // namespace coursework
