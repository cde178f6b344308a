/// Finds ways to do the work of a requirement that no requirement of its exercise measures.
///
/// A bound on loads is useless if atomics may load instead. So an exercise that bounds one channel
/// of a kind of work must bound all of them, in this or another requirement.

#pragma once

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

/// Returns each as "loads: global atomics", by requirement and channel; "race: other orders" if
/// races are searched in one order only.
std::vector<std::string> open_channels(const coursework::Exercise& exercise);

}  // namespace course_test
