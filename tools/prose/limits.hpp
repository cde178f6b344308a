#pragma once

/// @file
/// Limits on the length of what people edit. Everything else that states them takes them from here.

#include <cstddef>
#include <string>

namespace prose {

constexpr std::size_t kMaxColumns = 100;  ///< of a line that can be broken
constexpr std::size_t kMaxComment = 24;   ///< characters of a comment inside text, `<!--name-->`

inline std::string too_long_line() {
  return "a line of more than " + std::to_string(kMaxColumns) + " columns";
}

}  // namespace prose
