/// CUDA sources and what the rewriter must make of them.
#pragma once

#include <string>
#include <vector>

namespace nvcc_tests {

/// One small source. Every case is also compiled with g++ after its rewriting, all in one batch,
/// each in a namespace of its own.
struct Case {
  std::string name;
  std::string source;
  std::vector<std::string> present;      // in the rewritten text, blanks collapsed
  std::vector<std::string> absent = {};  // not in it
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

/// Runs of blanks and line ends as one blank; none at the ends, none before `)` and `,` or after
/// `(`.
std::string collapse_blanks(const std::string& text);

}  // namespace nvcc_tests
