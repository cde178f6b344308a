#pragma once

/// @file
/// What the judges of chapter 06 have in common: particles of seven floats.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"

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

/// What warps ask for that want one field after the other, `from` on, of all n particles; `place`
/// says at which float a field of a particle is.
inline coursework::PaperRequests requests_for_fields(
    int n, int from, const std::function<int(int i, int field)>& place) {
  coursework::PaperRequests requests;
  for (int field = from; field < kFields; ++field) {
    for (int first = 0; first < n; first += course::kWarpSize) {
      for (int i = first; i < n && i < first + course::kWarpSize; ++i)
        requests.lane(place(i, field));
      requests.end_request();
    }
  }
  return requests;
}

}  // namespace particles
