#pragma once

/// @file
/// One submission, from its file to a verdict.

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
  int time_limit_s = 10;   ///< of CPU time, for all kernels of a submission together
};

/// The seed of one exercise's trials.
std::uint64_t seed_of(const Exercise& exercise, std::uint64_t seed);

/// What grading cost. It differs from run to run, and so is in no result.
struct Cost {
  double compile_s = 0;
  double judge_s = 0;
  double peak_mib = 0;  ///< of the largest process
};

struct Graded {
  Verdict verdict;
  Cost cost;
};

/// Grades `file` in `scratch`, an empty folder.
///
/// The verdict depends on the file's bytes, the exercise, the seed and the limit, and on nothing
/// else: no path, no time, no name of a machine.
/// @throws std::exception for what is not the student's fault
Graded grade_file(const Exercise& exercise, const std::filesystem::path& file,
                  const std::filesystem::path& scratch, Workshop& workshop,
                  const GradeOptions& options);

}  // namespace coursework
