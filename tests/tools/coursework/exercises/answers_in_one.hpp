/// Many answers to one exercise in one program: to start g++ for each of them would take longer
/// than everything else that the tests do with it.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace course_test {

/// The runners of the answers, in `folder`, in their order.
///
/// Each answer has a namespace of its own in one source. There is one program, and a link to it for
/// each answer: by its name, the program knows which kernels it is to launch.
/// @throws std::runtime_error with the compiler's words
std::vector<std::filesystem::path> compile_in_one(const coursework::Exercise& exercise,
                                                  const std::vector<std::string>& answers,
                                                  const std::filesystem::path& folder);

}  // namespace course_test
