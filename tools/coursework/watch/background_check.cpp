#include "tools/coursework/watch/background_check.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "tools/coursework/check/check_text.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {

BackgroundCheck::BackgroundCheck() : done_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (done_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

BackgroundCheck::~BackgroundCheck() {
  cancel();
  if (thread_.joinable()) thread_.join();
  close(done_);
}

void BackgroundCheck::start(std::size_t number, const Exercise& exercise, const std::string& answer,
                            const JudgeOptions& options) {
  number_ = number;
  answer_ = answer;
  thread_ = std::jthread([=, this, &exercise](const std::stop_token& stop) {
    std::optional<Result> result = Result{number, answer, {}, {}};
    try {
      result->verdict = check_text(exercise, answer, exercise.file_name(), options, stop);
    } catch (const tools::Cancelled&) {
      result.reset();
    } catch (const std::exception& error) {
      result->fault = error.what();
    }
    {
      const std::lock_guard lock(mutex_);
      result_ = stop.stop_requested() ? std::nullopt : std::move(result);
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = write(done_, &one, sizeof one);
  });
}

void BackgroundCheck::cancel() { thread_.request_stop(); }

std::optional<BackgroundCheck::Result> BackgroundCheck::take() {
  std::uint64_t count = 0;
  if (read(done_, &count, sizeof count) != sizeof count) return std::nullopt;
  const bool cancelled = thread_.get_stop_token().stop_requested();
  thread_.join();
  const std::lock_guard lock(mutex_);
  auto result = std::exchange(result_, std::nullopt);
  return cancelled ? std::nullopt : std::move(result);
}

}  // namespace coursework
