#pragma once

/// @file
/// What a folder of results is about: a class, exercises, a seed. Where it differs, results do not
/// belong together.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/grade/journal.hpp"
#include "tools/coursework/grade/submissions.hpp"

namespace coursework {

struct Plan {
  std::string chapter;                 ///< "02_coalescing"
  std::vector<std::string> exercises;  ///< ids
  Basis basis;                         ///< but for file and exercise
  std::vector<std::string> exercise_digests;
  Shard shard;
  Class all;

  /// What the verdict on one file depends on.
  Basis basis_of(const HandedIn& handed) const;
};

nlohmann::ordered_json json_of(const Plan& plan);
/// @throws std::runtime_error that names the file
Plan read_plan(const std::filesystem::path& file);

/// Refuses to write results of `plan` over those in `out` where some of them would be lost: of
/// other exercises, of another class, of another part of it.
/// @throws std::runtime_error that says what is there
void require_same_results(const std::filesystem::path& out, const Plan& plan);

/// A digest of the files that make an exercise.
std::string digest_of(const Exercise& exercise);

/// A digest of the sources that everything is judged and run with.
std::string digest_of_course();

/// The digest of a seed, from which nobody finds the seed if it was drawn.
std::string digest_of_seed(std::uint64_t seed);

/// The seed for `out`: `given`, or the one kept there, or a new one. `drawn` says whether it is
/// new.
std::uint64_t chosen_seed(const std::filesystem::path& out, const std::uint64_t* given,
                          bool& drawn);

/// Keeps a seed in a file of `out` that nobody else may read.
void keep_seed(const std::filesystem::path& out, std::uint64_t seed);

/// The seed that a file holds.
/// @throws std::runtime_error that names the file
std::uint64_t read_seed(const std::filesystem::path& file);

}  // namespace coursework
