#pragma once

/// @file
/// What a step promises in its documentation, "@expect  global_load_sectors = 5 * m * n * k / 32",
/// and whether what is counted keeps it.

#include <doctest/doctest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/support/arithmetic.hpp"
#include "tools/support/pattern.hpp"

namespace sgemm_test {

/// A counter's JSON name and what it is to be.
struct Expectation {
  std::string kernel;  ///< that the documentation is of
  std::string counter;
  std::string formula;
};

/// The expectations in chapters/STEP.cuh, as in "09_sgemm/steps/01_naive". A formula goes on where
/// the next line of the documentation is indented further than its first.
inline std::vector<Expectation> expectations_of(const std::string& step) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(__FILE__).parent_path().parent_path().parent_path();
  std::ifstream stream(root / "chapters" / (step + ".cuh"));
  if (!stream) throw std::runtime_error("cannot read the step " + step);
  static const std::string kMark = "/// @expect  ", kGoesOn = "///            ";
  static const tools::Pattern kKernel(R"((\w+)\((const |int |$))");
  std::vector<Expectation> found;
  std::size_t named = 0;  // so many of them have their kernel's name
  bool goes_on = false;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("///")) {
      if (const tools::Match kernel = kKernel.search(line))
        while (named < found.size()) found[named++].kernel = kernel[1];
      continue;
    }
    if (goes_on && line.starts_with(kGoesOn)) {
      found.back().formula += line.substr(kGoesOn.size() - 1);
      continue;
    }
    goes_on = line.starts_with(kMark);
    if (!goes_on) continue;
    const std::size_t equals = line.find(" =");
    if (equals == std::string::npos) throw std::runtime_error("no formula in: " + line);
    found.push_back(
        {"", line.substr(kMark.size(), equals - kMark.size()), line.substr(equals + 2)});
  }
  return found;
}

/// The name of a step in a file, which may be numbered: "naive" of "09_sgemm/steps/01_naive".
inline std::string name_of_step(const std::string& file) {
  const std::string stem = file.substr(file.rfind('/') + 1);
  return std::isdigit(static_cast<unsigned char>(stem.front())) ? stem.substr(stem.find('_') + 1)
                                                                : stem;
}

/// Whether a mutant of another step than this file's is under test.
inline bool is_another_mutated(const std::string& file) {
  const char* mutated = std::getenv("COURSE_MUTATED_KERNEL");
  return mutated != nullptr && name_of_step(file) != mutated;
}

/// What names in formulas stand for.
using Names = std::map<std::string, double>;

/// Compares what was counted with what is expected.
inline void check_counters(const std::vector<Expectation>& expectations, const Names& names,
                           const std::function<double(const std::string& counter)>& counted) {
  for (const Expectation& one : expectations) {
    CAPTURE(one.kernel);
    CAPTURE(one.counter);
    CAPTURE(one.formula);
    CHECK(counted(one.counter) ==
          tools::evaluate(one.formula, [&](const std::string& word) { return names.at(word); }));
  }
}

}  // namespace sgemm_test
