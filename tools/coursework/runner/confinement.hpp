#pragma once

/// @file
/// What a runner has beside itself when its submission is confined.

#include <nlohmann/json.hpp>

namespace coursework {

struct Confinement {
  /// Before the first launch: from now on, the process computes and answers, and nothing else.
  void (*begin)();
  /// What the guards have stopped since the last call, in the form of take_findings().
  nlohmann::json (*take_violations)();
};

/// Weak: without libcoursework_confined.a it has no address, and the submission is trusted.
[[gnu::weak]] extern const Confinement confinement;

}  // namespace coursework
