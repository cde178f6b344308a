#pragma once

/// @file
/// The back end: what runs the kernels, and whether it reports times or counters.

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

/// The back end that this program was built for; CMake chooses one per build.
struct Backend {
  std::string_view name;          ///< "cuda" or "emulator", as in the JSON report
  bool reports_time = false;      ///< event times measure performance
  bool reports_counters = false;  ///< counters_since_reset() returns counters
  bool device_memory_is_host_memory = false;
};

/// Returns the back end; needs no device.
const Backend& backend() noexcept;

/// Properties of the device in use.
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

/// Returns the current device; throws UsageError, in one line that says what to do, if there is
/// none.
Device current_device();

/// Checks every kernel from here on for hazards. Findings go to standard error, and the program
/// ends with status 1 if there was any. Each launch is repeated `schedules` times, each time in
/// another order, and the results are compared. Throws UsageError on a back end that has a tool of
/// its own for this.
void start_checking(bool hazards, int schedules);

/// Runs `work` under the hazard checker and returns a line for each finding. Returns nothing,
/// without running `work`, on a back end that has no checker.
std::optional<std::vector<std::string>> hazards_in(const std::function<void()>& work);

/// Returns a function that makes `times` launches on `stream` as one piece of work. Where times are
/// reported, the host starts the piece as a whole, so that no kernel waits for the host to start
/// the next one.
///
/// `launch` is called here and need not be kept. It must not allocate or wait.
std::function<void()> as_one_piece(const StreamLaunch& launch, int times, cudaStream_t stream);

/// Runs `work` with the hazard checker off. For kernels that are wrong on purpose.
void without_checking(const std::function<void()>& work);

/// Starts counting from zero. Launches are counted until counters_since_reset() is called.
void reset_counters();

/// Returns the sum over the launches completed since reset_counters(), all zero if there were none;
/// nothing on a back end that does not count, or while counting is off.
std::optional<Counters> counters_since_reset();

/// Runs `launch`, waits for it and returns its counters; nothing on a back end that does not count.
template <class Launch>
std::optional<Counters> count(Launch&& launch,
                              std::source_location where = std::source_location::current());

/// Two defaults for an option: where kernels are counted, and where they are timed.
template <class T>
struct PerBackend {
  T counting;
  T timing;
};

/// Returns the default that suits this back end: `int n = default_for({.counting = 1 << 16, .timing
/// = 1 << 26});`
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
