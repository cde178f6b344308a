#include "engine/check/check_host.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "emulator/memory.h"
#include "engine/check/check_context.hpp"
#include "engine/check/checker.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"
#include "engine/settings.hpp"

namespace emu {

std::atomic<bool> launches_are_running{false};
std::atomic<bool> kernel_failure_is_untold{false};

namespace {

Culprit culprit_at(const void* program_counter, const char* action) {
  if (!program_counter) return {};
  return {action, source_line(reinterpret_cast<std::uintptr_t>(program_counter)), "", ""};
}

Finding finding_at(Hazard hazard, std::string title, const void* address,
                   const void* program_counter, const char* action) {
  Finding finding = finding_of(hazard);
  finding.title = std::move(title);
  finding.memory = address_in_words(address);
  finding.first = culprit_at(program_counter, action);
  return finding;
}

/// Returns the error's name in the API that the call belongs to.
const char* name_of(cudaError_t error, std::string_view call) {
  const char* name = nullptr;
  const bool is_of_driver = call.starts_with("cu") && !call.starts_with("cuda");
  if (is_of_driver) cuGetErrorName(static_cast<CUresult>(error), &name);
  return name ? name : cudaGetErrorName(error);
}

/// Adds a finding in compute-sanitizer's words, which people know and search for.
void add_failure(Finding finding, const char* call, cudaError_t error, const void* call_site,
                 const std::string& hint) {
  finding.title =
      fmt::format("Program hit {} (error {}) due to \"{}\" on CUDA API call to {}",
                  name_of(error, call), static_cast<int>(error), cudaGetErrorString(error), call);
  finding.hint = hint;
  add_finding(fmt::format("{}|{}|{}", finding.kind, call_site, static_cast<int>(error)),
              std::move(finding));
  print_new_findings();
}

}  // namespace

void note_failed_call(const char* call, cudaError_t error, const void* call_site,
                      const std::string& hint) {
  if (!settings().checks.memory) return;
  Finding finding = finding_of(Hazard::failed_call);
  finding.first = culprit_at(call_site, call);
  add_failure(std::move(finding), call, error, call_site, hint);
}

void note_failed_launch(const std::string& kernel, const char* call, cudaError_t error,
                        const void* call_site, const std::string& hint) {
  if (!settings().checks.memory) return;
  Finding finding = finding_of(Hazard::failed_call);
  finding.kernel = kernel;
  finding.first = culprit_at(call_site, "launch");
  add_failure(std::move(finding), call, error, call_site, hint);
}

void note_bad_free(const void* pointer, const void* call_site) {
  if (!settings().checks.memory) return;
  const bool twice = is_freed(pointer);
  Finding finding =
      finding_at(twice ? Hazard::double_free : Hazard::invalid_free,
                 twice ? "device memory is freed twice"
                       : "cudaFree of an address that no allocation of device memory begins at",
                 pointer, call_site, "cudaFree");
  finding.hint = twice ? "set the pointer to null after freeing it, or let one owner free it"
                       : "free exactly what cudaMalloc returned";
  add_finding(fmt::format("{}|{}", finding.kind, call_site), std::move(finding));
  print_new_findings();
}

void note_host_access(const void* address, const void* program_counter) noexcept {
  if (!settings().checks.memory || !in_arena(address)) return;
  Finding finding = finding_at(Hazard::host_access, "host code touches device memory", address,
                               program_counter, "access");
  finding.hint = "the host reaches device memory through cudaMemcpy only";
  add_finding("host access", std::move(finding));
  if (settings().check_report) end_with_findings();
}

void check_host_access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                       std::uintptr_t program_counter, bool is_atomic) {
  if (in_kernel()) return;  // a repetition of the launch in another order
  const Space space = find_space(reinterpret_cast<const void*>(address));
  if (space != Space::managed && space != Space::pinned) return;
  Checker& checker = Checker::instance();
  const std::lock_guard lock(CheckedMemory::instance().mutex);
  checker.host.access(address, bytes, kind, program_counter, is_atomic);
}

bool HostBox::contains(std::uintptr_t byte) const {
  if (byte < begin) return false;
  std::size_t x = byte - begin, y = 0, z = 0;
  if (depth > 1) z = x / slice, x %= slice;
  if (height > 1) y = x / pitch, x %= pitch;
  return x < width && y < height && z < depth;
}

void note_asynchronous(const HostBox& box, bool writes, const char* call, const void* call_site) {
  if (!settings().checks.race) return;
  const Space space = find_space(reinterpret_cast<const void*>(box.begin));
  if (space != Space::managed && space != Space::pinned) return;
  Checker& checker = Checker::instance();
  const std::lock_guard lock(CheckedMemory::instance().mutex);
  checker.host.begin_copy({box, writes, call, reinterpret_cast<std::uintptr_t>(call_site)});
}

void note_host_waited() noexcept {
  if (!launches_are_running.exchange(false)) return;
  Checker& checker = Checker::instance();
  const std::lock_guard lock(CheckedMemory::instance().mutex);
  checker.host.waited();
}

}  // namespace emu
