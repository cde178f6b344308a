#include "engine/run/host_pointers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "emulator/memory.h"
#include "engine/engine.hpp"
#include "engine/run/worker.hpp"

extern "C" {
// Defined by the linker: the end of the program's instructions.
extern const char etext;
}

namespace emu {

namespace {

constexpr std::size_t kMostBytesLookedAt = 1024;
/// Host memory lies in a few regions that are far apart. The addresses of a region agree in the
/// bits above this one, or differ by 1 there.
constexpr unsigned kRegionShift = 40;
constexpr std::uintptr_t kRegions = 1 << 8;  ///< number of regions in a 48-bit address space

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// Returns, for each region, whether host memory may lie there: variables, the heap, large
/// allocations or the stack.
std::vector<bool> regions_of_host_memory() {
  static int variable;
  const int local = 0;
  void* const small = std::malloc(1);
  void* const large = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::vector<bool> regions(kRegions);
  for (const std::uintptr_t address :
       {number(&variable), number(small), number(large), number(&local)})
    for (const std::uintptr_t beside : {-1, 0, 1})
      if (const std::uintptr_t region = (address >> kRegionShift) + beside;
          region != 0 && region < kRegions)
        regions[region] = true;
  if (large != MAP_FAILED) munmap(large, 1);
  std::free(small);
  return regions;
}

bool is_mapped_anywhere(std::uintptr_t address) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
}

bool may_be_of_host(std::uintptr_t word) {
  static const auto regions = regions_of_host_memory();
  const std::uintptr_t region = word >> kRegionShift;
  if (region >= kRegions || !regions[region]) return false;
  const void* const address = reinterpret_cast<const void*>(word);
  if (in_arena(address) || find_space(address) != Space::none) return false;
  // Below `etext` lie device functions and string constants, which a kernel may use.
  static const std::uintptr_t code_begin = number(&etext) >> kRegionShift;
  if (region == code_begin && word < number(&etext)) return false;
  return !in_program_constants(address) && is_mapped_anywhere(word);
}

/// Calls `visit` for each aligned word until it returns true; returns whether it did.
template <class Visit>
bool any_word(const void* begin, std::size_t bytes, Visit&& visit) {
  constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);
  const std::uintptr_t end = number(begin) + bytes;
  for (std::uintptr_t at = (number(begin) + kWord - 1) / kWord * kWord; at + kWord <= end;
       at += kWord) {
    std::uintptr_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    if (visit(word)) return true;
  }
  return false;
}

}  // namespace

OwnMemory own_memory_among(const void* arguments, std::size_t bytes, const Worker& worker) {
  OwnMemory found;
  any_word(arguments, bytes, [&](std::uintptr_t word) {
    const void* const address = reinterpret_cast<const void*>(word);
    const Stack& stack = *worker.current_stack();
    if (stack.contains(word))
      found = {stack.memory, kStackBytes, "local memory"};
    else if (const auto piece = worker.shared_piece_of(address); !piece.empty())
      found = {piece.data(), piece.size(), "shared memory"};
    return found.owner != nullptr;
  });
  return found;
}

bool may_lead_to_host_memory(const void* arguments, std::size_t bytes) {
  return any_word(arguments, bytes, [](std::uintptr_t word) {
    const void* const address = reinterpret_cast<const void*>(word);
    Allocation allocation{};
    if (in_arena(address) && find_allocation(address, &allocation)) {
      const std::size_t left =
          allocation.bytes - (static_cast<const char*>(address) - allocation.begin);
      return any_word(address, std::min(left, kMostBytesLookedAt), may_be_of_host);
    }
    return may_be_of_host(word);
  });
}

}  // namespace emu
