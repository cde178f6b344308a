#include "engine/check/check_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/memory.h"
#include "engine/check/checked_block.hpp"
#include "engine/run/extents.hpp"
#include "engine/run/shared_windows.hpp"

namespace emu {

namespace {

std::string in_parentheses(uint3 v) { return fmt::format("({},{},{})", v.x, v.y, v.z); }

std::string counted_bytes(std::uint64_t bytes) {
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

/// Returns the position of `address` relative to [begin, begin + bytes), in words.
std::string relative(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes) {
  if (address < begin) return counted_bytes(begin - address) + " before";
  if (address - begin < bytes) return fmt::format("byte {} of", address - begin);
  return counted_bytes(address - begin - bytes) + " past the end of";
}

}  // namespace

const char* action_of(AccessKind kind) {
  return kind == AccessKind::load ? "read" : kind == AccessKind::store ? "write" : "atomic";
}

Culprit CheckContext::culprit(std::string action, std::uintptr_t program_counter,
                              std::uint64_t in_block, unsigned thread) const {
  return {std::move(action), source_line(program_counter),
          in_parentheses(coordinates_of(launch->grid, in_block)),
          thread < thread_index->size() ? in_parentheses((*thread_index)[thread]) : ""};
}

std::uint64_t CheckContext::block() const { return now->linear; }

void CheckContext::enter(CheckedBlock& block) {
  if (now && now != &block) now->has_left = true;
  now = &block;
  stage_since = ++segment;
  stays_.push_back({stage_since, block.linear, block.cluster->number, block.rank});
}

const CheckContext::Stay& CheckContext::stay_of(std::uint32_t of_segment) const {
  const auto after =
      std::upper_bound(stays_.begin(), stays_.end(), of_segment,
                       [](std::uint32_t s, const Stay& stay) { return s < stay.first; });
  return after == stays_.begin() ? stays_.front() : *std::prev(after);
}

bool CheckContext::is_own_of_earlier_stay(std::uint32_t of_segment) const {
  return now->has_left && of_segment >= now->first && block_of(of_segment) == now->linear;
}

SharedAddress CheckContext::shared_address(std::uintptr_t address) const {
  if (is_shared(address)) return {now, address};
  const void* const pointer = reinterpret_cast<const void*>(address);
  const auto rank = windows ? windows->rank_of(pointer) : std::nullopt;
  if (!rank || *rank >= now->cluster->blocks.size() || !now->cluster->blocks[*rank]) return {};
  return {now->cluster->blocks[*rank],
          reinterpret_cast<std::uintptr_t>(windows->in_place(pointer))};
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
  if (const SharedAddress shared = shared_address(address); shared.block) {
    const std::string text = describe_shared(shared.address);
    if (shared.block == now) return text;
    return fmt::format("{} of block {}", text,
                       in_parentheses(coordinates_of(launch->grid, shared.block->linear)));
  }
  if (const NamedVariable variable = variable_before(pointer, kNearVariable); variable.bytes > 0)
    return fmt::format("{} {} ({} bytes)", relative(address, variable.begin, variable.bytes),
                       variable.name, variable.bytes);
  return fmt::format("{}", pointer);
}

std::string CheckContext::describe_shared(std::uintptr_t address) const {
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
  // Far from all variables, the address is probably an index into dynamic shared memory.
  if ((nearest == nullptr || distance > kNearVariable) && launch->dynamic_shared_bytes == 0)
    return "where dynamic shared memory would be, but the launch asks for none";
  if (nearest == nullptr) return fmt::format("{}", reinterpret_cast<const void*>(address));
  return fmt::format("{} __shared__ {} ({} bytes)",
                     relative(address, nearest->begin, nearest->bytes), nearest->name,
                     nearest->bytes);
}

}  // namespace emu
