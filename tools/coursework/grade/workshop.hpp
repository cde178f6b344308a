#pragma once

/// @file
/// Compiles a submission and starts the program.

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

/// A fault of the grader or of this machine, not of the student.
class GraderFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A submission ready to be judged, or the reason why it cannot be.
struct Prepared {
  Outcome outcome = Outcome::points;  ///< points if `start` can start the program
  std::string message;                ///< otherwise the reason, for the student
  std::string compiler_output;
  StartRunner start;
};

class Workshop {
 public:
  virtual ~Workshop() = default;
  /// Compiles `source`; all files that this creates go into the empty folder `folder`.
  /// @throws GraderFault, or another exception if this machine is at fault
  virtual Prepared prepare(const Exercise& exercise, const std::filesystem::path& source,
                           const std::filesystem::path& folder) = 0;
};

/// Returns a sentence for each protection that this machine lacks.
std::vector<std::string> missing_protections();

/// Makes a workshop that compiles and runs with all protections that this machine has.
/// @param time_limit  CPU time for all kernels of a submission together
std::unique_ptr<Workshop> make_workshop(std::chrono::milliseconds time_limit);

}  // namespace coursework
