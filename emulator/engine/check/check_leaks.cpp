#include "engine/check/check_leaks.hpp"

#include <fmt/format.h>

#include <string_view>

#include "emulator/memory.h"
#include "engine/check/check_context.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"
#include "engine/engine.hpp"
#include "engine/settings.hpp"

namespace emu {

void find_leaks() {
  if (!settings().checks.leaks || sticky_error() != cudaSuccess) return;
  for_each_allocation([](const Allocation& allocation, Space space) {
    if (space != Space::device && space != Space::managed) return;
    Finding finding = finding_of(Hazard::leak);
    finding.title = fmt::format(
        "{} byte{} of {} memory {} never freed", allocation.bytes, allocation.bytes == 1 ? "" : "s",
        space == Space::device ? "device" : "managed", allocation.bytes == 1 ? "is" : "are");
    finding.memory = address_in_words(allocation.begin);
    if (allocation.call_site)
      finding.first = {allocation.call ? allocation.call : "",
                       source_line(reinterpret_cast<std::uintptr_t>(allocation.call_site)), "", ""};
    const bool by_kernel = allocation.call == std::string_view("malloc");
    finding.hint = by_kernel
                       ? "what a kernel allocates with malloc or new, a kernel must free; "
                         "cudaFree cannot"
                       : "every cudaMalloc needs a cudaFree: let an object's destructor do it";
    finding.bytes = allocation.bytes;
    add_finding(fmt::format("leak|{}", static_cast<const void*>(allocation.begin)),
                std::move(finding));
  });
}

}  // namespace emu
