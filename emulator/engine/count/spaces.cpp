#include "engine/count/spaces.hpp"

#include "engine/engine.hpp"
#include "engine/run/shared_windows.hpp"

namespace emu {

AccessSpace Spaces::outside_the_heap(std::uintptr_t address) const {
  const void* const pointer = reinterpret_cast<const void*>(address);
  if (windows_ && windows_->rank_of(pointer)) return AccessSpace::dshared;
  switch (find_space(pointer)) {
    case Space::device:
    case Space::device_variable:
    case Space::managed:
    case Space::pinned:
      return AccessSpace::global;
    case Space::constant:
      return AccessSpace::other;
    case Space::none:
      break;
  }
  if (in_program_constants(pointer)) return AccessSpace::other;
  illegal_address(pointer);
}

}  // namespace emu
