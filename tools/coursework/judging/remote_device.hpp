#pragma once

/// @file
/// The device of a submission, as the judge sees it: in another process.

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

/// The process that a submission runs in, however it was started.
class RunnerProcess {
 public:
  virtual ~RunnerProcess() = default;
  /// The judge's end of the conversation.
  virtual int channel() const = 0;
  /// Asks it to say where it is, then ends it and all that it started; what it printed on its
  /// standard error.
  virtual std::string stop() = 0;
  /// Why it is no more: "CPU limit", "time limit", "memory limit", "signal 11"; empty while nothing
  /// is known.
  virtual std::string how_it_ended() = 0;
};

/// Starts a runner as an ordinary child process: for a student's own machine. It is killed when
/// `stop` is asked for; the judge then finds it gone.
/// @throws std::system_error
std::unique_ptr<RunnerProcess> start_runner(const std::filesystem::path& program,
                                            std::stop_token stop = {});

/// What a submission did instead of answering.
enum class Stopped {
  cpu_limit,
  time_limit,  ///< on the clock
  memory_limit,
  ended,  ///< it crashed or left
};

/// Ends a trial: there is no device any more.
class DeviceLost : public std::exception {
 public:
  DeviceLost(Stopped why, std::string text) : why_(why), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  Stopped why() const noexcept { return why_; }

 private:
  Stopped why_;
  std::string text_;
};

/// What the hazard checker said of a launch.
struct Finding {
  std::string tool;
  bool is_error = true;
  std::string text;  ///< one line for people
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
  unsigned orders = 0;        ///< in which it runs once more, each: what differs is a finding
  std::uint64_t order = 0;    ///< the one that it runs in, uncounted; 0: the usual one
  bool parted_warps = false;  ///< `__activemask()` finds half of the lanes that are there
  unsigned lane_turn = 0;     ///< shuffles bring the value of a lane so many places further on
};

/// What came of one launch. Its results are in device memory.
struct LaunchOutcome {
  std::string error;  ///< empty, or CUDA's: "cudaErrorIllegalAddress: ..."
  std::optional<std::map<std::string, double>> counters;  ///< by their JSON names
  std::vector<Finding> findings;
};

/// Device memory and launches over a runner's channel.
///
/// Every call throws DeviceLost where the runner does not answer, or answers nonsense.
class RemoteDevice {
 public:
  /// @param time_limit  for all launches together
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
