/// Compiles many answers to one exercise into one program: starting g++ for each would take longer
/// than everything else in the tests.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

/// An exercise and the texts of its answers.
struct Answers {
  coursework::Exercise exercise;
  std::vector<std::string> texts;
};

/// Compiles the lists of kernels of all answers to a chapter's exercises, for compile_in_one(). One
/// object for all is enough: most of the time goes into reading headers.
/// @return the object, in `folder`
/// @throws std::runtime_error with the compiler's output
std::filesystem::path compile_lists(const std::vector<Answers>& chapter,
                                    const std::filesystem::path& folder);

/// Returns the runners of the answers to one exercise, in order; they are in `folder`.
///
/// Each answer has its own namespace in one source. There is one program with a link to it for each
/// answer; the program's name tells it which kernels to launch.
/// @param lists  the object made by compile_lists() for these and other answers
/// @throws std::runtime_error with the compiler's output
std::vector<std::filesystem::path> compile_in_one(const Answers& answers,
                                                  const std::filesystem::path& lists,
                                                  const std::filesystem::path& folder);

}  // namespace course_test
