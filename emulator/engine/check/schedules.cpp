#include "engine/check/schedules.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "emulator/memory.h"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"

namespace emu {

namespace {

std::string description(const void* address) {
  std::array<char, 200> text{};
  const std::size_t length = describe_address(address, text.data(), text.size());
  if (length != 0) return fmt::format("{}, {}", address, std::string_view(text.data(), length));
  const NamedVariable variable = variable_at(address);
  if (variable.name.empty()) return fmt::format("{}", address);
  return fmt::format("byte {} of {} ({} bytes)",
                     reinterpret_cast<std::uintptr_t>(address) - variable.begin, variable.name,
                     variable.bytes);
}

}  // namespace

Schedules::Schedules() : before_(copy_of_memory()), heap_uses_(kernels_heap_uses()) {}

Schedules::Memory Schedules::copy_of_memory() {
  const DeviceAccess access;
  Memory memory;
  const auto add = [&](const Allocation& allocation, Space space) {
    if (space == Space::constant || space == Space::none) return;
    memory.push_back({const_cast<char*>(allocation.begin),
                      {allocation.begin, allocation.begin + allocation.bytes}});
  };
  for_each_allocation(add);
  for_each_variable_section(add);
  return memory;
}

void Schedules::restore(const Memory& memory) {
  const DeviceAccess access;
  for (const Piece& piece : memory)
    std::memcpy(piece.begin, piece.bytes.data(), piece.bytes.size());
}

void Schedules::compare(const Launch& launch, unsigned count,
                        const std::function<bool(const Launch&)>& run) const {
  if (kernels_heap_uses() != heap_uses_) {
    std::fprintf(stderr,
                 "emulator: kernel %s allocates or frees memory: it is not run in other orders\n",
                 launch.name.c_str());
    return;
  }
  const Memory result = copy_of_memory();
  for (unsigned i = 1; i <= count; ++i) {
    restore(before_);
    Launch again = launch;
    again.seed = launch.seed + i;
    again.preempted = true;
    again.counted = again.watches_first_block = again.checked = false;
    const std::string hint =
        fmt::format("COURSE_PREEMPT={} runs the program in this order alone", again.seed);
    if (!run(again)) {
      const std::string key = fmt::format("fails|{}", launch.name);
      if (count_finding(key, 1, 0)) continue;
      Finding finding = finding_of(Hazard::schedule_fails);
      finding.kernel = launch.name;
      finding.hint = hint;
      finding.title = "the kernel fails in another order of its threads, though not in every one";
      add_finding(key, std::move(finding));
      continue;
    }
    const DeviceAccess access;
    for (const Piece& piece : result) {
      if (std::memcmp(piece.begin, piece.bytes.data(), piece.bytes.size()) == 0) continue;
      std::size_t first = piece.bytes.size(), different = 0;
      for (std::size_t byte = 0; byte < piece.bytes.size(); ++byte)
        if (piece.begin[byte] != piece.bytes[byte]) {
          if (different++ == 0) first = byte;
        }
      const std::string key =
          fmt::format("differs|{}|{}", launch.name, static_cast<const void*>(piece.begin));
      if (count_finding(key, 1, different)) continue;
      Finding differs = finding_of(Hazard::output_differs);
      differs.kernel = launch.name;
      differs.hint = hint;
      differs.title = fmt::format("{} of the result depend{} on the order in which threads run",
                                  different == 1 ? "1 byte" : fmt::format("{} bytes", different),
                                  different == 1 ? "s" : "");
      differs.memory = description(piece.begin + first);
      differs.bytes = different;
      add_finding(key, std::move(differs));
    }
  }
  restore(result);
}

}  // namespace emu
