#pragma once

/// @file
/// The folder in which submissions are compiled: on a local disk, wherever the results are.

#include <filesystem>

namespace coursework {

/// A folder of our own in the system's temporary folder, emptied at the start and removed at the
/// end. After a killed run, the next run for the same results reuses it.
class Scratch {
 public:
  /// @throws std::runtime_error if it cannot be created, or belongs to somebody else
  explicit Scratch(const std::filesystem::path& out);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Creates a folder that a sandbox's user may pass through but not list.
void make_passable(const std::filesystem::path& folder);

}  // namespace coursework
