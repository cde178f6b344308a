#pragma once

/// @file
/// Machines whose assembly the confinement does not read.

namespace coursework {

/// What a command says there that would run what may be hostile.
inline constexpr const char* kNotConfinedHere =
    "submissions may be hostile, and only x86-64 machines can confine them: grade them on one";

}  // namespace coursework
