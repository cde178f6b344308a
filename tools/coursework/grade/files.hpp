#pragma once

/// @file
/// Files that are there whole or not at all, also when the machine stops in between.

#include <filesystem>
#include <string>

namespace coursework {

/// Throws what errno says of writing to `file`.
/// @throws std::system_error that names the file
[[noreturn]] void fail_to_write(const std::filesystem::path& file);

/// Writes a file beside its place, brings it to the disk, and puts it there in one step. Does
/// nothing where the file has these bytes already.
/// @throws std::system_error that names the file
void write_durably(const std::filesystem::path& file, const std::string& text, int mode = 0644);

/// The same for one of many files: it is whole or not there for whoever looks, and on the disk
/// after the next bring_to_disk().
void write_whole(const std::filesystem::path& file, const std::string& text, int mode = 0644);

/// Waits until everything on the file system of `folder` is on the disk.
void bring_to_disk(const std::filesystem::path& folder);

/// A file that only one process may hold at a time; given up when that process ends.
class Lock {
 public:
  /// @throws std::runtime_error where another process holds it, or it cannot be made
  explicit Lock(const std::filesystem::path& file);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

/// A folder that is made where there is none, with those above it. What was made goes away again
/// unless it is kept, so that a run that is refused leaves nothing behind.
class NewFolder {
 public:
  /// @throws std::filesystem::filesystem_error where it cannot be made
  explicit NewFolder(const std::filesystem::path& folder);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  void keep() { first_made_.clear(); }

 private:
  std::filesystem::path first_made_;  // the topmost; empty where nothing was made
};

}  // namespace coursework
