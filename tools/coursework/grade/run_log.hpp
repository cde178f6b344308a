#pragma once

/// @file
/// What is known of runs and is in no result: when, how long, how large, what went wrong.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tools/coursework/grade/grader.hpp"

namespace coursework {

/// Lines that are added to run.log.
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

/// What one submission cost on average, in seconds of one processor's time.
struct MeasuredCost {
  std::size_t submissions = 0;
  Cost mean;
};

/// The costs that a log has noted; nothing where there are none.
std::optional<MeasuredCost> read_costs(const std::filesystem::path& file);

}  // namespace coursework
