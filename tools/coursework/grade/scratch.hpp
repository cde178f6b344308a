#pragma once

/// @file
/// Where submissions are compiled: on this machine's own disk, whatever holds the results.

#include <filesystem>

namespace coursework {

/// A folder of our own below the system's temporary one, emptied at the beginning and gone at the
/// end. A run that was killed leaves it to the next one for the same results.
class Scratch {
 public:
  /// @throws std::runtime_error where it cannot be made, or belongs to somebody else
  explicit Scratch(const std::filesystem::path& out);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Makes a folder that a sandbox's user may go through, but not look around in.
void make_passable(const std::filesystem::path& folder);

}  // namespace coursework
