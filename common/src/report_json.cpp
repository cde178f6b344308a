#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "course/counters_json.hpp"
#include "course/report_printer.hpp"

namespace course {
namespace {

using Json = nlohmann::ordered_json;

/// Rounds to six significant digits, more than any clock has.
double rounded(double value) {
  double result = value;
  const std::string text = fmt::format("{:.6g}", value);
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json rounded_or_null(const std::optional<double>& value) {
  return value ? number_or_null(rounded(*value)) : Json(nullptr);
}

Json json_of(const ParameterValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, double>) {
          if (!std::isfinite(held)) return fmt::format("{}", held);  // JSON has no such number
        }
        return held;
      },
      value.get());
}

Json json_of(const std::optional<TimeSummary>& time) {
  if (!time) return nullptr;
  return {{"median", rounded(time->median_ms)},
          {"min", rounded(time->min_ms)},
          {"max", rounded(time->max_ms)},
          {"runs", time->runs}};
}

Json json_of(const RunRecord& run) {
  Json parameters = Json::object();
  for (const Parameter& parameter : run.parameters)
    parameters[parameter.name] = json_of(parameter.value);
  Json json = {{"kernel", run.kernel},
               {"parameters", std::move(parameters)},
               {"verified", run.verified},
               {"max_error", number_or_null(run.max_error)},
               {"time_ms", json_of(run.time)},
               {"gb_per_s", rounded_or_null(run.gb_per_s())},
               {"gflop_per_s", rounded_or_null(run.gflop_per_s())}};
  if (const auto intensity = run.flops_per_byte()) json["flops_per_byte"] = *intensity;
  json["counters"] = run.counters ? json_of(*run.counters, CountersShown::report) : Json();
  if (run.has_failed()) {
    json["failure"] = run.failure;
  } else if (run.known_wrong) {
    json["known_wrong"] = true;
  } else if (!run.skipped.empty()) {
    json["skipped"] = run.skipped;
  }
  return json;
}

/// Prints JSON according to docs/report.schema.json.
class JsonPrinter : public ReportPrinter {
  void begin(const Report& report) override {
    json_ = {{"schema", kReportSchema},
             {"chapter", report.chapter},
             {"backend", report.backend},
             {"device",
              {{"name", report.device.name}, {"multiprocessors", report.device.multiprocessors}}},
             {"runs", Json::array()}};
  }

  void section(const Section& section) override {
    for (const RunRecord& run : section.runs) json_["runs"].push_back(json_of(run));
  }

  std::string end() override {
    constexpr int kIndent = 2;
    return json_.dump(kIndent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + '\n';
  }

  Json json_;
};

}  // namespace

std::unique_ptr<ReportPrinter> make_json_printer() { return std::make_unique<JsonPrinter>(); }

}  // namespace course
