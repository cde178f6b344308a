#include "course/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "course/arithmetic.hpp"
#include "course/counters_json.hpp"
#include "course/error.hpp"

namespace course {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e9;
constexpr double kMillisecondsPerSecond = 1e3;

/// The double that reads like the float: 0.1f becomes 0.1, not 0.10000000149.
double as_written(float value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double result = value;
  if (std::isfinite(value)) std::from_chars(text.data(), written.ptr, result);
  return result;
}

/// Six significant digits: more than any clock has.
double rounded(double value) {
  double result = value;
  const std::string text = fmt::format("{:.6g}", value);
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

std::optional<double> per_second(double amount, const std::optional<TimeSummary>& time) {
  if (!time || amount <= 0.0 || time->median_ms <= 0.0) return std::nullopt;
  return amount / kGiga / (time->median_ms / kMillisecondsPerSecond);
}

bool has_failed(const RunRecord& run) {
  const bool is_excused = run.known_wrong || !run.skipped.empty();
  return !run.verified && !(is_excused && run.failure.empty());
}

// --- JSON ---

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
  json["counters"] = run.counters ? json_of(*run.counters, CountersShown::usual) : Json();
  if (has_failed(run)) {
    json["failure"] = run.failure;
  } else if (run.known_wrong) {
    json["known_wrong"] = true;
  } else if (!run.skipped.empty()) {
    json["skipped"] = run.skipped;
  }
  return json;
}

// --- Columns ---

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

/// What stands in a table's cell before it is made to look like its column: nothing, a number or a
/// word.
using Cell = std::variant<std::monostate, double, std::string>;

Cell cell_of(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

Cell cell_of(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value.get())) return *flag ? "yes" : "no";
  if (const auto* word = std::get_if<std::string>(&value.get())) return *word;
  if (const auto* whole = std::get_if<std::int64_t>(&value.get()))
    return static_cast<double>(*whole);
  return std::get<double>(value.get());
}

/// "copy:gb_per_s" as kernel and name; a name alone has no kernel.
std::pair<std::string_view, std::string_view> split_kernel(std::string_view source) {
  const std::size_t colon = source.find(':');
  if (colon == std::string_view::npos) return {"", source};
  return {source.substr(0, colon), source.substr(colon + 1)};
}

/// What the column "verified" says of a run.
std::string word_for(const RunRecord& run) {
  if (run.verified) return "yes";
  if (run.known_wrong) return "known wrong";
  return run.skipped.empty() ? "no" : "skipped";
}

/// The value of one name in one run.
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

/// The value of a name in `run`, or of "KERNEL:NAME" in the first run of that kernel.
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
         std::ranges::any_of(section.runs, [&](const RunRecord& run) {
           return std::ranges::find(run.parameters, name, &Parameter::name) != run.parameters.end();
         });
}

/// The names in a column's source, in order. What is no expression is one name, which nothing has.
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

/// A name alone may be a word. Arithmetic has a value where each of its names has one, and where
/// nothing is divided by 0.
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

// --- Table ---

/// How the numbers of one column are written: alike, so that they can be compared.
struct NumberStyle {
  int decimals = 0;
  bool is_scientific = false;
};

/// Digits after the point that it takes to write the number exactly as it is.
int decimals_needed(double number) {
  const std::string text = fmt::format("{}", number);
  if (text.find('e') != std::string::npos) return std::numeric_limits<int>::max();
  const std::size_t point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

NumberStyle style_of(const std::vector<Cell>& cells) {
  constexpr int kDecimals = 2;
  constexpr int kMostDecimals = 6;
  constexpr double kTooSmall = 1e-5;
  int needed = 0;
  double least = 0.0;  // of those that are not 0
  for (const Cell& cell : cells) {
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr || !std::isfinite(*number) || *number == 0.0) continue;
    const double size = std::abs(*number);
    least = least == 0.0 ? size : std::min(least, size);
    if (std::floor(size) != size) needed = std::max(needed, decimals_needed(size));
  }
  if (needed == 0) return {};
  if (least < kTooSmall) return {.decimals = 1, .is_scientific = true};
  const int leading_zeros = -static_cast<int>(std::floor(std::log10(least)));
  const int useful = std::clamp(leading_zeros + kDecimals, kDecimals, kMostDecimals);
  return {.decimals = std::min(needed, useful), .is_scientific = false};
}

std::string format_cell(const Cell& cell, const NumberStyle& style) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr) return "-";
  if (style.is_scientific && *number != 0.0) return fmt::format("{:.{}e}", *number, style.decimals);
  return fmt::format("{:.{}f}", *number, style.is_scientific ? 0 : style.decimals);
}

struct TextColumn {
  std::string title;
  std::vector<std::string> cells;
  bool is_left_aligned = false;
  std::size_t width = 0;
};

/// The columns that have a value somewhere.
std::vector<TextColumn> text_columns(const Section& section) {
  std::vector<TextColumn> columns;
  for (const Column& column : section.columns) {
    std::vector<Cell> cells;
    for (const RunRecord& run : section.runs) cells.push_back(cell_at(section, run, column.source));
    const auto is_empty = [](const Cell& cell) {
      return std::holds_alternative<std::monostate>(cell);
    };
    if (std::ranges::all_of(cells, is_empty)) continue;

    const NumberStyle style = style_of(cells);
    TextColumn text{
        .title = column.title, .cells = {}, .is_left_aligned = false, .width = column.title.size()};
    for (const Cell& cell : cells) {
      text.cells.push_back(format_cell(cell, style));
      text.width = std::max(text.width, text.cells.back().size());
      text.is_left_aligned = text.is_left_aligned || std::holds_alternative<std::string>(cell);
    }
    columns.push_back(std::move(text));
  }
  return columns;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

std::string row_of(const std::vector<TextColumn>& columns, auto text_of) {
  std::string line;
  for (const TextColumn& column : columns) {
    line += "  ";
    line += column.is_left_aligned ? fmt::format("{:<{}}", text_of(column), column.width)
                                   : fmt::format("{:>{}}", text_of(column), column.width);
  }
  return line;
}

void append_table(std::string& out, const Section& section) {
  const std::vector<TextColumn> columns = text_columns(section);
  if (columns.empty()) return;
  append_line(out, row_of(columns, [](const TextColumn& column) { return column.title; }));
  append_line(out, row_of(columns,
                          [](const TextColumn& column) { return std::string(column.width, '-'); }));
  for (std::size_t i = 0; i < section.runs.size(); ++i) {
    std::string line = row_of(columns, [i](const TextColumn& column) { return column.cells[i]; });
    if (has_failed(section.runs[i])) line += "  WRONG";
    append_line(out, std::move(line));
  }
}

std::string describe_failure(const RunRecord& run) {
  std::string parameters;
  for (const Parameter& parameter : run.parameters) {
    const Cell cell = cell_of(parameter.value);
    if (!parameters.empty()) parameters += ", ";
    parameters += parameter.name + " " + format_cell(cell, style_of({cell}));
  }
  return fmt::format("WRONG: {}{}: {}", run.kernel,
                     parameters.empty() ? "" : " (" + parameters + ")", run.failure);
}

[[noreturn]] void refuse_to_write(const std::string& shown, int error) {
  throw UsageError(fmt::format("cannot write to {}: {}", shown, std::strerror(error)));
}

}  // namespace

ParameterValue::ParameterValue(float value) : value_(as_written(value)) {}

std::optional<double> RunRecord::gb_per_s() const { return per_second(work.bytes(), time); }

std::optional<double> RunRecord::gflop_per_s() const { return per_second(work.flops, time); }

std::optional<double> RunRecord::flops_per_byte() const {
  const bool is_known = time && work.level == MemoryLevel::dram;
  if (!is_known || work.flops <= 0.0 || work.bytes() <= 0.0) return std::nullopt;
  return work.flops / work.bytes();
}

bool Report::all_verified() const {
  return std::ranges::all_of(sections, [](const Section& section) {
    return std::ranges::none_of(section.runs, has_failed);
  });
}

std::string to_json(const Report& report) {
  Json runs = Json::array();
  for (const Section& section : report.sections) {
    for (const RunRecord& run : section.runs) runs.push_back(json_of(run));
  }
  const Json json = {
      {"schema", kReportSchema},
      {"chapter", report.chapter},
      {"backend", report.backend},
      {"device",
       {{"name", report.device.name}, {"multiprocessors", report.device.multiprocessors}}},
      {"runs", std::move(runs)}};
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + '\n';
}

std::string to_table(const Report& report) {
  std::string out = fmt::format("{}: {}\n", report.chapter, report.question);
  out += fmt::format("{}: {}, {} multiprocessors\n", report.backend, report.device.name,
                     report.device.multiprocessors);
  std::size_t runs = 0, known_wrong = 0, skipped = 0;
  std::string failures;
  for (const Section& section : report.sections) {
    if (section.runs.empty()) continue;
    runs += section.runs.size();
    out += '\n';
    if (!section.title.empty()) append_line(out, section.title);
    append_table(out, section);
    for (const std::string& note : section.notes) append_line(out, note);
    for (const RunRecord& run : section.runs) {
      if (has_failed(run)) failures += describe_failure(run) + '\n';
      known_wrong += run.known_wrong;
      if (run.skipped.empty()) continue;
      ++skipped;
      append_line(out, fmt::format("skipped: {}: {}", run.kernel, run.skipped));
    }
  }
  out += '\n';
  if (!failures.empty()) return out + failures;
  out += fmt::format("{} {}", runs, runs == 1 ? "run" : "runs");
  if (known_wrong + skipped == 0) return out + ", all verified\n";
  out += fmt::format(": {} verified", runs - known_wrong - skipped);
  if (known_wrong > 0) out += fmt::format(", {} known to be wrong", known_wrong);
  if (skipped > 0) out += fmt::format(", {} skipped", skipped);
  return out + '\n';
}

std::vector<std::string> unknown_sources(const Report& report) {
  std::vector<std::string> unknown;
  for (const Section& section : report.sections) {
    if (section.runs.empty()) continue;
    for (const Column& column : section.columns) {
      for (const std::string& name : names_in(column.source))
        if (!is_known(section, name)) unknown.push_back(name);
    }
  }
  return unknown;
}

void write_text(const std::string& path, std::string_view text) {
  const bool to_stdout = path == "-";
  const std::string shown = to_stdout ? "standard output" : path;
  std::FILE* file = to_stdout ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) refuse_to_write(shown, errno);
  errno = 0;
  bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  is_written = std::fflush(file) == 0 && is_written;
  const int error = errno;
  if (!to_stdout) is_written = std::fclose(file) == 0 && is_written;
  if (!is_written) refuse_to_write(shown, error != 0 ? error : errno);
}

void check_writable(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) refuse_to_write(path, errno);
  std::fclose(file);
}

}  // namespace course
