#pragma once

/// @file
/// Reads the runs in docs/measurements.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace prose {

/// Names measured runs: those whose parameters equal all parameters given here.
struct RunName {
  std::string source;   ///< file in docs/measurements, without .json: "emulator", "h200"
  std::string chapter;  ///< for example "02_coalescing"
  std::string kernel;
  std::map<std::string, std::string> parameters;
};

/// The contents of docs/measurements.
class Measurements {
 public:
  /// Reads every .json file in `folder`.
  ///
  /// @throws std::runtime_error if the folder does not exist, and nlohmann::json's own exceptions
  explicit Measurements(const std::filesystem::path& folder);

  /// Returns a field of a run: a counter, a parameter, "time_ms" (the median), "time_min_ms",
  /// "time_max_ms", "gb_per_s" or "gflop_per_s".
  ///
  /// @throws std::runtime_error unless at least one run matches and all matching runs agree
  double value(const RunName& run, std::string_view field) const;

  /// Returns whether any matching run has this field.
  bool has(const RunName& run, std::string_view field) const;

  /// Returns the file of a source: how, where and when it was measured, and its runs.
  /// @throws std::runtime_error if there is none
  const nlohmann::json& source(const std::string& name) const;
  bool has_source(const std::string& name) const { return sources_.contains(name); }

 private:
  const nlohmann::json& runs_of(const RunName& run) const;

  std::map<std::string, nlohmann::json> sources_;
};

/// Parses "copy_strided(stride=2,elements=8)" into kernel and parameters.
///
/// @throws std::runtime_error for any other form
void read_kernel(std::string_view text, RunName* run);

}  // namespace prose
