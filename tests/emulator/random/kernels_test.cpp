/// @file
/// Tests that random kernels compute the same bits as on an H200, in all their forms.
/// kernels_h200.txt has a line for each seed of generate_kernels: the numbers of the kernels, and
/// the first digits of the hashes that the programs print. A kernel is missing if nvcc's own
/// results differ with and without optimisation. By default, a few kernels of the first seed run;
/// with COURSE_LONG_TESTS=1, some thousand of all seeds.

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "support/side_by_side.hpp"
#include "tools/support/subprocess.hpp"

namespace {

constexpr int kFewKernels = 14, kAllKernels = 40;  // generated kernels; some are not printed

struct Seed {
  std::string number;
  std::map<std::string, std::string> hashes;  // by kernel: k12
};

std::vector<Seed> recorded_seeds() {
  std::ifstream in(COURSE_RANDOM_FOLDER "/kernels_h200.txt");
  std::vector<Seed> seeds;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    Seed seed;
    words >> seed.number;
    for (std::string word; words >> word;)
      seed.hashes["k" + word.substr(0, word.find(':'))] = word.substr(word.find(':') + 1);
    seeds.push_back(seed);
  }
  return seeds;
}

tools::CommandOptions in_folder(const std::filesystem::path& folder,
                                std::map<std::string, std::string> environment = {}) {
  tools::CommandOptions options;
  options.directory = folder;
  options.environment = std::move(environment);
  options.time_limit = std::chrono::minutes(10);
  return options;
}

/// Returns a program's hashes by kernel, as many digits as the record has.
std::map<std::string, std::string> hashes_in(const std::string& output) {
  constexpr std::size_t kDigits = 8;
  std::map<std::string, std::string> hashes;
  std::istringstream lines(output);
  for (std::string name, hash; lines >> name >> hash;)
    hashes[name.substr(0, name.find('_'))] = hash.substr(0, kDigits);
  return hashes;
}

struct Outcome {
  int compared = 0;
  std::string wrong;  // the differences, one per line
};

/// Generates kernels, compiles them, and runs each form.
Outcome try_seed(const Seed& seed, int count) {
  const tools::TemporaryFolder folder;
  Outcome outcome;
  const auto run = [&](const std::vector<std::string>& words,
                       std::map<std::string, std::string> environment) {
    const tools::CommandResult result =
        tools::run_command(words, in_folder(folder.path(), std::move(environment)));
    if (result.status != 0 || !result.err.empty())
      outcome.wrong += "seed " + seed.number + ", " + words.front() + ": " + result.err + "\n";
    return result.out;
  };
  std::ofstream(folder.path() / "a.cu")
      << run({COURSE_GENERATOR, seed.number, std::to_string(count)}, {});
  run({EMULATOR_NVCC, "-w", "-std=c++20", "-O2", "-I", COURSE_RANDOM_FOLDER, "-o", "a", "a.cu"},
      {});
  const std::string program = (folder.path() / "a").string();
  for (const auto& environment : std::vector<std::map<std::string, std::string>>{
           {}, {{"COURSE_COUNTERS", "json:counters"}}, {{"COURSE_LOCKSTEP", "1"}}}) {
    for (const auto& [name, hash] : hashes_in(run({program}, environment))) {
      const auto wanted = seed.hashes.find(name);
      if (wanted == seed.hashes.end()) continue;
      ++outcome.compared;
      if (hash != wanted->second)
        outcome.wrong += "seed " + seed.number + ": " + name + (environment.empty() ? "" : ", ") +
                         (environment.empty() ? "" : environment.begin()->first) + "\n";
    }
  }
  return outcome;
}

}  // namespace

TEST_CASE("random kernels compute what they do on an H200" * doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  std::vector<Seed> seeds = recorded_seeds();
  REQUIRE(seeds.size() > 100);
  const bool all = test_support::is_long_run();
  if (!all) seeds.resize(1);
  const auto outcomes = test_support::side_by_side(seeds.size(), [&](std::size_t i) {
    return try_seed(seeds[i], all ? kAllKernels : kFewKernels);
  });
  int compared = 0;
  for (const Outcome& outcome : outcomes) {
    compared += outcome.compared;
    CHECK(outcome.wrong == "");
  }
  CHECK(compared >= (all ? 9000 : 15));
}
