#pragma once

/// @file
/// Grades a class, or the rest of an interrupted run.

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
  bool is_kept = true;  ///< whether `out` is kept for somebody to read
};

/// Returns how many processors this process may use.
int processors();

/// Grades into `out`, and reports progress on stderr. Submissions with valid results are not graded
/// again.
/// @return 0, or 2 if a submission could not be graded because of the grader itself
/// @throws std::runtime_error if the run cannot start
int grade_class(const RunOptions& options);

/// Writes all reports to `out`: the plan, students' results, the table and the summary.
void write_reports(const std::filesystem::path& out, const Plan& plan,
                   const std::vector<Exercise>& exercises, const Entries& entries);

/// Prints the path of the class's summary.
void print_summary_path(const std::filesystem::path& out);

/// Prints the outcome of the run, and returns the exit status.
int print_outcome(const std::filesystem::path& out, const Plan& plan,
                  const std::vector<Exercise>& exercises, const Entries& entries);

}  // namespace coursework
