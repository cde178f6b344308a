#include "engine/check/hazards.hpp"

#include <cstddef>
#include <iterator>

namespace emu {

namespace {

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(kHazardKinds); ++i)
    if (static_cast<std::size_t>(kHazardKinds[i].hazard) != i) return false;
  return true;
}
static_assert(is_in_order(), "the table of hazards is in the order of the enumeration");

}  // namespace

Finding finding_of(Hazard hazard) {
  const HazardKind& kind = kHazardKinds[static_cast<std::size_t>(hazard)];
  Finding finding;
  finding.tool = kind.tool;
  finding.kind = kind.name;
  finding.severity = kind.severity;
  finding.count = 1;
  return finding;
}

bool is_of(Hazard hazard, const Finding& finding) {
  return finding.kind == kHazardKinds[static_cast<std::size_t>(hazard)].name;
}

}  // namespace emu
