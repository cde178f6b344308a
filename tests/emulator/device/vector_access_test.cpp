// Tests that vectors of up to 16 bytes are accessed at once, however the source writes it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <ostream>

#include "vector_access_cases.hpp"

namespace {

using vector_access::Access;

alignas(32) char target[256], source[256];
std::vector<Access> recorded;
bool watching = false;

// Records the compiler's calls; accesses to the stack and to the cases' variables do not count.
void note(const void* address, unsigned bytes, char kind) {
  const auto* const byte = static_cast<const char*>(address);
  const bool counts = (byte >= target && byte < target + sizeof target) ||
                      (byte >= source && byte < source + sizeof source);
  if (watching && counts) recorded.push_back({kind, bytes});
}

std::string text(std::vector<Access> accesses) {
  std::string result;
  for (const Access& access : accesses) result += access.kind + std::to_string(access.bytes) + ' ';
  return result;
}

// A copy may report its store before its load.
std::vector<Access> sorted(std::vector<Access> accesses) {
  std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.bytes < b.bytes;
  });
  return accesses;
}

}  // namespace

extern "C" {
void __tsan_read1(void* a) { note(a, 1, 'r'); }
void __tsan_read2(void* a) { note(a, 2, 'r'); }
void __tsan_read4(void* a) { note(a, 4, 'r'); }
void __tsan_read8(void* a) { note(a, 8, 'r'); }
void __tsan_read16(void* a) { note(a, 16, 'r'); }
void __tsan_write1(void* a) { note(a, 1, 'w'); }
void __tsan_write2(void* a) { note(a, 2, 'w'); }
void __tsan_write4(void* a) { note(a, 4, 'w'); }
void __tsan_write8(void* a) { note(a, 8, 'w'); }
void __tsan_write16(void* a) { note(a, 16, 'w'); }
void __tsan_read_range(void* a, std::size_t bytes) { note(a, static_cast<unsigned>(bytes), 'r'); }
void __tsan_write_range(void* a, std::size_t bytes) { note(a, static_cast<unsigned>(bytes), 'w'); }
void __tsan_unaligned_read2(void* a) { note(a, 2, 'r'); }
void __tsan_unaligned_read4(void* a) { note(a, 4, 'r'); }
void __tsan_unaligned_read8(void* a) { note(a, 8, 'r'); }
void __tsan_unaligned_read16(void* a) { note(a, 16, 'r'); }
void __tsan_unaligned_write2(void* a) { note(a, 2, 'w'); }
void __tsan_unaligned_write4(void* a) { note(a, 4, 'w'); }
void __tsan_unaligned_write8(void* a) { note(a, 8, 'w'); }
void __tsan_unaligned_write16(void* a) { note(a, 16, 'w'); }
// The guard of a static variable is read as a byte on x86-64, and as a word on aarch64.
unsigned char __tsan_atomic8_load(const volatile unsigned char* a, int) { return *a; }
unsigned long __tsan_atomic64_load(const volatile unsigned long* a, int) { return *a; }
void __tsan_init() {}
}

TEST_CASE("every form of access to a vector is as wide as the vector") {
  REQUIRE(vector_access::cases().size() > 200);
  for (const vector_access::Case& one : vector_access::cases()) {
    CAPTURE(one.name);
    recorded.clear();
    watching = true;
    one.call(target, source);
    watching = false;
    CHECK(text(sorted(recorded)) == text(sorted(one.expected)));
  }
}

TEST_CASE("a wrong expectation would be noticed") {
  const vector_access::Case& copy = vector_access::cases().front();
  recorded.clear();
  watching = true;
  copy.call(target, source);
  watching = false;
  CHECK(text(sorted(recorded)) != text({{'r', 1}, {'w', 1}}));
}
