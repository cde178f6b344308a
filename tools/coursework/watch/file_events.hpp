#pragma once

/// @file
/// Word that something in a folder has changed, as soon as it has.

#include <filesystem>

namespace coursework {

/// Tells *that* there was a change, not which: editors write, rename, delete and create in ways of
/// their own, so whoever asks looks at the files. Where the system has no word to give, such as for
/// a network's folder, nothing comes, and the files have to be looked at from time to time.
class FileEvents {
 public:
  explicit FileEvents(std::filesystem::path folder);
  ~FileEvents();
  FileEvents(const FileEvents&) = delete;
  FileEvents& operator=(const FileEvents&) = delete;

  /// Readable once there was a change; -1 where that cannot be.
  int descriptor() const { return events_; }
  /// Whether there was a change since the last call. Also finds a folder that has come anew.
  bool take();

 private:
  void look_for_folder();

  std::filesystem::path folder_;
  int events_ = -1;
  int watched_ = -1;
};

}  // namespace coursework
