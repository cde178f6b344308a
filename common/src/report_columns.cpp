#include "report_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "course/arithmetic.hpp"

namespace course {
namespace {

/// A figure that every run can have, besides its parameters and counters.
struct Figure {
  std::string_view name;
  std::optional<double> (*value)(const RunRecord&);
};

template <auto Member>
std::optional<double> time_of(const RunRecord& run) {
  if (!run.time) return std::nullopt;
  return (*run.time).*Member;
}

template <auto Kind>
std::optional<double> line_efficiency_of(const RunRecord& run) {
  if (!run.counters) return std::nullopt;
  return ((*run.counters).*Kind).line_efficiency_pct();
}

constexpr Figure kFigures[] = {
    {"max_error", [](const RunRecord& run) { return run.max_error; }},
    {"time_ms", time_of<&TimeSummary::median_ms>},
    {"time_min_ms", time_of<&TimeSummary::min_ms>},
    {"time_max_ms", time_of<&TimeSummary::max_ms>},
    {"gb_per_s", [](const RunRecord& run) { return run.gb_per_s(); }},
    {"gflop_per_s", [](const RunRecord& run) { return run.gflop_per_s(); }},
    {"global_load_line_efficiency_pct", line_efficiency_of<&Counters::global_load>},
    {"global_store_line_efficiency_pct", line_efficiency_of<&Counters::global_store>},
};

constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kVerified = "verified";

Cell cell_of(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

}  // namespace

Cell cell_of(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value.get())) return *flag ? "yes" : "no";
  if (const auto* word = std::get_if<std::string>(&value.get())) return *word;
  if (const auto* whole = std::get_if<std::int64_t>(&value.get()))
    return static_cast<double>(*whole);
  return std::get<double>(value.get());
}

namespace {

/// Splits "copy:gb_per_s" into kernel and name; a name alone has no kernel.
std::pair<std::string_view, std::string_view> split_kernel(std::string_view source) {
  const std::size_t colon = source.find(':');
  if (colon == std::string_view::npos) return {"", source};
  return {source.substr(0, colon), source.substr(colon + 1)};
}

/// Returns the text of the column "verified" for a run.
std::string word_for(const RunRecord& run) {
  if (run.verified) return "yes";
  if (run.known_wrong) return "known wrong";
  return run.skipped.empty() ? "no" : "skipped";
}

/// Returns the value of one name in one run.
Cell look_up(const RunRecord& run, std::string_view name) {
  const auto parameter = std::ranges::find(run.parameters, name, &Parameter::name);
  if (parameter != run.parameters.end()) return cell_of(parameter->value);
  if (name == kKernel) return run.kernel;
  if (name == kVerified) return word_for(run);
  const auto* figure = std::ranges::find(kFigures, name, &Figure::name);
  if (figure != std::end(kFigures)) return cell_of(figure->value(run));
  if (run.counters && is_counter(name)) return cell_of(counter(*run.counters, name));
  return {};
}

/// Returns the value of a name in `run`, or of "KERNEL:NAME" in the first run of that kernel.
Cell look_up(const Section& section, const RunRecord& run, std::string_view source) {
  const auto [kernel, name] = split_kernel(source);
  if (kernel.empty()) return look_up(run, name);
  const auto other = std::ranges::find(section.runs, kernel, &RunRecord::kernel);
  return other == section.runs.end() ? Cell() : look_up(*other, name);
}

bool is_known(const Section& section, std::string_view source) {
  const auto [kernel, name] = split_kernel(source);
  if (!kernel.empty() &&
      std::ranges::find(section.runs, kernel, &RunRecord::kernel) == section.runs.end())
    return false;
  return name == kKernel || name == kVerified || is_counter(name) ||
         std::ranges::find(kFigures, name, &Figure::name) != std::end(kFigures) ||
         std::ranges::any_of(section.runs, [&name = name](const RunRecord& run) {
           return std::ranges::find(run.parameters, name, &Parameter::name) != run.parameters.end();
         });
}

/// Returns the names in a column's source, in order. A source that is no expression is returned as
/// one name, which matches nothing.
std::vector<std::string> names_in(const std::string& source) {
  std::vector<std::string> names;
  const auto remember = [&](const std::string& name) {
    names.push_back(name);
    return 1.0;
  };
  try {
    evaluate(source, remember, Names::end_at_operators);
  } catch (const std::runtime_error&) {
    return {source};
  }
  return names;
}

}  // namespace

Cell cell_at(const Section& section, const RunRecord& run, const std::string& source) {
  if (names_in(source) == std::vector{source}) return look_up(section, run, source);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const auto value_of = [&](const std::string& name) {
    const Cell cell = look_up(section, run, name);
    const auto* number = std::get_if<double>(&cell);
    return number == nullptr ? kNothing : *number;
  };
  const double value = evaluate(source, value_of, Names::end_at_operators);
  return std::isfinite(value) ? Cell(value) : Cell();
}

std::vector<std::string> unknown_sources(const Report& report) {
  std::vector<std::string> unknown;
  for (const Section& section : report.sections) {
    // A run that was skipped has no columns, and a section may have no other.
    if (std::ranges::none_of(section.runs,
                             [](const RunRecord& run) { return run.skipped.empty(); }))
      continue;
    for (const Column& column : section.columns) {
      for (const std::string& name : names_in(column.source))
        if (!is_known(section, name)) unknown.push_back(name);
    }
  }
  return unknown;
}

}  // namespace course
