#pragma once

/// @file
/// For machines whose assembly the confinement cannot read.

namespace coursework {

/// Message of commands that would run hostile code there.
inline constexpr const char* kNotConfinedHere =
    "submissions may be hostile, and only x86-64 machines can confine them: grade them on one";

}  // namespace coursework
