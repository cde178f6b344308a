#include "tools/schemas/schemas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "course/counter_table.hpp"
#include "engine/check/hazards.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace schemas {
namespace {

using course::CounterDescription;
using course::CounterShown;
using course::CounterUnit;

constexpr std::string_view kCounters = "\n    \"counters\": {\n";
constexpr std::string_view kRequired = "\n      \"required\": [\n";
constexpr std::string_view kProperties = "\n      \"properties\": {\n";

std::string lines_of(const std::vector<std::string>& items, int indent) {
  std::string text;
  for (const std::string& item : items)
    text += fmt::format("{}{:{}}{}", text.empty() ? "" : ",\n", "", indent, item);
  return text;
}

/// Writes `list` between the end of `opening`, the first after `after`, and its closing line.
void replace_list(std::string& text, std::string_view after, std::string_view opening,
                  std::string_view closing, const std::string& list) {
  const std::size_t from = text.find(after);
  const std::size_t found = from == std::string::npos ? from : text.find(opening, from);
  const std::size_t begin = found + opening.size();
  const std::size_t end = found == std::string::npos ? found : text.find(closing, begin);
  if (end == std::string::npos)
    throw std::runtime_error(fmt::format("there is no list behind {}{}", after, opening));
  text.replace(begin, end - begin, list);
}

std::string_view definition_of(const CounterDescription& one) {
  if (one.unit == CounterUnit::percent) return "percentage";
  if (one.unit == CounterUnit::lanes) return "lanes";
  return one.shown == CounterShown::where_used ? "positive" : "count";
}

/// Writes the counters. `is_there` and `is_required` decide whether a counter can or must be in the
/// JSON.
void put_counters(std::string& text, auto is_there, auto is_required) {
  std::vector<std::string> required, properties;
  for (const CounterDescription& one : course::counter_table()) {
    if (!is_there(one)) continue;
    if (is_required(one)) required.push_back(fmt::format("\"{}\"", one.name));
    properties.push_back(fmt::format(R"("{}": {{"$ref": "#/$defs/{}", "description": "{}"}})",
                                     one.name, definition_of(one), one.meaning));
  }
  constexpr int kIndent = 8;
  replace_list(text, kCounters, kRequired, "\n      ]", lines_of(required, kIndent));
  replace_list(text, kCounters, kProperties, "\n      }", lines_of(properties, kIndent));
}

void put_report_counters(std::string& text) {
  put_counters(
      text,
      [](const CounterDescription& one) {
        return one.shown == CounterShown::always || one.shown == CounterShown::where_used;
      },
      [](const CounterDescription& one) { return one.shown == CounterShown::always; });
}

void put_profile_counters(std::string& text) {
  put_counters(
      text, [](const CounterDescription& one) { return one.shown != CounterShown::nowhere; },
      [](const CounterDescription& one) { return one.is_used({}); });
}

void put_hazards(std::string& text) {
  std::vector<std::string> tools, kinds;
  for (const emu::HazardKind& kind : emu::kHazardKinds) {
    const std::string tool = fmt::format("\"{}\"", kind.tool);
    if (std::ranges::find(tools, tool) == tools.end()) tools.push_back(tool);
    kinds.push_back(
        fmt::format(R"({{"const": "{}", "description": "{}"}})", kind.name, kind.meaning));
  }
  constexpr int kIndent = 12;
  replace_list(text, "\n    \"finding\": {\n", "\n          \"enum\": [\n", "\n          ]",
               lines_of(tools, kIndent));
  replace_list(text, "\n    \"finding\": {\n", "\n          \"oneOf\": [\n", "\n          ]",
               lines_of(kinds, kIndent));
}

Schema corrected(const char* name, void (*put)(std::string&)) {
  Schema schema;
  schema.file = tools::source_folder() / "docs" / name;
  schema.present = schema.wanted = tools::read_file(schema.file);
  try {
    put(schema.wanted);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(schema.file.string() + ": " + error.what());
  }
  return schema;
}

}  // namespace

std::vector<Schema> all() {
  return {corrected("report.schema.json", put_report_counters),
          corrected("profile.schema.json", put_profile_counters),
          corrected("findings.schema.json", put_hazards)};
}

}  // namespace schemas
