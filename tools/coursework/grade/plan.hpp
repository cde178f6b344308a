#pragma once

/// @file
/// The plan of a results folder: a class, exercises and a seed. Results of different plans cannot
/// be combined.

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
  Basis basis;                         ///< without `file` and `exercise`
  std::vector<std::string> exercise_digests;
  Shard shard;
  Class all;

  /// Returns what the verdict on one file depends on.
  Basis basis_of(const HandedIn& handed) const;
};

nlohmann::ordered_json json_of(const Plan& plan);
/// @throws std::runtime_error that names the file
Plan read_plan(const std::filesystem::path& file);

/// Refuses to write results of `plan` to `out` if that would destroy results of other exercises, of
/// another class or of another shard.
/// @throws std::runtime_error that says what is there
void require_same_results(const std::filesystem::path& out, const Plan& plan);

/// Returns a digest of the files of an exercise.
std::string digest_of(const Exercise& exercise);

/// Returns a digest of the sources that judge and run submissions.
std::string digest_of_course();

/// Returns the digest of a seed. A drawn seed cannot be found from it.
std::string digest_of_seed(std::uint64_t seed);

/// Returns the seed for `out`: `given`, the one stored there, or a new one. Sets `drawn` to whether
/// it is new.
std::uint64_t chosen_seed(const std::filesystem::path& out, const std::uint64_t* given,
                          bool& drawn);

/// Stores a seed in a file of `out` that only the owner may read.
void keep_seed(const std::filesystem::path& out, std::uint64_t seed);

/// Reads the seed from a file.
/// @throws std::runtime_error that names the file
std::uint64_t read_seed(const std::filesystem::path& file);

}  // namespace coursework
