#pragma once

/// @file
/// The report of a chapter; course/report_printer.hpp prints it.

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/limits.hpp"
#include "course/timing.hpp"

namespace course {

/// A whole number, a real number, a flag or a word.
class ParameterValue {
 public:
  using Storage = std::variant<std::int64_t, double, bool, std::string>;

  template <std::integral T>
  requires(!std::same_as<T, bool>) ParameterValue(T value)
      : value_(static_cast<std::int64_t>(value)) {}
  ParameterValue(double value) : value_(value) {}
  /// A float is shown as it was written: 0.1f is 0.1.
  ParameterValue(float value);
  template <std::same_as<bool> T>
  ParameterValue(T value) : value_(value) {}
  ParameterValue(std::string value) : value_(std::move(value)) {}
  ParameterValue(const char* value) : value_(std::string(value)) {}

  // Not inline: g++ 15 takes an inlined copy for a use of what was never written.
  ParameterValue(const ParameterValue& other);
  ParameterValue(ParameterValue&&) noexcept = default;
  ParameterValue& operator=(const ParameterValue&) = default;
  ParameterValue& operator=(ParameterValue&&) noexcept = default;
  ~ParameterValue() = default;

  const Storage& get() const noexcept { return value_; }

  bool operator==(const ParameterValue&) const = default;

 private:
  Storage value_;
};

/// One named input of a run, for example {"stride", 2}.
struct Parameter {
  std::string name;
  ParameterValue value;
};

/// A row: a kernel, its parameters, whether its result was right, and its cost.
struct RunRecord {
  std::string kernel;
  std::vector<Parameter> parameters;  ///< in the order in which they are shown
  bool verified = false;
  /// Shown as an example of a fault: not verified, and not a failure either.
  bool known_wrong = false;
  std::string skipped = {};  ///< the reason why this device cannot run the kernel; empty if it can
  std::optional<double> max_error;  ///< nothing if the error is not a number
  std::string failure;  ///< the reason of the failure; empty if verified or known to be wrong
  Work work;
  std::optional<TimeSummary>
      time;  ///< nothing where the back end reports none, or the result is wrong
  std::optional<Counters> counters;  ///< nothing where the back end does not count

  bool has_failed() const;  ///< Returns whether the run is neither right nor excused.
  /// Returns 10^9 bytes of work per second at the median time.
  std::optional<double> gb_per_s() const;
  /// Returns 10^9 operations per second at the median time.
  std::optional<double> gflop_per_s() const;

  /// Returns operations per byte of DRAM, which places a timed run in a roofline plot.
  std::optional<double> flops_per_byte() const;
};

/// A column of a table: a title and where its cells come from.
///
/// A source is a parameter's name, a counter's JSON name, one of "kernel", "verified", "max_error",
/// "time_ms" (the median), "time_min_ms", "time_max_ms", "gb_per_s", "gflop_per_s",
/// "global_load_line_efficiency_pct", "global_store_line_efficiency_pct", or arithmetic with such
/// names (course/arithmetic.hpp): "global_load_sectors / global_load_requests", "global_load_lines
/// + global_store_lines". "KERNEL:NAME" is the value in the section's first run of that kernel, to
/// compare with: "gb_per_s / copy:gb_per_s". A cell without a value shows "-"; a column without any
/// value is left out, so that one list serves machines that time and machines that count.
struct Column {
  std::string title;
  std::string source;

  /// A column whose title is its source, for example "stride".
  Column(const char* title_and_source) : title(title_and_source), source(title_and_source) {}
  Column(std::string column_title, std::string column_source)
      : title(std::move(column_title)), source(std::move(column_source)) {}
};

/// A table with a title above it and notes below it.
struct Section {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::string> notes;
  std::vector<RunRecord> runs;
};

/// The results of one execution of a chapter.
struct Report {
  std::string chapter;
  std::string question;
  std::string backend;
  Device device;
  std::vector<Section> sections;

  /// Returns whether all runs were verified, except those that are known to be wrong or were
  /// skipped.
  bool all_verified() const;
};

/// The version of the JSON format, "schema" in it.
inline constexpr int kReportSchema = 1;

/// Returns the names in columns that match nothing in any run of their section: spelling mistakes.
std::vector<std::string> unknown_sources(const Report& report);

/// Writes `text` to the file `path`, or to standard output for "-".
/// @throws UsageError, in one line, if it cannot be written to the end (no such folder, full disk)
void write_text(const std::string& path, std::string_view text);

/// Checks, before long work, whether write_text() could write to `path`. The file's contents stay.
/// @throws UsageError if it cannot be opened for writing
void check_writable(const std::string& path);

}  // namespace course
