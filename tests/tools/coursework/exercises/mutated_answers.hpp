/// Changes answers to avoid what an exercise teaches, as students may try who only want points.
///
/// Solutions with loads or stores replaced by atomics, barriers replaced by fences or nothing,
/// masks of whichever lanes are active, or support for small sizes only must lose points. A wrong
/// answer must not gain any by work for show at its beginning.

#pragma once

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

struct MutatedAnswer {
  std::string name;  ///< "loads of A by atomics", "barrier 2 is a fence"
  std::string text;
};

/// Returns variants of a solution, each without something that the exercise teaches.
std::vector<MutatedAnswer> without_the_lesson(const coursework::Exercise& exercise,
                                              const std::string& solution);

/// Returns variants of any answer, each with extra work in every kernel.
std::vector<MutatedAnswer> with_work_for_show(const coursework::Exercise& exercise,
                                              const std::string& answer);

}  // namespace course_test
