#pragma once

/// @file
/// Figures by name: what docs/measurements says, and arithmetic with it.

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
  explicit Measurements(const std::filesystem::path& folder);

  /// A field of a run: a counter, a parameter, "time_ms" (the median), "time_min_ms",
  /// "time_max_ms", "gb_per_s" or "gflop_per_s".
  ///
  /// @throws std::runtime_error unless at least one run is meant, and all that are agree
  double value(const RunName& run, std::string_view field) const;

 private:
  std::map<std::string, nlohmann::json> sources_;
};

/// "copy_strided(stride=2,elements=8)" as kernel and parameters.
void read_kernel(std::string_view text, RunName* run);

/// Evaluates arithmetic (support/arithmetic.hpp) with measured figures.
///
/// A name without a slash is a field of `row`. "h200/FIELD" is a field of the same run measured
/// elsewhere. "emulator/copy_strided(stride=2)/FIELD" names any run of row's chapter, and
/// "emulator/02_coalescing/copy_strided(stride=2)/FIELD" of another one.
/// @throws std::runtime_error for what is no expression, or a name without a value
double evaluate(std::string_view expression, const Measurements& measurements, const RunName& row);

/// A number as prose shows it: "8,396,800", "82.53".
struct ShownNumber {
  double value = 0.0;
  int decimals = 0;
};

ShownNumber read_number(std::string_view text);
std::string show_number(double value, int decimals);

/// Whether `shown` is `value` rounded to the decimals that it has.
bool is_rounded(const ShownNumber& shown, double value);

/// Decimals for a value that has not been shown before: none for a whole number, else three digits.
int default_decimals(double value);

}  // namespace prose
