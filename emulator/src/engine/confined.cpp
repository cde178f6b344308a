#include "emulator/confined.h"

#include <fmt/format.h>

#include "block.hpp"

namespace emu {

__thread void* lane_guard;

void* lane_stack_begin() noexcept { return Worker::running()->current_stack()->memory; }

std::size_t dynamic_shared_bytes() noexcept {
  return Worker::running()->launch().dynamic_shared_bytes;
}

void end_at_illegal_access(const char* message, const void* program_counter) {
  fail_kernel(cudaErrorIllegalAddress, message, program_counter);
}

void end_kernel(const char* message, const void* program_counter) {
  fail_kernel(cudaErrorLaunchFailure, message, program_counter);
}

void describe_place(const void* program_counter, char* text, std::size_t capacity) {
  const std::string line = source_line(reinterpret_cast<std::uintptr_t>(program_counter));
  *fmt::format_to_n(text, static_cast<std::ptrdiff_t>(capacity) - 1, "{}", line).out = '\0';
}

}  // namespace emu
