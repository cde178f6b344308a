#include "tools/prose/measurements.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace prose {
namespace {

using nlohmann::json;

std::string text_of(const json& value) {
  if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<double> number_in(const json& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<double> field_of(const json& run, std::string_view field) {
  const auto time = run.find("time_ms");
  if (time != run.end() && time->is_object()) {
    if (field == "time_ms") return number_in(*time, "median");
    if (field == "time_min_ms") return number_in(*time, "min");
    if (field == "time_max_ms") return number_in(*time, "max");
  }
  for (const char* part : {"counters", "parameters"}) {
    const auto object = run.find(part);
    if (object == run.end() || !object->is_object()) continue;
    if (const auto value = number_in(*object, field)) return value;
  }
  return number_in(run, field);
}

bool is_meant(const json& run, const RunName& name) {
  if (run.at("kernel").get_ref<const std::string&>() != name.kernel) return false;
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
  if (!std::filesystem::is_directory(folder))
    throw std::runtime_error("there is no folder " + folder.string());
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    sources_[entry.path().stem().string()] = tools::parse_json(tools::read_file(entry.path()));
  }
}

const json& Measurements::source(const std::string& name) const {
  const auto found = sources_.find(name);
  if (found == sources_.end())
    throw std::runtime_error("docs/measurements has no " + name + ".json");
  return found->second;
}

/// Returns the runs of the chapter in the source file.
const json& Measurements::runs_of(const RunName& run) const {
  static const json kNone = json::array();
  const json& file = source(run.source);
  const auto chapters = file.find("chapters");
  const bool is_known = chapters != file.end() && chapters->contains(run.chapter);
  return is_known ? chapters->at(run.chapter) : kNone;
}

bool Measurements::has(const RunName& run, std::string_view field) const {
  const json& runs = runs_of(run);
  return std::any_of(runs.begin(), runs.end(), [&](const json& candidate) {
    return is_meant(candidate, run) && field_of(candidate, field);
  });
}

double Measurements::value(const RunName& run, std::string_view field) const {
  std::optional<double> value;
  for (const json& candidate : runs_of(run)) {
    if (!is_meant(candidate, run)) continue;
    const auto here = field_of(candidate, field);
    if (here && value && *here != *value)
      throw std::runtime_error("more than one run is meant by " + describe(run) + ", and their " +
                               std::string(field) + " differ");
    if (here) value = here;
  }
  if (!value)
    throw std::runtime_error("docs/measurements has no " + std::string(field) + " of " +
                             describe(run));
  return *value;
}

void read_kernel(std::string_view text, RunName* run) {
  const std::size_t open = text.find('(');
  run->kernel = text.substr(0, open);
  run->parameters.clear();
  if (open == std::string_view::npos) return;
  if (!text.ends_with(')'))
    throw std::runtime_error("a parenthesis is not closed in \"" + std::string(text) + "\"");
  for (const std::string& pair : split(text.substr(open + 1, text.size() - open - 2), ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) throw std::runtime_error("\"" + pair + "\" is not NAME=VALUE");
    run->parameters[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
}

}  // namespace prose
