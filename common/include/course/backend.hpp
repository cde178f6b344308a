#pragma once

/// @file
/// What runs the kernels, and what it can say about them: times or counters.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "course/counters.hpp"
#include "course/events.hpp"

namespace course {

/// The machine that this program was built for; there is one per build, chosen by CMake.
struct Backend {
  std::string_view name;          ///< "cuda" or "emulator", as in the JSON report
  bool reports_time = false;      ///< event times are a performance
  bool reports_counters = false;  ///< counters_since_reset() has an answer
  bool device_memory_is_host_memory = false;
};

/// The back end; needs no device.
const Backend& backend() noexcept;

/// The device in use, as far as the course needs to know it.
struct Device {
  std::string name;
  int multiprocessors = 0;
  int compute_major = 0;
  int compute_minor = 0;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  double clock_hz = 0.0;         ///< highest SM clock; 0 where unknown
  double memory_clock_hz = 0.0;  ///< highest memory clock, single data rate; 0 where unknown
  int memory_bus_bits = 0;       ///< 0 where unknown
};

/// The current device; throws UsageError, in one line that says what to do, if there is none.
Device current_device();

/// Looks for hazards in every kernel from here on: findings go to standard error, and the program
/// ends with status 1 if there was any. `schedules` further runs of each launch, each in another
/// order, are compared. Throws UsageError on a back end that has a tool of its own for this.
void start_checking(bool hazards, int schedules);

/// Runs `work` under the hazard checker: a line for each finding. Nothing on a back end that has no
/// checker; `work` is not run there.
std::optional<std::vector<std::string>> hazards_in(const std::function<void()>& work);

/// `launch`, `times` over on `stream`, as one piece of work: where times are reported, the host
/// starts it as a whole, so that a kernel need not wait for the host to start the next one.
///
/// `launch` is called here, and need not be kept. It must not allocate or wait.
std::function<void()> as_one_piece(const StreamLaunch& launch, int times, cudaStream_t stream);

/// Runs `work` with the hazard checker off: for kernels that are wrong on purpose.
void without_checking(const std::function<void()>& work);

/// Starts counting from zero. Launches are counted until counters_since_reset() is called.
void reset_counters();

/// The sum over the launches completed since reset_counters(), all zero if there were none;
/// nothing on a back end that does not count, or while counting is switched off.
std::optional<Counters> counters_since_reset();

/// Runs `launch`, waits for it and returns what it cost; nothing on a back end that does not count.
template <class Launch>
std::optional<Counters> count(Launch&& launch,
                              std::source_location where = std::source_location::current());

/// Two values for a default: the first where kernels are counted, the second where they are timed.
///
/// Counting is slow and exact, so that a small size shows everything; timing wants a large one.
template <class T>
struct PerBackend {
  T counting;
  T timing;
};

/// Picks the value that suits this back end: `int n = default_for({.counting = 1 << 16, .timing = 1
/// << 26});`
template <class T = int>
T default_for(PerBackend<T> values) {
  return backend().reports_time ? values.timing : values.counting;
}

/// Waits for the device and throws CudaError for anything that failed there.
void synchronize(std::source_location where = std::source_location::current());

template <class Launch>
std::optional<Counters> count(Launch&& launch, std::source_location where) {
  reset_counters();
  launch();
  synchronize(where);
  return counters_since_reset();
}

}  // namespace course
