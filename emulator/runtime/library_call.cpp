#include "runtime/library_call.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "emulator/device.h"
#include "engine/check/check_context.hpp"
#include "engine/check/check_init.hpp"
#include "engine/check/check_library.hpp"
#include "engine/check/findings.hpp"
#include "engine/engine.hpp"
#include "engine/report/library_calls.hpp"
#include "engine/run/queue.hpp"
#include "runtime/runtime.hpp"

namespace emu {

namespace {

/// What is wrong with an operand, in the words of a report.
struct Fault {
  Hazard hazard;
  std::string what;
  std::string hint;
};

std::optional<Fault> find_fault(const LibraryInWords& library, const char* begin,
                                std::size_t bytes) {
  constexpr std::uintptr_t kNearNull = 65536;
  if (reinterpret_cast<std::uintptr_t>(begin) < kNearNull)
    return Fault{Hazard::null_pointer, "is a null pointer",
                 "was the allocation checked, and is it the right pointer?"};
  const runtime::Place place = runtime::place_of(begin);
  if (place.space == Space::none) {
    if (is_freed(begin))
      return Fault{Hazard::use_after_free, "has been freed", "free it after the last use"};
    if (in_arena(begin))
      return Fault{Hazard::out_of_bounds, "is not in an allocation",
                   "is an offset added to the right pointer?"};
    return Fault{Hazard::host_memory, "is host memory",
                 fmt::format("{} works on device memory: copy it there first", library.name)};
  }
  const auto left = place.bytes - static_cast<std::size_t>(begin - place.begin);
  if (bytes <= left) return std::nullopt;
  return Fault{Hazard::out_of_bounds,
               fmt::format("ends {} bytes beyond its allocation of {}", bytes - left, place.bytes),
               fmt::format("compare {} with what was allocated", library.what_to_compare)};
}

}  // namespace

Readiness begin_library_call(const char* name, cudaStream_t stream) {
  if (in_kernel()) unsupported("a call inside a kernel");
  if (!valid_stream(stream)) return Readiness::no_such_stream;
  const StreamKey key = key_of(stream);
  if (is_captured(key)) unsupported("a call of a library in a stream that is captured");
  finish_before_next_in(key);
  if (sticky_error() != cudaSuccess) return Readiness::device_failed;
  note_library_call(name);
  return Readiness::ready;
}

void LibraryOperands::reach(const char* name, const void* begin, std::size_t bytes) {
  if (!access_) access_.emplace();
  const char* const first = static_cast<const char*>(begin);
  const std::optional<Fault> fault = find_fault(library_, first, bytes);
  if (!fault) return;
  const std::string message = fmt::format("{} of {} {}", name, call_, fault->what);
  const bool goes_on = is_mapped(first, bytes);
  if (checking().memory) {
    add_fault(fault->hazard, message, first, fault->hint);
  } else if (!goes_on) {
    const std::string where = call_in_words();
    fmt::print(stderr, "emulator: {}{}{}: illegal address\n", where, where.empty() ? "" : ": ",
               message);
  }
  if (goes_on) return;
  set_sticky_error(cudaErrorIllegalAddress);
  throw DeviceFailed{};
}

void LibraryOperands::touch(const char* name, const void* begin, std::size_t bytes, Use use) const {
  if (use != Use::write && !was_written(begin, bytes))
    add_fault(Hazard::uninitialized_read,
              fmt::format("{} of {} has elements that nothing wrote", name, call_), begin,
              "cudaMalloc does not clear memory: fill it first, with cudaMemset, cudaMemcpy or a "
              "kernel");
  if (use != Use::read) note_written(begin, bytes);
}

void LibraryOperands::refuse(const std::string& what, const void* address, const char* hint) const {
  const std::string message = fmt::format("{} {}", call_, what);
  if (checking().memory) {
    add_fault(Hazard::out_of_bounds, message, address, hint);
  } else {
    const std::string where = call_in_words();
    fmt::print(stderr, "emulator: {}{}{}: illegal address\n", where, where.empty() ? "" : ": ",
               message);
  }
  set_sticky_error(cudaErrorIllegalAddress);
  throw DeviceFailed{};
}

std::string LibraryOperands::call_in_words() const {
  return source_line(reinterpret_cast<std::uintptr_t>(call_site_));
}

void LibraryOperands::add_fault(Hazard hazard, const std::string& title, const void* address,
                                const std::string& hint) const {
  Finding finding = finding_of(hazard);
  finding.title = title;
  finding.memory = address_in_words(address);
  finding.first = {call_, call_in_words(), "", ""};
  finding.hint = hint;
  add_finding(fmt::format("{}|{}|{}", finding.kind, call_site_, title), std::move(finding));
  print_new_findings();
}

}  // namespace emu
