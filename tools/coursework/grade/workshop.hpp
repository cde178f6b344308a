#pragma once

/// @file
/// How a submission becomes a program, and how that program is started.

#include <chrono>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Not the student's fault: something of ours, or of this machine.
class GraderFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A submission that can be judged, or why there is nothing to judge.
struct Prepared {
  Outcome outcome = Outcome::points;  ///< points where `start` starts the program
  std::string message;                ///< otherwise: why, for the student
  std::string compiler_output;
  StartRunner start;
};

class Workshop {
 public:
  virtual ~Workshop() = default;
  /// Compiles `source`; `folder` is empty and takes everything that comes of it.
  /// @throws GraderFault, or whatever else is wrong with this machine
  virtual Prepared prepare(const Exercise& exercise, const std::filesystem::path& source,
                           const std::filesystem::path& folder) = 0;
};

/// The protections that this machine lacks, a sentence each.
std::vector<std::string> missing_protections();

/// Compiles and runs with every protection that this machine has.
/// @param time_limit  of CPU time, for all kernels of a submission together
std::unique_ptr<Workshop> make_workshop(std::chrono::milliseconds time_limit);

}  // namespace coursework
