#include "tools/coursework/watch/file_events.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

namespace coursework {

FileEvents::FileEvents(std::filesystem::path folder)
    : folder_(std::move(folder)), events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  look_for_folder();
}

FileEvents::~FileEvents() {
  if (events_ >= 0) close(events_);
}

void FileEvents::look_for_folder() {
  if (events_ < 0 || watched_ >= 0) return;
  watched_ = inotify_add_watch(events_, folder_.c_str(),
                               IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_ATTRIB | IN_MOVE_SELF | IN_ONLYDIR);
}

bool FileEvents::take() {
  bool changed = false;
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  for (ssize_t bytes = 0; events_ >= 0;) {
    bytes = ::read(events_, buffer.data(), buffer.size());
    if (bytes <= 0) break;
    changed = true;
    for (ssize_t at = 0; at < bytes;) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof event);
      if ((event.mask & IN_MOVE_SELF) != 0) inotify_rm_watch(events_, event.wd);
      if ((event.mask & (IN_IGNORED | IN_MOVE_SELF)) != 0) watched_ = -1;
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
  look_for_folder();
  return changed;
}

}  // namespace coursework
