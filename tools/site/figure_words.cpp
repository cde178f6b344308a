#include "tools/site/figure_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>

#include "tools/site/text.hpp"
#include "tools/support/arithmetic.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace site {
namespace {

using tools::Match;
using tools::Pattern;

/// Values beyond these are not listed.
constexpr std::size_t kMostValues = 4;
/// The longest formula that a reader would follow.
constexpr std::size_t kLongestFormula = 120;

/// What a field holds, and its unit.
struct Field {
  std::string name, unit;
};

/// Returns the words for a field: "global_load_sectors" becomes "global load sectors", "time_ms"
/// the time in ms.
Field field_words(const std::string& field) {
  static const std::map<std::string, Field> kRates = {{"gflop_per_s", {"speed", "GFLOP/s"}},
                                                      {"tflop_per_s", {"speed", "TFLOP/s"}},
                                                      {"gb_per_s", {"bandwidth", "GB/s"}},
                                                      {"cublas_ms", {"time of cuBLAS", "ms"}},
                                                      {"cublas_us", {"time of cuBLAS", "µs"}},
                                                      {"predicted_us", {"predicted time", "µs"}},
                                                      {"ms", {"time", "ms"}},
                                                      {"us", {"time", "µs"}}};
  static const std::pair<const char*, const char*> kUnits[] = {
      {"_ms", "ms"}, {"_us", "µs"}, {"_pct", "%"}, {"_mb", "MB"}, {"_kb", "KB"}};
  if (const auto rate = kRates.find(field); rate != kRates.end()) return rate->second;
  for (const auto& [ending, unit] : kUnits)
    if (field.ends_with(ending))
      return {replace_all(field.substr(0, field.size() - std::string(ending).size()), "_", " "),
              unit};
  return {replace_all(field, "_", " "), ""};
}

/// Returns "copy_strided at elements 1024, stride 2"; a step of a sweep is a kernel, and a product
/// whose sides are equal has one side.
std::string run_words(const prose::RunName& run) {
  std::map<std::string, std::string> parameters = run.parameters;
  const auto taken = [&](const char* name) {
    const auto node = parameters.extract(name);
    return node.empty() ? "" : node.mapped();
  };
  const std::string step = taken("step"), m = taken("m"), n = taken("n"), k = taken("k");
  std::string words;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) words += (words.empty() ? " at " : ", ") + name + " " + value;
  };
  if (m == n && n == k) {
    add("m = n = k =", m);
  } else {
    add("m", m);
    add("n", n);
    add("k", k);
  }
  for (const auto& [name, value] : parameters) add(name, value);
  return (step.empty() ? run.kernel : step) + words;
}

/// Returns whether words such as "of chapters 00, 04 to 07 and 10" name a chapter's number.
bool names_chapter(std::string_view words, const std::string& chapter) {
  static const Pattern kRange(R"(\b(\d\d)(?: to (\d\d))?\b)");
  const std::string number = chapter.substr(0, 2);
  for (Match range = kRange.search(words); range; range = kRange.search(words)) {
    const std::string first = range.str(1), last = range.has(2) ? range.str(2) : first;
    if (first <= number && number <= last) return true;
    words = range.after();
  }
  return false;
}

/// Returns when the runs of a source's chapter were measured: a date, or two if some of them were
/// measured again.
std::string date_words(const nlohmann::json& source, const std::string& chapter) {
  std::string date = source.at("date"), some;
  if (const auto again = source.find("measured_again"); again != source.end()) {
    date = again->value(chapter, date);
    for (const auto& [what, when] : again->items())
      if (names_chapter(what, chapter) && what.find(' ') != std::string::npos) some = when;
  }
  return some.empty() || some == date ? date : date + " or " + some;
}

/// Collects what one figure was worked out from.
class Origins {
 public:
  Origins(const prose::Figures& figures, const prose::Measurements& measurements)
      : figures_(figures), measurements_(measurements) {}

  /// Returns the letter that stands for a measured value in the formula.
  std::string letter(const std::string& name) {
    const auto known = std::ranges::find(names_, name);
    const auto index = std::distance(names_.begin(), known);
    if (known == names_.end()) {
      names_.push_back(name);
      values_.push_back(value_words(name));
    }
    return index < 26 ? std::string(1, static_cast<char>('a' + index)) : "…";
  }

  const std::vector<std::string>& values() const { return values_; }
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  /// Returns "time of naive at m 4096: 275.737 ms", and takes note of its source.
  std::string value_words(const std::string& name) {
    if (const Match mean = kMean.matches(name)) return mean_words(mean);
    const auto [run, field] = parts_of(name);
    const auto [what, unit] = field_words(field);
    add_source(run);
    return what + (field.starts_with("cublas") ? " beside " : " of ") + run_words(run) + ": " +
           number_words(measurements_.value(run, field)) + (unit.empty() ? "" : " " + unit);
  }

  /// Returns "mean over 3 values of size: speed of naive at m $size".
  std::string mean_words(const Match& mean) {
    const std::string names = mean.str(1), list = mean.str(2);
    std::string inside;
    tools::replace_names(mean.str(3), [&](const std::string& name) {
      const auto [run, field] = parts_of(name);
      inside += (inside.empty() ? "" : " and ") + field_words(field).name +
                (field.starts_with("cublas") ? " beside " : " of ") + run_words(run);
      add_source(run);
      return name;
    });
    const auto words = std::count(list.begin(), list.end(), ' ') + 1;
    const auto together = std::count(names.begin(), names.end(), ' ') + 1;
    return fmt::format("geometric mean over {} {} of {}: {}", words / together,
                       together == 1 ? "values" : "sets", names, inside);
  }

  std::pair<prose::RunName, std::string> parts_of(const std::string& name) const {
    const std::size_t slash = name.rfind('/');
    return {figures_.run_named(name.substr(0, slash)), name.substr(slash + 1)};
  }

  /// Adds where and when a run was measured, once.
  void add_source(const prose::RunName& run) {
    const nlohmann::json& source = measurements_.source(run.source);
    std::string words;
    if (source.contains("device") && source.contains("date")) {
      words = fmt::format(
          "Measured on an {} with CUDA {}, {}.", source.at("device").get<std::string>(),
          source.at("toolkit").get<std::string>().substr(0, 4), date_words(source, run.chapter));
    } else if (source.value("backend", "") == "emulator") {
      words = "Counted by the course's emulator.";
    } else {
      const std::string about = source.value("about", "");
      words = "From docs/measurements/" + run.source +
              ".json: " + about.substr(0, std::min(about.find(". "), about.size()));
      if (!words.ends_with('.')) words += '.';
    }
    if (std::ranges::find(sources_, words) == sources_.end()) sources_.push_back(words);
  }

  static inline const Pattern kMean{R"(^geomean\(([\w ]+) in ([^:]*): (.*)\)$)"};

  const prose::Figures& figures_;
  const prose::Measurements& measurements_;
  std::vector<std::string> names_, values_, sources_;
};

}  // namespace

std::string number_words(double value) {
  std::string digits = fmt::format("{:.6g}", value);
  if (value == std::floor(value) && std::abs(value) < 1e15) digits = fmt::format("{:.0f}", value);
  const std::size_t point = std::min(digits.find_first_of(".e"), digits.size());
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = point; at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::vector<std::string> figure_words(const prose::Figure& figure, const prose::Figures& figures,
                                      const prose::Measurements& measurements) {
  static const Pattern kNumber(R"(^-?[\d.]+$)");
  Origins origins(figures, measurements);
  std::string formula = tools::replace_names(
      figure.resolved, [&](const std::string& name) { return origins.letter(name); });
  const bool is_number = bool(kNumber.matches(formula));
  formula = replace_all(tools::trimmed(formula), " * ", " × ");

  std::vector<std::string> words;
  const std::vector<std::string>& values = origins.values();
  if (formula == "a") {
    words.push_back(values[0]);
  } else {
    if (!is_number && formula.size() <= kLongestFormula)
      words.push_back(values.empty() ? "Worked out: " + formula : "= " + formula);
    for (std::size_t i = 0; i < std::min(values.size(), kMostValues); ++i)
      words.push_back(std::string(1, static_cast<char>('a' + i)) + ": " + values[i]);
    if (values.size() > kMostValues)
      words.push_back(fmt::format("and {} more", values.size() - kMostValues));
  }
  words.insert(words.end(), origins.sources().begin(), origins.sources().end());
  for (const prose::PublishedNumber& number : figure.published)
    words.push_back("Published" + (is_number ? "" : ": " + number.digits) + ": " + number.where +
                    ".");
  if (words.empty()) words.emplace_back("Given, not measured.");
  return words;
}

}  // namespace site
