#pragma once

/// @file
/// Makes a program of a student's file, on the student's own machine: trusted, as any program that
/// one compiles.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {

/// Where the build keeps what a submission is linked with.
std::filesystem::path parts_folder();

struct Compiled {
  bool ok = false;
  std::filesystem::path program;  ///< the runner with the submission in it
  std::string output;             ///< of the compiler, cut to what concerns the student's file
};

/// Links an object that has the exercise's kernels with its runner and `more` archives of the
/// folder of parts ("libname.a"), all of them whole, into `program`.
/// @throws as tools::run_command
tools::CommandResult link_runner(const std::string& exercise, const std::filesystem::path& object,
                                 const std::vector<std::string>& more,
                                 const std::filesystem::path& program,
                                 const tools::CommandOptions& options);

/// Compiles `source` with emulator-nvcc and links it with the exercise's runner; `folder` takes
/// everything that comes of it.
/// @throws tools::Cancelled
Compiled compile_plain(const Exercise& exercise, const std::filesystem::path& source,
                       const std::filesystem::path& folder, std::stop_token stop = {});

}  // namespace coursework
