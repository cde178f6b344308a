#pragma once

/// @file
/// A check that goes on while somebody types.

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"

namespace coursework {

/// One check at a time, on a thread of its own.
class BackgroundCheck {
 public:
  struct Result {
    std::size_t exercise = 0;  ///< the number that start() was given
    std::string answer;
    std::optional<Verdict> verdict;
    std::string fault;  ///< instead of a verdict: what is wrong with this machine
  };

  BackgroundCheck();
  ~BackgroundCheck();  ///< cancels
  BackgroundCheck(const BackgroundCheck&) = delete;
  BackgroundCheck& operator=(const BackgroundCheck&) = delete;

  bool is_busy() const { return thread_.joinable(); }
  /// The number of the exercise that is being checked; only if is_busy().
  std::size_t exercise() const { return number_; }
  const std::string& answer() const { return answer_; }

  /// Begins; only if not is_busy(). The exercise has to live on.
  void start(std::size_t number, const Exercise& exercise, const std::string& answer,
             const JudgeOptions& options);
  /// Nobody wants the result. It stays busy until take().
  void cancel();
  /// Readable once take() has something to do.
  int descriptor() const { return done_; }
  /// The result of a check that has ended, unless it was cancelled.
  std::optional<Result> take();

 private:
  int done_;
  std::size_t number_ = 0;
  std::string answer_;
  std::mutex mutex_;
  std::optional<Result> result_;
  std::jthread thread_;
};

}  // namespace coursework
