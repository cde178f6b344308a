/// @file
/// The emulator as a back end of the course: it counts, and its times mean nothing.

#include "course/backend.hpp"
#include "emulator/check.h"
#include "emulator/counters.h"

namespace course {
namespace {

/// What had been counted when counting last started anew.
emu::Counters baseline;

GlobalCounters difference(const emu::MemoryCounters& now, const emu::MemoryCounters& then) {
  return {.requests = now.requests - then.requests,
          .sectors = now.sectors - then.sectors,
          .lines = now.lines - then.lines,
          .bytes = now.bytes - then.bytes};
}

SharedCounters difference(const emu::SharedCounters& now, const emu::SharedCounters& then) {
  return {.requests = now.requests - then.requests,
          .wavefronts = now.wavefronts - then.wavefronts,
          .wavefronts_ideal = now.wavefronts_ideal - then.wavefronts_ideal};
}

/// Checks for as long as it lives.
class Checking {
 public:
  explicit Checking(emu::Checks checks) : before_(emu::checking()) { emu::set_checking(checks); }
  ~Checking() { emu::set_checking(before_); }
  Checking(const Checking&) = delete;
  Checking& operator=(const Checking&) = delete;

 private:
  emu::Checks before_;
};

}  // namespace

const Backend& backend() noexcept {
  static constexpr Backend kEmulator{.name = "emulator",
                                     .reports_time = false,
                                     .reports_counters = true,
                                     .device_memory_is_host_memory = true};
  return kEmulator;
}

void start_checking(bool hazards, int schedules) {
  if (hazards) emu::set_checking(emu::kAllChecks);
  emu::set_schedules(static_cast<unsigned>(schedules));
  emu::set_check_report(true);
}

std::optional<std::vector<std::string>> hazards_in(const std::function<void()>& work) {
  const Checking all(emu::kAllChecks);
  work();
  std::vector<std::string> lines;
  for (const emu::Finding& finding : emu::take_findings()) {
    std::string line = finding.tool + ": " + finding.title + " (" + finding.first.line;
    if (!finding.second.line.empty() && finding.second.line != finding.first.line)
      line += " and " + finding.second.line;
    lines.push_back(line + ")");
  }
  return lines;
}

std::function<void()> as_one_piece(const StreamLaunch& launch, int times, cudaStream_t stream) {
  return [=] {
    for (int i = 0; i < times; ++i) launch(stream);
  };
}

void without_checking(const std::function<void()>& work) {
  const Checking none({});
  work();
}

void reset_counters() { baseline = emu::total_counters(); }

std::optional<Counters> counters_since_reset() {
  if (!emu::counting()) return std::nullopt;
  const emu::Counters now = emu::total_counters();
  return Counters{.global_load = difference(now.global_load, baseline.global_load),
                  .global_store = difference(now.global_store, baseline.global_store),
                  .global_atomic = difference(now.global_atomic, baseline.global_atomic),
                  .shared_load = difference(now.shared_load, baseline.shared_load),
                  .shared_store = difference(now.shared_store, baseline.shared_store),
                  .shared_atomic = difference(now.shared_atomic, baseline.shared_atomic),
                  .bulk = {.copies = now.bulk.copies - baseline.bulk.copies,
                           .bytes = now.bulk.bytes - baseline.bulk.bytes},
                  .warp_instructions = now.warp_instructions - baseline.warp_instructions,
                  .lane_instructions = now.lane_instructions - baseline.lane_instructions};
}

}  // namespace course
