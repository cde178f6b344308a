// Initial values of the program's device variables, which cudaDeviceReset restores.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "runtime.hpp"

namespace emu::runtime {

namespace {

/// A piece of one or several variables whose initial bytes are not all zero.
struct Part {
  char* at;
  std::string values;
};

/// Returns all such pieces. Zero-initialised arrays may be large, so nothing is stored for them.
std::vector<Part> first_values() {
  constexpr std::size_t kPartBytes = 4096;
  std::vector<Part> parts;
  for_each_changing_section([&](char* begin, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kPartBytes) {
      char* const at = begin + done;
      const std::size_t count = std::min(kPartBytes, bytes - done);
      if (std::any_of(at, at + count, [](char byte) { return byte != 0; }))
        parts.push_back({at, std::string(at, count)});
    }
  });
  return parts;
}

// Before constructors of the program's own objects, which may already run kernels.
constexpr int kEarly = 200;
__attribute__((init_priority(kEarly))) const std::vector<Part> kept = first_values();

}  // namespace

void restore_variables() noexcept {
  for_each_changing_section([](char* begin, std::size_t bytes) { std::memset(begin, 0, bytes); });
  for (const Part& part : kept) std::memcpy(part.at, part.values.data(), part.values.size());
}

}  // namespace emu::runtime
