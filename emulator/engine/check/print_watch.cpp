#include "engine/check/print_watch.hpp"

#include <utility>

#include "emulator/device.h"

namespace emu {

PrintWatch::PrintWatch(std::function<void()> noticed)
    : noticed_(std::move(noticed)), real_(stdout) {
  watched_ = fopencookie(this, "w", {nullptr, &PrintWatch::write, nullptr, nullptr});
  if (!watched_) return;
  // Unbuffered, so that write() is called by the thread that prints.
  std::setvbuf(watched_, nullptr, _IONBF, 0);
  stdout = watched_;
}

PrintWatch::~PrintWatch() {
  if (!watched_) return;
  stdout = real_;
  std::fclose(watched_);
}

ssize_t PrintWatch::write(void* watch, const char* text, std::size_t bytes) {
  auto& self = *static_cast<PrintWatch*>(watch);
  if (in_kernel()) {
    self.noticed_();
    return static_cast<ssize_t>(bytes);
  }
  return static_cast<ssize_t>(std::fwrite(text, 1, bytes, self.real_));
}

}  // namespace emu
