#include "tools/coursework/judging/trial.hpp"

#include <stdexcept>

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

int Trial::place(const std::vector<std::byte>& bytes) {
  const int memory = device_.allocate(bytes.size());
  if (!bytes.empty()) device_.write(memory, bytes);
  return memory;
}

void Trial::launch_with(const std::string& kernel, const Shape& shape,
                        const std::vector<Argument>& arguments) {
  const LaunchOutcome outcome = device_.launch(kernel,
                                               {{shape.grid.x, shape.grid.y, shape.grid.z},
                                                {shape.block.x, shape.block.y, shape.block.z},
                                                shape.shared_bytes,
                                                orders_},
                                               arguments);
  findings_.insert(findings_.end(), outcome.findings.begin(), outcome.findings.end());
  if (outcome.counters) {
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
