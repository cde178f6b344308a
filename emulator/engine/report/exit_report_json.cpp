#include <memory>

#include "course/counters_json.hpp"
#include "engine/report/exit_report_printer.hpp"

namespace emu {

namespace {

class ExitReportJson : public ExitReportPrinter {
  std::string print(const std::vector<KernelTotal>& kernels) override {
    nlohmann::ordered_json document{{"schema", 1}, {"backend", "emulator"}};
    auto& list = document["kernels"] = nlohmann::ordered_json::array();
    for (const KernelTotal& total : kernels) {
      list.push_back({{"kernel", total.kernel},
                      {"launches", total.launches},
                      {"counters", json_of(total.counters, course::CountersShown::report)}});
    }
    return document.dump(2) + "\n";
  }
};

}  // namespace

std::unique_ptr<ExitReportPrinter> make_exit_report_json() {
  return std::make_unique<ExitReportJson>();
}

}  // namespace emu
