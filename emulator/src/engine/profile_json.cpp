#include <array>

#include "course/counters_json.hpp"
#include "profile.hpp"

namespace emu {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// Only what was used, so that listings stay small.
Json json_of(const Counters& counters) {
  Json json = course::json_of(counters, course::CountersShown::used);
  const auto put_ideal = [&](const char* name, std::uint64_t sectors) {
    if (sectors != 0) json[name] = sectors;
  };
  put_ideal("global_load_sectors_ideal", counters.sectors_ideal.global_load);
  put_ideal("global_store_sectors_ideal", counters.sectors_ideal.global_store);
  put_ideal("global_atomic_sectors_ideal", counters.sectors_ideal.global_atomic);
  json["warp_instructions"] = counters.warp_instructions;
  json["lane_instructions"] = counters.lane_instructions;
  return json;
}

Json json_of(const LineProfile& line, bool is_readable) {
  Json instructions = Json::array();
  for (const InstructionProfile& one : line.instructions) {
    instructions.push_back({{"column", one.column ? Json(one.column) : Json()},
                            {"expression", text_or_null(one.expression)},
                            {"counters", json_of(one.counters)}});
  }
  const bool is_counted = !line.instructions.empty();
  return {{"line", line.number ? Json(line.number) : Json()},
          {"text", is_readable ? Json(line.text) : Json()},
          {"counters", is_counted ? json_of(line.counters) : Json()},
          {"instructions", std::move(instructions)}};
}

Json json_of(const WorstLine& worst) {
  constexpr std::array kNames = {"sectors", "wavefronts", "lanes"};
  return {{"waste", kNames[static_cast<std::size_t>(worst.waste)]},
          {"source", worst.source},
          {"line", worst.line ? Json(worst.line) : Json()},
          {"reason", worst.reason}};
}

Json json_of(const KernelProfile& kernel) {
  Json worst = Json::array(), sources = Json::array();
  for (const WorstLine& one : kernel.worst) worst.push_back(json_of(one));
  for (const SourceProfile& source : kernel.sources) {
    Json lines = Json::array();
    for (const LineProfile& line : source.lines) lines.push_back(json_of(line, source.is_readable));
    sources.push_back({{"file", text_or_null(source.file)}, {"lines", std::move(lines)}});
  }
  return {{"kernel", kernel.kernel},     {"signature", kernel.signature},
          {"launches", kernel.launches}, {"counters", json_of(kernel.counters)},
          {"worst", std::move(worst)},   {"sources", std::move(sources)}};
}

}  // namespace

std::string profile_as_json(const std::vector<KernelProfile>& kernels) {
  Json document{{"schema", 1}, {"backend", "emulator"}};
  auto& list = document["kernels"] = Json::array();
  for (const KernelProfile& kernel : kernels) list.push_back(json_of(kernel));
  return document.dump(2) + "\n";
}

}  // namespace emu
