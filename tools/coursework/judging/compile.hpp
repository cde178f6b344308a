#pragma once

/// @file
/// Compiles a student's file on the student's own machine, where it is trusted like any program
/// that one compiles.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {

/// Returns the folder with the parts of the build that a submission is linked with.
std::filesystem::path parts_folder();

struct Compiled {
  bool ok = false;
  std::filesystem::path program;  ///< the runner linked with the submission
  std::string output;  ///< the compiler's output, cut to what concerns the student's file
};

/// Links an object that contains the exercise's kernels with the exercise's runner into `program`.
/// Archives in `more` ("libname.a", in the folder of parts) are linked whole.
/// @throws as tools::run_command
tools::CommandResult link_runner(const std::string& exercise, const std::filesystem::path& object,
                                 const std::vector<std::string>& more,
                                 const std::filesystem::path& program,
                                 const tools::CommandOptions& options);

/// Compiles `source` with emulator-nvcc and links it with the exercise's runner. All files that
/// this creates go into `folder`.
/// @throws tools::Cancelled
Compiled compile_plain(const Exercise& exercise, const std::filesystem::path& source,
                       const std::filesystem::path& folder, std::stop_token stop = {});

}  // namespace coursework
