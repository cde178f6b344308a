#include "engine/check/check_library.hpp"

#include <cstdint>
#include <mutex>

#include "emulator/check.h"
#include "emulator/memory.h"
#include "engine/check/checked_memory.hpp"

namespace emu {

bool was_written(const void* begin, std::size_t bytes) {
  if (!checking().init || !in_arena(begin)) return true;
  CheckedMemory& memory = CheckedMemory::instance();
  const std::lock_guard lock(memory.mutex);
  bool all = true;
  for_pages(reinterpret_cast<std::uintptr_t>(begin), bytes,
            [&](std::uintptr_t at, unsigned first, unsigned last) {
              all = all && is_written(memory.page_of(at), first, last);
            });
  return all;
}

}  // namespace emu
