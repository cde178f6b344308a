#include "tools/coursework/grade/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

bool has_already(const fs::path& file, const std::string& text) {
  std::error_code none;
  return fs::file_size(file, none) == text.size() && !none && tools::read_file(file) == text;
}

/// Opens a folder and calls `sync` for it.
void sync_with(int (*sync)(int), const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  sync(descriptor);
  close(descriptor);
}

/// Writes a temporary file beside `file`, calls `sync`, and renames it.
void replace(const fs::path& file, const std::string& text, int mode, int (*sync)(int)) {
  const fs::path beside = file.string() + ".part";
  const int descriptor =
      open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (descriptor < 0) fail_to_write(file);
  std::size_t written = 0;
  bool well = true;
  while (well && written < text.size()) {
    const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    well = count > 0;
    if (well) written += static_cast<std::size_t>(count);
  }
  well = well && (sync == nullptr || sync(descriptor) == 0);
  const int error = errno;
  close(descriptor);
  errno = error;
  if (!well || rename(beside.c_str(), file.c_str()) != 0) fail_to_write(file);
}

}  // namespace

void fail_to_write(const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
}

void write_durably(const fs::path& file, const std::string& text, int mode) {
  if (has_already(file, text)) return;
  replace(file, text, mode, fsync);
  // A new name survives a power failure only if its folder is on the disk, too.
  sync_with(fsync, file.parent_path());
}

void write_whole(const fs::path& file, const std::string& text, int mode) {
  if (!has_already(file, text)) replace(file, text, mode, nullptr);
}

void bring_to_disk(const fs::path& folder) { sync_with(syncfs, folder); }

Lock::Lock(const fs::path& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644)) {
  if (descriptor_ < 0) fail_to_write(file);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  close(descriptor_);
  throw std::runtime_error("another run is grading into " + file.parent_path().string());
}

Lock::~Lock() { close(descriptor_); }

NewFolder::NewFolder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  fs::path so_far;
  for (const fs::path& part : whole) {
    so_far /= part;
    if (fs::exists(fs::symlink_status(so_far))) continue;
    first_made_ = so_far;
    break;
  }
  fs::create_directories(whole);
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!first_made_.empty()) fs::remove_all(first_made_, ignored);
}

}  // namespace coursework
