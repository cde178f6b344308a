#include "tools/plot/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tools/prose/number.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace plot {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Returns the kernel of a run in a sweep.
std::string kernel_name(const std::string& kernel, const json& parameters, const json& sweeps) {
  const std::string prefix = sweeps.at("prefix");
  if (kernel.starts_with(prefix)) return kernel.substr(prefix.size());
  return parameters.value(sweeps.at("parameter").get<std::string>(), kernel);
}

/// Returns whether a run is usable: it was timed and is not a deliberate mistake.
bool is_of_use(const json& run, const json& leave_out) {
  const json& parameters = run.at("parameters");
  return run.at("time_ms").is_object() && !run.contains("known_wrong") &&
         !parameters.contains("wrong") && parameters.value("gate", "") != "refuses" &&
         std::ranges::find(leave_out, run.at("kernel")) == leave_out.end();
}

/// Returns the day of the measurements, or the first and the last day.
std::string days_of(const json& all) {
  std::set<std::string> days;
  const json again = all.value("measured_again", json::object());
  for (const auto& [chapter, runs] : all.at("chapters").items())
    days.insert(again.value(chapter, all.at("date").get<std::string>()));
  if (days.size() < 2) return days.empty() ? all.at("date").get<std::string>() : *days.begin();
  return *days.begin() + " to " + *days.rbegin();
}

Ceiling ceiling_of(const std::vector<MeasuredRun>& runs, double clock_mhz, const json& named) {
  const auto measured =
      std::ranges::find(runs, named.at("kernel").get<std::string>(), &MeasuredRun::name);
  if (measured != runs.end()) return {measured->gflop_per_s, named.at("label")};
  constexpr double kMultiprocessors = 132.0, kLanes = 128.0, kFlopsPerFma = 2.0;
  return {clock_mhz * kMultiprocessors * kLanes * kFlopsPerFma / 1e3,
          fmt::format("an FFMA per lane and clock at {} MHz", prose::show_number(clock_mhz, 0))};
}

}  // namespace

bool MeasuredRun::is_square() const {
  return parameter("m") > 0.0 && parameter("m") == parameter("n") &&
         parameter("m") == parameter("k");
}

std::vector<MeasuredRun> Measured::of(const std::string& chapter, const std::string& kernel) const {
  std::vector<MeasuredRun> found;
  for (const MeasuredRun& run : runs)
    if (run.chapter == chapter && run.kernel == kernel) found.push_back(run);
  return found;
}

Measured read_measured(const fs::path& file, const json& plots) {
  const json all = tools::parse_json(tools::read_file(file));
  Measured measured;
  measured.machine = fmt::format("{}, CUDA {}, {}", all.at("device").get<std::string>(),
                                 all.at("toolkit").get<std::string>(), days_of(all));
  measured.counted = all.at("chapters");
  for (const auto& [chapter, runs] : measured.counted.items()) {
    for (const json& run : runs) {
      if (!is_of_use(run, plots.at("leave_out"))) continue;
      const auto number = [&](const char* name) {
        return run.contains(name) && run.at(name).is_number() ? run.at(name).get<double>() : 0.0;
      };
      const std::string kernel = run.at("kernel");
      const json& parameters = run.at("parameters");
      measured.runs.push_back({chapter, kernel, kernel_name(kernel, parameters, plots.at("sweeps")),
                               parameters, run.at("time_ms").at("median"), number("gb_per_s"),
                               number("gflop_per_s"), number("flops_per_byte")});
    }
  }
  const json& copy = plots.at("copy");
  const auto copies = measured.of(copy.at("chapter"), copy.at("kernel"));
  if (!copies.empty()) measured.copy_gb_per_s = copies.front().gb_per_s;
  const double clock_mhz = std::stod(all.at("clock_sm_max_mhz").get<std::string>());
  measured.ceiling = ceiling_of(measured.runs, clock_mhz, plots.at("ceiling"));
  return measured;
}

}  // namespace plot
