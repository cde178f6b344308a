#include "engine/check/attempt.hpp"

#include <mutex>
#include <set>
#include <string>

#include "emulator/memory.h"
#include "engine/check/checked_memory.hpp"
#include "engine/check/checker.hpp"
#include "engine/check/print_watch.hpp"
#include "engine/run/extents.hpp"

namespace emu {

namespace {

/// The checker of one worker, kept from one attempt to the next.
struct Part {
  CheckedMemory memory{&CheckedMemory::instance()};
  Checker checker{memory};
  std::uint32_t first = 1;  // first segment of this attempt
};

/// State that is kept from one attempt to the next. Only one launch at a time uses it.
struct Experience {
  std::mutex mutex;
  std::vector<std::unique_ptr<Part>> parts;
  Undo undo;
  // Kernels that depend on the order of their blocks, by encoding.
  std::set<std::string> dependent_kernels;
};

Experience& experience() {
  static Experience& experience = *new Experience;  // never destroyed: helpers may outlive main
  return experience;
}

/// Returns the number of units: blocks, or clusters. In turn, they would begin in the order of
/// their numbers.
std::uint64_t units_of(const Launch& launch) {
  return volume(launch.grid) / volume(launch.cluster);
}

}  // namespace

bool Attempt::may_succeed(const Launch& launch, unsigned workers) {
  constexpr std::uint64_t kMostUnits = 1'000'000'000;  // each unit becomes one segment afterwards
  const std::uint64_t units = units_of(launch);
  return workers > 1 && units > 1 && units < kMostUnits && !launch.cooperative && !launch.trace &&
         !experience().dependent_kernels.contains(launch.encoding);
}

Attempt::Attempt(const Launch& launch, std::atomic<bool>& stop)
    : undo(experience().undo),
      launch_(launch),
      stop_(stop),
      prints_(std::make_unique<PrintWatch>([this] { give_up(); })),
      heap_(std::make_unique<KernelsHeapWatch>([this] { give_up(); })) {}

Attempt::~Attempt() = default;

Checker& Attempt::take_checker() {
  const std::lock_guard lock(experience().mutex);
  auto& parts = experience().parts;
  const unsigned index = taken_++;
  if (parts.size() <= index) parts.resize(index + 1);
  if (!parts[index] || parts[index]->checker.has_many_segments())
    parts[index] = std::make_unique<Part>();
  Part& part = *parts[index];
  part.first = part.checker.segment() + 1;
  part.checker.prepare(part.checker.segment(), this);
  return part.checker;
}

void Attempt::give_up() noexcept { stop_ = true; }

bool Attempt::order_matters() const {
  const auto& parts = experience().parts;
  bool any_found = false;
  for (unsigned i = 0; i < taken_; ++i) any_found |= !parts[i]->checker.findings().is_empty();
  if (any_found && any_strong_) return true;
  for (unsigned i = 0; i < taken_; ++i)
    for (unsigned j = 0; j < i; ++j)
      if (CheckedMemory::depend_on_one_another(parts[i]->memory, parts[j]->memory)) return true;
  return false;
}

bool Attempt::finish() {
  const auto& parts = experience().parts;
  prints_.reset();
  const bool counts = !stop_ && !order_matters();
  if (!counts) {
    experience().dependent_kernels.insert(launch_.encoding);
    undo.restore();
    heap_.reset();
    for (unsigned i = 0; i < taken_; ++i) {
      parts[i]->memory.clear();
      parts[i]->checker.findings().clear();
    }
    return false;
  }
  Checker& all = Checker::instance();
  const std::uint32_t first = all.segment() + 1;
  std::vector<FindingsDraft*> findings;
  for (unsigned i = 0; i < taken_; ++i) {
    Part& part = *parts[i];
    findings.push_back(&part.checker.findings());
    CheckedMemory::instance().take_over(part.memory, first, [&](std::uint32_t segment) {
      return segment < part.first
                 ? 0
                 : first + 1 + static_cast<std::uint32_t>(part.checker.unit_of(segment));
    });
    part.memory.clear();
  }
  FindingsDraft::publish(findings);
  undo.forget();
  all.host.begin_launch(launch_, first);
  all.prepare(first + 1 + static_cast<std::uint32_t>(units_of(launch_)), nullptr);
  return true;
}

}  // namespace emu
