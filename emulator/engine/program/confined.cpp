#include "emulator/confined.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "emulator/memory.h"
#include "engine/check/checker.hpp"
#include "engine/run/worker.hpp"

namespace emu {

__thread void* lane_guard;

void* lane_stack_begin() noexcept { return Worker::running()->current_stack()->memory; }

std::size_t dynamic_shared_bytes() noexcept {
  return Worker::running()->launch().dynamic_shared_bytes;
}

void end_at_bad_address(const void* address, std::size_t bytes, bool is_store,
                        const void* program_counter) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (Checker* const checker = Worker::running()->checker(); checker && checking().memory) {
    checker->memory.check(begin, static_cast<unsigned>(bytes),
                          is_store ? AccessKind::store : AccessKind::load,
                          reinterpret_cast<std::uintptr_t>(program_counter));
    fail_kernel(cudaErrorIllegalAddress, "illegal address", program_counter);
  }
  std::array<char, 200> text{};
  const std::size_t length = describe_address(address, text.data(), text.size());
  fail_kernel(
      cudaErrorIllegalAddress,
      fmt::format("illegal address {}: {}", address,
                  length == 0 ? "no memory of the device" : std::string_view(text.data(), length)),
      program_counter);
}

void end_at_illegal_access(const char* message, const void* program_counter) {
  fail_kernel(cudaErrorIllegalAddress, message, program_counter);
}

void end_kernel(const char* message, const void* program_counter) {
  fail_kernel(cudaErrorLaunchFailure, message, program_counter);
}

void describe_place(const void* program_counter, char* text, std::size_t capacity) {
  const std::string line = source_line(reinterpret_cast<std::uintptr_t>(program_counter));
  text[line.copy(text, capacity - 1)] = '\0';
}

}  // namespace emu
