#include "fresh_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/check.h"
#include "engine/engine.hpp"
#include "runtime.hpp"

namespace emu::runtime {

namespace {

std::atomic<const void*> first_call_site{nullptr};
std::atomic<bool> is_noted{false};

void tell() {
  const std::string line = source_line(reinterpret_cast<std::uintptr_t>(first_call_site.load()));
  std::fflush(stdout);
  fmt::print(stderr,
             "emulator: hint: bytes that a copy brought to the host{}{} are all {:#04x}, as "
             "cudaMalloc leaves them: perhaps nothing wrote them; COURSE_CHECK=initcheck tells\n",
             line.empty() ? "" : " at ", line, fresh_byte());
}

/// Returns whether the `bytes` bytes at `at`, 4 or more, all look like fresh memory.
bool looks_fresh(const char* at, std::size_t bytes) {
  constexpr std::size_t kFewest = 4, kMost = 64;
  if (bytes < kFewest) return false;
  const auto byte = static_cast<char>(fresh_byte());
  return std::all_of(at, at + std::min(bytes, kMost), [&](char one) { return one == byte; });
}

}  // namespace

void note_copied_to_host(const void* source, std::size_t bytes, const void* call_site) {
  if (fresh_byte() <= 0 || is_noted || checking().init || bytes == 0 ||
      find_space(source) != Space::device)
    return;
  // The beginning, the end, which too small a grid leaves out, and some positions in between.
  constexpr std::size_t kPlaces = 16, kPiece = 64;
  const char* const begin = static_cast<const char*>(source);
  const std::size_t last = bytes - std::min(bytes, kPiece);
  for (std::size_t place = 0; place <= kPlaces; ++place) {
    const std::size_t at = last / kPlaces * place + (place == kPlaces ? last % kPlaces : 0);
    if (!looks_fresh(begin + at, bytes - at)) continue;
    if (is_noted.exchange(true)) return;
    first_call_site = call_site;
    std::atexit(tell);
    return;
  }
}

}  // namespace emu::runtime
