#pragma once

/// @file
/// Worker processes that run tasks in parallel. A crash loses only the worker's current task.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coursework {

/// The outcome of a task.
struct TaskResult {
  std::size_t task = 0;
  std::string fault;  ///< why there is no result: an exception's text, or how the worker ended
  nlohmann::ordered_json result;
};

struct WorkerOptions {
  int workers = 1;
  std::chrono::milliseconds time_limit{0};  ///< per task; a slower worker is killed
  /// Called in each new process with the worker's number, from 0.
  std::function<void(int worker)> begin;
};

/// Runs `work` for tasks 0 to `count` - 1 in worker processes, which are forked from this one and
/// end with it. Calls `done` in this process for each finished task, and `tick` several times a
/// second. A task whose worker dies or throws is tried once more before it counts as a fault.
///
/// This process must have no other threads. An exception from `done` ends all workers.
void work_in_parallel(std::size_t count, const WorkerOptions& options,
                      const std::function<nlohmann::ordered_json(std::size_t task)>& work,
                      const std::function<void(const TaskResult&)>& done,
                      const std::function<void()>& tick);

}  // namespace coursework
