#pragma once

/// @file
/// Division that rounds up, for numbers of blocks.

namespace course {

/// Returns a / b, rounded up; cannot overflow. For a >= 0 and b > 0.
constexpr int divide_up(int a, int b) { return a / b + (a % b != 0); }

}  // namespace course
