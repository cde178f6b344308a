#pragma once

/// @file
/// Reports changes in a folder as soon as they happen.

#include <filesystem>

namespace coursework {

/// Tells *that* something changed, not what: editors write, rename, delete and create files in
/// different ways, so the caller reads the files again. Some systems send no events, for instance
/// for network folders; there the caller must also look from time to time.
class FileEvents {
 public:
  explicit FileEvents(std::filesystem::path folder);
  ~FileEvents();
  FileEvents(const FileEvents&) = delete;
  FileEvents& operator=(const FileEvents&) = delete;

  /// Returns a descriptor that is readable after a change; -1 if events are not available.
  int descriptor() const { return events_; }
  /// Returns whether something changed since the last call. Also notices that the folder was
  /// created again.
  bool take();

 private:
  void look_for_folder();

  std::filesystem::path folder_;
  int events_ = -1;
  int watched_ = -1;
};

}  // namespace coursework
