/// CUDA sources and the expected output of the rewriter.
#pragma once

#include <string>
#include <vector>

namespace nvcc_tests {

/// A small source. All cases are also rewritten and compiled with g++ in one batch, each in its own
/// namespace.
struct Case {
  std::string name;
  std::string source;
  std::vector<std::string> present;      // parts of the rewritten text, with blanks collapsed
  std::vector<std::string> absent = {};  // parts that it must not contain
};

std::vector<Case> launch_cases();
std::vector<Case> kernel_cases();
std::vector<Case> shared_cases();
std::vector<Case> variable_cases();
std::vector<Case> function_cases();
std::vector<Case> cast_cases();
std::vector<Case> loop_cases();
std::vector<Case> other_cases();

std::vector<Case> all_cases();

/// Replaces runs of blanks and line ends by one blank; removes blanks at the ends, before `)` and
/// `,`, and after `(`.
std::string collapse_blanks(const std::string& text);

}  // namespace nvcc_tests
