#include "engine/check/check_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/memory.h"
#include "engine/run/extents.hpp"

namespace emu {

namespace {

std::string in_parentheses(uint3 v) { return fmt::format("({},{},{})", v.x, v.y, v.z); }

std::string counted_bytes(std::uint64_t bytes) {
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

/// Where `address` is, seen from [begin, begin + bytes).
std::string relative(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes) {
  if (address < begin) return counted_bytes(begin - address) + " before";
  if (address - begin < bytes) return fmt::format("byte {} of", address - begin);
  return counted_bytes(address - begin - bytes) + " past the end of";
}

}  // namespace

const char* action_of(AccessKind kind) {
  return kind == AccessKind::load ? "read" : kind == AccessKind::store ? "write" : "atomic";
}

ShadowPage* CheckContext::find_page(std::uintptr_t address, bool is_shared) const {
  const Shadow& shadow = is_shared ? shared : global;
  if (shadow.covers(address)) return shadow.find(address);
  const auto found = elsewhere.find(address / kPageBytes);
  return found == elsewhere.end() ? nullptr : found->second;
}

ShadowPage& CheckContext::make_page(std::uintptr_t address, bool is_shared) {
  if (is_shared) return shared.make(address);
  if (!global.covers(address)) {  // a variable or registered memory: written by the host unseen
    ShadowPage*& page = elsewhere[address / kPageBytes];
    if (!page) page = new ShadowPage;
    page->initialised = true;
    return *page;
  }
  ShadowPage& page = global.make(address);
  const auto after = tracked.upper_bound(address);
  // Pages are not shared by allocations, but the first may begin before the allocation does.
  const auto is_in = [&](auto entry) {
    return address / kPageBytes <= (entry->first + entry->second - 1) / kPageBytes &&
           address / kPageBytes >= entry->first / kPageBytes;
  };
  page.initialised = !((after != tracked.end() && is_in(after)) ||
                       (after != tracked.begin() && is_in(std::prev(after))));
  return page;
}

Culprit CheckContext::culprit(std::string action, std::uintptr_t program_counter,
                              std::uint64_t in_block, unsigned thread) const {
  return {std::move(action), source_line(program_counter),
          in_parentheses(place_in(launch->grid, in_block)),
          thread < thread_index->size() ? in_parentheses((*thread_index)[thread]) : ""};
}

std::uint64_t CheckContext::block_of(std::uint32_t of_segment) const {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), of_segment,
                       [](std::uint32_t s, const auto& entry) { return s < entry.first; });
  return after == blocks.begin() ? 0 : std::prev(after)->second;
}

const NamedVariable* CheckContext::shared_variable_at(std::uintptr_t address) const {
  for (const NamedVariable& variable : shared_variables)
    if (address - variable.begin < variable.bytes) return &variable;
  return nullptr;
}

const NamedVariable* CheckContext::guard_at(std::uintptr_t address) const {
  for (const NamedVariable& guard : guards)
    if (address - guard.begin < guard.bytes) return &guard;
  return nullptr;
}

std::string address_in_words(const void* address) {
  std::array<char, 200> text{};
  const std::size_t length = describe_address(address, text.data(), text.size());
  return length == 0 ? fmt::format("{}", address)
                     : fmt::format("{}, {}", address, std::string_view(text.data(), length));
}

std::string CheckContext::describe(std::uintptr_t address) const {
  const void* const pointer = reinterpret_cast<const void*>(address);
  if (in_arena(pointer)) return address_in_words(pointer);
  if (shared.covers(address) && !shared_variables.empty()) {
    const NamedVariable* nearest = nullptr;
    std::uintptr_t distance = ~std::uintptr_t{0};
    for (const NamedVariable& variable : shared_variables) {
      const std::uintptr_t away = address < variable.begin ? variable.begin - address
                                  : address - variable.begin < variable.bytes
                                      ? 0
                                      : address - variable.begin - variable.bytes + 1;
      if (away < distance) {
        distance = away;
        nearest = &variable;
      }
    }
    return fmt::format("{} __shared__ {} ({} bytes)",
                       relative(address, nearest->begin, nearest->bytes), nearest->name,
                       nearest->bytes);
  }
  if (const NamedVariable variable = variable_before(pointer, kNearVariable); variable.bytes > 0)
    return fmt::format("{} {} ({} bytes)", relative(address, variable.begin, variable.bytes),
                       variable.name, variable.bytes);
  return fmt::format("{}", pointer);
}

}  // namespace emu
