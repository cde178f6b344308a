#pragma once

/// @file
/// A class's verdicts in order, from which all reports are made.

#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/grade/journal.hpp"
#include "tools/coursework/grade/plan.hpp"

namespace coursework {

/// One student's verdicts, in the order of the exercises.
struct Sheet {
  const Student* student = nullptr;
  std::vector<Verdict> verdicts;

  int points() const;
  int of() const;
};

struct Marks {
  const Plan* plan = nullptr;
  std::vector<Exercise> exercises;
  std::vector<Sheet> sheets;  ///< the students of this shard

  int of() const;
  /// Returns how many submissions have this outcome.
  int count(Outcome outcome) const;
};

/// Combines graded and failed submissions. A planned file without an entry is a grader fault.
Marks collect(const Plan& plan, const std::vector<Exercise>& exercises, const Entries& entries);

}  // namespace coursework
