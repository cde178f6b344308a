#include "tools/coursework/sandbox/descendants.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/coursework/sandbox/entries.hpp"

namespace coursework::inner {
namespace {

constexpr std::size_t kPathBytes = 96;
constexpr std::size_t kTextBytes = 4096;

/// Text of a small file, terminated by a zero; empty if the file cannot be read.
class SmallFile {
 public:
  explicit SmallFile(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    opened_ = true;
    std::size_t length = 0;
    while (length + 1 < text_.size()) {
      const ssize_t bytes = read(fd, text_.data() + length, text_.size() - 1 - length);
      if (bytes <= 0) break;
      length += static_cast<std::size_t>(bytes);
    }
    close(fd);
    text_[length] = 0;
  }
  bool opened() const { return opened_; }
  const char* text() const { return text_.data(); }

 private:
  std::array<char, kTextBytes> text_{};
  bool opened_ = false;
};

/// Calls `visit` with each entry of a folder whose name is a number.
template <class Visit>
void for_each_number(const char* folder, Visit visit) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  for_each_name(fd, [&](const char* name) {
    const int number = std::atoi(name);
    if (number > 0) visit(static_cast<pid_t>(number));
  });
  close(fd);
}

void add(Descendants& found, pid_t process) {
  if (found.count < found.processes.size()) found.processes[found.count++] = process;
}

/// Returns whether /proc has the kernel's own list of a thread's children, which is optional.
bool kernel_lists_children() {
  static const bool lists = [] {
    std::array<char, kPathBytes> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/task/%ld/children", syscall(SYS_gettid));
    return SmallFile(path.data()).opened();
  }();
  return lists;
}

void add_children(Descendants& found, pid_t parent) {
  std::array<char, kPathBytes> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/task", parent);
  for_each_number(path.data(), [&](pid_t thread) {
    std::array<char, kPathBytes> file{};
    std::snprintf(file.data(), file.size(), "/proc/%d/task/%d/children", parent, thread);
    const SmallFile children(file.data());
    const char* at = children.text();
    for (;;) {
      char* end = nullptr;
      const long child = std::strtol(at, &end, 10);
      if (end == at) break;
      at = end;
      // A number at the very end may be incomplete.
      if (*at != 0) add(found, static_cast<pid_t>(child));
    }
  });
}

/// Returns the text of /proc/PID/stat after the name, which may contain spaces and parentheses.
const char* behind_name(const SmallFile& stat) {
  const char* const bracket = std::strrchr(stat.text(), ')');
  return bracket == nullptr ? nullptr : bracket + 1;
}

pid_t parent_of(pid_t process) {
  std::array<char, kPathBytes> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", process);
  const SmallFile stat(path.data());
  const char* const rest = behind_name(stat);
  int parent = 0;
  char state = 0;
  if (rest != nullptr) std::sscanf(rest, " %c %d", &state, &parent);
  return parent;
}

/// Without the kernel's list: searches all processes of the machine until no more descendants turn
/// up.
void scan_all(pid_t ancestor, Descendants& found) {
  const auto known = [&](pid_t process) {
    if (process == ancestor) return true;
    for (std::size_t i = 0; i < found.count; ++i) {
      if (found.processes[i] == process) return true;
    }
    return false;
  };
  for (std::size_t before = ~std::size_t{0}; before != found.count;) {
    before = found.count;
    for_each_number("/proc", [&](pid_t process) {
      if (!known(process) && known(parent_of(process))) add(found, process);
    });
  }
}

void add_use(Use& use, pid_t process) {
  static const long page_bytes = sysconf(_SC_PAGESIZE);
  static const long ticks_a_second = sysconf(_SC_CLK_TCK);
  std::array<char, kPathBytes> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", process);
  const SmallFile stat(path.data());
  const char* const rest = behind_name(stat);
  if (rest == nullptr) return;
  char state = 0;
  unsigned long user = 0, system = 0;
  long children_user = 0, children_system = 0, threads = 0, resident_pages = 0;
  const int read = std::sscanf(
      rest,
      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %ld %*d %*u %*u %ld",
      &state, &user, &system, &children_user, &children_system, &threads, &resident_pages);
  constexpr int kFields = 7;
  if (read != kFields) return;
  ++use.processes;
  use.threads += static_cast<std::size_t>(threads);
  use.resident_bytes += static_cast<std::uint64_t>(resident_pages * page_bytes);
  use.cpu_seconds +=
      (static_cast<double>(user + system) + static_cast<double>(children_user + children_system)) /
      static_cast<double>(ticks_a_second);
}

}  // namespace

bool can_watch() { return SmallFile("/proc/self/stat").opened(); }

void list_descendants(pid_t ancestor, Descendants& found) {
  found.count = 0;
  if (!kernel_lists_children()) {
    scan_all(ancestor, found);
    return;
  }
  add_children(found, ancestor);
  for (std::size_t i = 0; i < found.count; ++i) add_children(found, found.processes[i]);
}

Use measure(const Descendants& found) {
  Use use;
  for (std::size_t i = 0; i < found.count; ++i) add_use(use, found.processes[i]);
  return use;
}

}  // namespace coursework::inner
