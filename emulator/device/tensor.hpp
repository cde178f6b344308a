/// @file
/// Functions that products of a warp and of a warpgroup share.
#pragma once

#include <cstdint>

#include "emulator/tensor_shape.h"

namespace emu {

inline constexpr int kLanes = 32;

/// Counts a product of the warp whose lanes have met, if accesses are counted.
/// @param shared_bytes bytes that it reads through descriptors
void count_product(const tensor::Shape& shape, std::uint64_t shared_bytes, const void* call_site);

}  // namespace emu
