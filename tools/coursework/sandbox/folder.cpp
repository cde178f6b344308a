#include "tools/coursework/sandbox/folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "tools/coursework/sandbox/entries.hpp"

namespace coursework::inner {
namespace {

constexpr std::uint64_t kFull = std::uint64_t{1} << 62;
constexpr mode_t kPermissions = 0777;
constexpr int kDeepestPath = 64;  // for folders made before the keeper measured them

int open_folder(int parent, const char* name) {
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Calls `visit(name, about)` with each file and folder in `folder`; false if some cannot be read.
template <class Visit>
bool for_each_entry(int folder, Visit visit) {
  bool complete = lseek(folder, 0, SEEK_SET) == 0;
  const bool named = for_each_name(folder, [&](const char* const entry) {
    const std::string_view name = entry;
    struct stat about {};
    if (name == "." || name == "..") return;
    if (fstatat(folder, entry, &about, AT_SYMLINK_NOFOLLOW) == 0) {
      visit(entry, about);
    } else if (errno != ENOENT) {
      complete = false;
    }
  });
  return named && complete;
}

class Copy {
 public:
  Copy(std::uint64_t most_bytes, uid_t owner) : bytes_left_(most_bytes), owner_(owner) {}

  void copy(int from, int to, int depth) {
    for_each_entry(from, [&](const char* name, const struct stat& about) {
      if (--entries_left_ < 0) return;
      if (S_ISREG(about.st_mode)) copy_file(from, to, name, about);
      if (S_ISDIR(about.st_mode) && depth < kDeepestFolder) copy_into(from, to, name, depth);
    });
  }

 private:
  void copy_into(int from, int to, const char* name, int depth) {
    if (mkdirat(to, name, S_IRWXU) != 0 && errno != EEXIST) return;
    const int source = open_folder(from, name);
    const int target = open_folder(to, name);
    if (source >= 0 && target >= 0) {
      give_to_owner(target);
      copy(source, target, depth + 1);
    }
    if (source >= 0) close(source);
    if (target >= 0) close(target);
  }

  void copy_file(int from, int to, const char* name, const struct stat& about) {
    const int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (source < 0) return;
    unlinkat(to, name, 0);
    constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int target = openat(to, name, kNew, S_IRUSR | S_IWUSR);
    if (target >= 0) {
      copy_data(source, target, about.st_size);
      fchmod(target, about.st_mode & kPermissions);
      give_to_owner(target);
      close(target);
    }
    close(source);
  }

  /// Copies data only. Holes use no disk space, so a file may be far larger than its folder's
  /// limit.
  void copy_data(int source, int target, off_t size) {
    off_t begin = 0;
    while ((begin = lseek(source, begin, SEEK_DATA)) >= 0) {
      const off_t end = lseek(source, begin, SEEK_HOLE);
      if (end < 0 || lseek(source, begin, SEEK_SET) < 0 || lseek(target, begin, SEEK_SET) < 0)
        break;
      if (!copy_bytes(source, target, static_cast<std::uint64_t>(end - begin))) break;
      begin = end;
    }
    if (ftruncate(target, size) != 0) bytes_left_ = 0;
  }

  bool copy_bytes(int source, int target, std::uint64_t count) {
    static std::array<char, std::size_t{1} << 16> buffer;
    while (count > 0 && bytes_left_ > 0) {
      const std::uint64_t most = std::min<std::uint64_t>({count, bytes_left_, buffer.size()});
      const ssize_t bytes = read(source, buffer.data(), most);
      if (bytes <= 0) return false;
      if (write(target, buffer.data(), static_cast<std::size_t>(bytes)) != bytes) return false;
      count -= static_cast<std::uint64_t>(bytes);
      bytes_left_ -= static_cast<std::uint64_t>(bytes);
    }
    return count == 0;
  }

  void give_to_owner(int fd) const {
    // If changing the owner fails, the copy is still readable.
    if (owner_ != static_cast<uid_t>(-1)) (void)!fchown(fd, owner_, owner_);
  }

  std::uint64_t bytes_left_;
  int entries_left_ = kMostEntries;
  uid_t owner_;
};

std::uint64_t bytes_below(int folder, int depth, int& entries_left) {
  constexpr std::uint64_t kBlockBytes = 512;
  std::uint64_t bytes = 0;
  const bool complete = for_each_entry(folder, [&](const char* name, const struct stat& about) {
    bytes = std::min(kFull, bytes + static_cast<std::uint64_t>(about.st_blocks) * kBlockBytes);
    if (--entries_left < 0) bytes = kFull;
    if (!S_ISDIR(about.st_mode) || bytes >= kFull) return;
    errno = 0;
    const int inner = depth < kDeepestFolder ? open_folder(folder, name) : -1;
    if (inner < 0 && errno == ENOENT) return;  // it was deleted meanwhile
    bytes =
        inner < 0 ? kFull : std::min(kFull, bytes + bytes_below(inner, depth + 1, entries_left));
    if (inner >= 0) close(inner);
  });
  return complete ? bytes : kFull;
}

void open_below(int folder, int depth) {
  for_each_entry(folder, [&](const char* name, const struct stat& about) {
    if (S_ISREG(about.st_mode)) fchmodat(folder, name, about.st_mode & kPermissions, 0);
    if (!S_ISDIR(about.st_mode)) return;
    fchmodat(folder, name, S_IRWXU, 0);
    const int inner = depth < kDeepestPath ? open_folder(folder, name) : -1;
    if (inner < 0) return;
    open_below(inner, depth + 1);
    close(inner);
  });
}

}  // namespace

void copy_folder(int from, int to, std::uint64_t most_bytes, uid_t owner) {
  Copy(most_bytes, owner).copy(from, to, 0);
}

std::uint64_t bytes_in(int folder) {
  int entries_left = kMostEntries;
  return bytes_below(folder, 0, entries_left);
}

void open_up(int folder) {
  fchmod(folder, S_IRWXU);
  open_below(folder, 0);
}

}  // namespace coursework::inner
