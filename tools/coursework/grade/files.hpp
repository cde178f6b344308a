#pragma once

/// @file
/// Writes files atomically, also with respect to power failures.

#include <filesystem>
#include <string>

namespace coursework {

/// Throws the error in errno for writing to `file`.
/// @throws std::system_error that names the file
[[noreturn]] void fail_to_write(const std::filesystem::path& file);

/// Writes a temporary file, waits until it is on the disk, and renames it to `file`. Does nothing
/// if the file already has this text.
/// @throws std::system_error that names the file
void write_durably(const std::filesystem::path& file, const std::string& text, int mode = 0644);

/// Writes one of many files: readers see it whole or not at all, and it is on the disk after the
/// next bring_to_disk().
void write_whole(const std::filesystem::path& file, const std::string& text, int mode = 0644);

/// Waits until the whole file system of `folder` is on the disk.
void bring_to_disk(const std::filesystem::path& folder);

/// A lock file that one process can hold at a time; released when that process ends.
class Lock {
 public:
  /// @throws std::runtime_error if another process holds it, or it cannot be created
  explicit Lock(const std::filesystem::path& file);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

/// Creates a folder and its parents if they do not exist. The destructor removes the created ones
/// unless they are kept, so that a refused run leaves nothing behind.
class NewFolder {
 public:
  /// @throws std::filesystem::filesystem_error if it cannot be created
  explicit NewFolder(const std::filesystem::path& folder);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  void keep() { first_made_.clear(); }

 private:
  std::filesystem::path first_made_;  // the topmost created folder; empty if there is none
};

}  // namespace coursework
