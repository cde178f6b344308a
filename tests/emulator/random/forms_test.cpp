/// @file
/// Tests that programs built at random from forms.txt behave in the emulator as in plain C++.
/// Runs four by default, some hundred with COURSE_LONG_TESTS=1, and N with COURSE_FORMS=N.
/// COURSE_FORMS_FROM=N begins with another seed, to find new failures.
/// many. COURSE_FORMS_FROM=N begins with another seed, to look for what nobody has met yet.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "support/side_by_side.hpp"
#include "tools/support/subprocess.hpp"

namespace {

int number_in(const char* variable, int otherwise) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? std::atoi(value) : otherwise;
}

/// Returns what is wrong with the program of a seed; empty if nothing.
std::string try_seed(int seed) {
  const tools::TemporaryFolder folder;
  std::string wrong;
  const auto run = [&](const std::vector<std::string>& words,
                       std::map<std::string, std::string> environment = {}) {
    tools::CommandOptions options;
    options.directory = folder.path();
    options.environment = std::move(environment);
    options.time_limit = std::chrono::minutes(5);
    if (!wrong.empty()) return std::string();
    const tools::CommandResult result = tools::run_command(words, options);
    if (result.status != 0 || !result.err.empty())
      wrong = "seed " + std::to_string(seed) + ", " + words.front() + ", status " +
              std::to_string(result.status) + ": " + result.err + "\n";
    return result.out;
  };
  run({COURSE_GENERATOR, COURSE_RANDOM_FOLDER "/forms.txt", std::to_string(seed), "a.cu", "a.cpp"});
  run({COURSE_CXX_COMPILER, "-w", "-std=c++20", "-O1", "-fsigned-char", "-I", COURSE_RANDOM_FOLDER,
       "-o", "plain", "a.cpp"});
  run({EMULATOR_NVCC, "-w", "-std=c++20", "-O2", "--expt-relaxed-constexpr", "-o", "cuda", "a.cu"});
  const std::string plain = run({(folder.path() / "plain").string()});
  const std::string cuda = (folder.path() / "cuda").string();
  const bool same = run({cuda}) == plain;
  const bool same_counted = run({cuda}, {{"COURSE_COUNTERS", "json:counters"}}) == plain;
  const bool same_in_lockstep = run({cuda}, {{"COURSE_LOCKSTEP", "1"}}) == plain;
  const bool same_checked =
      run({cuda}, {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json:findings"}}) == plain;
  if (!wrong.empty()) return wrong;
  if (plain.empty()) return "seed " + std::to_string(seed) + " prints nothing\n";
  return same && same_counted && same_in_lockstep && same_checked
             ? ""
             : "seed " + std::to_string(seed) + ": other results\n";
}

}  // namespace

// Without the plugin, kernels cannot allocate memory, and some conversions are the host's.
TEST_CASE("programs of random forms do the same as in plain C++" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const int count = number_in("COURSE_FORMS", test_support::is_long_run() ? 300 : 4);
  const int first = number_in("COURSE_FORMS_FROM", 1);
  const auto wrong = test_support::side_by_side(
      static_cast<std::size_t>(count),
      [&](std::size_t i) { return try_seed(first + static_cast<int>(i)); });
  for (const std::string& what : wrong) CHECK(what == "");
}
