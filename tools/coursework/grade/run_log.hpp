#pragma once

/// @file
/// Logs facts about runs that results do not contain: time, duration, memory, errors.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tools/coursework/grade/grader.hpp"

namespace coursework {

/// Appends lines to run.log.
class RunLog {
 public:
  explicit RunLog(const std::filesystem::path& file);

  void begin(int jobs, std::size_t submissions);
  void graded(const std::string& student, const std::string& exercise, const Cost& cost);
  void fault(const std::string& student, const std::string& exercise, const std::string& why);
  void end(std::size_t submissions);

 private:
  std::ofstream stream_;
};

/// Mean cost of a submission, in seconds of one processor.
struct MeasuredCost {
  std::size_t submissions = 0;
  Cost mean;
};

/// Reads the costs in a log; nothing if there are none.
std::optional<MeasuredCost> read_costs(const std::filesystem::path& file);

}  // namespace coursework
