#include "tools/prose/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "tools/support/arithmetic.hpp"

namespace prose {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<double> number_in(const json& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<double> field_of(const json& run, std::string_view field) {
  const json& time = run.value("time_ms", json());
  if (field == "time_ms" && time.is_object()) return number_in(time, "median");
  if (field == "time_min_ms" && time.is_object()) return number_in(time, "min");
  if (field == "time_max_ms" && time.is_object()) return number_in(time, "max");
  for (const char* part : {"counters", "parameters"}) {
    const json& object = run.value(part, json());
    if (!object.is_object()) continue;
    if (const auto value = number_in(object, field)) return value;
  }
  return number_in(run, field);
}

bool is_meant(const json& run, const RunName& name) {
  if (run.at("kernel") != name.kernel) return false;
  const json& parameters = run.at("parameters");
  return std::all_of(name.parameters.begin(), name.parameters.end(), [&](const auto& wanted) {
    const auto found = parameters.find(wanted.first);
    return found != parameters.end() && text_of(*found) == wanted.second;
  });
}

std::string describe(const RunName& name) {
  std::string text = name.source + "/" + name.chapter + "/" + name.kernel;
  for (const auto& [key, value] : name.parameters) text += ", " + key + " " + value;
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

Measurements::Measurements(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path());
    sources_[entry.path().stem().string()] = json::parse(stream);
  }
}

double Measurements::value(const RunName& run, std::string_view field) const {
  const auto source = sources_.find(run.source);
  if (source == sources_.end()) fail("docs/measurements has no " + run.source + ".json");
  const json chapters = source->second.value("chapters", json::object());
  const json runs = chapters.value(run.chapter, json::array());
  std::optional<double> value;
  for (const json& candidate : runs) {
    if (!is_meant(candidate, run)) continue;
    const auto here = field_of(candidate, field);
    if (here && value && *here != *value)
      fail("more than one run is meant by " + describe(run) + ", and their " + std::string(field) +
           " differ");
    if (here) value = here;
  }
  if (!value) fail("docs/measurements has no " + std::string(field) + " of " + describe(run));
  return *value;
}

void read_kernel(std::string_view text, RunName* run) {
  const std::size_t open = text.find('(');
  run->kernel = text.substr(0, open);
  run->parameters.clear();
  if (open == std::string_view::npos) return;
  if (!text.ends_with(')')) fail("a parenthesis is not closed in \"" + std::string(text) + "\"");
  for (const std::string& pair : split(text.substr(open + 1, text.size() - open - 2), ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) fail("\"" + pair + "\" is not NAME=VALUE");
    run->parameters[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
}

double evaluate(std::string_view expression, const Measurements& measurements, const RunName& row) {
  return tools::evaluate(expression, [&](const std::string& name) {
    const std::vector<std::string> parts = split(name, '/');
    RunName run = row;
    if (parts.size() > 1) run.source = parts[0];
    if (parts.size() == 4) run.chapter = parts[1];
    if (parts.size() > 2) read_kernel(parts[parts.size() - 2], &run);
    if (parts.size() > 4) fail("a figure's name has too many parts: " + parts[0] + "/...");
    return measurements.value(run, parts.back());
  });
}

ShownNumber read_number(std::string_view text) {
  std::string digits(text);
  std::erase(digits, ',');
  ShownNumber shown;
  std::size_t read = 0;
  shown.value = std::stod(digits, &read);
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) shown.decimals = static_cast<int>(read - point - 1);
  return shown;
}

std::string show_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.starts_with("-") ? 1 : 0;
  for (std::size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

bool is_rounded(const ShownNumber& shown, double value) {
  const double half_a_digit = 0.5 * std::pow(10.0, -shown.decimals);
  return std::abs(shown.value - value) <= half_a_digit * (1 + 1e-9);
}

int default_decimals(double value) {
  if (value == std::round(value)) return 0;
  const int whole_digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return std::max(0, 3 - std::max(whole_digits, 1));
}

}  // namespace prose
