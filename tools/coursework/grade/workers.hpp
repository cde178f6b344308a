#pragma once

/// @file
/// Processes of our own that work in parallel. One that dies takes nothing but its task along.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coursework {

/// What became of a task.
struct TaskResult {
  std::size_t task = 0;
  std::string fault;  ///< why there is no result: an exception's text, or how the worker ended
  nlohmann::ordered_json result;
};

struct WorkerOptions {
  int workers = 1;
  std::chrono::milliseconds time_limit{0};  ///< for one task; a worker past it is killed
  /// Called in the new process, with its number from 0.
  std::function<void(int worker)> begin;
};

/// Does tasks 0 to `count` - 1, each with `work` in one of some processes, which are forked from
/// this one and end with it. `done` is called here for each task as it ends, and `tick` several
/// times a second. A task whose worker dies or throws is done once more before it is a fault.
///
/// This process may have no other threads. What `done` throws ends all workers.
void work_in_parallel(std::size_t count, const WorkerOptions& options,
                      const std::function<nlohmann::ordered_json(std::size_t task)>& work,
                      const std::function<void(const TaskResult&)>& done,
                      const std::function<void()>& tick);

}  // namespace coursework
