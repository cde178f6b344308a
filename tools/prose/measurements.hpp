#pragma once

/// @file
/// What docs/measurements says, run by run.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace prose {

/// Which measured run is meant: all of its parameters that are given here agree.
struct RunName {
  std::string source;   ///< the file in docs/measurements, without .json: "emulator", "h200"
  std::string chapter;  ///< for example "02_coalescing"
  std::string kernel;
  std::map<std::string, std::string> parameters;
};

/// The contents of docs/measurements.
class Measurements {
 public:
  /// Reads every .json file in `folder`.
  ///
  /// @throws std::runtime_error if there is no such folder, and json's own for what is no JSON
  explicit Measurements(const std::filesystem::path& folder);

  /// A field of a run: a counter, a parameter, "time_ms" (the median), "time_min_ms",
  /// "time_max_ms", "gb_per_s" or "gflop_per_s".
  ///
  /// @throws std::runtime_error unless at least one run is meant, and all that are agree
  double value(const RunName& run, std::string_view field) const;

  /// Whether any run that is meant has such a field.
  bool has(const RunName& run, std::string_view field) const;

 private:
  const nlohmann::json& runs_of(const RunName& run) const;

  std::map<std::string, nlohmann::json> sources_;
};

/// "copy_strided(stride=2,elements=8)" as kernel and parameters.
///
/// @throws std::runtime_error if it is written otherwise
void read_kernel(std::string_view text, RunName* run);

}  // namespace prose
