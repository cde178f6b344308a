#pragma once

/// @file
/// Units of memory sizes.

#include <cstddef>

namespace emu {

inline constexpr std::size_t kKiB = std::size_t{1} << 10;  ///< bytes
inline constexpr std::size_t kMiB = std::size_t{1} << 20;  ///< bytes

}  // namespace emu
