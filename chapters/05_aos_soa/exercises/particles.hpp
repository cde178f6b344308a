#pragma once

/// @file
/// What the judges of chapter 05 have in common: particles of seven floats.

#include <cstdint>
#include <string>
#include <vector>

#include "course/inputs.hpp"

namespace particles {

inline constexpr int kFields = 7, kPosition = 1, kVelocity = 4, kDimensions = 3;
inline constexpr int kThreads = 128;

/// "the x of particle 3"
inline std::string owner(int i, int field) {
  static const char* const kNames[] = {
      "mass", "x", "y", "z", "velocity along x", "velocity along y", "velocity along z"};
  return std::string("the ") + kNames[field] + " of particle " + std::to_string(i);
}

/// Random particles, [n, kFields].
inline std::vector<float> random_particles(int n, std::uint64_t seed) {
  return course::random_floats(static_cast<std::size_t>(kFields) * n, seed);
}

}  // namespace particles
