/// Many answers to one exercise in one program: to start g++ for each of them would take longer
/// than everything else that the tests do with it.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

/// An exercise, and the texts of answers to it.
struct Answers {
  coursework::Exercise exercise;
  std::vector<std::string> texts;
};

/// Lists the kernels of all answers to a chapter's exercises, for compile_in_one(). One list does
/// for all: most of what compiling it takes is reading headers.
/// @return the object, in `folder`
/// @throws std::runtime_error with the compiler's words
std::filesystem::path compile_lists(const std::vector<Answers>& chapter,
                                    const std::filesystem::path& folder);

/// The runners of the answers to one exercise, in `folder`, in their order.
///
/// Each answer has a namespace of its own in one source. There is one program, and a link to it for
/// each answer: by its name, the program knows which kernels it is to launch.
/// @param lists what compile_lists() made of these answers, and of others
/// @throws std::runtime_error with the compiler's words
std::vector<std::filesystem::path> compile_in_one(const Answers& answers,
                                                  const std::filesystem::path& lists,
                                                  const std::filesystem::path& folder);

}  // namespace course_test
