#pragma once

/// @file
/// A class as an array of jobs for the batch system Slurm.

#include <string>

#include "tools/coursework/grade/run.hpp"
#include "tools/coursework/grade/run_log.hpp"

namespace coursework {

struct SlurmOptions {
  int shards = 20;
  int cores = 4;                ///< of each task
  std::size_t submissions = 0;  ///< of the class
  MeasuredCost cost;
};

/// A script that submits the class when it is run with bash: an array with a task for each shard,
/// and a job that merges them when all have ended well. A task that is killed and queued again
/// goes on where it was.
///
/// @param program  the command line up to "grade", quoted for a shell
std::string slurm_script(const RunOptions& run, const SlurmOptions& options,
                         const std::string& program);

/// `text` as one word of a shell's command line.
std::string shell_word(const std::string& text);

}  // namespace coursework
