#include "tools/coursework/check/interruption.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace coursework {

Interruption::Interruption()
    : signals_({SIGINT, SIGTERM, SIGHUP}), ended_(eventfd(0, EFD_CLOEXEC)), thread_([this] {
        std::array<pollfd, 2> all{pollfd{signals_.descriptor(), POLLIN, 0},
                                  pollfd{ended_, POLLIN, 0}};
        while (poll(all.data(), all.size(), -1) < 0) {
        }
        for (const int one : signals_.take()) signal_ = one;
        if (signal_ != 0) stop_.request_stop();
      }) {}

Interruption::~Interruption() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = write(ended_, &one, sizeof one);
  thread_.join();
  close(ended_);
}

}  // namespace coursework
