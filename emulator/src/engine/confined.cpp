#include "emulator/confined.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "block.hpp"
#include "checker.hpp"
#include "emulator/memory.h"
#include "findings.hpp"

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

void end_at_violation(const char* what, const void* program_counter) {
  const Worker& worker = *Worker::running();
  const auto place = reinterpret_cast<std::uintptr_t>(program_counter);
  const std::string key = fmt::format("confinement|{}|{}", what, place);
  if (!count_finding(key, 1, 0)) {
    Finding finding;
    finding.tool = "confinement";
    finding.kind = "violation";
    finding.title = what;
    finding.kernel = worker.launch().name;
    finding.first.line = source_line(place);
    finding.hint = "the kernel ended before it was done";
    finding.count = 1;
    add_finding(key, std::move(finding));
  }
  fail_kernel(cudaErrorIllegalAddress, what, program_counter);
}

void end_kernel(const char* message, const void* program_counter) {
  fail_kernel(cudaErrorLaunchFailure, message, program_counter);
}

}  // namespace emu
