#include "engine/report/exit_report.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "engine/report/exit_report_printer.hpp"
#include "engine/report/report_file.hpp"
#include "engine/report/report_formats.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

struct KernelTotals {
  std::mutex mutex;
  std::vector<KernelTotal> kernels;  // in the order of their first launch
};

KernelTotals& kernel_totals() {
  static KernelTotals& kernel_totals = *new KernelTotals;
  return kernel_totals;
}

void print_report() {
  const std::lock_guard lock(kernel_totals().mutex);
  if (kernel_totals().kernels.empty()) return;
  write_report(settings().exit_report_file,
               settings().exit_report->make()->print(kernel_totals().kernels));
}

// Registered before the queue's handler, so that it runs after it.
[[gnu::constructor(102)]] void print_report_at_exit() {
  if (settings().exit_report) std::atexit(print_report);
}

}  // namespace

void add_to_exit_report(const LaunchRecord& launch) {
  if (!settings().exit_report) return;
  const std::lock_guard lock(kernel_totals().mutex);
  auto& kernels = kernel_totals().kernels;
  auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelTotal& total) {
    return total.kernel == launch.kernel;
  });
  if (found == kernels.end()) {
    kernels.push_back({launch.kernel, 0, {}});
    found = kernels.end() - 1;
  }
  ++found->launches;
  found->counters += launch.counters;
}

}  // namespace emu
