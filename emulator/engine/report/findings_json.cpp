#include <memory>
#include <nlohmann/json.hpp>

#include "engine/report/findings_printer.hpp"

namespace emu {

namespace {

nlohmann::ordered_json json_of(const Culprit& culprit) {
  if (culprit == Culprit{}) return nullptr;
  const auto text = [](const std::string& value) {
    return value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  return {{"action", text(culprit.action)},
          {"line", text(culprit.line)},
          {"block", text(culprit.block)},
          {"thread", text(culprit.thread)}};
}

/// Prints JSON according to docs/findings.schema.json.
class FindingsJson : public FindingsPrinter {
  std::string as_found(const Finding&) override { return {}; }

  std::string at_end(const std::vector<Finding>& findings) override {
    nlohmann::ordered_json document{{"schema", 1}, {"backend", "emulator"}};
    auto& list = document["findings"] = nlohmann::ordered_json::array();
    for (const Finding& f : findings) {
      list.push_back({{"tool", f.tool},
                      {"kind", f.kind},
                      {"severity", name_of(f.severity)},
                      {"title", f.title},
                      {"kernel", f.kernel.empty() ? nlohmann::ordered_json()
                                                  : nlohmann::ordered_json(f.kernel)},
                      {"first", json_of(f.first)},
                      {"second", json_of(f.second)},
                      {"memory", f.memory},
                      {"count", f.count},
                      {"bytes", f.bytes}});
    }
    return document.dump(2) + "\n";
  }
};

}  // namespace

std::unique_ptr<FindingsPrinter> make_findings_json() { return std::make_unique<FindingsJson>(); }

}  // namespace emu
