#pragma once

/// @file
/// Reads what a step promises in its documentation: "@expect  global_load_sectors = 5 * m * n * k /
/// 32".

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
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

/// Works out a formula of whole numbers, names, + * / and parentheses.
class Formula {
 public:
  using Names = std::map<std::string, double, std::less<>>;

  static double value(std::string_view text, const Names& names) {
    Formula formula(text, names);
    const double result = formula.sum();
    if (formula.next() != '\0') throw std::runtime_error("cannot read " + std::string(text));
    return result;
  }

 private:
  Formula(std::string_view text, const Names& names) : rest_(text), names_(names) {}

  char next() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char wanted) {
    if (next() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  double sum() {
    double result = product();
    while (take('+')) result += product();
    return result;
  }

  double product() {
    double result = factor();
    while (true) {
      if (take('*')) {
        result *= factor();
      } else if (take('/')) {
        result /= factor();
      } else {
        return result;
      }
    }
  }

  double factor() {
    if (take('(')) {
      const double result = sum();
      if (!take(')')) throw std::runtime_error("a parenthesis is open");
      return result;
    }
    std::string word;
    while (std::isalnum(static_cast<unsigned char>(next_here())) != 0) {
      word += rest_.front();
      rest_.remove_prefix(1);
    }
    const auto name = names_.find(word);
    return name != names_.end() ? name->second : std::stod(word);
  }

  char next_here() const { return rest_.empty() ? '\0' : rest_.front(); }

  std::string_view rest_;
  const Names& names_;
};

}  // namespace sgemm_test
