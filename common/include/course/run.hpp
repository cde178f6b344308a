#pragma once

/// @file
/// One run of a kernel: inputs, a poisoned output, a launch, a check.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "course/compare.hpp"
#include "course/device_buffer.hpp"
#include "course/limits.hpp"
#include "course/report.hpp"
#include "course/sgemm_check.hpp"
#include "course/timing.hpp"

namespace course {

/// How to time a launch.
struct LaunchOptions {
  bool flush_l2 = true;  ///< false for lessons that are not about DRAM
};

/// One row of the report in the making; see Program::experiment().
///
///     auto& in = run.input("in", course::random_floats(n, run.seed()));
///     auto& out = run.output<float>("out", n);
///     run.launch({.read_bytes = 4.0 * n, .written_bytes = 4.0 * n},
///                [&] { copy<<<grid, block>>>(n, in.data(), out.data()); });
///     run.verify(out, expected);
///
/// A run without a launch or without a check is a failed run.
class Run {
 public:
  /// `kernel` names the row; `timing` and `seed` come from the command line.
  Run(std::string kernel, const Timing& timing, std::uint64_t seed, const DeviceLimits& limits);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Returns the seed of this execution, from --seed.
  std::uint64_t seed() const noexcept;

  /// Shows `value` in the report under `name`; a second value replaces the first.
  void parameter(std::string_view name, ParameterValue value);
  /// Shows several values at once: `run.parameters({{"n", n}, {"stride", stride}})`.
  void parameters(std::initializer_list<Parameter> values);

  /// Returns a copy of `values` that kernels read.
  template <class T>
  const DeviceBuffer<T>& input(std::string_view name, const std::vector<T>& values) {
    return keep(std::make_shared<DeviceBuffer<T>>(values, name), Role::input, {});
  }

  /// Returns `count` elements that kernels write; poisoned before every launch.
  template <class T>
  DeviceBuffer<T>& output(std::string_view name, std::size_t count) {
    return keep(std::make_shared<DeviceBuffer<T>>(count, name), Role::output, {});
  }

  /// Returns a copy of `values` that kernels read and write; restored before every launch.
  template <class T>
  DeviceBuffer<T>& in_out(std::string_view name, const std::vector<T>& values) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span<const T>(values));
    return keep(std::make_shared<DeviceBuffer<T>>(values, name), Role::in_out,
                {bytes.begin(), bytes.end()});
  }

  /// Launches on the default stream: once where kernels are counted, with warm-up and repeats where
  /// they are timed.
  ///
  /// Outputs are poisoned, and in_outs put back, before every launch. Afterwards every guard band
  /// is looked at, and the time (or the count) is held against what `work` asks for at least: see
  /// physical_violation() and counted_violation(). Call it once.
  /// @throws CudaError, naming `where`, if the launch or the kernel fails
  void launch(const Work& work, const std::function<void()>& launch, LaunchOptions options = {},
              std::source_location where = std::source_location::current());

  /// Another way to the same result, whose time is shown beside the kernel's.
  struct Rival {
    std::string parameter;  ///< name of its median time in milliseconds in the report
    StreamLaunch launch;    ///< empty if there is nothing to compare with
  };

  /// Launches a kernel that may end before the host could start the next one: see
  /// measure_in_turn(). `rival` is timed in turn with it. One more launch, on the default stream,
  /// is verified and counted.
  void launch_in_turn(const Work& work, const StreamLaunch& launch, const Rival& rival = {},
                      std::source_location where = std::source_location::current());

  /// Returns 10^9 operations per second of the launch, at its median time; nothing if there is no
  /// time.
  std::optional<double> gflop_per_s() const;

  /// Marks the row as skipped because this device cannot run the kernel. `why` is one line; the run
  /// is not a failure.
  void skip(std::string_view why);

  /// Compares the contents of `actual` after the last launch with `expected`.
  template <class T>
  void verify(const DeviceBuffer<T>& actual, const std::vector<T>& expected,
              Tolerance tolerance = Tolerance::exact()) {
    std::vector<T> values(actual.size());
    actual.bytes().download(values.data());
    verify(actual.name(), compare(values, expected, tolerance));
  }

  /// Checks `c` as the result of `problem`.
  void verify_sgemm(const DeviceBuffer<float>& c, const SgemmProblem& problem);

  /// Takes the result of a comparison made elsewhere; `what` names the compared values.
  void verify(std::string_view what, const Comparison& comparison);

  /// For a kernel that is known to be wrong: shows what came out beside what should have.
  ///
  /// Such a run is never verified and has no time, even where everything is right by luck; it is no
  /// failure either. What is sure even of a wrong kernel is for verify(). Adds the parameters
  /// "wrong_elements" and, of the first of them (or of element 0), "should_be" and "came_out".
  template <class T>
  void known_wrong(const DeviceBuffer<T>& actual, const std::vector<T>& right) {
    std::vector<T> values(actual.size());
    actual.bytes().download(values.data());
    const Comparison comparison = compare(values, right);
    known_wrong(comparison);
    if (values.empty() || right.empty()) return;
    const std::size_t shown = comparison.mismatch ? comparison.mismatch->index : 0;
    parameters({{"should_be", right.at(shown)}, {"came_out", values.at(shown)}});
  }

  /// Marks the run as failed; `why` is one line.
  void fail(std::string_view why);

  /// Returns why the launch cannot have done `work`, by its time or its counts; nothing if it can.
  ///
  /// The work given to launch() is compared with them in any case.
  std::optional<std::string> impossible(const Work& work) const;

  /// Returns the counters of the launch; nothing before it, or if the back end does not count.
  const std::optional<Counters>& counters() const noexcept;

  /// Returns the finished row.
  RunRecord finish();

 private:
  enum class Role { input, output, in_out };

  template <class T>
  DeviceBuffer<T>& keep(std::shared_ptr<DeviceBuffer<T>> buffer, Role role,
                        std::vector<std::byte> initial) {
    DeviceBuffer<T>& kept = *buffer;
    keep_bytes(std::move(buffer), kept.bytes(), kept.name(), role, std::move(initial));
    return kept;
  }
  void keep_bytes(std::shared_ptr<void> owner, DeviceBytes& bytes, const std::string& name,
                  Role role, std::vector<std::byte> initial);
  void known_wrong(const Comparison& comparison);
  void start_launching(const Work& work);
  void prepare_launch();
  void check_guards();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace course
