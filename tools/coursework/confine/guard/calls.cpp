// Stand for what g++ or a kernel calls in the C library. Those that would read or write through
// pointers do so only where the lane itself may.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstring>
#include <string>

#include "emulator/async.h"
#include "lane_guard.hpp"

namespace coursework::guard {
namespace {

/// The stack pointer of whoever called the function that calls this.
[[gnu::always_inline]] inline std::uintptr_t callers_stack() {
  return reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());
}

void check(const void* begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer,
           const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0 || permits(address, bytes, access, stack_pointer)) return;
  violate(access == Access::store ? "memory written through the C library, which is not counted"
                                  : "memory read through the C library, which is not counted",
          caller);
}

/// The text at `text`, if it is a constant of the submission.
std::string constant_text(const char* text) {
  const LaneGuard& guard = lane();
  const auto begin = reinterpret_cast<std::uintptr_t>(text);
  if (begin < guard.constants || begin >= guard.constants_end) return "a text";
  return std::string(text, strnlen(text, std::min<std::size_t>(guard.constants_end - begin, 200)));
}

}  // namespace
}  // namespace coursework::guard

using namespace coursework::guard;

#define CONFINED_STORE(value, target)                                                           \
  check(target, sizeof *(target), Access::store, callers_stack(), __builtin_return_address(0)); \
  *(target) = value

extern "C" {

void* confined_memcpy(void* target, const void* source, std::size_t bytes) {
  check(source, bytes, Access::load, callers_stack(), __builtin_return_address(0));
  check(target, bytes, Access::store, callers_stack(), __builtin_return_address(0));
  return std::memmove(target, source, bytes);
}

void* confined_memset(void* target, int value, std::size_t bytes) {
  check(target, bytes, Access::store, callers_stack(), __builtin_return_address(0));
  return std::memset(target, value, bytes);
}

// What a kernel prints is not looked at, and could be endless.
int confined_printf(const char*, ...) { return 0; }

float confined_modff(float x, float* whole) {
  float result;
  const float fraction = std::modf(x, &result);
  CONFINED_STORE(result, whole);
  return fraction;
}
double confined_modf(double x, double* whole) {
  double result;
  const double fraction = std::modf(x, &result);
  CONFINED_STORE(result, whole);
  return fraction;
}
float confined_frexpf(float x, int* exponent) {
  int result;
  const float fraction = std::frexp(x, &result);
  CONFINED_STORE(result, exponent);
  return fraction;
}
double confined_frexp(double x, int* exponent) {
  int result;
  const double fraction = std::frexp(x, &result);
  CONFINED_STORE(result, exponent);
  return fraction;
}
float confined_remquof(float x, float y, int* quotient) {
  int result;
  const float rest = std::remquo(x, y, &result);
  CONFINED_STORE(result, quotient);
  return rest;
}
double confined_remquo(double x, double y, int* quotient) {
  int result;
  const double rest = std::remquo(x, y, &result);
  CONFINED_STORE(result, quotient);
  return rest;
}
void confined_sincosf(float x, float* sine, float* cosine) {
  float both[2];
  ::sincosf(x, &both[0], &both[1]);
  CONFINED_STORE(both[0], sine);
  CONFINED_STORE(both[1], cosine);
}
void confined_sincos(double x, double* sine, double* cosine) {
  double both[2];
  ::sincos(x, &both[0], &both[1]);
  CONFINED_STORE(both[0], sine);
  CONFINED_STORE(both[1], cosine);
}
float confined_nanf(const char*) { return std::nanf(""); }
double confined_nan(const char*) { return std::nan(""); }

void confined_store_late(void* target, const void* value, unsigned bytes) {
  constexpr unsigned kMostBytes = 16;  // that the engine has room for
  const auto begin = reinterpret_cast<std::uintptr_t>(target);
  if (bytes > kMostBytes || !is_device_memory(begin, bytes, Access::store))
    emu::end_at_bad_address(target, bytes, true, __builtin_return_address(0));
  check(value, bytes, Access::load, callers_stack(), __builtin_return_address(0));
  emu::store_late(target, value, bytes);  // a jump: the engine is to see who called
}

[[noreturn]] void confined_trap(const char* what) {
  emu::end_kernel(constant_text(what).c_str(), __builtin_return_address(0));
}
[[noreturn]] void confined_unsupported(const char* name, const char*) {
  emu::end_kernel(("not supported: " + constant_text(name)).c_str(), __builtin_return_address(0));
}
[[noreturn]] void confined_assert_fail(const char* assertion, const char*, unsigned, const char*) {
  emu::end_kernel(("Assertion `" + constant_text(assertion) + "` failed").c_str(),
                  __builtin_return_address(0));
}

}  // extern "C"
