#pragma once

/// @file
/// What the judges of chapter 05 have in common: particles of seven floats.

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "course/counters.hpp"
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

/// Sectors that warps touch which ask for one field after the other, `from` on, of all n particles;
/// `place` says at which float a field of a particle is.
inline int sectors_of_fields(int n, int from, const std::function<int(int i, int field)>& place) {
  constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);
  int sectors = 0;
  for (int field = from; field < kFields; ++field) {
    for (int first = 0; first < n; first += course::kWarpSize) {
      std::set<int> of_request;
      for (int i = first; i < n && i < first + course::kWarpSize; ++i)
        of_request.insert(place(i, field) / kSectorFloats);
      sectors += static_cast<int>(of_request.size());
    }
  }
  return sectors;
}

}  // namespace particles
