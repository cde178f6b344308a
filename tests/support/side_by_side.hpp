/// Runs work in parallel that waits for other programs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <utility>
#include <vector>

namespace test_support {

/// Returns the results of `work(i)` for every i below `count`, with as many calls at a time as
/// there are cores. `work` must not use CHECK; the caller's thread checks the results.
///
/// @throws an exception of `work`, after all calls have ended
template <class Work>
auto side_by_side(std::size_t count, Work work) {
  using Result = decltype(work(std::size_t{}));
  std::vector<Result> results(count);
  std::atomic<std::size_t> next = 0;
  const auto work_on = [&] {
    for (std::size_t i = next++; i < count; i = next++) results[i] = work(i);
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<void>> workers;
  for (std::size_t i = 0; i < std::min(cores, count); ++i)
    workers.push_back(std::async(std::launch::async, work_on));
  for (std::future<void>& worker : workers) worker.wait();
  for (std::future<void>& worker : workers) worker.get();
  return results;
}

}  // namespace test_support
