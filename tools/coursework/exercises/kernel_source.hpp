#pragma once

/// @file
/// Writes the list of an exercise's kernels (runner/kernels.hpp) as C++.

#include <string>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Returns the headers that the kernels' parameters need besides `<cuda_runtime.h>`.
std::string kernel_headers(const Exercise& exercise);

/// Returns a declaration of each kernel.
std::string kernel_declarations(const Exercise& exercise);

/// Returns a list entry for each kernel. The kernels are declared in namespace `scope`
/// ("answer_3"), or in the global namespace if `scope` is "".
std::string kernel_entries(const Exercise& exercise, const std::string& scope = "");

/// Returns a source file that defines kernels() for answers to the exercise.
std::string kernel_source(const Exercise& exercise);

}  // namespace coursework
