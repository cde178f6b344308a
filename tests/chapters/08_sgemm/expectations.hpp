#pragma once

/// @file
/// Reads what a step promises in its documentation: "@expect  global_load_sectors = 5 * m * n * k /
/// 32".

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sgemm_test {

/// A counter's JSON name and what it is to be.
struct Expectation {
  std::string counter;
  std::string formula;
};

/// The expectations in chapters/08_sgemm/steps/FILE.cuh. A formula goes on where the next line of
/// the documentation is indented further than its first.
inline std::vector<Expectation> expectations_of(const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
  std::ifstream stream(root / "chapters/08_sgemm/steps" / (file + ".cuh"));
  if (!stream) throw std::runtime_error("cannot read the step " + file);
  static const std::string kMark = "/// @expect  ", kGoesOn = "///            ";
  std::vector<Expectation> found;
  bool goes_on = false;
  for (std::string line; std::getline(stream, line);) {
    if (goes_on && line.starts_with(kGoesOn)) {
      found.back().formula += line.substr(kGoesOn.size() - 1);
      continue;
    }
    goes_on = line.starts_with(kMark);
    if (!goes_on) continue;
    const std::size_t equals = line.find(" =");
    if (equals == std::string::npos) throw std::runtime_error("no formula in: " + line);
    found.push_back({line.substr(kMark.size(), equals - kMark.size()), line.substr(equals + 2)});
  }
  return found;
}

}  // namespace sgemm_test
