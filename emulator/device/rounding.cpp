// Arithmetic in a rounding mode: switches the processor's mode for one operation.
#include <cfenv>
#include <cmath>

#include "emulator/device_arithmetic.h"
#include "emulator/device_conversions.h"

namespace emu::detail {
namespace {

constexpr int mode_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return FE_TOWARDZERO;
    case Rounding::up:
      return FE_UPWARD;
    case Rounding::down:
      return FE_DOWNWARD;
    default:
      return FE_TONEAREST;
  }
}

// Operands and result are volatile, because the compiler does not know of rounding modes but keeps
// volatile accesses between the calls that set them.
template <class Operation, class... Operands>
auto rounded(Rounding rounding, Operation operation, volatile Operands... operands) {
  if (rounding == Rounding::nearest) return operation(static_cast<Operands>(operands)...);
  const int mode = std::fegetround();
  std::fesetround(mode_of(rounding));
  volatile auto result = operation(static_cast<Operands>(operands)...);
  std::fesetround(mode);
  const auto kept = result;
  return kept;
}

const auto kSum = [](auto x, auto y) { return x + y; };
const auto kProduct = [](auto x, auto y) { return x * y; };
const auto kQuotient = [](auto x, auto y) { return x / y; };
const auto kRoot = [](auto x) { return std::sqrt(x); };
const auto kFusedSum = [](auto x, auto y, auto z) { return std::fma(x, y, z); };
const auto kToFloat = [](auto x) { return static_cast<float>(x); };
const auto kToDouble = [](auto x) { return static_cast<double>(x); };

}  // namespace

float add(Rounding rounding, float x, float y) noexcept { return rounded(rounding, kSum, x, y); }
double add(Rounding rounding, double x, double y) noexcept { return rounded(rounding, kSum, x, y); }
float multiply(Rounding rounding, float x, float y) noexcept {
  return rounded(rounding, kProduct, x, y);
}
double multiply(Rounding rounding, double x, double y) noexcept {
  return rounded(rounding, kProduct, x, y);
}
float divide(Rounding rounding, float x, float y) noexcept {
  return rounded(rounding, kQuotient, x, y);
}
double divide(Rounding rounding, double x, double y) noexcept {
  return rounded(rounding, kQuotient, x, y);
}
float square_root(Rounding rounding, float x) noexcept { return rounded(rounding, kRoot, x); }
double square_root(Rounding rounding, double x) noexcept { return rounded(rounding, kRoot, x); }
float fused_multiply_add(Rounding rounding, float x, float y, float z) noexcept {
  return rounded(rounding, kFusedSum, x, y, z);
}
double fused_multiply_add(Rounding rounding, double x, double y, double z) noexcept {
  return rounded(rounding, kFusedSum, x, y, z);
}

float reciprocal_square_root_rn(float x) noexcept {
  return static_cast<float>(1 / std::sqrt(static_cast<long double>(x)));
}

float to_float(Rounding rounding, double value) noexcept {
  return rounded(rounding, kToFloat, value);
}
float to_float(Rounding rounding, long long value) noexcept {
  return rounded(rounding, kToFloat, value);
}
float to_float(Rounding rounding, unsigned long long value) noexcept {
  return rounded(rounding, kToFloat, value);
}
double to_double(Rounding rounding, long long value) noexcept {
  return rounded(rounding, kToDouble, value);
}
double to_double(Rounding rounding, unsigned long long value) noexcept {
  return rounded(rounding, kToDouble, value);
}

}  // namespace emu::detail
