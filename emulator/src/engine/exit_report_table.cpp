#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "exit_report_printer.hpp"

namespace emu {

namespace {

/// A row for every direction that a kernel used, so that the table stays narrow.
class ExitReportTable : public ExitReportPrinter {
  std::string print(const std::vector<KernelTotal>& kernels) override {
    std::size_t width = 6;
    for (const KernelTotal& total : kernels) width = std::max(width, total.kernel.size());
    std::string text =
        fmt::format("{:<{}}  {:>8}  {:<13} {:>12} {:>12} {:>12} {:>10}\n", "kernel", width,
                    "launches", "access", "requests", "sectors", "lines", "efficiency");
    const auto row = [&](const KernelTotal& total, const char* access, std::uint64_t requests,
                         std::uint64_t b, std::uint64_t c, std::optional<double> efficiency) {
      if (requests == 0) return;
      text += fmt::format("{:<{}}  {:>8}  {:<13} {:>12} {:>12} {:>12} {:>8.2f} %\n", total.kernel,
                          width, total.launches, access, requests, b, c, *efficiency);
    };
    const auto memory = [&](const KernelTotal& total, const char* access,
                            const course::GlobalCounters& m) {
      row(total, access, m.requests, m.sectors, m.lines, m.efficiency_pct());
    };
    for (const KernelTotal& total : kernels) {
      memory(total, "global load", total.counters.global_load);
      memory(total, "global store", total.counters.global_store);
      memory(total, "global atomic", total.counters.global_atomic);
    }
    const bool any_shared =
        std::any_of(kernels.begin(), kernels.end(), [](const KernelTotal& total) {
          const Counters& c = total.counters;
          return c.shared_load.requests + c.shared_store.requests + c.shared_atomic.requests != 0;
        });
    if (any_shared)
      text += fmt::format("{:<{}}  {:>8}  {:<13} {:>12} {:>12} {:>12} {:>10}\n", "kernel", width,
                          "launches", "access", "requests", "wavefronts", "ideal", "efficiency");
    const auto shared = [&](const KernelTotal& total, const char* access,
                            const course::SharedCounters& s) {
      row(total, access, s.requests, s.wavefronts, s.wavefronts_ideal, s.efficiency_pct());
    };
    for (const KernelTotal& total : kernels) {
      shared(total, "shared load", total.counters.shared_load);
      shared(total, "shared store", total.counters.shared_store);
      shared(total, "shared atomic", total.counters.shared_atomic);
    }
    const auto copies_in_bulk = [](const KernelTotal& total) {
      return total.counters.bulk.copies != 0;
    };
    if (std::any_of(kernels.begin(), kernels.end(), copies_in_bulk))
      text += fmt::format("{:<{}}  {:>8}  {:<13} {:>12} {:>12}\n", "kernel", width, "launches",
                          "access", "copies", "bytes");
    for (const KernelTotal& total : kernels)
      if (copies_in_bulk(total))
        text += fmt::format("{:<{}}  {:>8}  {:<13} {:>12} {:>12}\n", total.kernel, width,
                            total.launches, "bulk copy", total.counters.bulk.copies,
                            total.counters.bulk.bytes);
    return text;
  }
};

}  // namespace

std::unique_ptr<ExitReportPrinter> make_exit_report_table() {
  return std::make_unique<ExitReportTable>();
}

}  // namespace emu
