#include "course/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "course/backend.hpp"

namespace course {

/// A buffer that the run owns, and what it holds before each launch.
struct KeptBuffer {
  std::shared_ptr<void> owner;
  DeviceBytes* bytes = nullptr;
  std::string name;
  bool is_output = false;
  std::vector<std::byte> initial;  ///< put back before each launch; empty unless it is an in_out
};

struct Run::State {
  RunRecord record;
  Timing timing;
  std::uint64_t seed = 0;
  DeviceLimits limits;
  std::vector<KeptBuffer> buffers;
  std::vector<std::string> failures;
  std::optional<std::string> impossible;  ///< told only of results that look right
  bool is_launched = false;
  bool is_checked = false;
};

Run::Run(std::string kernel, const Timing& timing, std::uint64_t seed, const DeviceLimits& limits)
    : state_(std::make_unique<State>()) {
  state_->record.kernel = std::move(kernel);
  state_->timing = timing;
  state_->seed = seed;
  state_->limits = limits;
}

Run::~Run() = default;

std::uint64_t Run::seed() const noexcept { return state_->seed; }

void Run::parameter(std::string_view name, ParameterValue value) {
  std::vector<Parameter>& all = state_->record.parameters;
  const auto found = std::ranges::find(all, name, &Parameter::name);
  if (found != all.end()) {
    found->value = std::move(value);
  } else {
    all.push_back({.name = std::string(name), .value = std::move(value)});
  }
}

void Run::parameters(std::initializer_list<Parameter> values) {
  for (const Parameter& each : values) parameter(each.name, each.value);
}

void Run::keep_bytes(std::shared_ptr<void> owner, DeviceBytes& bytes, const std::string& name,
                     Role role, std::vector<std::byte> initial) {
  state_->buffers.push_back({.owner = std::move(owner),
                             .bytes = &bytes,
                             .name = name,
                             .is_output = role == Role::output,
                             .initial = std::move(initial)});
}

void Run::prepare_launch() {
  for (KeptBuffer& buffer : state_->buffers) {
    if (buffer.is_output) buffer.bytes->poison();
    if (!buffer.initial.empty()) buffer.bytes->upload(buffer.initial.data(), buffer.initial.size());
  }
}

void Run::check_guards() {
  for (const KeptBuffer& buffer : state_->buffers) {
    if (const auto damage = buffer.bytes->guard_damage()) {
      fail(fmt::format("the kernel {}", damage->describe(buffer.name)));
    }
  }
}

void Run::start_launching(const Work& work) {
  if (state_->is_launched) throw std::logic_error("one run is one launch");
  state_->is_launched = true;
  state_->record.work = work;
}

void Run::launch(const Work& work, const std::function<void()>& launch, LaunchOptions options,
                 std::source_location where) {
  start_launching(work);
  Timing& timing = state_->timing;
  timing.flush_l2 = options.flush_l2;

  RunRecord& record = state_->record;
  reset_counters();
  record.time = measure(
      timing, launch, [this] { prepare_launch(); }, where);
  record.counters = counters_since_reset();
  check_guards();

  state_->impossible = impossible(work);
}

void Run::launch_in_turn(const Work& work, const StreamLaunch& launch, const Rival& rival,
                         std::source_location where) {
  start_launching(work);
  state_->timing.flush_l2 = false;
  RunRecord& record = state_->record;
  if (backend().reports_time) {
    prepare_launch();
    std::vector<StreamLaunch> launches = {launch};
    if (rival.launch) launches.push_back(rival.launch);
    const std::vector<TimeSummary> times = *measure_in_turn(state_->timing, launches, where);
    record.time = times.front();
    if (rival.launch) parameter(rival.parameter, times.back().median_ms);
  }
  prepare_launch();
  record.counters = count([&] { launch(nullptr); }, where);
  check_guards();

  state_->impossible = impossible(work);
}

std::optional<double> Run::gflop_per_s() const { return state_->record.gflop_per_s(); }

void Run::skip(std::string_view why) { state_->record.skipped = why; }

std::optional<std::string> Run::impossible(const Work& work) const {
  const RunRecord& record = state_->record;
  if (record.counters) return counted_violation(work, *record.counters);
  if (!record.time || !(record.time->min_ms > 0.0)) return std::nullopt;
  constexpr double kMillisecondsPerSecond = 1e3;
  const double seconds = record.time->min_ms / kMillisecondsPerSecond;
  return physical_violation(work, seconds, state_->timing.flush_l2, state_->limits);
}

void Run::verify_sgemm(const DeviceBuffer<float>& c, const SgemmProblem& problem) {
  std::vector<float> values(c.size());
  c.bytes().download(values.data());
  verify(c.name(), check_sgemm(problem, values));
}

void Run::verify(std::string_view what, const Comparison& comparison) {
  RunRecord& record = state_->record;
  if (!state_->is_launched) throw std::logic_error("there is nothing to verify before the launch");
  if (!state_->is_checked) {
    record.max_error = comparison.max_error;
  } else if (!(comparison.max_error <= *record.max_error) && !std::isnan(*record.max_error)) {
    record.max_error = comparison.max_error;  // greater, or NaN, which then stays
  }
  state_->is_checked = true;
  if (!comparison.ok()) fail(fmt::format("{}{}", what, comparison.failure));
}

void Run::known_wrong(const Comparison& comparison) {
  if (!state_->is_launched) throw std::logic_error("there is nothing to look at before the launch");
  state_->is_checked = true;
  state_->record.known_wrong = true;
  parameter("wrong_elements", comparison.mismatches);
}

void Run::fail(std::string_view why) { state_->failures.emplace_back(why); }

const std::optional<Counters>& Run::counters() const noexcept { return state_->record.counters; }

RunRecord Run::finish() {
  if (!state_->record.skipped.empty()) return state_->record;
  if (!state_->is_launched && state_->failures.empty()) fail("nothing was launched");
  if (!state_->is_checked && state_->failures.empty()) fail("no result was checked");
  if (state_->impossible && state_->failures.empty()) fail(*state_->impossible);

  RunRecord& record = state_->record;
  record.verified = state_->failures.empty() && !record.known_wrong;
  record.failure = fmt::format("{}", fmt::join(state_->failures, "; "));
  if (record.max_error && !std::isfinite(*record.max_error)) record.max_error = std::nullopt;
  if (!record.verified) record.time = std::nullopt;  // a wrong result has no speed
  return record;
}

}  // namespace course
