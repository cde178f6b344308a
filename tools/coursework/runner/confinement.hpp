#pragma once

/// @file
/// Hooks that a runner has if its submission is confined.

#include <nlohmann/json.hpp>

namespace coursework {

struct Confinement {
  /// Called before the first launch: from then on, the process can only compute and answer.
  void (*begin)();
  /// Returns accesses that the guards stopped since the last call, in the form of take_findings().
  nlohmann::json (*take_violations)();
};

/// Weak: without libcoursework_confined.a its address is null, and the submission is trusted.
[[gnu::weak]] extern const Confinement confinement;

}  // namespace coursework
