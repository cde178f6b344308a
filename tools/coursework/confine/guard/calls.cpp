// Replacements of C library functions that g++ or a kernel calls. They read or write through
// pointers only where the lane itself may.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstring>
#include <ctime>
#include <string>

#include "emulator/async.h"
#include "emulator/device.h"
#include "emulator/device_copies.h"
#include "emulator/device_tensor.h"
#include "lane_guard.hpp"

namespace coursework::guard {
namespace {

/// Returns the caller's stack pointer before the call of the function that calls this.
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

/// Checks memory whose accesses the engine counts itself: device memory, and the lane's own.
void check_counted(const void* begin, std::size_t bytes, Access access,
                   std::uintptr_t stack_pointer, const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0 || is_own(address, bytes, access, stack_pointer) ||
      is_device_memory(address, bytes, access))
    return;
  emu::end_at_bad_address(begin, bytes, access == Access::store, caller);
}

/// Checks operands of a tensor core instruction, which are on the lane's own stack.
void check_share(const void* begin, int bytes, Access access, std::uintptr_t stack_pointer,
                 const void* caller) {
  if (!is_own(reinterpret_cast<std::uintptr_t>(begin), static_cast<std::size_t>(bytes), access,
              stack_pointer))
    violate("registers for a tensor core that are not the thread's own", caller);
}

/// Checks a shape. Shapes are constants in the emulator's headers; an unknown shape is forged.
void check_shape(const emu::tensor::Shape& shape, emu::tensor::Unit unit, const void* caller) {
  const LaneGuard& guard = lane();
  const auto begin = reinterpret_cast<std::uintptr_t>(&shape);
  const bool is_constant = begin >= guard.constants && begin <= guard.constants_end &&
                           sizeof shape <= guard.constants_end - begin;
  const auto is_type = [](emu::tensor::Type type) { return type <= emu::tensor::Type::s32; };
  constexpr int kMostN = 256, kWarpsMostN = 32, kMostK = 32;
  if (is_constant && shape.unit == unit && (shape.m == 8 || shape.m == 16 || shape.m == 32) &&
      shape.n >= 8 && shape.n % 8 == 0 &&
      shape.n <= (unit == emu::tensor::Unit::warp ? kWarpsMostN : kMostN) && shape.k >= 4 &&
      shape.k <= kMostK && (shape.k & (shape.k - 1)) == 0 && is_type(shape.a) && is_type(shape.b) &&
      is_type(shape.c))
    return;
  violate("a product that no tensor core has", caller);
}

/// Returns the bytes of a lane's share of `elements`.
int share_of(int elements, emu::tensor::Type type) {
  constexpr int kLanes = 32;
  return elements * emu::tensor::bytes_of(type) / kLanes;
}

/// Checks the operands of `count` 8 x 8 matrices of 16-bit elements.
void check_matrices(const void* registers, Access to_registers, const void* row, Access to_row,
                    int count, std::uintptr_t stack_pointer, const void* caller) {
  constexpr int kMostMatrices = 4, kRegisterBytes = 4, kRowBytes = 16;
  if (count < 1 || count > kMostMatrices) violate("matrices that no instruction moves", caller);
  check_share(registers, count * kRegisterBytes, to_registers, stack_pointer, caller);
  check_share(row, kRowBytes, to_row, stack_pointer, caller);
}

/// Returns the text at `text` if it is a constant of the submission.
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

// A kernel's output is discarded: nobody reads it, and it could be endless.
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
/// clock() of the C library returns the process's time; a device's returns its cycles.
clock_t confined_clock() { return static_cast<clock_t>(emu::clock_cycles()); }
float confined_nanf(const char*) { return std::nanf(""); }
double confined_nan(const char*) { return std::nan(""); }

void confined_store_late(void* target, const void* value, unsigned bytes) {
  constexpr unsigned kMostBytes = 16;  // the most that the engine handles
  const auto begin = reinterpret_cast<std::uintptr_t>(target);
  if (bytes > kMostBytes || !is_device_memory(begin, bytes, Access::store))
    emu::end_at_bad_address(target, bytes, true, __builtin_return_address(0));
  check(value, bytes, Access::load, callers_stack(), __builtin_return_address(0));
  // A tail call: the engine must see the submission as caller.
  emu::store_late(target, value, bytes);
}

// Functions of the engine that must see the caller: each ends with a tail call.

void* confined_copy_recorded(void* target, const void* source, std::size_t bytes) {
  check_counted(source, bytes, Access::load, callers_stack(), __builtin_return_address(0));
  check_counted(target, bytes, Access::store, callers_stack(), __builtin_return_address(0));
  return emu::copy_recorded(target, source, bytes);
}
void* confined_move_recorded(void* target, const void* source, std::size_t bytes) {
  check_counted(source, bytes, Access::load, callers_stack(), __builtin_return_address(0));
  check_counted(target, bytes, Access::store, callers_stack(), __builtin_return_address(0));
  return emu::move_recorded(target, source, bytes);
}
void* confined_fill_recorded(void* target, int value, std::size_t bytes) {
  check_counted(target, bytes, Access::store, callers_stack(), __builtin_return_address(0));
  return emu::fill_recorded(target, value, bytes);
}

void confined_warp_multiply(const emu::tensor::Shape& shape, const void* a, const void* b,
                            const void* c, void* d) {
  const std::uintptr_t stack_pointer = callers_stack();
  const void* const caller = __builtin_return_address(0);
  check_shape(shape, emu::tensor::Unit::warp, caller);
  check_share(a, share_of(shape.m * shape.k, shape.a), Access::load, stack_pointer, caller);
  check_share(b, share_of(shape.k * shape.n, shape.b), Access::load, stack_pointer, caller);
  check_share(c, share_of(shape.m * shape.n, shape.c), Access::load, stack_pointer, caller);
  check_share(d, share_of(shape.m * shape.n, shape.c), Access::store, stack_pointer, caller);
  emu::warp_multiply(shape, a, b, c, d);
}
void confined_warp_deal_matrices(const std::uint32_t* row, std::uint32_t* registers, int count,
                                 bool transposed) {
  check_matrices(registers, Access::store, row, Access::load, count, callers_stack(),
                 __builtin_return_address(0));
  emu::warp_deal_matrices(row, registers, count, transposed);
}
void confined_warp_gather_matrices(const std::uint32_t* registers, std::uint32_t* row, int count,
                                   bool transposed) {
  check_matrices(registers, Access::load, row, Access::store, count, callers_stack(),
                 __builtin_return_address(0));
  emu::warp_gather_matrices(registers, row, count, transposed);
}
/// The engine checks that the descriptors point into the block's shared memory.
void confined_warpgroup_multiply(const emu::tensor::Shape& shape,
                                 const emu::WarpgroupOperands& operands, std::uint32_t* d) {
  const std::uintptr_t stack_pointer = callers_stack();
  const void* const caller = __builtin_return_address(0);
  check_shape(shape, emu::tensor::Unit::warpgroup, caller);
  check_share(&operands, sizeof operands, Access::load, stack_pointer, caller);
  if (operands.a)
    check_share(operands.a, share_of(shape.m * shape.k, shape.a), Access::load, stack_pointer,
                caller);
  check_share(d, share_of(shape.m * shape.n, shape.c), Access::store, stack_pointer, caller);
  emu::warpgroup_multiply(shape, operands, d);
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
