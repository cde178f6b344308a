/// Ways to do the work of a requirement that no requirement of its exercise sees.
///
/// A bound on loads is none if atomic operations may load instead. So whoever bounds one of the
/// channels of a kind of work bounds all of them, or another requirement does.

#pragma once

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

/// Each as "loads: global atomics", by requirement and channel; "race: other orders" where races
/// are looked for in one order alone.
std::vector<std::string> open_channels(const coursework::Exercise& exercise);

}  // namespace course_test
