#pragma once

/// @file
/// Checks counters against a step's documentation, "@expect  global_load_sectors = 5 * m * n * k /
/// 32".

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

/// A counter's name in JSON and its expected value.
struct Expectation {
  std::string kernel;  ///< the documented kernel
  std::string counter;
  std::string formula;
};

/// Reads the expectations in chapters/STEP.cuh, as in "09_sgemm/steps/01_naive". A formula
/// continues on the next line of documentation if that is indented further.
inline std::vector<Expectation> expectations_of(const std::string& step) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(__FILE__).parent_path().parent_path().parent_path();
  std::ifstream stream(root / "chapters" / (step + ".cuh"));
  if (!stream) throw std::runtime_error("cannot read the step " + step);
  static const std::string kMark = "/// @expect  ", kGoesOn = "///            ";
  static const tools::Pattern kKernel(R"((\w+)\((const |int |$))");
  std::vector<Expectation> found;
  std::size_t named = 0;  // how many of them have their kernel's name
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

/// Returns the name of a step in a file with or without a number: "naive" of
/// "09_sgemm/steps/01_naive".
inline std::string name_of_step(const std::string& file) {
  const std::string stem = file.substr(file.rfind('/') + 1);
  return std::isdigit(static_cast<unsigned char>(stem.front())) ? stem.substr(stem.find('_') + 1)
                                                                : stem;
}

/// Returns whether a mutant of a step in another file is tested.
inline bool is_another_mutated(const std::string& file) {
  const char* mutated = std::getenv("COURSE_MUTATED_KERNEL");
  return mutated != nullptr && name_of_step(file) != mutated;
}

/// The values of names in formulas.
using Names = std::map<std::string, double>;

/// Compares counters with expectations.
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
