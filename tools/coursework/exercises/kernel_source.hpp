#pragma once

/// @file
/// The list of an exercise's kernels (runner/kernels.hpp) as C++.

#include <string>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// The headers that the kernels' parameters need besides `<cuda_runtime.h>`.
std::string kernel_headers(const Exercise& exercise);

/// A declaration of each kernel.
std::string kernel_declarations(const Exercise& exercise);

/// An entry of the list for each kernel; they are declared in `scope`: "answer_3", or "" for the
/// global namespace.
std::string kernel_entries(const Exercise& exercise, const std::string& scope = "");

/// A source that defines kernels() for answers to the exercise.
std::string kernel_source(const Exercise& exercise);

}  // namespace coursework
