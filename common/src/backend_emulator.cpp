/// @file
/// The emulator as a back end of the course: it counts, and its times mean nothing.

#include "course/backend.hpp"
#include "emulator/check.h"
#include "emulator/counters.h"

namespace course {
namespace {

/// The counters when counting last started from zero.
Counters baseline;
/// Whether launches were counted before, and must be again afterwards.
bool counting_outside = false;

/// Sets the checks while an object lives.
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

void reset_counters() {
  baseline = emu::total_counters();
  counting_outside = emu::counting();
  emu::set_counting(emu::may_count());
}

std::optional<Counters> counters_since_reset() {
  if (!emu::counting()) return std::nullopt;
  emu::set_counting(counting_outside);
  Counters counted = emu::total_counters();
  return counted -= baseline;
}

}  // namespace course
