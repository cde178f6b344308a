#pragma once

/// @file
/// Grades a class, or what an earlier run has left of it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/grade/grader.hpp"
#include "tools/coursework/grade/plan.hpp"

namespace coursework {

struct RunOptions {
  std::vector<Exercise> exercises;  ///< of one chapter
  std::filesystem::path submissions;
  std::filesystem::path out;
  std::optional<std::uint64_t> seed;
  int jobs = 1;
  int time_limit_s = 10;
  Shard shard;
  bool is_kept = true;  ///< whether anybody will look into `out` afterwards
};

/// How many processors this process may use.
int processors();

/// Grades into `out`, and says on standard error what it does. What is there already and still
/// holds is not graded again.
/// @return 0, or 2 where a submission could not be graded for a reason of the grader's own
/// @throws std::runtime_error where it cannot begin
int grade_class(const RunOptions& options);

/// Writes everything in `out` that follows from the plan and its entries: the plan itself,
/// students' results, the table, the summary.
void write_reports(const std::filesystem::path& out, const Plan& plan,
                   const std::vector<Exercise>& exercises, const Entries& entries);

/// Says where the summary of the class is.
void say_where(const std::filesystem::path& out);

/// Says what came of it, and gives the exit status.
int say_what_came(const std::filesystem::path& out, const Plan& plan,
                  const std::vector<Exercise>& exercises, const Entries& entries);

}  // namespace coursework
