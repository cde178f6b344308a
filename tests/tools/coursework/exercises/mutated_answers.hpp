/// Answers with the lesson taken out: what a student may try who wants points for it all the same.
///
/// A solution whose loads or stores are atomic operations, whose barriers are fences or nothing,
/// whose masks name whoever is there, or that is right for small sizes alone, must lose points. A
/// wrong answer with work for show at its beginning must not win any.

#pragma once

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

struct MutatedAnswer {
  std::string name;  ///< "loads of A by atomics", "barrier 2 is a fence"
  std::string text;
};

/// Of a solution: each takes something out that the exercise is about.
std::vector<MutatedAnswer> without_the_lesson(const coursework::Exercise& exercise,
                                              const std::string& solution);

/// Of any answer: each does something beside it, in every kernel.
std::vector<MutatedAnswer> with_work_for_show(const coursework::Exercise& exercise,
                                              const std::string& answer);

}  // namespace course_test
