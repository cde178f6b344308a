#include <array>
#include <memory>

#include "course/counters_json.hpp"
#include "engine/report/profile_printer.hpp"

namespace emu {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// Returns the counters that are not zero in a profile's form, so that listings stay small.
Json json_of(const Counters& counters) {
  return course::json_of(counters, course::CountersShown::profile);
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
  constexpr std::array kNames = {"sectors", "wavefronts", "addresses", "lanes"};
  return {{"waste", kNames[static_cast<std::size_t>(worst.waste)]},
          {"source", worst.source},
          {"line", worst.line ? Json(worst.line) : Json()},
          {"reason", worst.reason}};
}

/// Prints JSON according to docs/profile.schema.json.
class ProfileJson : public ProfilePrinter {
  void begin_kernel(const KernelProfile& kernel) override {
    Json worst = Json::array();
    for (const WorstLine& one : kernel.worst) worst.push_back(json_of(one));
    kernels_.push_back({{"kernel", kernel.kernel},
                        {"signature", kernel.signature},
                        {"launches", kernel.launches},
                        {"counters", json_of(kernel.counters)},
                        {"worst", std::move(worst)},
                        {"sources", Json::array()}});
  }

  void begin_source(const KernelProfile& kernel, std::size_t index) override {
    const SourceProfile& source = kernel.sources[index];
    is_readable_ = source.is_readable;
    kernels_.back()["sources"].push_back(
        {{"file", text_or_null(source.file)}, {"lines", Json::array()}});
  }

  void line(const LineProfile& line, const std::vector<WorstLine>&) override {
    kernels_.back()["sources"].back()["lines"].push_back(json_of(line, is_readable_));
  }

  std::string end(std::size_t) override {
    const Json document{{"schema", 1}, {"backend", "emulator"}, {"kernels", std::move(kernels_)}};
    return document.dump(2) + "\n";
  }

  Json kernels_ = Json::array();
  bool is_readable_ = false;  // whether the current source can be read
};

}  // namespace

std::unique_ptr<ProfilePrinter> make_profile_json() { return std::make_unique<ProfileJson>(); }

}  // namespace emu
