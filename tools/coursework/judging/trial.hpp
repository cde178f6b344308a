#pragma once

/// @file
/// What judge.cpp of an exercise is written with: inputs, launches, and what is wrong with results.
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
  std::size_t offset = 0;  ///< elements before the one that a kernel is handed

  /// The same array, handed on from another element.
  DeviceArray from(std::size_t elements) const { return {memory, count, offset + elements}; }
};

/// What stands between `<<<` and `>>>`.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool parted_warps = false;  ///< `__activemask()` finds half of the lanes that are there, as
                              ///< `coalesced_threads()` does
};

/// How launches of a trial run.
struct Orders {
  unsigned again = 0;      ///< in so many other orders, too: memory may not depend on them
  std::uint64_t seed = 0;  ///< in the order of this seed alone, and uncounted; 0: in the usual one
};

/// Ends a trial: results are wrong, in the student's words.
class WrongResult : public std::exception {
 public:
  explicit WrongResult(std::string complaint) : complaint_(std::move(complaint)) {}
  const char* what() const noexcept override { return complaint_.c_str(); }

 private:
  std::string complaint_;
};

/// One set of sizes and inputs against a submission.
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

  /// A size of the case.
  /// @throws std::out_of_range where exercise.json has none of that name
  int operator[](const std::string& name) const { return static_cast<int>(sizes_.at(name)); }

  /// The group of cases that this one belongs to: "results", "cost".
  const std::string& group() const { return group_; }

  /// A seed for the `stream`-th of this trial's inputs. They differ from trial to trial.
  std::uint64_t seed(std::uint64_t stream) const;

  /// Device memory with these values; `name` is what messages may call it.
  template <class T>
  DeviceArray<T> input(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {place(std::vector<std::byte>(bytes.begin(), bytes.end())), values.size(), 0};
  }

  /// Device memory full of NaN (bytes 0xFF), so that an element a kernel skips cannot pass.
  template <class T>
  DeviceArray<T> output(std::size_t count) {
    return {place(std::vector<std::byte>(count * sizeof(T), std::byte{0xff})), count, 0};
  }

  /// What is in device memory now, whole.
  template <class T>
  std::vector<T> read(const DeviceArray<T>& array) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = device_.read(array.memory, array.count * sizeof(T));
    std::vector<T> values(array.count);
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  /// Launches and waits. An error of CUDA's ends the trial. Counters and findings are kept.
  ///
  /// The kernel `answers` comes first: a kernel that has run before it could tell what came out.
  /// Arguments have the very types of the kernel's parameters; arrays stand for pointers.
  template <class... Arguments>
  void launch(const std::string& kernel, const Shape& shape, const Arguments&... arguments) {
    launch_with(kernel, shape, {argument(arguments)...});
  }

  /// Launches a kernel that was right once more, while each shuffle brings the value of another
  /// lane, as do reductions, votes and matches. Results that come by shuffles are that lane's then:
  /// a shuffle for show cannot tell which. To be called last, with new arrays for what the kernel
  /// writes; costs and findings do not count. A kernel that fails then leaves no results.
  ///
  /// @return how many places further the other lane is, of those that take part, around in a
  ///         circle; 0 where nobody counts, so that nobody knows
  template <class... Arguments>
  unsigned launch_with_turned_lanes(const std::string& kernel, const Shape& shape,
                                    const Arguments&... arguments) {
    if (!counted_ || orders_.seed != 0) return 0;
    return launch_turned(kernel, shape, {argument(arguments)...});
  }

  /// Whether that launch leaves other results than the right ones: 1, or 0 where shuffles,
  /// reductions and votes are there for show. Where nobody counts, nobody knows: 1.
  template <class T, class... Arguments>
  int comes_by_warp_functions(const DeviceArray<T>& result, const std::string& kernel,
                              const Shape& shape, const Arguments&... arguments) {
    const std::size_t bytes = result.count * sizeof(T);
    const auto before = device_.read(result.memory, bytes);
    return launch_with_turned_lanes(kernel, shape, arguments...) == 0 || has_broken_device_ ||
           device_.read(result.memory, bytes) != before;
  }

  /// Takes no measure of this trial: there is nothing to do in it.
  void measure_nothing() { measured_ = false; }

  /// Does not run the trial in other orders: its results depend on when copies arrive.
  void keep_to_one_order() { may_reorder_ = false; }

  /// Loads of floats that a thread may be ahead: it has 255 registers, and works in some of them.
  static constexpr double kMostAhead = 128.0;

  /// Says as `misplaced_loads` how many loads come too late for a store, or so early that no thread
  /// has registers for what they bring. After the launch. The bounds are for the loads of a warp
  /// that come before a store of its own, added up over all stores; a load or store has 32 floats.
  void set_misplaced_loads(double least, double most);

  /// Forgets what earlier launches cost: the expressions of exercise.json see those from here on.
  void count_from_here();

  /// What the hazard checker has found so far. It no longer counts: for experiments that are meant
  /// to have a fault. So they keep to one order, too.
  std::vector<Finding> take_findings() {
    keep_to_one_order();
    return std::exchange(findings_, {});
  }

  /// Ends the trial unless `holds`; `complaint` says what is wrong, in the student's words.
  void expect(bool holds, const std::string& complaint) const {
    if (!holds) throw WrongResult(complaint);
  }

  /// A figure for the expressions of exercise.json, beside sizes and counters.
  void set(const std::string& name, double value) { values_[name] = value; }

  /// The sizes in words: "m = 33, n = 70".
  std::string describe() const;

  const std::map<std::string, double>& values() const { return values_; }
  bool counted() const { return counted_; }
  bool measured() const { return counted_ && measured_; }
  bool may_reorder() const { return may_reorder_; }
  /// Bytes of device memory that its arrays take.
  std::size_t bytes() const { return bytes_; }
  /// Whether the device is no longer of use: a launch has failed that may fail.
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

  int place(const std::vector<std::byte>& bytes);
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
  std::map<std::string, double> values_;  // sizes, what judge.cpp sets, and counters
  std::set<std::string> counters_;        // names among them
  bool counted_ = false;
  bool measured_ = true;
  bool may_reorder_ = true;
  std::size_t bytes_ = 0;
  bool has_launched_ = false;
  bool has_broken_device_ = false;
  std::vector<Finding> findings_;
};

/// Judges one trial: throws WrongResult, or returns where the results are right.
using JudgeFunction = void (*)(Trial& trial);

/// Makes an exercise's judge known under its id.
class Registered {
 public:
  Registered(const std::string& id, JudgeFunction judge);
};

/// @throws std::out_of_range for an exercise without a judge
JudgeFunction judge_of(const std::string& id);

}  // namespace coursework
