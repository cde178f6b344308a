#pragma once

/// @file
/// Grades one submission: from its file to a verdict.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/grade/workshop.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

struct GradeOptions {
  std::uint64_t seed = 0;  ///< secret
  int time_limit_s = 10;   ///< CPU time for all kernels of a submission together
};

/// Returns the seed of one exercise's trials.
std::uint64_t seed_of(const Exercise& exercise, std::uint64_t seed);

/// The cost of grading. It differs from run to run, so results do not contain it.
struct Cost {
  double compile_s = 0;
  double judge_s = 0;
  double peak_mib = 0;  ///< the largest process
};

struct Graded {
  Verdict verdict;
  Cost cost;
};

/// Grades `file`; uses the empty folder `scratch`.
///
/// The verdict depends only on the file's text, the exercise, the seed and the limit: not on paths,
/// times or the machine.
/// @throws std::exception for errors that are not the student's
Graded grade_file(const Exercise& exercise, const std::filesystem::path& file,
                  const std::filesystem::path& scratch, Workshop& workshop,
                  const GradeOptions& options);

}  // namespace coursework
