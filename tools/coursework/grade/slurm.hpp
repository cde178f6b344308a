#pragma once

/// @file
/// Writes a class as an array of jobs for the batch system Slurm.

#include <string>

#include "tools/coursework/grade/run.hpp"
#include "tools/coursework/grade/run_log.hpp"

namespace coursework {

struct SlurmOptions {
  int shards = 20;
  int cores = 4;                ///< per task
  std::size_t submissions = 0;  ///< number of submissions in the class
  MeasuredCost cost;
};

/// Returns a bash script that submits the class: an array with a task for each shard, and a job
/// that merges the shards when all have succeeded. A task that is killed and queued again resumes
/// its work.
///
/// @param program  the command line up to "grade", quoted for a shell
std::string slurm_script(const RunOptions& run, const SlurmOptions& options,
                         const std::string& program);

/// Quotes `text` as one word of a shell command.
std::string shell_word(const std::string& text);

}  // namespace coursework
