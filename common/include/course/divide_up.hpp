#pragma once

/// @file
/// How many blocks it takes.

namespace course {

/// a / b, rounded up; cannot overflow. For a >= 0 and b > 0.
constexpr int divide_up(int a, int b) { return a / b + (a % b != 0); }

}  // namespace course
