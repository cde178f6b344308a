#include "cases.hpp"

#include <cctype>

namespace nvcc_tests {

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& cases : {launch_cases(), kernel_cases(), shared_cases(), variable_cases(),
                            function_cases(), cast_cases(), loop_cases(), other_cases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

std::string collapse_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (blank && (result.empty() || result.back() == ' ' || result.back() == '(')) continue;
    if ((c == ')' || c == ',') && !result.empty() && result.back() == ' ') result.pop_back();
    result += blank ? ' ' : c;
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

}  // namespace nvcc_tests
