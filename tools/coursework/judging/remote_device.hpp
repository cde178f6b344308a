#pragma once

/// @file
/// The submission's device as the judge uses it: in another process.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "course/counters.hpp"

namespace coursework {

/// The process that runs a submission, however it was started.
class RunnerProcess {
 public:
  virtual ~RunnerProcess() = default;
  /// Returns the judge's end of the channel.
  virtual int channel() const = 0;
  /// Asks the process for its current source line, then ends it and all of its children. Returns
  /// its stderr.
  virtual std::string stop() = 0;
  /// Returns why the process ended: "CPU limit", "time limit", "memory limit", "signal 11"; empty
  /// if unknown.
  virtual std::string how_it_ended() = 0;
};

/// Starts a runner as an ordinary child process, for a student's own machine. A request of `stop`
/// kills it; the judge then throws DeviceLost.
/// @throws std::system_error
std::unique_ptr<RunnerProcess> start_runner(const std::filesystem::path& program,
                                            std::stop_token stop = {});

/// What a submission did instead of answering.
enum class Stopped {
  cpu_limit,
  time_limit,  ///< by the wall clock
  memory_limit,
  ended,  ///< crashed or exited
};

/// Ends a trial because the device no longer exists.
class DeviceLost : public std::exception {
 public:
  DeviceLost(Stopped why, std::string text) : why_(why), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  Stopped why() const noexcept { return why_; }

 private:
  Stopped why_;
  std::string text_;
};

/// A report of the hazard checker about a launch.
struct Finding {
  std::string tool;
  bool is_error = true;
  std::string text;  ///< one readable line
};

/// An argument of a launch: a scalar's bytes, or an address in device memory.
struct Argument {
  std::vector<std::byte> bytes;
  std::optional<int> memory;
  std::size_t offset_bytes = 0;
};

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::size_t shared_bytes = 0;
  unsigned orders = 0;        ///< how many other orders to run; a difference is a finding
  std::uint64_t order = 0;    ///< the order of an uncounted run; 0: the usual order
  bool parted_warps = false;  ///< `__activemask()` reports half of the active lanes
  unsigned lane_turn = 0;     ///< shuffles return the value of the lane this many places further
};

/// The outcome of one launch. Results stay in device memory.
struct LaunchOutcome {
  std::string error;  ///< empty, or CUDA's error: "cudaErrorIllegalAddress: ..."
  std::optional<std::map<std::string, double>> counters;  ///< by their names in JSON
  std::vector<Finding> findings;
};

/// Device memory and launches through a runner's channel.
///
/// Every call throws DeviceLost if the runner does not answer or its answer is invalid.
class RemoteDevice {
 public:
  /// @param time_limit  limits all launches together
  RemoteDevice(std::unique_ptr<RunnerProcess> process, std::chrono::milliseconds time_limit);

  int allocate(std::size_t bytes);
  void write(int memory, const std::vector<std::byte>& bytes);
  std::vector<std::byte> read(int memory, std::size_t bytes);
  LaunchOutcome launch(const std::string& kernel, const LaunchShape& shape,
                       const std::vector<Argument>& arguments);

 private:
  struct Reply;
  Reply ask(const nlohmann::json& header, std::vector<std::byte> bytes, std::size_t most_bytes);
  [[noreturn]] void lose(Stopped why);

  std::unique_ptr<RunnerProcess> process_;
  std::chrono::milliseconds time_left_;
  std::chrono::milliseconds time_limit_;
};

}  // namespace coursework
