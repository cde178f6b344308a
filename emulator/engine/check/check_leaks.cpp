#include "engine/check/check_leaks.hpp"

#include <fmt/format.h>

#include "emulator/memory.h"
#include "engine/check/check_context.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"

namespace emu {

void find_leaks() {
  for_each_allocation([](const Allocation& allocation, Space space) {
    if (space != Space::device) return;
    Finding finding = finding_of(Hazard::leak);
    finding.title = fmt::format("{} bytes of device memory are never freed", allocation.bytes);
    finding.memory = address_in_words(allocation.begin);
    finding.hint = "every cudaMalloc needs a cudaFree: let an object's destructor do it";
    finding.bytes = allocation.bytes;
    add_finding(fmt::format("leak|{}", static_cast<const void*>(allocation.begin)),
                std::move(finding));
  });
}

}  // namespace emu
