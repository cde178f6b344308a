#include "tools/coursework/judging/trial.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "course/counters.hpp"
#include "course/inputs.hpp"

namespace coursework {
namespace {

std::map<std::string, JudgeFunction>& judges() {
  static std::map<std::string, JudgeFunction> all;
  return all;
}

}  // namespace

Registered::Registered(const std::string& id, JudgeFunction judge) {
  if (!judges().emplace(id, judge).second)
    throw std::logic_error("two judges for the exercise " + id);
}

JudgeFunction judge_of(const std::string& id) {
  const auto found = judges().find(id);
  if (found == judges().end()) throw std::out_of_range("the exercise " + id + " has no judge");
  return found->second;
}

std::uint64_t Trial::seed(std::uint64_t stream) const { return course::derive_seed(seed_, stream); }

std::string Trial::describe() const {
  std::string text;
  for (const auto& [name, value] : sizes_)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

void Trial::count_from_here() {
  for (const std::string& name : counters_) values_[name] = 0.0;
}

void Trial::set_misplaced_loads(double least, double most) {
  constexpr double kBytes = 4.0 * course::kWarpSize;  // of a warp's load or store
  const auto found = values_.find("loads_before_stores");
  const double counted = found == values_.end() ? least : found->second / (kBytes * kBytes);
  set("misplaced_loads", std::max({0.0, least - counted, counted - most}));
}

int Trial::upload(const std::vector<std::byte>& bytes) {
  const int memory = device_.allocate(bytes.size());
  bytes_ += bytes.size();
  if (!bytes.empty()) device_.write(memory, bytes);
  return memory;
}

LaunchShape Trial::launch_shape(const Shape& shape) const {
  LaunchShape launch;
  launch.grid[0] = shape.grid.x, launch.grid[1] = shape.grid.y, launch.grid[2] = shape.grid.z;
  launch.block[0] = shape.block.x, launch.block[1] = shape.block.y, launch.block[2] = shape.block.z;
  launch.shared_bytes = shape.shared_bytes;
  launch.orders = orders_.again;
  launch.order = orders_.seed;
  launch.parted_warps = shape.parted_warps;
  return launch;
}

unsigned Trial::launch_turned(const std::string& kernel, const Shape& shape,
                              const std::vector<Argument>& arguments) {
  // Primes: a rotation by one of them moves every warp's lanes unless it has that many.
  constexpr std::array kTurns = {7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u};
  constexpr std::uint64_t kStream = 0x7475726e;  // differs from the streams of judges' inputs
  LaunchShape launch = launch_shape(shape);
  launch.orders = 0;
  launch.lane_turn = kTurns[seed(kStream) % kTurns.size()];
  has_broken_device_ = !device_.launch(kernel, launch, arguments).error.empty();
  return launch.lane_turn;
}

void Trial::launch_with(const std::string& kernel, const Shape& shape,
                        const std::vector<Argument>& arguments) {
  if (kernel == "answers" && has_launched_)
    throw std::logic_error("a judge asks for answers after it has launched something else");
  has_launched_ = true;
  const LaunchOutcome outcome = device_.launch(kernel, launch_shape(shape), arguments);
  findings_.insert(findings_.end(), outcome.findings.begin(), outcome.findings.end());
  if (outcome.counters && orders_.seed == 0) {
    counted_ = true;
    for (const auto& [name, value] : *outcome.counters) {
      values_[name] += value;
      counters_.insert(name);
    }
  }
  if (!outcome.error.empty())
    throw WrongResult("The kernel failed: " +
                      (outcome.findings.empty() ? outcome.error : outcome.findings.back().text) +
                      ".");
}

}  // namespace coursework
