#include "check_leaks.hpp"

#include <fmt/format.h>

#include <array>

#include "check_context.hpp"
#include "emulator/memory.h"
#include "findings.hpp"
#include "hazards.hpp"
#include "settings.hpp"

namespace emu {

namespace {

std::string description(const void* address) {
  std::array<char, 200> text{};
  const std::size_t length = describe_address(address, text.data(), text.size());
  return length == 0 ? fmt::format("{}", address)
                     : fmt::format("{}, {}", address, std::string_view(text.data(), length));
}

Finding host_finding(Hazard hazard, std::string title, const void* address,
                     const void* program_counter, const char* action) {
  Finding finding = finding_of(hazard);
  finding.title = std::move(title);
  finding.memory = description(address);
  if (program_counter)
    finding.first = {action, source_line(reinterpret_cast<std::uintptr_t>(program_counter)), "",
                     ""};
  return finding;
}

}  // namespace

void find_leaks() {
  for_each_allocation([](const Allocation& allocation, Space space) {
    if (space != Space::device) return;
    Finding finding = host_finding(
        Hazard::leak, fmt::format("{} bytes of device memory are never freed", allocation.bytes),
        allocation.begin, nullptr, "");
    finding.hint = "every cudaMalloc needs a cudaFree: let an object's destructor do it";
    finding.bytes = allocation.bytes;
    add_finding(fmt::format("leak|{}", static_cast<const void*>(allocation.begin)),
                std::move(finding));
  });
}

void note_bad_free(const void* pointer, const void* call_site) {
  if (!settings().checks.memory) return;
  const bool twice = is_freed(pointer);
  Finding finding =
      host_finding(twice ? Hazard::double_free : Hazard::invalid_free,
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
  Finding finding = host_finding(Hazard::host_access, "host code touches device memory", address,
                                 program_counter, "access");
  finding.hint = "the host reaches device memory through cudaMemcpy only";
  add_finding("host access", std::move(finding));
  if (settings().check_report) end_with_findings();
}

}  // namespace emu
