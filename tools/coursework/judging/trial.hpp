#pragma once

/// @file
/// What judge.cpp of an exercise uses: inputs, launches, and messages about wrong results.
///
///     void judge(Trial& trial) {
///       const int n = trial["n"];
///       const auto values = course::random_floats(n, trial.seed(1));
///       const auto in = trial.input("in", values);
///       const auto out = trial.output<float>("out", n);
///       trial.launch("twice", {.grid = divide_up(n, 128), .block = 128}, n, in, out);
///       const auto result = trial.read(out);
///       for (int i = 0; i < n; ++i)
///         trial.expect(result[i] == 2 * values[i], "out[" + std::to_string(i) + "] is wrong.");
///     }
///     const Registered registered("02_1", judge);

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/remote_device.hpp"

namespace coursework {

/// An array in the submission's device memory.
template <class T>
struct DeviceArray {
  int memory = 0;
  std::size_t count = 0;
  std::size_t offset = 0;  ///< number of elements before the one that a kernel's pointer points to

  /// Returns the same array, beginning `elements` later.
  DeviceArray from(std::size_t elements) const { return {memory, count, offset + elements}; }
};

/// The arguments between `<<<` and `>>>`.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  /// `__activemask()` and `coalesced_threads()` report half of the active lanes.
  bool parted_warps = false;
};

/// The orders in which a trial's launches run.
struct Orders {
  unsigned again = 0;      ///< number of further runs in other orders; memory must stay the same
  std::uint64_t seed = 0;  ///< seed of the only order, uncounted; 0: the usual order
};

/// Ends a trial whose results are wrong; the text addresses the student.
class WrongResult : public std::exception {
 public:
  explicit WrongResult(std::string complaint) : complaint_(std::move(complaint)) {}
  const char* what() const noexcept override { return complaint_.c_str(); }

 private:
  std::string complaint_;
};

/// Runs one set of sizes and inputs against a submission.
class Trial {
 public:
  Trial(RemoteDevice& device, std::string group, Case sizes, std::uint64_t seed, Orders orders)
      : device_(device),
        group_(std::move(group)),
        sizes_(std::move(sizes)),
        seed_(seed),
        orders_(orders) {
    for (const auto& [name, value] : sizes_) values_[name] = static_cast<double>(value);
  }

  /// Returns a size of the case.
  /// @throws std::out_of_range if exercise.json has no such name
  int operator[](const std::string& name) const { return static_cast<int>(sizes_.at(name)); }

  /// Returns the name of the case's group: "results", "cost".
  const std::string& group() const { return group_; }

  /// Returns a seed for the input number `stream`. Seeds differ from trial to trial.
  std::uint64_t seed(std::uint64_t stream) const;

  /// Allocates device memory with these values; messages call it `name`.
  template <class T>
  DeviceArray<T> input(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {upload(std::vector<std::byte>(bytes.begin(), bytes.end())), values.size(), 0};
  }

  /// Allocates device memory filled with NaN (bytes 0xFF), so that skipped elements are found.
  template <class T>
  DeviceArray<T> output(std::size_t count) {
    return {upload(std::vector<std::byte>(count * sizeof(T), std::byte{0xff})), count, 0};
  }

  /// Copies the whole array from device memory.
  template <class T>
  std::vector<T> read(const DeviceArray<T>& array) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = device_.read(array.memory, array.count * sizeof(T));
    std::vector<T> values(array.count);
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  /// Launches a kernel and waits. A CUDA error ends the trial. Counters and findings are kept.
  ///
  /// Launch the kernel `answers` first: a kernel that ran earlier could pass on the results.
  /// Arguments must have exactly the types of the kernel's parameters; arrays stand for pointers.
  template <class... Arguments>
  void launch(const std::string& kernel, const Shape& shape, const Arguments&... arguments) {
    launch_with(kernel, shape, {argument(arguments)...});
  }

  /// Launches a correct kernel once more, while shuffles, reductions, votes and matches use the
  /// value of another lane. Results that depend on shuffles then change; a kernel whose shuffles
  /// are only for show gives the same results. Call this last, with new arrays for the kernel's
  /// output; costs and findings do not count. If the kernel fails, there are no results.
  ///
  /// @return how many places further the other lane is, cyclically among the participating lanes; 0
  ///         if nothing is counted
  template <class... Arguments>
  unsigned launch_with_turned_lanes(const std::string& kernel, const Shape& shape,
                                    const Arguments&... arguments) {
    if (!counted_ || orders_.seed != 0) return 0;
    return launch_turned(kernel, shape, {argument(arguments)...});
  }

  /// Returns 1 if that launch changes the results, 0 if shuffles, reductions and votes have no
  /// effect on them. Returns 1 if nothing is counted.
  template <class T, class... Arguments>
  int comes_by_warp_functions(const DeviceArray<T>& result, const std::string& kernel,
                              const Shape& shape, const Arguments&... arguments) {
    const std::size_t bytes = result.count * sizeof(T);
    const auto before = device_.read(result.memory, bytes);
    return launch_with_turned_lanes(kernel, shape, arguments...) == 0 || has_broken_device_ ||
           device_.read(result.memory, bytes) != before;
  }

  /// Excludes this trial from measures: it has no work.
  void measure_nothing() { measured_ = false; }

  /// Does not run the trial in other orders: its results depend on when copies arrive.
  void keep_to_one_order() { may_reorder_ = false; }

  /// Most floats that a thread can load ahead: it has 255 registers, and needs some for its work.
  static constexpr double kMostAhead = 128.0;

  /// Sets `misplaced_loads` to the number of loads that come too late for a store, or so early that
  /// a thread lacks registers for their values. Call it after the launch. The bounds limit the sum,
  /// over all stores of a warp, of the warp's loads before each store; a load or store has 32
  /// floats.
  void set_misplaced_loads(double least, double most);

  /// Resets the counters: the expressions of exercise.json count launches from here on.
  void count_from_here();

  /// Returns the hazard checker's findings so far and removes them from the verdict, for
  /// experiments with a deliberate fault. Such a trial keeps to one order.
  std::vector<Finding> take_findings() {
    keep_to_one_order();
    return std::exchange(findings_, {});
  }

  /// Ends the trial unless `holds`; `complaint` tells the student what is wrong.
  void expect(bool holds, const std::string& complaint) const {
    if (!holds) throw WrongResult(complaint);
  }

  /// Sets a figure for the expressions of exercise.json, besides sizes and counters.
  void set(const std::string& name, double value) { values_[name] = value; }

  /// Returns the sizes in words: "m = 33, n = 70".
  std::string describe() const;

  const std::map<std::string, double>& values() const { return values_; }
  bool counted() const { return counted_; }
  bool measured() const { return counted_ && measured_; }
  bool may_reorder() const { return may_reorder_; }
  /// Returns the bytes of device memory in this trial's arrays.
  std::size_t bytes() const { return bytes_; }
  /// Returns whether a launch that was allowed to fail has left the device unusable.
  bool has_broken_device() const { return has_broken_device_; }
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  template <class T>
  static Argument argument(const DeviceArray<T>& array) {
    return {std::vector<std::byte>(sizeof(void*)), array.memory, array.offset * sizeof(T)};
  }
  template <class T>
  static Argument argument(const T& scalar) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    Argument result{std::vector<std::byte>(sizeof(T)), {}, 0};
    std::memcpy(result.bytes.data(), &scalar, sizeof(T));
    return result;
  }

  int upload(const std::vector<std::byte>& bytes);
  void launch_with(const std::string& kernel, const Shape& shape,
                   const std::vector<Argument>& arguments);
  LaunchShape launch_shape(const Shape& shape) const;
  unsigned launch_turned(const std::string& kernel, const Shape& shape,
                         const std::vector<Argument>& arguments);

  RemoteDevice& device_;
  std::string group_;
  Case sizes_;
  std::uint64_t seed_;
  Orders orders_;
  std::map<std::string, double> values_;  // sizes, values set by judge.cpp, and counters
  std::set<std::string> counters_;        // names of counters in values_
  bool counted_ = false;
  bool measured_ = true;
  bool may_reorder_ = true;
  std::size_t bytes_ = 0;
  bool has_launched_ = false;
  bool has_broken_device_ = false;
  std::vector<Finding> findings_;
};

/// Judges one trial: returns if the results are right, otherwise throws WrongResult.
using JudgeFunction = void (*)(Trial& trial);

/// Registers an exercise's judge under the exercise's id.
class Registered {
 public:
  Registered(const std::string& id, JudgeFunction judge);
};

/// @throws std::out_of_range if the exercise has no judge
JudgeFunction judge_of(const std::string& id);

}  // namespace coursework
